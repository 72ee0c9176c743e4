"""Table -> the text that says what is in it: title, columns with their paths, and labels that head no record."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

import numpy as np

from cellroles.sheet import Chunk, Role
from chunkers.base import ChunkMaker
from chunkers.budget import Item, pack
from chunkers.context import Scope
from chunkers.records import Records, stub_names
from chunkers.view import View, collapse

COLUMNS_PER_LINE = 24


def schema_chunks(
    view: View, maker: ChunkMaker, records: Records, titles: list[int], scope: Scope, max_tokens: int
) -> Iterator[Chunk]:
    """One text chunk per table (more only if it is over the budget); it owns titles and column headers."""
    items = [
        *_title_items(view, records, titles, scope),
        *_column_items(view, records),
        *_leftover_items(view, records),
    ]
    for piece in pack(items, max_tokens, lambda _: scope.head):
        yield maker.packed("text", piece, scope)


def _title_items(view: View, records: Records, titles: list[int], scope: Scope) -> Iterator[Item]:
    """Titles that the head does not say in full, as lines; those that it says are owned without a line."""
    for i in [*titles, *records.cells.titles.tolist()]:
        text = view.shown(i)
        yield Item("" if text in scope.head else text, (i,), (i,))


def _column_items(view: View, records: Records) -> Iterator[Item]:
    """`Rows by: …`, then the columns, one line per outermost header; headers over no value come last."""
    annotated, columns = view.annotated, records.cells.columns.tolist()
    used = np.unique(annotated.col_path[records.cells.data]) if len(records) else np.zeros(0, np.int32)
    paths = sorted((p for p in used.tolist() if p), key=lambda p: max(col for _, col in annotated.paths[p].cells))
    totals = _total_paths(view, records)
    free = set(columns)
    stubs = sorted({int(view.sheet.col[i]) for i in records.cells.labels})
    heads = [i for i in columns if int(view.sheet.col[i]) in stubs and view.sheet.text[i].strip()]
    inside = {i for p in paths for i in view.indices(annotated.paths[p].cells)}
    heads = [i for i in heads if i not in inside]
    if heads:
        free.difference_update(heads)
        names = "; ".join(dict.fromkeys(view.shown(i) for i in heads))
        yield Item(f"Rows by: {names}", tuple(heads), tuple(heads))
    for group, members in groupby(paths, lambda p: _outer(collapse(annotated.paths[p].labels))):
        run = list(members)
        for start in range(0, len(run), COLUMNS_PER_LINE):
            part = run[start : start + COLUMNS_PER_LINE]
            cells = tuple(dict.fromkeys(i for p in part for i in view.indices(annotated.paths[p].cells)))
            inner = [collapse(annotated.paths[p].labels)[1 if group else 0 :] for p in part]
            names = "; ".join(
                dict.fromkeys(
                    " > ".join(n) + (" (total)" if p in totals else "") for n, p in zip(inner, part, strict=True)
                )
            )
            yield Item(
                f"{group}: {names}" if group else f"Columns: {names}", cells, tuple(i for i in cells if i in free)
            )
            free.difference_update(cells)
    rest = [i for i in columns if i in free]
    if rest:
        names = "; ".join(dict.fromkeys(view.shown(i) for i in rest))
        yield Item(
            f"Other column headers: {names}" if paths or heads else f"Columns: {names}", tuple(rest), tuple(rest)
        )


def _outer(labels: tuple[str, ...]) -> str:
    return labels[0] if len(labels) > 1 else ""


def _total_paths(view: View, records: Records) -> set[int]:
    """Column paths all of whose values are totals."""
    data = records.cells.data
    paths, total = view.annotated.col_path[data], view.annotated.roles[data] == Role.AGGREGATION
    return set(paths[total].tolist()) - set(paths[~total].tolist())


def _leftover_items(view: View, records: Records) -> Iterator[Item]:
    """Row headers that no record owns, one line per row."""
    names = stub_names(view, records.cells)
    row = view.sheet.row
    for _, members in groupby(records.leftover, lambda i: int(row[i])):
        cells = tuple(members)
        texts = [(names.get(int(view.sheet.col[i]), ""), view.shown(i)) for i in cells]
        yield Item("; ".join(f"{name}: {text}" if name else text for name, text in texts), cells, cells)
