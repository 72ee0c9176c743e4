"""Table -> the text that says what is in it: title, columns with their paths, and labels that head no record."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import groupby

from cellroles.sheet import Chunk, Role
from chunkers.base import ChunkMaker
from chunkers.budget import Item, pack
from chunkers.context import Scope
from chunkers.layout import Field, outline
from chunkers.records import Records, distinct, stub_names
from chunkers.view import View, collapse

COLUMNS_PER_ITEM = 24
CELLS_PER_ITEM = 240


def schema_chunks(
    view: View, maker: ChunkMaker, records: Records, titles: list[int], scope: Scope, max_tokens: int
) -> Iterator[Chunk]:
    """One text chunk per table (more only if it is over the budget); it owns titles and column headers."""
    items = [*heading_items(view, records, titles, scope), *leftover_items(view, records)]
    for piece in pack(items, max_tokens, lambda _: scope.head):
        yield maker.packed("text", piece, scope)


def heading_items(view: View, records: Records, titles: list[int], scope: Scope) -> Iterator[Item]:
    """What the head does not say of the titles, then the columns; they own both."""
    yield from title_items(view, records, titles, scope)
    yield from _column_items(view, records)


def title_items(view: View, records: Records, titles: list[int], scope: Scope) -> Iterator[Item]:
    """Titles that the head does not say in full, as lines; those that it says are owned without a line."""
    for i in [*titles, *records.cells.titles.tolist()]:
        text = view.shown(i)
        yield Item("" if scope.says(text) else text, (i,), (i,))


def _column_items(view: View, records: Records) -> Iterator[Item]:
    """`Rows by: …`, then the columns in their groups; headers that govern no value come last."""
    annotated, columns = view.annotated, records.cells.columns.tolist()
    used = distinct(annotated.col_path[records.cells.data]).tolist()
    paths = sorted(filter(None, used), key=lambda p: max(col for _, col in annotated.paths[p].cells))
    heads = view.path_cells(paths)
    governing = {i for cells in heads.values() for i in cells}
    stubs = set(view.sheet.col[records.cells.labels].tolist())
    corner = [i for i in columns if i not in governing and int(view.sheet.col[i]) in stubs]
    if corner:
        yield from _names_items(view, "Rows by", corner)
    free = set(columns).difference(corner)
    totals = _total_paths(view, records)
    for part in _parts(view, paths):
        fields = [Field(collapse(annotated.paths[p].labels), p in totals, True) for p in part]
        text = outline(list(dict.fromkeys(fields)))
        cells = tuple(dict.fromkeys(i for p in part for i in heads[p]))
        flat = len({field.labels[:1] for field in fields}) > 1 or len(fields[0].labels) < 2
        yield Item(f"Columns: {text}" if flat else text, cells, tuple(i for i in cells if i in free))
        free.difference_update(cells)
    rest = [i for i in columns if i in free]
    if rest:
        yield from _names_items(view, "Other column headers" if paths or corner else "Columns", rest)


def _names_items(view: View, what: str, cells: list[int]) -> Iterator[Item]:
    for part in _batches(tuple(cells)):
        names = "; ".join(dict.fromkeys(text for text in view.shown_all(part) if text))
        yield Item(f"{what}: {names}", part, part)


def _batches(cells: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Cells in few enough that an item cut to the budget does not cite a whole long row in each of its pieces."""
    return (cells[start : start + CELLS_PER_ITEM] for start in range(0, len(cells), CELLS_PER_ITEM))


def _parts(view: View, paths: list[int]) -> Iterator[list[int]]:
    """Columns that share an outermost header, or neighbours that share none, at most `COLUMNS_PER_ITEM` at a time."""
    labels = {p: collapse(view.annotated.paths[p].labels) for p in paths}
    shared = Counter(path[0] for path in labels.values() if len(path) > 1)
    for _, members in groupby(paths, lambda p: labels[p][0] if shared["".join(labels[p][:1])] > 1 else ""):
        run = list(members)
        yield from (run[start : start + COLUMNS_PER_ITEM] for start in range(0, len(run), COLUMNS_PER_ITEM))


def _total_paths(view: View, records: Records) -> set[int]:
    """Column paths all of whose values are totals."""
    data = records.cells.data
    paths, total = view.annotated.col_path[data], view.annotated.roles[data] == Role.AGGREGATION
    return set(paths[total].tolist()) - set(paths[~total].tolist())


def leftover_items(view: View, records: Records) -> Iterator[Item]:
    """Row headers that no record owns, one line per row."""
    names = stub_names(view, records.cells)
    row = view.sheet.row
    rows = (tuple(members) for _, members in groupby(records.leftover, lambda i: int(row[i])))
    for cells in (part for members in rows for part in _batches(members)):
        texts = [(names.get(int(view.sheet.col[i]), ""), view.shown(i)) for i in cells]
        yield Item("; ".join(f"{name}: {text}" if name else text for name, text in texts), cells, cells)
