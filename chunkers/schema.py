"""Table -> the text that says what is in it: title, columns with their paths, and labels that head no record."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
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


def header_remarks(view: View, cells: Iterable[int]) -> list[str]:
    """The headers among some that carry an Excel note or a web link, with both, a line each."""
    return list(dict.fromkeys(view.shown(i) for i in cells if view.has_extra(i)))


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
        fields = _without_prefixes([Field(collapse(annotated.paths[p].labels), p in totals, True) for p in part])
        cells = tuple(dict.fromkeys(i for p in part for i in heads[p]))
        flat = len({field.labels[:1] for field in fields}) > 1 or len(fields[0].labels) < 2
        text = f"Columns: {outline(fields)}" if flat else outline(fields)
        owned = tuple(i for i in cells if i in free)
        yield Item("\n".join((text, *header_remarks(view, owned))), cells, owned)
        free.difference_update(cells)
    rest = [i for i in columns if i in free]
    if rest:
        yield from _names_items(view, "Other column headers" if paths or corner else "Columns", rest)


def _without_prefixes(fields: list[Field]) -> list[Field]:
    """The different fields but those whose whole path begins the path of another."""
    outer = {field.labels[:depth] for field in fields for depth in range(1, len(field.labels))}
    return [field for field in dict.fromkeys(fields) if field.labels not in outer]


def _names_items(view: View, what: str, cells: list[int]) -> Iterator[Item]:
    for part in _batches(tuple(cells)):
        names = "; ".join(dict.fromkeys(text for text in view.shown_all(part) if text))
        yield Item(f"{what}: {names}", part, part)


def _batches(cells: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Cells in few enough that an item cut to the budget does not cite a whole long row in each of its pieces."""
    return (cells[start : start + CELLS_PER_ITEM] for start in range(0, len(cells), CELLS_PER_ITEM))


def _parts(view: View, paths: list[int]) -> Iterator[Sequence[int]]:
    """Neighbours that share an outermost header, or that share none, at most `COLUMNS_PER_ITEM` at a time."""
    runs = [[*members] for _, members in groupby(paths, lambda p: collapse(view.annotated.paths[p].labels)[:1])]
    for alone, neighbours in groupby(runs, lambda run: len(run) == 1):
        members = [*neighbours]
        together = [[run[0] for run in members]] if alone else members
        yield from (part for run in together for part in _slices(run))


def _slices(run: Sequence[int]) -> Iterator[Sequence[int]]:
    return (run[start : start + COLUMNS_PER_ITEM] for start in range(0, len(run), COLUMNS_PER_ITEM))


def _total_paths(view: View, records: Records) -> set[int]:
    """Column paths all of whose values are totals."""
    data = records.cells.data
    paths, total = view.annotated.col_path[data], view.annotated.roles[data] == Role.AGGREGATION
    return set(paths[total].tolist()) - set(paths[~total].tolist())


def leftover_items(view: View, records: Records) -> Iterator[Item]:
    """Row headers that no record owns, one line per row; neighbours alone in one column say its name once."""
    names = stub_names(view, records.cells)
    row, col = view.sheet.row, view.sheet.col
    rows = [tuple(members) for _, members in groupby(records.leftover, lambda i: int(row[i]))]
    for name, run in groupby(rows, lambda cells: names.get(int(col[cells[0]]), "") if len(cells) == 1 else ""):
        members = [*run]
        parts = (
            _slices([cells[0] for cells in members])
            if name
            else (part for cells in members for part in _batches(cells))
        )
        yield from (Item(_named_line(view, names, cells), tuple(cells), tuple(cells)) for cells in parts)


def _named_line(view: View, names: dict[int, str], cells: Sequence[int]) -> str:
    """`Name: Ann; Role: Head`, or `Name: Ann; Bob`."""
    texts = [(names.get(int(view.sheet.col[i]), ""), view.shown(i)) for i in cells]
    before = ("", *(name for name, _ in texts))
    return "; ".join(
        f"{name}: {text}" if name and name != last else text for last, (name, text) in zip(before, texts, strict=False)
    )
