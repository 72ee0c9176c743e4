"""Small workbooks for tests, written with openpyxl, and what their chunks say of a cell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from openpyxl import Workbook

from cellroles.sheet import Chunk, CitedCell
from chunkers import chunk_workbook

Rows = Sequence[Sequence[object]]


@dataclass(frozen=True)
class Tab:
    """One worksheet: rows of values, merged ranges and number formats ("A1:B2 …" and {"A1": "0%"})."""

    rows: Rows
    merges: str = ""
    name: str = "Data"
    formats: tuple[tuple[str, str], ...] = ()
    hidden: str = ""


def book(path: Path, *tabs: Tab | Rows) -> Path:
    """A workbook of these sheets; `hidden` names rows ("3") and columns ("B")."""
    workbook = Workbook()
    workbook.remove(workbook.active)
    for k, given in enumerate(tabs, 1):
        tab = given if isinstance(given, Tab) else Tab(given, name="Data" if k == 1 else f"Data {k}")
        sheet = workbook.create_sheet(tab.name)
        for row in tab.rows:
            sheet.append(list(row))
        for merge in tab.merges.split():
            sheet.merge_cells(merge)
        for ref, code in tab.formats:
            sheet[ref].number_format = code
        for line in tab.hidden.split():
            lines = sheet.row_dimensions if line.isdecimal() else sheet.column_dimensions
            lines[int(line) if line.isdecimal() else line].hidden = True
    workbook.save(path)
    return path


def chunks_of(folder: Path, *tabs: Tab | Rows, **options: object) -> list[Chunk]:
    """The chunks of a workbook of these sheets, by the bundled model."""
    return list(chunk_workbook(book(folder / "book.xlsx", *tabs), **options))  # type: ignore[arg-type]


def owned(chunks: Sequence[Chunk]) -> dict[str, CitedCell]:
    """The owned cells of one sheet by reference; each has exactly one owner."""
    cells = [cell for chunk in chunks for cell in chunk.cells if cell.owner]
    by_ref = {cell.ref: cell for cell in cells}
    assert len(cells) == len(by_ref)
    return by_ref


def columns(chunks: Sequence[Chunk], *refs: str) -> list[tuple[str, ...]]:
    """The column paths of cells."""
    cells = owned(chunks)
    return [cells[ref].col_path for ref in refs]


def labels(chunks: Sequence[Chunk], *refs: str) -> list[tuple[str, ...]]:
    """The row paths of cells."""
    cells = owned(chunks)
    return [cells[ref].row_path for ref in refs]


def owner(chunks: Sequence[Chunk], ref: str) -> Chunk:
    """The chunk that owns a cell."""
    return next(chunk for chunk in chunks for cell in chunk.cells if cell.owner and cell.ref == ref)


def records(chunks: Sequence[Chunk]) -> list[Chunk]:
    """The chunks that hold records."""
    return [chunk for chunk in chunks if chunk.kind in ("row", "stc")]
