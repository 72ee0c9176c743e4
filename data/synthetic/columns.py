"""A vocabulary and a seed -> value columns of lists, of many kinds."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from datetime import datetime, time, timedelta
from random import Random

from data.synthetic.coined import coin, named, pool_of
from data.synthetic.grid import CellValue
from data.synthetic.identifying import codes
from data.synthetic.records import Field, dates, different, numbers
from data.synthetic.vocabulary import Words

NAMING = ("person", "products", "companies", "cities", "texts", "activities")
LONG = ("texts", "notes", "questions", "descriptions", "sources")


def runs(rng: Random, pool: Sequence[CellValue], rows: int) -> tuple[CellValue, ...]:
    """Few values, each over a run of rows, in the order of the pool."""
    chosen = [*pool][: max(1, min(len(pool), rows // 2, rng.randint(2, 8)))]
    cuts = sorted(rng.choices(range(len(chosen)), k=rows))
    return tuple(chosen[cut] for cut in cuts)


def repeated(rng: Random, pool: Sequence[CellValue], rows: int) -> tuple[CellValue, ...]:
    """A few values that repeat: in runs, at random, or nearly all the same."""
    how = rng.choices(("random", "runs", "same"), (0.6, 0.25, 0.15))[0]
    few = rng.sample(list(pool), min(len(pool), rng.randint(2, 8)))
    if how == "runs":
        return runs(rng, few, rows)
    return tuple(rng.choices(few, [20 if how == "same" and not k else 1 for k in range(len(few))], k=rows))


def _drawn(rng: Random, pool: Sequence[CellValue], rows: int) -> tuple[CellValue, ...]:
    """Values that repeat; in short lists sometimes all different, as a key's are."""
    if rows <= len(pool) and rng.random() < 0.4:
        return tuple(rng.sample(list(pool), rows))
    return repeated(rng, pool, rows)


def _listed(rng: Random, words: Words, kind: str, rows: int) -> Field:
    """Words of a vocabulary list, or names of people: all different, nearly so, or repeating."""
    how = rng.random()
    if kind == "person" or (how < 0.35 and kind in NAMING):
        values = named(rng, words, kind, rows)
        return Field("", values if how < 0.6 else repeated(rng, values, rows))
    if how < 0.45:
        return Field("", different(rng, words.lists[kind], rows))
    return Field("", _drawn(rng, pool_of(rng, words, kind), rows))


def _category(rng: Random, words: Words, rows: int) -> Field:
    letters = tuple("ABCDEFGH"[: rng.randint(2, 8)])
    numbered = tuple(f"{rng.choice(('Type', 'Typ', 'K', 'Cat.'))} {k}" for k in range(1, 5))
    return Field("", _drawn(rng, rng.choice((pool_of(rng, words, "categories"), letters, numbered, (1, 2, 3))), rows))


def _measure(rng: Random, words: Words, rows: int) -> Field:
    unit = rng.choice(("kg", "g", "cm", "MP", "mm", "W", "GB", "km/h", "EUR", "%", "l", "m²", "V", "°C", "mAh", "in"))
    figures = [rng.choice((rng.randint(1, 900), round(rng.uniform(0.5, 90), 1))) for _ in range(rows)]
    return Field("", tuple(f"{figure}{rng.choice((' ', ' ', ''))}{unit}" for figure in figures))


def _range(rng: Random, words: Words, rows: int) -> Field:
    joint, prefix = rng.choice((" - ", "-", " – ", " to ", "..")), rng.choice(("", "", "", "ISO "))
    lows = [rng.choice((50, 100, 1, 18, 200)) * rng.randint(1, 9) for _ in range(rows)]
    return Field("", tuple(f"{prefix}{low:,}{joint}{low * rng.choice((2, 5, 64)):,}" for low in lows))


def _long(rng: Random, words: Words, rows: int) -> Field:
    pool = words.lists[rng.choice(LONG)]
    return Field("", tuple(" ".join(rng.choices(pool, k=rng.choice((1, 1, 2, 3)))) for _ in range(rows)))


def _datetime(rng: Random, words: Words, rows: int) -> Field:
    column = dates(rng, rows)
    if isinstance(column.values[0], str):
        times = (f"{value} {rng.randint(0, 23):02d}:{rng.randint(0, 59):02d}" for value in column.values)
        return Field("", tuple(times))
    moved = (value + timedelta(seconds=rng.randint(0, 86399)) for value in column.values if isinstance(value, datetime))
    return Field("", tuple(moved), number_format=rng.choice(("yyyy-mm-dd hh:mm", "m/d/yy h:mm", "dd.mm.yyyy hh:mm:ss")))


def _time(rng: Random, words: Words, rows: int) -> Field:
    hours = [(rng.randint(6, 22), rng.choice((0, 15, 30, 45))) for _ in range(rows)]
    if rng.random() < 0.5:
        return Field("", tuple(f"{hour}:{minute:02d}" for hour, minute in hours))
    return Field("", tuple(time(*pair) for pair in hours), number_format=rng.choice(("h:mm", "hh:mm:ss", "h:mm AM/PM")))


def _mixed(rng: Random, words: Words, rows: int) -> Field:
    pieces: tuple[Callable[[], CellValue], ...] = (
        lambda: rng.randint(1, 5000),
        lambda: round(rng.uniform(0, 10), 2),
        lambda: words.one(rng, "categories"),
        lambda: f"{rng.randint(1, 9)}x{rng.randint(1, 99)}",
        lambda: f"< {rng.randint(1, 9)}",
        lambda: words.one(rng, "yes_no"),
    )
    return Field("", tuple(rng.choice(pieces)() for _ in range(rows)))


def _scattered(rng: Random, marks: Sequence[CellValue | None], rows: int) -> Field:
    return Field("", tuple(rng.choice(marks) for _ in range(rows)))


def _numbered(kind: str) -> Callable[[Random, Words, int], Field]:
    return lambda rng, words, rows: replace(numbers(rng, kind, rows), adds_up=kind in ("count", "money"))


def _each(make: Callable[[Random, Words], CellValue]) -> Callable[[Random, Words, int], Field]:
    return lambda rng, words, rows: Field("", tuple(make(rng, words) for _ in range(rows)))


MAKERS: dict[str, Callable[[Random, Words, int], Field]] = {
    "category": _category,
    "level": lambda rng, words, rows: Field("", repeated(rng, words.lists["levels"], rows)),
    "address": _each(lambda rng, words: f"{words.one(rng, 'cities')} {rng.randint(1, 140)}"),
    "phone": _each(lambda rng, words: f"0{rng.randint(11, 99)}{rng.choice('- /')}{rng.randint(10000, 9999999)}"),
    "email": _each(lambda rng, words: f"{rng.choice('abcdefgh')}.{rng.randint(10, 99)}@example.org"),
    "url": _each(lambda rng, words: f"https://www.example.org/{rng.randint(1, 999)}"),
    "code": lambda rng, words, rows: Field("", codes(rng, rows)),
    "date": lambda rng, words, rows: dates(rng, rows),
    "datetime": _datetime,
    "time": _time,
    "duration": _each(lambda rng, words: f"{rng.randint(0, 3)}:{rng.randint(0, 59):02d}:{rng.randint(0, 59):02d}"),
    "year": _each(lambda rng, words: rng.randint(1950, 2023)),
    "yes_no": lambda rng, words, rows: _scattered(rng, words.lists["yes_no"], rows),
    "mark": lambda rng, words, rows: _scattered(rng, rng.choice((("x", None), ("X", None, None), ("✓", "-"))), rows),
    "bit": lambda rng, words, rows: _scattered(rng, (0, 0, 1), rows),
    "flag": lambda rng, words, rows: _scattered(rng, (True, False), rows),
    "count": _numbered("count"),
    "money": _numbered("money"),
    "fraction": _numbered("fraction"),
    "percent": _numbered("percent"),
    "decimal": _each(lambda rng, words: round(rng.gauss(20, 40), 5)),
    "grade": lambda rng, words, rows: _scattered(rng, rng.choice(((1, 2, 3, 4, 5), tuple("ABCDF"), (7.5, 8, 9))), rows),
    "reference": _each(lambda rng, words: rng.randint(1, 400)),
    "range": _range,
    "span": _each(lambda rng, words: f"{rng.randint(1, 6)}/2021-{rng.randint(7, 12)}/202{rng.randint(1, 4)}"),
    "measure": _measure,
    "text": lambda rng, words, rows: Field("", repeated(rng, words.lists["texts"], rows)),
    "long": _long,
    "mixed": _mixed,
}


def column(rng: Random, words: Words, kind: str, head: str, rows: int) -> Field:
    """A value column of a kind; sometimes with gaps or placeholders."""
    maker = MAKERS.get(kind)
    made = maker(rng, words, rows) if maker else _listed(rng, words, kind, rows)
    if rng.random() < 0.18:
        hole, share = rng.choice((None, None, None, "-", "n/a", "?")), rng.choice((0.1, 0.3, 0.6))
        made = replace(made, values=tuple(hole if rng.random() < share else value for value in made.values))
    return replace(made, header=head)


def columns(
    rng: Random, words: Words, count: int, rows: int, kinds: Collection[str] = (), heads: str = "attribute_heads"
) -> list[Field]:
    """Up to `count` different value columns in random order, of the kinds asked for (default: all)."""
    pairs = [tuple(text.split(":", 1)) for text in words.lists[heads]]
    pool = [pair for pair in pairs if not kinds or pair[0] in kinds]
    chosen = rng.sample(pool, min(count, len(pool)))
    if rng.random() < 0.2:
        kept, heads_of = [kind for kind, _ in chosen], _odd_heads(rng, [head for _, head in pool], len(chosen))
        chosen = list(zip(kept, heads_of, strict=True))
    return [column(rng, words, kind, head, rows) for kind, head in chosen]


def _odd_heads(rng: Random, pool: Sequence[str], count: int) -> list[str]:
    """Heads that say nothing: coined words, or a stem with a number."""
    if rng.random() < 0.7:
        return [str(word) for word in coin(rng, pool, count)]
    stem = rng.choice(("Column", "Var", "f_", "q", "Feld", "X", "COL"))
    return [f"{stem}{k + 1}" for k in range(count)]
