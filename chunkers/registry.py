"""Name -> chunker; listing loads nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from cellroles.registry import Registry
from cellroles.sheet import AnnotatedSheet, Chunk


class Chunker(Protocol):
    """What a chunker is: annotated sheet -> chunks, lazily and in reading order.

    Every filled cell that is not excluded has `owner=True` in exactly one chunk, and `text` of a chunk counts at most
    `max_tokens` cl100k tokens. Without `repeat_headers` the texts of records leave out the names of their columns.
    """

    def __call__(self, annotated: AnnotatedSheet, *, max_tokens: int, repeat_headers: bool = True) -> Iterator[Chunk]:
        """Cut one sheet."""


CHUNKERS: Registry[Chunker] = Registry(
    "chunker",
    {
        "row": "chunkers.assemblies.row:row_chunks",
        "record": "chunkers.assemblies.row:record_chunks",
        "packed": "chunkers.assemblies.packed:packed_chunks",
        "flat": "chunkers.assemblies.flat:flat_chunks",
        "kg": "chunkers.assemblies.kg:kg_chunks",
        "prose": "chunkers.assemblies.prose:prose_chunks",
        "parent": "chunkers.assemblies.parent:parent_chunks",
        "adaptive": "chunkers.assemblies.adaptive:adaptive_chunks",
        "stc": "chunkers.baselines.stc:stc_chunks",
        "stc_regions": "chunkers.baselines.stc_regions:stc_regions_chunks",
        "recursive": "chunkers.baselines.recursive:recursive_chunks",
        "kv_recursive": "chunkers.baselines.kv_recursive:kv_recursive_chunks",
        "beautifulsoup": "chunkers.baselines.beautifulsoup:beautifulsoup_chunks",
        "markdown": "chunkers.baselines.markdown:markdown_chunks",
        "sheetcompressor": "chunkers.baselines.sheetcompressor:sheetcompressor_chunks",
        "docling": "chunkers.baselines.docling:docling_chunks",
        "unstructured": "chunkers.baselines.unstructured:unstructured_chunks",
    },
)
ENGINES = frozenset({"docling", "unstructured"})
"""Baselines that read the file themselves: what their text lacks is listed as excluded."""
BASELINES = ENGINES | {
    "stc",
    "stc_regions",
    "recursive",
    "kv_recursive",
    "beautifulsoup",
    "markdown",
    "sheetcompressor",
}
"""Chunkers that know no roles: they exclude no junk, and attach only what their own text attaches."""
MAPS = frozenset({"sheetcompressor"})
"""Baselines whose text is a map of the sheet without its numbers: a model reads the cells that it points at."""
TEXTS: frozenset[str] = frozenset()
"""Baselines whose text cannot be traced to cells: what they find is judged by sheet and text."""
NEEDS = {
    "docling": "docling",
    "unstructured": "unstructured",
    "recursive": "langchain_text_splitters",
    "kv_recursive": "langchain_text_splitters",
}
"""Baseline -> the package that an extra of this project brings."""
