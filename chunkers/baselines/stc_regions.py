"""Sheet -> STC chunks inside each table that Docling's rule finds: what its regions alone are worth, without roles.

The baseline "STC preceded by Docling's table split": regions are the rectangles around the connected pieces of filled
cells (`cellroles.segment.components`), the first populated row of each is its header, and no chunk crosses a region.
The gap tolerance is fixed at 1 blank row or column: Docling's default of 0 cuts headers from bodies and retrieves less.
A cell inside the rectangles of two pieces goes to the first, where Docling gives it to both.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from cellroles.segment.boxes import first_box
from cellroles.segment.components import components
from cellroles.sheet import AnnotatedSheet, Chunk, Ints, Region, Sheet
from chunkers.base import ChunkMaker
from chunkers.baselines.rows import Scopes
from chunkers.baselines.stc import Block
from chunkers.view import View

GAP_TOLERANCE = 1  # blank rows or columns


def stc_regions_chunks(
    annotated: AnnotatedSheet, *, max_tokens: int = 512, repeat_headers: bool = True
) -> Iterator[Chunk]:
    """The regions in row-major order of the cells that start them."""
    if not len(annotated.sheet):
        return
    view = View(annotated, repeat_headers)
    maker, scopes = ChunkMaker(view, "stc_regions"), Scopes(view, max_tokens)
    regions = components(view.sheet, GAP_TOLERANCE)
    for region, cells in zip(regions, region_cells(view.sheet, regions), strict=True):
        if len(cells):
            yield from Block(view, maker, scopes, max_tokens, region.a1).chunks(cells)


def region_cells(sheet: Sheet, regions: list[Region]) -> list[Ints]:
    """Indices of the filled cells of each region in reading order; every cell is in the first region that holds it."""
    boxes = np.array([(r.top, r.left, r.bottom, r.right) for r in regions], np.int32)
    first = first_box(sheet.row, sheet.col, boxes)
    assert (first >= 0).all(), "every filled cell lies in a rectangle"
    order = np.argsort(first, kind="stable").astype(np.int32)
    return np.split(order, np.searchsorted(first[order], np.arange(1, len(regions))))
