"""How a table is written: the choices of its author."""

from __future__ import annotations

from dataclasses import dataclass

from cellroles.sheet import Role
from data.synthetic.grid import CellValue

DETAILS = (
    (
        ("Unit", "Units", "UoM", "Einheit", "Unité", "Unidad", "Eenheid", "单位", "単位", "Ед. изм.", "Birim"),
        (
            "kg",
            "g",
            "mg",
            "t",
            "%",
            "km",
            "km²",
            "m³",
            "kWh",
            "GWh",
            "EUR",
            "USD m",
            "ha",
            "No.",
            "thousand",
            "index",
            "l",
        ),
    ),
    (
        ("Code", "NACE", "ISIC", "HS", "Account", "编号", "Код"),
        ("A", "B1", "01-03", "12", "C.10", "45", "31-33", "7b", "S.11"),
    ),
    (
        ("Note", "Notes", "Footnote", "Fußnote", "Nota", "注"),
        ("1", "2", "(a)", "(b)", "3,4", "*", "see 5", "a) b)"),
    ),
    (
        ("Source", "Quality", "Status", "Basis", "来源"),
        ("S1", "S2", "p", "r", "final", "A", "B", "1/2", "survey", "admin."),
    ),
)
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
    sums: see `axes.roughen`. detail: head and texts of a column of units, codes or notes after the stubs, which are
    values; without texts there is none.
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
    detail: tuple[str, tuple[str, ...]] = ("", ())


def wrapped(label: CellValue, count: int) -> list[CellValue]:
    """A label cut into at most `count` lines at its spaces."""
    words = label.split(" ") if isinstance(label, str) else []
    if count == 1 or len(words) < 2:
        return [label]
    size = -(-len(words) // min(count, len(words)))
    return [" ".join(words[i : i + size]) for i in range(0, len(words), size)]
