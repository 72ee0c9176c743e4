"""Statistics workbooks of the British government as CSV exports, lines labelled by people.

| sheets | formatted | licence | masked |
|---|---|---|---|
| 195 | no (CSV) | MIT labels | all header depths, rule-made stub columns |

A line label covers a whole row: totals in columns are not marked, and their cells are value or
aggregation; lines above a table are header or metadata unless told apart.
"""

from __future__ import annotations

from data.corpus import SHEET_ROLES, Corpus
from data.rules import column_headers_stand, corners_name_columns, titles_open, totals_open

CORPUS = Corpus(
    "govuk", SHEET_ROLES, untyped=True, rules=(totals_open, titles_open, column_headers_stand, corners_name_columns)
)
