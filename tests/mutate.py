"""A random generator -> small workbooks with faults: in their XML, their parts, or the bytes of the file."""

from __future__ import annotations

import io
import re
import warnings
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

from openpyxl import Workbook
from openpyxl.comments import Comment
from openpyxl.styles import Font, PatternFill
from openpyxl.worksheet.table import Table

from tests.builders import write_xlsx

Parts = list[tuple[str, bytes]]

NASTY = (
    *("", " ", "0", "-1", "1", "1.5", "1e400", "-1e308", "nan", "INF", "9" * 400, "4294967296", "2147483648"),
    *("1048577", "shared", "array", "dataTable", "s", "str", "d", "e", "inlineStr", "true", "x", "2024-13-45"),
    *("A1", "$A$1", "A0", "XFD1048576", "XFE1", "A1:XFD1048576", "B2:A1", "A:A", "1:1", "A1:", "#REF!"),
    *("../../x.xml", "NULL", "/xl/workbook.xml", "http://a.b/", "&#0;", "&lol;", "_x0000_", "\U0001f600", "\u202e"),
    *("[h]:mm:ss.00000", '0;0;0;0;0"', "[$-", "E+0?/?", "y" * 200),
)
ATTRIBUTE = re.compile(rb'\s([\w:]+)="([^"]*)"')
TEXT = re.compile(rb">([^<>]+)<")
ELEMENT = re.compile(rb"<([\w:]+)(?:\s[^<>]*)?(?:/>|>[^<>]*</\1>)")


def seeds(folder: Path) -> list[Parts]:
    """The packages that are mutated: nested headers, styles and links, formulas, and one written by hand."""
    path = folder / "seed.xlsx"
    packages = []
    for build in (_nested, _decorated, _formulas):
        workbook = Workbook()
        build(workbook)
        workbook.save(path)
        packages.append(unzipped(path.read_bytes()))
    cells = (
        '<row r="1"><c r="A1"><v>1</v></c><c r="C1" t="str"><f t="shared" si="0" ref="C1:C2">A1*2</f><v>2</v></c></row>'
        '<row r="2" hidden="1" outlineLevel="1"><c r="A2" t="d"><v>2024-03-01T00:00:00Z</v></c>'
        '<c r="B2" t="e"><v>#N/A</v></c><c r="C2"><f t="shared" si="0"/><v>4</v></c></row>'
    )
    write_xlsx(path, data=cells, formats=("0.0%", "d-mmm-yy", "[h]:mm"))
    return [*packages, unzipped(path.read_bytes())]


def _nested(workbook: Workbook) -> None:
    sheet = workbook.active
    for row in ([None, 2023, None], ["Region", "Q1", "Q2"], ["North", 10, 12.5], [None, 20, 21], ["Total", 30, 33.5]):
        sheet.append(row)
    sheet.merge_cells("B1:C1")
    sheet.merge_cells("A3:A4")
    sheet.freeze_panes, sheet.print_title_rows = "B3", "1:2"


def _decorated(workbook: Workbook) -> None:
    sheet = workbook.active
    for row in (["Name", "Pay", "Since"], ["Ann", 0.25, 45000], ["Bob", 1234.5, 45001.75]):
        sheet.append(row)
    for ref, code in (("B2", "0.0%"), ("B3", '#,##0.00 "EUR"'), ("C2", "d-mmm-yy"), ("C3", "yyyy-mm-dd hh:mm")):
        sheet[ref].number_format = code
    sheet["A1"].font, sheet["A1"].fill = Font(bold=True, color="FF0000"), PatternFill("solid", fgColor="DDEEFF")
    sheet["A2"].comment, sheet["A3"].hyperlink = Comment("a note", "Ann"), "http://example.org/"
    sheet.add_table(Table(displayName="Staff", ref="A1:C3"))
    sheet.column_dimensions["C"].width = 20


def _formulas(workbook: Workbook) -> None:
    sheet = workbook.active
    for row in (["Item", "Qty", "Sum"], ["Apple", 3, "=B2*2"], ["Pear", 4, "=SUM(B2:B3)"]):
        sheet.append(row)
    sheet.column_dimensions["B"].hidden = True
    other = workbook.create_sheet("Other & <odd>")
    other.append(["النص", "值", True])
    other.sheet_state = "hidden"


def unzipped(content: bytes) -> Parts:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return [(name, archive.read(name)) for name in archive.namelist()]


def zipped(parts: Parts) -> bytes:
    """The package as a file; a name may occur twice."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of names that occur twice
        for name, content in parts:
            archive.writestr(zipfile.ZipInfo(name), content)
    return out.getvalue()


def _replaced(content: bytes, start: int, end: int, by: bytes) -> bytes:
    return content[:start] + by + content[end:]


def _nasty(rng: Random) -> bytes:
    return rng.choice(NASTY).encode("utf-8").replace(b'"', b"&quot;").replace(b"<", b"&lt;")


def _other_value(content: bytes, rng: Random) -> bytes:
    found = [*ATTRIBUTE.finditer(content)]
    return _replaced(content, *rng.choice(found).span(2), _nasty(rng)) if found else content


def _no_attribute(content: bytes, rng: Random) -> bytes:
    found = [*ATTRIBUTE.finditer(content)]
    return _replaced(content, *rng.choice(found).span(), b"") if found else content


def _other_text(content: bytes, rng: Random) -> bytes:
    found = [*TEXT.finditer(content)]
    return _replaced(content, *rng.choice(found).span(1), _nasty(rng)) if found else content


def _other_element(content: bytes, rng: Random) -> bytes:
    """An element less, twice, or in the place of another."""
    found = [*ELEMENT.finditer(content)]
    if not found:
        return content
    one, other = rng.choice(found), rng.choice(found)
    return _replaced(content, *one.span(), rng.choice([b"", one[0] * 2, other[0]]))


def _other_bytes(content: bytes, rng: Random) -> bytes:
    """The content cut, or with a few bytes changed."""
    if rng.random() < 0.3:
        return content[: rng.randrange(len(content) + 1)]
    changed = bytearray(content)
    for _ in range(rng.randint(1, 4)):
        if changed:
            changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return bytes(changed)


WITHIN: tuple[Callable[[bytes, Random], bytes], ...] = (
    *(_other_value, _other_value, _other_value, _no_attribute),
    *(_other_text, _other_text, _other_element, _other_bytes),
)


def mutated(parts: Parts, rng: Random) -> Parts:
    """The package with one to three faults."""
    parts = list(parts)
    for _ in range(rng.randint(1, 3)):
        at = rng.randrange(len(parts))
        name, content = parts[at]
        kind = rng.random()
        if kind < 0.04 and len(parts) > 1:
            del parts[at]
        elif kind < 0.08:
            parts.append((name, _other_value(content, rng)))
        elif kind < 0.11:
            parts[at] = (rng.choice([name.upper(), f"/{name}", name.replace("/", "\\"), parts[0][0]]), content)
        elif kind < 0.14:
            parts[at] = (name, rng.choice(parts)[1])
        else:
            parts[at] = (name, rng.choice(WITHIN)(content, rng))
    return parts


def cases(rng: Random, packages: list[Parts]) -> Iterator[tuple[Parts, bytes]]:
    """Mutated packages and their files; some files are damaged as a whole."""
    while True:
        parts = mutated(rng.choice(packages), rng)
        content = zipped(parts)
        yield parts, _other_bytes(content, rng) if rng.random() < 0.05 else content
