from __future__ import annotations

from pathlib import Path

import pytest

from cellroles import read_workbook
from tests.builders import write_xlsx


@pytest.mark.parametrize(("views", "expected"), [('<sheetView rightToLeft="1"/>', True), ("<sheetView/>", False)])
def test_sheets_know_their_direction(tmp_path: Path, views: str, expected: bool) -> None:
    book = write_xlsx(tmp_path / "book.xlsx", [["a", 1]], before=f"<sheetViews>{views}</sheetViews>")
    assert [sheet.right_to_left for sheet in read_workbook(book)] == [expected]
