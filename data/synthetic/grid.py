"""Cells put one by one -> a synthetic sheet with gold roles, tables and header paths."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, time
from typing import TypeAlias

from cellroles.sheet import Region, Role, Style, a1

CellValue: TypeAlias = str | int | float | bool | datetime | time
Position: TypeAlias = tuple[int, int]
Positions: TypeAlias = tuple[Position, ...]


@dataclass(frozen=True, slots=True)
class SyntheticCell:
    """One filled cell; a formula keeps the value that it evaluates to."""

    value: CellValue
    role: Role
    style: Style
    formula: str | None = None


@dataclass(frozen=True, slots=True)
class SyntheticSheet:
    """A sheet whose truth is known.

    Positions are zero-based (row, col). `col_paths` and `row_paths` give, for every value and aggregation cell,
    the header cells that govern it, outermost first (anchors of merges); `tables` are in reading order.
    """

    family: str
    language: str
    name: str
    title: str
    cells: dict[Position, SyntheticCell]
    merges: tuple[Region, ...]
    tables: tuple[Region, ...]
    col_paths: dict[Position, Positions]
    row_paths: dict[Position, Positions]
    links: dict[Position, str] = field(default_factory=dict)


def plain(value: CellValue) -> CellValue:
    """A whole float as an int, as a workbook stores it."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def references(cells: Sequence[Position]) -> str:
    """References to cells of one row or one column: runs as ranges, the rest by commas."""
    runs: list[list[Position]] = []
    for row, col in cells:
        if runs and (row, col) in ((runs[-1][-1][0] + 1, runs[-1][-1][1]), (runs[-1][-1][0], runs[-1][-1][1] + 1)):
            runs[-1].append((row, col))
        else:
            runs.append([(row, col)])
    return ",".join(a1(*run[0]) + (f":{a1(*run[-1])}" if len(run) > 1 else "") for run in runs)


class Canvas:
    """A sheet in the making."""

    def __init__(self) -> None:
        self.cells: dict[Position, SyntheticCell] = {}
        self.merges: list[Region] = []
        self.tables: list[Region] = []
        self.col_paths: dict[Position, Positions] = {}
        self.row_paths: dict[Position, Positions] = {}
        self.links: dict[Position, str] = {}
        self.title = ""

    @property
    def bottom(self) -> int:
        """The first row below everything put so far."""
        ends = [row + 1 for row, _ in self.cells] + [merge.bottom for merge in self.merges]
        return max(ends, default=0)

    @property
    def right(self) -> int:
        """The first column right of everything put so far."""
        ends = [col + 1 for _, col in self.cells] + [merge.right for merge in self.merges]
        return max(ends, default=0)

    def put(
        self, row: int, col: int, value: CellValue, role: Role, style: Style, formula: str | None = None
    ) -> Position:
        """Fill one cell and say where it is; a cell is filled once."""
        if (row, col) in self.cells:
            raise ValueError(f"a cell is filled once; row {row}, column {col} holds {self.cells[row, col].value!r}")
        self.cells[row, col] = SyntheticCell(plain(value), role, style, formula)
        return row, col

    def figure(
        self,
        at: Position,
        value: CellValue,
        role: Role,
        style: Style,
        col_path: Positions,
        row_path: Positions,
        formula: str | None = None,
    ) -> None:
        """Fill one data cell together with the header cells that govern it."""
        self.put(*at, value, role, style, formula)
        self.col_paths[at] = col_path
        self.row_paths[at] = row_path

    def merge(self, top: int, left: int, bottom: int, right: int) -> None:
        """Merge the half-open box, if it is more than one cell."""
        if (bottom - top) * (right - left) > 1:
            self.merges.append(Region(top, left, bottom, right))

    def sheet(self, family: str, language: str, name: str) -> SyntheticSheet:
        """The finished sheet; cells covered by a merge must not be filled."""
        for merge in self.merges:
            covered = [
                (row, col)
                for row in range(merge.top, merge.bottom)
                for col in range(merge.left, merge.right)
                if (row, col) != (merge.top, merge.left) and (row, col) in self.cells
            ]
            if covered:
                raise ValueError(f"a covered cell stays empty; {merge.a1} covers {covered[:3]} in {family}")
        merges = tuple(sorted(self.merges, key=lambda box: (box.top, box.left)))
        tables = tuple(sorted(self.tables, key=lambda box: (box.top, box.left)))
        cells = dict(sorted(self.cells.items()))
        return SyntheticSheet(
            family, language, name, self.title, cells, merges, tables, self.col_paths, self.row_paths, self.links
        )
