"""CIUS: "Crime in the United States" tables of 2007 and 2017, lines labelled by people.

| sheets | formatted | licence | masked |
|---|---|---|---|
| 215 | some styles | MIT | row header depths, guessed totals |

Second title lines are header or metadata; a column of totals is not marked by line labels: value or aggregation.
A repetitive family: groups are the table numbers, whatever the year or the state.
"""

from __future__ import annotations

import re

from data.corpus import SHEET_ROLES, Corpus, always, workbook_of
from data.records import Record
from data.rules import column_headers_stand, titles_open, totals_open


def table_of(record: Record) -> str:
    """The number of the table in the yearbook.

    >>> [table_of({"id": id}) for id in ("07tbl08ct.xls_A.csv", "Robbery.xls_17robtbl1.csv", "x.xls_A.csv")]
    ['tbl8', 'robtbl1', 'x']
    """
    found = re.findall(r"((?:arson|rob|shr)?tbl)0*(\d+)", record["id"].lower())
    return "".join(found[-1]) if found else workbook_of(record)


CORPUS = Corpus(
    "cius",
    SHEET_ROLES,
    group=table_of,
    col_levels=always,
    untyped=True,
    rules=(totals_open, titles_open, column_headers_stand),
)
