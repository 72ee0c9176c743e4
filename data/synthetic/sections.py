"""Group headings with the rows under them: figures of one measure, or a whole and its parts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from cellroles.sheet import Role, a1
from data.synthetic.axes import Measure, draw_measure
from data.synthetic.blocks import Datum, Entry, Formula, Label
from data.synthetic.details import figure, holes
from data.synthetic.draws import flat_axis
from data.synthetic.grid import CellValue
from data.synthetic.nested import ADDITIVE
from data.synthetic.vocabulary import Words

Rows = tuple[tuple[CellValue, tuple[Datum | None, ...]], ...]
LABELS = ("age", "country", "city", "sex", "department", "product", "year", "company")


@dataclass(frozen=True, slots=True)
class Section:
    """A group heading and its rows: a label and the data of every column."""

    title: str
    rows: Rows


def draw_sections(rng: Random, words: Words, width: int, count: int) -> list[Section]:
    """Sections with figures of one measure each; or the parts of a whole, and the whole before or after them."""
    if count > 1 and rng.random() < 0.2:
        return _whole_and_parts(rng, words, width, count)
    same = draw_labels(rng, words) if rng.random() < 0.6 else []
    share = rng.choice((0.0, 0.0, 0.1))
    titles = (
        [rng.choice(words.lists["whole_groups"][:2])]
        if count == 1 and rng.random() < 0.6
        else draw_titles(rng, words, count)
    )
    measures = [draw_measure(rng, words, ADDITIVE)[1] for _ in titles]
    return [
        Section(title, _figures(rng, same or draw_labels(rng, words), width, measure, share))
        for title, measure in zip(titles, measures, strict=True)
    ]


def _figures(rng: Random, labels: list[CellValue], width: int, measure: Measure, share: float) -> Rows:
    """Rows of figures under these labels, some missing."""
    marks = ("", "-", "..", "n/a")
    return tuple((text, holes(rng, [figure(rng, measure) for _ in range(width)], share, marks)) for text in labels)


def _whole_and_parts(rng: Random, words: Words, width: int, count: int) -> list[Section]:
    """The same rows for every part (men, women; ages) and for all of them together, which derive from the parts."""
    labels, measure = (
        draw_labels(rng, words, ("country", "city", "department", "year")),
        draw_measure(rng, words, ADDITIVE)[1],
    )
    titles = words.first(rng.choice(("sex", "ages")), max(2, count - 1))
    parts = [Section(title, _figures(rng, labels, width, measure, 0.0)) for title in titles]
    sums = []
    for i, label in enumerate(labels):
        columns = zip(*(part.rows[i][1] for part in parts), strict=True)
        totals = [
            round(sum(float(d.value) for d in column if d and isinstance(d.value, int | float)), 4)
            for column in columns
        ]
        sums.append((label, tuple(Datum(total, measure.number_format, Role.AGGREGATION) for total in totals)))
    whole = Section(words.one(rng, "whole_groups"), tuple(sums))
    return [whole, *parts] if rng.random() < 0.8 else [*parts, whole]


def draw_labels(rng: Random, words: Words, kinds: Sequence[str] = LABELS) -> list[CellValue]:
    """Two to nine labels of one kind."""
    return flat_axis(rng, words, rng.choice(kinds), rng.randint(2, 9))[1]


def draw_titles(rng: Random, words: Words, count: int) -> list[str]:
    """Different group headings."""
    pool = words.lists["group_names"]
    if rng.random() < 0.35:
        pool = tuple(group for tree in words.trees.values() for group in tree)
    return rng.sample(pool, min(count, len(pool)))


def section_entries(
    rng: Random, words: Words, section: Section, indent: int, total: str, gap: int, across: int = 1
) -> list[Entry]:
    """The heading alone in its row (unless its title is empty), its rows, perhaps their sum."""
    heading = Label(section.title, 2, across=across)
    entries = [Entry((heading,), kind="group", closes=True, gap=gap)] if section.title else []
    entries += [Entry((Label(label, indent=indent),), data) for label, data in section.rows]
    numbers = [
        [d.value if d else None for d in column] for column in zip(*(data for _, data in section.rows), strict=True)
    ]
    if total and all(isinstance(value, int | float) for column in numbers for value in column):
        formulas, first = rng.random() < 0.4, rng.random() < 0.3
        formats = [d.number_format if d else "General" for d in section.rows[0][1]]
        values = [round(sum(v for v in column if isinstance(v, int | float)), 2) for column in numbers]
        reach = _rows_beside(len(section.rows), first) if formulas else None
        data = tuple(Datum(v, f, Role.AGGREGATION, reach) for v, f in zip(values, formats, strict=True))
        line = Entry((Label(total, indent=indent),), data, kind="total")
        entries.insert(1 if first and section.title else 0 if first else len(entries), line)
    return entries


def _rows_beside(count: int, below: bool) -> Formula:
    if below:
        return lambda row, col: f"=SUM({a1(row + 1, col)}:{a1(row + count, col)})"
    return lambda row, col: f"=SUM({a1(row - count, col)}:{a1(row - 1, col)})"
