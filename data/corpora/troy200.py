"""Troy200: web tables of statistical offices in one workbook, header trees on both axes labelled by people.

| sheets | formatted | licence | masked |
|---|---|---|---|
| 99 | xlsx styles | none stated | totals on which two label sets disagree |

Numbers are often typed as text. Converted: guessed column headers keep their kind, guessed notes are header or
metadata, a number and a name of one record are both innermost.
"""

from __future__ import annotations

from data.corpus import SHEET_ROLES, Corpus, always
from data.rules import column_headers_stand, joint_identifiers, titles_open, total_labels_open

CORPUS = Corpus(
    "troy200",
    SHEET_ROLES,
    row_levels=always,
    col_levels=always,
    rules=(titles_open, column_headers_stand, joint_identifiers, total_labels_open),
)
