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
from chunkers.records import Record, stub_names
from chunkers.schema import leftover_items, title_items
from chunkers.view import collapse

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
    """The lines of a small table; `names` are the column paths by column."""

    def __init__(self, part: TablePart) -> None:
        self.part, self.view = part, part.view
        sheet, annotated, data = part.view.sheet, part.view.annotated, part.cells.data
        self._total = annotated.roles == Role.AGGREGATION
        self._col = sheet.col
        first = dict(zip(sheet.col[data][::-1].tolist(), annotated.col_path[data][::-1].tolist(), strict=True))
        self._path_of = dict(sorted(first.items()))
        self.names = {col: " > ".join(collapse(annotated.paths[p].labels)) for col, p in self._path_of.items()}
        self._total_columns = {
            col for col in self.names if bool(self._total[data[sheet.col[data] == col]].all()) and len(self.names) > 1
        }

    def piece(self) -> Piece:
        """The table as one text with all of its cells."""
        part = self.part
        lines = [*leftover_items(part.view, part.records), self._header(), *map(self._line, part.records)]
        items = (*title_items(part.view, part.records, part.titles, part.scope), *lines)
        text = "\n".join(filter(None, (part.scope.head, *(item.text for item in items))))
        return Piece(text, items)

    def _header(self) -> Item:
        """`| Product | Buyside > Long | Buyside > Short |`, then the headers of columns without values."""
        view, columns = self.view, self.part.cells.columns.tolist()
        stubs = stub_names(view, self.part.cells)
        labels = self.part.cells.labels
        corner = [stubs[col] for col in np.unique(view.sheet.col[labels]).tolist() if stubs.get(col)]
        names = [name + (" (total)" if col in self._total_columns else "") for col, name in self.names.items()]
        said = {i for cells in view.path_cells(self._path_of.values()).values() for i in cells}
        line = _row([" > ".join(dict.fromkeys(corner)), *names])
        rest = [text for text in view.shown_all([i for i in columns if i not in said]) if text and text not in corner]
        more = f"\nOther column headers: {'; '.join(dict.fromkeys(rest))}" if rest else ""
        return Item(line + more, tuple(columns), tuple(columns))

    def _line(self, record: Record) -> Item:
        """`| CDX IG | 51.5 | 48.2 |`, then what stands in the row beside its values."""
        view, run = self.view, record.runs[0]
        totals = self._total[view.part(run.values)] if run.values else np.zeros(0, bool)
        of_row = bool(len(totals)) and bool(totals.all()) and len(self._total_columns) < len(self.names)
        label = " > ".join(collapse(view.shown_all(run.labels))) + (" (total)" if of_row and run.labels else "")
        values = {
            int(self._col[i]): text + (" (total)" if total and self._unmarked(i, of_row and bool(run.labels)) else "")
            for i, text, total in zip(run.values, view.shown_all(run.values), totals.tolist(), strict=True)
        }
        asides = [*view.shown_all(record.others), *(f"Note: {view.shown(i)}" for i in record.remarks)]
        cells = (*record.owned_labels, *run.values)
        owned = tuple(i for i in cells if i not in record.copies)
        line = _row([label, *(values.get(col, "") for col in self.names), *asides])
        return Item(line, (*cells, *record.remarks), owned)

    def _unmarked(self, i: int, of_row: bool) -> bool:
        return not of_row and int(self._col[i]) not in self._total_columns


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"
