"""Families of keys: two or three columns of keys, a key behind the figures, none at all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from itertools import product
from random import Random

from cellroles.sheet import Role
from data.synthetic.coined import named
from data.synthetic.columns import column, columns, repeated, runs
from data.synthetic.draws import years
from data.synthetic.grid import Canvas, CellValue
from data.synthetic.identifying import code
from data.synthetic.lists import list_rows, place_list
from data.synthetic.records import DATE_FORMATS, Field, dates, numbers
from data.synthetic.registers import total_row
from data.synthetic.styles import Look
from data.synthetic.vocabulary import Words

FIGURES = ("count", "money", "percent", "fraction", "grade")
OUTER = ("year", "date", "month", "region", "country", "department", "company", "city")
INNER = (
    "year",
    "month",
    "quarter",
    "sex",
    "age",
    "category",
    "product",
    "indicator",
    "day",
    "status",
    "number",
    "time",
)
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
    if kind == "date":
        return words.names["date"], [
            value for value in dates(rng, count, rng.choice((1, 7))).values if value is not None
        ]
    if kind == "time":
        return words.names["time"], [f"{hour}:00" for hour in range(8, 8 + count)]
    if kind == "number" or (kind in ("month", "quarter") and rng.random() < 0.3):
        low = rng.choice((1, 1, 0, 101))
        head = rng.choice((words.names["month"], words.names["number"], "Week", words.names["rank"]))
        return head, [*range(low, low + count)]
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
    shown = rng.choice(DATE_FORMATS)
    roles = (Role.ROW_HEADER_3, Role.ROW_HEADER_2, Role.ROW_HEADER_1)[-len(kinds) :]
    fields = [
        Field(head, tuple(key[k] for key in keys), role, shown if isinstance(keys[0][k], datetime) else "General")
        for k, ((head, _), role) in enumerate(zip(axes, roles, strict=True))
    ]
    if rng.random() < 0.2 and isinstance(keys[0][0], str):
        short = {label: code(rng, rng.choice(("AAA", "##", "A##"))) for label in axes[0][1]}
        fields.insert(1, Field(words.names["code"], tuple(short[key[0]] for key in keys)))
    others = columns(rng, words, rng.randint(1, 6), len(keys), rng.choice((FIGURES, FIGURES, ())))
    place_list(rng, words, look, canvas, [*fields, *others], **total_row(rng, words, 0.08))


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
