"""A question and the chunks that were found for it -> what they are worth (DESIGN, "What is measured")."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from chunkers.compare.questions import Question
from chunkers.compare.stored import StoredCell, StoredChunk

Judged = Literal["cells", "text", "sheet"]
"""How a chunk is known to hold the answer: by its cells, by its sheet and text, or (a map of a sheet) by its sheet."""
FIRST = 5
BUDGET_TOKENS = 1_500
_NUMBER = re.compile(r"(?:(?<!\w)-)?\d[\d,]*(?:\.\d+)?")
_DATE = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d")


@dataclass(frozen=True, slots=True)
class Verdict:
    """What one method found for one question.

    `rank` is the smallest k such that the first k chunks together hold all answer cells, and `tokens` how many tokens
    those k have; None if they are not all found. `sheet_rank` is that of the first chunk of the right sheet.
    `found` is the answer's text (or its numbers) in one of the first five chunks of the right sheet, None if no answer
    is given. `attached`: in the first five chunks, every header label is attached to the answer, with at most one label
    too many. Judged on the chunks that own the answer, found or not: `association` (the same), `exact` (paths equal as
    ordered lists, as sets for several answer cells) and `complete` (the text says every header label). None where the
    question has no paths.
    """

    question: str
    rank: int | None
    tokens: int | None
    sheet_rank: int | None
    found: bool | None
    attached: bool | None
    association: bool | None
    exact: bool | None
    complete: bool | None
    first_tokens: int
    top: tuple[int, ...]


class Judge:
    """Judges the rankings of one method over its chunks; `workbook` of a chunk is the corpus folder plus the file."""

    def __init__(self, chunks: Sequence[StoredChunk], judged: Judged = "cells") -> None:
        self.chunks, self.judged = chunks, judged
        self._owners: dict[tuple[str, str, str], int] = {}
        for number, chunk in enumerate(chunks):
            for ref, cell in chunk.cells.items():
                if cell.owner:
                    self._owners.setdefault((chunk.workbook, chunk.sheet, ref), number)

    def verdict(self, question: Question, workbook: str, ranking: Sequence[int]) -> Verdict:
        """The verdict on `ranking`, numbers of chunks, best first."""
        right = [self._is_right(number, question, workbook) for number in ranking]
        rank = self._rank(question, ranking, right)
        first = [number for number, of_sheet in zip(ranking[:FIRST], right, strict=False) if of_sheet]
        owners = [self._owners.get((workbook, question.sheet, ref)) for ref in question.answer_cells]
        owning = [number for number in owners if number is not None]
        cells = self._entries(owning, question) if len(owning) == len(owners) else None
        texts = [self.chunks[number].text for number in owning]
        said = any(says_answer(self.chunks[number].text, question.answer) for number in first)
        return Verdict(
            question.id,
            rank,
            None if rank is None else sum(self.chunks[number].tokens for number in ranking[:rank]),
            right.index(True) + 1 if True in right else None,
            said if question.answer else None,
            associated(question, self._entries(first, question)) if question.path_cells is not None else None,
            associated(question, cells) if question.path_cells is not None else None,
            exact(question, cells) if question.path_cells is not None else None,
            (cells is not None and says_all(texts, question.labels)) if question.labels is not None else None,
            sum(self.chunks[number].tokens for number in ranking[:FIRST]),
            tuple(ranking[:FIRST]),
        )

    def _is_right(self, number: int, question: Question, workbook: str) -> bool:
        chunk = self.chunks[number]
        return chunk.workbook == workbook and chunk.sheet == question.sheet

    def _rank(self, question: Question, ranking: Sequence[int], right: Sequence[bool]) -> int | None:
        missing = set(question.answer_cells)
        for rank, (number, of_sheet) in enumerate(zip(ranking, right, strict=True), 1):
            if not of_sheet:
                continue
            if self.judged == "sheet" or (
                self.judged == "text" and says_answer(self.chunks[number].text, question.answer)
            ):
                return rank
            missing.difference_update(self.chunks[number].cells)
            if self.judged == "cells" and not missing:
                return rank
        return None

    def _entries(self, numbers: Sequence[int], question: Question) -> list[StoredCell] | None:
        """The answer cells as these chunks cite them (that of the owner first), or None if one is missing."""
        entries: list[StoredCell] = []
        for ref in question.answer_cells:
            cited = [self.chunks[number].cells[ref] for number in numbers if ref in self.chunks[number].cells]
            if not cited:
                return None
            entries.append(next((cell for cell in cited if cell.owner), cited[0]))
        return entries


def associated(question: Question, cells: Sequence[StoredCell] | None) -> bool:
    """Whether every header cell of the answer is attached to it, and at most one that is none."""
    if cells is None:
        return False
    have = {ref for cell in cells for ref in (*cell.col_refs, *cell.row_refs)}
    need = set(question.path_cells or ())
    return need <= have and len(have - need) <= 1


def exact(question: Question, cells: Sequence[StoredCell] | None) -> bool:
    """Whether both header paths are the right ones; those of several answer cells are united and compared as sets."""
    if cells is None:
        return False
    columns, rows = question.col_path_cells, question.row_path_cells
    if len(cells) == 1:
        return (cells[0].col_refs, cells[0].row_refs) == (columns, rows)
    found = ({ref for cell in cells for ref in cell.col_refs}, {ref for cell in cells for ref in cell.row_refs})
    return found == (set(columns or ()), set(rows or ()))


def says_all(texts: Sequence[str], labels: Sequence[str]) -> bool:
    """Whether the texts say every label; dates, which are shown in many forms, are not asked for."""
    text = normal(" ".join(texts))
    return bool(texts) and all(normal(label) in text for label in labels if not _DATE.fullmatch(label.strip()))


def says_answer(text: str, answer: str) -> bool:
    """Whether a text says an answer word for word, or all of its numbers, as equal values, if it has any.

    >>> says_answer("Swaps: Long 1,051.50; Short 48.2", "1051.5"), says_answer("Swaps: 51.5", "51")
    (True, False)
    """
    wanted, said = normal(answer), normal(text)
    numbers = _numbers(wanted)
    if numbers and numbers <= _numbers(said):
        return True
    is_number = bool(_NUMBER.fullmatch(wanted))
    return bool(wanted) and not is_number and bool(re.search(rf"(?<!\w){re.escape(wanted)}(?!\w)", said))


def normal(text: str) -> str:
    """Text for comparison: NFKC, one space for white space, no case."""
    return " ".join(unicodedata.normalize("NFKC", text).split()).casefold()


def _numbers(text: str) -> set[float]:
    return {float(match.replace(",", "")) for match in _NUMBER.findall(text)}


SCORES: Mapping[str, str] = {
    "recall@1": "all answer cells in the first chunk",
    "recall@5": "all answer cells in the first five chunks",
    "mrr": "1 / the number of chunks that it takes to hold all answer cells, 0 beyond ten",
    "recall@1500 tokens": "all answer cells in the first 1,500 tokens retrieved",
    "recall@5 and association": "all answer cells in the first five chunks, every header label attached to them",
    "answer@5": "the answer's text or numbers in one of the first five chunks, on the right sheet",
    "sheet@1": "the first chunk is of the right sheet",
    "association": "every header label is attached to the answer, and at most one too many (owning chunk)",
    "exact paths": "both header paths are right (owning chunk)",
    "completeness": "the text says every header label (owning chunk)",
}
"""Name of a score -> what it is the share of."""


def scores(verdict: Verdict) -> dict[str, float | None]:
    """The scores of one verdict, each in [0, 1]; None where the question cannot tell."""
    rank, tokens = verdict.rank, verdict.tokens
    within = rank is not None and rank <= FIRST
    return {
        "recall@1": float(rank == 1),
        "recall@5": float(within),
        "mrr": 1 / rank if rank is not None and rank <= 2 * FIRST else 0.0,
        "recall@1500 tokens": float(tokens is not None and tokens <= BUDGET_TOKENS),
        "recall@5 and association": None if verdict.attached is None else float(within and verdict.attached),
        "answer@5": _maybe(verdict.found),
        "sheet@1": float(verdict.sheet_rank == 1),
        "association": _maybe(verdict.association),
        "exact paths": _maybe(verdict.exact),
        "completeness": _maybe(verdict.complete),
    }


def _maybe(value: bool | None) -> float | None:
    return None if value is None else float(value)
