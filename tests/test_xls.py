"""Legacy Excel workbooks: what xlrd gives of them, old versions, passwords, damage."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest
import xlwt

from cellroles import read_workbook
from cellroles.errors import CorruptWorkbook, PasswordProtected


def saved(path: Path) -> Path:
    """A workbook with a hidden row, a hidden column, a link, a frozen row and a hidden sheet."""
    book = xlwt.Workbook()
    page = book.add_sheet("Data")
    page.write(
        0,
        0,
        "Name",
        xlwt.easyxf("font: bold on, height 240; align: horiz center; pattern: pattern solid, fore_colour red"),
    )
    page.write(1, 0, "gone")
    page.row(1).hidden = True
    page.write(2, 1, 5)
    page.col(1).hidden = True
    page.write(3, 0, True)
    page.panes_frozen, page.horz_split_pos = True, 1
    book.add_sheet("Notes").visibility = 1
    book.save(str(path))
    return path


def test_looks_hidden_rows_and_panes_are_read(tmp_path: Path) -> None:
    data, notes = read_workbook(saved(tmp_path / "a.xls"))
    assert (data.value.tolist(), data.freeze, data.source) == (["Name", True], (1, 0), "xls")
    assert [(cell.text, cell.reason) for cell in data.excluded] == [("gone", "hidden row"), ("5", "hidden column")]
    style = data.styles[data.style[0]]
    assert (style.bold, style.size, style.align, style.fill) == (True, 12.0, "center", "FF0000")
    assert (notes.name, notes.state, len(notes)) == ("Notes", "hidden", 0)


def test_a_workbook_of_excel_2_is_read_without_looks(tmp_path: Path) -> None:
    def record(kind: int, content: bytes = b"") -> bytes:
        return struct.pack("<HH", kind, len(content)) + content

    cells = (
        record(0x02, struct.pack("<HH3xH", 0, 0, 7)),
        record(0x04, struct.pack("<HH3xB", 0, 1, 2) + b"ab"),
        record(0x03, struct.pack("<HH3xd", 2, 1, 1.5)),
    )
    path = tmp_path / "a.xlsx"
    path.write_bytes(record(0x09, struct.pack("<HH", 2, 0x10)) + b"".join(cells) + record(0x0A))
    (sheet,) = read_workbook(path)
    assert sheet.value.tolist() == [7, "ab", 1.5] and "styles" in sheet.lost


def test_a_password_is_told_from_damage(tmp_path: Path) -> None:
    content = saved(tmp_path / "a.xls").read_bytes()
    locked = tmp_path / "locked.xls"
    # The record of the interface's language, which every file has, becomes the one of a password.
    locked.write_bytes(content.replace(b"\xe1\x00\x02\x00", b"\x2f\x00\x02\x00", 1))
    with pytest.raises(PasswordProtected, match=r"locked\.xls: the workbook is encrypted"):
        read_workbook(locked)
    broken = tmp_path / "broken.xls"
    broken.write_bytes(content[:512] + bytes(len(content) - 1024) + content[-512:])
    with pytest.raises(CorruptWorkbook, match=r"broken\.xls: the workbook cannot be read: .*; calamine: "):
        read_workbook(broken)
