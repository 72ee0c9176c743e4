"""Statistics workbooks of the British government as CSV exports, lines labelled by people.

| sheets | formatted | licence | masked |
|---|---|---|---|
| 195 | no (CSV) | MIT labels | all header depths, rule-made stub columns |

A line label covers a whole row: totals in columns are not marked.
"""

from __future__ import annotations

from data.corpus import SHEET_ROLES, Corpus

CORPUS = Corpus("govuk", SHEET_ROLES, untyped=True)
