"""HTML tables (a web page saved or exported as .xls) -> sheets, one per table, with what stands above it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from email import message_from_bytes
from pathlib import Path

from bs4 import BeautifulSoup, Tag
from bs4.element import NavigableString, PageElement

from cellroles.errors import NotASpreadsheet
from cellroles.limits import Limits
from cellroles.reader.literals import Locale, locale_of, typed
from cellroles.reader.package import faults
from cellroles.reader.raw import RawSheet, sheets_from
from cellroles.reader.sniff import WEB_ARCHIVE
from cellroles.sheet import Sheet, Style

LOST = ("number formats", "comments", "formulas", "column widths")
# What ends a line; text between two of these is one paragraph.
BLOCKS = [
    "p",
    "div",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "li",
    "tr",
    "td",
    "th",
    "caption",
    "dt",
    "dd",
    "pre",
    "center",
]
EMPHASIS = {"b", "strong", "i", "em"}
UNSEEN = {"script", "style", "head", "title", "xml", "noscript", "template"}
# Names that Excel writes for the sheets of a page.
SHEET_NAME = re.compile(r"<x:Name>([^<]*)</x:Name>", re.IGNORECASE)
MOST_SPANNED = {"rowspan": 65_534, "colspan": 1_000}  # the HTML standard's
HEX_COLOR = re.compile(r"#([0-9a-fA-F]{6})\b")
BACKGROUND = re.compile(r"background(?:-color)?\s*:\s*#([0-9a-fA-F]{6})\b")
BOLD = re.compile(r"font-weight\s*:\s*(?:bold|[6-9]00)")
ITALIC = re.compile(r"font-style\s*:\s*italic")
ALIGN = re.compile(r"text-align\s*:\s*(left|center|right)")
HIDDEN = re.compile(r"display\s*:\s*none")
BLANKS = re.compile(r"\s+")
PLAIN_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")
AS_TEXT = re.compile(r"mso-number-format\s*:\s*[\"']?\\+@")


def read_html(path: str, limits: Limits) -> Iterator[Sheet]:
    """A sheet per table, nested ones too; paragraphs before a table stand in rows above it, those at the end below.

    Cells show what the page shows; `th` and bold text are bold, `rowspan` and `colspan` are merges.
    """
    raws: list[RawSheet] = []
    with faults(path, "the page"):
        for page in pages(Path(path).read_bytes()):
            raws += sheets_of_page(page, len(raws) + 1)
    if not raws:
        raise NotASpreadsheet(f"{path}: no table in this page is shown")
    yield from sheets_from(raws, path, "html", limits)


def sheets_of_page(page: bytes, first: int) -> list[RawSheet]:
    """The sheets of one page; those without a name of their own are numbered from `first`."""
    soup = BeautifulSoup(page, "html.parser")
    names = [name.strip() for name in SHEET_NAME.findall(str(soup))]
    tables = [table for table in soup.find_all("table") if is_seen(table)]
    loose = paragraphs(soup)
    raws = []
    for number, table in enumerate(tables):
        above = [text for before, text in loose if before == number]
        below = [text for before, text in loose if before > number] if number == len(tables) - 1 else []
        name = names[number] if len(names) == len(tables) else f"Table {first + number}"
        raws.append(sheet_of_table(table, name, above, below))
    return raws


def pages(content: bytes) -> list[bytes]:
    """The pages of a file: of a web archive (MHTML, RFC 2557) those inside it, else the file."""
    if not WEB_ARCHIVE.match(content[:4096].decode("latin-1")):
        return [content]
    parts = (part for part in message_from_bytes(content).walk() if part.get_content_type() == "text/html")
    return [payload for part in parts if isinstance(payload := part.get_payload(decode=True), bytes)]


def paragraphs(soup: Tag) -> list[tuple[int, str]]:
    """The text outside of tables by paragraph: how many tables open before it, and the text."""
    found: list[tuple[int, str]] = []
    tables, block = 0, None
    for node in soup.descendants:
        if isinstance(node, Tag):
            tables += node.name == "table" and is_seen(node)
        elif text := shown_text(node):
            parents = [parent.name for parent in node.parents]
            holder = next((parent for parent in node.parents if parent.name in BLOCKS), None)
            if "table" in parents or not UNSEEN.isdisjoint(parents):
                continue
            if found and found[-1][0] == tables and holder is block:
                found[-1] = (tables, f"{found[-1][1]} {text}")
            else:
                found.append((tables, text))
            block = holder
    return found


def shown_text(node: PageElement) -> str:
    """A string of the page with single blanks; empty for comments and declarations."""
    return " ".join(str(node).split()) if type(node) is NavigableString else ""


def is_seen(tag: Tag) -> bool:
    """Whether no element around it or itself is hidden."""
    return not any(HIDDEN.search(str(parent.get("style", "")).lower()) for parent in (tag, *tag.parents))


def sheet_of_table(table: Tag, name: str, above: list[str], below: list[str]) -> RawSheet:
    """The sheet of a table, paragraphs around it in the first column with a blank row between."""
    raw = RawSheet(name, lost=LOST)
    cells = [cell for row in own(table, ["tr"]) for cell in own(row, ["td", "th"], table)]
    locale = locale_of({cell_text(cell) for cell in cells})
    for number, text in enumerate(above):
        raw.add(number, 0, text, Style(), shown=text)
    row = len(above) + bool(above)
    taken: set[tuple[int, int]] = set()
    hidden = set()
    for line in own(table, ["caption", "tr"]):
        if not is_seen(line):
            hidden.add(row)
        _add_row(raw, row, [line] if line.name == "caption" else own(line, ["td", "th"], table), table, taken, locale)
        row += 1
    for number, text in enumerate(below, row + 1):
        raw.add(number, 0, text, Style(), shown=text)
    raw.extras = {"hidden_rows": frozenset(hidden)}
    return raw


def own(tag: Tag, names: list[str], table: Tag | None = None) -> list[Tag]:
    """The elements inside a tag that belong to its table, not to one nested in it."""
    return [found for found in tag.find_all(names) if found.find_parent("table") is (table or tag)]


def _add_row(
    raw: RawSheet, row: int, cells: list[Tag], table: Tag, taken: set[tuple[int, int]], locale: Locale
) -> None:
    """Append the cells of a row at the columns that spans from above leave free (HTML standard, 4.9.12)."""
    col = 0
    for cell in cells:
        while (row, col) in taken:
            col += 1
        height, width = (_span(cell, name) for name in ("rowspan", "colspan"))
        if height * width > 1:
            raw.merges.append((row, col, row + height, col + width))
            taken.update((r, c) for r in range(row, row + height) for c in range(col, col + width))
        text = cell_text(cell)
        if text:
            value, form = _value(cell, text, locale)
            raw.add(row, col, value, _style(cell, form.number_format), shown=text)
        col += width


def _span(cell: Tag, name: str) -> int:
    value = str(cell.get(name, "1")).strip()
    return max(1, min(int(value) if value.isdecimal() else 1, MOST_SPANNED[name]))


def cell_text(cell: Tag) -> str:
    """What a cell shows; line breaks and blocks inside it are new lines, tables inside it are sheets of their own."""
    lines = (" ".join(line.split()) for line in "".join(_pieces(cell)).split("\n"))
    return "\n".join(line for line in lines if line)


def _pieces(tag: Tag) -> Iterator[str]:
    for node in tag.children:
        if type(node) is NavigableString:
            yield BLANKS.sub(" ", node)
        elif isinstance(node, Tag) and node.name != "table" and node.name not in UNSEEN:
            ends_line = node.name == "br" or node.name in BLOCKS
            yield "\n" if ends_line else ""
            yield from _pieces(node)
            yield "\n" if ends_line else ""


def _value(cell: Tag, text: str, locale: Locale) -> tuple[object, Style]:
    """The value behind a cell: the one that Excel (`x:num`) or LibreOffice (`sdval`) wrote, else what the text says."""
    shown = (text, Style()) if AS_TEXT.search(str(cell.get("style", ""))) else typed(text, locale)
    written = str(cell.get("sdval") or cell.get("x:num") or "")
    if isinstance(shown[0], int | float) and not isinstance(shown[0], bool) and PLAIN_NUMBER.fullmatch(written):
        return float(written), shown[1]
    return shown


def _style(cell: Tag, number_format: str) -> Style:
    """The looks that a table cell says itself or by the tags around all of its text."""
    inner = cell.find_all(True)
    css = " ".join(str(tag["style"]).lower() for tag in (cell, *inner) if tag.has_attr("style"))
    marked = [tag for tag in inner if tag.name in EMPHASIS]
    around = {tag.name for tag in marked if tag.get_text(strip=True) == cell.get_text(strip=True)}
    fill, align = BACKGROUND.search(css), ALIGN.search(css)
    color = fill or HEX_COLOR.fullmatch(str(cell.get("bgcolor", "")))
    named = str(cell.get("align", "")).lower()
    return Style(
        bold=cell.name == "th" or bool(around & {"b", "strong"} or BOLD.search(css)),
        italic=bool(around & {"i", "em"} or ITALIC.search(css)),
        fill=color[1].upper() if color else "",
        align=align[1] if align else named if named in ("left", "center", "right") else "",
        number_format=number_format,
    )
