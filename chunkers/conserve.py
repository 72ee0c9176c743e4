"""Annotated sheet and its chunks -> cells that are in none, or owned twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from cellroles.sheet import AnnotatedSheet, Chunk, Exclusion, Role
from chunkers.registry import BASELINES, ENGINES


def exclusions(annotated: AnnotatedSheet, chunker: str) -> list[Exclusion]:
    """Filled cells that a chunker leaves out: those of the sheet, and junk if the chunker knows roles.

    What the text of one of `ENGINES` lacks is known only when its chunks have been made: `Ownership.lost` lists it.
    """
    sheet = annotated.sheet
    if chunker in BASELINES:
        return list(sheet.excluded)
    junk = [
        Exclusion(int(sheet.row[i]), int(sheet.col[i]), str(sheet.text[i]), Role.JUNK.label)
        for i in (annotated.roles == Role.JUNK).nonzero()[0]
    ]
    return [*sheet.excluded, *junk]


class Ownership:
    """Counts the owners of every cell while chunks pass by."""

    def __init__(self, chunker: str = "") -> None:
        self._owners: Counter[str] = Counter()
        self._chunker = chunker

    def watch(self, chunks: Iterable[Chunk]) -> Iterator[Chunk]:
        """The same chunks."""
        for chunk in chunks:
            self._chunker = chunk.chunker
            self._owners.update(cell.ref for cell in chunk.cells if cell.owner)
            yield chunk

    def lost(self, annotated: AnnotatedSheet) -> list[Exclusion]:
        """Filled cells that no chunk owned, which is allowed to `ENGINES` alone."""
        sheet, reason = annotated.sheet, f"not in the text of {self._chunker}"
        return [
            Exclusion(int(sheet.row[i]), int(sheet.col[i]), str(sheet.text[i]), reason)
            for i in range(len(sheet))
            if not self._owners[sheet.ref(i)]
        ]

    def problems(self, annotated: AnnotatedSheet) -> list[str]:
        """One line for each filled cell that has not exactly one owner, and for each owned cell that is not filled."""
        sheet = annotated.sheet
        left_out = set() if self._chunker in BASELINES else {Role.JUNK}
        refs = [sheet.ref(i) for i in range(len(sheet)) if annotated.roles[i] not in left_out]
        needed = [] if self._chunker in ENGINES else refs
        lost = [f"{sheet.name}!{ref} is in no chunk" for ref in needed if not self._owners[ref]]
        twice = [f"{sheet.name}!{ref} is owned {self._owners[ref]} times" for ref in refs if self._owners[ref] > 1]
        extra = [f"{sheet.name}!{ref} is owned but excluded or empty" for ref in self._owners.keys() - set(refs)]
        return lost + twice + sorted(extra)


def check(annotated: AnnotatedSheet, chunks: Iterable[Chunk]) -> list[str]:
    """Problems of ownership over all chunks of one sheet; empty if every filled cell has exactly one owner."""
    ownership = Ownership()
    for _ in ownership.watch(chunks):
        pass
    return ownership.problems(annotated)
