"""Bytes of a file -> the format it is in, whatever its name says; what cannot be read is refused by name."""

from __future__ import annotations

import re
from pathlib import Path

from cellroles.errors import CorruptWorkbook, NotASpreadsheet, PasswordProtected, UnsupportedFormat
from cellroles.limits import DEFAULT, Limits, require_at_most
from cellroles.reader.container import LenientZip
from cellroles.reader.package import faults

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
# Excel 2 to 4 wrote a bare stream of records; its first record says which version.
BARE_BIFF = re.compile(
    rb"\x09[\x00\x02\x04](?:\x04|\x06|\x08)\x00..[\x10\x20\x40\x00]|\x09\x08[\x04\x08\x10]\x00", re.DOTALL
)
HEAD = 65536
# Names of streams in an OLE container, first match first.
STREAMS = {"EncryptedPackage": "", "Workbook": "xls", "Book": "xls", "WordDocument": "Word", "PowerPoint": "PowerPoint"}
# Parts that tell what a zip is, first match first; a reader's name or what to call it in the refusal.
PARTS = {
    "xl/workbook.bin": "xlsb",
    "xl/workbook.xml": "xlsx",
    "word/document.xml": "Word document",
    "ppt/presentation.xml": "PowerPoint presentation",
    "index/document.iwa": "Apple Numbers, Pages or Keynote document",
    "index.zip": "Apple Numbers, Pages or Keynote document",
}
READ = ("xlsx", "xlsb", "xls", "ods")
MAGIC = {
    b"%PDF-": "a PDF document",
    b"{\\rtf": "a rich text document",
    b"\x1f\x8b": "a gzip archive",
    b"7z\xbc\xaf": "a 7z archive",
    b"Rar!": "a RAR archive",
    b"PAR1": "a Parquet file",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
    b"GIF8": "a picture",
    b"SQLite format 3": "an SQLite database",
    b"WKS": "a Lotus or Works spreadsheet",
}
CONTROLS = [code for code in range(32) if code not in (9, 10, 11, 12, 13, 26, 27)]
MARKS = {
    b"\xef\xbb\xbf": "utf-8-sig",
    b"\xff\xfe\x00\x00": "utf-32",
    b"\x00\x00\xfe\xff": "utf-32",
    b"\xff\xfe": "utf-16",
    b"\xfe\xff": "utf-16",
}
MARKUP = re.compile(r"[\ufeff\s]*<[!?/A-Za-z]")
# A page and its sheets in one file, as Excel writes "single file web pages".
WEB_ARCHIVE = re.compile(r"(?:[\w-]+:.*\r?\n)*?MIME-Version:", re.IGNORECASE)
TABLE = re.compile(rb"<(?:\w+:)?table[\s>]", re.IGNORECASE)
NAMESPACES = {
    "urn:schemas-microsoft-com:office:spreadsheet": "an XML Spreadsheet 2003",
    "urn:oasis:names:tc:opendocument:xmlns:office": "a flat OpenDocument file",
}
JSON = re.compile(r'\s*(?:\{\s*["}]|\[\s*[\[{"])')


def sniff(path: str, limits: Limits = DEFAULT) -> str:
    """`xlsx` (also xlsm and strict Open XML), `xlsb`, `ods`, `xls`, `html` or `text`, by content alone.

    Raises: NotASpreadsheet, UnsupportedFormat, PasswordProtected or TooLarge; OSError
    where the file cannot be opened.
    """
    file = Path(path)
    with faults(path, "the file"):
        require_at_most(file.stat().st_size, limits.file_bytes, "bytes", "file_bytes")
    with file.open("rb") as source:
        head = source.read(HEAD)
    if not head.strip():
        raise NotASpreadsheet(f"{path}: the file is empty")
    if head.startswith(b"PK"):
        return _zip_format(path, limits)
    if head.startswith(OLE[:4]):
        return _ole_format(path, file.read_bytes())
    if BARE_BIFF.match(head):
        return "xls"
    return _text_format(path, head, file)


def _zip_format(path: str, limits: Limits) -> str:
    try:
        with faults(path, "the zip container"), LenientZip(path, limits) as archive:
            found = next((kind for part, kind in PARTS.items() if archive.has(part)), "")
            if not found and (archive.has("content.xml") or archive.has("mimetype")):
                found = _open_document(path, archive)
    except CorruptWorkbook:
        return "xlsx"  # that the directory is broken does not mean that no reader finds the parts
    if found and found not in READ:
        raise UnsupportedFormat(f"{path}: a {found}, which is not read")
    return found or "xlsx"


def _open_document(path: str, archive: LenientZip) -> str:
    head, manifest = (
        archive.open(part).read(HEAD) if archive.has(part) else b"" for part in ("mimetype", "META-INF/manifest.xml")
    )
    if b"encryption-data" in manifest:
        raise PasswordProtected(f"{path}: the document is encrypted; save it without a password first")
    if b"opendocument.spreadsheet" in head + manifest:
        return "ods"
    return "OpenDocument file without cells" if b"opendocument" in head + manifest else ""


def _ole_format(path: str, content: bytes) -> str:
    name = next((name for name in STREAMS if name.encode("utf-16-le") + b"\0\0" in content), "")
    if name == "EncryptedPackage":
        raise PasswordProtected(f"{path}: the workbook is encrypted; save it without a password first")
    if not name:
        raise NotASpreadsheet(f"{path}: an OLE container without a workbook inside")
    if STREAMS[name] not in READ:
        raise UnsupportedFormat(f"{path}: a {STREAMS[name]} document, which is not read")
    return "xls"


def _text_format(path: str, head: bytes, file: Path) -> str:
    known = next((what for magic, what in MAGIC.items() if head.startswith(magic)), "")
    if known:
        raise NotASpreadsheet(f"{path}: {known}, no spreadsheet")
    text = decoded_head(head)
    if text is None:
        raise NotASpreadsheet(f"{path}: a binary file that is no spreadsheet")
    if WEB_ARCHIVE.match(text) or MARKUP.match(text):
        return _markup_format(path, text, file)
    if JSON.match(text):
        raise NotASpreadsheet(f"{path}: JSON, no spreadsheet")
    return "text"


def _markup_format(path: str, text: str, file: Path) -> str:
    kind = next((kind for name, kind in NAMESPACES.items() if name in text), "")
    if kind:
        raise UnsupportedFormat(f"{path}: {kind}, which is not read; save it as .xlsx first")
    content = file.read_bytes().replace(b"\0", b"")
    if TABLE.search(content) is None:
        raise NotASpreadsheet(f"{path}: HTML or XML without a table")
    return "html"


def decoded_head(head: bytes) -> str | None:
    """The start of a text file, undecodable bytes replaced; None for bytes that are no text.

    >>> decoded_head("a;b".encode("utf-16")), decoded_head(b"\\x00\\x01")
    ('a;b', None)
    """
    encoding = wide_encoding(head)
    if encoding is None and b"\0" in head:
        return None
    text = head.decode(encoding or "utf-8", "replace")
    controls = sum(text.count(chr(code)) for code in CONTROLS)
    return None if controls > len(text) // 100 else text


def wide_encoding(head: bytes) -> str | None:
    """The encoding of text that starts with a byte order mark, or whose every second byte is mostly zero."""
    for mark, encoding in MARKS.items():
        if head.startswith(mark):
            return encoding
    pairs = len(head) // 2
    if pairs > 1 and 2 * head[1::2].count(0) > pairs and not head[0::2].count(0):
        return "utf-16-le"
    if pairs > 1 and 2 * head[0::2].count(0) > pairs and not head[1::2].count(0):
        return "utf-16-be"
    return None
