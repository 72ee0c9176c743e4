"""Sheet -> windows of its key-value text: the STC paper's ablation "KV + Recursive".

The splitter of `recursive` on rows pre-formatted as key-value pairs (arXiv 2605.00318, section V-A). The paper leaves
their layout open; ours is that of LangChain's CSVLoader, `col: value` a line, with a blank line between rows, so that
the splitter keeps records whole where it can. The first populated row of the sheet names the columns; the names of
columns without values stand before the first row. What else differs is said in `chunkers.baselines.recursive`.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from cellroles.sheet import AnnotatedSheet, Chunk
from chunkers.baselines.placed import Placed
from chunkers.baselines.recursive import window_chunks
from chunkers.baselines.rows import by_column, column_name, names_of, populated_rows, raw_text
from chunkers.view import View


def kv_recursive_chunks(
    annotated: AnnotatedSheet, *, max_tokens: int = 512, repeat_headers: bool = True, by_record: bool = False
) -> Iterator[Chunk]:
    """Windows over all records of the sheet, or of each if `by_record`.

    Raises ImportError without the extra `compare`.
    """
    if not len(annotated.sheet):
        return
    view = View(annotated, repeat_headers)
    header, *body = populated_rows(view, np.arange(len(view.sheet), dtype=np.int32))
    heads = by_column(view, header)
    yield from window_chunks(view, "kv_recursive", _pairs(view, heads, body), heads, max_tokens, by_record)


def _pairs(view: View, heads: dict[int, int], rows: list[list[int]]) -> Placed:
    """The records, one pair a line; a header cell stands where its column is first named."""
    placed, names, left = Placed(), names_of(view, heads), dict(heads)
    said = {col for row in rows for col in view.sheet.col[row].tolist()} if view.repeat_headers else set()
    for col in [col for col in heads if col not in said]:
        cell = left.pop(col)
        placed.mark(cell, placed.write(view.shown(cell)))
        placed.write("\n")
    for row in rows:
        placed.write("\n")
        placed.start_record()
        for i, col in zip(row, view.sheet.col[row].tolist(), strict=True):
            name = column_name(names, col) if view.repeat_headers else ""
            start = placed.write(f"{name}: " if name else "")
            if col in left:
                placed.mark(left.pop(col), start, start + len(name))
            placed.write(raw_text(view, i))
            placed.mark(i, start)
            placed.write("\n")
    return placed
