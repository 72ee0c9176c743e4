"""Families about units and innermost labels: unit rows (metadata) against `Number` and `Percent` (column headers)."""

from __future__ import annotations

from itertools import chain, pairwise
from random import Random

from cellroles.sheet import Role, a1
from data.synthetic.axes import draw_measure
from data.synthetic.blocks import Datum, Entry, Formula, Head, HeadLine, Label, close, write_entries, write_head
from data.synthetic.comparisons import corner
from data.synthetic.details import figure, holes
from data.synthetic.draws import flat_axis
from data.synthetic.frame import make_title, note_lines, title_lines
from data.synthetic.grid import Canvas, CellValue
from data.synthetic.restyle import restyled
from data.synthetic.styles import Look
from data.synthetic.vocabulary import Words

ROWS = ("country", "city", "age", "department", "product", "company", "year", "month", "sex")


def body_labels(rng: Random, words: Words) -> tuple[str, list[CellValue]]:
    """The name of the stub and 2-80 different labels."""
    return flat_axis(rng, words, rng.choice(ROWS), rng.choice((2, 4, 8, 12, 20, 30, 80)))


def _runs(rng: Random, width: int, groups: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Stretches of data columns (start, length) that share a unit: single columns, outer groups, all, or chance."""
    how = rng.choice(("each", "each", "groups", "all", "chance"))
    if how == "all":
        return [(0, width)]
    if how == "groups":
        return groups
    if how == "each":
        return [(j, 1) for j in range(width)]
    cuts = sorted({0, width, *(rng.randint(1, width) for _ in range(3))})
    return [(a, b - a) for a, b in pairwise(cuts)]


def unit_line(rng: Random, words: Words, width: int, groups: list[tuple[int, int]]) -> HeadLine:
    """A row of units: repeated, merged over columns, only at the first of them, or only over some columns."""
    runs = _runs(rng, width, groups)
    if len(runs) > 1 and rng.random() < 0.3:
        runs = [run for run in runs if rng.random() < 0.6] or runs[:1]
    one = words.one(rng, "unit_cells") if rng.random() < 0.4 else ""
    frame = rng.choice(("{}", "{}", "{}", "({})", "[{}]", "{} "))
    how = rng.choice(("merged", "merged", "first", "repeated"))
    heads: list[Head] = []
    for start, span in runs:
        unit = one or words.one(rng, "unit_cells")
        text = frame.format(unit) if not unit.startswith(("(", "（")) else unit
        if how == "repeated":
            heads += [Head(start + j, text) for j in range(span)]
        else:
            heads.append(Head(start, text, span if how == "merged" else 1))
    return HeadLine(tuple(heads), Role.METADATA, plain=rng.random() < 0.5)


def random_head(rng: Random, words: Words) -> tuple[list[HeadLine], list[tuple[int, int]]]:
    """One or two levels of labels, and the stretches of columns of the outer level."""
    kind = rng.choice(("year", "year", "region", "sex", "measures", "measures", "parts"))
    count = rng.randint(1, 6)
    if kind in ("measures", "parts"):
        inner: list[CellValue] = [text.split(":")[-1] for text in words.some(rng, kind, count)]
    else:
        inner = flat_axis(rng, words, kind, count)[1]
    size = len(inner)
    if rng.random() < 0.5:
        return [HeadLine(tuple(map(Head, range(size), inner)))], [(0, size)]
    outer = [text.split(":")[1] for text in words.some(rng, "measures", rng.randint(2, 4))]
    groups = [(k * size, size) for k in range(len(outer))]
    spans = tuple(Head(k * size, text, size) for k, text in enumerate(outer))
    leaves = tuple(Head(k * size + j, text) for k in range(len(outer)) for j, text in enumerate(inner))
    return [HeadLine(spans, Role.COL_HEADER_2, rng.random() < 0.75), HeadLine(leaves)], groups


@restyled
def unit_cells(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """Units between header rows, or between the last header row and the body."""
    lines, groups = random_head(rng, words)
    width = groups[-1][0] + groups[-1][1]
    place = 1 if len(lines) > 1 and rng.random() < 0.35 else len(lines)
    lines.insert(place, unit_line(rng, words, width, groups))
    name, labels = body_labels(rng, words)
    top = title_lines(rng, words, look, canvas, make_title(rng, words, name, name, words.names["year"]), width)
    row, heads = write_head(canvas, look, (top, 1), lines, width)
    last = row - int(place == len(lines) - 1 and rng.random() < 0.7)
    corner(rng, look, canvas, (top, last), 0, name if rng.random() < 0.7 else "")
    measures = [draw_measure(rng, words)[1] for _ in range(width)]
    if rng.random() < 0.6:
        measures = measures[:1] * width
    share = rng.choice((0.0, 0.0, 0.15))
    entries = []
    for label in labels:
        figures = [figure(rng, measure) for measure in measures]
        entries.append(Entry((Label(label),), holes(rng, figures, share, ("", "-", "..", "n.a."))))
    row += int(rng.random() < 0.1)
    bottom = write_entries(canvas, look, (row, 0), entries, heads)
    close(canvas, (top, 0), bottom, width + 1)
    note_lines(rng, words, look, canvas)


def _pair_lines(rng: Random, words: Words, outer: list[CellValue], texts: list[str]) -> list[HeadLine]:
    """`Number` and `Percent` under every outer label, or over all of them."""
    size, count = len(texts), len(outer)
    if rng.random() < 0.75:
        spans = tuple(Head(k * size, text, size) for k, text in enumerate(outer))
        leaves = tuple(Head(k * size + j, text) for k in range(count) for j, text in enumerate(texts))
    else:
        spans = tuple(Head(j * count, text, count) for j, text in enumerate(texts))
        leaves = tuple(Head(j * count + k, text) for j in range(size) for k, text in enumerate(outer))
    return [HeadLine(spans, Role.COL_HEADER_2, rng.random() < 0.75), HeadLine(leaves)]


@restyled
def number_percent(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """`Number` and `Percent` tell the columns under an outer label apart: they are labels, not units."""
    kind = rng.choice(("year", "sex", "region", "age", "country", "quarter"))
    outer = flat_axis(rng, words, kind, rng.randint(2, 5))[1]
    texts = [words.one(rng, "number_words"), words.one(rng, "percent_words")]
    if rng.random() < 0.2:
        texts.append(rng.choice(("95% CI", "SE", "Rank", "Index")))
    lines = _pair_lines(rng, words, outer, texts)
    width, by_outer = len(outer) * len(texts), lines[0].heads[0].text == outer[0]
    name, labels = body_labels(rng, words)
    top = title_lines(rng, words, look, canvas, make_title(rng, words, name, name, words.names["year"]), width)
    row, heads = write_head(canvas, look, (top, 1), lines, width)
    corner(rng, look, canvas, (top, row), 0, name if rng.random() < 0.7 else "")
    counts = [[rng.randint(3, 4000) for _ in outer] for _ in labels]
    percent = rng.choice(("0.0%", "0%", "0.0", "General"))
    entries = [
        Entry((Label(label),), _shares(rng, row_counts, counts, percent, len(texts), by_outer))
        for label, row_counts in zip(labels, counts, strict=True)
    ]
    if rng.random() < 0.5:
        sums = [sum(column) for column in zip(*counts, strict=True)]
        reach: Formula | None = None
        if rng.random() < 0.4:
            reach = lambda r, c: f"=SUM({a1(r - len(labels), c)}:{a1(r - 1, c)})"  # noqa: E731
        data = [Datum(total, "#,##0", Role.AGGREGATION, reach) for total in sums]
        whole = Datum(1.0 if "%" in percent else 100.0, percent, Role.AGGREGATION)
        pairs = [[one, whole, None][: len(texts)] for one in data]
        flat = tuple(chain.from_iterable(pairs if by_outer else zip(*pairs, strict=True)))
        entries.append(Entry((Label(words.one(rng, "total")),), flat, kind="total"))
    bottom = write_entries(canvas, look, (row, 0), entries, heads)
    close(canvas, (top, 0), bottom, width + 1)
    note_lines(rng, words, look, canvas)


def _shares(
    rng: Random, row: list[int], counts: list[list[int]], number_format: str, size: int, by_outer: bool
) -> tuple[Datum | None, ...]:
    """Counts and typed shares of one row, ordered by outer label or by kind."""
    pairs = []
    for k, count in enumerate(row):
        share = count / sum(line[k] for line in counts)
        shown = round(share, 4) if "%" in number_format else round(100 * share, 1)
        third = Datum(f"{shown * 0.9:.1f}-{shown * 1.1:.1f}" if rng.random() < 0.5 else rng.randint(1, 40))
        pairs.append([Datum(count, "#,##0"), Datum(shown, number_format), third][:size])
    return tuple(chain.from_iterable(pairs if by_outer else zip(*pairs, strict=True)))
