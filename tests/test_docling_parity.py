"""The fast rule against Docling's own backend: equal boxes, or a listed cause."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from openpyxl import Workbook

from cellroles.errors import WorkbookError
from cellroles.reader import iter_sheets
from cellroles.segment.components import components
from cellroles.segment.docling import docling_boxes
from cellroles.sheet import Role, Sheet
from tests.random_sheets import random_sheet

pytest.importorskip("docling", reason="needs the extra docling")

WORKBOOKS = Path(__file__).parents[2] / "shared" / "workbooks"
FULL = os.environ.get("CELLROLES_FULL") == "1"
GAPS = (0, 1, 2)
MAX_BYTES = 200_000  # Docling's finder is too slow for more
MAX_CELLS = 60_000
SAMPLE_STEP = 26  # every 26th workbook by size, about 40

BLANK = "cells with a blank text are content there"
UNCACHED = "formulas without a cached value are empty there"
LINK = "empty cells with a hyperlink hold its address there"
UNREAD = "Docling does not read the file"
KNOWN = {
    "ClosedXML__ClosedXML/EmptyText.xlsx": BLANK,
    "ClosedXML__ClosedXML/universal-content-strict.xlsx": UNREAD,
    "ExcelDataReader__ExcelDataReader/TestData_strict_CollapsedHide.xlsx": UNREAD,
    "ExcelDataReader__ExcelDataReader/Test_Encoding_Formula_Date_1520.xlsx": UNREAD,
    "ExcelDataReader__ExcelDataReader/Test_Issue_11435_Colors.xlsx": UNREAD,
    "ExcelDataReader__ExcelDataReader/Test_Issue_11573_BlankValues.xlsx": UNREAD,
    "ExcelDataReader__ExcelDataReader/Test_Issue_4145.xlsx": UNREAD,
    "ExcelDataReader__ExcelDataReader/Test_Issue_DateFormatButNotDate.xlsx": UNREAD,
    "ExcelDataReader__ExcelDataReader/Test_git_issue_283_TimeSpan.xlsx": UNREAD,
    "ExcelDataReader__ExcelDataReader/Test_git_issue_301_IgnoreCase.xlsx": UNREAD,
    "ExcelDataReader__ExcelDataReader/Test_git_issue_341.xlsx": UNREAD,
    "ExcelDataReader__ExcelDataReader/Test_googlesourced.xlsx": UNREAD,
    "ExcelDataReader__ExcelDataReader/roo_1904_base.xlsx": UNREAD,
    "IndEcol__ODYM/ElementContentMaterials_Tutorial.xlsx": BLANK,
    "IndEcol__ODYM/ManufacturingYieldloss_Tutorial.xlsx": BLANK,
    "IndEcol__ODYM/ODYM_Tutorial5_EoLRecoveryRate.xlsx": BLANK,
    "IndEcol__ODYM/ODYM_Tutorial6_Lifetime_V1.0.xlsx": BLANK,
    "IndEcol__ODYM/ODYM_Tutorial6_SteelConsumption_V1.0.xlsx": BLANK,
    "JanMarvin__openxlsx-data/cloneWorksheetExample.xlsx": UNREAD,
    "MathNya__umya-spreadsheet/tdf76115.xlsx": UNREAD,
    "Open-Power-System-Data__national_generation_capacity/National_Generation_Capacities.xlsx": BLANK,
    "PHPOffice__PhpSpreadsheet/Zip-Windows-Directory-Separator.xlsx": UNREAD,
    "PHPOffice__PhpSpreadsheet/explicitdate.xlsx": UNCACHED,
    "PHPOffice__PhpSpreadsheet/issue.2490.xlsx": BLANK,
    "PHPOffice__PhpSpreadsheet/namespacepurl.xlsx": UNREAD,
    "SynBioDex__Excel-to-SBOL/Experimental Data_KWK_v001.xlsx": BLANK,
    "apache__poi/45540_classic_Header.xlsx": BLANK,
    "apache__poi/49609.xlsx": UNREAD,
    "apache__poi/56278.xlsx": BLANK,
    "apache__poi/FillWithoutColor.xlsx": BLANK,
    "apache__poi/FormatChoiceTests.xlsx": UNCACHED,
    "apache__poi/NumberFormatApproxTests.xlsx": UNCACHED,
    "apache__poi/SimpleStrict.xlsx": UNREAD,
    "apache__poi/duplicate-filename.xlsx": UNCACHED,
    "apache__tika/testDdeLink.xlsx": UNREAD,
    "dotnet__Open-XML-SDK/2D Rotation-O12-XL-OartEffects.xlsx": UNREAD,
    "dotnet__Open-XML-SDK/3D Rotation(Parallel)-O12-XL-OartEffects.xlsx": UNREAD,
    "dotnet__Open-XML-SDK/Bevel-O12-XL-OartEffects.xlsx": UNREAD,
    "exceljs__exceljs/test-row-styles.xlsx": UNREAD,
    "first-programming-saga__2024Report/3_101414_309641_up_0nuzwblq.xlsx": BLANK,
    "knowledgestack__ks-xlsx-parser/financial_model.xlsx": UNCACHED,
    "knowledgestack__ks-xlsx-parser/stress_level_10.xlsx": UNCACHED,
    "knowledgestack__ks-xlsx-parser/stress_level_20.xlsx": UNCACHED,
    "knowledgestack__ks-xlsx-parser/stress_level_22.xlsx": UNCACHED,
    "knowledgestack__ks-xlsx-parser/stress_level_23.xlsx": UNCACHED,
    "knowledgestack__ks-xlsx-parser/stress_level_25.xlsx": UNCACHED,
    "knowledgestack__ks-xlsx-parser/stress_level_3.xlsx": UNCACHED,
    "knowledgestack__ks-xlsx-parser/stress_level_5.xlsx": UNCACHED,
    "mini-software__MiniExcel/TestIssue149.xlsx": BLANK,
    "mini-software__MiniExcel/TestIssue459.xlsx": UNREAD,
    "nacnudus__smungs/us-crime-3.xlsx": BLANK,
    "nacnudus__tidyxl/enron-nested.xlsx": BLANK,
    "openspout__openspout/one_sheet_with_invalid_xml_characters.xlsx": UNREAD,
    "openspout__openspout/sheet_with_empty_shared_string.xlsx": BLANK,
    "qax-os__excelize/Book1.xlsx": UNCACHED,
    "realhitbench/agriculture-table01.xlsx": BLANK,
    "realhitbench/business-table16.xlsx": BLANK,
    "realhitbench/economy-table102.xlsx": LINK,
    "realhitbench/economy-table117.xlsx": BLANK,
    "realhitbench/economy-table133.xlsx": BLANK,
    "realhitbench/economy-table134.xlsx": BLANK,
    "realhitbench/economy-table45.xlsx": BLANK,
    "realhitbench/economy-table58.xlsx": BLANK,
    "realhitbench/economy-table62.xlsx": BLANK,
    "realhitbench/economy-table96.xlsx": BLANK,
    "realhitbench/employment-table03.xlsx": BLANK,
    "realhitbench/employment-table14.xlsx": BLANK,
    "realhitbench/employment-table23.xlsx": BLANK,
    "realhitbench/employment-table25.xlsx": BLANK,
    "realhitbench/employment-table27.xlsx": BLANK,
    "realhitbench/employment-table29.xlsx": BLANK,
    "realhitbench/environment-table11.xlsx": BLANK,
    "realhitbench/environment-table39.xlsx": UNREAD,
    "realhitbench/health-table10.xlsx": BLANK,
    "realhitbench/injuries-table04.xlsx": BLANK,
    "realhitbench/injuries-table14.xlsx": BLANK,
    "realhitbench/labor-table06.xlsx": UNCACHED + "; " + BLANK,
    "realhitbench/labor-table67.xlsx": LINK,
    "realhitbench/productivity-table01.xlsx": BLANK,
    "realhitbench/productivity-table03.xlsx": BLANK,
    "realhitbench/productivity-table05.xlsx": BLANK,
    "realhitbench/society-table26.xlsx": UNCACHED,
    "realhitbench/society-table60.xlsx": BLANK,
    "realhitbench/welfare-table05.xlsx": BLANK,
    "realhitbench/welfare-table07.xlsx": BLANK,
    "realhitbench/welfare-table10.xlsx": BLANK,
    "realhitbench/welfare-table15.xlsx": BLANK,
    "roo-rb__roo/implicit_coordinates.xlsx": UNREAD,
    "roo-rb__roo/strict.xlsx": UNREAD,
    "tafia__calamine/issue446.xlsx": BLANK,
    "tafia__calamine/issue_419.xlsx": UNREAD,
    "tafia__calamine/issue_530.xlsx": UNREAD,
    "tafia__calamine/pivots.xlsx": UNREAD,
    "tidyverse__readxl/los-angeles-arrests-xlsx.xlsx": UNREAD,
    "tidyverse__readxl/no-yes-col-names.xlsx": BLANK,
    "tomwhite__covid-19-uk-data/HSCA+-+SG+Website+-+Indicator+Trends+for+daily+data+publication.xlsx": BLANK
    + "; "
    + LINK,
}


def small_workbooks() -> list[Path]:
    """All workbooks that are small enough, or a sample spread over their sizes and the short listed ones."""
    found = sorted(
        (path for path in WORKBOOKS.rglob("*.xls[xm]") if path.stat().st_size < MAX_BYTES),
        key=lambda path: (path.stat().st_size, path),
    )
    if FULL:
        return found
    listed = [path for path in found if str(path.relative_to(WORKBOOKS)) in KNOWN and path.stat().st_size < 8_000]
    return sorted({*found[: len(found) * 3 // 4 : SAMPLE_STEP], *listed})


def sheets_of(path: Path) -> Iterator[Sheet]:
    """The sheets that both sides can be asked about; none where our reader refuses the file."""
    try:
        yield from (sheet for sheet in iter_sheets(path, include_hidden=True) if len(sheet) <= MAX_CELLS)
    except WorkbookError:
        return


def differs(sheet: Sheet) -> str | None:
    """What differs at which gap, or None."""
    for gap in GAPS:
        try:
            theirs = docling_boxes(sheet, gap)
        except ValueError:
            return UNREAD
        if components(sheet, gap) != theirs:
            return f"{sheet.name} at gap {gap}"
    return None


def written(sheet: Sheet, path: Path) -> Sheet:
    """The sheet, now in a file (every formula as its text)."""
    book = Workbook()
    page = book.active
    page.title = sheet.name
    for row, col, text in zip(sheet.row, sheet.col, sheet.text, strict=True):
        page.cell(int(row) + 1, int(col) + 1, f"x{text}")
    for top, left, bottom, right in sheet.merges.tolist():
        page.merge_cells(start_row=top + 1, start_column=left + 1, end_row=bottom, end_column=right)
    book.save(path)
    return replace(sheet, workbook=str(path))


@pytest.mark.parametrize("seed", range(24))
def test_boxes_equal_docling_on_random_sheets(seed: int, tmp_path: Path) -> None:
    rows, cols, fill = 4 + seed % 12, 4 + seed % 7, (0.12, 0.3, 0.5, 0.8)[seed % 4]
    sheet = written(random_sheet(seed, rows, cols, fill), tmp_path / "random.xlsx")
    for gap in GAPS:
        assert components(sheet, gap) == docling_boxes(sheet, gap)


def test_both_segmenters_give_the_same_tables_unrepaired(tmp_path: Path) -> None:
    from cellroles.segment.tables import find_tables

    sheet = written(random_sheet(5, 14, 9, 0.3), tmp_path / "random.xlsx")
    roles = np.full(len(sheet), Role.VALUE, np.uint8)
    ours, table_of = find_tables(sheet, roles, repair=False)
    theirs, their_table_of = find_tables(sheet, roles, segmenter="docling", repair=False)
    assert [table.region for table in ours] == [table.region for table in theirs]
    assert table_of.tolist() == their_table_of.tolist()
    assert table_of.min() >= 0


@pytest.mark.shared
@pytest.mark.skipif(not WORKBOOKS.is_dir(), reason="needs the shared workbooks beside the checkout")
def test_boxes_equal_docling_on_real_workbooks() -> None:
    """Every difference is listed with its cause, and every listed workbook that was asked about differs."""
    paths = small_workbooks()
    found = {}
    for path in paths:
        difference = next(filter(None, map(differs, sheets_of(path))), None)
        if difference is not None:
            found[str(path.relative_to(WORKBOOKS))] = difference
    expected = {str(path.relative_to(WORKBOOKS)) for path in paths} & set(KNOWN)
    assert {name: found[name] for name in set(found) - expected} == {}
    assert expected - set(found) == set()
