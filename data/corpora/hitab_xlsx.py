"""HiTab header trees aligned to the original Statistics Canada workbooks.

| sheets | formatted | licence | masked |
|---|---|---|---|
| 25 | xlsx styles; numbers are typed as text | C-UDA 1.0 | keyword totals |

No notes are labelled, so that metadata is no negative. Every table is in `hitab` too, without styles: the
groups are shared.
"""

from __future__ import annotations

from cellroles.sheet import Role
from data.corpora.hitab import document_of
from data.corpus import GRID_ROLES, Corpus, always
from data.rules import column_headers_stand, total_labels_open, totals_open, unit_lines_freed

CORPUS = Corpus(
    "hitab_xlsx",
    (*GRID_ROLES, Role.HEADER),
    family="hitab",
    group=document_of,
    row_levels=always,
    col_levels=always,
    rules=(totals_open, column_headers_stand, unit_lines_freed, total_labels_open),
)
