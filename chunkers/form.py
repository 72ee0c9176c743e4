"""Key-value form -> its sections, packed: title and `key: value` lines."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

import numpy as np

from cellroles.sheet import Chunk
from chunkers.base import ChunkMaker
from chunkers.budget import Item, claim, pack
from chunkers.context import Scope
from chunkers.records import TableCells
from chunkers.view import View, bare, collapse

MAX_VALUES_PER_KEY = 1.5  # on average; a table with more values per label is one without column headers


def is_form(view: View, cells: TableCells) -> bool:
    """No column headers, and nearly every value is the one value of its row label."""
    if len(cells.columns) or not len(cells.data) or not len(cells.labels):
        return False
    paths = view.annotated.row_path[cells.data]
    keyed = paths > 0
    keys = len({(p, r) for p, r in zip(paths[keyed].tolist(), view.sheet.row[cells.data][keyed].tolist(), strict=True)})
    return bool(keyed.mean() > 0.5 and len(cells.data) <= MAX_VALUES_PER_KEY * keys)


def form_chunks(
    view: View, maker: ChunkMaker, cells: TableCells, titles: list[int], scope: Scope, max_tokens: int
) -> Iterator[Chunk]:
    """The lines of the form in reading order, packed to the budget; they own every cell of the table but its notes."""
    items = [*_titles(view, titles, scope), *_lines(view, cells)]
    for piece in pack(items, max_tokens, lambda _: scope.head):
        yield maker.packed("form", piece, scope)


def _titles(view: View, titles: list[int], scope: Scope) -> Iterator[Item]:
    for i in titles:
        text = view.shown(i)
        yield Item("" if scope.says(text) else text, (i,), (i,))


def _lines(view: View, cells: TableCells) -> Iterator[Item]:
    """One item per key with its values, per section title, and per key without a value."""
    row, col, annotated = view.sheet.row, view.sheet.col, view.annotated
    everything = np.sort(np.concatenate((cells.data, cells.labels, cells.titles))).tolist()
    data, labels = set(cells.data.tolist()), set(cells.labels.tolist())
    keys = {
        p: tuple(view.indices(annotated.paths[p].cells)) for p in np.unique(annotated.row_path[cells.data]).tolist()
    }
    heading = {i for key in keys.values() for i in key}
    free = set(everything)
    section: tuple[int, ...] = ()
    for _, run in groupby(everything, lambda i: (int(row[i]), _key_of(view, i, data, labels))):
        members = [i for i in run if i in data or i not in heading]
        if not members:
            continue
        key = keys[int(annotated.row_path[members[0]])] if members[0] in data else ()
        outer = key[:-1] if key and int(row[key[-1]]) == int(row[members[0]]) else ()
        if outer != section and outer:
            yield claim(free, outer, " > ".join(collapse(view.shown_all(outer))))
        section = outer
        names = bare(" > ".join(collapse(view.shown_all(key[len(outer) :]))))
        values = "; ".join(text for text in view.shown_all(members) if text)
        indent = "  " if outer else ""
        yield claim(free, (*key[len(outer) :], *members), indent + (f"{names}: {values}" if names else values))
    rest = tuple(sorted(free, key=lambda i: (int(row[i]), int(col[i]))))
    yield from (claim(free, (i,), view.shown(i)) for i in rest)


def _key_of(view: View, i: int, data: set[int], labels: set[int]) -> int:
    """Groups a row: values by their row path, anything else alone."""
    return int(view.annotated.row_path[i]) if i in data else -1 - i
