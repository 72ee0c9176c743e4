"""A workbook -> its copy with sheets added and its own sheets tinted, all the rest as it was."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from posixpath import dirname, join, split
from xml.sax.saxutils import quoteattr

from cellroles.label.parts import Parts
from cellroles.label.patch import Unpatchable, append_in, children, count_in, insert_after
from cellroles.label.sheet_xml import safe_text
from cellroles.label.vocabulary import MAIN, looks_xml
from cellroles.reader.package import open_package, relations

RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE_RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
CONTENT_TYPES = "http://schemas.openxmlformats.org/package/2006/content-types"
OFFICE = "application/vnd.openxmlformats-officedocument.spreadsheetml"
WORKBOOK_TYPES = {
    ".xlsx": f"{OFFICE}.sheet.main+xml",
    ".xlsm": "application/vnd.ms-excel.sheet.macroEnabled.main+xml",
}
TYPES = "[Content_Types].xml"
# What the schema (ECMA-376 part 1, 18.2.27, 18.3.1.99, 18.8.39) has before the elements that are added.
BEFORE_NAMES = (
    *("fileVersion", "fileSharing", "workbookPr", "workbookProtection", "bookViews", "sheets"),
    *("functionGroups", "externalReferences"),
)
BEFORE_TINTS = (
    *("sheetPr", "dimension", "sheetViews", "sheetFormatPr", "cols", "sheetData", "sheetCalcPr", "sheetProtection"),
    *("protectedRanges", "scenarios", "autoFilter", "sortState", "dataConsolidate", "customSheetViews", "mergeCells"),
    "phoneticPr",
)
BEFORE_LOOKS = ("numFmts", "fonts", "fills", "borders", "cellStyleXfs", "cellXfs", "cellStyles")
PRIORITY = re.compile(rb'(<(?:[\w.-]+:)?cfRule\b[^>]*?\bpriority=")(\d+)(")')
SHEET_ID = re.compile(rb'\bsheetId="(\d+)"')


@dataclass(frozen=True, slots=True)
class Added:
    """A worksheet to add; `state` is visible, hidden or veryHidden."""

    name: str
    xml: bytes
    state: str = "visible"


@dataclass(frozen=True, slots=True)
class Tint:
    """Conditional formats for a part of the workbook, and how many rules they have."""

    xml: str
    rules: int


@dataclass(frozen=True, slots=True)
class Base:
    """An opened workbook to add to: the names of its workbook and styles parts, the part of every worksheet by its
    name, all sheet names in lower case, and the number that our first look will have among its styles."""

    parts: Parts
    workbook: str
    styles: str
    sheets: Mapping[str, str]
    taken: frozenset[str]
    first_look: int


@contextmanager
def opened(path: Path) -> Iterator[Base]:
    """The workbook as something to add to; Unpatchable where that cannot be done without writing it anew."""
    package = open_package(str(path))
    with package.archive as archive:
        if archive.strict:
            raise Unpatchable("it is strict Open XML")
        workbook = next(
            (link.target for link in relations(archive, "").values() if link.kind == "officeDocument"),
            "xl/workbook.xml",
        )
        if "styles" not in package.parts or not archive.has(_rels(workbook)):
            raise Unpatchable("it has no styles")
        sheets = {sheet.name: sheet.part for sheet in package.sheets if sheet.part and sheet.kind == "worksheet"}
        taken = frozenset(sheet.name.casefold() for sheet in package.sheets)
        parts, styles = Parts(archive), package.parts["styles"]
        for part in (workbook, styles, _rels(workbook), TYPES):
            children(parts.read(part))  # raises here what would be raised later
        yield Base(parts, workbook, styles, sheets, taken, _count_looks(parts.read(styles)))


def add(base: Base, added: Sequence[Added], tints: Mapping[str, Tint], names: Mapping[str, str]) -> list[str]:
    """Add sheets, defined names (name -> reference), looks, and the tints by sheet; the sheets that could not be tinted
    are returned, which are those whose XML is odd."""
    parts = base.parts
    parts.write(base.styles, append_in(parts.read(base.styles), "dxfs", looks_xml(), BEFORE_LOOKS, MAIN))
    _add_sheets(base, added)
    defined = [f'<definedName xmlns="{MAIN}" name="{name}">{safe_text(to)}</definedName>' for name, to in names.items()]
    book = append_in(parts.read(base.workbook), "definedNames", defined, BEFORE_NAMES, MAIN)
    parts.write(base.workbook, book)
    untinted = []
    for name, tint in tints.items():
        try:
            parts.write(base.sheets[name], tinted(parts.read(base.sheets[name]), tint))
        except Unpatchable:
            untinted.append(name)
    return untinted


def tinted(xml: bytes, tint: Tint) -> bytes:
    """A worksheet with conditional formats added, which go before those that it has."""
    later = PRIORITY.sub(lambda match: b"%b%d%b" % (match[1], int(match[2]) + tint.rules, match[3]), xml)
    return insert_after(later, BEFORE_TINTS, tint.xml)


def save(base: Base, path: Path) -> bool:
    """Write the copy; whether macros were left out, which only a file called .xlsm may hold."""
    macros = [link for link in relations(base.parts.archive, base.workbook).values() if link.kind == "vbaProject"]
    keep = path.suffix.lower() == ".xlsm" and bool(macros)
    _set_type(base, WORKBOOK_TYPES[".xlsm" if keep else ".xlsx"])
    if macros and not keep:
        _drop_macros(base, [link.target for link in macros])
    base.parts.save(path)
    return bool(macros) and not keep


def _add_sheets(base: Base, added: Sequence[Added]) -> None:
    parts, folder = base.parts, join(dirname(base.workbook), "worksheets")
    known = max((int(number) for number in SHEET_ID.findall(parts.read(base.workbook))), default=0)
    sheets, links, types = [], [], []
    for number, sheet in enumerate(added, 1):
        part = join(folder, f"cellroles{number}.xml")
        parts.write(part, sheet.xml)
        sheets.append(
            f'<sheet xmlns="{MAIN}" xmlns:r="{RELATIONS}" name={quoteattr(sheet.name)} sheetId="{known + number}" '
            f'state="{sheet.state}" r:id="cellroles{number}"/>'
        )
        links.append(
            f'<Relationship xmlns="{PACKAGE_RELATIONS}" Id="cellroles{number}" Type="{RELATIONS}/worksheet" '
            f'Target="/{part}"/>'
        )
        types.append(_override(part, f"{OFFICE}.worksheet+xml"))
    parts.write(base.workbook, append_in(parts.read(base.workbook), "sheets", sheets, (), MAIN))
    rels = _rels(base.workbook)
    parts.write(rels, _at_end(parts.read(rels), "".join(links)))
    parts.write(TYPES, _at_end(parts.read(TYPES), "".join(types)))


def _set_type(base: Base, kind: str) -> None:
    """Let the package say what the workbook part is."""
    types = base.parts.read(TYPES)
    name = base.parts.name(base.workbook)
    others = [
        types[child.start : child.end]
        for child in children(types)
        if child.name == "Override" and f'"/{name}"'.lower().encode() in types[child.start : child.end].lower()
    ]
    for override in others:
        types = types.replace(override, b"")
    base.parts.write(TYPES, _at_end(types, _override(name, kind)))


def _drop_macros(base: Base, targets: Sequence[str]) -> None:
    """Leave out the parts with macros and the links to them."""
    rels = base.parts.read(_rels(base.workbook))
    for child in reversed(children(rels)):
        if b"vbaProject" in rels[child.start : child.end] and child.name == "Relationship":
            rels = rels[: child.start] + rels[child.end :]
    base.parts.write(_rels(base.workbook), rels)
    for target in targets:
        base.parts.drop(target)


def _at_end(xml: bytes, new: str) -> bytes:
    root_end = children(xml)[-1].start
    return xml[:root_end] + new.encode() + xml[root_end:]


def _override(part: str, kind: str) -> str:
    return f'<Override xmlns="{CONTENT_TYPES}" PartName={quoteattr("/" + part)} ContentType="{kind}"/>'


def _rels(part: str) -> str:
    folder, name = split(part)
    return join(folder, "_rels", f"{name}.rels")


def _count_looks(styles: bytes) -> int:
    found = next((child for child in children(styles) if child.name == "dxfs"), None)
    return count_in(styles[found.content : found.close]) if found else 0
