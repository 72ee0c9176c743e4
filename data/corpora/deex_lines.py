"""DeEx: business and web spreadsheets as CSV exports, lines labelled by people.

| sheets | formatted | licence | masked |
|---|---|---|---|
| 394 | no (CSV) | GPL-3.0 / MIT | all header depths, rule-made stub columns |

A line label covers a whole row: totals in columns are not marked. Some workbooks have twenty sheets: groups.
"""

from __future__ import annotations

from data.corpus import SHEET_ROLES, Corpus

CORPUS = Corpus("deex_lines", SHEET_ROLES, untyped=True)
