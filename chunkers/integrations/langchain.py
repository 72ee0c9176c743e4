"""Workbooks -> LangChain documents, one a chunk (the extra `langchain`, which is langchain-core alone).

The documents are cut already: their metadata say `chunked`, and `KeepChunks` spares them in a pipeline that splits the
documents of other loaders. A splitter whose `chunk_size` is not below `max_tokens` (in tokens) keeps them whole too.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields
from os import PathLike, fspath
from typing import Any, Literal, Protocol, get_args

from openpyxl.utils.cell import range_boundaries

from cellroles.sheet import Chunk
from chunkers.inputs import expand
from chunkers.workbook import Settings, annotated_sheets, require_checkpoint, sheet_chunks

try:
    from langchain_core.document_loaders import BaseLoader
    from langchain_core.documents import BaseDocumentTransformer, Document
except ImportError as missing:
    raise ImportError("the LangChain loader needs langchain-core: pip install 'cellroles[langchain]'") from missing

__all__ = ["CellrolesLoader", "KeepChunks"]

Content = Literal["text", "context"]
OnError = Literal["raise", "warn"]


class CellrolesLoader(BaseLoader):
    """The chunks of workbooks as documents, made while they are asked for.

    `paths` are files, folders (searched in depth) or globs, one or several; `options` are those of
    `chunkers.chunk_workbook`. `page_content` is the text to read; `content="context"` gives the text to index, which
    repeats the row path. `id` is the chunk's, stable for the same input. Metadata are plain strings, numbers and
    booleans, the same keys in every document: `source`, `sheet`, `range` (A1), `table_id` (sheet and range of the
    table), `row_start` and `row_end` (as Excel counts), `strategy` (the chunker), `roles_model`, `n_tokens` (of the
    text), `header_paths` (JSON: the distinct column and row paths of the values), `kind`, `title`, `parent_id` (the
    `id` of another document), `chunk_id`, `chunked` (true). What is absent is an empty string, or 0.

    Raises ValueError for options that do not exist or fit; while loading, ValueError (`cellroles.errors.WorkbookError`)
    or OSError for what cannot be read. With `on_error="warn"` that is a warning, and loading goes on with the next
    workbook; documents of sheets before the fault have been given by then.
    """

    def __init__(
        self,
        paths: str | PathLike[str] | Iterable[str | PathLike[str]],
        *,
        content: Content = "text",
        on_error: OnError = "raise",
        **options: Any,
    ) -> None:
        for name, value, choices in (("content", content, Content), ("on_error", on_error, OnError)):
            if value not in get_args(choices):
                raise ValueError(f"{name} is one of {', '.join(get_args(choices))} (got {value!r})")
        known = [field.name for field in fields(Settings)]
        if unknown := options.keys() - {*known}:
            raise ValueError(f"no option named {', '.join(sorted(unknown))}; there are {', '.join(known)}")
        if isinstance(options.get("sheets"), str):
            raise ValueError(f"sheets is a list of names (got {options['sheets']!r})")
        self.paths = [fspath(path) for path in ([paths] if isinstance(paths, str | PathLike) else paths)]
        self.content, self.on_error = content, on_error
        self.settings = Settings(**{**options, "sheets": tuple(options.get("sheets", ()))})

    def lazy_load(self) -> Iterator[Document]:
        """The documents in order of paths, sheets and reading; a workbook is opened when its first one is asked for."""
        require_checkpoint(self.settings.checkpoint)
        paths, problems = expand(self.paths)
        for problem in problems:
            self._failed(FileNotFoundError(problem))
        for path in paths:
            try:
                for annotated in annotated_sheets(path, self.settings):
                    for chunk in sheet_chunks(annotated, self.settings):
                        yield document(chunk, self.content)
            except (ValueError, OSError) as error:
                self._failed(error)

    def _failed(self, error: Exception) -> None:
        if self.on_error == "raise":
            raise error
        warnings.warn(f"skipped: {error}", stacklevel=3)


def document(chunk: Chunk, content: Content = "text") -> Document:
    """A chunk as a document; see `CellrolesLoader` for its metadata."""
    first, last = (range_boundaries(chunk.range)[i] for i in (1, 3)) if chunk.range else (0, 0)
    metadata: dict[str, str | int | bool] = {
        "source": chunk.workbook,
        "sheet": chunk.sheet,
        "range": chunk.range or "",
        "table_id": f"{chunk.sheet}!{chunk.region}" if chunk.region else "",
        "row_start": first,
        "row_end": last,
        "strategy": chunk.chunker,
        "roles_model": chunk.checkpoint or "",
        "n_tokens": chunk.tokens,
        "header_paths": header_paths(chunk),
        "kind": chunk.kind,
        "title": chunk.title or "",
        "parent_id": chunk.parent_id or "",
        "chunk_id": chunk.id,
        "chunked": True,
    }
    return Document(chunk.context if content == "context" else chunk.text, metadata=metadata, id=chunk.id)


def header_paths(chunk: Chunk) -> str:
    """`{"columns": [["2024", "Q1"], …], "rows": [["Fish", "Cod"], …]}` as JSON: distinct paths in order, no refs."""
    paths = {
        "columns": dict.fromkeys(cell.col_path for cell in chunk.cells if cell.col_path),
        "rows": dict.fromkeys(cell.row_path for cell in chunk.cells if cell.row_path),
    }
    return json.dumps({name: list(distinct) for name, distinct in paths.items()}, ensure_ascii=False)


class Splitter(Protocol):
    """What `KeepChunks` asks of a text splitter; those of langchain-text-splitters have it."""

    def split_documents(self, documents: Iterable[Document]) -> list[Document]:
        """Cut documents."""


class KeepChunks(BaseDocumentTransformer):
    """Splits the documents of other loaders with `splitter`, and passes on those that are cut already, ids and all."""

    def __init__(self, splitter: Splitter) -> None:
        self.splitter = splitter

    def split_documents(self, documents: Iterable[Document]) -> list[Document]:
        """The documents in their order, each whole if its metadata say `chunked`."""
        return [
            piece
            for each in documents
            for piece in ([each] if each.metadata.get("chunked") else self.splitter.split_documents([each]))
        ]

    def transform_documents(self, documents: Sequence[Document], **kwargs: Any) -> Sequence[Document]:
        """The same, as LangChain's pipelines ask for it."""
        return self.split_documents(documents)
