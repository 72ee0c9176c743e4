"""Sheet -> the chunks of Docling: its Excel backend, then docling-core's HierarchicalChunker (the extra `docling`).

Docling reads the file itself and gives one chunk per table, `row label, column header = value.` for every cell beside
the first row and the first column; the row label is the text in the table's first column. It shows raw values, leaves
formulas without a cached value empty, and never says the corner of a table: such cells are in no chunk. Where we
differ: every chunk opens with the sheet name and title that the other chunkers print; a text over the budget is cut
between its triplets; hidden sheets, which the chunker leaves out, are cut if they are asked for.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from cellroles.segment.docling import docling_document, docling_path
from cellroles.sheet import AnnotatedSheet, Chunk, CitedCell, Region
from chunkers.base import ChunkMaker
from chunkers.baselines.rows import Scopes
from chunkers.budget import count_tokens, split_text
from chunkers.view import View

Place = tuple[int, int]
"""Zero-based (row, col)."""


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of text that is not cut: the cells that it says, and the headers and row labels it attaches to them."""

    text: str
    cells: tuple[Place, ...] = ()
    heads: tuple[Place, ...] = ()
    labels: tuple[Place, ...] = ()


@dataclass(frozen=True, slots=True)
class Said:
    """One of Docling's chunks: `". "` joins its parts; the box of its table, None for other text."""

    parts: tuple[Part, ...]
    region: Region | None = None


def docling_chunks(annotated: AnnotatedSheet, *, max_tokens: int = 512, repeat_headers: bool = True) -> Iterator[Chunk]:
    """Docling's chunks of this sheet, in its order; `repeat_headers` changes nothing, as every triplet says them.

    Raises ImportError without the extra, ValueError for a file or a sheet that Docling does not read.
    """
    if not len(annotated.sheet):
        return
    path = docling_path(annotated.sheet)
    status = path.stat()
    said_by_sheet = _workbook(path, status.st_mtime_ns, status.st_size)
    if annotated.sheet.name not in said_by_sheet:
        names = ", ".join(said_by_sheet)
        raise ValueError(f"Docling finds no sheet named {annotated.sheet.name!r} in {path}; it has {names}")
    view = View(annotated, repeat_headers)
    cutter = _Cutter(view, max_tokens)
    for said in said_by_sheet[annotated.sheet.name]:
        yield from cutter.chunks(said)


@lru_cache(maxsize=1)
def _workbook(path: Path, modified: int, size: int) -> dict[str, list[Said]]:
    """What Docling says of every sheet; the time of change and the size only tell cached answers apart."""
    document, names = docling_document(path)
    try:
        from docling_core.transforms.chunker.hierarchical_chunker import HierarchicalChunker
        from docling_core.types.doc.common.content_layer import ContentLayer
    except ImportError as error:
        raise ImportError("Docling's chunker is incomplete: pip install 'cellroles[docling]'") from error
    hidden = {ContentLayer.INVISIBLE}
    for item, _ in list(document.iterate_items(with_groups=True, included_content_layers=hidden)):
        item.content_layer = ContentLayer.BODY
    sheets: dict[str, list[Said]] = {name: [] for name in names.values()}
    chunks: Iterator[Any] = HierarchicalChunker().chunk(document)
    for chunk in chunks:
        item = next((item for item in chunk.meta.doc_items if item.prov), None)
        if item is not None:
            sheets[names[item.prov[0].page_no]].append(_said(chunk.text, item, document))
    return sheets


def _said(text: str, item: Any, document: Any) -> Said:
    """A chunk's text with the cells that it says; a table that is not written in triplets is one part."""
    box = item.prov[0].bbox  # columns and rows from zero, half-open
    top, left = int(box.t), int(box.l)
    if item.label != "table":
        return Said((Part(text, ((top, left),) if item.label == "text" else ()),))
    grid = item.data.grid
    parts = _parts(grid, len(grid) - len(item.export_to_dataframe(document)), top, left)
    if ". ".join(part.text for part in parts) != text:
        said = {_place(cell, top, left): None for row in grid for cell in row if cell.text.strip()}
        parts = [Part(text, tuple(said))]
    return Said(tuple(parts), Region(top, left, int(box.b), int(box.r)))


def _parts(grid: list[list[Any]], header_rows: int, top: int, left: int) -> list[Part]:
    """The triplets of a table as the chunker writes them; those of one column, or of headers alone, are plainer."""
    header, body = grid[:header_rows], grid[header_rows:]

    def places(*cells: Any) -> tuple[Place, ...]:
        return tuple(dict.fromkeys(_place(cell, top, left) for cell in cells if cell.text.strip()))

    columns = [list(column) for column in zip(*header, strict=True)] or [[] for _ in grid[0]]
    names = [".".join(cell.text for cell in column).strip() for column in columns]
    if not body:
        return [Part(name, places(*cells)) for name, cells in zip(names, columns, strict=True) if name]
    if len(names) == 1:
        (first,), *others = body
        name = first.text.strip()
        triplets = [Part(f"{name} = {cell.text.strip()}", places(cell), places(first)) for (cell,) in others]
        return triplets or [Part(name, places(first))]
    return [
        Part(f"{row[0].text.strip()}, {name} = {cell.text.strip()}", places(cell), places(*cells), places(row[0]))
        for row in body
        for cell, name, cells in list(zip(row, names, columns, strict=True))[1:]
    ]


def _place(cell: Any, top: int, left: int) -> Place:
    return top + cell.start_row_offset_idx, left + cell.start_col_offset_idx


class _Cutter:
    """Makes the chunks of one sheet; the first chunk that says a cell owns it."""

    def __init__(self, view: View, max_tokens: int) -> None:
        self._view, self._maker = view, ChunkMaker(view, "docling")
        self._scopes, self._max_tokens = Scopes(view, max_tokens), max_tokens
        self._owned = set[int]()
        extent = view.sheet.extent
        self._extent = extent.a1 if extent else None

    def chunks(self, said: Said) -> Iterator[Chunk]:
        """One of Docling's chunks, or several within the budget."""
        first = next((i for part in said.parts for i in self._view.indices((*part.cells, *part.heads))), 0)
        scope = replace(self._scopes.at(first), region=said.region.a1 if said.region else self._extent)
        room = self._max_tokens - self._scopes.size(first) - 1
        for text, parts in _grouped(said.parts, room):
            cited, range_ = self._cite(parts)
            for piece in split_text(text, room):
                kind = "triples" if said.region else "text"
                yield self._maker.chunk(kind, f"{scope.head}\n{piece}", cited, scope, range_)
                cited = [replace(cell, owner=False) for cell in cited]

    def _cite(self, parts: list[Part]) -> tuple[list[CitedCell], str | None]:
        """The cells that some parts say, under the headers that they say with them, and the range of all but these."""
        attached: dict[int, tuple[dict[int, None], dict[int, None]]] = {}  # dicts as ordered sets
        values = self._view.indices({place for part in parts for place in part.cells})
        for part in parts:
            heads, labels = self._view.indices(part.heads), self._view.indices(part.labels)
            for i in self._view.indices(part.cells):
                columns, rows = attached.setdefault(i, ({}, {}))
                columns.update(dict.fromkeys(heads))
                rows.update(dict.fromkeys(labels))
            for i in (*heads, *labels):
                attached.setdefault(i, ({}, {}))
        cells = sorted(attached)
        cited = [
            self._under(cell, list(attached[i][0]), list(attached[i][1]), owner=i not in self._owned)
            for i, cell in zip(cells, self._view.cite_under(cells, {}), strict=True)
        ]
        self._owned.update(cells)
        return cited, self._view.range(values or cells)

    def _under(self, cell: CitedCell, heads: list[int], labels: list[int], *, owner: bool) -> CitedCell:
        sheet = self._view.sheet
        return replace(
            cell,
            owner=owner,
            col_path=tuple(str(sheet.text[i]) for i in heads),
            col_refs=tuple(map(sheet.ref, heads)),
            row_path=tuple(str(sheet.text[i]) for i in labels),
            row_refs=tuple(map(sheet.ref, labels)),
        )


def _grouped(parts: tuple[Part, ...], room: int) -> Iterator[tuple[str, list[Part]]]:
    """Parts in runs of at most `room` tokens, or one part alone that has more."""
    inside, size = list[Part](), 0
    for part in parts:
        cost = count_tokens(f"{part.text}. ")
        if inside and size + cost > room:
            yield ". ".join(each.text for each in inside), inside
            inside, size = [], 0
        inside.append(part)
        size += cost
    if inside:
        yield ". ".join(each.text for each in inside), inside
