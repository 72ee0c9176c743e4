"""Every format against its xlsx twin: the same cells where they stand, the same chunks, whatever the file is called."""

from __future__ import annotations

import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from cellroles import annotate, read_workbook
from cellroles.sheet import DATA_ROLES, Role, Sheet
from chunkers import chunk_workbook
from chunkers.registry import CHUNKERS
from tests.twins import WRITERS, write_xlsx_twin

SUFFIXES = {"xls": ".xlsx", "xlsb": ".xlsx", "ods": ".xls", "csv": ".xlsx", "tsv": ".xls", "html": ".xls"}


@pytest.fixture(scope="module")
def twin(tmp_path_factory: pytest.TempPathFactory) -> Sheet:
    (sheet,) = read_workbook(write_xlsx_twin(tmp_path_factory.mktemp("twin") / "Credit.xlsx"))
    return sheet


def read_back(twin: Sheet, form: str, folder: Path) -> Sheet:
    path = folder / f"Credit{SUFFIXES[form]}"
    WRITERS[form](twin, path)
    (sheet,) = read_workbook(path)
    return sheet


@pytest.mark.parametrize("form", WRITERS)
def test_cells_equal_those_of_the_xlsx_twin(form: str, twin: Sheet, tmp_path: Path) -> None:
    sheet = read_back(twin, form, tmp_path)
    assert sheet.source == form
    assert [sheet.ref(i) for i in range(len(sheet))] == [twin.ref(i) for i in range(len(twin))]
    assert sheet.text.tolist() == twin.text.tolist()
    assert sheet.kind.tolist() == twin.kind.tolist()
    if "merges" not in sheet.lost:
        assert sheet.merges.tolist() == twin.merges.tolist()
    if "styles" not in sheet.lost:
        bold = [[page.styles[i].bold for i in page.style] for page in (sheet, twin)]
        assert bold[0] == bold[1]
    # What a file shows in digits is all that text formats know of a number.
    near = 0.01 if form in ("csv", "tsv", "html") else 0
    np.testing.assert_allclose(sheet.number, twin.number, atol=near)


@pytest.mark.parametrize("form", WRITERS)
def test_chunks_equal_those_of_the_xlsx_twin(form: str, twin: Sheet, tmp_path: Path) -> None:
    sheet = read_back(twin, form, tmp_path)
    roles = annotate(twin).roles
    (ours, theirs) = (list(CHUNKERS["row"](annotate(page, roles=roles), max_tokens=512)) for page in (sheet, twin))
    # Without merges a label beside blank cells is taken for one of the innermost level; values lose nothing by that.
    judged = set(Role) if "merges" not in sheet.lost else set(DATA_ROLES)
    cells = [
        [
            (cell.ref, cell.text, cell.role, cell.owner, cell.col_path, cell.col_refs, cell.row_path, cell.row_refs)
            for chunk in chunks
            for cell in chunk.cells
            if Role[cell.role.upper()] in judged
        ]
        for chunks in (ours, theirs)
    ]
    assert len(cells[0]) >= 16
    assert cells[0] == cells[1]
    assert {chunk.reader for chunk in theirs} == {None}
    assert {chunk.reader for chunk in ours} == {f"{form}: no {', '.join(sheet.lost)}"}


def test_a_binary_workbook_without_readable_looks_keeps_its_values(twin: Sheet, tmp_path: Path) -> None:
    WRITERS["xlsb"](twin, tmp_path / "whole.xlsb")
    with zipfile.ZipFile(tmp_path / "whole.xlsb") as whole, zipfile.ZipFile(tmp_path / "a.xlsb", "w") as damaged:
        for name in whole.namelist():
            content = whole.read(name)
            damaged.writestr(name, content + b"\x2b\x01\x00" if name == "xl/styles.bin" else content)
    (sheet,) = read_workbook(tmp_path / "a.xlsb")
    assert "styles" in sheet.lost
    assert len(sheet) == len(twin) - 1  # the error value is known to the records alone
    (warning,) = sheet.warnings
    assert warning.startswith("looks, merges and error values are lost: unpack_from requires")


STRICT = {
    b"http://schemas.openxmlformats.org/spreadsheetml/2006/main": b"http://purl.oclc.org/ooxml/spreadsheetml/main",
    b"http://schemas.openxmlformats.org/officeDocument/2006/": b"http://purl.oclc.org/ooxml/officeDocument/",
    b"http://schemas.openxmlformats.org/drawingml/2006/main": b"http://purl.oclc.org/ooxml/drawingml/main",
}


def test_a_strict_workbook_gives_the_chunks_of_its_usual_twin(tmp_path: Path) -> None:
    plain, strict = write_xlsx_twin(tmp_path / "plain.xlsx"), tmp_path / "strict.xlsx"
    with zipfile.ZipFile(plain) as source, zipfile.ZipFile(strict, "w") as target:
        for name in source.namelist():
            content = source.read(name)
            for usual, other in STRICT.items():
                content = content.replace(usual, other)
            target.writestr(name, content)
    records = [
        [replace(chunk, workbook="", id="", parent_id=None) for chunk in chunk_workbook(path)]
        for path in (plain, strict)
    ]
    assert records[0] == records[1] and len(records[0]) > 3
