"""Hand-labelled sheets beside the checkout -> sheets with their roles and questions, for tests that measure."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from openpyxl.utils.cell import range_boundaries

from cellroles.reader import read_workbook
from cellroles.sheet import Bytes, Role, Sheet

SHARED = Path(__file__).parents[2] / "shared"
needs_shared = pytest.mark.skipif(
    not (SHARED / "gold").is_dir(), reason="the evaluation data is not beside the checkout"
)


@dataclass(frozen=True, slots=True)
class Question:
    """Indices of the filled cells that answer a question, and the A1 cells of their header paths."""

    answer: tuple[int, ...]
    col_path: tuple[str, ...]
    row_path: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Labelled:
    """A sheet, its roles (n,) as a person gave them (metadata where none was), and questions with header paths."""

    id: str
    sheet: Sheet
    roles: Bytes
    questions: tuple[Question, ...]


def gold_sheets() -> Iterator[Labelled]:
    """All labelled sheets, hidden cells included."""
    for path in sorted((SHARED / "gold" / "labels").glob("*.json")):
        label = json.loads(path.read_text(encoding="utf-8"))
        if not label.get("skipped"):
            book = read_workbook(SHARED / label["file"], include_hidden=True)
            sheet = next(sheet for sheet in book if sheet.name == label["sheet"])
            yield Labelled(label["id"], sheet, _roles(sheet, label["rules"]), _questions(sheet, label["questions"]))


def _roles(sheet: Sheet, rules: list[tuple[str, str]]) -> Bytes:
    roles = np.full(len(sheet), Role.METADATA, np.uint8)
    for ranges, name in rules:
        for part in ranges.split(","):
            left, top, right, bottom = range_boundaries(part.strip().replace("$", ""))
            inside = (sheet.row >= top - 1) & (sheet.row < bottom) & (sheet.col >= left - 1) & (sheet.col < right)
            roles[inside] = Role[name.upper()]
    return roles


def _questions(sheet: Sheet, questions: list[dict[str, list[str]]]) -> tuple[Question, ...]:
    index = {sheet.ref(i): i for i in range(len(sheet))}
    return tuple(
        Question(
            tuple(index[ref.replace("$", "")] for ref in question["answer_cells"]),
            tuple(question.get("col_path", ())),
            tuple(question.get("row_path", ())),
        )
        for question in questions
    )
