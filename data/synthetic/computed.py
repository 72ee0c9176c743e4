"""Families of lists with formulas: columns computed from others or from the row above, copies, running numbers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from random import Random

from cellroles.sheet import Role, a1
from data.synthetic.columns import columns
from data.synthetic.grid import Canvas, CellValue
from data.synthetic.identifying import key_column, serial_column
from data.synthetic.lists import list_rows, place_list
from data.synthetic.records import DATE_FORMATS, Field, dates, names
from data.synthetic.registers import total_row
from data.synthetic.styles import Look
from data.synthetic.vocabulary import Words


@dataclass(frozen=True, slots=True)
class Computed:
    """A column computed from the one `back` columns left of it: value and formula from (figure, reference)."""

    kind: str
    value: Callable[[float], CellValue]
    formula: str
    role: Role = Role.AGGREGATION
    number_format: str = "General"


RULES = (
    Computed("rate", lambda x: round(x * 0.19, 4), "={0}*0.19", number_format="0.00"),
    Computed("amount", lambda x: round(x * 1.2, 4), "=ROUND({0}*1.2,4)"),
    Computed("rate", lambda x: round(x / 1000, 6), "={0}/1000", number_format="0.000"),
    Computed("status", lambda x: "A" if x >= 50 else "B", '=IF({0}>=50,"A","B")'),
    Computed("points", lambda x: int(x), "=INT({0})"),
    Computed("value", lambda x: x, "={0}", Role.VALUE),
    Computed("value", lambda x: x, "=+{0}", Role.VALUE),
)


def _computed(words: Words, rule: Computed, source: Field, back: int) -> Field:
    """The column that a rule makes of `source`, which stands `back` columns left of it."""
    values = tuple(rule.value(value) for value in source.values if isinstance(value, int | float))
    return Field(
        f"{words.names[rule.kind]} {back}",
        values,
        rule.role,
        source.number_format if rule.role is Role.VALUE else rule.number_format,
        lambda first, row, col: rule.formula.format(a1(row, col - back)),
    )


def _figures(rng: Random, words: Words, rows: int) -> Field:
    values = tuple(round(rng.lognormvariate(4, 1.2), rng.choice((0, 2))) for _ in range(rows))
    return Field(
        words.names[rng.choice(("amount", "quantity", "price"))], values, number_format="#,##0.00", adds_up=True
    )


def computed_list(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """Text columns, a typed figure, and one to three columns computed from it or copied from it, row by row."""
    rows = list_rows(rng)
    lead = [key_column(rng, words, rows), *columns(rng, words, rng.choice((0, 1, 2, 4)), rows)]
    numbered = rng.random() < 0.3
    if numbered:
        lead[:1] = [serial_column(rng, words, rows), key_column(rng, words, rows, ("person", "products", "code"))]
    source = _figures(rng, words, rows)
    rules = rng.sample(RULES, rng.choice((1, 1, 2, 3)))
    made = [_computed(words, rule, source, back) for back, rule in enumerate(rules, 1)]
    after = columns(rng, words, rng.choice((0, 0, 1, 2)), rows)
    place_list(rng, words, look, canvas, [*lead, source, *made, *after], **total_row(rng, words, 0.3))
    if numbered and rng.random() < 0.5:
        number_by_formula(rng, canvas)


def ledger(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """Dated entries with a balance: the first is typed, the others refer to the row above (aggregation)."""
    rows = max(3, list_rows(rng))
    day = replace(dates(rng, rows, rng.choice((1, 2, 7))), header=words.names["date"], role=Role.ROW_HEADER_1)
    amounts = [round(rng.gauss(20, 300), 2) for _ in range(rows)]
    balance = [round(1000 + sum(amounts[: k + 1]), 2) for k in range(rows)]
    texts = columns(rng, words, rng.choice((1, 1, 2, 3)), rows, ("text", "person", "companies", "category", "code"))
    shown = rng.choice(("General", "#,##0.00", "0.00"))
    entry = Field(words.names["amount"], tuple(amounts), number_format=shown)
    total = Field(
        words.names["value"],
        tuple(balance),
        Role.AGGREGATION,
        shown,
        lambda first, row, col: f"={a1(row - 1, col)}+{a1(row, col - 1)}",
    )
    region = place_list(rng, words, look, canvas, [day, *texts, entry, total])
    first = min(row for row, col in canvas.col_paths)
    at = first, max(col for row, col in canvas.col_paths if row == first and region.contains(row, col))
    if canvas.cells[at].role is Role.AGGREGATION:
        canvas.cells[at] = replace(canvas.cells[at], role=Role.VALUE, formula=None)


def continued(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """A column that counts on from the row above by a formula (`=K7+1`): figures or dates; the first one is typed."""
    rows = max(3, list_rows(rng))
    step = rng.choice((1, 1, 1, 7, 10, 30))
    if rng.random() < 0.5:
        start = datetime(rng.randint(2010, 2022), rng.randint(1, 12), rng.randint(1, 28))
        head, shown = words.names["date"], rng.choice(DATE_FORMATS)
        values: tuple[CellValue, ...] = tuple(start + timedelta(days=step * k) for k in range(rows))
    else:
        low = rng.choice((1, 10, 100, 2001))
        head, shown = words.names[rng.choice(("points", "page", "value"))], "General"
        values = tuple(low + step * k for k in range(rows))
    counted = Field(head, values, Role.AGGREGATION, shown, lambda first, row, col: f"={a1(row - 1, col)}+{step}")
    kind = rng.choice(("activities", "texts", "person", "products"))
    key = Field(words.names["name"], names(rng, words, kind, rows), Role.ROW_HEADER_1)
    others = columns(rng, words, rng.choice((0, 1, 2, 5)), rows)
    others.insert(rng.randint(0, len(others)), counted)
    place_list(rng, words, look, canvas, [key, *others])
    cells = sorted((at for at, cell in canvas.cells.items() if cell.formula), key=lambda at: at[0])
    canvas.cells[cells[0]] = replace(canvas.cells[cells[0]], role=Role.VALUE, formula=None)


def number_by_formula(rng: Random, canvas: Canvas) -> None:
    """Let the running numbers of the first column be counted by a formula: they still say which record a row is."""
    left = min(col for (_, col), cell in canvas.cells.items() if cell.role is Role.ROW_HEADER_1)
    cells = sorted(
        at for at, cell in canvas.cells.items() if at[1] == left and cell.role is Role.ROW_HEADER_1 and cell.value
    )
    first, own_row = cells[0][0], rng.random() < 0.3
    for row, col in cells[1:]:
        cell = canvas.cells[row, col]
        if isinstance(cell.value, int):
            formula = f"=ROW()-{first}" if own_row else f"={a1(row - 1, col)}+1"
            canvas.cells[row, col] = replace(cell, formula=formula)


def linked_list(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """A list that copies cells of another sheet by formula: keys stay keys and values stay values."""
    rows = list_rows(rng)
    others = columns(rng, words, rng.randint(1, 8), rows)
    place_list(rng, words, look, canvas, [key_column(rng, words, rows), *others])
    body = [at for at, cell in canvas.cells.items() if cell.role in (Role.ROW_HEADER_1, Role.VALUE)]
    wanted = {col for col in {col for _, col in body} if rng.random() < 0.75}
    source = rng.choice(("Sheet2!", "Source!", "'Input 1'!", "Base!$"))
    down, right = rng.randint(0, 9), rng.randint(0, 4)
    for at in body:
        cell = canvas.cells[at]
        if at[1] in wanted and not isinstance(cell.value, bool):
            canvas.cells[at] = replace(cell, formula=f"={source}{a1(at[0] + down, at[1] + right)}")
