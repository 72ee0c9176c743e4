"""Tuples of header cells -> shared HeaderPath objects with a number each."""

from __future__ import annotations

from cellroles.sheet import HeaderPath, Sheet

Labels = tuple[int, ...]


class PathPool:
    """Distinct paths, as tuples of indices of filled cells; number 0 is the empty path."""

    def __init__(self) -> None:
        self._number: dict[Labels, int] = {(): 0}
        self.labels: list[Labels] = [()]

    def number(self, labels: Labels) -> int:
        """The number of a path, new or known."""
        found = self._number.setdefault(labels, len(self.labels))
        if found == len(self.labels):
            self.labels.append(labels)
        return found

    def paths(self, sheet: Sheet) -> tuple[HeaderPath, ...]:
        """All paths in order of their numbers."""
        cell = list(zip(sheet.row.tolist(), sheet.col.tolist(), strict=True))
        text = [str(text) for text in sheet.text.tolist()]
        return tuple(
            HeaderPath(tuple([text[i] for i in labels]), tuple([cell[i] for i in labels])) for labels in self.labels
        )
