"""Annotated sheets for the chunker tests, from pictures of labelled cells or from random roles."""

from __future__ import annotations

import numpy as np

from cellroles.annotate import FAILED, unannotated
from cellroles.headers import header_paths
from cellroles.sheet import AnnotatedSheet, Bytes, Chunk, Region, Role, Sheet, Table
from tests.grids import picture
from tests.random_sheets import random_sheet

OUTSIDE = (Role.HEADER, Role.METADATA, Role.COMMENT, Role.JUNK)


def annotated(text: str, merges: str = "", **pictured: str) -> AnnotatedSheet:
    """One table of all cells but titles, notes and junk; the titles and notes are the table's."""
    return one_table(*picture(text, merges, **pictured))  # type: ignore[arg-type]


def one_table(sheet: Sheet, roles: Bytes) -> AnnotatedSheet:
    inside = ~np.isin(roles, OUTSIDE)
    title = tuple(np.flatnonzero(roles == Role.HEADER).tolist())
    notes = tuple(np.flatnonzero(np.isin(roles, (Role.METADATA, Role.COMMENT))).tolist())
    row, col = sheet.row[inside], sheet.col[inside]
    box = Region(int(row.min()), int(col.min()), int(row.max()) + 1, int(col.max()) + 1) if inside.any() else None
    tables = (Table(box, title, notes),) if box else ()
    return with_tables(sheet, roles, tables, np.where(inside, 0, -1).astype(np.int32))


def with_tables(sheet: Sheet, roles: Bytes, tables: tuple[Table, ...], table_of: np.ndarray) -> AnnotatedSheet:
    paths, col_path, row_path = header_paths(sheet, roles, tables, table_of)
    confidence = np.ones(len(sheet), np.float32)
    return AnnotatedSheet(sheet, roles, confidence, tables, table_of, paths, col_path, row_path, "test")


def random_annotated(seed: int) -> AnnotatedSheet:
    """Random roles on a random sheet, in up to two tables: nothing that a model could say is worse."""
    sheet, rng = random_sheet(seed), np.random.default_rng(seed)
    roles = rng.choice([r for r in Role if r != Role.EMPTY], len(sheet)).astype(np.uint8)
    box = sheet.extent
    assert box is not None
    if seed % 2 or box.bottom - box.top < 4:
        return one_table(sheet, roles)
    middle = (box.top + box.bottom) // 2
    halves = (Region(box.top, box.left, middle, box.right), Region(middle, box.left, box.bottom, box.right))
    table_of = np.where(sheet.row < middle, 0, 1).astype(np.int32)
    table_of[np.isin(roles, OUTSIDE) & (rng.random(len(sheet)) < 0.5)] = -1
    titles = tuple(np.flatnonzero((roles == Role.HEADER) & (table_of < 0)).tolist())
    return with_tables(sheet, roles, (Table(halves[0], titles), Table(halves[1], titles[:1])), table_of)


def failed(text: str) -> AnnotatedSheet:
    """A sheet on which the model failed."""
    return unannotated(picture(text)[0], f"{FAILED}RuntimeError: no memory", "test")


def owners(chunks: list[Chunk]) -> dict[str, str]:
    """Cell reference -> kind of the chunk that owns it."""
    return {cell.ref: chunk.kind for chunk in chunks for cell in chunk.cells if cell.owner}
