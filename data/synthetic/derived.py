"""Families about figures that derive from others: changes, averages, extremes, cumulated sums; by formula or typed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from cellroles.sheet import Region, Role, a1
from data.synthetic.axes import Measure, draw_measure
from data.synthetic.draws import flat_axis, years
from data.synthetic.frame import make_title, note_lines, title_lines
from data.synthetic.grid import Canvas, Position
from data.synthetic.nested import ADDITIVE
from data.synthetic.styles import Look
from data.synthetic.vocabulary import Words


@dataclass(frozen=True, slots=True)
class Sums:
    """A block of figures being written: first figure cell, its columns, and whether formulas are used."""

    at: Position
    heads: tuple[Position, ...]
    measure: Measure
    formulas: bool


def change_columns(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """Two or three years and their change: computed by formula (aggregation) or typed (value)."""
    name, labels = flat_axis(
        rng, words, rng.choice(("country", "city", "product", "department", "age")), rng.randint(4, 25)
    )
    label, measure = draw_measure(rng, words, ADDITIVE)
    span, formulas = years(rng, rng.choice((2, 2, 3))), rng.random() < 0.6
    top = title_lines(rng, words, look, canvas, make_title(rng, words, label, name, words.names["year"]), 5)
    canvas.put(top, 0, name, Role.COL_HEADER_1, look.header)
    texts = [*span, words.lists["change"][-1], words.lists["change"][0] + " %"][: len(span) + rng.choice((1, 2))]
    heads = [canvas.put(top, 1 + j, text, Role.COL_HEADER_1, look.header) for j, text in enumerate(texts)]
    last = len(span)
    for i, text in enumerate(labels, 1):
        row = top + i
        key = (canvas.put(row, 0, text, Role.ROW_HEADER_1, look.label(0, i)),)
        base = rng.lognormvariate(measure.location, measure.spread) + 1
        figures = [round(base * rng.lognormvariate(0, 0.15), measure.decimals) + 1 for _ in span]
        for head, value in zip(heads, figures, strict=False):
            canvas.figure((row, head[1]), value, Role.VALUE, look.value(measure.number_format, i), (head,), key)
        after, before = a1(row, last), a1(row, last - 1)
        difference = round(figures[-1] - figures[-2], measure.decimals)
        made = [(difference, f"={after}-{before}", measure.number_format)]
        made.append((round(difference / figures[-2], 4), f"=({after}-{before})/{before}", "0.0%"))
        role = Role.AGGREGATION if formulas else Role.VALUE
        for head, (value, formula, number_format) in zip(heads[last:], made, strict=False):
            style = look.value(number_format, i)
            canvas.figure((row, head[1]), value, role, style, (head,), key, formula if formulas else None)
    canvas.tables.append(Region(top, 0, top + 1 + len(labels), 1 + len(heads)))
    note_lines(rng, words, look, canvas)


def summary_rows(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """Total, average, largest and smallest below (or above) the figures that they summarise."""
    name, labels = flat_axis(
        rng, words, rng.choice(("month", "country", "city", "year", "company")), rng.randint(4, 20)
    )
    label, measure = draw_measure(rng, words, ADDITIVE)
    columns = words.some(rng, "parts", rng.randint(1, 5))
    top = title_lines(rng, words, look, canvas, make_title(rng, words, label, name, words.names["category"]), 4)
    canvas.put(top, 0, name, Role.COL_HEADER_1, look.header)
    heads = tuple(canvas.put(top, 1 + j, text, Role.COL_HEADER_1, look.header) for j, text in enumerate(columns))
    chosen = rng.sample(["total", "average", "largest", "smallest"], rng.randint(1, 4))
    above = rng.random() < 0.15
    first = top + 1 + (len(chosen) if above else 0)
    rows = []
    for i, text in enumerate(labels):
        key = (canvas.put(first + i, 0, text, Role.ROW_HEADER_1, look.label(0, i)),)
        rows.append([round(rng.lognormvariate(measure.location, 0.6), measure.decimals) for _ in columns])
        for head, value in zip(heads, rows[-1], strict=True):
            style = look.value(measure.number_format, i)
            canvas.figure((first + i, head[1]), value, Role.VALUE, style, (head,), key)
    start = top + 1 if above else first + len(labels)
    block = Sums((first, 1), heads, measure, rng.random() < 0.6)
    for k, kind in enumerate(chosen):
        _write_summary(rng, words, look, canvas, kind, start + k, rows, block)
    canvas.tables.append(Region(top, 0, top + 1 + len(labels) + len(chosen), 1 + len(columns)))
    note_lines(rng, words, look, canvas)


def _write_summary(
    rng: Random, words: Words, look: Look, canvas: Canvas, kind: str, row: int, rows: list[list[float]], block: Sums
) -> None:
    """One summary row under or above a block."""
    made: dict[str, tuple[str, Callable[[list[float]], float]]] = {
        "total": ("SUM", lambda column: round(sum(column), 2)),
        "average": ("AVERAGE", lambda column: round(sum(column) / len(column), 2)),
        "largest": ("MAX", max),
        "smallest": ("MIN", min),
    }
    function, compute = made[kind]
    key = (canvas.put(row, 0, words.one(rng, kind), Role.ROW_HEADER_1, look.total()),)
    for j, head in enumerate(block.heads):
        value = compute([figures[j] for figures in rows])
        ends = a1(block.at[0], 1 + j), a1(block.at[0] + len(rows) - 1, 1 + j)
        formula = f"={function}({ends[0]}:{ends[1]})" if block.formulas else None
        style = look.total(block.measure.number_format)
        canvas.figure((row, head[1]), value, Role.AGGREGATION, style, (head,), key, formula)


def running_totals(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """Entries and their running balance beside them."""
    count, formulas = rng.randint(5, 40), rng.random() < 0.6
    top = title_lines(rng, words, look, canvas, words.one(rng, "texts"), 4) if rng.random() < 0.5 else 0
    texts = (words.names["date"], words.names["description"], words.names["amount"], words.one(rng, "total"))
    heads = [canvas.put(top, j, text, Role.COL_HEADER_1, look.header) for j, text in enumerate(texts)]
    balance, year = 0.0, rng.randint(2010, 2023)
    for i in range(1, count + 1):
        row = top + i
        amount = round(rng.lognormvariate(4, 1) * rng.choice((1, 1, -1)), 2)
        balance = round(balance + amount, 2)
        date = f"{year}-{1 + 11 * i // count:02d}-{1 + i % 28:02d}"
        key = (canvas.put(row, 0, date, Role.ROW_HEADER_1, look.label(0, i)),)
        text = words.one(rng, rng.choice(("companies", "products")))
        canvas.figure((row, 1), text, Role.VALUE, look.value("General", i), (heads[1],), key)
        style = look.value("#,##0.00", i)
        canvas.figure((row, 2), amount, Role.VALUE, style, (heads[2],), key)
        formula = f"={a1(row - 1, 3)}+{a1(row, 2)}" if i > 1 else f"=SUM({a1(row, 2)})"
        canvas.figure((row, 3), balance, Role.AGGREGATION, style, (heads[3],), key, formula if formulas else None)
    canvas.tables.append(Region(top, 0, top + 1 + count, 4))
