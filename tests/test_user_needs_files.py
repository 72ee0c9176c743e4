"""What users of spreadsheet loaders ask for, part 3: what is shown, what is hidden, and files that are not as named."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
import tracemalloc
import zipfile
from datetime import date
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cellroles import read_workbook
from cellroles.errors import WorkbookError
from chunkers import chunk_workbook
from chunkers.cli import app
from data.synthetic import demo_workbook
from tests.books import Rows, Tab, book, chunks_of, owned, owner
from tests.builders import links_xml, write_xlsx

README = (Path(__file__).parents[1] / "README.md").read_text("utf-8")
HEAVY = ("torch", "torch_geometric", "lightning", "sklearn", "onnx", "docling", "docling_core", "pandas", "matplotlib")
NOTHING_HEAVY = f"""
import sys
sys.modules.update(dict.fromkeys({HEAVY!r}))  # None: importing it fails
from chunkers import chunk_workbook
print([chunk.text for chunk in chunk_workbook(sys.argv[1])][-1])
"""


def peak(path: Path) -> int:
    """Bytes taken at most while a workbook is read and cut."""
    tracemalloc.start()
    try:
        for _ in chunk_workbook(path):
            pass
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def numbers(rows: int, cols: int = 20) -> Rows:
    head = ["Item", *(f"Measure {c}" for c in range(1, cols))]
    return [head, *([f"Item {r}", *(r * c for c in range(1, cols))] for r in range(rows))]


def test_08_memory_follows_the_filled_cells_linearly(tmp_path: Path) -> None:
    paths = [book(tmp_path / f"{rows}.xlsx", numbers(rows)) for rows in (10, 150, 300)]
    _, small, large = (peak(path) for path in paths)  # the first call pays for what is loaded once
    assert large < 2.2 * small


@pytest.mark.slow
def test_08_a_sheet_of_400_000_cells_takes_less_than_1_kb_a_cell(tmp_path: Path) -> None:
    path = book(tmp_path / "large.xlsx", numbers(20_000))
    assert peak(path) < 400_000 * 1024


def test_08_memory_does_not_follow_the_used_range_or_a_wide_merge(tmp_path: Path) -> None:
    far = book(tmp_path / "far.xlsx", [["a"]])
    cells = '<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>2</v></c></row>'
    write_xlsx(far, data=cells, before='<dimension ref="A1:XFD1048576"/>')
    merge = book(tmp_path / "merge.xlsx", Tab([["Title"], ["Name", "Age"], ["Ann", 31]], "A1:XFD1"))
    dense = book(tmp_path / "dense.xlsx", numbers(100))
    assert sum(1 for _ in chunk_workbook(dense))  # loads what is loaded once
    limit = peak(dense)
    assert peak(far) < limit and peak(merge) < limit
    assert sorted(owned(list(chunk_workbook(far)))) == ["A1", "XFD1048576"]


def test_12_the_core_runs_without_any_extra(tmp_path: Path) -> None:
    path = book(tmp_path / "book.xlsx", [["Name", "Age"], ["Ann", 31]])
    run = subprocess.run([sys.executable, "-c", NOTHING_HEAVY, path], capture_output=True, text=True, check=False)
    assert (run.returncode, run.stdout) == (0, "Sheet: Data\nName: Ann; Age: 31\n"), run.stderr


def commands() -> list[str]:
    block = re.search(r"## Quickstart\n\n```sh\n(.*?)```", README, re.DOTALL)
    assert block
    return [line for line in block[1].splitlines() if line.startswith("cellroles ")]


@pytest.mark.parametrize("command", commands())
def test_23_the_commands_of_the_readme_run(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    demo_workbook(tmp_path / "report.xlsx")
    (tmp_path / "data").mkdir()
    for name in ("a.xlsx", "b.xlsx"):
        book(tmp_path / "data" / name, [["Name", "Age"], ["Ann", 31]])
    monkeypatch.chdir(tmp_path)
    arguments = shlex.split(command, comments=True)[1:]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.output
    if "-o" in arguments:
        first = "<!doctype html>" if arguments[0] == "view" else '{"'
        assert Path(arguments[arguments.index("-o") + 1]).read_text("utf-8").startswith(first)


def test_31_a_formula_shows_its_cached_value(tmp_path: Path) -> None:
    cells = '<row r="1"><c r="A1"><v>2</v></c><c r="B1"><f>A1*3</f><v>6</v></c></row>'
    (sheet,) = read_workbook(write_xlsx(tmp_path / "book.xlsx", data=cells))
    assert (sheet.text.tolist(), sheet.formula.tolist(), sheet.uncached.any()) == (["2", "6"], [None, "=A1*3"], False)


def test_31_a_formula_without_a_cached_value_shows_its_text_and_is_flagged(tmp_path: Path) -> None:
    rows = [["Name", "Full name"], ["Ann", '=CONCATENATE("a","b")']]
    (sheet,) = read_workbook(book(tmp_path / "book.xlsx", rows))
    assert sheet.uncached.tolist() == [False, False, False, True]
    assert any("1 formulas" in warning or "1 formula" in warning for warning in sheet.warnings)
    chunks = chunks_of(tmp_path, rows)
    assert '=CONCATENATE("a","b")' in owner(chunks, "B2").text and owned(chunks)["B2"].col_path == ("Full name",)


def test_35_values_read_as_excel_shows_them(tmp_path: Path) -> None:
    rows = [["Rate", "Price", "Date", "Amount"], [0.075, 12.5, date(2024, 3, 1), 1234567]]
    codes = (("A2", "0.0%"), ("B2", "$#,##0.00"), ("C2", "d-mmm-yy"), ("D2", '#,##0.0,,"M"'))
    cells = owned(chunks_of(tmp_path, Tab(rows, formats=codes)))
    assert [cells[ref].text for ref in ("A2", "B2", "C2", "D2")] == ["7.5%", "$12.50", "1-Mar-24", "1.2M"]
    assert cells["A2"].value == 0.075


HIDDEN = Tab([["Name", "Pay", "City"], ["Ann", 100, "Oslo"], ["Bob", 90, "Rome"], ["Cy", 80, "Bern"]], hidden="3 B")


def test_36_hidden_rows_and_columns_are_left_out_and_listed(tmp_path: Path) -> None:
    chunks = chunks_of(tmp_path, HIDDEN)
    assert sorted(owned(chunks)) == ["A1", "A2", "A4", "C1", "C2", "C4"]
    assert not any("Bob" in chunk.context or "Pay" in chunk.context for chunk in chunks)
    (sheet,) = read_workbook(tmp_path / "book.xlsx")
    assert {(cell.text, cell.reason) for cell in sheet.excluded} >= {("Bob", "hidden row"), ("Pay", "hidden column")}


def test_36_hidden_rows_and_columns_are_read_on_request(tmp_path: Path) -> None:
    cells = owned(chunks_of(tmp_path, HIDDEN, include_hidden=True))
    assert len(cells) == 12 and cells["B3"].text == "90"
    (sheet,) = read_workbook(tmp_path / "book.xlsx", include_hidden=True)
    assert (sheet.hidden_rows, sheet.hidden_cols, sheet.excluded) == ({2}, {1}, ())


def zipped(path: Path, parts: dict[str, str]) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return path


DOCX = {
    "[Content_Types].xml": "<Types/>",
    "_rels/.rels": links_xml(("officeDocument", "word/document.xml")),
    "word/document.xml": "<document/>",
}


@pytest.mark.parametrize("parts", [DOCX, {"notes.txt": "no sheets here"}, {}])
def test_39_a_zip_without_sheets_is_a_typed_error(tmp_path: Path, parts: dict[str, str]) -> None:
    path = zipped(tmp_path / "renamed.xlsx", parts)
    with pytest.raises(WorkbookError, match=r"renamed\.xlsx: "):
        list(chunk_workbook(path))
    result = CliRunner().invoke(app, ["chunk", str(path)])
    assert result.exit_code == 1 and "renamed.xlsx" in result.stderr


def test_43_a_relation_to_a_missing_part_costs_no_cells(tmp_path: Path) -> None:
    rows = [["Name", "Age"], ["Ann", 31]]
    links = {"xl/worksheets/_rels/sheet1.xml.rels": links_xml(("drawing", "NULL"), ("comments", "../missing.xml"))}
    (sheet,) = read_workbook(write_xlsx(tmp_path / "book.xlsx", rows, parts=links))
    assert sheet.text.tolist() == ["Name", "Age", "Ann", "31"]


def test_43_a_theme_that_is_missing_costs_no_cells(tmp_path: Path) -> None:
    links = links_xml(("worksheet", "worksheets/sheet1.xml"), ("theme", "NULL"), ("styles", "styles.xml"))
    path = write_xlsx(tmp_path / "book.xlsx", [["Name"], ["Ann"]], parts={"xl/_rels/workbook.xml.rels": links})
    assert read_workbook(path)[0].text.tolist() == ["Name", "Ann"]


ODS = """<?xml version="1.0"?><office:document-content office:version="1.2"
 xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
 xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"
 xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><office:body><office:spreadsheet>
<table:table table:name="Data"><table:table-row>
<table:table-cell office:value-type="string"><text:p>Ann</text:p></table:table-cell>
<table:table-cell office:value-type="float" office:value="31"><text:p>31</text:p></table:table-cell>
</table:table-row></table:table></office:spreadsheet></office:body></office:document-content>"""
MANIFEST = """<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0">
<manifest:file-entry manifest:full-path="/" manifest:media-type="application/vnd.oasis.opendocument.spreadsheet"/>
<manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/></manifest:manifest>"""


def test_43_an_open_document_under_another_name_is_read(tmp_path: Path) -> None:
    kind = "application/vnd.oasis.opendocument.spreadsheet"
    parts = {"mimetype": kind, "META-INF/manifest.xml": MANIFEST, "content.xml": ODS}
    (sheet,) = read_workbook(zipped(tmp_path / "renamed.xlsx", parts))
    assert (sheet.name, sheet.text.tolist()) == ("Data", ["Ann", "31"])
