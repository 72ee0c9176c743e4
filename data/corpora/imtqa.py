"""IM-TQA: tables of Chinese company reports and encyclopedias, and their English translations.

| sheets | formatted | licence | masked |
|---|---|---|---|
| 2,094 | no | C-UDA 1.0 | guessed totals, banner titles, row header depths |

The corner is a row header here and col_header_1 in the guide: converted; in two-column forms the first row is masked.
Tables were cropped from their pages: titles and notes are no negatives. The Chinese and English twins share a group.
"""

from __future__ import annotations

from data.corpus import GRID_ROLES, Corpus, always
from data.records import Record
from data.rules import column_headers_stand, corners_name_columns, totals_open


def pair_of(record: Record) -> str:
    """The id that a table shares with its translation."""
    return record["pair_id"]


CORPUS = Corpus(
    "imtqa",
    GRID_ROLES,
    group=pair_of,
    col_levels=always,
    rules=(totals_open, column_headers_stand, corners_name_columns),
)
