"""DeEx: business and web spreadsheets as CSV exports, lines labelled by people.

| sheets | formatted | licence | masked |
|---|---|---|---|
| 394 | no (CSV) | GPL-3.0 / MIT | all header depths, rule-made stub columns |

A line label covers a whole row: totals in columns are not marked, and their cells are value or
aggregation; lines above a table are header or metadata unless told apart. Some workbooks have twenty sheets: groups.
"""

from __future__ import annotations

from data.corpus import SHEET_ROLES, Corpus
from data.rules import column_headers_stand, titles_open, totals_open

CORPUS = Corpus("deex_lines", SHEET_ROLES, untyped=True, rules=(totals_open, titles_open, column_headers_stand))
