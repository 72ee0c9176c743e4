"""Statistical workbooks of public publishers (en, fr, ja, ar, …), cells labelled by people.

| sheets | formatted | licence | masked |
|---|---|---|---|
| 501 | xlsx and xls styles, formulas | CC-BY 4.0 labels, publishers' files | guessed totals, row header depths |

Converted: a formula that computes makes an aggregation, whatever the guess was; unproved totals and values under a
total label are value or aggregation; guessed column headers keep their kind, not their depth (ten stacked lines
occur). Titles that people filed under "other" remain metadata, a fault of a few publishers. Groups are the
publishers' download folders: files of one folder share a template.
"""

from __future__ import annotations

from data.corpus import SHEET_ROLES, Corpus, always
from data.records import Record
from data.rules import column_headers_stand, corners_name_columns, formulas_decide, titles_open, totals_open


def folder_of(record: Record) -> str:
    """The download address without its file name."""
    return record["url"].rsplit("/", 1)[0]


CORPUS = Corpus(
    "statsheets",
    SHEET_ROLES,
    group=folder_of,
    col_levels=always,
    rules=(formulas_decide, totals_open, titles_open, column_headers_stand, corners_name_columns),
)
