"""Families of headers over several lines: months over years, wrapped labels, dates by formula, nested periods."""

from __future__ import annotations

from datetime import datetime
from random import Random

from cellroles.sheet import Role, a1
from data.synthetic.axes import draw_measure
from data.synthetic.blocks import Entry, Head, HeadLine, Label, close, write_entries, write_head
from data.synthetic.details import figure, holes
from data.synthetic.draws import years
from data.synthetic.frame import make_title, note_lines, title_lines
from data.synthetic.grid import Canvas, CellValue
from data.synthetic.layout import wrapped
from data.synthetic.restyle import restyled
from data.synthetic.styles import Look
from data.synthetic.units import body_labels
from data.synthetic.vocabulary import Words

MONTH_FORMATS = ("mmm-yy", "mmm yyyy", "mm/yyyy", "mmmm", "yyyy-mm", "d-mmm-yy", "mmm.yy")


def _moments(rng: Random, words: Words, count: int) -> list[tuple[str, CellValue]]:
    """Consecutive (month or quarter, year) pairs."""
    quarters = rng.random() < 0.3
    names = words.lists["quarters"] if quarters else words.lists[rng.choice(("months", "short_months"))]
    start, year = rng.randrange(len(names)), rng.randint(1995, 2023)
    dot = "." if not quarters and rng.random() < 0.3 else ""
    step = rng.choice((1, 1, 1, len(names)))
    turns = [start + step * k for k in range(count)]
    as_text = rng.random() < 0.3
    when = [year + turn // len(names) for turn in turns]
    return [(names[t % len(names)] + dot, str(y) if as_text else y) for t, y in zip(turns, when, strict=True)]


def two_lines(rng: Random, words: Words) -> tuple[list[HeadLine], int]:
    """A month over its year (or the other way round) in every column: two lines of one level."""
    moments = _moments(rng, words, rng.randint(2, 10))
    upper = HeadLine(tuple(Head(j, month) for j, (month, _) in enumerate(moments)))
    lower = HeadLine(tuple(Head(j, year) for j, (_, year) in enumerate(moments)))
    lines = [upper, lower] if rng.random() < 0.75 else [lower, upper]
    if rng.random() < 0.25:
        marks = [rng.choice(("(r)", "(p)", "(e)", "prov.")) if rng.random() < 0.5 else "" for _ in moments]
        heads = tuple(Head(j, mark) for j, mark in enumerate(marks) if mark)
        lines += [HeadLine(heads, Role.METADATA)] if heads else []
    return lines, len(moments)


def nested_periods(rng: Random, words: Words) -> tuple[list[HeadLine], int]:
    """Years over months or quarters: two levels, the years merged, on the first column or repeated."""
    names = words.lists[rng.choice(("quarters", "short_months", "months"))]
    size, span = rng.randint(2, min(6, len(names))), years(rng, rng.randint(2, 4))
    how = rng.choice(("merged", "merged", "first", "repeated"))
    width = size * len(span)
    if how == "repeated":
        outer = tuple(Head(j, span[j // size]) for j in range(width))
    else:
        outer = tuple(Head(k * size, year, size) for k, year in enumerate(span))
    inner = tuple(Head(j, names[j % size]) for j in range(width))
    return [HeadLine(outer, Role.COL_HEADER_2, how == "merged"), HeadLine(inner)], width


def dates_by_formula(rng: Random, words: Words) -> tuple[list[HeadLine], int]:
    """First days of months (or years as numbers) across; all but the first by formula, or all typed."""
    count, typed = rng.randint(3, 14), rng.random() < 0.4
    if rng.random() < 0.35:
        first = rng.randint(1980, 2015)
        plus = None if typed else lambda row, col: f"={a1(row, col - 1)}+1"
        return [HeadLine(tuple(Head(j, first + j, 1, "0", plus if j else None) for j in range(count)))], count
    year, month, shown = rng.randint(2000, 2023), rng.randint(0, 11), rng.choice(MONTH_FORMATS)
    moments = [datetime(year + (month + j) // 12, (month + j) % 12 + 1, 1) for j in range(count)]
    after = None if typed else lambda row, col: f"=EDATE({a1(row, col - 1)},1)"
    heads = tuple(Head(j, moment, 1, shown, after if j else None) for j, moment in enumerate(moments))
    if rng.random() < 0.7:
        return [HeadLine(heads)], count
    numbered = tuple(Head(j, f"{words.names['month']} {j + 1}") for j in range(count))
    return [HeadLine(numbered), HeadLine(heads)] if rng.random() < 0.5 else [HeadLine(heads), HeadLine(numbered)], count


def wrapped_lines(rng: Random, words: Words) -> tuple[list[HeadLine], int]:
    """Labels cut over two to four unmerged rows, short ones on some rows only: one level."""
    texts = [*words.lists["texts"], *words.lists["features"], *words.lists["group_names"]]
    labels, rows = rng.sample(texts, rng.randint(2, 8)), rng.randint(2, 4)
    cut = [wrapped(label, rows) for label in labels]
    if len(max(cut, key=len)) == 1:
        cut[0] = [*cut[0], f"({words.one(rng, 'units')})"]
    depth, at_top = max(map(len, cut)), rng.random() < 0.5
    lines: list[list[Head]] = [[] for _ in range(depth)]
    for j, parts in enumerate(cut):
        first = 0 if at_top else depth - len(parts)
        for k, part in enumerate(parts):
            lines[first + k].append(Head(j, part))
    made = [HeadLine(tuple(line)) for line in lines]
    if rng.random() < 0.3 and len(labels) > 3:
        middle = len(labels) // 2
        outer = words.some(rng, "scenarios", 2)
        spans = (Head(0, outer[0], middle), Head(middle, outer[1], len(labels) - middle))
        made.insert(0, HeadLine(spans, Role.COL_HEADER_2, rng.random() < 0.7))
    return made, len(labels)


def _corner_lines(rng: Random, look: Look, canvas: Canvas, rows: tuple[int, int], text: str) -> None:
    """The stub's name, perhaps cut over several rows; all of them name the stub."""
    parts = wrapped(text, rows[1] - rows[0]) if rng.random() < 0.6 else [text]
    first = rows[0] if rng.random() < 0.5 else rows[1] - len(parts)
    for k, part in enumerate(parts):
        canvas.put(first + k, 0, part, Role.COL_HEADER_1, look.header)


@restyled
def period_headers(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """Figures under one of the headers of this module."""
    kind = rng.choice((two_lines, two_lines, nested_periods, dates_by_formula, wrapped_lines))
    lines, width = kind(rng, words)
    name, labels = body_labels(rng, words)
    label, measure = draw_measure(rng, words)
    top = title_lines(rng, words, look, canvas, make_title(rng, words, label, name, words.names["month"]), width)
    row, heads = write_head(canvas, look, (top, 1), lines, width)
    if rng.random() < 0.75:
        text = (
            name if rng.random() < 0.6 else rng.choice((f"{label} / {name}", f"{name} ({label})", f"{name} - {label}"))
        )
        _corner_lines(rng, look, canvas, (top, row), text)
    share = rng.choice((0.0, 0.0, 0.15))
    entries = []
    for row_label in labels:
        data = [figure(rng, measure) for _ in range(width)]
        entries.append(Entry((Label(row_label),), holes(rng, data, share, ("", "-", "..", "n/a"))))
    row += int(rng.random() < 0.1)
    bottom = write_entries(canvas, look, (row, 0), entries, heads)
    close(canvas, (top, 0), bottom, width + 1)
    note_lines(rng, words, look, canvas)
