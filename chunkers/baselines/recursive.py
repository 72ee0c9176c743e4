"""Sheet -> windows of its CSV text, as LangChain's RecursiveCharacterTextSplitter cuts it: 512 tokens, overlap 100.

The general-purpose splitter of many pipelines, on the sheet's rows as comma-separated display texts (line breaks inside
a cell are kept, quoted as CSV has it). Sizes are exact cl100k tokens. Where we differ: every chunk opens with the sheet
name and title that the other chunkers print, inside the budget; columns without any cell are left out; a window that
the splitter makes too long is cut; the overlap shrinks in proportion to a smaller budget. Where equal rows repeat, a
window is found at the last place that leaves no gap. The text attaches no header to a value, so neither do citations.

With `by_record` every row is a document of its own, as LangChain's loader of CSV files feeds the splitter. Windows over
the whole text are the default, as they are fewer and fuller.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np

from cellroles.sheet import AnnotatedSheet, Chunk, CitedCell, Ints
from chunkers.base import ChunkMaker
from chunkers.baselines.placed import Placed, Span, holdings, located
from chunkers.baselines.rows import Scopes, populated_rows, raw_text
from chunkers.budget import count_tokens, split_text
from chunkers.view import View

CHUNK_SIZE, OVERLAP = 512, 100  # tokens; the STC paper's setting
_QUOTED = re.compile(r'[,"\n\r]')
_SPACE = re.compile(r"\s*")


def recursive_chunks(
    annotated: AnnotatedSheet, *, max_tokens: int = 512, repeat_headers: bool = True, by_record: bool = False
) -> Iterator[Chunk]:
    """Windows over all rows of the sheet; `repeat_headers` changes nothing, as no header is repeated.

    Raises ImportError without the extra `compare`.
    """
    if len(annotated.sheet):
        view = View(annotated, repeat_headers)
        yield from window_chunks(view, "recursive", csv_text(view), {}, max_tokens, by_record)


def csv_text(view: View) -> Placed:
    """The populated rows and columns of a sheet as CSV, without the commas after a row's last cell."""
    placed = Placed()
    column = np.unique(view.sheet.col, return_inverse=True)[1].tolist()
    for row in populated_rows(view, np.arange(len(view.sheet), dtype=np.int32)):
        placed.start_record()
        at = 0
        for i in row:
            placed.write("," * (column[i] - at))
            at, text = column[i], raw_text(view, i)
            placed.mark(i, placed.write('"' + text.replace('"', '""') + '"' if _QUOTED.search(text) else text))
        placed.write("\n")
    return placed


def window_chunks(
    view: View, chunker: str, placed: Placed, heads: dict[int, int], max_tokens: int, by_record: bool = False
) -> Iterator[Chunk]:
    """The windows of a text, or of each record of it, as chunks.

    A window attaches to a value the header of its column in `heads` (column -> cell) if it holds the value's start.
    """
    maker, scopes = ChunkMaker(view, chunker), Scopes(view, max_tokens)
    overlap = max_tokens * OVERLAP // CHUNK_SIZE
    text = placed.text
    bounds = [0, *(placed.records[1:] if by_record else []), len(text)]
    room = max_tokens - scopes.most_tokens - 1
    windows = [
        (lo + begin, lo + end)
        for lo, hi in pairwise(bounds)
        for begin, end in recursive_windows(text[lo:hi], room, overlap)
    ] or [(0, 0)]
    cells, starts = np.array(placed.cells, np.int32), np.array([start for start, _ in placed.spans], np.int64)

    def cite(part: Ints, begin: int, owner: bool) -> list[CitedCell]:
        named = starts[part] >= begin
        return [
            *view.cite_under(cells[part[named]].tolist(), heads, owner),
            *view.cite_under(cells[part[~named]].tolist(), {}, owner),
        ]

    for (begin, end), held in zip(windows, holdings(windows, placed.spans), strict=True):
        inside = np.sort(cells[held.owned if len(held.owned) else held.shown]).tolist()
        scope = scopes.at(inside[0] if inside else 0)
        said = f"{scope.head}\n{text[begin:end]}" if end > begin else scope.head
        cited = cite(held.owned, begin, True) + cite(held.shown, begin, False)
        yield maker.chunk("text", said, cited, scope, view.range(inside))


def recursive_windows(text: str, chunk_size: int, overlap: int) -> list[Span]:
    """Where in the text the splitter's chunks stand, in order; sizes are tokens, and none is over `chunk_size`."""
    windows: list[Span] = []
    begin, free = 0, _after_space(text, 0)
    for window in _splitter(chunk_size, overlap).split_text(text):
        begin = _place(text, window, begin, free)
        pieces = [window] if count_tokens(window) <= chunk_size else split_text(window, chunk_size)
        windows += located(text, pieces, begin)
        free = _after_space(text, begin + len(window))
    return windows


def _place(text: str, window: str, begin: int, free: int) -> int:
    """The last place of a window that starts after the one before it and leaves nothing out up to `free`.

    The splitter's own offsets take an overlap in tokens for one in characters, and miss.
    """
    last = free + len(window)
    at = text.rfind(window, begin, last)
    return at if at >= 0 else text.rfind(window, 0, last)


def _after_space(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    assert match is not None
    return match.end()


def _splitter(chunk_size: int, overlap: int) -> Any:
    try:
        from langchain_text_splitters import RecursiveCharacterTextSplitter
    except ImportError as error:
        raise ImportError("the recursive baselines need: pip install 'cellroles[compare]'") from error
    return RecursiveCharacterTextSplitter(
        chunk_size=chunk_size, chunk_overlap=overlap, length_function=count_tokens, keep_separator=True
    )
