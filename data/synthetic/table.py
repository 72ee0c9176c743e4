"""Two trees of labels and a layout -> a placed table with gold roles and header paths."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from random import Random

import numpy as np

from cellroles.sheet import COLUMN_HEADERS, ROW_HEADERS, Region, Role, Style, a1
from data.synthetic.axes import Line, Measure, Node, figures, lines, roughen
from data.synthetic.grid import Canvas, CellValue, Position, Positions, references
from data.synthetic.layout import INDENTS, Layout, wrapped
from data.synthetic.styles import Look


class TableWriter:
    """One table on a canvas; `place` writes it and returns its region."""

    def __init__(self, canvas: Canvas, look: Look, at: Position, layout: Layout) -> None:
        self.canvas, self.look, self.layout = canvas, look, layout
        self.top, self.left = at

    def place(self, rng: Random, row_tree: Sequence[Node], col_tree: Sequence[Node], measure: Measure) -> Region:
        """Write headers, stubs and body."""
        if self.layout.detail[1] and not (self.layout.over or self.layout.under):
            col_tree = (Node(self.layout.detail[0], derived="detail"), *col_tree)
        every_row, every_col = lines(row_tree), lines(col_tree)
        self.col_lines = every_col
        self.col_at = [i for i, line in enumerate(every_col) if line.leaf]
        outline = self.layout.body == "outline"
        self.row_lines = every_row
        self.row_at = [i for i, line in enumerate(every_row) if outline or line.leaf]
        self.stubs = 1 if outline else 1 + max(len(line.parents) for line in every_row)
        self.levels = 1 + max(len(line.parents) for line in every_col)
        self.head = self.levels - 1 + self._label_lines()
        self.offsets = self._column_offsets()
        self.width = self.offsets[-1] + 1
        self._lay_rows(every_row, outline)
        self.col_paths: list[Positions] = [() for _ in self.col_at]
        self._write_spans()
        self._write_leaves()
        self._write_corners()
        self._write_extra_rows()
        row_paths = self._write_outline() if outline else self._write_stubs()
        self._write_body(rng, row_paths, measure)
        return self._finish()

    def _label_lines(self) -> int:
        return max(len(wrapped(self.col_lines[i].label, self.layout.wrap)) for i in self.col_at)

    def _column_offsets(self) -> list[int]:
        """Positions of the figure columns, with an empty one between outer columns where spacers are used."""
        outer = [(self.col_lines[i].parents or (i,))[0] for i in self.col_at]
        grouped = self.layout.spacer and self.levels > 1
        changes = [0, *(grouped and a != b for a, b in pairwise(outer))]
        return [j + sum(changes[: j + 1]) for j in range(len(self.col_at))]

    def _lay_rows(self, every_row: Sequence[Line], outline: bool) -> None:
        """Sheet rows of the body lines."""
        layout = self.layout
        above = 0 if layout.below else len(layout.over) + self.head + len(layout.under) + layout.gap
        self.ys: list[int] = []
        row = self.top + above
        for place, index in enumerate(self.row_at):
            starts_group = not every_row[index].parents if outline else place and self._new_group(place)
            if place and starts_group:
                row += layout.group_gap
            self.ys.append(row)
            row += 1
        self.body_end = row

    def _new_group(self, place: int) -> bool:
        above, here = (self.row_lines[self.row_at[i]].parents[:1] for i in (place - 1, place))
        return above != here

    def _header_row(self, level: int) -> int:
        """Sheet row of a header line, 0 = outermost."""
        if self.layout.below:
            return self.body_end + self.head - 1 - level
        return self.top + len(self.layout.over) + level

    def _x(self, column: int) -> int:
        return self.left + self.offsets[column] + (0 if self.layout.right else self.stubs)

    def _stub_x(self, stub: int) -> int:
        return self.left + (self.width + self.stubs - 1 - stub if self.layout.right else stub)

    def _head_merge(self, first: int, last: int, left: int, right: int) -> int:
        """Merge header levels first..last over columns [left, right); the anchor's row."""
        rows = sorted((self._header_row(first), self._header_row(last)))
        self.canvas.merge(rows[0], left, rows[1] + 1, right)
        return rows[0]

    def _write_spans(self) -> None:
        """Outer column labels, each over the leaves below it."""
        for index, line in enumerate(self.col_lines):
            if line.leaf:
                continue
            under = [j for j, leaf in enumerate(self.col_at) if index in self.col_lines[leaf].parents]
            role, row = COLUMN_HEADERS[line.depth - 1], self._header_row(len(line.parents))
            if self.layout.spans == "repeated":
                for j in under:
                    self.col_paths[j] += (self.canvas.put(row, self._x(j), line.label, role, self.look.header),)
                continue
            first = under[(len(under) - 1) // 2] if self.layout.spans == "centred" else under[0]
            at = self.canvas.put(row, self._x(first), line.label, role, self.look.header)
            if self.layout.spans == "merged":
                self.canvas.merge(row, self._x(under[0]), row + 1, self._x(under[-1]) + 1)
            for j in under:
                self.col_paths[j] += (at,)

    def _write_leaves(self) -> None:
        """Innermost column labels, over one or several lines."""
        for j, index in enumerate(self.col_at):
            line = self.col_lines[index]
            texts = wrapped(line.label, self.layout.wrap)
            level = len(line.parents)
            start = level if self.layout.short == "top" else self.head - len(texts)
            rows = [self._header_row(start + k) for k in range(len(texts))]
            if self.layout.short == "tall" and self.head == self.levels:
                rows = [self._head_merge(level, self.head - 1, self._x(j), self._x(j) + 1)]
            for row, text in sorted(zip(rows, texts, strict=True), key=lambda pair: pair[0]):
                at = self.canvas.put(row, self._x(j), text, COLUMN_HEADERS[0], self.look.header)
                self.col_paths[j] += (at,)

    def _write_corners(self) -> None:
        """Names of the stub columns."""
        last = self.head - 1
        for stub, name in enumerate(self.layout.corners[: self.stubs]):
            x = self._stub_x(stub)
            if self.layout.corner_at == "tall":
                row = self._head_merge(0, last, x, x + 1)
            else:
                row = self._header_row(0 if self.layout.corner_at == "top" else last)
            if name:
                self.canvas.put(row, x, name, COLUMN_HEADERS[0], self.look.header)

    def _write_extra_rows(self) -> None:
        """Units, numbers, tags or descriptions over and under the labels; tags and numbers join the paths."""
        layout, order = self.layout, self._columns_in_order()
        above = [(self.top + k, *extra) for k, extra in enumerate(layout.over)]
        first = self.top + len(layout.over) + self.head
        for row, role, texts in above + [(first + k, *extra) for k, extra in enumerate(layout.under)]:
            style = self.look.header if role in COLUMN_HEADERS else self.look.note
            for (x, j), text in zip(order, texts, strict=True):
                if text:
                    at = self.canvas.put(row, x, text, role, style)
                    if j is not None and role in COLUMN_HEADERS:
                        self.col_paths[j] += (at,)

    def _columns_in_order(self) -> list[tuple[int, int | None]]:
        stubs: list[tuple[int, int | None]] = [(self._stub_x(k), None) for k in range(self.stubs)]
        return sorted(stubs + [(self._x(j), j) for j in range(len(self.col_at))], key=lambda pair: pair[0])

    def _write_outline(self) -> list[Positions]:
        """One stub column; children are indented or not; the path goes through the parents' lines."""
        x, where, paths = self._stub_x(0), {}, []
        for place, (index, y) in enumerate(zip(self.row_at, self.ys, strict=True)):
            line = self.row_lines[index]
            steps = len(line.parents)
            label, indent = line.label, steps if self.layout.indent == "style" else 0
            mark = INDENTS.get(self.layout.indent, "")
            if steps and mark:
                label = (mark * steps if mark.isspace() else " " * 2 * (steps - 1) + mark) + str(label)
            where[index] = self.canvas.put(
                y, x, label, ROW_HEADERS[line.depth - 1], self._label_style(line, indent, place)
            )
            paths.append(tuple(where[k] for k in (*line.parents, index)))
            if self.layout.group_merge and line.kind == "none" and not self.layout.right:
                self.canvas.merge(y, self.left, y + 1, self.left + self.stubs + self.width)
        return paths

    def _label_style(self, line: Line, indent: int, place: int) -> Style:
        if line.kind in ("sum", "mean") and line.leaf:
            return self.look.total(indent=indent)
        return self.look.label(indent, place) if line.leaf else self.look.group(indent)

    def _write_stubs(self) -> list[Positions]:
        """A stub column per level; a label with fewer levels (a total) stands in the first."""
        paths, seen, fill = [], {}, self.layout.fill
        for place, (index, y) in enumerate(zip(self.row_at, self.ys, strict=True)):
            line = self.row_lines[index]
            path: list[Position] = []
            for stub, parent in enumerate(line.parents):
                x = self._stub_x(stub)
                if fill == "repeated" or parent not in seen:
                    label, depth = self.row_lines[parent].label, self.row_lines[parent].depth
                    seen[parent] = self.canvas.put(y, x, label, ROW_HEADERS[depth - 1], self.look.label(0, place))
                    if fill == "merged":
                        rows = [self.ys[k] for k, i in enumerate(self.row_at) if parent in self.row_lines[i].parents]
                        self.canvas.merge(rows[0], x, rows[-1] + 1, x + 1)
                path.append(seen[parent])
            x = self._stub_x(len(line.parents))
            style = self.look.label(0, place) if line.kind == "own" else self.look.total()
            path.append(self.canvas.put(y, x, line.label, ROW_HEADERS[0], style))
            if self.layout.group_merge and not self.layout.right:
                self.canvas.merge(y, x, y + 1, self.left + self.stubs)
            paths.append(tuple(path))
        return paths

    def _write_body(self, rng: Random, row_paths: list[Positions], measure: Measure) -> None:
        """Figures, placeholders and formulas."""
        layout = self.layout
        grid = figures(rng, self.row_lines, self.col_lines, measure, layout.missing)
        if not (layout.row_formulas or layout.col_formulas):
            grid = roughen(rng, grid, self.row_lines, self.col_lines, layout.sums)
        for i, index in enumerate(self.row_at):
            row = self.row_lines[index]
            if row.kind == "none":
                continue
            for j, column in enumerate(self.col_at):
                col = self.col_lines[column]
                if col.kind == "detail":
                    self._write_detail(rng, i, j, row_paths[i])
                    continue
                number = float(grid[index, column])
                percent = col.kind == "share" and "%" not in self.layout.share_format
                value: CellValue = round(100 * number, 1) if percent else number
                if np.isnan(grid[index, column]):
                    if not self.layout.missing_text:
                        continue
                    value = self.layout.missing_text
                formula = None if isinstance(value, str) else self._formula(i, j)
                derived = formula or row.kind in ("sum", "mean") or col.kind in ("sum", "mean")
                style = self._figure_style(row, col, measure, i)
                role = Role.AGGREGATION if derived else Role.VALUE
                at = (self.ys[i], self._x(j))
                self.canvas.figure(at, value, role, style, self.col_paths[j], row_paths[i], formula)

    def _write_detail(self, rng: Random, i: int, j: int, row_path: Positions) -> None:
        """A unit, code or note of a row, which lines other than plain ones mostly lack."""
        if rng.random() < (0.95 if self.row_lines[self.row_at[i]].kind == "own" else 0.3):
            text, style = rng.choice(self.layout.detail[1]), self.look.value("General", i)
            self.canvas.figure((self.ys[i], self._x(j)), text, Role.VALUE, style, self.col_paths[j], row_path)

    def _figure_style(self, row: Line, col: Line, measure: Measure, place: int) -> Style:
        number_format = (row.measure or col.measure or measure).number_format
        if col.kind == "share":
            number_format = self.layout.share_format
        strong = row.kind != "own" and (row.leaf or self.look.group_bold)
        return self.look.total(number_format) if strong else self.look.value(number_format, place)

    def _formula(self, i: int, j: int) -> str | None:
        """The formula of a derived figure, where the author used one."""
        row, col = self.row_lines[self.row_at[i]], self.col_lines[self.col_at[j]]
        y, x = self.ys[i], self._x(j)
        by_row, by_col = self.layout.row_formulas, self.layout.col_formulas
        if by_row and row.kind in ("sum", "mean") and (col.kind != "share"):
            scale = col.measure
            name = "SUM" if row.kind == "sum" and (scale is None or scale.additive) else "AVERAGE"
            return f"={name}({references([(self._y_of(k), x) for k in row.parts])})"
        if by_col and col.kind in ("sum", "mean"):
            name = "SUM" if col.kind == "sum" else "AVERAGE"
            return f"={name}({references([(y, self._x(self.col_at.index(k))) for k in col.parts])})"
        if by_col and col.kind == "share":
            source = self._x(self.col_at.index(col.parts[0]))
            plain = [self._y_of(k) for k, line in enumerate(self.row_lines) if line.kind == "own" and line.leaf]
            factor = "" if "%" in self.layout.share_format else "100*"
            return f"={factor}{a1(y, source)}/SUM({references([(k, source) for k in plain])})"
        return None

    def _y_of(self, line: int) -> int:
        return self.ys[self.row_at.index(line)]

    def _finish(self) -> Region:
        bottom = self.body_end + (self.head if self.layout.below else 0)
        region = Region(self.top, self.left, bottom, self.left + self.stubs + self.width)
        self.canvas.tables.append(region)
        return region
