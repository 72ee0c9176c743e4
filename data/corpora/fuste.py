"""FUSTE: spreadsheets of the web (FUSE) as CSV exports, ranges labelled by people.

| sheets | formatted | licence | masked |
|---|---|---|---|
| 124 | no (CSV) | GPL-3.0 | all header depths, rule-made stub columns |

Groups are the templates, of which there are at most three sheets each.
"""

from __future__ import annotations

from data.corpus import SHEET_ROLES, Corpus
from data.records import Record


def template_of(record: Record) -> str:
    """The template shared by sheets of one origin."""
    return record["template"]


CORPUS = Corpus("fuste", SHEET_ROLES, group=template_of, untyped=True)
