"""Every limit with a low value on a file that is made for it; hostile files that must be refused or cost little."""

from __future__ import annotations

import io
import sys
import zipfile
from dataclasses import fields
from pathlib import Path
from xml.etree.ElementTree import Element

import numpy as np
import pytest

from cellroles.errors import CorruptWorkbook, TooLarge
from cellroles.limits import DEFAULT, Limits, OverLimit
from cellroles.reader import read_workbook
from cellroles.reader.container import STRICT_NAMES, UsualNames
from cellroles.reader.package import open_package
from cellroles.reader.stream import elements, refuse_dtd
from cellroles.sheet import Sheet
from tests.builders import MAIN, links_xml, workbook_xml, write_xlsx
from tests.robustness_table import row_of

ROWS = [["Name", "Sum"], ["north", 1], ["south", 2]]
STRINGS = f'<sst xmlns="{MAIN}"><si><t>north</t></si><si><t>south and west</t></si></sst>'
COMMENTS = (
    f'<comments xmlns="{MAIN}"><commentList><comment ref="A1"><text><t>one</t></text></comment>'
    '<comment ref="A2"><text><t>two</t></text></comment></commentList></comments>'
)
MERGES = '<mergeCells><mergeCell ref="A5:B6"/><mergeCell ref="D5:E6"/></mergeCells>'
LINKS = '<hyperlinks><hyperlink ref="A1" location="B1"/><hyperlink ref="A2" location="B2"/></hyperlinks>'
DTD = '<!DOCTYPE worksheet [<!ENTITY a "ten">]>'


def worksheet(inside: str, before: str = "") -> str:
    return f'{before}<worksheet xmlns="{MAIN}"><sheetData>{inside}</sheetData></worksheet>'


def two_sheets(path: Path, second: str) -> Path:
    """A workbook of an ordinary sheet and one whose XML is given."""
    parts: dict[str, str | bytes | None] = {
        "xl/workbook.xml": workbook_xml((("good", "visible"), ("bad", "visible"))),
        "xl/_rels/workbook.xml.rels": links_xml(
            ("worksheet", "worksheets/sheet1.xml"), ("worksheet", "worksheets/sheet2.xml")
        ),
        "xl/worksheets/sheet2.xml": second,
    }
    return write_xlsx(path, ROWS, parts=parts)


def only_sheet(path: Path, limits: Limits = DEFAULT) -> Sheet:
    (sheet,) = read_workbook(path, limits=limits)
    return sheet


def test_limits_are_positive() -> None:
    with pytest.raises(ValueError, match="got cells=0"):
        Limits(cells=0)


def test_every_limit_is_explained() -> None:
    assert Limits.__doc__ is not None
    assert [item.name for item in fields(Limits) if f"`{item.name}`" not in Limits.__doc__] == []


FILE_LIMITS = {
    "file_bytes": Limits(file_bytes=100),
    "parts": Limits(parts=5),
    "part_bytes": Limits(part_bytes=50),
    "whole_part_bytes": Limits(whole_part_bytes=50),
    "ratio": Limits(ratio=1, ratio_from_bytes=1),
    "strings_bytes": Limits(strings_bytes=60),
    "sheets": Limits(sheets=1),
}


@pytest.mark.parametrize("name", FILE_LIMITS)
def test_a_file_over_a_limit_is_refused(name: str, tmp_path: Path) -> None:
    parts: dict[str, str | bytes | None] = {
        "xl/workbook.xml": workbook_xml((("one", "visible"), ("two", "visible"))),
        "xl/_rels/workbook.xml.rels": links_xml(
            ("worksheet", "worksheets/sheet1.xml"),
            ("worksheet", "worksheets/sheet1.xml"),
            ("sharedStrings", "sharedStrings.xml"),
        ),
        "xl/sharedStrings.xml": STRINGS,
    }
    path = write_xlsx(tmp_path / "a.xlsx", ROWS, parts=parts)
    assert len(read_workbook(path)) == 2
    with pytest.raises(TooLarge, match=r"a\.xlsx") as error:
        read_workbook(path, limits=FILE_LIMITS[name])
    assert name in str(error.value) or "bytes" in str(error.value)


SHEET_LIMITS = {
    "cells": Limits(cells=5),
    "sheet_chars": Limits(sheet_chars=16),
    "merges": Limits(merges=1),
    "links": Limits(links=1),
    "comments": Limits(comments=1),
    "row_bytes": Limits(row_bytes=300),
    "row_elements": Limits(row_elements=5),
}


@pytest.mark.parametrize("name", SHEET_LIMITS)
def test_a_sheet_over_a_limit_is_an_error_if_it_is_the_only_one(name: str, tmp_path: Path) -> None:
    parts: dict[str, str | bytes | None] = {
        "xl/worksheets/_rels/sheet1.xml.rels": links_xml(("comments", "../comments1.xml")),
        "xl/comments1.xml": COMMENTS,
    }
    path = write_xlsx(tmp_path / "a.xlsx", ROWS, after=MERGES + LINKS, parts=parts)
    sheet = only_sheet(path)
    assert (len(sheet), len(sheet.merges), len(sheet.hyperlinks), len(sheet.comments)) == (6, 2, 2, 2)
    with pytest.raises(TooLarge, match=rf"a\.xlsx: sheet 'Sheet1' is not read: .*{name}"):
        read_workbook(path, limits=SHEET_LIMITS[name])


def test_a_sheet_over_a_limit_is_left_out_and_the_others_are_read(tmp_path: Path) -> None:
    cells = "".join(f'<c r="{letter}1"><v>1</v></c>' for letter in "ABCDEFGH")
    path = two_sheets(tmp_path / "a.xlsx", worksheet(f'<row r="1">{cells}</row>'))
    good, bad = read_workbook(path, limits=Limits(cells=7))
    assert (len(good), len(bad)) == (6, 0)
    assert (bad.name, bad.lost) == ("bad", ("cells",))
    assert bad.warnings == (
        "the sheet is left out: sheet 'bad' is not read: it has more than 7 filled cells (limit `cells`)",
    )


def test_a_sheet_with_entities_is_left_out_and_the_others_are_read(tmp_path: Path) -> None:
    path = two_sheets(tmp_path / "a.xlsx", worksheet('<row r="1"><c r="A1" t="str"><v>&a;</v></c></row>', DTD))
    good, bad = read_workbook(path)
    assert (len(good), len(bad)) == (6, 0)
    assert "document type" in bad.warnings[0]


@pytest.mark.parametrize("part", ["xl/workbook.xml", "xl/styles.xml"])
def test_entities_in_a_part_of_the_whole_workbook_are_an_error(part: str, tmp_path: Path) -> None:
    path = write_xlsx(tmp_path / "a.xlsx", ROWS)
    with zipfile.ZipFile(path) as archive:
        content = archive.read(part).decode()
    with pytest.raises(TooLarge, match="document type"):
        read_workbook(write_xlsx(tmp_path / "b.xlsx", ROWS, parts={part: DTD + content}))


def test_entities_in_an_open_document_are_an_error(tmp_path: Path) -> None:
    path = tmp_path / "a.ods"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("content.xml", f"{DTD}<content/>")
    with pytest.raises(TooLarge, match=r"a\.ods.*document type"):
        read_workbook(path)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_a_document_type_is_found_in_any_encoding_and_only_where_it_is_one(encoding: str) -> None:
    with pytest.raises(OverLimit):
        refuse_dtd(f"<!-- a comment -->{DTD}<worksheet/>".encode(encoding))
    refuse_dtd(f"<a><![CDATA[{DTD}]]></a>".encode(encoding))


def test_texts_longer_than_excel_keeps_are_cut_with_a_warning(tmp_path: Path) -> None:
    path = write_xlsx(tmp_path / "a.xlsx", [["short", "x" * 12], ["y" * 11, 1]])
    sheet = only_sheet(path, Limits(text_chars=10))
    assert sheet.text.tolist() == ["short", "x" * 10, "y" * 10, "1"]
    assert sheet.warnings == ("2 texts of more than 10 characters are cut there (first: B1)",)


def test_shared_formulas_are_counted_as_often_as_they_are_shown(tmp_path: Path) -> None:
    rows = '<row r="1"><c r="A1"><f t="shared" ref="A1:A9" si="0">B1+B2+B3</f><v>1</v></c></row>' + "".join(
        f'<row r="{r}"><c r="A{r}"><f t="shared" si="0"/><v>1</v></c></row>' for r in range(2, 10)
    )
    path = write_xlsx(tmp_path / "a.xlsx", data=rows)
    assert len(only_sheet(path, Limits(sheet_chars=90))) == 9
    with pytest.raises(TooLarge, match="more than 50 characters"):
        read_workbook(path, limits=Limits(sheet_chars=50))


def test_merges_that_cross_too_many_lines_are_refused(tmp_path: Path) -> None:
    merges = '<mergeCells><mergeCell ref="C1:C1048576"/><mergeCell ref="D1:D1048576"/></mergeCells>'
    path = write_xlsx(tmp_path / "a.xlsx", ROWS, after=merges)
    assert len(only_sheet(path, Limits(merged_lines=6))) == 6
    with pytest.raises(TooLarge, match="merged_lines"):
        read_workbook(path, limits=Limits(merged_lines=5))


def test_merges_that_overlap_and_one_over_the_whole_sheet(tmp_path: Path) -> None:
    overlapping = '<mergeCells><mergeCell ref="A1:B2"/><mergeCell ref="B2:B3"/></mergeCells>'
    sheet = only_sheet(write_xlsx(tmp_path / "a.xlsx", ROWS, after=overlapping))
    assert [sheet.ref(i) for i in range(len(sheet))] == ["A1", "A3"]
    whole = '<mergeCells><mergeCell ref="A1:XFD1048576"/></mergeCells>'
    sheet = only_sheet(write_xlsx(tmp_path / "b.xlsx", ROWS, after=whole))
    assert [sheet.ref(i) for i in range(len(sheet))] == ["A1"]
    assert [cell.reason for cell in sheet.excluded] == ["covered by a merge"] * 5


def test_declared_dimensions_and_the_last_cell_of_the_grid_cost_nothing(tmp_path: Path) -> None:
    data = '<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>2</v></c></row>'
    sheet = only_sheet(write_xlsx(tmp_path / "a.xlsx", data=data, before='<dimension ref="A1:XFD1048576"/>'))
    assert sheet.row.tolist() == [0, 1048575] and sheet.col.tolist() == [0, 16383]


def test_columns_beyond_the_grid_are_no_cells(tmp_path: Path) -> None:
    path = write_xlsx(tmp_path / "a.xlsx", data='<row r="1"><c r="XFE1"><v>1</v></c></row>')
    with pytest.raises(CorruptWorkbook, match=r"got column 16385"):
        read_workbook(path)


def test_formatted_rows_without_values_leave_nothing_behind() -> None:
    rows = "".join(f'<row r="{r}"><c r="A{r}" s="1"/><c r="B{r}" s="1"/></row>' for r in range(1, 5001))
    source = io.BytesIO(worksheet(rows).encode())
    seen = [len(element) for element in elements(source, [f"{{{MAIN}}}row"], Limits(row_elements=10_000))]
    assert seen == [2] * 5000


def test_what_stands_between_wanted_elements_counts(tmp_path: Path) -> None:
    junk = "<junk/>" * 20_000 + "<row/>"
    found: list[Element] = []
    with pytest.raises(OverLimit, match="elements"):
        found += elements(io.BytesIO(worksheet(junk * 4).encode()), [f"{{{MAIN}}}row"], Limits(row_elements=50_000))
    assert len(found) == 2


def test_parts_that_no_office_writes_are_not_unpacked(tmp_path: Path) -> None:
    path = write_xlsx(tmp_path / "a.xlsx", ROWS)
    with zipfile.ZipFile(path) as archive:
        content = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(tmp_path / "b.xlsx", "w", zipfile.ZIP_LZMA) as archive:
        for name, part in content.items():
            archive.writestr(name, part)
    with (
        pytest.raises(CorruptWorkbook, match="compressed by method 14"),
        open_package(str(tmp_path / "b.xlsx")).archive,
    ):
        pass


@pytest.mark.parametrize("size", [1, 7, 64, -1])
def test_strict_names_are_found_wherever_a_block_ends(size: int) -> None:
    text = b" ".join(b'<a xmlns="%s"/>' % name for name in STRICT_NAMES)
    stream = UsualNames(io.BytesIO(text))
    blocks = list(iter(lambda: stream.read(size), b""))
    assert b"".join(blocks) == b" ".join(b'<a xmlns="%s"/>' % name for name in STRICT_NAMES.values())


def test_numbers_of_many_digits_are_text(tmp_path: Path) -> None:
    digits = "9" * 5000
    sheet = only_sheet(write_xlsx(tmp_path / "a.xlsx", data=f'<row r="1"><c r="A1"><v>{digits}</v></c></row>'))
    assert sheet.text.tolist() == [digits] and np.isnan(sheet.number).all()


def test_targets_outside_the_package_are_never_opened(tmp_path: Path) -> None:
    secret = tmp_path / "secret.xml"
    secret.write_text(STRINGS)
    links = links_xml(("worksheet", "worksheets/sheet1.xml"), ("sharedStrings", f"../../../{secret.name}"))
    path = write_xlsx(tmp_path / "a.xlsx", ROWS, parts={"xl/_rels/workbook.xml.rels": links})
    with open_package(str(path)).archive:
        assert open_package(str(path)).strings == []


@pytest.mark.parametrize(
    ("code", "outcome", "says"),
    [
        ("print('fine')", "chunked", "fine"),
        ("raise SystemExit(1)", "error", ""),
        ("import os; os.abort()", "crash (-6)", ""),
    ],
)
def test_the_robustness_table_tells_outcomes_apart(code: str, outcome: str, says: str, tmp_path: Path) -> None:
    file = write_xlsx(tmp_path / "a.xlsx", ROWS)
    row = row_of(file, tmp_path, (sys.executable, "-S", "-c", code)).split("|")
    assert [part.strip() for part in row[1:4]] == ["a.xlsx", outcome, says]
    assert float(row[5]) > 0
