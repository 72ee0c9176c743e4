"""The reader on small hand-written workbooks: exact cells out, typed errors for the rest."""

from __future__ import annotations

import datetime as dt
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import openpyxl
import pytest

from cellroles import read_workbook
from cellroles.errors import CorruptWorkbook, NotASpreadsheet, PasswordProtected, UnsupportedFormat, WorkbookError
from cellroles.reader import iter_sheets
from cellroles.reader.sheets import covered
from cellroles.sheet import Kind, ListObject, Region, Sheet
from tests.builders import MAIN, links_xml, workbook_xml, write_xlsx

SHARED = Path(__file__).parents[2] / "shared"
STRICT = "http://purl.oclc.org/ooxml/spreadsheetml/main"


def read_one(path: Path, *, include_hidden: bool = False) -> Sheet:
    (sheet,) = read_workbook(path, include_hidden=include_hidden)
    return sheet


def refs(sheet: Sheet) -> list[str]:
    return [sheet.ref(i) for i in range(len(sheet))]


def test_values_texts_kinds_and_numbers(tmp_path: Path) -> None:
    rows = [["Name", None, "  "], [(0.0213, 1), True, (45352, 2)], [7, 0.1 + 0.2, -3]]
    sheet = read_one(write_xlsx(tmp_path / "a.xlsx", rows, formats=["0.0%", "d-mmm-yy"]))
    assert refs(sheet) == ["A1", "A2", "B2", "C2", "A3", "B3", "C3"]
    assert sheet.text.tolist() == ["Name", "2.1%", "TRUE", "1-Mar-24", "7", "0.3", "-3"]
    assert sheet.value.tolist() == ["Name", 0.0213, True, dt.datetime(2024, 3, 1), 7, 0.1 + 0.2, -3]
    assert [type(value) for value in sheet.value[[4, 6]]] == [int, int]
    kinds = [Kind.TEXT, Kind.NUMBER, Kind.BOOL, Kind.DATE, Kind.NUMBER, Kind.NUMBER, Kind.NUMBER]
    assert sheet.kind.tolist() == kinds
    np.testing.assert_array_equal(sheet.number, [np.nan, 0.0213, 1, 45352, 7, 0.1 + 0.2, -3])
    assert [sheet.styles[i].number_format for i in sheet.style[:4]] == ["General", "0.0%", "General", "d-mmm-yy"]


def test_formulas_keep_text_and_stored_result(tmp_path: Path) -> None:
    data = (
        '<row r="1"><c r="A1"><f>1+1</f><v>2</v></c><c r="B1"><f>C1</f></c><c r="C1" t="str"><f>""</f><v></v></c>'
        '<c r="D1" t="e"><f>1/0</f><v>#DIV/0!</v></c><c r="E1"><f t="array" ref="E1:E2">A1:A2</f><v>2</v></c></row>'
        '<row r="2"><c r="A2"><f t="shared" ref="A2:A3" si="0">A1*B$1&amp;"A1"</f><v>4</v></c></row>'
        '<row r="3"><c r="A3"><f t="shared" si="0"/><v>6</v></c></row>'
    )
    sheet = read_one(write_xlsx(tmp_path / "a.xlsx", data=data))
    assert sheet.formula.tolist() == ["=1+1", "=C1", '=""', "=1/0", "=A1:A2", '=A1*B$1&"A1"', '=A2*B$1&"A1"']
    assert sheet.text.tolist() == ["2", "=C1", "", "#DIV/0!", "2", "4", "6"]
    assert sheet.uncached.tolist() == [False, True, False, False, False, False, False]
    assert sheet.kind[[1, 3]].tolist() == [Kind.TEXT, Kind.ERROR]
    assert sheet.warnings == ("1 formulas have no stored result; their formula is shown (first: B1)",)


def test_cells_without_references_unsorted_and_double(tmp_path: Path) -> None:
    data = "<row><c><v>1</v></c><c/><c><v>3</v></c></row><row><c><v>4</v></c></row>"
    assert refs(read_one(write_xlsx(tmp_path / "a.xlsx", data=data))) == ["A1", "C1", "A2"]
    data = (
        '<row r="11"><c r="B11"><v>3</v></c><c r="A11"><v>2</v></c></row>'
        '<row r="1"><c r="A1"><v>1</v></c><c r="AA1"><v>7</v></c><c r="A1"><v>9</v></c></row>'
    )
    sheet = read_one(write_xlsx(tmp_path / "b.xlsx", data=data))
    assert refs(sheet) == ["A1", "AA1", "A11", "B11"]
    assert sheet.value.tolist() == [9, 7, 2, 3]


def test_shared_strings_rich_text_and_escapes(tmp_path: Path) -> None:
    strings = (
        f'<sst xmlns="{MAIN}"><si><r><t>bold </t></r><r><rPr><b/></rPr><t>word</t></r><rPh><t>hint</t></rPh></si>'
        '<si><t>two_x000D_\nlines</t></si><si><t xml:space="preserve">  </t></si></sst>'
    )
    links = links_xml(("worksheet", "worksheets/sheet1.xml"), ("sharedStrings", "SharedStrings.xml"))
    parts = {"xl/sharedStrings.xml": strings, "xl/_rels/workbook.xml.rels": links}
    cell = '<c r="{}1" t="s"><v>{}</v></c>'
    data = f'<row r="1">{"".join(cell.format(*pair) for pair in zip("ABCD", (0, 1, 2, 0), strict=True))}</row>'
    sheet = read_one(write_xlsx(tmp_path / "a.xlsx", data=data, parts=parts))
    assert refs(sheet) == ["A1", "B1", "D1"]
    assert sheet.text.tolist() == ["bold word", "two\nlines", "bold word"]
    data = '<row r="1"><c r="A1" t="s"><v>9</v></c></row>'
    with pytest.raises(CorruptWorkbook, match=r"b\.xlsx: sheet 'Sheet1'.*row 1 uses shared string 9 of 3"):
        read_workbook(write_xlsx(tmp_path / "b.xlsx", data=data, parts=parts))


@pytest.mark.parametrize("data", ['<row r="0"><c><v>1</v></c></row>', '<row r="1"><c r="A0"><v>1</v></c></row>'])
def test_a_row_that_no_sheet_has_is_an_error_whoever_reads_it(data: str, tmp_path: Path) -> None:
    with pytest.raises(CorruptWorkbook, match=r"b\.xlsx: sheet 'Sheet1'.*got row 0.*openpyxl: .*outside 1,048,576"):
        read_workbook(write_xlsx(tmp_path / "b.xlsx", data=data))


def test_numbers_that_are_none_stay_as_text(tmp_path: Path) -> None:
    data = '<row r="1"><c r="A1"><v>12,5</v></c><c r="B1"><v>NaN</v></c><c r="C1"><v>1E+3</v></c></row>'
    sheet = read_one(write_xlsx(tmp_path / "a.xlsx", data=data))
    assert sheet.value.tolist() == ["12,5", "NaN", 1000.0]
    assert sheet.kind.tolist() == [Kind.TEXT, Kind.TEXT, Kind.NUMBER]
    assert sheet.warnings == ("2 cells hold text where the file declares a number (first: A1)",)


def test_1904_dates_iso_dates_and_dates_out_of_range(tmp_path: Path) -> None:
    parts = {"xl/workbook.xml": workbook_xml(properties='<workbookPr date1904="1"/>')}
    path = write_xlsx(tmp_path / "a.xlsx", [[(1, 1)]], formats=["yyyy-mm-dd"], parts=parts)
    assert read_one(path).value.tolist() == [dt.datetime(1904, 1, 2)]
    assert read_one(path).text.tolist() == ["1904-01-02"]
    data = '<row r="1"><c r="A1" t="d" s="1"><v>2024-03-01</v></c><c r="B1" s="1"><v>-5</v></c></row>'
    sheet = read_one(write_xlsx(tmp_path / "b.xlsx", data=data, formats=["d-mmm-yy"]))
    assert sheet.text.tolist() == ["1-Mar-24", "-5"]
    assert sheet.number.tolist() == [45352, -5]
    assert sheet.kind.tolist() == [Kind.DATE, Kind.NUMBER]
    assert "do not fit their number format" in sheet.warnings[0]


def test_cells_under_a_merge_are_excluded(tmp_path: Path) -> None:
    after = '<mergeCells><mergeCell ref="B3:C4"/><mergeCell ref="A1:C1"/><mergeCell ref="E5"/></mergeCells>'
    rows = [["title", "lost", "gone"], ["a", "b", "c"], ["d", "e", "f"], ["g", "h"]]
    sheet = read_one(write_xlsx(tmp_path / "a.xlsx", rows, after=after))
    assert sheet.merges.tolist() == [[0, 0, 1, 3], [2, 1, 4, 3]]
    assert sheet.text.tolist() == ["title", "a", "b", "c", "d", "e", "g"]
    assert [(cell.text, cell.reason) for cell in sheet.excluded] == [
        (text, "covered by a merge") for text in ("lost", "gone", "f", "h")
    ]


def test_covered_equals_a_plain_loop() -> None:
    rng = np.random.default_rng(0)
    for _ in range(20):
        row, col = (axis.astype(np.int32) for axis in np.nonzero(rng.random((30, 20)) < 0.3))
        corners = rng.integers(0, 19, (6, 2))
        merges = np.unique(np.hstack([corners, corners + rng.integers(1, 9, (6, 2))]), axis=0).astype(np.int32)
        plain = [
            any(t <= r < b and lt <= c < rt and (r, c) != (t, lt) for t, lt, b, rt in merges.tolist())
            for r, c in zip(row.tolist(), col.tolist(), strict=True)
        ]
        assert covered(row, col, merges).tolist() == plain


def test_many_merges_are_not_quadratic() -> None:
    top = np.arange(50_000, dtype=np.int32)
    merges = np.column_stack([top, 0 * top, top + 1, 0 * top + 2]).astype(np.int32)
    row, col = np.repeat(top, 3), np.tile(np.arange(3, dtype=np.int32), 50_000)
    np.testing.assert_array_equal(covered(row, col, merges), col == 1)


def test_hidden_rows_columns_and_sheets(tmp_path: Path) -> None:
    before = '<cols><col min="2" max="16384" hidden="1" width="4.5"/><col min="1" max="1" outlineLevel="1"/></cols>'
    data = (
        '<row r="1"><c r="A1"><v>1</v></c><c r="B1"><v>2</v></c></row>'
        '<row r="2" hidden="1" outlineLevel="2"><c r="A2"><v>3</v></c></row>'
    )
    path = write_xlsx(tmp_path / "a.xlsx", data=data, before=before)
    sheet = read_one(path)
    assert refs(sheet) == ["A1"]
    assert [(cell.row, cell.col, cell.reason) for cell in sheet.excluded] == [
        (1, 0, "hidden row"),
        (0, 1, "hidden column"),
    ]
    assert sheet.warnings == ("1 cells left out: hidden row", "1 cells left out: hidden column")
    assert (sheet.hidden_rows, sheet.hidden_cols) == ({1}, {1})
    assert (sheet.row_levels, sheet.col_levels, sheet.col_widths) == ({1: 2}, {0: 1}, {1: 4.5})
    assert refs(read_one(path, include_hidden=True)) == ["A1", "B1", "A2"]
    hidden = write_xlsx(tmp_path / "b.xlsx", data=data, parts={"xl/workbook.xml": workbook_xml([("S", "veryHidden")])})
    assert len(read_one(hidden)) == 0
    assert {cell.reason for cell in read_one(hidden).excluded} == {"hidden sheet"}
    assert (len(read_one(hidden, include_hidden=True)), read_one(hidden).state) == (3, "veryHidden")


def test_comments_links_panes_titles_and_tables(tmp_path: Path) -> None:
    note = f'<comments xmlns="{MAIN}"><commentList><comment ref="B2"><text><r><t>see </t></r><r><t>p. 3</t></r></text>'
    table = f'<table xmlns="{MAIN}" displayName="Sales" ref="A1:B3" totalsRowCount="1"/>'
    kinds = ("comments", "../comments1.xml"), ("table", "../tables/table1.xml"), ("hyperlink", "https://example.org/a")
    links = links_xml(*kinds).replace('"https://example.org/a"', '"https://example.org/a" TargetMode="External"')
    name = '<definedName name="_xlnm.Print_Titles" localSheetId="0">Sheet1!$A:$B,Sheet1!$1:$3</definedName>'
    parts = {
        "xl/comments1.xml": f"{note}</comment></commentList></comments>",
        "xl/tables/table1.xml": table,
        "xl/worksheets/_rels/sheet1.xml.rels": links,
        "xl/workbook.xml": workbook_xml(after=f"<definedNames>{name}</definedNames>"),
    }
    before = '<sheetViews><sheetView><pane xSplit="1" ySplit="2" state="frozen"/></sheetView></sheetViews>'
    after = '<hyperlinks><hyperlink ref="A1" r:id="rId3"/><hyperlink ref="A2:B2" location="X!A1"/></hyperlinks>'
    sheet = read_one(write_xlsx(tmp_path / "a.xlsx", [["a"]], before=before, after=after, parts=parts))
    assert sheet.comments == {(1, 1): "see p. 3"}
    assert sheet.hyperlinks == {(0, 0): "https://example.org/a", (1, 0): "#X!A1"}
    assert sheet.freeze == (2, 1)
    assert (sheet.print_title_rows, sheet.print_title_cols) == ((0, 3), (0, 2))
    assert sheet.list_objects == (ListObject("Sales", Region(0, 0, 3, 2), 1, 1),)


def test_styles_with_theme_and_tint(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    cell = book.active["A1"]
    cell.value = 1
    color = openpyxl.styles.Color(theme=4, tint=-0.25)
    cell.font = openpyxl.styles.Font(bold=True, italic=True, underline="single", size=14, color="FF112233")
    cell.fill = openpyxl.styles.PatternFill("solid", fgColor=color)
    cell.alignment = openpyxl.styles.Alignment("right", "top", indent=2, wrap_text=True)
    cell.border = openpyxl.styles.Border(top=openpyxl.styles.Side("thin"), right=openpyxl.styles.Side("double"))
    book.save(tmp_path / "a.xlsx")
    (style,) = read_one(tmp_path / "a.xlsx").styles
    assert (style.bold, style.italic, style.underline, style.strike, style.size) == (True, True, True, False, 14.0)
    assert (style.color, style.fill, style.border) == ("112233", "376092", "tr")
    assert (style.align, style.valign, style.indent, style.wrap) == ("right", "top", 2, True)


def test_chart_sheets_are_left_out_with_a_warning(tmp_path: Path) -> None:
    links = links_xml(("chartsheet", "chartsheets/sheet1.xml"), ("worksheet", "worksheets/sheet1.xml"))
    parts = {
        "xl/workbook.xml": workbook_xml([("Chart", "visible"), ("Data", "visible")]),
        "xl/_rels/workbook.xml.rels": links,
        "xl/chartsheets/sheet1.xml": "<chartsheet/>",
    }
    sheet = read_one(write_xlsx(tmp_path / "a.xlsx", [[1]], parts=parts))
    assert (sheet.name, sheet.warnings) == ("Data", ("chartsheet 'Chart' has no cells and is left out",))


def test_a_sheet_that_the_package_lacks_is_named_in_a_warning(tmp_path: Path) -> None:
    parts = {
        "xl/workbook.xml": workbook_xml([("Data", "visible"), ("Lost", "visible")]),
        "xl/_rels/workbook.xml.rels": links_xml(*(("worksheet", f"worksheets/sheet{n}.xml") for n in (1, 2))),
    }
    data, lost = read_workbook(write_xlsx(tmp_path / "a.xlsx", [[1]], parts=parts))
    assert (data.warnings, lost.name, len(lost), lost.lost) == ((), "Lost", 0, ("cells",))
    assert lost.warnings == ("the sheet is left out: sheet 'Lost' has no part in the package",)


def test_strict_workbooks_read_like_others(tmp_path: Path) -> None:
    plain = write_xlsx(tmp_path / "a.xlsx", [["a", (0.5, 1)]], formats=["0%"])
    with zipfile.ZipFile(plain) as source, zipfile.ZipFile(tmp_path / "b.xlsx", "w") as target:
        for name in source.namelist():
            target.writestr(name, source.read(name).decode().replace(MAIN, STRICT))
    assert read_one(tmp_path / "b.xlsx").text.tolist() == read_one(plain).text.tolist() == ["a", "50%"]


def zipped(**parts: bytes) -> Callable[[Path], object]:
    def write(path: Path) -> None:
        with zipfile.ZipFile(path, "w") as archive:
            for name, content in parts.items():
                archive.writestr(name.replace("__", "/").replace("_", "."), content)

    return write


BROKEN: list[tuple[str, Callable[[Path], object], type[WorkbookError], str]] = [
    ("empty", lambda path: path.write_bytes(b""), NotASpreadsheet, "empty"),
    ("noise", lambda path: path.write_bytes(b"\x00\x01\x02"), NotASpreadsheet, "binary"),
    ("zip", zipped(a_txt=b"x"), NotASpreadsheet, "without a workbook"),
    ("bad zip", lambda path: path.write_bytes(b"PK\x03\x04 and no more"), CorruptWorkbook, "zip container"),
    ("prose", lambda path: path.write_text("One line.\nAnother.\n"), NotASpreadsheet, "without columns"),
    ("html", lambda path: path.write_text("<html><p>text</p></html>"), NotASpreadsheet, "without a table"),
    ("ole", lambda path: path.write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1" + b"\0" * 99), NotASpreadsheet, "OLE"),
    ("xlsb", zipped(xl__workbook_bin=b"x"), CorruptWorkbook, ""),
    ("ods", zipped(mimetype=b"application/vnd.oasis.opendocument.spreadsheet"), CorruptWorkbook, "content.xml"),
    ("docx", zipped(word__document_xml=b"x"), UnsupportedFormat, "Word document"),
    (
        "locked",
        lambda path: path.write_bytes(b"\xd0\xcf\x11\xe0" + "EncryptedPackage\0".encode("utf-16-le")),
        PasswordProtected,
        "encrypted",
    ),
    ("xml", lambda path: write_xlsx(path, data="<row><c>"), CorruptWorkbook, "sheet 'Sheet1'"),
    ("part", lambda path: write_xlsx(path, parts={"xl/worksheets/sheet1.xml": None}), CorruptWorkbook, "no part"),
    (
        "no sheets",
        lambda path: write_xlsx(path, parts={"xl/workbook.xml": workbook_xml([])}),
        CorruptWorkbook,
        "no sheets",
    ),
]


@pytest.mark.parametrize(("write", "error", "cause"), [case[1:] for case in BROKEN], ids=[case[0] for case in BROKEN])
def test_broken_files_give_one_typed_error(
    tmp_path: Path, write: Callable[[Path], object], error: type[WorkbookError], cause: str
) -> None:
    path = tmp_path / "odd name.xlsx"
    write(path)
    with pytest.raises(error, match=rf"odd name\.xlsx: .*{cause}"):
        read_workbook(path)


def test_a_missing_file_is_an_os_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="nowhere"):
        read_workbook(tmp_path / "nowhere.xlsx")


def test_sheets_come_one_at_a_time(tmp_path: Path) -> None:
    parts = {
        "xl/workbook.xml": workbook_xml([("Good", "visible"), ("Bad", "visible")]),
        "xl/_rels/workbook.xml.rels": links_xml(
            ("worksheet", "worksheets/sheet1.xml"), ("worksheet", "worksheets/2.xml")
        ),
        "xl/worksheets/2.xml": "<broken",
    }
    sheets = iter_sheets(write_xlsx(tmp_path / "a.xlsx", [["a"]], parts=parts))
    assert next(sheets).name == "Good"
    bad = next(sheets)
    assert (bad.name, len(bad), bad.lost) == ("Bad", 0, ("cells",)) and "sheet 'Bad'" in bad.warnings[0]


def test_without_readable_styles_the_cells_are_plain(tmp_path: Path) -> None:
    sheet = read_one(write_xlsx(tmp_path / "a.xlsx", [[1]], parts={"xl/styles.xml": "<a"}))
    assert sheet.text.tolist() == ["1"] and sheet.lost == ("styles", "number formats")
    assert sheet.warnings[0].startswith("the styles cannot be read")


def printed(code: str) -> str:
    """What fresh Python prints."""
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()


def test_reading_loads_no_model_code() -> None:
    heavy = ("torch", "docling", "onnxruntime", "scipy")
    assert printed(f"import cellroles, sys; print([m for m in {heavy} if m in sys.modules])") == "[]"


def test_annotate_is_the_function_not_the_module() -> None:
    assert printed("import cellroles.annotate; from cellroles import annotate; print(annotate.__name__)") == "annotate"


def as_openpyxl_sees(path: Path) -> dict[tuple[str, int, int], object]:
    """(sheet, row, column), zero-based -> formula or value of every filled cell."""
    found = {}
    for sheet in openpyxl.load_workbook(path).worksheets:
        for (row, col), cell in sheet._cells.items():
            value = getattr(cell.value, "text", cell.value)
            if value is not None and (cell.data_type == "f" or str(value).strip()):
                found[sheet.title, row - 1, col - 1] = value
    return found


@pytest.mark.shared
@pytest.mark.skipif(not SHARED.exists(), reason="needs the robustness files beside the checkout")
@pytest.mark.parametrize("name", ["formula_stress_test", "shared_formulas", "no_row_numbers", "g06_values_under_merge"])
def test_real_cells_equal_openpyxl(name: str) -> None:
    path = SHARED / "robustness" / f"{name}.xlsx"
    ours = {
        (sheet.name, row, col): value if formula is None else formula
        for sheet in read_workbook(path, include_hidden=True)
        for row, col, value, formula in zip(
            sheet.row.tolist(), sheet.col.tolist(), sheet.value, sheet.formula, strict=True
        )
    }
    assert ours == as_openpyxl_sees(path)


@pytest.mark.shared
@pytest.mark.skipif(not SHARED.exists(), reason="needs the robustness files beside the checkout")
def test_hostile_files_read_or_fail_by_name() -> None:
    for path in sorted((SHARED / "robustness").glob("*.xls*")):
        if path.stem in ("g03_style_only_200k_rows", "many_merges_57893"):  # right, but seconds long
            continue
        try:
            read_workbook(path)
        except WorkbookError as error:
            assert str(error).startswith(f"{path}: ")
