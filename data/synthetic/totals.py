"""Families of typed totals: labels of many kinds or none, totals of some columns only, and what only looks like one."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from cellroles.sheet import Role
from data.synthetic.axes import draw_measure
from data.synthetic.blocks import Datum, Entry, Head, HeadLine, Label, close, write_entries, write_head
from data.synthetic.comparisons import corner
from data.synthetic.details import figure
from data.synthetic.frame import make_title, note_lines, title_lines
from data.synthetic.grid import Canvas, CellValue
from data.synthetic.nested import ADDITIVE
from data.synthetic.restyle import restyled
from data.synthetic.styles import Look
from data.synthetic.units import body_labels
from data.synthetic.vocabulary import Words


def total_label(rng: Random, words: Words, named: float = 0.0) -> str:
    """A word for a total in one of many spellings, or with the chance `named` a country's name; empty = no label."""
    if rng.random() < named:
        return words.one(rng, "countries")
    kind = rng.choices(("total_words", "total", "grand_total", ""), (0.55, 0.22, 0.12, 0.11))[0]
    if not kind:
        return ""
    text = words.one(rng, kind)
    return rng.choice((text, text, text, text.upper(), text.lower(), f"{text}:", f"= {text}"))


def summed(rows: Sequence[Sequence[Datum | None]], keep: Sequence[bool]) -> tuple[Datum | None, ...]:
    """The typed total of every kept column."""
    columns = []
    for column, wanted in zip(zip(*rows, strict=True), keep, strict=True):
        first = column[0]
        numbers = [d.value for d in column if d and isinstance(d.value, int | float)]
        total = Datum(round(sum(numbers), 4), first.number_format if first else "General", Role.AGGREGATION)
        columns.append(total if wanted and len(numbers) == len(column) else None)
    return tuple(columns)


def _heads(rng: Random, words: Words, total: str | None, first: bool) -> tuple[list[Head], int]:
    """Labels of the parts, with the total's (perhaps empty) before or after them; and the number of parts."""
    kind = rng.choice(("parts", "departments", "years"))
    labels: list[CellValue] = [*words.some(rng, "departments" if kind == "years" else kind, rng.randint(2, 7))]
    if kind == "years" and total is None:
        start = rng.randint(1980, 2010)
        labels = [start + k for k in range(len(labels))]
    shown = labels if total is None else [total, *labels] if first else [*labels, total]
    return [Head(j, text) for j, text in enumerate(shown) if text != ""], len(labels)


def _number(datum: Datum | None) -> float:
    """The figure of a cell; 0 where there is none."""
    return float(datum.value) if datum and isinstance(datum.value, int | float) else 0.0


def _typed_line(row: tuple[Datum, ...], first: bool, wanted: bool) -> tuple[Datum | None, ...]:
    """The parts of a row with their typed total before or after them."""
    if not wanted:
        return row
    total = Datum(round(sum(map(_number, row)), 4), row[0].number_format, Role.AGGREGATION)
    return (total, *row) if first else (*row, total)


@restyled
def typed_totals(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """Typed totals of rows, of columns, of some columns only, first or last; percent and rank columns are values."""
    measure = draw_measure(rng, words, ADDITIVE)[1]
    across, down = rng.random() < 0.5, rng.random() < 0.8
    first, above = rng.random() < 0.3, rng.random() < 0.25
    name, labels = body_labels(rng, words)
    heads, parts = _heads(rng, words, total_label(rng, words) if across else None, first)
    width = parts + across
    extras = rng.sample(("percent", "rank", "text"), rng.choice((0, 0, 1, 2)))
    words_of = {"percent": words.one(rng, "percent_words"), "rank": words.names["rank"], "text": words.names["status"]}
    heads += [Head(width + k, words_of[kind]) for k, kind in enumerate(extras)]
    top = title_lines(rng, words, look, canvas, make_title(rng, words, name, name, words.names["category"]), width)
    row, paths = write_head(canvas, look, (top, 1), [HeadLine(tuple(heads))], width + len(extras))
    corner(rng, look, canvas, (top, row), 0, name if rng.random() < 0.7 else "")
    plain = [tuple(figure(rng, measure) for _ in range(parts)) for _ in labels]
    lines = [_typed_line(line, first, across) for line in plain]
    entries = [
        Entry((Label(label),), (*line, *_extras(rng, words, extras, plain, i)))
        for i, (label, line) in enumerate(zip(labels, lines, strict=True))
    ]
    if down:
        keep = [True] * width if rng.random() < 0.7 else [rng.random() < 0.6 for _ in range(width)]
        keep[-1] = True
        text = total_label(rng, words, 0.08)
        kind = "total" if rng.random() < 0.7 else "own"
        total = Entry((Label(text),) if text else (), summed(lines, keep), kind, gap=0)
        entries.insert(0 if above and text else len(entries), total)
    bottom = write_entries(canvas, look, (row, 0), entries, paths)
    close(canvas, (top, 0), bottom, 1 + width + len(extras))
    note_lines(rng, words, look, canvas)


def _extras(
    rng: Random, words: Words, kinds: Sequence[str], rows: Sequence[tuple[Datum, ...]], place: int
) -> tuple[Datum, ...]:
    """Typed share, rank and text beside a row of figures."""
    sums = [sum(map(_number, row)) for row in rows]
    rank = 1 + sum(other > sums[place] for other in sums)
    share = round(100 * sums[place] / (sum(sums) or 1), 1)
    made = {"percent": Datum(share, "0.0"), "rank": Datum(rank), "text": Datum(words.one(rng, "status"))}
    return tuple(made[kind] for kind in kinds)


@restyled
def balance_sheet(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """Groups of items with typed totals (below them or in the group's own row) and a typed balance of the groups."""
    count, measure = rng.randint(1, 5), draw_measure(rng, words, ("money",))[1]
    start, own = rng.randint(1990, 2018), rng.random() < 0.5
    lines = [HeadLine(tuple(Head(j, start + j) for j in range(count)))]
    top = title_lines(
        rng,
        words,
        look,
        canvas,
        make_title(rng, words, words.names["budget"], words.names["category"], words.names["year"]),
        count,
    )
    row, paths = write_head(canvas, look, (top, 1), lines, count)
    corner(rng, look, canvas, (top, row), 0, words.names["budget"] if rng.random() < 0.6 else "")
    indent = 1 if own or rng.random() < 0.5 else 0
    entries: list[Entry] = []
    totals: list[tuple[Datum | None, ...]] = []
    for text in words.some(rng, "balance", 2):
        group, items = text.split(">")
        names = items.split("|")
        data = [tuple(figure(rng, measure) for _ in range(count)) for _ in names]
        total = summed(data, [True] * count)
        totals.append(total)
        entries.append(Entry((Label(group, 2),), total if own else (), "group", closes=True))
        entries += [Entry((Label(name, indent=indent),), line) for name, line in zip(names, data, strict=True)]
        if not own:
            label = rng.choice((f"{words.one(rng, 'subtotal')} {group}", words.one(rng, "total_words")))
            entries.append(Entry((Label(label, indent=indent),), total, rng.choice(("total", "own"))))
    rest = tuple(
        Datum(round(_number(a) - _number(b), 4), measure.number_format, Role.AGGREGATION)
        for a, b in zip(*totals, strict=True)
    )
    label = words.one(rng, "balance_words")
    entries.append(Entry((Label(label),), rest, rng.choice(("total", "own")), closes=True, gap=rng.choice((0, 0, 1))))
    bottom = write_entries(canvas, look, (row, 0), entries, paths)
    close(canvas, (top, 0), bottom, count + 1)
    note_lines(rng, words, look, canvas)


@restyled
def false_totals(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """Rows that look like totals and are none: `Total fertility rate`, `Other`, bold rows, parents of some parts."""
    count = rng.randint(1, 8)
    start = rng.randint(1985, 2015)
    by_year = rng.random() < 0.7
    texts: list[CellValue] = [start + k for k in range(count)] if by_year else [*words.first("parts", count)]
    top = title_lines(rng, words, look, canvas, words.one(rng, "subtitles"), count)
    row, paths = write_head(canvas, look, (top, 1), [HeadLine(tuple(map(Head, range(count), texts)))], count)
    corner(rng, look, canvas, (top, row), 0, words.names["indicator"] if rng.random() < 0.6 else "")
    labels = [text.split(":")[1] for text in words.some(rng, "measures", rng.randint(2, 10))]
    odd = rng.sample(words.lists["false_totals"], rng.randint(1, min(4, len(words.lists["false_totals"]))))
    entries: list[Entry] = []
    for label in [*labels, *odd] if rng.random() < 0.4 else rng.sample([*labels, *odd], len(labels) + len(odd)):
        measure = draw_measure(rng, words)[1]
        kind = "total" if (label in odd and rng.random() < 0.5) or rng.random() < 0.1 else "own"
        data = tuple(figure(rng, measure) for _ in range(count))
        if rng.random() < 0.12:
            parts = words.some(rng, "sex", 2)[: rng.choice((1, 2))]
            entries.append(Entry((Label(label, 2),), data, kind, closes=True))
            inner = [tuple(figure(rng, measure) for _ in range(count)) for _ in parts]
            entries += [Entry((Label(part, indent=1),), line) for part, line in zip(parts, inner, strict=True)]
        else:
            entries.append(Entry((Label(label),), data, kind, closes=True))
    bottom = write_entries(canvas, look, (row, 0), entries, paths)
    close(canvas, (top, 0), bottom, count + 1)
    note_lines(rng, words, look, canvas)
