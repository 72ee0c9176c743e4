"""Questions and what the chunks of all methods hold -> the questions that none can find, with the reason."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from chunkers.compare.questions import Question
from chunkers.compare.stored import StoredChunk

MOST_TOLD = 10


@dataclass(frozen=True, slots=True)
class Held:
    """Workbook -> sheet -> the cells asked about that some chunk holds; a sheet without any is there too."""

    sheets: dict[str, dict[str, set[str]]] = field(default_factory=dict)

    def add(self, chunks: Iterable[StoredChunk]) -> None:
        """Take in the chunks of one method."""
        for chunk in chunks:
            self.sheets.setdefault(chunk.workbook, {}).setdefault(chunk.sheet, set()).update(chunk.cells)


def unfindable(questions: Sequence[Question], corpus: Path, held: Held, *, by_cells: bool = True) -> dict[str, str]:
    """Id of a question -> why its answer is in no chunk: a slip in the question, or something that was not read.

    Without `by_cells` no method says which cells its chunks hold, so that only sheets are looked for.
    """
    reasons = {q.id: _reason(q, str(corpus / q.file), held.sheets, by_cells) for q in questions}
    return {id_: reason for id_, reason in reasons.items() if reason}


def told(reasons: Mapping[str, str]) -> Iterator[str]:
    """A line a question, and one for those beyond the first ten."""
    yield from (f"question {id_}: {reason}" for id_, reason in list(reasons.items())[:MOST_TOLD])
    if len(reasons) > MOST_TOLD:
        yield f"… and {len(reasons) - MOST_TOLD:,} more questions whose answer is in no chunk; the report names them"


def _reason(question: Question, workbook: str, held: Mapping[str, Mapping[str, set[str]]], by_cells: bool) -> str:
    sheets = held.get(workbook)
    if sheets is None:
        return f"no chunks of {workbook}"
    if question.sheet not in sheets:
        wanted, there = repr(question.sheet), ", ".join(map(repr, sheets))
        return f"no chunks of sheet {wanted} of {workbook}, but of {there}; is it empty, or hidden (--include-hidden)?"
    missing = [ref for ref in question.answer_cells if ref not in sheets[question.sheet]]
    if missing and by_cells:
        where = f"{', '.join(missing)} of {question.sheet!r} in {workbook}"
        return f"no chunk holds {where}: empty, hidden, or not the first cell of a merge"
    return ""
