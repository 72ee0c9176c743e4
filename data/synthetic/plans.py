"""The family of work plans and check lists: stages at the left, numbered items, columns of text or to fill in."""

from __future__ import annotations

from random import Random

from cellroles.sheet import Role
from data.synthetic.blocks import Datum, Entry, Head, HeadLine, Label, close, write_entries, write_head
from data.synthetic.comparisons import corner, front
from data.synthetic.details import date, holes
from data.synthetic.frame import note_lines
from data.synthetic.grid import Canvas
from data.synthetic.restyle import restyled
from data.synthetic.styles import Look
from data.synthetic.vocabulary import Words

COLUMNS = {
    "title": "texts",
    "description": "long_notes",
    "status": "status",
    "name": "person",
    "date": "date",
    "department": "departments",
    "answer": "boxes",
    "active": "yes_no",
    "points": "points",
    "value": "nothing",
}


def _cell(rng: Random, words: Words, kind: str) -> Datum | None:
    """What stands in a column of a kind; `nothing` is left for the reader to fill in."""
    if kind == "nothing":
        return None
    if kind == "person":
        return Datum(words.person(rng))
    if kind == "date":
        return date(rng)
    if kind == "points":
        return Datum(rng.randint(0, 20))
    if kind == "boxes":
        chosen = rng.randrange(2)
        marks = [f"{'■' if k == chosen else '□'} {text}" for k, text in enumerate(words.lists["yes_no"][:2])]
        return Datum(" ".join(marks))
    return Datum(words.one(rng, kind))


@restyled
def work_plan(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """Stages (outer stub, mostly merged down), items with a number or without, and columns of text beside them."""
    kinds = rng.sample(list(COLUMNS), rng.randint(1, 6))
    width, numbered, staged = len(kinds), rng.random() < 0.5, rng.random() < 0.75
    stubs, fill = 1 + numbered + staged, rng.choice(("merged", "merged", "first", "repeated"))
    top = front(rng, words, look, canvas, stubs + width, 0.6)
    lines = [HeadLine(tuple(Head(j, words.names[kind]) for j, kind in enumerate(kinds)))]
    if width > 2 and rng.random() < 0.25:
        cut = rng.randint(1, width - 1)
        outer = words.some(rng, "sections", 2)
        spans = (Head(0, outer[0], cut), Head(cut, outer[1], width - cut))
        lines.insert(0, HeadLine(spans, Role.COL_HEADER_2, rng.random() < 0.7))
    row, heads = write_head(canvas, look, (top, stubs), lines, width)
    names = [words.names["category"]] * staged + [words.names["number"]] * numbered + [words.names["activity"]]
    for stub, text in enumerate(names):
        corner(rng, look, canvas, (top, row), stub, text if rng.random() < 0.8 else "")
    pool = [*words.lists["duties"], *words.lists["texts"], *words.lists["features"]]
    rng.shuffle(pool)
    entries: list[Entry] = []
    number, dotted = 0, rng.random() < 0.4
    for place, stage in enumerate(rng.sample(words.lists["blocks"], rng.randint(1, 5)), 1):
        items = pool[number : number + rng.randint(1, 5)]
        for k, item in enumerate(items, 1):
            number += 1
            down = len(items) if fill == "merged" else 1
            outer_label = (Label(stage, 2, down=down),) if staged and (k == 1 or fill == "repeated") else ()
            own = (Label(f"{place}.{k}" if dotted else number, column=int(staged)),) if numbered else ()
            data = holes(rng, [_cell(rng, words, COLUMNS[kind]) for kind in kinds], 0.08, ("", "", "/"))
            labels = (*outer_label, *own, Label(item, column=stubs - 1))
            entries.append(Entry(labels, data, closes=staged and k == 1))
    bottom = write_entries(canvas, look, (row, 0), entries, heads, stubs)
    close(canvas, (top, 0), bottom, stubs + width)
    note_lines(rng, words, look, canvas, chance=0.3)
