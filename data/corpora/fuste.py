"""FUSTE: spreadsheets of the web (FUSE) as CSV exports, ranges labelled by people.

| sheets | formatted | licence | masked |
|---|---|---|---|
| 124 | no (CSV) | GPL-3.0 | all header depths, rule-made stub columns |

Totals outside the derived ranges are not marked: value or aggregation. Groups are the templates, of which there are
at most three sheets each.
"""

from __future__ import annotations

from data.corpus import SHEET_ROLES, Corpus
from data.records import Record
from data.rules import column_headers_stand, titles_open, totals_open


def template_of(record: Record) -> str:
    """The template shared by sheets of one origin."""
    return record["template"]


CORPUS = Corpus(
    "fuste", SHEET_ROLES, group=template_of, untyped=True, rules=(totals_open, titles_open, column_headers_stand)
)
