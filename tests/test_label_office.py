"""Copies saved by LibreOffice in between: nothing but the corrections changes."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import openpyxl
import pytest

from cellroles.label.corrected import Corrected, read_corrected
from cellroles.label.export import Request, export
from chunkers.workbook import Settings, annotated_sheets
from tests.books import Tab, book
from tests.label_copies import edited, exported
from tests.oracle import SHARED, needs_shared

OFFICE = shutil.which("soffice")
pytestmark = [
    pytest.mark.office,
    pytest.mark.skipif(OFFICE is None, reason="needs LibreOffice (soffice) on the path"),
]
REAL = {
    "nested headers with merges": "nacnudus__smungs/school.xlsx",
    "several sheets with formulas": "ProjectDrawdown__solutions/excel_fair_results_test.xlsx",
    "a form with notes": "apache__poi/45540_form_Header.xlsx",
}


def saved_by_office(copies: list[Path], folder: Path) -> list[Path]:
    """The copies as LibreOffice saves them; one run for all, with a profile of its own so that runs may meet."""
    profile = f"-env:UserInstallation={(folder / 'profile').as_uri()}"
    command = [str(OFFICE), profile, "--headless", "--convert-to", "xlsx:Calc MS Excel 2007 XML"]
    out = folder / "saved"
    subprocess.run([*command, "--outdir", out, *copies], capture_output=True, check=True, timeout=180)
    return [out / path.name for path in copies]


def corrections(sheets: list[Corrected]) -> dict[tuple[str, str], tuple[str, str]]:
    """(sheet, cell) -> (predicted role, role now) of the cells that changed."""
    from cellroles.sheet import Role

    return {
        (item.sheet.name, item.sheet.ref(i)): (Role(item.predicted[i]).label, Role(item.roles[i]).label)
        for item in sheets
        for i in (item.roles != item.predicted).nonzero()[0].tolist()
    }


def corrected_by_hand(path: Path) -> dict[tuple[str, str], tuple[str, str]]:
    """Change the first and the last role of every sheet of roles; returns what `corrections` has to find."""
    workbook = openpyxl.load_workbook(path)
    changes, expected = {}, {}
    for roles in (sheet for sheet in workbook if sheet.title.startswith("roles ")):
        filled = [cell for row in roles.iter_rows() for cell in row if cell.value]
        for cell in {filled[0].coordinate: filled[0], filled[-1].coordinate: filled[-1]}.values():
            new = "comment" if cell.value != "comment" else "value"
            changes[roles.title, cell.coordinate] = new
            expected[roles.title.removeprefix("roles "), cell.coordinate] = (cell.value, new)
    edited(path, changes)
    return expected


def test_a_small_workbook_comes_back_as_it_was_corrected(tmp_path: Path) -> None:
    rows = [["Name", "Q1", "Share"], ["North", 1.1, "=B2/B4"], ["South", 0.1 + 0.2, "doubt"], ["Total", "=B2+B3", None]]
    formats = (("C2", "0.0%"), ("B2", "#,##0.00"))
    tabs = (Tab(rows, merges="A6:C6", name="It's & more", formats=formats, hidden="3"), Tab(rows, name="x" * 31))
    copy, _ = exported(book(tmp_path / "book.xlsx", *tabs))
    plain = copy.rename(tmp_path / "plain.xlsx")
    fixed = Path(shutil.copy(plain, tmp_path / "fixed.xlsx"))
    edited(fixed, {("roles It's & more", "B4"): "aggregation", ("cellroles tables", "C2"): "A1:C4"})
    untouched, changed = saved_by_office([plain, fixed], tmp_path)
    source = tmp_path / "book.xlsx"
    assert corrections(read_corrected(untouched, source)) == {}
    found = read_corrected(changed, source)
    assert corrections(found) == {("It's & more", "B4"): ("value", "aggregation")}
    assert found[0].tables == (("T1", "A1:C4"),) and found[1].tables == found[1].predicted_tables
    validation = openpyxl.load_workbook(untouched)["roles It's & more"].data_validations.dataValidation
    assert any("row_header_3" in choice.formula1 for choice in validation)
    assert openpyxl.load_workbook(untouched)["It's & more"].conditional_formatting


@pytest.mark.shared
@needs_shared
def test_real_workbooks_come_back_as_they_were_corrected(tmp_path: Path) -> None:
    sources = [SHARED / "workbooks" / name for name in REAL.values()]
    copies, expected = [], []
    for number, source in enumerate(sources):
        plain, fixed = tmp_path / f"plain-{number}.xlsx", tmp_path / f"fixed-{number}.xlsx"
        export(Request(source, plain, "default"), annotated_sheets(source, Settings()))
        shutil.copy(plain, fixed)
        copies += [plain, fixed]
        expected += [{}, corrected_by_hand(fixed)]
    for path, source, changes in zip(
        saved_by_office(copies, tmp_path), [source for source in sources for _ in range(2)], expected, strict=True
    ):
        assert corrections(read_corrected(path, source)) == changes, (path.name, source)
    assert [len(changes) for changes in expected] == [0, 6, 0, 10, 0, 2]
