"""Sheet -> SpreadsheetLLM's map of it: where things stand, each text once, and numbers as marks of their kind.

SheetCompressor of SpreadsheetLLM (Dong et al. 2024, arXiv 2407.09025) in its three steps: rows and columns more than
k = 4 from a structural anchor are left out (`chunkers.baselines.skeleton`); a text is written once with all its
addresses; numbers become marks such as `IntNum` with the ranges that they fill. Such a map answers nothing. Stage 2,
Chain-of-Spreadsheet, shows it to a language model, which points at a range whose cells are then read again
(`cells_text`). Answers therefore need a language model behind an endpoint.

Where we differ: a map over the budget is cut into several chunks, each opened by the sheet name and title that other
chunkers print; addresses are those of the sheet, not of the skeleton, so that a range can be read again, and ranges of
numbers are taken over all cells, so that rows left out break none. A cell left out is owned, as provenance only, with
the cell mapped before it. The text attaches no header to a value, so neither do the citations.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from cellroles.sheet import AnnotatedSheet, Chunk, Ints, Kind, Region, Sheet
from chunkers.base import ChunkMaker
from chunkers.baselines.rows import Scopes, block_chunk
from chunkers.baselines.skeleton import near_anchors, rectangles
from chunkers.budget import Item, pack
from chunkers.view import View, one_line

MOST_ADDRESSES = 40  # in one entry; more make a further entry
_EMAIL = re.compile(r"[\w.+-]+@[\w-]+(\.[\w-]+)+")
_MARKS = (
    ("PercentageNum", re.compile(r".*%")),
    ("CurrencyData", re.compile(r".*[$€£¥₹].*")),
    ("ScientificNum", re.compile(r".*\d[Ee][+-]?\d+")),
    ("YearData", re.compile(r"(19|20)\d\d")),
    ("IntNum", re.compile(r"[-+(]?\d[\d,' ]*\)?")),
)


def sheetcompressor_chunks(
    annotated: AnnotatedSheet, *, max_tokens: int = 512, repeat_headers: bool = True
) -> Iterator[Chunk]:
    """The map in the order of first addresses; `repeat_headers` changes nothing, as no header is repeated."""
    if not len(annotated.sheet):
        return
    view = View(annotated, repeat_headers)
    maker, scopes = ChunkMaker(view, "sheetcompressor"), Scopes(view, max_tokens)
    for piece in pack(_entries(view), max_tokens, lambda item: scopes.at(item.cells[0]).head):
        yield block_chunk(maker, "text", piece, scopes.at(piece.items[0].cells[0]), {})


def cells_text(sheet: Sheet, region: Region) -> str:
    """The filled cells of a region as stage 2 reads them: `A1,Year|B1,Sales`, a row a line; empty if there are none."""
    inside = (sheet.row >= region.top) & (sheet.row < region.bottom)
    inside &= (sheet.col >= region.left) & (sheet.col < region.right)
    lines: dict[int, list[str]] = {}
    for i in np.flatnonzero(inside).tolist():
        lines.setdefault(int(sheet.row[i]), []).append(f"{sheet.ref(i)},{one_line(str(sheet.text[i]))}")
    return "\n".join("|".join(cells) for cells in lines.values())


def number_mark(kind: int, text: str) -> str:
    """The paper's mark for a number, a date or an address of electronic mail as it is shown; empty for a text.

    >>> number_mark(Kind.NUMBER, "2.1%"), number_mark(Kind.NUMBER, "1,024"), number_mark(Kind.TEXT, "Total")
    ('PercentageNum', 'IntNum', '')
    """
    if kind == Kind.DATE:
        return "TimeData" if ":" in text and not re.search(r"\d[-/. ]", text) else "DateData"
    if kind != Kind.NUMBER:
        return "EmailData" if _EMAIL.fullmatch(text) else ""
    return next((mark for mark, pattern in _MARKS if pattern.fullmatch(text)), "FloatNum")


def _entries(view: View) -> Iterator[Item]:
    """`(text|A1,C3:C9)` lines by first address; together they own every cell."""
    sheet = view.sheet
    texts = view.shown_all(range(len(sheet)))
    marks = [number_mark(kind, text) for kind, text in zip(sheet.kind.tolist(), texts, strict=True)]
    said = [mark or text for mark, text in zip(marks, texts, strict=True)]
    mapped = np.array([bool(mark) for mark in marks]) | near_anchors(sheet.row, sheet.col, _looks(sheet, marks))
    mapped = mapped if mapped.any() else np.ones(len(sheet), np.bool_)
    numbers: dict[str, int] = {}
    group = np.array([numbers.setdefault(text, len(numbers)) for text in said], np.int32)
    boxes, of = rectangles(sheet.row[mapped], sheet.col[mapped], group[mapped])
    entry, first = _numbered_entries(of, np.flatnonzero(mapped), group)
    owner = entry[of][np.maximum(np.cumsum(mapped) - 1, 0)]  # a cell left out is with the cell mapped before it
    cells, places = _members(owner, len(first)), _members(entry, len(first))
    for e in np.argsort(first).tolist():
        where = ",".join(Region(*box).a1 for box in boxes[places[e]].tolist())
        own = tuple(cells[e].tolist())
        yield Item(f"({said[first[e]]}|{where})", own, own)


def _looks(sheet: Sheet, marks: list[str]) -> Ints:
    """A number for what a cell is like: its kind of content, and how it is set."""
    styles = [(style.bold, style.fill, style.border) for style in sheet.styles]
    seen: dict[object, int] = {}
    looks = zip(sheet.kind.tolist(), marks, sheet.style.tolist(), strict=True)
    return np.array([seen.setdefault((kind, mark, styles[s]), len(seen)) for kind, mark, s in looks], np.int32)


def _numbered_entries(of: Ints, mapped: NDArray[np.int64], group: Ints) -> tuple[Ints, Ints]:
    """The entry of each rectangle, and the first cell of each entry; up to 40 rectangles of one text share one."""
    first = mapped[np.unique(of, return_index=True)[1]]
    kind = group[first]
    order = np.lexsort((first, kind))
    starts = np.flatnonzero(np.diff(kind[order], prepend=-1))
    rank = np.arange(len(order)) - np.repeat(starts, np.diff(starts, append=len(order)))
    entry = np.empty(len(order), np.int32)
    entry[order] = np.cumsum(rank % MOST_ADDRESSES == 0) - 1
    return entry, first[order[rank % MOST_ADDRESSES == 0]]


def _members(number: Ints, count: int) -> list[NDArray[np.int64]]:
    """The positions of each of `count` numbers."""
    order = np.argsort(number, kind="stable")
    return np.split(order, np.searchsorted(number[order], np.arange(1, count)))
