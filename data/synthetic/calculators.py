"""Families of calculators and worked examples: small blocks of inputs, results, look-up tables and explanations."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random

from cellroles.sheet import Role, a1
from data.synthetic.blocks import Datum, Entry, Formula, Head, HeadLine, Label, close, write_entries, write_head
from data.synthetic.comparisons import corner
from data.synthetic.frame import note_lines, title_lines
from data.synthetic.grid import Canvas, Position, Positions
from data.synthetic.restyle import restyled
from data.synthetic.styles import Look
from data.synthetic.vocabulary import Words

Known = list[tuple[Position, float]]
NO_PATHS: list[Positions] = [(), ()]
OPERATIONS: dict[str, Callable[[float, float], float]] = {
    "*": lambda a, b: a * b,
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "/": lambda a, b: a / b,
}
FORMATS = ("General", "General", "0.00", "#,##0", '"$"#,##0.00')


def _constant(row: int, col: int) -> str:
    return "=12*5"


def input_data(rng: Random) -> tuple[Datum, float]:
    """A typed number, now and then a formula of constants; never zero."""
    if rng.random() < 0.06:
        return Datum(60, formula=_constant), 60.0
    if rng.random() < 0.2:
        rate = round(rng.uniform(0.01, 0.4), 3)
        return Datum(rate, "0.0%"), rate
    number = rng.choice((rng.randint(1, 40), rng.randint(100, 90000), round(rng.uniform(1, 99), 2)))
    return Datum(number, rng.choice(FORMATS)), float(number)


def result_data(rng: Random, operation: str, known: Known) -> tuple[Datum, float]:
    """A formula over two known cells, or over all of them in their one column."""
    (first, a), (second, b) = rng.sample(known, 2) if len(known) > 1 else (known[0], known[0])
    if operation == "/" and b == 0:
        operation = "+"
    value = round(OPERATIONS[operation](a, b), 6)
    text = f"={a1(*first)}{operation}{a1(*second)}"
    return Datum(value, rng.choice(FORMATS), Role.AGGREGATION, lambda row, col: text), value


def _caption(rng: Random, words: Words, look: Look, canvas: Canvas, at: Position, chance: float, text: str = "") -> int:
    """Perhaps a caption above a block; the rows it takes."""
    if rng.random() > chance:
        return 0
    canvas.put(*at, text or words.one(rng, "blocks"), Role.HEADER, look.caption)
    return 1


@dataclass(frozen=True, slots=True)
class Plan:
    """A block of labels with a value beside them: plain labels are inputs, `operation:label` are results."""

    labels: tuple[str, ...]
    stubs: int = 1
    colon: str = ""
    unit: str = ""
    headed: bool = False


def draw_plan(rng: Random, words: Words, inputs: int, results: int) -> Plan:
    """Some inputs and some results of them."""
    pool = words.lists["results"]
    labels = (*words.some(rng, "inputs", inputs), *rng.sample(pool, min(results, len(pool))))
    unit = words.one(rng, "units") if rng.random() < 0.3 else ""
    stubs = rng.choice((1, 1, 1, 2))
    return Plan(labels, stubs, rng.choice(("", "", ":", " =")), unit, rng.random() < 0.15)


def write_pairs(
    rng: Random, words: Words, look: Look, canvas: Canvas, at: Position, plan: Plan, known: Known, caption: str = ""
) -> int:
    """Write a block, perhaps under a caption; `known` gathers its figures; the row below it."""
    row, heads, stubs = at[0] + _caption(rng, words, look, canvas, at, 0.65, caption), NO_PATHS, plan.stubs
    if plan.headed:
        texts = (words.names["value"], words.names["unit"])[: 1 + bool(plan.unit)]
        line = HeadLine(tuple(map(Head, range(2), texts)))
        row, heads = write_head(canvas, look, (row, at[1] + stubs), [line], 2)
    for text in plan.labels:
        operation, _, label = text.rpartition(":")
        data, number = result_data(rng, operation, known) if operation and known else input_data(rng)
        unit = (Datum(words.one(rng, "units")),) if plan.unit and rng.random() < 0.8 else ()
        known.append(((row, at[1] + stubs), number))
        entry = Entry((Label(label + plan.colon),), (data, *unit))
        row = write_entries(canvas, look, (row, at[1]), [entry], heads, stubs)
    close(canvas, at, row, at[1] + stubs + 1 + bool(plan.unit))
    return row


def write_lookup(rng: Random, words: Words, look: Look, canvas: Canvas, at: Position) -> int:
    """A small table of limits and rates; a header row, one above some of its columns, or none."""
    taken = _caption(rng, words, look, canvas, at, 0.5)
    width, row = rng.randint(1, 4), at[0] + taken
    names = [words.names[kind] for kind in ("rate", "price", "quantity", "value")][:width]
    heads = [Head(j, name) for j, name in enumerate(names)]
    how = rng.choice(("all", "all", "some", "none"))
    paths: list[Positions] = [()] * width
    if how != "none":
        shown = [head for head in heads if how == "all" or rng.random() < 0.6]
        row, paths = write_head(canvas, look, (row, at[1] + 1), [HeadLine(tuple(shown or heads[:1]))], width)
        if how == "all":
            corner(rng, look, canvas, (row - 1, row), at[1], words.names[rng.choice(("category", "code", "parameter"))])
    step, texts = rng.choice((10, 100, 500)), words.lists["grades"]
    by_text = rng.random() < 0.4
    entries = [
        Entry(
            (Label(texts[k % len(texts)] if by_text else step * k),),
            tuple(Datum(round(rng.uniform(0.01, 0.9) * rng.choice((1, 1, 100)), 2)) for _ in range(width)),
        )
        for k in range(rng.randint(2, 6))
    ]
    bottom = write_entries(canvas, look, (row, at[1]), entries, paths)
    close(canvas, at, bottom, at[1] + 1 + width)
    return bottom


@restyled
def calculator(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """Blocks below each other: inputs, results, a look-up table, explanations in sentences."""
    top = title_lines(rng, words, look, canvas, words.one(rng, "texts"), 3) if rng.random() < 0.5 else 0
    known: Known = []
    plan = draw_plan(rng, words, rng.randint(2, 6), rng.randint(1, 5))
    parts = [plan]
    if rng.random() < 0.6:
        parts = [replace(plan, labels=tuple(t for t in plan.labels if (":" in t) == late)) for late in (False, True)]
    for part in parts:
        if rng.random() < 0.3:
            canvas.put(top, 0, words.one(rng, "hints"), Role.METADATA, look.note)
            top += rng.choice((1, 2))
        top = write_pairs(rng, words, look, canvas, (top, 0), part, known) + rng.choice((1, 1, 2))
    if rng.random() < 0.5:
        beside = rng.random() < 0.4
        at = (max(0, top - len(plan.labels) - 1), canvas.right + 1) if beside else (top, 0)
        top = max(top, write_lookup(rng, words, look, canvas, at) + 1)
    for text in words.some(rng, "hints", rng.choice((0, 0, 1, 2))):
        canvas.put(top, 0, text, Role.METADATA, look.note)
        top += 1


@restyled
def options(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """The same block of inputs and results side by side (or below each other), once for every option."""
    top = title_lines(rng, words, look, canvas, words.one(rng, "texts"), 5) if rng.random() < 0.5 else 0
    plan = draw_plan(rng, words, rng.randint(2, 5), rng.randint(1, 3))
    beside, gap, left = rng.random() < 0.75, rng.choice((1, 1, 2)), 0
    for caption in rng.sample(words.lists["blocks"], rng.choice((2, 2, 3))):
        bottom = write_pairs(rng, words, look, canvas, (top, left), plan, [], caption)
        left, top = (canvas.right + gap, top) if beside else (left, bottom + gap)
    if rng.random() < 0.4:
        canvas.put(canvas.bottom + 1, 0, words.one(rng, "hints"), Role.METADATA, look.note)


def _left(operation: str, first: int, second: int) -> Formula:
    return lambda row, col: f"={a1(row, col - first)}{operation}{a1(row, col - second)}"


@restyled
def worked_example(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """Data in columns x and y with computed columns, sums below (with or without a label), results beside labels."""
    top = title_lines(rng, words, look, canvas, words.one(rng, "texts"), 4) if rng.random() < 0.4 else 0
    if rng.random() < 0.3:
        canvas.put(top, 0, words.one(rng, "hints"), Role.METADATA, look.note)
        top += rng.choice((1, 2))
    labelled, count = rng.random() < 0.6, rng.randint(3, 15)
    texts = rng.choice((("x", "y", "x*y", "x²"), ("a", "b", "a*b", "a^2"), ("X1", "X2", "X1*X2", "X1^2")))[
        : rng.randint(2, 4)
    ]
    line = HeadLine(tuple(Head(j, text) for j, text in enumerate(texts)))
    stubs, width = int(labelled), len(texts)
    row, heads = write_head(canvas, look, (top, stubs), [line], width)
    if labelled and rng.random() < 0.6:
        canvas.put(top, 0, rng.choice(("i", "n", words.names["number"])), Role.COL_HEADER_1, look.header)
    entries: list[Entry] = []
    numbers = [[float(rng.randint(1, 50)), float(rng.randint(1, 50))] for _ in range(count)]
    formulas = [None, None, _left("*", 2, 1), _left("*", 3, 3)]
    for k, (x, y) in enumerate(numbers):
        figures = (x, y, x * y, x * x)
        data = [
            Datum(value, role=Role.AGGREGATION if formula else Role.VALUE, formula=formula)
            for value, formula in zip(figures, formulas, strict=True)
        ]
        entries.append(Entry((Label(k + 1),) if labelled else (), tuple(data[:width])))
    if rng.random() < 0.7:
        above: Formula = lambda r, c: f"=SUM({a1(r - count, c)}:{a1(r - 1, c)})"  # noqa: E731
        sums = [sum(column) for column in zip(*((x, y, x * y, x * x) for x, y in numbers), strict=True)][:width]
        data = [Datum(total, role=Role.AGGREGATION, formula=above) for total in sums]
        label = (Label(rng.choice(("Σ", words.one(rng, "total")))),) if labelled and rng.random() < 0.7 else ()
        entries.append(Entry(label, tuple(data), kind="total"))
    bottom = write_entries(canvas, look, (row, 0), entries, heads, stubs)
    close(canvas, (top, 0), bottom, stubs + width)
    known: Known = [((row + k, stubs), number[0]) for k, number in enumerate(numbers)]
    at = (bottom + 1, 0) if rng.random() < 0.6 else (top + rng.randint(0, 2), stubs + width + 1)
    write_pairs(rng, words, look, canvas, at, replace(draw_plan(rng, words, 0, rng.randint(1, 4)), headed=False), known)
    note_lines(rng, words, look, canvas, chance=0.2)
