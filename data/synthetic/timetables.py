"""Families of plans: class timetables and working time sheets; days as text, as dates or by formula."""

from __future__ import annotations

from datetime import timedelta
from random import Random

from cellroles.sheet import Role, a1
from data.synthetic.blocks import Datum, Entry, Formula, Head, HeadLine, Label, close, write_entries, write_head
from data.synthetic.comparisons import corner, front
from data.synthetic.details import TIME_FORMATS, clock, day, holes
from data.synthetic.frame import note_lines
from data.synthetic.grid import Canvas
from data.synthetic.restyle import restyled
from data.synthetic.styles import Look
from data.synthetic.vocabulary import Words

DAY_FORMATS = ("d-mmm", "dd/mm/yyyy", "ddd d mmm", "m/d/yyyy", "dd.mm.", "dddd", "d")


def _next_day(row: int, col: int) -> str:
    return f"={a1(row, col - 1)}+1"


def day_lines(rng: Random, words: Words, count: int, step: int = 1) -> list[HeadLine]:
    """Days across, `step` data columns each: names, dates, dates by formula, or names over dates (one level)."""
    weekdays = words.lists["weekdays"]
    named = [Head(step * k, weekdays[k % 7], step) for k in range(count)]
    start, number_format = day(rng), rng.choice(DAY_FORMATS)
    by_formula = step == 1 and rng.random() < 0.5
    dated = [
        Head(step * k, start + timedelta(days=k), step, number_format, _next_day if by_formula and k else None)
        for k in range(count)
    ]
    merged = rng.random() < 0.6
    choice = rng.choices(("names", "dates", "both", "turned"), (0.45, 0.25, 0.2, 0.1))[0]
    lines = {"names": [named], "dates": [dated], "both": [named, dated], "turned": [dated, named]}[choice]
    role = Role.COL_HEADER_1 if step == 1 else Role.COL_HEADER_2
    return [HeadLine(tuple(line), role, merged) for line in lines]


def _worked(row: int, col: int) -> str:
    return f"=({a1(row, col - 2)}-{a1(row, col - 3)})*24-{a1(row, col - 1)}"


def sum_above(count: int) -> Formula:
    """Formulas of the sum of `count` cells above."""
    return lambda row, col: f"=SUM({a1(row - count, col)}:{a1(row - 1, col)})"


@restyled
def lessons(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """Times down (one or two columns, text or time cells), days or rooms across, subjects inside; breaks across all."""
    count = rng.choice((3, 4, 5, 5, 5, 6, 7))
    two, time_format = rng.random() < 0.35, rng.choice((*TIME_FORMATS, ""))
    top = front(rng, words, look, canvas, count + 1)
    by_room = rng.random() < 0.2
    labels = words.some(rng, "rooms", count) if by_room else []
    lines = [HeadLine(tuple(map(Head, range(len(labels)), labels)))] if by_room else day_lines(rng, words, count)
    count = len(labels) or count
    stubs = 1 + two
    row, heads = write_head(canvas, look, (top, stubs), lines, count)
    corner(rng, look, canvas, (top, row), 0, words.names["time"] if rng.random() < 0.6 else "")
    hour, step, numbered = rng.choice((7.5, 8, 8, 9)), rng.choice((0.75, 1, 1, 1.5, 2)), rng.random() < 0.2
    rooms, share, joint = rng.random() < 0.3, rng.choice((0.0, 0.2, 0.4)), rng.choice(("-", " - ", "–"))
    single = rng.random() < 0.15
    entries: list[Entry] = []
    for k in range(rng.randint(3, 9)):
        start, end = clock(hour, time_format), clock(hour + step, time_format)
        text = joint.join(str(clock(moment, "").value) for moment in (hour, hour + step))
        ends: tuple[Label, ...] = (Label(start.value, number_format=start.number_format),)
        if two:
            ends += (Label(end.value, column=1, number_format=end.number_format),)
        label = ends if two or single else (Label(k + 1 if numbered else text),)
        if k and rng.random() < 0.15:
            entries.append(Entry(label, (Datum(words.one(rng, "breaks"), span=count),)))
        else:
            drawn = [_subject(rng, words, rooms) for _ in range(count)]
            entries.append(Entry(label, holes(rng, drawn, share, ("", "", "-"))))
        hour += step + rng.choice((0, 0, 0.25))
    bottom = write_entries(canvas, look, (row, 0), entries, heads, stubs)
    close(canvas, (top, 0), bottom, stubs + count)
    note_lines(rng, words, look, canvas, chance=0.3)


def _subject(rng: Random, words: Words, rooms: bool) -> Datum:
    text = words.one(rng, rng.choice(("activities", "activities", "given")))
    return Datum(f"{text}{rng.choice((', ', chr(10), ' / '))}{words.one(rng, 'rooms')}" if rooms else text)


@restyled
def time_sheet(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """Days down with start, end and break; hours by formula; perhaps a week number outside; a total below."""
    count, time_format = rng.choice((5, 7, 14, 31)), rng.choice(TIME_FORMATS)
    top = front(rng, words, look, canvas, 5)
    titles = [words.names["time"] + " 1", words.names["time"] + " 2", words.lists["breaks"][0], words.one(rng, "total")]
    if rng.random() < 0.5:
        titles.append(words.names["activity"])
    start, dated = day(rng), rng.random() < 0.6
    both = dated and rng.random() < 0.5
    stubs = 1 + both
    line = HeadLine(tuple(Head(j, text) for j, text in enumerate(titles)))
    row, heads = write_head(canvas, look, (top, stubs), [line], len(titles))
    corner(rng, look, canvas, (top, row), 0, words.names["date" if dated else "day"])
    number_format = rng.choice(("dd/mm/yyyy", "d-mmm-yy", "dd.mm.yyyy"))
    entries: list[Entry] = []
    total = 0.0
    for k in range(count):
        begin, length, rest = rng.choice((7, 8, 8.5, 9)), rng.choice((6, 8, 8.5)), rng.choice((0.5, 0.75, 1))
        name = Label(words.lists["weekdays"][k % 7], column=int(both))
        date = Label(start + timedelta(days=k), number_format=number_format)
        label = (date, name) if both else (date if dated else name,)
        if k % 7 > 4 and rng.random() < 0.6:
            entries.append(Entry(label))
            continue
        total += length - rest
        figures: list[Datum | None] = [clock(begin, time_format), clock(begin + length, time_format), Datum(rest)]
        figures.append(Datum(length - rest, "0.00", Role.AGGREGATION, _worked))
        figures += [Datum(words.one(rng, "activities"))] * (len(titles) - 4)
        entries.append(Entry(label, tuple(figures)))
    if rng.random() < 0.7:
        below = (None, None, None, Datum(total, "0.00", Role.AGGREGATION, sum_above(count)))
        entries.append(Entry((Label(words.one(rng, "total")),), below, kind="total"))
    bottom = write_entries(canvas, look, (row, 0), entries, heads, stubs)
    close(canvas, (top, 0), bottom, stubs + len(titles))
    note_lines(rng, words, look, canvas, chance=0.3)
