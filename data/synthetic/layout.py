"""How a table is written: the choices of its author."""

from __future__ import annotations

from dataclasses import dataclass

from cellroles.sheet import Role
from data.synthetic.grid import CellValue

INDENTS = {"spaces": "    ", "bullet": "- ", "dots": "... ", "arrow": "> "}


@dataclass(frozen=True, slots=True)
class Layout:
    """How a table is written.

    spans: an outer column label is "merged" over its columns, written over the "first" or the middle one ("centred"),
    or "repeated". short: a label with fewer levels is merged down ("tall"), or stands at the "bottom" or the "top".
    body: "stub" (a column per level) or "outline" (one column). fill: outer stubs are "merged" down, on the "first" row
    or "repeated". indent: of outline children, "style", a key of INDENTS, or "none". over, under: extra rows over and
    under the column labels, each a role and one text per column of the table (empty = no cell). spacer: an empty column
    between outer columns. group_merge: a heading without figures is merged across the table, a total over its stubs.
    sums: see `axes.roughen`.
    """

    spans: str = "merged"
    short: str = "tall"
    body: str = "outline"
    fill: str = "first"
    indent: str = "style"
    corners: tuple[str, ...] = ()
    corner_at: str = "bottom"
    below: bool = False
    right: bool = False
    row_formulas: bool = False
    col_formulas: bool = False
    wrap: int = 1
    over: tuple[tuple[Role, tuple[str, ...]], ...] = ()
    under: tuple[tuple[Role, tuple[str, ...]], ...] = ()
    gap: int = 0
    group_gap: int = 0
    spacer: bool = False
    group_merge: bool = False
    missing: float = 0.0
    missing_text: str = ""
    share_format: str = "0.0%"
    sums: str = "exact"


def wrapped(label: CellValue, count: int) -> list[CellValue]:
    """A label cut into at most `count` lines at its spaces."""
    words = label.split(" ") if isinstance(label, str) else []
    if count == 1 or len(words) < 2:
        return [label]
    size = -(-len(words) // min(count, len(words)))
    return [" ".join(words[i : i + size]) for i in range(0, len(words), size)]
