"""Hypothesis -> random worksheets and the workbooks that openpyxl writes of them."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from hypothesis import strategies as st
from openpyxl import Workbook
from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE
from openpyxl.styles import Alignment, Font, PatternFill

from cellroles.sheet import Region, a1

Place = tuple[int, int]

ROWS, COLS = 9, 7
FORMATS = ("General", "0.0%", "#,##0.00", '#,##0,"k"', "@", "d-mmm-yy", "[h]:mm", '"a";"b";;@', "0.00E+00")
WORDS = (
    "Region", "2023", "Total", "Q1", "North", " indented", "n/a", "Source: survey", "in EUR million", "الإيرادات", "שם",
    "👩‍👩‍👧", "e\u0301\u0323", "\u202eabc\u202c", "值", "ﬀ", "𝒳", "a\nb", "x\ty", "<b>&amp;", "%s %% {0}", "-", "#REF!",
    "TRUE", "1,5", "\ufeffx", "\u200b", "\u00a0", "=", "'quoted", "A1", "<|endoftext|>",
)  # fmt: skip
FORMULAS = ("=SUM(B2:B4)", "=A1", "=1+1", '=CONCATENATE("a","b")', "=B2/C3*100", '=HYPERLINK("http://a.b","x")')


@dataclass(frozen=True)
class RandomTab:
    """A worksheet: values and looks by zero-based place, merged boxes, hidden lines, and cached results of formulas."""

    cells: Mapping[Place, object]
    looks: Mapping[Place, tuple[str, bool, int]]
    merges: tuple[Region, ...]
    hidden_rows: frozenset[int]
    hidden_cols: frozenset[int]
    cached: Mapping[str, float]

    @property
    def filled(self) -> dict[Place, object]:
        """What a reader must find: values that are not blank, outside the covered parts of merges."""
        covered = {place for box in self.merges for place in _places(box)} - {
            (box.top, box.left) for box in self.merges
        }
        return {place: value for place, value in self.cells.items() if place not in covered and value != ""}

    def is_hidden(self, place: Place) -> bool:
        """Whether a cell stands in a hidden row or column."""
        return place[0] in self.hidden_rows or place[1] in self.hidden_cols

    def write(self, path: Path) -> Path:
        """The workbook, by openpyxl; cached results are put in afterwards, as openpyxl writes none."""
        workbook = Workbook()
        sheet = workbook.active
        for (row, col), value in self.cells.items():
            cell = sheet.cell(row + 1, col + 1, value)
            code, bold, indent = self.looks.get((row, col), ("General", False, 0))
            if code != "General":
                cell.number_format = code
            cell.font, cell.alignment = Font(bold=bold), Alignment(indent=indent)
            if bold:
                cell.fill = PatternFill("solid", fgColor="DDEEFF")
        for box in self.merges:
            sheet.merge_cells(box.a1)
        for row in self.hidden_rows:
            sheet.row_dimensions[row + 1].hidden = True
        for col in self.hidden_cols:
            sheet.column_dimensions[a1(0, col)[:-1]].hidden = True
        workbook.save(path)
        return _with_results(path, self.cached) if self.cached else path


def _places(box: Region) -> list[Place]:
    return [(row, col) for row in range(box.top, box.bottom) for col in range(box.left, box.right)]


def _with_results(path: Path, cached: Mapping[str, float]) -> Path:
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    name = "xl/worksheets/sheet1.xml"
    xml = parts[name].decode("utf-8")
    for ref, value in cached.items():
        xml = re.sub(rf'(<c r="{ref}"[^>]*><f>[^<]*</f>)<v\s*/?>(</v>)?', rf"\g<1><v>{value!r}</v>", xml)
    with zipfile.ZipFile(path, "w") as archive:
        for part, content in (parts | {name: xml.encode("utf-8")}).items():
            archive.writestr(part, content)
    return path


def _writable(text: str) -> bool:
    """Texts that openpyxl writes as they are: no control characters, no escapes, no formula, not a carriage return."""
    return not (ILLEGAL_CHARACTERS_RE.search(text) or "\r" in text or "_x" in text or text.startswith("="))


anything = st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff"), max_size=12)
texts = (st.sampled_from(WORDS) | anything).filter(_writable)
numbers = (
    st.integers(-(10**15), 10**15)
    | st.integers(1990, 2030)
    | st.floats(allow_nan=False, allow_infinity=False, width=32)
    | st.sampled_from([0, -0.0, 0.1, 1e-300, 1e300, 99999999999999])
)
dates = st.datetimes(datetime(1900, 3, 1), datetime(9999, 12, 31)).map(lambda moment: moment.replace(microsecond=0))
values = texts | texts | numbers | numbers | st.booleans() | dates | st.sampled_from(FORMULAS)


@st.composite
def boxes(draw: st.DrawFn) -> tuple[Region, ...]:
    """Up to three merged areas that do not overlap."""
    found: list[Region] = []
    for _ in range(draw(st.integers(0, 3))):
        top, left = draw(st.integers(0, ROWS - 2)), draw(st.integers(0, COLS - 2))
        bottom, right = draw(st.integers(top + 1, min(ROWS, top + 4))), draw(st.integers(left + 1, COLS))
        box = Region(top, left, bottom, right)
        free = all(not set(_places(box)) & set(_places(other)) for other in found)
        if free and len(_places(box)) > 1:
            found.append(box)
    return tuple(found)


@st.composite
def tabs(draw: st.DrawFn) -> RandomTab:
    """Grids of any content; some have a header row of years or duplicates, most have blank rows and columns."""
    places = st.tuples(st.integers(0, ROWS - 1), st.integers(0, COLS - 1))
    cells: dict[Place, object] = {}
    if draw(st.booleans()):
        body = draw(st.sampled_from([numbers, texts, values]))
        heads = draw(st.sampled_from([texts, st.integers(2019, 2024), st.just("Qty")]))
        top, bottom, right = draw(st.integers(0, 2)), draw(st.integers(3, ROWS)), draw(st.integers(2, COLS))
        cells |= {(top, col): draw(heads) for col in range(right)}
        cells |= {(row, 0): draw(texts) for row in range(top + 1, bottom)}
        cells |= {(row, col): draw(body) for row in range(top + 1, bottom) for col in range(1, right)}
        for gone in draw(st.sets(places, max_size=4)):
            cells.pop(gone, None)
    cells |= draw(st.dictionaries(places, values, max_size=14))
    cells = {place: value for place, value in cells.items() if value is not None}
    looks = draw(
        st.dictionaries(places, st.tuples(st.sampled_from(FORMATS), st.booleans(), st.integers(0, 3)), max_size=8)
    )
    looks = {place: look for place, look in looks.items() if not isinstance(cells.get(place), datetime)}
    formulas = [a1(*place) for place, value in cells.items() if isinstance(value, str) and value.startswith("=")]
    cached = draw(st.dictionaries(st.sampled_from(formulas), st.integers(-99, 99).map(float))) if formulas else {}
    hidden = st.frozensets(st.integers(0, COLS - 1), max_size=1)
    return RandomTab(cells, looks, draw(boxes()), draw(hidden), draw(hidden), cached)
