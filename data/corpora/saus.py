"""SAUS: tables of the 2010 Statistical Abstract of the United States.

| sheets | formatted | licence | masked |
|---|---|---|---|
| 166 | partly (bold, few borders) | public data, Apache-2.0 / MIT labels | guessed stub columns, subtitles |

Values under a total label are trusted: derived cells were labelled twice. Subtitles are header or metadata.
One house style: repetitive. Groups are the tables (`10s1021`), which may have several sheets.
"""

from __future__ import annotations

from data.corpus import SHEET_ROLES, Corpus, always
from data.rules import column_headers_stand, titles_open, total_labels_open

CORPUS = Corpus(
    "saus",
    SHEET_ROLES,
    row_levels=always,
    col_levels=always,
    rules=(titles_open, column_headers_stand, total_labels_open),
)
