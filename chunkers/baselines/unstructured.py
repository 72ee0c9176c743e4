"""Sheet -> the chunks of Unstructured: `partition_xlsx`, then `chunk_by_title` (the extra `unstructured`).

Unstructured reads the file itself with pandas; a sheet becomes tables, which are the texts of their cells with spaces
between, and titles and paragraphs, which are the rows of one cell. Run here offline, and so with two differences that
may show: its sentence tokenizer is a blank spaCy pipeline instead of a downloaded English model, so that a title may
be taken for a paragraph or the reverse (the texts of tables do not change); and as its token counts need a download
too, the budget is given to it in characters, estimated from the sheet's own characters per token, and what it makes
too long is cut. Every chunk opens with the sheet name and title that the other chunkers print. Its analytics are off.

The text says no coordinates: cells are found by aligning it with the sheet (`chunkers.baselines.align`). It attaches no
header to a value, so neither do the citations. What it says of hidden cells stays, as it cannot be told to leave them.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np

from cellroles.sheet import AnnotatedSheet, Chunk
from chunkers.base import ChunkMaker
from chunkers.baselines.align import align
from chunkers.baselines.placed import holdings
from chunkers.baselines.rows import Scopes
from chunkers.budget import count_tokens, split_text
from chunkers.view import View

FILL = 0.9
"""Share of the budget that is asked for, as the characters of a token vary."""
TABLES = ("Table", "TableChunk")


def unstructured_chunks(
    annotated: AnnotatedSheet, *, max_tokens: int = 512, repeat_headers: bool = True
) -> Iterator[Chunk]:
    """Unstructured's chunks of this sheet, in its order; `repeat_headers` changes nothing, as it sees no headers.

    Raises ImportError without the extra, ValueError for a file or a sheet that Unstructured does not read.
    """
    sheet = annotated.sheet
    if not len(sheet):
        return
    view = View(annotated, repeat_headers)
    maker, scopes = ChunkMaker(view, "unstructured"), Scopes(view, max_tokens)
    room = max_tokens - scopes.most_tokens - 1
    pieces = [
        (piece, "table" if element.__class__.__name__ in TABLES else "text")
        for element in _chunked(_elements(Path(sheet.workbook), sheet.name), room)
        for piece in split_text(element.text, room)
    ]
    ends = list(accumulate(len(piece) + 1 for piece, _ in pieces))
    windows = [(end - len(piece) - 1, end - 1) for end, (piece, _) in zip(ends, pieces, strict=True)]
    cells, spans = align(sheet, " ".join(piece for piece, _ in pieces))
    if not pieces:
        return
    index = np.array(cells, np.int32)
    for (piece, kind), held in zip(pieces, holdings(windows, spans), strict=True):
        owned, shown = (np.sort(index[part]).tolist() for part in (held.owned, held.shown))
        scope = scopes.at((owned or shown or [0])[0])
        cited = [*view.cite_under(owned, {}), *view.cite_under(shown, {}, owner=False)]
        yield maker.chunk(kind, f"{scope.head}\n{piece}", cited, scope, view.range(owned or shown))


def _chunked(elements: list[Any], room: int) -> list[Any]:
    """Elements as `chunk_by_title` packs and cuts them to about so many tokens."""
    from unstructured.chunking.title import chunk_by_title

    text = " ".join(element.text for element in elements)
    characters = max(1, int(FILL * room * len(text) / max(1, count_tokens(text))))
    chunks: list[Any] = chunk_by_title(elements, max_characters=characters)
    return chunks


def _elements(path: Path, sheet: str) -> list[Any]:
    """What Unstructured finds on a sheet, in its order."""
    status = path.stat()
    elements = _partitioned(path, status.st_mtime_ns, status.st_size)
    return [element for element in elements if element.metadata.page_name == sheet]


@lru_cache(maxsize=1)
def _partitioned(path: Path, modified: int, size: int) -> list[Any]:
    """The elements of a workbook; the time of change and the size only tell cached answers apart."""
    partition = _partitioner()
    try:
        elements: list[Any] = partition(str(path), languages=[""])  # blank: languages are not detected
    except Exception as error:  # its errors have no common class
        raise ValueError(f"Unstructured does not read {path}: {type(error).__name__}: {error}") from error
    return elements


@cache
def _partitioner() -> Any:
    """`partition_xlsx`, with analytics off and a tokenizer that needs no download."""
    os.environ |= {"DO_NOT_TRACK": "true", "SCARF_NO_ANALYTICS": "true", "UNSTRUCTURED_DISABLE_NOTICE": "1"}
    try:
        import spacy
        from unstructured.nlp import tokenize
        from unstructured.partition.xlsx import partition_xlsx
    except ImportError as error:
        raise ImportError("Unstructured is missing: pip install 'cellroles[unstructured]'") from error
    sentences = spacy.blank("en")
    sentences.add_pipe("sentencizer")
    tokenize._get_nlp = lambda: sentences
    return partition_xlsx
