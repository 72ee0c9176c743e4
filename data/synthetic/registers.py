"""Families of registers: wide lists of mostly text, in which one or two columns say which record a row is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any

from cellroles.sheet import Role
from data.synthetic.coined import named
from data.synthetic.columns import NAMING, column, columns, repeated, runs
from data.synthetic.grid import Canvas, CellValue
from data.synthetic.identifying import key_column, serial_column, worn
from data.synthetic.lists import list_rows, list_width, place_list
from data.synthetic.records import Field
from data.synthetic.styles import Look
from data.synthetic.vocabulary import Words

TEXTUAL = (
    "person", "companies", "cities", "countries", "teams", "products", "jobs", "departments", "category", "level",
    "status", "address", "code", "text", "long", "email", "phone", "yes_no",
)  # fmt: skip


def total_row(rng: Random, words: Words, chance: float = 0.15) -> dict[str, Any]:
    """Options of a total row over the amounts, or none."""
    if rng.random() > chance:
        return {}
    return {"total": words.one(rng, rng.choice(("total", "grand_total"))), "total_formula": rng.random() < 0.5}


def register(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """The first column names or numbers the record; texts, names, dates and figures beside it are values."""
    rows = list_rows(rng)
    fields = [worn(rng, key_column(rng, words, rows)), *columns(rng, words, list_width(rng), rows)]
    place_list(rng, words, look, canvas, fields, **total_row(rng, words))


def text_register(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """Nearly all columns are text, several with a different name in every row; only the first identifies."""
    rows = list_rows(rng)
    fields = [worn(rng, key_column(rng, words, rows)), *columns(rng, words, list_width(rng, 9), rows, TEXTUAL)]
    for _ in range(rng.choice((0, 1, 1, 2))):
        other = replace(key_column(rng, words, rows, NAMING), role=Role.VALUE)
        fields.insert(rng.randint(1, len(fields)), other)
    place_list(rng, words, look, canvas, fields)


def serial_register(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """A running number and the name or code beside it identify together, also where a repeating column parts them."""
    rows = list_rows(rng)
    others = columns(rng, words, list_width(rng, 12), rows)
    kinds = rng.choice((NAMING, NAMING, ("code", "id"), ("person",)))
    fields = [serial_column(rng, words, rows), key_column(rng, words, rows, kinds), *others]
    if rng.random() < 0.15:
        fields.insert(1, _repeating(rng, words, rows))
    place_list(rng, words, look, canvas, fields, **total_row(rng, words))


def contract_register(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """Serial and contract number identify; title, partner, phone and dates are values, mostly under group labels."""
    rows = list_rows(rng)
    title = replace(key_column(rng, words, rows, ("texts", "activities", "products")), role=Role.VALUE)
    kinds = ("companies", "person", "phone", "date", "address", "status", "money", "code", "text", "departments")
    others = columns(rng, words, rng.randint(3, 12), rows, kinds)
    others.insert(rng.choice((0, 0, 0, 1, 2)), title)
    fields = [serial_column(rng, words, rows), key_column(rng, words, rows, ("code", "id")), *others]
    heads = rng.choice(("grouped", "grouped", "grouped", ""))
    place_list(rng, words, look, canvas, fields, heads=heads, framed=0.6, **total_row(rng, words))


def _repeating(rng: Random, words: Words, rows: int) -> Field:
    """A column of a few values that repeat in runs or at random."""
    kind = rng.choice(("category", "status", "level", "yes_no", "date", "companies", "departments", "grade"))
    drawn = column(rng, words, kind, "", rows)
    heads = [text.split(":", 1) for text in words.lists["attribute_heads"]]
    head = rng.choice([label for label_kind, label in heads if label_kind == kind])
    pool: Sequence[CellValue] = list({value: None for value in drawn.values if value is not None}) or ["-"]
    values = runs(rng, pool, rows) if rng.random() < 0.5 else repeated(rng, pool, rows)
    return replace(drawn, header=head, values=values)


def attribute_first(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """One or two repeating columns stand before the one that identifies: sorted by them or not, they are values."""
    rows = max(4, list_rows(rng))
    lead = [_repeating(rng, words, rows) for _ in range(rng.choice((1, 1, 1, 2)))]
    kinds = rng.choice((NAMING, ("code", "id"), ()))
    others = columns(rng, words, list_width(rng, 10), rows, rng.choice((TEXTUAL, ())))
    place_list(rng, words, look, canvas, [*lead, key_column(rng, words, rows, kinds), *others])


def sorted_by_attribute(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """Every record has its own number; the columns beside it repeat in runs, as keys of two levels would."""
    rows = max(6, list_rows(rng))
    outer = replace(_repeating(rng, words, rows), header=words.names[rng.choice(("region", "category", "department"))])
    period = Field(words.names["year"], runs(rng, range(rng.randint(1990, 2015), 2024), rows))
    inner = column(rng, words, rng.choice(("products", "category", "cities")), words.names["product"], rows)
    lead = rng.sample([outer, period, inner], rng.choice((1, 2, 2, 3)))
    fields = [key_column(rng, words, rows, ("code", "id")), *lead, *columns(rng, words, list_width(rng, 8), rows)]
    place_list(rng, words, look, canvas, fields, **total_row(rng, words))


def match_list(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """Matches: number or date first, two teams, goals, a winner; teams repeat and are values."""
    rows = max(3, list_rows(rng))
    sides = named(rng, words, rng.choice(("teams", "cities", "person", "countries")), rng.randint(4, 12))
    pairs = [rng.sample(sides, 2) for _ in range(rows)]
    goals = [(rng.randint(0, 6), rng.randint(0, 5)) for _ in range(rows)]
    winners = [pair[0] if a > b else pair[1] if b > a else "-" for pair, (a, b) in zip(pairs, goals, strict=True)]
    team, points = words.names["team"], words.names["points"]
    home = Field(f"{team} 1", tuple(pair[0] for pair in pairs))
    away = Field(f"{team} 2", tuple(pair[1] for pair in pairs))
    scores = [Field(f"{points} {k + 1}", tuple(pair[k] for pair in goals)) for k in range(2)]
    winner = Field(words.one(rng, "winner_heads"), tuple(winners))
    order = rng.choice(([home, *scores, away], [home, away, *scores], [scores[0], home, away, scores[1]]))
    key = serial_column(rng, words, rows)
    if rng.random() < 0.3:
        key = key_column(rng, words, rows, ("code", "id"))
    fields = [key, *order, winner, *columns(rng, words, rng.randint(0, 4), rows, ("cities", "date", "person", "time"))]
    if rng.random() < 0.3:
        fields.insert(1, column(rng, words, "date", words.names["date"], rows))
    place_list(rng, words, look, canvas, fields)


def two_part_names(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """Family and given name in two columns identify together, unless an id stands before them."""
    rows = list_rows(rng)
    people = list({(words.one(rng, "family"), words.one(rng, "given")): None for _ in range(4 * rows)})[:rows]
    rows, first = len(people), rng.choice((0, 0, 1))
    with_id = rng.random() < 0.45
    role = Role.VALUE if with_id else Role.ROW_HEADER_1
    heads = words.lists["name_parts"]
    parts = [Field(heads[k], tuple(person[k] for person in people), role) for k in (first, 1 - first)]
    lead = [key_column(rng, words, rows, ("code", "id"))] if with_id else []
    if not with_id and rng.random() < 0.3:
        lead = [serial_column(rng, words, rows)]
    place_list(rng, words, look, canvas, [*lead, *parts, *columns(rng, words, list_width(rng, 12), rows)])
