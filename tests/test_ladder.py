"""What a direct read cannot open: which reader takes over, what it loses, and how the last error reads."""

from __future__ import annotations

import pickle
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from cellroles import read_workbook
from cellroles.errors import CorruptWorkbook, NotASpreadsheet, PasswordProtected, UnsupportedFormat, WorkbookError
from cellroles.reader import rescue
from cellroles.reader.rescue import read_apart
from cellroles.reader.sniff import sniff
from tests.builders import links_xml, workbook_xml, write_xlsx


def two_sheets(path: Path, second: str) -> Path:
    """A workbook with a good sheet `Good` and a sheet `Bad` of that XML."""
    parts = {
        "xl/workbook.xml": workbook_xml([("Good", "visible"), ("Bad", "visible")]),
        "xl/_rels/workbook.xml.rels": links_xml(
            ("worksheet", "worksheets/sheet1.xml"), ("worksheet", "worksheets/2.xml")
        ),
        "xl/worksheets/2.xml": second,
    }
    return write_xlsx(path, [["a"]], parts=parts)


def test_a_sheet_that_no_reader_can_read_does_not_cost_the_others(tmp_path: Path) -> None:
    good, bad = read_workbook(two_sheets(tmp_path / "a.xlsx", "<broken"))
    assert (good.text.tolist(), good.source, good.lost) == (["a"], "xlsx", ())
    assert (bad.name, len(bad), bad.lost) == ("Bad", 0, ("cells",))
    (cause,) = bad.warnings
    assert cause.startswith("the sheet is left out: sheet 'Bad' cannot be read")
    assert "; openpyxl: " in cause and "; calamine: " in cause


def test_openpyxl_takes_over_where_the_direct_read_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = '<row r="1"><c r="A1" s="1"><v>0.5</v></c><c r="B1"><f>1+1</f><v>2</v></c></row>'
    path = write_xlsx(
        tmp_path / "a.xlsx", data=data, formats=["0%"], after='<mergeCells><mergeCell ref="A2:B3"/></mergeCells>'
    )

    def fails(*_: object) -> None:
        raise CorruptWorkbook(f"{path}: no luck")

    monkeypatch.setattr("cellroles.reader.excel._read_directly", fails)
    (sheet,) = read_workbook(path)
    assert sheet.source == "xlsx via openpyxl" and "theme colours" in sheet.lost
    assert sheet.warnings == ("read by openpyxl, because no luck",)
    assert (sheet.text.tolist(), sheet.formula.tolist()) == (["50%", "2"], [None, "=1+1"])
    assert sheet.merges.tolist() == [[1, 0, 3, 2]]
    monkeypatch.setattr(rescue, "LADDER", ("calamine",))
    (sheet,) = read_workbook(path)
    assert sheet.source == "xlsx via calamine" and "number formats" in sheet.lost
    assert sheet.value.tolist() == [0.5, 2]


def test_characters_that_xml_forbids_do_not_cost_the_looks(tmp_path: Path) -> None:
    data = '<row r="1"><c r="A1" t="str"><v>R&D \x02&#x1F;&#xE9;&lt;</v></c><c r="B1" s="1"><v>0.5</v></c></row>'
    (sheet,) = read_workbook(write_xlsx(tmp_path / "a.xlsx", data=data, formats=["0%"]))
    assert (sheet.text.tolist(), sheet.source, sheet.lost) == (["R&D é<", "50%"], "xlsx", ())
    assert sheet.warnings[0].startswith("characters that XML forbids are left out, because sheet 'Sheet1' cannot")


@pytest.mark.parametrize(
    ("code", "cause"),
    [
        ("import os; os.abort()", "was ended by SIGABRT"),
        ("import time; time.sleep(60)", "took more than 0.5 seconds"),
        ("import sys; sys.exit('out of luck')", r"ended with code 1 \(out of luck\)"),
    ],
)
def test_a_reader_that_dies_or_hangs_is_a_typed_error(
    code: str, cause: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = subprocess.run
    monkeypatch.setattr(subprocess, "run", lambda command, **options: run([sys.executable, "-c", code], **options))
    with pytest.raises(CorruptWorkbook, match=rf"a\.xlsb: the reader {cause}"):
        read_apart(str(tmp_path / "a.xlsb"), "calamine", seconds=0.5)


def test_the_memory_of_a_reader_is_bounded(tmp_path: Path) -> None:
    path = write_xlsx(
        tmp_path / "a.xlsx", data='<row r="1048576"><c r="XFD1048576"><v>1</v></c><c r="A1"><v>1</v></c></row>'
    )
    with pytest.raises(CorruptWorkbook, match=r"a\.xlsx: the reader was ended by SIGABRT"):
        read_apart(str(path), "calamine")


def test_what_a_reader_process_answers(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "cellroles.reader.worker", "calamine", str(write_xlsx(tmp_path / "a.xlsx", [[7]]))]
    status, sheets = pickle.loads(subprocess.run([*command, str(1 << 30)], capture_output=True, check=True).stdout)
    assert (status, sheets[0].values) == ("sheets", [7])


def zipped(path: Path, *parts: str) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for part in parts:
            archive.writestr(part, "x")
    return path


BYTES: list[tuple[bytes, type[WorkbookError] | str]] = [
    (b"a;b\n1;2\n", "text"),
    ("a\tb\n1\t2\n".encode("utf-16"), "text"),
    ("a\tb\n".encode("utf-16-le"), "text"),
    (b"<18;3\n4;5\n", "text"),
    (b"\xef\xbb\xbf  <!DOCTYPE html><TABLE border=1>", "html"),
    (b"MIME-Version: 1.0\r\n\r\n<table>", "html"),
    (b"\x09\x08\x10\x00\x00\x06\x05\x00", "xls"),
    (b"\x09\x00\x04\x00\x02\x00\x10\x00", "xls"),
    (b'<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet">', UnsupportedFormat),
    (b'<?xml version="1.0"?><a/>', NotASpreadsheet),
    (b'{"a": 1}', NotASpreadsheet),
    (b"%PDF-1.7 text", NotASpreadsheet),
    (b"\x89PNG\r\n", NotASpreadsheet),
    (b"\xd0\xcf\x11\xe0" + "WordDocument\0".encode("utf-16-le"), UnsupportedFormat),
    (b"\xd0\xcf\x11\xe0" + "EncryptedPackage\0".encode("utf-16-le"), PasswordProtected),
    (b"\0\1\2\3", NotASpreadsheet),
    (b" \n", NotASpreadsheet),
]


@pytest.mark.parametrize(("content", "expected"), BYTES)
def test_formats_are_told_by_their_bytes(content: bytes, expected: type[WorkbookError] | str, tmp_path: Path) -> None:
    path = tmp_path / "any.xlsx"
    path.write_bytes(content)
    if isinstance(expected, str):
        assert sniff(str(path)) == expected
    else:
        with pytest.raises(expected, match=r"any\.xlsx: "):
            sniff(str(path))


def test_formats_in_a_zip_are_told_by_their_parts(tmp_path: Path) -> None:
    assert sniff(str(zipped(tmp_path / "a.xlsx", "xl/workbook.bin"))) == "xlsb"
    assert sniff(str(zipped(tmp_path / "b.ods", "XL\\Workbook.xml"))) == "xlsx"
    for parts, what in (("word/document.xml", "Word"), ("Index/Document.iwa", "Numbers")):
        with pytest.raises(UnsupportedFormat, match=what):
            sniff(str(zipped(tmp_path / "c.xlsx", parts)))
