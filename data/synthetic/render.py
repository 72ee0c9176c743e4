"""Synthetic sheets -> Markdown: every cell with its role, one small sample per family."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from openpyxl.utils.cell import get_column_letter

from cellroles.sheet import Role, a1
from data.synthetic.families import FAMILIES, generate
from data.synthetic.grid import Position, SyntheticSheet
from data.synthetic.labelled import to_sheet

SHORT = {
    Role.VALUE: "",
    Role.AGGREGATION: "agg",
    Role.HEADER: "header",
    Role.METADATA: "meta",
    Role.COMMENT: "comment",
    Role.JUNK: "junk",
    Role.COL_HEADER_1: "c1",
    Role.COL_HEADER_2: "c2",
    Role.COL_HEADER_3: "c3",
    Role.ROW_HEADER_1: "r1",
    Role.ROW_HEADER_2: "r2",
    Role.ROW_HEADER_3: "r3",
}
INTRODUCTION = """# Synthetic sheets

`data.synthetic.generate(seed, family)` writes these. A cell's role follows its text: c1-c3 and r1-r3 are column and row
headers (1 is innermost), agg is aggregation; a cell without a mark is a value. Spaces that indent a label show as `·`.
"""


def _cell(text: str, role: Role) -> str:
    bare = text.lstrip(" ")
    shown = "·" * (len(text) - len(bare)) + bare[:40].replace("|", "\\|")
    return f"{shown} **{SHORT[role]}**" if SHORT[role] else shown


def _path(sheet: SyntheticSheet, path: Sequence[Position]) -> str:
    return " > ".join(f"{str(sheet.cells[at].value).strip()} ({a1(*at)})" for at in path) or "-"


def markdown(sheet: SyntheticSheet) -> str:
    """The sheet as a Markdown table with its merges, tables and the paths of its last figure."""
    texts = dict(zip(sheet.cells, to_sheet(sheet).text, strict=True))
    rows = range(max(row for row, _ in sheet.cells) + 1)
    cols = range(max(col for _, col in sheet.cells) + 1)
    parts = [f"## {sheet.family}\n", "| | " + " | ".join(get_column_letter(col + 1) for col in cols) + " |"]
    parts.append("|---" * (len(cols) + 1) + "|")
    for row in rows:
        shown = [_cell(texts[row, col], sheet.cells[row, col].role) if (row, col) in texts else "" for col in cols]
        parts.append(f"| {row + 1} | " + " | ".join(shown) + " |")
    facts = [f"Language {sheet.language}", "tables " + (", ".join(box.a1 for box in sheet.tables) or "none")]
    if sheet.merges:
        facts.append("merges " + ", ".join(box.a1 for box in sheet.merges))
    parts.append("\n" + "; ".join(facts) + ".")
    if sheet.col_paths:
        at = max(sheet.col_paths)
        parts.append(
            f"{a1(*at)}: columns {_path(sheet, sheet.col_paths[at])}; rows {_path(sheet, sheet.row_paths[at])}."
        )
    return "\n".join(parts) + "\n"


def small_sample(family: str, most_rows: int = 22, most_cols: int = 9) -> SyntheticSheet:
    """The first sheet of a family that fits a page."""
    seed = 0
    while True:
        sheet = generate(seed, family)
        rows, cols = (max(at[axis] for at in sheet.cells) + 1 for axis in (0, 1))
        if rows <= most_rows and cols <= most_cols:
            return sheet
        seed += 1


def write_samples(path: Path) -> None:
    """One sample per family."""
    path.parent.mkdir(parents=True, exist_ok=True)
    samples = "\n".join(markdown(small_sample(family)) for family in FAMILIES)
    path.write_text(f"{INTRODUCTION}\n{samples}", encoding="utf-8")
