"""Every segmenter runs end to end; Docling's chunks are those of the plain rule at gap 0 without repairs."""

from __future__ import annotations

from pathlib import Path

import pytest

from cellroles.registry import SEGMENTERS
from cellroles.sheet import Chunk
from chunkers.workbook import Settings, annotated_sheets, sheet_chunks
from data.synthetic import demo_workbook, generate, write_xlsx

pytest.importorskip("docling", reason="needs the extra docling")


def chunks(path: Path, segmenter: str, *, plain: bool) -> list[Chunk]:
    settings = Settings(segmenter=segmenter, gap_tolerance=0 if plain else "auto", repair=not plain)
    return [chunk for sheet in annotated_sheets(path, settings) for chunk in sheet_chunks(sheet, settings)]


def test_docling_chunks_equal_the_plain_rule(tmp_path: Path) -> None:
    write_xlsx([generate(seed) for seed in range(12)], tmp_path / "generated.xlsx")
    demo_workbook(tmp_path / "demo.xlsx")
    for name in ("generated.xlsx", "demo.xlsx"):
        expected = chunks(tmp_path / name, "components", plain=True)
        assert len(expected) > 20
        assert chunks(tmp_path / name, "docling", plain=True) == expected


@pytest.mark.parametrize("segmenter", list(SEGMENTERS))
def test_every_segmenter_owns_every_cell_once(segmenter: str, tmp_path: Path) -> None:
    demo_workbook(tmp_path / "demo.xlsx")
    settings = Settings(segmenter=segmenter)
    for annotated in annotated_sheets(tmp_path / "demo.xlsx", settings):
        owned = [c.ref for chunk in sheet_chunks(annotated, settings) for c in chunk.cells if c.owner]
        assert sorted(owned) == sorted(annotated.sheet.ref(i) for i in range(len(annotated.sheet)))
