"""File -> opened Office package: its sheets, shared strings and date system; whatever is no xlsx is refused by name."""

from __future__ import annotations

import re
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from posixpath import dirname, join, normpath, split
from sys import getsizeof
from xml.etree.ElementTree import Element, ParseError

from cellroles.errors import (
    CorruptWorkbook,
    NotASpreadsheet,
    PasswordProtected,
    TooLarge,
    UnsupportedFormat,
    WorkbookError,
)
from cellroles.limits import DEFAULT, Limits, OverLimit, require_at_most
from cellroles.reader.container import STRICT, LenientZip
from cellroles.reader.stream import elements, tree

MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
RELATIONSHIP_ID = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
OLE_MAGIC = b"\xd0\xcf\x11\xe0"
BIFF_MAGIC = (b"\x09\x08", b"\x09\x04", b"\x09\x02", b"\x09\x00")
ENCRYPTED_STREAM = "EncryptedPackage".encode("utf-16-le")
ESCAPE = re.compile(r"_x([0-9A-Fa-f]{4})_")
FAULTS = (
    KeyError,
    IndexError,
    ValueError,
    TypeError,
    AttributeError,
    OverflowError,
    EOFError,
    RuntimeError,
    RecursionError,
    ParseError,
    zipfile.BadZipFile,
    zlib.error,
)


@dataclass(frozen=True, slots=True)
class Relation:
    """A link from one part to another (`target` is a path in the package, or a URL if `external`)."""

    kind: str
    target: str
    external: bool


@dataclass(frozen=True, slots=True)
class SheetPart:
    """A sheet as the workbook lists it; `part` is None where the package lacks it, `index` counts all sheets."""

    index: int
    name: str
    state: str
    kind: str
    part: str | None


@dataclass(frozen=True, slots=True, eq=False)
class Package:
    """An opened workbook; `strings` are the shared strings in order, None for those that show nothing; `unlisted` are
    worksheet parts that belong to no sheet."""

    path: str
    archive: LenientZip
    sheets: tuple[SheetPart, ...]
    date1904: bool
    strings: list[str | None]
    parts: dict[str, str] = field(default_factory=dict)
    print_titles: dict[int, str] = field(default_factory=dict)
    limits: Limits = DEFAULT
    unlisted: tuple[str, ...] = ()


@contextmanager
def faults(path: str, where: str) -> Iterator[None]:
    """Turn whatever a part raises into CorruptWorkbook or TooLarge that names the file, the place and the cause."""
    try:
        yield
    except WorkbookError:
        raise
    except OverLimit as error:
        raise TooLarge(f"{path}: {where} is not read: {error}") from error
    except FAULTS as error:
        cause = error.args[0] if isinstance(error, KeyError) and error.args else error
        raise CorruptWorkbook(f"{path}: {where} cannot be read: {cause}") from error


def open_package(path: str, limits: Limits = DEFAULT) -> Package:
    """Open a workbook and read what all its sheets share.

    Raises: NotASpreadsheet, PasswordProtected, UnsupportedFormat, CorruptWorkbook, TooLarge; OSError if there is no
    such file.
    """
    refuse_other_formats(path)
    with faults(path, "the zip container"):
        archive = LenientZip(path, limits)
    try:
        with faults(path, "the workbook"):
            return _package(path, archive)
    except BaseException:  # whatever ends the reading, an interruption too, must not leave the file open
        archive.close()
        raise


def refuse_other_formats(path: str) -> None:
    """Raise the error that fits if the first bytes of the file are not those of a zip."""
    with Path(path).open("rb") as file:
        head = file.read(4096)
        if head.startswith(b"PK"):
            return
        if head.startswith(OLE_MAGIC):
            if ENCRYPTED_STREAM in head + file.read():
                raise PasswordProtected(f"{path}: the workbook is encrypted; save it without a password first")
            raise UnsupportedFormat(f"{path}: a legacy Excel workbook (.xls), not .xlsx or .xlsm")
    if not head.strip():
        raise NotASpreadsheet(f"{path}: the file is empty")
    if head.startswith(BIFF_MAGIC):
        raise UnsupportedFormat(f"{path}: a legacy Excel workbook (.xls), not .xlsx or .xlsm")
    if b"\0" in head:
        raise NotASpreadsheet(f"{path}: a binary file that is no spreadsheet")
    is_markup = head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<")
    raise UnsupportedFormat(f"{path}: {'HTML or XML' if is_markup else 'text (CSV?)'}, not .xlsx or .xlsm")


def xml_root(archive: LenientZip, part: str) -> Element:
    """The root element of a part.

    Raises: KeyError where the package lacks it, ParseError where it is no XML, OverLimit where it is too large or has a
    DTD.
    """
    return tree(archive.whole(part))


def relations(archive: LenientZip, part: str) -> dict[str, Relation]:
    """The relations of a part by their id, targets as paths in the package; empty where it has none."""
    folder, name = split(part)
    rels = join(folder, "_rels", f"{name}.rels")
    if not archive.has(rels):
        return {}
    found = {}
    for item in xml_root(archive, rels):
        target, external = item.get("Target", ""), item.get("TargetMode") == "External"
        if not external:
            target = target.replace("\\", "/")
            target = target.lstrip("/") if target.startswith("/") else normpath(join(dirname(part), target))
        found[item.get("Id", "")] = Relation(item.get("Type", "").rsplit("/", 1)[-1], target, external)
    return found


def _package(path: str, archive: LenientZip) -> Package:
    part = _workbook_part(path, archive)
    if archive.getinfo(part).flag_bits & 1:
        raise PasswordProtected(f"{path}: the zip container is encrypted")
    archive.strict = STRICT in archive.whole(part)[:4096]
    root, links = xml_root(archive, part), relations(archive, part)
    sheets = tuple(
        _sheet_part(archive, index, item, links)
        for index, item in enumerate(root.iterfind(f"{MAIN}sheets/{MAIN}sheet"))
    )
    require_at_most(len(sheets), archive.limits.sheets, "sheets", "sheets")
    if not sheets:
        raise CorruptWorkbook(f"{path}: the workbook lists no sheets")
    parts = {link.kind: link.target for link in links.values() if archive.has(link.target)}
    worksheets = {link.target for link in links.values() if link.kind == "worksheet" and archive.has(link.target)}
    properties = root.find(f"{MAIN}workbookPr")
    return Package(
        path,
        archive,
        sheets,
        properties is not None and properties.get("date1904") in ("1", "true"),
        shared_strings(archive, parts["sharedStrings"]) if "sharedStrings" in parts else [],
        parts,
        _print_titles(root),
        archive.limits,
        tuple(sorted(worksheets - {sheet.part for sheet in sheets})),
    )


def _workbook_part(path: str, archive: LenientZip) -> str:
    try:
        documents = [link.target for link in relations(archive, "").values() if link.kind == "officeDocument"]
    except ParseError:
        documents = []
    part = next((name for name in [*documents, "xl/workbook.xml"] if archive.has(name)), "")
    if part.endswith(".bin") or archive.has("xl/workbook.bin"):
        raise UnsupportedFormat(f"{path}: a binary Excel workbook (.xlsb), not .xlsx or .xlsm")
    if archive.has("mimetype") and b"opendocument" in archive.whole("mimetype"):
        raise UnsupportedFormat(f"{path}: an OpenDocument file, not .xlsx or .xlsm")
    if not part or not xml_root(archive, part).tag.endswith("}workbook"):
        raise NotASpreadsheet(f"{path}: a zip file without a workbook inside")
    return part


def _sheet_part(archive: LenientZip, index: int, item: Element, links: dict[str, Relation]) -> SheetPart:
    link = links.get(item.get(RELATIONSHIP_ID, ""))
    part = link.target if link and archive.has(link.target) else None
    kind = link.kind if link else "worksheet" if item.get(RELATIONSHIP_ID) else "entry"
    return SheetPart(index, item.get("name", f"Sheet{index + 1}"), item.get("state", "visible"), kind, part)


def _print_titles(root: Element) -> dict[int, str]:
    names = root.iterfind(f"{MAIN}definedNames/{MAIN}definedName")
    return {
        int(item.get("localSheetId", "-1")): item.text or ""
        for item in names
        if item.get("name") == "_xlnm.Print_Titles"
    }


def shared_strings(archive: LenientZip, part: str) -> list[str | None]:
    """The plain text of every shared string; None for white space alone, which fills no cell."""
    strings: list[str | None] = []
    size, most = 0, archive.limits.strings_bytes
    with archive.open(part) as source:
        for element in elements(source, [f"{MAIN}si"], archive.limits):
            text = plain_text(element) or None
            size += getsizeof(text)
            if size > most:
                raise OverLimit(f"its shared strings take more than {most:,} bytes of memory (limit `strings_bytes`)")
            strings.append(text)
    return strings


def plain_text(element: Element) -> str:
    """The text of a string item without its runs' formatting and phonetic hints; empty if all white space.

    Escapes (ECMA-376 part 1, 22.4.2.4) are resolved and line ends are single newlines.
    """
    if len(element) == 1 and not len(element[0]):
        text = element[0].text or ""
    else:
        runs = (run.find(f"{MAIN}t") if run.tag == f"{MAIN}r" else run for run in element)
        text = "".join(run.text or "" for run in runs if run is not None and run.tag == f"{MAIN}t")
    return clean_text(text)


def clean_text(text: str) -> str:
    """A cell's string with escapes resolved; empty if it shows nothing.

    >>> clean_text("two_x000D_ lines"), clean_text("  "), clean_text("_x005F_x000D_")
    ('two\\n lines', '', '_x000D_')
    """
    if "_x" in text:
        text = ESCAPE.sub(lambda match: chr(int(match[1], 16)), text)
        # Characters beyond 16 bits are escaped as two halves.
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text if text.strip() else ""
