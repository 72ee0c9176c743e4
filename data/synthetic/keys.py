"""Families of keys: two or three columns of keys, numeric keys, x beside y, keys behind the figures or none at all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from random import Random

from cellroles.sheet import Region, Role
from data.synthetic.coined import named
from data.synthetic.columns import column, columns, repeated, runs
from data.synthetic.draws import years
from data.synthetic.frame import note_lines, title_lines
from data.synthetic.grid import Canvas, CellValue, Position, Positions
from data.synthetic.identifying import code
from data.synthetic.lists import list_rows, place_list
from data.synthetic.records import Field, numbers
from data.synthetic.registers import total_row
from data.synthetic.styles import Look
from data.synthetic.vocabulary import Words

FIGURES = ("count", "money", "percent", "fraction", "grade")
OUTER = ("year", "month", "region", "country", "department", "company", "city")
INNER = ("year", "month", "quarter", "sex", "age", "category", "product", "indicator", "day", "status")
POOLS = {
    "month": "short_months",
    "country": "countries",
    "department": "departments",
    "company": "companies",
    "city": "cities",
    "quarter": "quarters",
    "sex": "sex",
    "age": "ages",
    "category": "categories",
    "product": "products",
    "indicator": "parameters",
    "day": "weekdays",
    "status": "status",
}


def _axis(rng: Random, words: Words, kind: str, count: int) -> tuple[str, list[CellValue]]:
    """The head of a key column and its different values, in the order of the vocabulary or not."""
    if kind == "year":
        return words.names["year"], years(rng, count)
    if kind == "region":
        return words.names["region"], list[CellValue](words.trees["region"])[:count]
    head = words.lists["quarters"][0][:1] if kind == "quarter" else words.names[kind]
    return head, list[CellValue](words.some(rng, POOLS[kind], count))


def key_pairs(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """The inner key repeats under every outer one, which is written in each row: years, regions, departments."""
    kinds = [rng.choice(OUTER), rng.choice(INNER)]
    if rng.random() < 0.12:
        kinds.insert(1, rng.choice(("sex", "age", "category")))
    kinds = list(dict.fromkeys(kinds))
    kinds += ["category"] if len(kinds) == 1 else []
    axes = [_axis(rng, words, kind, rng.choice((2, 2, 3, 4, 6, 12))) for kind in kinds]
    keys = list(product(*(labels for _, labels in axes)))
    if rng.random() < 0.35:
        keys = [key for key in keys if rng.random() < 0.85] or keys
    keys = keys[:90]
    roles = (Role.ROW_HEADER_3, Role.ROW_HEADER_2, Role.ROW_HEADER_1)[-len(kinds) :]
    fields = [
        Field(head, tuple(key[k] for key in keys), role)
        for k, ((head, _), role) in enumerate(zip(axes, roles, strict=True))
    ]
    if rng.random() < 0.2 and isinstance(keys[0][0], str):
        short = {label: code(rng, rng.choice(("AAA", "##", "A##"))) for label in axes[0][1]}
        fields.insert(1, Field(words.names["code"], tuple(short[key[0]] for key in keys)))
    others = columns(rng, words, rng.randint(1, 6), len(keys), rng.choice((FIGURES, FIGURES, ())))
    place_list(rng, words, look, canvas, [*fields, *others], **total_row(rng, words, 0.08))


def scale(rng: Random, rows: int) -> tuple[CellValue, ...]:
    """Rising figures: by even steps, doubling, or uneven."""
    start, step = rng.choice((0, 0, 1, 10, 0.5, -20)), rng.choice((1, 2, 5, 0.1, 0.25, 100))
    how = rng.choice(("even", "even", "double", "uneven"))
    if how == "double" and rows < 16:
        return tuple(step * 2**k for k in range(rows))
    if how == "uneven":
        steps = [step * rng.randint(1, 9) for _ in range(rows)]
        return tuple(round(start + sum(steps[:k]), 3) for k in range(rows))
    return tuple(round(start + step * k, 3) for k in range(rows))


def numeric_keys(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """Doses, depths, times, sample numbers in the first column, measurements beside: all figures."""
    rows = list_rows(rng)
    key = Field(words.one(rng, "axis_heads"), scale(rng, rows), Role.ROW_HEADER_1)
    series = rng.randint(1, 8)
    if rng.random() < 0.4:
        stem = rng.choice(("y", "Rep ", "Sample ", "S", "Run", "A"))
        heads = [f"{stem}{k + 1}" for k in range(series)]
    else:
        heads = words.some(rng, "parameters", series)
    kind = rng.choice(("rate", "index", "percent", "price", "count"))
    fields = [key, *(replace(numbers(rng, kind, rows), header=head, adds_up=False) for head in heads)]
    place_list(rng, words, look, canvas, fields)


def xy_series(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """Series side by side, each an x and its y columns under a label; x names the row of its own series."""
    top = title_lines(rng, words, look, canvas, words.one(rng, "texts"), 6)
    count, gap = rng.randint(1, 5), rng.choice((0, 0, 0, 1))
    inner = [words.one(rng, "axis_heads"), *rng.choice((["y"], ["y", "err"], ["f(x)"], ["mean", "sd"]))]
    kind = rng.choice(("products", "cities", "parameters", "categories", "scenarios"))
    labels = named(rng, words, kind, count)
    labelled, merged, same = rng.random() < 0.85, rng.random() < 0.6, rng.random() < 0.3
    rows, left, start = list_rows(rng), 0, top
    for label in labels:
        outer: Positions = ()
        if labelled:
            outer = (canvas.put(top, left, label, Role.COL_HEADER_2, look.header),)
            if merged:
                canvas.merge(top, left, top + 1, left + len(inner))
        length = rows if same else max(2, rows - rng.randint(0, 4))
        _series(rng, look, canvas, (top + labelled, left), inner, outer, length)
        left += len(inner) + gap
        if gap:
            canvas.tables.append(Region(top, left - gap - len(inner), top + labelled + 1 + length, left - gap))
    if not gap:
        canvas.tables.append(Region(start, 0, canvas.bottom, left))
    note_lines(rng, words, look, canvas, chance=0.3)


def _series(
    rng: Random, look: Look, canvas: Canvas, at: Position, inner: Sequence[str], outer: Positions, rows: int
) -> None:
    """One series below its label."""
    row, left = at
    heads = [canvas.put(row, left + k, text, Role.COL_HEADER_1, look.header) for k, text in enumerate(inner)]
    shown = [numbers(rng, rng.choice(("rate", "index", "price")), rows) for _ in inner[1:]]
    for i, x in enumerate(scale(rng, rows)):
        key = canvas.put(row + 1 + i, left, x, Role.ROW_HEADER_1, look.label(0, i))
        for head, field in zip(heads[1:], shown, strict=True):
            value = field.values[i]
            assert value is not None
            style = look.value(field.number_format, i)
            canvas.figure((row + 1 + i, head[1]), value, Role.VALUE, style, (*outer, head), (key,))


def measured_first(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """Figures, and behind (rarely among) them what names the row: a group that repeats, or a name of its own."""
    rows = max(3, list_rows(rng))
    kind = rng.choice(("rate", "price", "count", "index", "money"))
    heads = words.some(rng, "parameters", rng.choices((1, 2, 3, 5), (0.5, 0.2, 0.15, 0.15))[0])
    fields = [replace(numbers(rng, kind, rows), header=head, adds_up=False) for head in heads]
    repeats = rng.random() < 0.6
    place = rng.choice((0, 1, len(fields), len(fields), len(fields))) if repeats else len(fields)
    fields.insert(place, _group(rng, words, rows) if repeats else _named(rng, words, rows))
    if rng.random() < 0.25:
        fields.append(column(rng, words, "yes_no", words.names["active"], rows))
    place_list(rng, words, look, canvas, fields, heads=rng.choice(("plain", "plain", "plain", "none")))


def _group(rng: Random, words: Words, rows: int) -> Field:
    """The name of a group in every row: the only column that says what was measured."""
    letters = tuple(f"{rng.choice(('ctrl', 'group', 'trt', 'set'))}{k}" for k in range(1, 4))
    pool: Sequence[CellValue] = rng.choice((letters, words.lists["categories"], tuple("ABC"), words.lists["sex"]))
    values = runs(rng, pool, rows) if rng.random() < 0.7 else repeated(rng, pool, rows)
    return Field(rng.choice((words.names["category"], "group", words.names["indicator"])), values, Role.ROW_HEADER_1)


def _named(rng: Random, words: Words, rows: int) -> Field:
    kind = rng.choice(("product", "company", "city", "country"))
    return Field(words.names[kind], named(rng, words, POOLS[kind], rows), Role.ROW_HEADER_1)


def unkeyed(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """Measurements without anything that names the rows."""
    rows, count = max(3, list_rows(rng)), rng.randint(2, 9)
    heads = rng.choice(([f"x{k + 1}" for k in range(count)], words.some(rng, "parameters", count)))
    kinds = [rng.choice(("rate", "price", "index", "fraction")) for _ in heads]
    fields = [replace(numbers(rng, kind, rows), header=head) for kind, head in zip(kinds, heads, strict=True)]
    place_list(rng, words, look, canvas, fields, heads=rng.choice(("plain", "plain", "grouped", "numbered")))
