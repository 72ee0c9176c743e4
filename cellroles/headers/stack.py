"""Row headers, scanned from the top -> the outer labels that still hold at a row."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple


class Label(NamedTuple):
    """A row header as the scan sees it.

    `cell` is the index of the filled cell, `spans` whether it reaches over several rows, `in_header` whether a column
    header shares its row, `own` whether this is its own row and not another one that it spans.
    """

    cell: int
    col: int
    depth: int
    indent: int
    spans: bool
    in_header: bool
    own: bool


@dataclass(slots=True, eq=False)
class Outer:
    """An outer label (depth 2 or 3) in force, and what has been seen below it.

    `beside` means that an inner label stands on its right in the same row (a side stub), else it is a group line.
    `child_indent` is the smallest indentation of its direct children in its own column, per depth.
    """

    label: Label
    beside: bool
    child_indent: dict[int, int] = field(default_factory=dict)


def holds(outer: Outer, label: Label) -> bool:
    """Whether `outer` stays in force once `label`, of a later row, appears."""
    own = outer.label
    if own.depth <= label.depth:
        # depths beyond 3 are collapsed, so two of depth 3 nest when the second is indented more
        return own.depth == label.depth == 3 and own.col == label.col and label.indent > own.indent
    if outer.beside:
        return label.col > own.col
    if own.col != label.col or own.in_header:
        return True
    seen = outer.child_indent.get(label.depth)
    return seen is None or seen <= own.indent or label.indent > own.indent


def enter(stack: list[Outer], labels: list[Label]) -> list[Outer]:
    """The outer labels of other rows that hold at the row of `labels`, outermost first."""
    for label in labels:
        stack = [outer for outer in stack if holds(outer, label)]
        if stack and stack[-1].label.col == label.col:
            seen = stack[-1].child_indent
            seen[label.depth] = min(label.indent, seen.get(label.depth, label.indent))
    return stack
