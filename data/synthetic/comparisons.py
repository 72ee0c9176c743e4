"""Families of tables whose body is text right below the header: comparisons, features, duties, audits."""

from __future__ import annotations

from random import Random

from cellroles.sheet import Role
from data.synthetic.blocks import Datum, Entry, Head, HeadLine, Label, close, write_entries, write_head
from data.synthetic.details import holes, spec, yes_no
from data.synthetic.frame import note_lines, title_lines
from data.synthetic.grid import Canvas
from data.synthetic.records import names
from data.synthetic.restyle import restyled
from data.synthetic.styles import Look
from data.synthetic.vocabulary import Words

Attribute = tuple[str, str]


def draw_specs(rng: Random, words: Words, groups: int) -> list[tuple[str, list[Attribute]]]:
    """Groups of attributes: (group, [(attribute, code of its content)])."""
    drawn = []
    for text in words.some(rng, "specs", groups):
        group, items = text.split(">")
        pairs = [(name, code) for name, code in (item.split("=", 1) for item in items.split("|"))]
        drawn.append((group, pairs[: rng.randint(1, len(pairs))] if rng.random() < 0.4 else pairs))
    return drawn


def front(rng: Random, words: Words, look: Look, canvas: Canvas, width: int, chance: float = 0.5) -> int:
    """Perhaps a title; the first row of the table."""
    if rng.random() > chance:
        return 0
    return title_lines(rng, words, look, canvas, words.one(rng, rng.choice(("texts", "subtitles"))), width)


def corner(rng: Random, look: Look, canvas: Canvas, rows: tuple[int, int], left: int, text: str) -> None:
    """The name of a stub column in header rows [first, last): at the top, at the bottom or merged down."""
    if not text or rows[0] >= rows[1]:
        return
    tall = rng.random() < 0.4
    row = rows[0] if tall or rng.random() < 0.4 else rows[1] - 1
    canvas.put(row, left, text, Role.COL_HEADER_1, look.header)
    if tall:
        canvas.merge(rows[0], left, rows[1], left + 1)


def item_lines(rng: Random, words: Words, count: int) -> list[HeadLine]:
    """Items across, mostly in one line; sometimes under their makers, sometimes with a number line below the names."""
    labels = [Head(j, str(name)) for j, name in enumerate(names(rng, words, "models", count))]
    lines = [HeadLine(tuple(labels))]
    kind = rng.random()
    if kind < 0.15 and count > 2:
        cuts = [0, rng.randint(1, count - 1), count]
        makers = words.some(rng, "makers", 2)
        spans = tuple(Head(cuts[k], maker, cuts[k + 1] - cuts[k]) for k, maker in enumerate(makers))
        lines.insert(0, HeadLine(spans, Role.COL_HEADER_2, merged=rng.random() < 0.7))
    elif kind < 0.25:
        codes = tuple(Head(j, rng.choice(("v1.", "Mk ", "#", "Rev. ")) + str(j + 1)) for j in range(count))
        lines.append(HeadLine(codes))
    return lines


@restyled
def comparison(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """Attributes down the first column, items across, text inside; group rows alone in their row, or none."""
    count = rng.choice((2, 2, 3, 3, 4, 5, 6, 8, 12))
    top = front(rng, words, look, canvas, count + 1)
    row, heads = write_head(canvas, look, (top, 1), item_lines(rng, words, count), count)
    text = words.names[rng.choice(("category", "parameter", "title", "product"))]
    corner(rng, look, canvas, (top, row), 0, text if rng.random() < 0.6 else "")
    grouped, indent = rng.random() < 0.65, rng.choice((0, 0, 1))
    share, gap = rng.choice((0.0, 0.05, 0.2)), int(rng.random() < 0.15)
    across = count + 1 if rng.random() < 0.3 else 1
    entries: list[Entry] = []
    for group, attributes in draw_specs(rng, words, rng.randint(1, 7)):
        if grouped and (entries or rng.random() < 0.8):
            entries.append(
                Entry((Label(group, 2, across=across),), kind="group", gap=gap if entries else 0, closes=True)
            )
        for name, code in attributes:
            content = holes(rng, spec(rng, words, code, count), share, ("", "-", "n/a", "—"))
            label = Label(name, indent=indent if grouped else 0)
            entries.append(Entry((label,), content))
    bottom = write_entries(canvas, look, (row, 0), entries, heads)
    close(canvas, (top, 0), bottom, count + 1)
    note_lines(rng, words, look, canvas, chance=0.4)


@restyled
def comparison_stubs(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """A comparison with the group in the first column and the attribute in the second; some have no second label."""
    count = rng.choice((1, 2, 3, 4, 6))
    top = front(rng, words, look, canvas, count + 2)
    row, heads = write_head(canvas, look, (top, 2), item_lines(rng, words, count), count)
    if rng.random() < 0.5:
        corner(rng, look, canvas, (top, row), 0, words.names["category"])
        corner(rng, look, canvas, (top, row), 1, words.names["parameter"])
    fill, share = rng.choice(("first", "merged", "repeated")), rng.choice((0.0, 0.1))
    entries: list[Entry] = []
    for group, attributes in draw_specs(rng, words, rng.randint(2, 7)):
        if rng.random() < 0.3:
            content = holes(rng, spec(rng, words, attributes[0][1], count), share, ("", "-"))
            across = 2 if rng.random() < 0.3 else 1
            entries.append(Entry((Label(group, across=across),), content, closes=True))
            continue
        for k, (name, code) in enumerate(attributes):
            content = holes(rng, spec(rng, words, code, count), share, ("", "-", "n/a"))
            down = len(attributes) if fill == "merged" else 1
            outer = (Label(group, 2, down=down),) if k == 0 or fill == "repeated" else ()
            entries.append(Entry((*outer, Label(name, column=1)), content, closes=k == 0))
    bottom = write_entries(canvas, look, (row, 0), entries, heads, stubs=2)
    close(canvas, (top, 0), bottom, count + 2)
    note_lines(rng, words, look, canvas, chance=0.4)


@restyled
def features(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """Features down, plans or persons across, yes, no, grades or letters of responsibility inside."""
    duties = rng.random() < 0.45
    count = rng.randint(2, 9)
    kind = rng.choice(("jobs", "departments", "person")) if duties else rng.choice(("models", "companies", "products"))
    columns = names(rng, words, kind, count)
    pool = [*words.lists["duties" if duties else "features"]]
    rng.shuffle(pool)
    rows = pool[: rng.randint(3, len(pool))]
    yes, no = yes_no(rng, words)
    marks = [("R", "A", "C", "I", "R/A"), (yes, no), (yes, no), words.lists["grades"], ("1", "2", "3")]
    chosen = marks[0] if duties and rng.random() < 0.6 else rng.choice(marks[1:])
    share = rng.choice((0.0, 0.2, 0.5))
    top = front(rng, words, look, canvas, count + 1)
    lines = [HeadLine(tuple(Head(j, name) for j, name in enumerate(columns)))]
    if rng.random() < 0.15:
        lines.insert(0, HeadLine((Head(0, words.one(rng, "sections"), count),), Role.COL_HEADER_2))
    numbered = rng.random() < 0.3
    stubs = 1 + numbered
    row, heads = write_head(canvas, look, (top, stubs), lines, count)
    if numbered:
        corner(rng, look, canvas, (top, row), 0, words.names["number"])
    corner(rng, look, canvas, (top, row), stubs - 1, words.names["activity"] if rng.random() < 0.7 else "")
    entries: list[Entry] = []
    for i, text in enumerate(rows):
        if rng.random() < 0.12:
            entries.append(Entry((Label(words.one(rng, "sections"), 2),), kind="group", closes=True))
        drawn = [rng.choice(chosen) for _ in range(count)]
        content = holes(rng, [Datum(mark) if mark else None for mark in drawn], share, ("", "-"))
        label = Label(text, column=stubs - 1)
        entries.append(Entry((Label(i + 1), label) if numbered else (label,), content))
    bottom = write_entries(canvas, look, (row, 0), entries, heads, stubs)
    close(canvas, (top, 0), bottom, stubs + count)
    note_lines(rng, words, look, canvas, chance=0.4)


@restyled
def pairs_of_words(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """Two to four columns of short words under one header row: dictionaries, codes and meanings, who does what."""
    count = rng.randint(3, 40)
    kinds = rng.sample(("products", "cities", "features", "duties", "jobs", "rooms", "answers"), rng.randint(2, 4))
    title = {"products": "product", "cities": "city", "jobs": "job", "answers": "answer", "duties": "activity"}
    heads = [words.names[title.get(kind, rng.choice(("title", "description", "value")))] for kind in kinds]
    if len(set(heads)) < len(heads):
        heads = [f"{head} {k}" for k, head in enumerate(heads, 1)]
    top = front(rng, words, look, canvas, len(kinds), 0.3)
    line = HeadLine(tuple(Head(j, text) for j, text in enumerate(heads[1:])))
    row, paths = write_head(canvas, look, (top, 1), [line], len(kinds) - 1)
    canvas.put(top, 0, heads[0], Role.COL_HEADER_1, look.header)
    keys = names(rng, words, kinds[0], count)
    entries = []
    for key in keys:
        content = [Datum(words.one(rng, kind)) for kind in kinds[1:]]
        entries.append(Entry((Label(key),), holes(rng, content, 0.05, ("",))))
    bottom = write_entries(canvas, look, (row, 0), entries, paths)
    close(canvas, (top, 0), bottom, len(kinds))
    note_lines(rng, words, look, canvas, chance=0.2)
