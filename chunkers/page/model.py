"""Annotated sheets and their chunks -> plain data that a page can embed as JSON.

Rows, columns and cell indices are zero-based, boxes half-open (top, left, bottom, right), sizes in CSS pixels.
`cells` are parallel lists over the filled and excluded cells of a sheet, sorted by (row, col); indices refer to them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, time
from pathlib import Path

import numpy as np

from cellroles.sheet import ROLE_LABELS, AnnotatedSheet, Chunk, Ints, Kind, Objects, Region, a1
from chunkers.base import reader_note
from chunkers.conserve import exclusions
from chunkers.page.looks import col_widths, line_runs, row_heights, runs, shown_lines, style_data
from chunkers.workbook import Settings, sheet_chunks

MOST_CELLS = 200_000
"""Cells that a page holds at most: about 30 MB, which browsers still open within seconds."""


def page_data(
    workbook: str, annotated_sheets: Iterable[AnnotatedSheet], settings: Settings, most_cells: int = MOST_CELLS
) -> dict[str, object]:
    """The understood sheets of a workbook, up to `most_cells` cells; what is beyond is named in `left_out`."""
    sheets: list[dict[str, object]] = []
    left_out: list[str] = []
    for annotated in annotated_sheets:
        grid = Grid.of(annotated, settings.chunker, most_cells)
        left_out += grid.left_out
        most_cells -= len(grid.row)
        if len(grid.row) or not grid.left_out:
            sheets.append(sheet_data(grid, sheet_chunks(annotated, settings)))
    return {
        "file": Path(workbook).name,
        "chunker": settings.chunker,
        "checkpoint": settings.checkpoint,
        "roles": ROLE_LABELS,
        "kinds": [kind.name.lower() for kind in Kind],
        "left_out": left_out,
        "sheets": sheets,
    }


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """The cells of a sheet that the page shows: arrays of one length; `source` is the index in the sheet, or -1."""

    annotated: AnnotatedSheet
    row: Ints
    col: Ints
    source: Ints
    text: Objects
    reasons: dict[int, str]
    left_out: tuple[str, ...]

    @classmethod
    def of(cls, annotated: AnnotatedSheet, chunker: str, most_cells: int) -> Grid:
        """Filled and excluded cells in reading order, as many as fit."""
        sheet, gone = annotated.sheet, exclusions(annotated, chunker)
        lost = gone[: len(sheet.excluded)]  # the others are junk, which are filled cells
        row = np.concatenate([sheet.row, np.array([cell.row for cell in lost], np.int32)])
        col = np.concatenate([sheet.col, np.array([cell.col for cell in lost], np.int32)])
        source = np.concatenate([np.arange(len(sheet), dtype=np.int32), np.full(len(lost), -1, np.int32)])
        text = np.concatenate([sheet.text, np.array([cell.text for cell in lost], object)])
        order = np.lexsort((col, row))
        shown = order[: min(shown_lines(row[order]), most_cells)]
        reason = {(cell.row, cell.col): cell.reason for cell in gone}
        places = enumerate(zip(row[shown].tolist(), col[shown].tolist(), strict=True))
        reasons = {i: reason[place] for i, place in places if place in reason} if reason else {}
        left_out: tuple[str, ...] = ()
        if missing := len(order) - len(shown):
            rest = int(row[order[len(shown)]]) + 1
            left_out = (f"{sheet.name}: {missing:,} of {len(order):,} cells, from row {rest:,} on",)
        return cls(annotated, row[shown], col[shown], source[shown], text[shown], reasons, left_out)

    @property
    def places(self) -> dict[str, int]:
        """A1 reference -> index."""
        return {a1(row, col): i for i, (row, col) in enumerate(zip(self.row.tolist(), self.col.tolist(), strict=True))}

    def take(self, values: Ints, absent: int) -> list[int]:
        """Per cell the value of its filled cell, `absent` for excluded ones."""
        if not len(values):
            return [absent] * len(self.row)
        taken: list[int] = np.where(self.source >= 0, values[self.source], absent).tolist()
        return taken


def sheet_data(grid: Grid, chunks: Iterable[Chunk]) -> dict[str, object]:
    """One sheet; the chunks without a shown cell are only counted."""
    annotated, sheet = grid.annotated, grid.annotated.sheet
    cited = Cited(grid)
    shown = [data for chunk in chunks if (data := cited.chunk_data(chunk))]
    widths = col_widths(annotated)
    return {
        "name": sheet.name,
        "state": sheet.state,
        "rtl": sheet.right_to_left,
        "reader": reader_note(sheet),
        "warnings": annotated.warnings,
        "rows": line_runs(grid.row),
        "cols": line_runs(grid.col),
        "widths": widths,
        "heights": row_heights(sheet, widths),
        "hidden_rows": runs(sheet.hidden_rows),
        "hidden_cols": runs(sheet.hidden_cols),
        "merges": sheet.merges.tolist(),
        "styles": [style_data(style) for style in sheet.styles],
        "cells": {
            "row": grid.row.tolist(),
            "col": grid.col.tolist(),
            "text": grid.text.tolist(),
            "kind": grid.take(sheet.kind.astype(np.int32), Kind.TEXT),
            "role": grid.take(annotated.roles.astype(np.int32), -1),
            "percent": grid.take((annotated.confidence * 100).round().astype(np.int32), 0),
            "style": grid.take(sheet.style, -1),
            "col_path": cited.col_path,
            "row_path": cited.row_path,
            "chunk": cited.owner,
        },
        "paths": list(cited.paths),
        "raw": dict(_raw_texts(grid)),
        "formulas": dict(_formulas(grid)),
        "excluded": grid.reasons,
        "comments": [[*place, text] for place, text in sheet.comments.items()],
        "links": [[*place, link] for place, link in sheet.hyperlinks.items()],
        "tables": [{"box": _box(table.region), "repairs": table.repairs} for table in annotated.tables],
        "chunks": shown,
        "unseen_chunks": cited.unseen,
    }


class Cited:
    """What the chunks of a sheet say of its shown cells: owner, header paths, and the chunks themselves."""

    def __init__(self, grid: Grid) -> None:
        self._places = grid.places
        self.owner = [-1] * len(grid.row)
        self.col_path = [0] * len(grid.row)
        self.row_path = [0] * len(grid.row)
        self.paths: dict[tuple[int, ...], int] = {(): 0}
        self.unseen = 0
        self._seen = 0

    def chunk_data(self, chunk: Chunk) -> dict[str, object] | None:
        """A chunk with the cells that it repeats; None, and counted in `unseen`, if none of its cells is shown."""
        at = [(i, cell) for cell in chunk.cells if (i := self._places.get(cell.ref)) is not None]
        if not at and chunk.cells:
            self.unseen += 1
            return None
        for i, cell in at:
            if cell.owner:
                self.owner[i] = self._seen
                self.col_path[i] = self._path(cell.col_refs)
                self.row_path[i] = self._path(cell.row_refs)
        self._seen += 1
        return {
            "id": chunk.id,
            "kind": chunk.kind,
            "text": chunk.text,
            "tokens": chunk.tokens,
            "title": chunk.title,
            "range": chunk.range,
            "fallback": chunk.fallback,
            "repeats": [i for i, cell in at if not cell.owner],
        }

    def _path(self, refs: Iterable[str]) -> int:
        cells = tuple(self._places[ref] for ref in refs if ref in self._places)
        return self.paths.setdefault(cells, len(self.paths))


def _raw_texts(grid: Grid) -> Iterator[tuple[int, str]]:
    """The stored values that are not what the cell shows."""
    values = grid.annotated.sheet.value
    for i, (k, text) in enumerate(zip(grid.source.tolist(), grid.text.tolist(), strict=True)):
        if k >= 0 and (raw := _raw_text(values[k])) != text:
            yield i, raw


def _raw_text(value: object) -> str:
    return value.isoformat() if isinstance(value, date | time) else "" if value is None else str(value)


def _formulas(grid: Grid) -> Iterator[tuple[int, str]]:
    formulas = grid.annotated.sheet.formula
    for i, k in enumerate(grid.source.tolist()):
        if k >= 0 and formulas[k]:
            yield i, str(formulas[k])


def _box(region: Region) -> tuple[int, int, int, int]:
    return region.top, region.left, region.bottom, region.right
