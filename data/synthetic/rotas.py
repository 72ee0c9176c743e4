"""The family of staff rotas: people down, days across, hours and pay computed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

from cellroles.sheet import Role, a1
from data.synthetic.blocks import Datum, Entry, Formula, Head, HeadLine, Label, close, write_entries, write_head
from data.synthetic.comparisons import corner, front
from data.synthetic.details import TIME_FORMATS, clock, holes
from data.synthetic.frame import note_lines
from data.synthetic.grid import Canvas
from data.synthetic.records import names
from data.synthetic.restyle import restyled
from data.synthetic.styles import Look
from data.synthetic.timetables import day_lines, sum_above
from data.synthetic.vocabulary import Words


def _pay(row: int, col: int) -> str:
    return f"={a1(row, col - 2)}*{a1(row, col - 1)}"


def _sum_range(count: int) -> Formula:
    return lambda row, col: f"=SUM({a1(row, col - count)}:{a1(row, col - 1)})"


def _shift(rng: Random, words: Words, kind: str, time_format: str) -> Datum:
    """What stands under one day of a rota."""
    start = rng.choice((6, 7, 8, 9, 12, 14, 22))
    if kind == "times":
        return Datum(f"{start:02d}:00{rng.choice((' - ', '-'))}{(start + 8) % 24:02d}:30")
    if kind == "clock":
        return clock(start + rng.choice((0, 0.25, 0.5)), time_format)
    if kind == "people":
        return Datum(words.person(rng))
    return Datum(words.one(rng, "shifts"))


@dataclass(frozen=True, slots=True)
class Rota:
    """What a rota holds: days, the kind under them, a job column before them, hours and pay (computed) after them."""

    days: int
    kind: str
    shown: str
    job: bool
    hours: bool
    paid: bool

    @property
    def width(self) -> int:
        """Data columns."""
        return self.job + self.days + self.hours + 2 * self.paid


def draw_rota(rng: Random) -> Rota:
    """Shift letters, times or hours under 5 to 31 days."""
    kind = rng.choice(("hours", "hours", "times", "clock", "letters"))
    shown = rng.choice(("General", "General", "0.0", "0.00") if kind == "hours" else (*TIME_FORMATS, ""))
    hours = kind == "hours" and rng.random() < 0.8
    days = rng.choice((5, 5, 6, 7, 7, 14, 31))
    return Rota(days, kind, shown, rng.random() < 0.35, hours, hours and rng.random() < 0.4)


def _rota_lines(rng: Random, words: Words, plan: Rota) -> list[HeadLine]:
    """The lines of days, moved by the job column; the other names stand in one of them."""
    lines = [
        HeadLine(tuple(replace(head, start=head.start + plan.job) for head in line.heads), line.role)
        for line in day_lines(rng, words, plan.days)
    ]
    last = (words.one(rng, "total"), words.names["price"], words.names["amount"])[: plan.hours + 2 * plan.paid]
    own = [Head(0, words.names["job"])] * plan.job
    own += [Head(plan.job + plan.days + k, text) for k, text in enumerate(last)]
    place = rng.randrange(len(lines))
    lines[place] = HeadLine((*lines[place].heads, *own), lines[place].role)
    return lines


def _rota_row(rng: Random, words: Words, plan: Rota) -> tuple[Datum | None, ...]:
    """One person's job, days, hours and pay."""
    data: list[Datum | None] = [Datum(words.one(rng, "jobs"))] * plan.job
    hours = [rng.choice((0, 4, 7.5, 8, 8, 8, 10)) for _ in range(plan.days)]
    if plan.kind == "hours":
        data += [Datum(number, plan.shown) for number in hours]
    else:
        shifts = [_shift(rng, words, plan.kind, plan.shown) for _ in range(plan.days)]
        data += holes(rng, shifts, 0.12, ("", "", "-"))
    if plan.hours:
        data.append(Datum(sum(hours), "General", Role.AGGREGATION, _sum_range(plan.days)))
    if plan.paid:
        rate = rng.choice((12.5, 15, 18, 22.4))
        data += [Datum(rate, "0.00"), Datum(round(sum(hours) * rate, 2), "0.00", Role.AGGREGATION, _pay)]
    return tuple(data)


def _rota_total(plan: Rota, rows: Sequence[tuple[Datum | None, ...]]) -> tuple[Datum | None, ...]:
    """The sums of the days, hours and pay (not of the jobs and rates)."""
    skipped = {0} if plan.job else set[int]()
    skipped |= {plan.width - 2} if plan.paid else set()
    columns = [
        [d.value for d in column if d and isinstance(d.value, int | float)] for column in zip(*rows, strict=True)
    ]
    above = sum_above(len(rows))
    return tuple(
        None if j in skipped else Datum(round(sum(column), 2), "General", Role.AGGREGATION, above)
        for j, column in enumerate(columns)
    )


@restyled
def rota(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """People down, days across: shift letters, times or hours; hours and pay by formula; jobs beside the names."""
    plan = draw_rota(rng)
    people = names(rng, words, "person", rng.choice((3, 5, 8, 12, 25)))
    top = front(rng, words, look, canvas, plan.days + 1)
    row, heads = write_head(canvas, look, (top, 1), _rota_lines(rng, words, plan), plan.width)
    corner(rng, look, canvas, (top, row), 0, words.names["name"] if rng.random() < 0.65 else "")
    rows = [_rota_row(rng, words, plan) for _ in people]
    entries = [Entry((Label(person),), data) for person, data in zip(people, rows, strict=True)]
    if plan.kind == "hours" and rng.random() < 0.5:
        entries.append(Entry((Label(words.one(rng, "total")),), _rota_total(plan, rows), kind="total"))
    bottom = write_entries(canvas, look, (row, 0), entries, heads)
    close(canvas, (top, 0), bottom, 1 + plan.width)
    note_lines(rng, words, look, canvas, chance=0.3)
