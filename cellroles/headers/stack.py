"""Row headers, scanned from the top -> the outer labels that still hold at a row."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class Outer:
    """An outer label (depth 2 or 3) and what has been seen below it.

    `beside` means that an inner label stands on its right in the same row (a side stub), else it is a group line.
    `child_indent` is the smallest indentation of its direct children in its own column, per depth.
    """

    position: int
    col: int
    depth: int
    indent: int
    beside: bool
    in_header: bool
    child_indent: dict[int, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Label:
    """A row header as it enters the scan."""

    col: int
    depth: int
    indent: int


def holds(outer: Outer, label: Label) -> bool:
    """Whether `outer` stays in force once `label`, of a later row, appears."""
    if outer.depth <= label.depth:
        # depths beyond 3 are collapsed, so two of depth 3 nest when the second is indented more
        return outer.depth == label.depth == 3 and outer.col == label.col and label.indent > outer.indent
    if outer.beside:
        return label.col > outer.col
    if outer.col != label.col or outer.in_header:
        return True
    seen = outer.child_indent.get(label.depth)
    return seen is None or seen <= outer.indent or label.indent > outer.indent


def enter(stack: list[Outer], labels: list[Label]) -> list[Outer]:
    """The outer labels of other rows that hold at the row of `labels`, outermost first."""
    for label in labels:
        stack = [outer for outer in stack if holds(outer, label)]
        if stack and stack[-1].col == label.col:
            seen = stack[-1].child_indent
            seen[label.depth] = min(label.indent, seen.get(label.depth, label.indent))
    return stack
