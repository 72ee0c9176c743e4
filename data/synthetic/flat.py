"""Families of flat lists: who identifies a record, text tables, lists in columns, without headers, with remarks."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

from cellroles.sheet import Region, Role, a1
from data.synthetic.draws import years
from data.synthetic.frame import note_lines, title_lines
from data.synthetic.grid import Canvas, CellValue
from data.synthetic.records import Field, attribute, attributes, dates, names, numbers, write_records
from data.synthetic.styles import Look
from data.synthetic.vocabulary import Words

NAMED = {"name": "person", "product": "products", "city": "cities", "company": "companies", "country": "countries"}


def list_size(rng: Random) -> int:
    """Records of a list: mostly 3-40, rarely 300."""
    return rng.choices((rng.randint(3, 10), rng.randint(10, 40), rng.randint(40, 80), 300), (0.4, 0.45, 0.13, 0.02))[0]


def name_field(rng: Random, words: Words, count: int, role: Role = Role.ROW_HEADER_1) -> Field:
    """A column of different names."""
    kind = rng.choice(list(NAMED))
    return Field(words.names[kind], names(rng, words, NAMED[kind], count), role)


def serial(words: Words, count: int, start: int = 1) -> Field:
    """A running number that identifies the record together with its name."""
    return Field(words.names["number"], tuple(range(start, start + count)), Role.ROW_HEADER_1)


def write_list(
    rng: Random, words: Words, look: Look, canvas: Canvas, fields: list[Field], framed: float = 0.35, **options: Any
) -> None:
    """A list, mostly from A1 without any title, else with title and notes."""
    top = 0
    heads = [column.header for column in fields]
    fields = [column for j, column in enumerate(fields) if not heads[j] or heads[j] not in heads[:j]]
    if rng.random() < framed:
        top = title_lines(rng, words, look, canvas, words.one(rng, "texts"), len(fields))
    left = rng.choices((0, 1, 2), (0.92, 0.06, 0.02))[0]
    write_records(canvas, look, (top, left), fields, **options)
    if top:
        note_lines(rng, words, look, canvas, left, 0.4)


def _total(rng: Random, words: Words) -> dict[str, Any]:
    if rng.random() < 0.75:
        return {}
    return {"total": words.one(rng, "total"), "total_formula": rng.random() < 0.5}


def flat_name(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """The first column names the record; another column may hold names too, which are values."""
    count = list_size(rng)
    others = attributes(rng, words, rng.randint(1, 9), count)
    if rng.random() < 0.3:
        others.insert(rng.randint(0, len(others)), replace(name_field(rng, words, count), role=Role.VALUE))
    fields = [name_field(rng, words, count), *others]
    write_list(rng, words, look, canvas, fields, **_total(rng, words))


def flat_id(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """An id or code in the first column identifies the record; names after it are values."""
    count = list_size(rng)
    ids: tuple[CellValue, ...]
    if rng.random() < 0.5:
        start = rng.choice((1001, 20001, 500, 310000))
        ids = tuple(start + k * rng.choice((1, 1, 3)) for k in range(count))
    else:
        prefix = rng.choice(("A-", "INV", "P", "DE", "ORD-", "K"))
        ids = tuple(f"{prefix}{k:04d}" for k in rng.sample(range(1, 9999), count))
    head = words.names[rng.choice(("id", "code"))]
    fields = [Field(head, ids, Role.ROW_HEADER_1)]
    if rng.random() < 0.6:
        fields.append(replace(name_field(rng, words, count), role=Role.VALUE))
    fields += attributes(rng, words, rng.randint(2, 8), count)
    write_list(rng, words, look, canvas, fields, **_total(rng, words))


def flat_serial(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """A running number or rank and a name identify the record together."""
    count = list_size(rng)
    first = serial(words, count)
    if rng.random() < 0.3:
        first = replace(first, header=words.names["rank"])
    kinds = [
        name_field(rng, words, count),
        Field(words.names["title"], names(rng, words, "texts", count), Role.ROW_HEADER_1),
    ]
    fields = [first, rng.choice(kinds), *attributes(rng, words, rng.randint(1, 7), count)]
    write_list(rng, words, look, canvas, fields, 0.5, **_total(rng, words))


def second_column(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """The second column identifies the record; the first is an attribute that repeats."""
    count = list_size(rng)
    lead = attribute(rng, words, rng.choice(("status", "department", "active", "date", "job", "flag")), count)
    fields = [lead, name_field(rng, words, count), *attributes(rng, words, rng.randint(1, 6), count)]
    write_list(rng, words, look, canvas, fields)


def two_keys(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """A record is known by two columns (country and year): the outer key repeats or stands on its first row only."""
    outer_kind = rng.choice(("country", "city", "company", "product"))
    outer = names(rng, words, NAMED[outer_kind], rng.randint(2, 10))
    span = years(rng, rng.randint(2, 6))
    year_outside = rng.random() < 0.3
    keys = [(b, a) for b in span for a in outer] if year_outside else [(a, b) for a in outer for b in span]
    firsts: list[CellValue | None] = [pair[0] for pair in keys]
    if rng.random() < 0.3:
        firsts = [value if not i or value != keys[i - 1][0] else None for i, value in enumerate(firsts)]
    heads = [words.names[outer_kind], words.names["year"]]
    heads = heads[::-1] if year_outside else heads
    fields = [
        Field(heads[0], tuple(firsts), Role.ROW_HEADER_2),
        Field(heads[1], tuple(pair[1] for pair in keys), Role.ROW_HEADER_1),
    ]
    kinds = ("quantity", "amount", "price", "rate", "points", "status", "code")
    fields += attributes(rng, words, rng.randint(1, 6), len(keys), kinds)
    write_list(rng, words, look, canvas, fields)


def time_series(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """A date or year per row."""
    count = list_size(rng)
    if rng.random() < 0.6:
        column = dates(rng, count, rng.choice((1, 1, 7, 30)))
        first = replace(column, header=words.names["date"], role=Role.ROW_HEADER_1)
        canvas_format = first.number_format
    else:
        first = Field(words.names["year"], tuple(years(rng, min(count, 35))), Role.ROW_HEADER_1)
        canvas_format = "General"
    rows = len(first.values)
    fields = [replace(first, number_format=canvas_format)]
    for label in words.some(rng, "measures", rng.randint(1, 6)):
        kind, head = label.split(":", 1)
        fields.append(replace(numbers(rng, kind, rows), header=head))
    write_list(rng, words, look, canvas, fields)


def text_table(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """All cells are text: one header row, the first column names, the others describe."""
    count = rng.randint(3, 15)
    kinds = ("description", "title", "status", "job", "city", "department", "active", "unit")
    first = Field(
        words.names["title"],
        names(rng, words, rng.choice(("products", "activities", "parameters")), count),
        Role.ROW_HEADER_1,
    )
    fields = [first, *attributes(rng, words, rng.randint(1, 5), count, kinds)]
    write_list(rng, words, look, canvas, fields, 0.5)


def headerless(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """Records without any header row."""
    count = list_size(rng)
    lead = name_field(rng, words, count) if rng.random() < 0.7 else serial(words, count, rng.choice((1, 100)))
    fields = [lead, *attributes(rng, words, rng.randint(1, 6), count)]
    write_list(rng, words, look, canvas, fields, 0.15, header=False)


def remarks(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """Free remarks beside some of the rows, under a head of their own or none."""
    count = rng.randint(5, 40)
    dense = rng.uniform(0.08, 0.6)
    texts = tuple(words.one(rng, "remarks") if rng.random() < dense else None for _ in range(count))
    head = words.one(rng, "remark_heads") if rng.random() < 0.6 else ""
    fields = [name_field(rng, words, count), *attributes(rng, words, rng.randint(2, 6), count)]
    if not head and rng.random() < 0.4:
        fields.append(Field("", (None,) * count))
    fields.append(Field(head, texts, Role.COMMENT))
    write_list(rng, words, look, canvas, fields)


def formula_columns(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """Quantity, price and amount: computed by a formula (aggregation), copied or typed (value)."""
    count = rng.randint(4, 40)
    left_of: list[Field] = [name_field(rng, words, count)]
    if rng.random() < 0.4:
        left_of.append(attribute(rng, words, rng.choice(("city", "status", "unit", "code")), count))
    pieces = [rng.randint(1, 400) for _ in range(count)]
    prices = [round(rng.lognormvariate(3, 1), 2) for _ in range(count)]
    amounts = tuple(round(q * p, 2) for q, p in zip(pieces, prices, strict=True))
    quantity = Field(words.names["quantity"], tuple(pieces), number_format="#,##0", adds_up=True)
    price = Field(words.names["price"], tuple(prices), number_format="#,##0.00")
    how = rng.choice(("formula", "formula", "typed", "constant"))
    amount = Field(words.names["amount"], amounts, number_format="#,##0.00", adds_up=True)
    if how == "formula":
        amount = replace(
            amount, role=Role.AGGREGATION, formula=lambda first, row, col: f"={a1(row, col - 2)}*{a1(row, col - 1)}"
        )
    fields = [*left_of, quantity, price, amount]
    if how == "constant":
        values = tuple(12 * k for k in range(1, count + 1))
        fields.append(Field(words.names["value"], values, formula=lambda first, row, col: f"={row - first + 1}*12"))
    if rng.random() < 0.3:
        copied = Field(words.names["rate"], amounts, number_format="#,##0.00")
        shift = len(fields) - fields.index(amount)
        fields.append(replace(copied, formula=lambda first, row, col: f"={a1(row, col - shift)}"))
    options: dict[str, Any] = {}
    if rng.random() < 0.6:
        options = {"total": words.one(rng, "total"), "total_formula": rng.random() < 0.8}
    write_list(rng, words, look, canvas, fields, **options)


def transposed(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """Records in columns: field names down the first column, record names across the top."""
    count = rng.randint(2, 8)
    people = names(rng, words, rng.choice(("person", "products", "companies", "cities")), count)
    fields = attributes(rng, words, rng.randint(4, 10), count)
    top = 0
    if rng.random() < 0.4:
        top = title_lines(rng, words, look, canvas, words.one(rng, "texts"), count)
    if rng.random() < 0.4:
        canvas.put(top, 0, words.names["name"], Role.COL_HEADER_1, look.header)
    heads = [canvas.put(top, 1 + k, name, Role.COL_HEADER_1, look.header) for k, name in enumerate(people)]
    for i, field in enumerate(fields, 1):
        key = (canvas.put(top + i, 0, field.header, Role.ROW_HEADER_1, look.label(0, i)),)
        for head, value in zip(heads, field.values, strict=True):
            if value is not None:
                style = look.value(field.number_format, i)
                canvas.figure((top + i, head[1]), value, Role.VALUE, style, (head,), key)
    canvas.tables.append(Region(top, 0, top + 1 + len(fields), 1 + count))
