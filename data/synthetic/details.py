"""Kinds of content -> data cells: text with units, ranges, choices, times, dates, yes or no."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, time, timedelta
from random import Random

from data.synthetic.axes import Measure
from data.synthetic.blocks import Datum
from data.synthetic.records import DATE_FORMATS
from data.synthetic.vocabulary import Words

YES_NO = (("✓", "✗"), ("x", ""), ("●", "○"), ("Y", "N"), ("✔", "-"), ("X", "-"), ("1", "0"))
TIME_FORMATS = ("h:mm", "hh:mm", "h:mm AM/PM")


def yes_no(rng: Random, words: Words) -> tuple[str, str]:
    """How an author writes yes and no; an empty no leaves its cell out."""
    pairs = (tuple(words.lists["yes_no"][:2]), tuple(text.title() for text in words.lists["yes_no"][:2]))
    yes, no = rng.choice((*pairs, *pairs, *YES_NO))
    return yes, no


def grouped(number: int) -> str:
    """A number as text with thousands commas."""
    return f"{number:,}"


def spec(rng: Random, words: Words, code: str, count: int) -> list[Datum | None]:
    """`count` data cells of one attribute.

    `code` is `#unit` (a number with its unit), `~unit` (a range), `^unit` (measures such as 120 x 80 x 40), `?` (yes or
    no), `$` (a price), `%` (a share), or choices with semicolons.
    """
    kind, unit = code[0], code[1:]
    if kind == "#":
        return _with_unit(rng, unit, count)
    if kind == "$":
        money = rng.choice(('"$"#,##0.00', "0.00", "General", "#,##0.00 €"))
        return [Datum(round(rng.uniform(3, 900), 2), money) for _ in range(count)]
    if kind == "%":
        return [Datum(rng.randint(5, 95) / 100, "0%") for _ in range(count)]
    if kind == "?":
        yes, no = yes_no(rng, words)
        made = [rng.choice((yes, no)) for _ in range(count)]
        return [Datum(text) if text else None for text in made]
    if kind == "~":
        low = rng.choice((0, 1, 50, 100))
        joint, tail = rng.choice((" - ", "-", "–", " to ")), f" {unit}" if unit else ""
        tops = [rng.choice((240, 800, 1600, 6400, 25600, 51200)) for _ in range(count)]
        return [Datum(f"{low}{joint}{grouped(low + top)}{tail}") for top in tops]
    if kind == "^":
        sizes = [" x ".join(str(rng.randint(20, 400)) for _ in range(3)) for _ in range(count)]
        return [Datum(f"{size} {unit}") for size in sizes]
    return [Datum(rng.choice(code.split(";"))) for _ in range(count)]


def _with_unit(rng: Random, unit: str, count: int) -> list[Datum | None]:
    """Numbers with a unit: as text, by the number format, or bare."""
    top = rng.choice((8, 60, 900))
    numbers = [rng.choice((rng.randint(1, top), round(rng.uniform(1, top), 1))) for _ in range(count)]
    how = rng.random()
    if how < 0.65:
        joint = "" if rng.random() < 0.2 else " "
        return [Datum(f"{number}{joint}{unit}") for number in numbers]
    return [Datum(number, f'0.0" {unit}"' if how < 0.75 else "General") for number in numbers]


def holes(rng: Random, data: Sequence[Datum | None], share: float, marks: Sequence[str]) -> tuple[Datum | None, ...]:
    """Some cells left out, or with a mark for "nothing" where one is given."""
    mark = rng.choice(marks)
    gone = Datum(mark) if mark else None
    return tuple(gone if rng.random() < share else datum for datum in data)


def day(rng: Random) -> datetime:
    """Any day of the last decades."""
    return datetime(rng.randint(2001, 2024), rng.randint(1, 12), 1) + timedelta(days=rng.randint(0, 27))


def figure(rng: Random, measure: Measure) -> Datum:
    """A figure of a measure."""
    level: float = {"percent": 100.0, "fraction": 1.0}.get(measure.kind, 0.0)
    number = level * rng.betavariate(1.5, 3) if level else rng.lognormvariate(measure.location, 0.7)
    return Datum(round(number, measure.decimals), measure.number_format)


def date(rng: Random) -> Datum:
    """A date as a date cell or as text."""
    moment = day(rng)
    if rng.random() < 0.3:
        return Datum(moment.strftime(rng.choice(("%d.%m.%Y", "%Y-%m-%d", "%d/%m/%Y", "%B %d, %Y"))))
    return Datum(moment, rng.choice(DATE_FORMATS))


def clock(hour: float, number_format: str) -> Datum:
    """A time of day as a time cell, or as text where the format is empty."""
    whole = round(hour * 60)
    moment = time(whole // 60 % 24, whole % 60)
    return Datum(moment, number_format) if number_format else Datum(moment.strftime("%H:%M"))
