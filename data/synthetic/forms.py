"""Families of forms and single records: keys and contents, sections, parameters with units, schedules, contents."""

from __future__ import annotations

from random import Random

from cellroles.sheet import Region, Role
from data.synthetic.frame import note_lines, title_lines
from data.synthetic.grid import Canvas, CellValue
from data.synthetic.records import Field, attribute, attributes, names, write_records
from data.synthetic.restyle import restyled
from data.synthetic.styles import Look
from data.synthetic.vocabulary import Words


def content(rng: Random, words: Words, kind: str) -> tuple[CellValue | None, str]:
    """What stands behind a form's key of a kind, and its number format; None = left empty."""
    if rng.random() < 0.1:
        return None, "General"
    made: dict[str, CellValue] = {
        "person": words.person(rng),
        "address": f"{words.one(rng, 'cities')} {rng.randint(1, 140)}",
        "phone": f"+{rng.randint(1, 99)} {rng.randint(100, 999)} {rng.randint(10000, 999999)}",
        "version": f"{rng.randint(0, 4)}.{rng.randint(0, 9)}",
        "weight": round(rng.uniform(0.2, 900), 1),
        "account": rng.randint(10**7, 10**9),
        "text": words.one(rng, "texts"),
    }
    if kind in made:
        return made[kind], "General"
    field = attribute(rng, words, kind, 1)
    return field.values[0], field.number_format


@restyled
def form(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """Keys with their contents on the right, under section titles; one or two pairs a row."""
    row = title_lines(rng, words, look, canvas, words.one(rng, "texts"), 4)
    pairs, step = rng.choice((1, 1, 2)), rng.choice((2, 2, 3))
    stride = max(step, 3)
    colon = rng.choice((":", "", " :"))
    style = look.label() if rng.random() < 0.5 else look.header
    keys = [*words.lists["form_keys"]]
    rng.shuffle(keys)
    for _ in range(rng.randint(1, 4)):
        top = row
        if rng.random() < 0.7:
            canvas.put(row, 0, words.one(rng, "sections"), Role.HEADER, look.caption)
            row += 1 + (rng.random() < 0.2)
        first = row
        for _ in range(rng.randint(2, 7)):
            for pair in range(pairs):
                if not keys:
                    break
                left = pair * stride
                kind, text = keys.pop().split(":", 1)
                key = canvas.put(row, left, text + colon, Role.ROW_HEADER_1, style)
                value, number_format = content(rng, words, kind)
                if value is not None:
                    canvas.figure((row, left + step - 1), value, Role.VALUE, look.value(number_format), (), (key,))
            row += 1
        if any(first <= r < row for r, _ in canvas.cells):
            canvas.tables.append(Region(top, 0, row, stride * (pairs - 1) + step))
        row += rng.choice((0, 1, 1, 2))
        if rng.random() < 0.1:
            canvas.put(row, 0, words.one(rng, "junk"), Role.JUNK, look.plain)
            row += 1
    note_lines(rng, words, look, canvas, chance=0.4)


@restyled
def settings(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """Parameters with value and unit, under a header row or none."""
    count = rng.randint(4, 12)
    labels = names(rng, words, "parameters", count)
    figures = tuple(
        rng.choice((round(rng.uniform(0, 1), 3), rng.randint(1, 500), round(rng.lognormvariate(4, 2), 1)))
        for _ in labels
    )
    fields = [
        Field(words.names["parameter"], labels, Role.ROW_HEADER_1),
        Field(words.names["value"], figures),
        Field(words.names["unit"], tuple(words.one(rng, "units") for _ in labels)),
    ]
    if rng.random() < 0.3:
        fields[1:] = fields[:0:-1]
    if rng.random() < 0.4:
        fields += attributes(rng, words, 1, count, ("description",))
    top = title_lines(rng, words, look, canvas, words.one(rng, "texts"), 3)
    write_records(canvas, look, (top, 0), fields, header=rng.random() < 0.75)
    note_lines(rng, words, look, canvas, chance=0.4)


@restyled
def schedule(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """A timetable: times or rooms down, weekdays or months across, activities inside."""
    top = title_lines(rng, words, look, canvas, words.one(rng, "texts"), 6)
    days = words.first(rng.choice(("weekdays", "weekdays", "short_months")), rng.choice((5, 6, 7)))
    start, step = rng.choice((7, 8, 9)), rng.choice((1, 1, 2))
    hours = [f"{start + step * k}:00-{start + step * (k + 1)}:00" for k in range(rng.randint(4, 7))]
    rows = hours if rng.random() < 0.6 else [str(name) for name in names(rng, words, "person", rng.randint(3, 8))]
    if rng.random() < 0.6:
        canvas.put(top, 0, words.names["time" if rows is hours else "name"], Role.COL_HEADER_1, look.header)
    heads = [canvas.put(top, 1 + k, day, Role.COL_HEADER_1, look.header) for k, day in enumerate(days)]
    for i, label in enumerate(rows, 1):
        key = canvas.put(top + i, 0, label, Role.ROW_HEADER_1, look.label(0, i))
        for head in heads:
            if rng.random() < 0.7:
                text = words.one(rng, "activities")
                canvas.figure((top + i, head[1]), text, Role.VALUE, look.value("General", i), (head,), (key,))
    canvas.tables.append(Region(top, 0, top + 1 + len(rows), 1 + len(days)))
    note_lines(rng, words, look, canvas, chance=0.4)


@restyled
def contents(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """A sheet that lists the other sheets: number and title, perhaps a page or sheet name."""
    canvas.title = words.one(rng, "contents")
    canvas.put(0, 0, canvas.title, Role.HEADER, look.title)
    count, prefix = rng.randint(4, 20), rng.choice(("Table ", "T", "", "1."))
    labels: tuple[CellValue, ...] = tuple(f"{prefix}{k}" if prefix else k for k in range(1, count + 1))
    titles = names(rng, words, "texts", count)
    fields = [Field(words.names["number"], labels, Role.ROW_HEADER_1), Field(words.names["title"], titles)]
    if rng.random() < 0.4:
        fields.append(Field(words.names["page"], tuple(3 * k + 1 for k in range(count))))
    top = rng.choice((1, 2, 3))
    region = write_records(canvas, look, (top, 0), fields, header=rng.random() < 0.4)
    if rng.random() < 0.5:
        for row in range(region.bottom - count, region.bottom):
            canvas.links[row, 0] = f"#'{labels[row - region.bottom]}'!A1"
    note_lines(rng, words, look, canvas, chance=0.4)
