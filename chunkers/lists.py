"""Simple flat table -> `Name: …; Role: …` record lines packed to the budget: the STC form, cited by the roles."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cached_property

import numpy as np

from cellroles.sheet import Chunk, Ints, Kind, Role
from chunkers.base import ChunkMaker
from chunkers.budget import Item, Piece, count_tokens, fits, pack
from chunkers.context import Scope
from chunkers.naming import group_repeats, piece_cells
from chunkers.record_lines import FIELDS, LineWriter
from chunkers.records import Record, Records, distinct
from chunkers.view import View, bare, collapse

FALLBACK = "flat table"
ONE_KIND = 0.9  # share of the values that must be of one kind for a cross-tab
_DIMENSION = re.compile(
    r"^\W*(\d[\d\W]*|[qh][1-4]|\d{4}.*|.*\d{4}|(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\w*\W*\d*)\W*$",
    re.IGNORECASE,
)


def is_flat(view: View, records: Records) -> bool:
    """A list of records with one header row, labels of depth 1, no totals, no merged values, and no cross-tab."""
    cells, roles, row = records.cells, view.annotated.roles, view.sheet.row
    if not len(records) or not len(cells.columns) or len(distinct(row[cells.columns])) != 1:
        return False
    plain = (Role.VALUE, Role.COMMENT, Role.ROW_HEADER_1, Role.COL_HEADER_1)
    parts = np.concatenate((cells.data, cells.labels, cells.columns))
    if not np.isin(roles[parts], plain).all() or records.leftover or records.has_copies:
        return False
    if (view.annotated.col_path[cells.data] == 0).any() or not _leading_labels(view, records):
        return False
    return not is_cross_tab(view, records)


def _leading_labels(view: View, records: Records) -> bool:
    """Whether row headers stand left of all values."""
    col, cells = view.sheet.col, records.cells
    return not len(cells.labels) or not len(cells.data) or bool(col[cells.labels].max() < col[cells.data].min())


def is_cross_tab(view: View, records: Records) -> bool:
    """Whether the columns are one dimension over values of one kind, not attributes.

    A dimension shows in headers that are years, dates or numbers, or in stubs whose corner is blank.
    """
    sheet, data = view.sheet, records.cells.data
    kinds = np.bincount(sheet.kind[data])
    if kinds.max() <= ONE_KIND * len(data) or kinds.argmax() == Kind.TEXT:
        return False
    paths = distinct(view.annotated.col_path[data]).tolist()
    names = [" ".join(collapse(view.annotated.paths[p].labels)) for p in paths]
    stubs, heads = sheet.col[records.cells.labels], sheet.col[records.cells.columns]
    blank_corner = bool(len(stubs)) and not np.isin(stubs, heads).any()
    like_dimension = 2 * sum(bool(_DIMENSION.match(name)) for name in names) > len(names)
    return len(names) > 1 and (like_dimension or blank_corner)


def packed_records(view: View, maker: ChunkMaker, records: Records, scope: Scope, max_tokens: int) -> Iterator[Chunk]:
    """Record lines packed greedily; a record over the budget is cut between its fields."""
    room = max_tokens - count_tokens(scope.head) - 1
    names = _Names(view, records)
    items = (item for record in records for item in names.items(record, room))
    for piece in pack(items, max_tokens, lambda _: scope.head):
        repeats = group_repeats(view, piece, scope.title, names.columns(piece))
        yield maker.packed("stc", piece, scope, repeats=repeats, fallback=FALLBACK)


class _Names:
    """Column path, else column -> the key of its fields; the layout of a row is cached per set of present columns."""

    def __init__(self, view: View, records: Records) -> None:
        self.view = view
        header = records.cells.columns
        by_column = {int(view.sheet.col[i]): bare(view.plain(int(i))) for i in header}
        self._by_column = by_column
        self._cells = records.cells
        self._filled = set(view.sheet.col[np.concatenate((records.cells.data, records.cells.labels))].tolist())
        self._templates: dict[bytes, list[str]] = {}
        self._code = np.where(view.annotated.col_path > 0, view.annotated.col_path, -1 - view.sheet.col)

    def items(self, record: Record, room: int) -> Iterator[Item]:
        """The record as one line of fields in column order, or as several lines that all begin with its labels."""
        cells = sorted([*record.owned_labels, *(i for run in record.runs for i in run.values)])
        keys = self._keys(self._code[self.view.part(cells)])
        fields = [key + text for key, text in zip(keys, self.view.shown_all(cells), strict=True)]
        remarks = [f"Note: {self.view.shown(i)}" for i in record.remarks]
        text = "; ".join((*fields, *remarks))
        if fits(text, room):
            yield Item(text, (*cells, *record.remarks), tuple(cells))
        else:
            yield from self._cut.items(record, room)

    @cached_property
    def _cut(self) -> LineWriter:
        return LineWriter(self.view, self._cells, FIELDS)

    def columns(self, piece: Piece) -> Iterable[str]:
        """The names of the columns as `context` says them once more, but for those whose values other pieces have."""
        if not self.view.repeat_headers:
            return ()
        elsewhere = self._filled.difference(self.view.sheet.col[list(piece_cells(piece))].tolist())
        return (name for col, name in self._by_column.items() if col not in elsewhere)

    def _keys(self, code: Ints) -> list[str]:
        """What stands before each value: `Name: `, or nothing."""
        signature = code.tobytes()
        if signature not in self._templates:
            names = [self._name(number) for number in code.tolist()]
            self._templates[signature] = [f"{name}: " if name else "" for name in names]
        return self._templates[signature]

    def _name(self, code: int) -> str:
        if not self.view.repeat_headers:
            return ""
        if code > 0:
            return bare(" > ".join(collapse(self.view.annotated.paths[code].labels)))
        return self._by_column.get(-1 - code, "")
