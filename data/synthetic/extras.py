"""Families that bring the rare roles and the odd shapes: junk, notes, surveys, flags, two languages."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from cellroles.sheet import Region, Role
from data.synthetic.axes import Node, draw_measure, scale_measure
from data.synthetic.draws import flat_axis, measure_columns, nodes, with_total, years
from data.synthetic.flat import name_field
from data.synthetic.frame import make_title, note_lines, title_lines
from data.synthetic.grid import Canvas
from data.synthetic.nested import ADDITIVE, random_layout
from data.synthetic.records import attributes, write_records
from data.synthetic.styles import Look
from data.synthetic.table import TableWriter
from data.synthetic.vocabulary import Words
from data.synthetic.vocabulary import words as vocabulary


def junk(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """Links, rules of dashes and placeholders around and beside a list."""
    row = 0
    if rng.random() < 0.6:
        canvas.links[canvas.put(row, 0, words.one(rng, "links"), Role.JUNK, look.note)] = "#Contents!A1"
        row += 1
    canvas.title = words.one(rng, "texts")
    canvas.put(row, 0, canvas.title, Role.HEADER, look.title)
    row += 1
    mark, width = words.one(rng, "junk"), rng.randint(3, 6)
    if rng.random() < 0.6:
        for col in range(width if rng.random() < 0.5 else 1):
            canvas.put(row, col, mark, Role.JUNK, look.plain)
        row += 1
    count = rng.randint(3, 15)
    fields = [name_field(rng, words, count), *attributes(rng, words, width - 1, count)]
    region = write_records(canvas, look, (row, 0), fields)
    row = region.bottom
    if rng.random() < 0.6:
        for col in range(width):
            canvas.put(row, col, mark, Role.JUNK, look.plain)
    if rng.random() < 0.4:
        canvas.put(
            rng.randint(region.top, region.bottom),
            region.right + rng.randint(1, 4),
            rng.choice((".", "x", mark)),
            Role.JUNK,
            look.plain,
        )
    if rng.random() < 0.5:
        canvas.put(canvas.bottom + 1, 0, words.one(rng, "links"), Role.JUNK, look.note)
    note_lines(rng, words, look, canvas, chance=0.3)


def notes_heavy(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """Long notes above and below a small table."""
    canvas.title = words.one(rng, "texts")
    canvas.put(0, 0, canvas.title, Role.HEADER, look.title)
    row = 1
    above = [
        words.one(rng, "releases"),
        *rng.sample(words.lists["long_notes"], rng.choice((1, 2))),
        *words.some(rng, "notes", rng.randint(0, 4)),
    ]
    for text in above:
        canvas.put(row, 0, text, Role.METADATA, look.note)
        row += rng.choice((1, 1, 2))
    row += rng.choice((0, 1))
    name, labels = flat_axis(rng, words, rng.choice(("year", "age", "country")), rng.randint(3, 10))
    columns, rows = measure_columns(rng, words, rng.randint(2, 4)), nodes(labels)
    layout = random_layout(rng, (name,), gap=0)
    TableWriter(canvas, look, (row, 0), layout).place(rng, rows, columns, draw_measure(rng, words)[1])
    row = canvas.bottom + rng.choice((1, 2))
    if rng.random() < 0.5:
        canvas.put(
            row, 0, rng.choice(words.lists["note_heads"]), Role.METADATA, replace(look.note, bold=look.title_bold)
        )
        row += 1
    for text in [*words.some(rng, "notes", rng.randint(3, 9)), words.one(rng, "long_notes"), words.one(rng, "sources")]:
        canvas.put(row, 0, text, Role.METADATA, look.note)
        row += 1


def notes_only(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """A sheet of text: title, section titles, paragraphs, disclaimers."""
    canvas.title = words.one(rng, "texts")
    canvas.put(0, 0, canvas.title, Role.HEADER, look.title)
    row = 2
    for section in words.some(rng, "sections", rng.randint(1, 3)):
        canvas.put(row, 0, section, Role.HEADER, look.caption)
        row += 1
        for text in [*rng.sample(words.lists["long_notes"], 1), *words.some(rng, "notes", rng.randint(1, 5))]:
            canvas.put(row, 0, text, Role.METADATA, look.note)
            row += 1
        row += rng.choice((0, 1))
    for text in (words.one(rng, "disclaimers"), words.one(rng, "releases"))[: rng.randint(0, 2)]:
        canvas.put(row, 0, text, Role.METADATA, look.note)
        row += 1


def survey(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """A question as title, answers down in per cent, groups across, bases below or above."""
    question = words.one(rng, "questions")
    canvas.title = question
    canvas.put(0, 0, question, Role.HEADER, look.title)
    row = 1
    if rng.random() < 0.5:
        canvas.put(row, 0, words.one(rng, "bases"), Role.METADATA, look.note)
        row += 1
    row += rng.choice((0, 1))
    fraction = scale_measure(rng, rng.choice(("percent", "fraction")))
    answers = nodes(words.first("answers", rng.randint(3, 6)))
    groups: list[Node] = []
    for kind in rng.sample(["sex", "age", "region"], rng.choice((1, 2))):
        name, labels = flat_axis(rng, words, kind, rng.randint(2, 4))
        groups.append(Node(name, nodes(labels)))
    columns = tuple(groups) if rng.random() < 0.6 else tuple(child for group in groups for child in group.children)
    base = Node(words.one(rng, "bases"), measure=scale_measure(rng, "count"))
    rows = (*answers, base) if rng.random() < 0.6 else answers
    layout = random_layout(rng, (words.names["answer"],))
    TableWriter(canvas, look, (row, 0), layout).place(rng, rows, columns, fraction)
    note_lines(rng, words, look, canvas)


def flags(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """Every figure has a narrow column for a flag (revised, provisional) on its right: metadata."""
    name, labels = flat_axis(rng, words, rng.choice(("country", "city", "product", "department")), rng.randint(4, 20))
    span = years(rng, rng.randint(2, 6))
    label, measure = draw_measure(rng, words)
    top = title_lines(rng, words, look, canvas, make_title(rng, words, label, name, words.names["year"]), 2 * len(span))
    canvas.put(top, 0, name, Role.COL_HEADER_1, look.header)
    at, dense = [], rng.uniform(0.1, 0.6)
    for k, year in enumerate(span):
        at.append(canvas.put(top, 1 + 2 * k, year, Role.COL_HEADER_1, look.header))
    if rng.random() < 0.5:
        for _, col in at:
            canvas.merge(top, col, top + 1, col + 2)
    marks = rng.choice((("r", "p"), ("(r)", "(p)", "(e)"), ("*", "**"), ("b", "e", "p", "u")))
    for i, text in enumerate(labels, 1):
        key = canvas.put(top + i, 0, text, Role.ROW_HEADER_1, look.label(0, i))
        style = look.value(measure.number_format, i)
        for head in at:
            value = round(rng.lognormvariate(measure.location, 0.5), measure.decimals)
            canvas.figure((top + i, head[1]), value, Role.VALUE, style, (head,), (key,))
            if rng.random() < dense:
                canvas.put(top + i, head[1] + 1, rng.choice(marks), Role.METADATA, look.value("General", i))
    canvas.tables.append(Region(top, 0, top + 1 + len(labels), 1 + max(col for row, col in canvas.cells if row > top)))
    note_lines(rng, words, look, canvas)


def two_languages(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """Labels in two languages: two lines of column names, a stub on either side (or both at the left)."""
    other = vocabulary("en" if words.language != "en" else rng.choice(("fr", "de", "es")))
    kind = rng.choice(("sex", "ages", "months", "quarters"))
    count = min(len(words.lists[kind]), len(other.lists[kind]), rng.randint(2, 12))
    size = min(len(words.lists["parts"]), len(other.lists["parts"]), rng.randint(2, 5))
    measure = draw_measure(rng, words, ADDITIVE)[1]
    row = 0
    for language in (words, other):
        canvas.put(row, 0, language.one(rng, "texts"), Role.HEADER, look.title)
        row += 1
    canvas.title = str(canvas.cells[0, 0].value)
    row += rng.choice((0, 1))
    at_right = rng.random() < 0.5
    first = 1 if at_right else 2
    heads = []
    for j in range(size):
        lines = [
            canvas.put(row + k, first + j, language.lists["parts"][j], Role.COL_HEADER_1, look.header)
            for k, language in enumerate((words, other))
        ]
        heads.append(tuple(lines))
    stubs = (0, first + size) if at_right else (0, 1)
    for i in range(count):
        key = tuple(
            canvas.put(row + 2 + i, col, language.lists[kind][i], Role.ROW_HEADER_1, look.label(0, i))
            for col, language in zip(stubs, (words, other), strict=True)
        )
        for j, head in enumerate(heads):
            value = round(rng.lognormvariate(measure.location, 0.6), measure.decimals)
            style = look.value(measure.number_format, i)
            canvas.figure((row + 2 + i, first + j), value, Role.VALUE, style, head, key)
    canvas.tables.append(Region(row, 0, row + 2 + count, first + size + at_right))
    for language in (words, other):
        if rng.random() < 0.5:
            canvas.put(canvas.bottom, 0, language.one(rng, "sources"), Role.METADATA, look.note)


def elections(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """Votes by district and candidate, with totals and typed shares beside them."""
    people = tuple(words.person(rng) for _ in range(rng.randint(2, 5)))
    people = tuple(dict.fromkeys(people))
    name, labels = words.names["district"], words.some(rng, "cities", rng.randint(4, 16))
    votes, share = Node(words.names["votes"]), Node(words.one(rng, "share"), derived="share")
    measure = replace(scale_measure(rng, "count"), location=rng.uniform(4, 8))
    columns: tuple[Node, ...] = tuple(Node(person, (votes, share)) for person in people)
    if rng.random() < 0.5:
        columns = with_total(rng, words, nodes(people))
    rows = with_total(rng, words, nodes(labels), rng.choice(("total", "grand_total")))
    top = title_lines(
        rng, words, look, canvas, make_title(rng, words, words.names["votes"], name, words.names["candidate"]), 5
    )
    TableWriter(canvas, look, (top, 0), random_layout(rng, (name,))).place(rng, rows, columns, measure)
    note_lines(rng, words, look, canvas)
