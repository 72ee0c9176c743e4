"""Columns of fields -> a placed list of records; and makers of plausible fields."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from random import Random

from cellroles.sheet import DATA_ROLES, ROW_HEADERS, Region, Role, a1
from data.synthetic.axes import scale_measure
from data.synthetic.grid import Canvas, CellValue, Position, Positions
from data.synthetic.styles import Look
from data.synthetic.vocabulary import Words

DATE_FORMATS = ("yyyy-mm-dd", "dd/mm/yyyy", "mm-dd-yy", "d-mmm-yy", "dd.mm.yyyy")


@dataclass(frozen=True, slots=True)
class Field:
    """A column of a list: None = no cell. `formula` maps (first body row, row, column) to the formula of a cell;
    `adds_up` says whether a total row sums the column."""

    header: str
    values: tuple[CellValue | None, ...]
    role: Role = Role.VALUE
    number_format: str = "General"
    formula: Callable[[int, int, int], str] | None = field(default=None, compare=False)
    adds_up: bool = False


def write_records(
    canvas: Canvas,
    look: Look,
    at: Position,
    fields: Sequence[Field],
    *,
    header: bool = True,
    total: str = "",
    total_formula: bool = False,
) -> Region:
    """Write a list with a header row (or none) and perhaps a total row over its amounts."""
    top, left = at
    heads: list[Positions] = [()] * len(fields)
    if header:
        for j, column in enumerate(fields):
            if column.header:
                heads[j] = (canvas.put(top, left + j, column.header, Role.COL_HEADER_1, look.header),)
    first = top + header
    count = len(fields[0].values)
    outer: dict[Role, Position] = {}
    for i in range(count):
        row = first + i
        keys = _write_keys(canvas, look, row, left, fields, i, outer)
        for j, column in enumerate(fields):
            value = column.values[i]
            if value is None or column.role in ROW_HEADERS:
                continue
            style = look.value(column.number_format, i)
            formula = column.formula(first, row, left + j) if column.formula else None
            if column.role in DATA_ROLES:
                canvas.figure((row, left + j), value, column.role, style, heads[j], keys, formula)
            else:
                canvas.put(row, left + j, value, column.role, style)
    if total:
        _write_total(canvas, look, (first, first + count), left, fields, heads, total, total_formula)
    region = Region(top, left, first + count + bool(total), left + len(fields))
    canvas.tables.append(region)
    return region


def _write_keys(
    canvas: Canvas, look: Look, row: int, left: int, fields: Sequence[Field], i: int, outer: dict[Role, Position]
) -> Positions:
    """The row labels of one record, outermost first; an empty outer key means the one above."""
    keys: list[tuple[Role, Position]] = []
    for j, column in enumerate(fields):
        value = column.values[i]
        if column.role not in ROW_HEADERS:
            continue
        if value is not None:
            cell = canvas.put(row, left + j, value, column.role, look.label(0, i, column.number_format))
            outer[column.role] = cell
            keys.append((column.role, cell))
        elif column.role is not Role.ROW_HEADER_1 and column.role in outer:
            keys.append((column.role, outer[column.role]))
    return tuple(cell for _, cell in sorted(keys, key=lambda pair: (-pair[0], pair[1])))


def _write_total(
    canvas: Canvas,
    look: Look,
    body: tuple[int, int],
    left: int,
    fields: Sequence[Field],
    heads: Sequence[Positions],
    label: str,
    with_formula: bool,
) -> None:
    row = body[1]
    key = (canvas.put(row, left, label, Role.ROW_HEADER_1, look.total()),)
    for j, column in enumerate(fields[1:], 1):
        figures = [value for value in column.values if isinstance(value, int | float)]
        if column.role not in DATA_ROLES or len(figures) < len(column.values) or not column.adds_up:
            continue
        formula = f"=SUM({a1(body[0], left + j)}:{a1(row - 1, left + j)})" if with_formula else None
        value = round(sum(figures), 2)
        style = look.total(column.number_format)
        canvas.figure((row, left + j), value, Role.AGGREGATION, style, heads[j], key, formula)


def names(rng: Random, words: Words, kind: str, count: int) -> tuple[CellValue, ...]:
    """`count` different names of people, products, cities or companies (numbered when the vocabulary runs out)."""
    if kind == "person":
        pool = {words.person(rng): None for _ in range(6 * count)}
        found = [*pool][:count]
    else:
        found = [*words.lists[kind]]
        rng.shuffle(found)
    extra = [f"{found[k % len(found)]} {k // len(found) + 1}" for k in range(len(found), count)]
    return (*found[:count], *extra)


def dates(rng: Random, count: int, step: int = 0) -> Field:
    """Dates as date cells or as text; with a step, consecutive."""
    start = datetime(rng.randint(2005, 2023), rng.randint(1, 12), rng.randint(1, 28))
    if step:
        days = [start + timedelta(days=step * k) for k in range(count)]
    else:
        days = [start + timedelta(days=rng.randint(0, 900)) for _ in range(count)]
    if rng.random() < 0.2:
        pattern = rng.choice(("%d.%m.%Y", "%Y-%m-%d", "%m/%d/%Y"))
        return Field("", tuple(day.strftime(pattern) for day in days))
    return Field("", tuple(days), number_format=rng.choice(DATE_FORMATS))


def numbers(rng: Random, kind: str, count: int) -> Field:
    """A column of figures of one scale."""
    measure = scale_measure(rng, kind)
    places = measure.decimals
    if kind in ("count", "money"):
        values = [round(rng.lognormvariate(measure.location, measure.spread), places) for _ in range(count)]
    elif kind == "fraction":
        values = [round(rng.betavariate(1.5, 3), places) for _ in range(count)]
    else:
        values = [round(rng.uniform(1, 100), places) for _ in range(count)]
    return Field("", tuple(values), number_format=measure.number_format)


def different(rng: Random, pool: Sequence[str], count: int) -> tuple[CellValue, ...]:
    """Texts that hardly repeat, as names do, without naming the record."""
    joint = rng.choice((" ", ", ", " - ", " / "))
    return tuple(joint.join(rng.choices(pool, k=rng.randint(1, 3))) for _ in range(count))


def attribute(rng: Random, words: Words, kind: str, count: int) -> Field:
    """A value column of a list: text attributes, dates, flags, figures; some cells may be missing."""
    pools = {
        "city": "cities",
        "country": "countries",
        "department": "departments",
        "job": "jobs",
        "status": "status",
        "active": "yes_no",
        "company": "companies",
        "unit": "units",
        "description": "texts",
        "title": "texts",
        "team": "teams",
    }
    if kind in pools:
        pool = words.lists[pools[kind]]
        made = Field("", different(rng, pool, count) if rng.random() < 0.3 else tuple(rng.choices(pool, k=count)))
    elif kind == "date":
        made = dates(rng, count)
    elif kind == "year":
        made = Field("", tuple(rng.randint(1950, 2023) for _ in range(count)))
    elif kind == "code":
        made = Field("", tuple(f"{rng.choice('ABCDEKRX')}{rng.randint(100, 9999)}" for _ in range(count)))
    elif kind == "email":
        made = Field("", tuple(f"{rng.choice('abcdefgh')}.{rng.randint(10, 99)}@example.org" for _ in range(count)))
    elif kind == "flag":
        made = Field("", tuple(rng.random() < 0.5 for _ in range(count)))
    else:
        figure = {"quantity": "count", "points": "count", "amount": "money", "price": "price", "rate": "fraction"}
        made = numbers(rng, figure[kind], count)
    values = made.values
    if rng.random() < 0.2:
        hole = rng.choice((None, None, "-", "n/a"))
        values = tuple(hole if rng.random() < 0.15 else value for value in values)
    adds_up = kind in ("quantity", "points", "amount")
    return Field(words.names[kind], values, number_format=made.number_format, adds_up=adds_up)


ATTRIBUTES = (
    "city",
    "country",
    "department",
    "job",
    "status",
    "active",
    "company",
    "date",
    "year",
    "code",
    "email",
    "quantity",
    "amount",
    "price",
    "rate",
    "description",
    "points",
    "unit",
    "flag",
)


def attributes(rng: Random, words: Words, count: int, rows: int, kinds: Sequence[str] = ATTRIBUTES) -> list[Field]:
    """Several different value columns."""
    chosen = rng.sample(list(kinds), min(count, len(kinds)))
    return [attribute(rng, words, kind, rows) for kind in chosen]
