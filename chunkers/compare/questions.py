"""A file of questions -> `Question`s; DESIGN's fixed format, one JSON object a line."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

_CELL = re.compile(r"[A-Z]{1,3}[1-9]\d*")
NEEDED = ("id", "question", "file", "sheet", "answer_cells")


@dataclass(frozen=True, slots=True)
class Question:
    """One question with the cells (A1) that answer it on `sheet` of `file`, which is relative to the corpus folder.

    The header paths of the answer are labels and cells, outermost first, and None where the file does not give them.
    `record` is the whole object of the file.
    """

    id: str
    question: str
    answer: str
    file: str
    sheet: str
    answer_cells: tuple[str, ...]
    col_path: tuple[str, ...] | None = None
    row_path: tuple[str, ...] | None = None
    col_path_cells: tuple[str, ...] | None = None
    row_path_cells: tuple[str, ...] | None = None
    tags: tuple[str, ...] = ()
    record: Mapping[str, Any] = field(default_factory=dict, hash=False, compare=False)

    @property
    def path_cells(self) -> tuple[str, ...] | None:
        """All header cells, or None if the file does not tell them."""
        if self.col_path_cells is None or self.row_path_cells is None:
            return None
        return (*self.col_path_cells, *self.row_path_cells)

    @property
    def labels(self) -> tuple[str, ...] | None:
        """All header labels, or None if the file does not tell them."""
        if self.col_path is None or self.row_path is None:
            return None
        return (*self.col_path, *self.row_path)


def read_questions(path: str | Path, only: Mapping[str, object] | None = None) -> list[Question]:
    """The questions of a file whose fields have the values of `only`; all of them without it.

    Raises ValueError, naming file and line, for a line that is no question, and for an id that occurs twice.
    """
    questions: dict[str, Question] = {}
    with Path(path).open("rb") as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            question = _question(line, f"{path}:{number}")
            if question.id in questions:
                raise ValueError(f"{path}:{number}: the id {question.id!r} occurs twice")
            questions[question.id] = question
    wanted = (only or {}).items()
    chosen = [q for q in questions.values() if all(_has(q.record.get(name), value) for name, value in wanted)]
    if not chosen:
        raise ValueError(f"{path}: no questions" + (f" with {_asked(only)} among {len(questions):,}" if only else ""))
    return chosen


def _has(found: object, value: object) -> bool:
    return value in found if isinstance(found, list) else found == value


def _asked(only: Mapping[str, object]) -> str:
    return ", ".join(f"{name}={value if isinstance(value, str) else json.dumps(value)}" for name, value in only.items())


def _question(line: bytes, where: str) -> Question:
    try:
        record = json.loads(line.rstrip().decode("utf-8-sig"))
    except ValueError as error:
        raise ValueError(f"{where}: no JSON object in one line: {_fault(error)}") from error
    missing = [name for name in NEEDED if not isinstance(record, dict) or record.get(name) in (None, "", [])]
    if missing:
        raise ValueError(f"{where}: a question needs {', '.join(NEEDED)} (missing: {', '.join(missing)})")

    def cells(name: str) -> tuple[str, ...] | None:
        return _cells(record, name, where)

    def texts(name: str) -> tuple[str, ...] | None:
        return _texts(record, name, where)

    answer = record.get("answer")
    return Question(
        str(record["id"]),
        str(record["question"]),
        "" if answer is None else str(answer),
        str(record["file"]),
        str(record["sheet"]),
        cells("answer_cells") or (),
        texts("col_path"),
        texts("row_path"),
        cells("col_path_cells"),
        cells("row_path_cells"),
        texts("tags") or (),
        record,
    )


def _fault(error: ValueError) -> str:
    """What is wrong with a line, and where in it (a column counts from 1)."""
    if isinstance(error, json.JSONDecodeError):
        return f"{error.msg} at column {error.pos + 1}"
    return f"no UTF-8 text at byte {error.start + 1}" if isinstance(error, UnicodeDecodeError) else str(error)


def _texts(record: Mapping[str, Any], name: str, where: str) -> tuple[str, ...] | None:
    found = record.get(name)
    if found is None:
        return None
    if not isinstance(found, list):
        raise ValueError(f"{where}: {name} is a list (got {found!r})")
    return tuple(map(str, found))


def _cells(record: Mapping[str, Any], name: str, where: str) -> tuple[str, ...] | None:
    """Cells without `$`, in capitals."""
    cells = _texts(record, name, where)
    if cells is None:
        return None
    plain = tuple(cell.strip().replace("$", "").upper() for cell in cells)
    wrong = [cell for cell, ref in zip(cells, plain, strict=True) if not _CELL.fullmatch(ref)]
    if wrong:
        raise ValueError(f"{where}: {name} names cells such as C12 (got {wrong[0]!r})")
    return plain
