"""Files of chunk records -> the chunks as far as retrieval and judging need them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from chunkers.compare.questions import Question

Wanted = Mapping[tuple[str, str], frozenset[str]]
"""(workbook, sheet) -> the cells that are asked about."""


@dataclass(frozen=True, slots=True)
class StoredCell:
    """A cell in a chunk's provenance: the headers that the chunk attaches to it, outermost first."""

    owner: bool
    col_refs: tuple[str, ...]
    row_refs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StoredChunk:
    """A chunk with those of its cells that a question asks about."""

    id: str
    text: str
    context: str
    workbook: str
    sheet: str
    range: str | None
    tokens: int
    cells: Mapping[str, StoredCell]


NOTHING: Mapping[str, StoredCell] = {}


def wanted_cells(corpus: Path, questions: Iterable[Question]) -> Wanted:
    """The answer cells of all questions, by the workbook path as chunks give it."""
    found: dict[tuple[str, str], frozenset[str]] = {}
    for question in questions:
        key = (str(corpus / question.file), question.sheet)
        found[key] = found.get(key, frozenset()) | set(question.answer_cells)
    return found


def load_chunks(files: Sequence[Path], wanted: Wanted) -> list[StoredChunk]:
    """The chunks of all files, in order."""
    return [chunk for file in files for chunk in _chunks(file, wanted)]


def _chunks(file: Path, wanted: Wanted) -> Iterator[StoredChunk]:
    with file.open(encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            asked = wanted.get((record["workbook"], record["sheet"]))
            yield StoredChunk(
                record["id"],
                record["text"],
                record["context"],
                record["workbook"],
                record["sheet"],
                record["range"],
                record["tokens"],
                _cells(record["cells"], asked) if asked else NOTHING,
            )


def _cells(records: list[dict[str, Any]], asked: frozenset[str]) -> dict[str, StoredCell]:
    """The cells asked about; of a cell cited twice the owner counts."""
    found: dict[str, StoredCell] = {}
    for record in records:
        ref = record["ref"]
        if ref in asked and (ref not in found or record["owner"]):
            found[ref] = StoredCell(record["owner"], tuple(record["col_refs"]), tuple(record["row_refs"]))
    return found
