"""The copy of a workbook in which a person corrects roles: what is added, and that nothing else changes."""

from __future__ import annotations

import zipfile
from pathlib import Path

import openpyxl
import pytest
from openpyxl.chart import BarChart, Reference
from openpyxl.formatting.rule import CellIsRule
from openpyxl.styles import PatternFill
from openpyxl.workbook.defined_name import DefinedName

from cellroles.label.patch import Unpatchable, append_in, children, insert_after
from cellroles.label.sheet_xml import RANGES_PER_BLOCK
from cellroles.label.vocabulary import CHOICES
from cellroles.reader import read_workbook
from cellroles.sheet import Sheet
from tests.books import Tab, book
from tests.builders import MAIN, links_xml, workbook_xml, write_xlsx
from tests.label_copies import exported

ROWS = [["Name", "Q1", "Q2"], ["North", 1, 2], ["South", 3, "doubt"]]
ROLES = [["col_header_1"] * 3, ["row_header_1", "value", "value"], ["row_header_1", "value", "value"]]


def grid(path: Path, sheet: str) -> list[list[object]]:
    return [[cell.value for cell in row] for row in openpyxl.load_workbook(path)[sheet].iter_rows()]


def content(sheet: Sheet) -> list[tuple[object, ...]]:
    return list(
        zip(*(getattr(sheet, name).tolist() for name in ("row", "col", "value", "text", "formula")), strict=True)
    )


def test_the_roles_stand_in_a_sheet_of_the_same_geometry(tmp_path: Path) -> None:
    copy, said = exported(book(tmp_path / "a.xlsx", ROWS))
    assert grid(copy, "roles Data") == ROLES
    assert openpyxl.load_workbook(copy).sheetnames == [
        *("Data", "roles Data", "cellroles", "cellroles tables", "cellroles review", "cellroles manifest")
    ]
    assert said == [f"{tmp_path / 'a.xlsx'}: sheet 'Data': 9 cells, 1 to check"]


def test_a_drop_down_offers_every_role_but_empty_in_every_cell(tmp_path: Path) -> None:
    copy, _ = exported(book(tmp_path / "a.xlsx", ROWS))
    (choice,) = openpyxl.load_workbook(copy)["roles Data"].data_validations.dataValidation
    assert str(choice.sqref) == "A1:C3" and choice.type == "list" and choice.showErrorMessage
    assert choice.formula1.strip('"').split(",") == [role.label for role in CHOICES]
    assert len(choice.formula1) < 255 and "empty" not in choice.formula1.split(",")


def test_both_sheets_are_tinted_by_the_roles_sheet_and_doubtful_cells_framed(tmp_path: Path) -> None:
    copy, _ = exported(book(tmp_path / "a.xlsx", ROWS))
    workbook = openpyxl.load_workbook(copy)
    assert workbook.defined_names["cellroles_1"].attr_text == "'roles Data'!$A$1:$C$3"
    for sheet, first in (("Data", 'INDEX(cellroles_1,ROW(),COLUMN())="value"'), ("roles Data", '"value"')):
        formats = {str(block.sqref): block.rules for block in workbook[sheet].conditional_formatting}
        assert list(formats) == ["C3", "A1:C3"]
        assert all(len(rules) == len(CHOICES) and rules[0].formula == [first] for rules in formats.values())
        assert formats["C3"][0].dxf.border.left.style == "thin" and formats["A1:C3"][0].dxf.border is None
        tint = formats["A1:C3"][0].dxf.fill.bgColor.rgb
        assert tint == formats["C3"][0].dxf.fill.bgColor.rgb != formats["A1:C3"][1].dxf.fill.bgColor.rgb
        priorities = [rule.priority for rules in formats.values() for rule in rules]
        assert priorities == list(range(1, 2 * len(CHOICES) + 1))


def test_the_pages_list_tables_and_doubtful_cells_with_links(tmp_path: Path) -> None:
    copy, _ = exported(book(tmp_path / "a.xlsx", Tab(ROWS, name="It's")))
    workbook = openpyxl.load_workbook(copy)
    tables, review = workbook["cellroles tables"], workbook["cellroles review"]
    assert grid(copy, "cellroles tables") == [["sheet", "table", "range"], ["It's", "T1", "A1:C3"]]
    assert tables["C2"].hyperlink.location == "'It''s'!A1:C3"
    assert [cell.value for cell in review[2]] == ["It's", "C3", "value", "0.30", "doubt"]
    assert review["C2"].hyperlink.location == "'roles It''s'!C3"
    legend = {row[0]: row[1] for row in grid(copy, "cellroles")}
    assert all(legend[role.label] for role in CHOICES) and legend["It's"] == "roles It's"
    assert workbook["cellroles manifest"].sheet_state == "veryHidden"


def test_what_is_not_ours_stays_byte_by_byte(tmp_path: Path) -> None:
    workbook = openpyxl.Workbook()
    sheet = workbook.active
    for row in ROWS:
        sheet.append(row)
    chart = BarChart()
    chart.add_data(Reference(sheet, min_col=2, min_row=1, max_row=3), titles_from_data=True)
    sheet.add_chart(chart, "E2")
    sheet.protection.sheet = True
    workbook.create_chartsheet("Only a chart").add_chart(BarChart())
    workbook.save(tmp_path / "a.xlsx")
    copy, _ = exported(tmp_path / "a.xlsx")
    with zipfile.ZipFile(tmp_path / "a.xlsx") as before, zipfile.ZipFile(copy) as after:
        ours = {"[Content_Types].xml", "xl/styles.xml", "xl/workbook.xml", "xl/_rels/workbook.xml.rels"}
        ours |= {"xl/worksheets/sheet1.xml"}
        for name in set(before.namelist()) - ours:
            assert before.read(name) == after.read(name), name
        assert "xl/charts/chart1.xml" in after.namelist()
        names = [child.name for child in children(after.read("xl/worksheets/sheet1.xml"))]
    assert names.index("sheetProtection") < names.index("conditionalFormatting") < names.index("drawing")


def test_formulas_keep_their_text_and_their_results(tmp_path: Path) -> None:
    source = write_xlsx(
        tmp_path / "a.xlsx",
        data='<row r="1"><c r="A1"><v>2</v></c><c r="B1"><f>A1*3</f><v>6</v></c></row>',
        before="<sheetViews><sheetView workbookViewId='0'/></sheetViews>",
    )
    copy, _ = exported(source)
    (before,) = read_workbook(source)
    after = read_workbook(copy)[0]
    assert content(after) == content(before) and after.formula.tolist() == [None, "=A1*3"] and after.value[1] == 6


def test_rules_and_looks_and_names_that_were_there_stay_and_come_second(tmp_path: Path) -> None:
    workbook = openpyxl.Workbook()
    sheet = workbook.active
    for row in ROWS:
        sheet.append(row)
    own = CellIsRule(operator="greaterThan", formula=["2"], fill=PatternFill(bgColor="FF00FF00"))
    sheet.conditional_formatting.add("B2:C3", own)
    sheet.merge_cells("E1:F1")
    workbook.defined_names["Rate"] = DefinedName("Rate", attr_text="Sheet!$B$2")
    workbook.save(tmp_path / "a.xlsx")
    copy, _ = exported(tmp_path / "a.xlsx")
    after = openpyxl.load_workbook(copy)
    assert after.defined_names["Rate"].attr_text == "Sheet!$B$2" and "cellroles_1" in after.defined_names
    rules = {str(block.sqref): block.rules for block in after["Sheet"].conditional_formatting}
    assert rules["B2:C3"][0].dxf.fill.bgColor.rgb == "FF00FF00"
    assert rules["B2:C3"][0].priority == 2 * len(CHOICES) + 1


def test_names_of_sheets_are_made_to_fit_and_quoted(tmp_path: Path) -> None:
    long = ["Quarterly figures of the north", "Quarterly figures of the south"]
    tabs = [Tab(ROWS, name=name) for name in ("It's", *long, "roles It's")]
    copy, _ = exported(book(tmp_path / "a.xlsx", *tabs))
    workbook = openpyxl.load_workbook(copy)
    names = workbook.sheetnames
    assert len({name.casefold() for name in names}) == len(names) and max(map(len, names)) == 31
    assert names[4:8] == [
        *("roles It's 2", "roles Quarterly figures of the", "roles Quarterly figures of th 2", "roles roles It's")
    ]
    assert workbook.defined_names["cellroles_1"].attr_text == "'roles It''s 2'!$A$1:$C$3"


def test_hidden_sheets_rows_and_columns_only_on_demand(tmp_path: Path) -> None:
    source = book(tmp_path / "a.xlsx", Tab(ROWS, hidden="3"), Tab(ROWS, name="Secret"))
    workbook = openpyxl.load_workbook(source)
    workbook["Secret"].sheet_state = "hidden"
    workbook.save(source)
    copy, _ = exported(source)
    assert "roles Secret" not in openpyxl.load_workbook(copy).sheetnames
    assert grid(copy, "roles Data") == ROLES[:2]
    copy, _ = exported(source, include_hidden=True)
    assert grid(copy, "roles Data") == grid(copy, "roles Secret") == ROLES
    assert openpyxl.load_workbook(copy)["roles Data"].row_dimensions[3].hidden
    assert openpyxl.load_workbook(copy)["Secret"].sheet_state == "hidden"


def test_very_many_doubtful_cells_go_into_several_blocks(tmp_path: Path) -> None:
    rows = [["Name"]] + [["doubt" if k % 2 else k] for k in range(2 * RANGES_PER_BLOCK + 2)]
    copy, _ = exported(book(tmp_path / "a.xlsx", rows))
    blocks = [str(block.sqref).split() for block in openpyxl.load_workbook(copy)["Data"].conditional_formatting]
    assert [len(block) for block in blocks] == [RANGES_PER_BLOCK, RANGES_PER_BLOCK // RANGES_PER_BLOCK, 1]
    assert blocks[-1] == [f"A1:A{len(rows)}"]


def test_texts_that_look_like_markup_escapes_or_formulas_come_through(tmp_path: Path) -> None:
    rows = [["a<b>&\"'", "x"], ["_x0041_", "doubt"], ["=1+", "y"]]
    source = tmp_path / "a.csv"
    source.write_text("\n".join(",".join(f'"{cell.replace(chr(34), chr(34) * 2)}"' for cell in row) for row in rows))
    copy, said = exported(source)
    assert read_workbook(copy)[0].text.tolist() == read_workbook(source)[0].text.tolist()
    assert "no formulas, charts, pictures" in said[0]


def test_a_workbook_with_prefixes_and_utf8_mark_is_added_to(tmp_path: Path) -> None:
    sheet = (
        f'\ufeff<?xml version="1.0" encoding="UTF-8"?><x:worksheet xmlns:x="{MAIN}"><x:sheetData><x:row r="1">'
        '<x:c r="A1"><x:v>1</x:v></x:c></x:row></x:sheetData><x:pageMargins left="1" right="1" top="1" bottom="1" '
        'header="1" footer="1"/></x:worksheet>'
    )
    looks = '<x:cellXfs><x:xf/></x:cellXfs><x:dxfs count="1"><x:dxf/></x:dxfs>'
    styles = f'<x:styleSheet xmlns:x="{MAIN}">{looks}</x:styleSheet>'
    parts = {"xl/worksheets/sheet1.xml": sheet, "xl/styles.xml": styles}
    copy, _ = exported(write_xlsx(tmp_path / "a.xlsx", parts=parts))
    workbook = openpyxl.load_workbook(copy)
    assert workbook["Sheet1"]["A1"].value == 1 and workbook["roles Sheet1"]["A1"].value == "col_header_1"
    (block,) = workbook["Sheet1"].conditional_formatting
    assert block.rules[0].dxfId == 1 and block.rules[0].dxf.fill.bgColor.rgb.startswith("FF")
    with zipfile.ZipFile(copy) as archive:
        assert b'<x:dxfs count="26">' in archive.read("xl/styles.xml")


def test_parts_in_other_encodings_are_written_anew(tmp_path: Path) -> None:
    source = write_xlsx(tmp_path / "a.xlsx", [[1, 2]])
    with zipfile.ZipFile(source) as archive:
        styles = archive.read("xl/styles.xml").decode()
    odd = f'<?xml version="1.0" encoding="UTF-16"?>{styles}'.encode("utf-16")
    source = write_xlsx(tmp_path / "b.xlsx", [[1, 2]], parts={"xl/styles.xml": odd})
    copy, said = exported(source)
    assert "its XML is" in said[0] and read_workbook(copy)[0].value.tolist() == [1, 2]


@pytest.mark.parametrize(("suffix", "kept"), [(".xlsx", False), (".xlsm", True)])
def test_macros_stay_only_where_the_name_allows_them(tmp_path: Path, suffix: str, kept: bool) -> None:
    links = links_xml(("worksheet", "worksheets/sheet1.xml"), ("styles", "styles.xml")).replace(
        "</Relationships>",
        '<Relationship Id="rId9" Type="http://schemas.microsoft.com/office/2006/relationships/vbaProject" '
        'Target="vbaProject.bin"/></Relationships>',
    )
    parts = {"xl/_rels/workbook.xml.rels": links, "xl/vbaProject.bin": b"macros"}
    copy, said = exported(write_xlsx(tmp_path / "a.xlsm", [[1, 2]], parts=parts), suffix=suffix)
    with zipfile.ZipFile(copy) as archive:
        assert ("xl/vbaProject.bin" in archive.namelist()) == kept
        assert (b"vbaProject" in archive.read("xl/_rels/workbook.xml.rels")) == kept
        types = archive.read("[Content_Types].xml")
        assert (b"ms-excel.sheet.macroEnabled.main" in types) == kept
        assert types.count(b"/xl/workbook.xml") == 1
    assert any("macros are left out" in line for line in said) != kept


def test_a_sheet_of_unusual_xml_is_labelled_without_tints(tmp_path: Path) -> None:
    data = '<row r="1"><c r="A1"><v>1</v></c><c r="B1" t="str"><v>R&D</v></c></row>'
    copy, said = exported(write_xlsx(tmp_path / "a.xlsx", data=data))
    assert read_workbook(copy)[1].text.tolist() == ["col_header_1", "col_header_1"]
    assert any("not tinted" in line for line in said)


def test_a_copy_is_not_exported_again_nor_an_empty_workbook(tmp_path: Path) -> None:
    copy, _ = exported(book(tmp_path / "a.xlsx", ROWS))
    with pytest.raises(ValueError, match="is such a copy already"):
        exported(copy)
    with pytest.raises(ValueError, match="no filled cells in"):
        exported(book(tmp_path / "b.xlsx", []))


def test_elements_are_added_where_the_schema_wants_them() -> None:
    assert insert_after(b"<r><a/><b/></r>", ("a",), "<n/>") == b"<r><a/><n/><b/></r>"
    assert insert_after(b"<r><b/></r>", ("a",), "<n/>") == b"<r><n/><b/></r>"
    assert append_in(b"<r><a/></r>", "l", ["<i/>"], ("a",), "u") == b'<r><a/><l xmlns="u"><i/></l></r>'
    assert append_in(b"<r><l/></r>", "l", ["<i/>"], (), "u") == b'<r><l xmlns="u"><i/></l></r>'
    assert append_in(b'<r><l count="1"><i/></l></r>', "l", ["<i/>"], (), "u") == b'<r><l count="2"><i/><i/></l></r>'
    for broken in (b"<r/>", b"<r><a></r>"):
        with pytest.raises(Unpatchable):
            children(broken)


def test_sheets_are_added_behind_all_others_whatever_their_order(tmp_path: Path) -> None:
    listed = workbook_xml([("Sheet1", "visible")], after="<definedNames/><calcPr calcId='1'/>")
    copy, _ = exported(write_xlsx(tmp_path / "a.xlsx", [[1]], parts={"xl/workbook.xml": listed}))
    with zipfile.ZipFile(copy) as archive:
        names = [child.name for child in children(archive.read("xl/workbook.xml"))]
    assert names == ["sheets", "definedNames", "calcPr", ""]
