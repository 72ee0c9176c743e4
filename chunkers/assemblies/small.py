"""Small table -> one chunk: a grid under one line of column paths, or, where it is none, lines that name each value."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import numpy as np

from cellroles.sheet import Chunk, Role
from chunkers.assemblies.flat import TableLines
from chunkers.assemblies.tables import TablePart
from chunkers.budget import Item, Piece, fits
from chunkers.naming import column_names, group_repeats
from chunkers.records import Record, Run, stub_names
from chunkers.schema import header_remarks, leftover_items, title_items
from chunkers.view import bare, collapse

FALLBACK = "small table"


def is_small(part: TablePart) -> bool:
    """Whether the whole table fits the budget; a table of many values is not written to see it."""
    if not len(part.cells.columns) or len(part.cells.data) > part.max_tokens or not part.view.repeat_headers:
        return False
    return _piece(part) is not None


def small_table(part: TablePart) -> Iterator[Chunk]:
    """The table in one chunk, which owns all of its cells but its notes."""
    piece = _piece(part)
    assert piece is not None
    repeats = group_repeats(part.view, piece, part.scope.title, column_names(part.view, piece))
    yield part.maker.packed("table", piece, part.scope, repeats=repeats, fallback=FALLBACK)


def _piece(part: TablePart) -> Piece | None:
    """The whole table in the more compact form that it has, if that fits the budget."""
    if _is_plain(part):
        grid = _Grid(part).piece()
        return grid if fits(grid.text, part.max_tokens) else None
    table = TableLines(part)
    pieces = [*islice(table.pieces(table.records()), 2)]
    return pieces[0] if len(pieces) == 1 else None


def _is_plain(part: TablePart) -> bool:
    """One path per column, and one run of values per record."""
    annotated, data = part.view.annotated, part.cells.data
    columns = part.view.sheet.col[data]
    pairs = np.unique(np.stack((columns, annotated.col_path[data])), axis=1).shape[1]
    return pairs == len(np.unique(columns)) and all(len(record.runs) == 1 for record in part.records)


class _Grid:
    """The lines of a small table: every column of values or row labels is one, called by its column path."""

    def __init__(self, part: TablePart) -> None:
        self.part, self.view = part, part.view
        sheet, annotated, data = part.view.sheet, part.view.annotated, part.cells.data
        self._records = [*part.records]
        self._labels = sorted({i for record in self._records for run in record.runs for i in run.labels})
        self._total = annotated.roles == Role.AGGREGATION
        self._col = sheet.col
        first = dict(zip(sheet.col[data][::-1].tolist(), annotated.col_path[data][::-1].tolist(), strict=True))
        self._values = frozenset(first)
        self._stubs = sorted(set(sheet.col[self._labels].tolist()) - self._values)
        for i in self._labels:
            first[int(self._col[i])] = first.get(int(self._col[i])) or int(annotated.col_path[i])
        self._path_of = dict(sorted(first.items()))
        names = stub_names(part.view, part.cells)
        self.names = {
            col: " > ".join(collapse(annotated.paths[p].labels)) or (names.get(col, "") if col in self._stubs else "")
            for col, p in self._path_of.items()
        }
        marked = {col for col in self._values if bool(self._total[data[sheet.col[data] == col]].all())}
        self._total_columns = marked if len(self._values) > 1 else set()

    def piece(self) -> Piece:
        """The table as one text with all of its cells."""
        part = self.part
        lines = [*leftover_items(part.view, part.records), self._header(), *map(self._line, self._records)]
        items = (*title_items(part.view, part.records, part.titles, part.scope), *lines)
        text = "\n".join(filter(None, (part.scope.head, *(item.text for item in items))))
        return Piece(text, items)

    def _header(self) -> Item:
        """`| Clearing | Product | Buyside > Long | Buyside > Short |`, then the headers of no column of the grid."""
        view, columns = self.view, self.part.cells.columns.tolist()
        totals = self._total_columns
        names = [f"{bare(name)} (total)".strip() if col in totals else name for col, name in self.names.items()]
        said = {i for cells in view.path_cells(self._path_of.values()).values() for i in cells}
        inside = set(self.names.values())
        rest = [text for text in view.plain_all([i for i in columns if i not in said]) if text and text not in inside]
        more = [f"Other column headers: {'; '.join(dict.fromkeys(rest))}"] if rest else []
        return Item("\n".join((_row(names), *more, *header_remarks(view, columns))), tuple(columns), tuple(columns))

    def _line(self, record: Record) -> Item:
        """`| Cleared | IG | 51.5 | 48.2 |`, then what stands in the row beside its values."""
        view, run = self.view, record.runs[0]
        totals = self._total[view.part(run.values)] if run.values else np.zeros(0, bool)
        of_row = bool(len(totals)) and bool(totals.all()) and len(self._total_columns) < len(self._values)
        of_row = of_row and bool(run.labels)
        texts = {
            int(self._col[i]): text + (" (total)" if total and self._unmarked(i, of_row) else "")
            for i, text, total in zip(run.values, view.shown_all(run.values), totals.tolist(), strict=True)
        }
        for col, labels in self._label_columns(record.row, run, texts).items():
            mark = " (total)" if of_row and labels[-1] == run.labels[-1] else ""
            label = " > ".join(collapse(view.shown_all(labels)))
            texts[col] = " > ".join(filter(None, (bare(label) + mark if mark else label, texts.get(col))))
        asides = [*view.shown_all(record.others), *(f"Note: {view.shown(i)}" for i in record.remarks)]
        cells = (*record.owned_labels, *run.values)
        owned = tuple(i for i in cells if i not in record.copies)
        line = " ".join((_row([texts.get(col, "") for col in self.names]), "; ".join(asides))).rstrip()
        return Item(line, (*cells, *record.remarks), owned)

    def _label_columns(self, row: int, run: Run, texts: dict[int, str]) -> dict[int, list[int]]:
        """The labels of a record by the column that says them: their own, but for group labels over values."""
        found: dict[int, list[int]] = {}
        for i in run.labels:
            col = int(self._col[i])
            if col in self._values and (col in texts or int(self.view.sheet.row[i]) != row):
                col = self._stubs[0] if self._stubs else min(self._values)
            found.setdefault(col, []).append(i)
        return found

    def _unmarked(self, i: int, of_row: bool) -> bool:
        return not of_row and int(self._col[i]) not in self._total_columns


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"
