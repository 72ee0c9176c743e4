"""One corpus of labelled sheets: its records, what its labels are worth, and how they become targets."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from cellroles.sheet import COLUMN_HEADERS, ROW_HEADERS, Bools, Bytes, Role, Sheet
from data.labelled import LabelledSheet, Targets, role_set
from data.records import Record, labels_of, read_records, sheet_of

Rule = Callable[[Sheet, Bytes, Targets], tuple[Bytes, Targets]]
"""(sheet, roles, targets) -> (roles, targets): where a corpus departs from the labelling guide (see data.rules)."""


GRID_ROLES = (Role.VALUE, Role.AGGREGATION, *COLUMN_HEADERS, *ROW_HEADERS)
SHEET_ROLES = (*GRID_ROLES, Role.HEADER, Role.METADATA)


def always(record: Record) -> bool:
    """Trust header levels in every sheet."""
    return True


def never(record: Record) -> bool:
    """Trust header levels in no sheet."""
    return False


def workbook_of(record: Record) -> str:
    """The part of the id up to the file extension: the workbook of an id such as `book.xls_Sheet1.csv`.

    >>> workbook_of({"id": "a.b.xlsx_Sheet.csv"}), workbook_of({"id": "10s1021.xls#Data"}), workbook_of({"id": "C1"})
    ('a.b', '10s1021', 'C1')
    """
    return record["id"].split("#")[0].split(".xls")[0]


@dataclass(frozen=True, slots=True)
class Corpus:
    """How the records of `name`.jsonl.gz become labelled sheets.

    `roles`: the roles it uses. `group`: the split unit of a record, within the corpus `family` (default: itself).
    `untyped`: see `records.sheet_of`. `row_levels` and `col_levels`: whether header depths of a record are to be
    trusted; elsewhere a header's target is all three depths. `rules` run in order over the targets; roles outside
    `roles` are no targets.
    """

    name: str
    roles: tuple[Role, ...]
    group: Callable[[Record], str] = workbook_of
    row_levels: Callable[[Record], bool] = never
    col_levels: Callable[[Record], bool] = never
    untyped: bool = False
    family: str = ""
    rules: tuple[Rule, ...] = ()

    def load(self, folder: Path | None = None) -> tuple[LabelledSheet, ...]:
        """All labelled sheets, in file order; FileNotFoundError names the variable that sets the folder."""
        return tuple(self.labelled(record) for record in read_records(self.name, folder))

    def group_of(self, record: Record) -> str:
        """The split unit of a record, unique among all corpora."""
        return f"{self.family or self.name}/{self.group(record)}"

    def labelled(self, record: Record) -> LabelledSheet:
        """One record as a labelled sheet."""
        sheet = sheet_of(record, untyped=self.untyped)
        roles, certain = labels_of(record, sheet)
        targets = targets_of(roles, certain, row_levels=self.row_levels(record), col_levels=self.col_levels(record))
        for rule in self.rules:
            roles, targets = rule(sheet, roles, targets)
        candidates = role_set(self.roles)
        targets &= np.uint16(candidates)
        return LabelledSheet(sheet, roles, targets, candidates, self.name, self.group_of(record))


def targets_of(roles: Bytes, certain: Bools, *, row_levels: bool, col_levels: bool) -> Targets:
    """The bit set that each label allows; 0 where it is not certain. Shape (n,) -> (n,).

    >>> roles = np.array([Role.VALUE, Role.ROW_HEADER_2], np.uint8)
    >>> [bin(t) for t in targets_of(roles, np.array([True, True]), row_levels=False, col_levels=True)]
    ['0b1', '0b1110000000000']
    """
    allowed = np.array([role_set([role]) for role in Role], np.uint16)
    allowed[Role.EMPTY] = 0
    if not row_levels:
        allowed[list(ROW_HEADERS)] = role_set(ROW_HEADERS)
    if not col_levels:
        allowed[list(COLUMN_HEADERS)] = role_set(COLUMN_HEADERS)
    return np.where(certain, allowed[roles], 0).astype(np.uint16)
