"""Families of exports: database tables, one-hot columns, survey responses, logs."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from random import Random

from cellroles.sheet import Role
from data.synthetic.columns import column, columns, repeated
from data.synthetic.grid import Canvas, CellValue
from data.synthetic.identifying import codes, key_column
from data.synthetic.lists import list_rows, list_width, place_list
from data.synthetic.records import Field
from data.synthetic.styles import Look
from data.synthetic.vocabulary import Words

LEVELS = ("INFO", "WARN", "ERROR", "DEBUG", "info", "warning")


def plainly(rng: Random, look: Look) -> Look:
    """Mostly no styles at all, as exports have none; else the look of the sheet."""
    return Look(size=look.size) if rng.random() < 0.6 else look


def _ids(rng: Random, rows: int) -> tuple[CellValue, ...]:
    """Numbers from 1 or 0, scattered numbers, codes, or hexadecimal ids."""
    how = rng.choice(("run", "run", "zero", "scattered", "code", "hex"))
    if how == "scattered":
        return tuple(sorted(rng.sample(range(1, 90000), rows)))
    if how == "hex":
        return tuple(f"{rng.getrandbits(32):08x}-{rng.getrandbits(16):04x}" for _ in range(rows))
    return codes(rng, rows) if how == "code" else tuple(range(how == "run", rows + (how == "run")))


def database_dump(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """A table of a database: its id first (or an index without a head), foreign keys and names are values."""
    rows = list_rows(rng)
    key = Field(words.one(rng, "database_keys"), _ids(rng, rows), Role.ROW_HEADER_1)
    if rng.random() < 0.15:
        key = Field("", tuple(range(rows)), Role.ROW_HEADER_1)
    fields = [key, *columns(rng, words, rng.randint(2, 19), rows, heads="database_fields")]
    place_list(rng, words, plainly(rng, look), canvas, fields, heads="plain", framed=0.08)


def link_table(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """Two foreign keys name a record: the sorted one is the outer."""
    outer = sorted(rng.sample(range(1, 400), rng.randint(2, 12)))
    pairs = [(a, b) for a in outer for b in sorted(rng.sample(range(1, 60), rng.randint(1, 6)))]
    heads = rng.sample(["user_id", "group_id", "order_id", "item_id", "course_id", "tag_id"], 2)
    roles = (Role.ROW_HEADER_2, Role.ROW_HEADER_1)
    keys = [Field(heads[k], tuple(pair[k] for pair in pairs), roles[k]) for k in (0, 1)]
    kinds = ("count", "money", "date", "flag", "level", "bit", "datetime", "grade")
    fields = [*keys, *columns(rng, words, rng.randint(1, 4), len(pairs), kinds, "database_fields")]
    place_list(rng, words, plainly(rng, look), canvas, fields, heads="plain", framed=0.05)


def one_hot(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """A name or id, and many columns that say yes or no."""
    rows, count = list_rows(rng), rng.randint(3, 16)
    kind = rng.choice(("bit", "bit", "flag", "yes_no", "mark", "grade"))
    pool = rng.choice(("activities", "categories", "countries", "products", "departments"))
    heads = words.some(rng, pool, count)
    prefix = rng.choice(("", "", "is_", f"{words.names['category']}_", f"{words.names['category']}: "))
    marks = [column(rng, words, kind, prefix + head, rows) for head in heads]
    lead = columns(rng, words, rng.choice((0, 0, 1, 2)), rows, ("category", "cities", "year", "person"))
    fields = [key_column(rng, words, rows), *lead, *marks]
    place_list(rng, words, look, canvas, fields, framed=0.2)


def _stamps(rng: Random, rows: int) -> Field:
    """Rising times, as dates or as text."""
    now, found = datetime(rng.randint(2009, 2023), rng.randint(1, 12), rng.randint(1, 28), 7), []
    pace = rng.choice((30, 900, 40000))
    for _ in range(rows):
        now += timedelta(seconds=rng.randint(1, pace))
        found.append(now)
    if rng.random() < 0.4:
        pattern = rng.choice(("%Y-%m-%d %H:%M:%S", "%m/%d/%Y %H:%M:%S", "%Y-%m-%dT%H:%M:%SZ", "%d.%m.%Y %H:%M"))
        return Field("", tuple(stamp.strftime(pattern) for stamp in found))
    shown = rng.choice(("m/d/yyyy h:mm:ss", "yyyy-mm-dd hh:mm:ss", "dd.mm.yyyy hh:mm"))
    return Field("", tuple(found), number_format=shown)


def responses(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """Answers to a questionnaire: a timestamp or a number of the respondent first, questions as heads."""
    rows = list_rows(rng)
    stamp = replace(_stamps(rng, rows), header=words.one(rng, "stamp_heads"))
    key: list[Field] = [replace(stamp, role=Role.ROW_HEADER_1)]
    if rng.random() < 0.3:
        ids = Field(rng.choice((words.names["id"], "Respondent", "resp_id")), _ids(rng, rows), Role.ROW_HEADER_1)
        key = [ids, stamp] if rng.random() < 0.6 else [ids]
    if rng.random() < 0.35:
        key.append(column(rng, words, rng.choice(("email", "person")), words.names["name"], rows))
    asked = [f"{text} [{k}]" if k else text for k in range(4) for text in words.lists["questions"]]
    kinds = ("answers", "answers", "yes_no", "grade", "long", "cities", "year", "level", "jobs")
    for head in rng.sample(asked, min(len(asked), rng.randint(2, 14))):
        kind = rng.choice(kinds)
        if kind == "answers":
            key.append(Field(head, repeated(rng, words.lists["answers"], rows)))
        else:
            key.append(column(rng, words, kind, head, rows))
    place_list(
        rng, words, plainly(rng, look), canvas, key, heads=rng.choice(("plain",) * 5 + ("numbered",)), framed=0.1
    )


def event_log(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """What happened when: times name the rows, messages, levels and sources are values."""
    rows = list_rows(rng)
    stamp = replace(_stamps(rng, rows), header=words.one(rng, "stamp_heads"), role=Role.ROW_HEADER_1)
    level = Field(rng.choice(("Level", words.names["status"])), tuple(rng.choices(LEVELS[:4], (6, 2, 1, 2), k=rows)))
    source = Field(words.names["name"], repeated(rng, ("kernel", "db-01", "gate 3", "pump", "web", "10.0.0.7"), rows))
    message = Field(words.names["description"], tuple(words.one(rng, "log_messages") for _ in range(rows)))
    middle = rng.sample([level, source], rng.randint(0, 2))
    fields = [stamp, *middle, message, *columns(rng, words, list_width(rng, 3) - 1, rows, ("count", "code", "person"))]
    heads = rng.choice(("plain", "plain", "plain", "none"))
    place_list(rng, words, plainly(rng, look), canvas, fields, heads=heads, framed=0.15)
