"""The family of rate grids: numbers down and across, a computed or typed figure where they cross."""

from __future__ import annotations

from itertools import accumulate
from random import Random

from cellroles.sheet import Role, a1
from data.synthetic.blocks import Datum, Entry, Formula, Head, HeadLine, Label, close, write_entries, write_head
from data.synthetic.comparisons import corner, front
from data.synthetic.frame import note_lines
from data.synthetic.grid import Canvas
from data.synthetic.restyle import restyled
from data.synthetic.styles import Look
from data.synthetic.vocabulary import Words

STEPS = (
    ("General", 1),
    ("General", 10),
    ("0%", 0.05),
    ("0.0%", 0.005),
    ("#,##0", 500),
    ('"$"#,##0', 1000),
    ("0.00", 0.25),
)


def _axis(rng: Random, count: int) -> tuple[list[float], str]:
    """Rising numbers, evenly spaced or not, and their number format."""
    number_format, step = rng.choice(STEPS)
    even = rng.random() < 0.7
    steps = [step * (1 if even else rng.randint(1, 4)) for _ in range(count)]
    return [round(number, 4) for number in accumulate(steps, initial=step * rng.randint(0, 5))][1:], number_format


def _product(top: int, left: int) -> Formula:
    return lambda row, col: f"=${a1(row, left)}*{a1(top, col)}"


@restyled
def rate_grid(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """Numbers name the rows and the columns; an outer label may stand over the columns and left of the rows."""
    (across, shown), (down, shown_down) = _axis(rng, rng.randint(2, 12)), _axis(rng, rng.randint(2, 20))
    width, computed = len(across), rng.random() < 0.5
    top = front(rng, words, look, canvas, width + 1, 0.6)
    names = words.some(rng, "inputs", 2)
    lines = [HeadLine(tuple(Head(j, number, 1, shown) for j, number in enumerate(across)))]
    titled, side = rng.random() < 0.5, rng.random() < 0.25
    if titled:
        lines.insert(0, HeadLine((Head(0, names[0], width),), Role.COL_HEADER_2, rng.random() < 0.7))
    stubs = 1 + side
    row, heads = write_head(canvas, look, (top, stubs), lines, width)
    corner(rng, look, canvas, (top, row), stubs - 1, names[1] if rng.random() < 0.5 and not side else "")
    product, places, figures = _product(row - 1, stubs - 1), rng.choice((0, 1, 2)), rng.choice(("General", "#,##0.00"))
    entries = []
    for k, number in enumerate(down):
        data = [
            Datum(round(number * other, 6), figures, Role.AGGREGATION, product)
            if computed
            else Datum(round(rng.uniform(1, 10) * (k + 1) ** 0.5 * (j + 1), places), figures)
            for j, other in enumerate(across)
        ]
        outer = (Label(names[1], 2, down=len(down) if side else 1),) if side and k == 0 else ()
        entries.append(Entry((*outer, Label(number, column=stubs - 1, number_format=shown_down)), tuple(data)))
    bottom = write_entries(canvas, look, (row, 0), entries, heads, stubs)
    close(canvas, (top, 0), bottom, stubs + width)
    note_lines(rng, words, look, canvas, chance=0.3)
