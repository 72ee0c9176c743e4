"""The reader on small hand-written workbooks: exact cells out, typed errors for the rest."""

from __future__ import annotations

from pathlib import Path

from cellroles import read_workbook
from tests.builders import write_xlsx


def test_values_and_texts(tmp_path: Path) -> None:
    rows = [["Name", None, "  "], [(0.0213, 1), True, (45352, 2)]]
    (sheet,) = read_workbook(write_xlsx(tmp_path / "a.xlsx", rows, formats=["0.0%", "d-mmm-yy"]))
    assert [sheet.ref(i) for i in range(len(sheet))] == ["A1", "A2", "B2", "C2"]
    assert sheet.text.tolist() == ["Name", "2.1%", "TRUE", "1-Mar-24"]
