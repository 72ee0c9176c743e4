"""Families of lists that explain: numbered notes, terms and definitions, code lists, questions and answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from cellroles.sheet import Role
from data.synthetic.coined import named
from data.synthetic.columns import column, columns, repeated
from data.synthetic.grid import Canvas, CellValue
from data.synthetic.identifying import codes, serial_column
from data.synthetic.lists import list_rows, place_list
from data.synthetic.records import Field
from data.synthetic.styles import Look
from data.synthetic.vocabulary import Words


def _sentences(rng: Random, words: Words, rows: int, pools: Sequence[str]) -> tuple[CellValue, ...]:
    """A text of one to four sentences per row."""
    pool = [text for name in pools for text in words.lists[name]]
    return tuple(" ".join(rng.choices(pool, k=rng.choice((1, 1, 2, 4)))) for _ in range(rows))


def _short_list(rng: Random) -> int:
    return rng.choices((rng.randint(2, 6), rng.randint(6, 20), rng.randint(20, 45)), (0.45, 0.4, 0.15))[0]


def _numbers(rng: Random, rows: int) -> tuple[CellValue, ...]:
    """Running numbers, bare or marked: 1, (1), 1., 1), a, Note 1."""
    shape = rng.choice(("", "", "", "({})", "{}.", "{})", "N{}", "letter"))
    if shape == "letter" and rows < 27:
        return tuple(chr(97 + k) for k in range(rows))
    return tuple(shape.format(k) if "{" in shape else k for k in range(1, rows + 1))


def numbered_notes(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """Numbers that name texts; mostly only the texts have a head."""
    rows = _short_list(rng)
    number = Field(words.one(rng, "serial_heads"), _numbers(rng, rows), Role.ROW_HEADER_1)
    head = words.one(rng, rng.choice(("definition_heads", "note_heads", "definition_heads")))
    text = Field(head, _sentences(rng, words, rows, ("notes", "long_notes", "descriptions")))
    fields = [number, text]
    if rng.random() < 0.15:
        fields += columns(rng, words, 1, rows, ("date", "person", "category"))
    heads = rng.choice(("first_blank", "first_blank", "first_blank", "plain"))
    place_list(rng, words, look, canvas, fields, heads=heads, framed=0.6)


def glossary(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """Terms, abbreviations or names of columns, and what they mean."""
    rows = _short_list(rng)
    kind = rng.choice(("parameters", "activities", "categories", "short", "fields"))
    terms = named(rng, words, kind, rows) if kind in words.lists else _invented(rng, words, kind, rows)
    key = Field(words.one(rng, "term_heads"), terms, Role.ROW_HEADER_1)
    text = Field(words.one(rng, "definition_heads"), _sentences(rng, words, rows, ("notes", "long_notes", "texts")))
    extra = columns(rng, words, rng.choice((0, 0, 1, 2)), rows, ("category", "yes_no", "range", "code", "long"))
    extra += [Field(words.names["unit"], repeated(rng, words.lists["units"], rows))] if rng.random() < 0.3 else []
    rest = [text, *extra] if rng.random() < 0.7 else [*extra, text]
    lead = [serial_column(rng, words, rows)] if rng.random() < 0.2 else []
    heads = rng.choices(("plain", "first_blank", "none"), (0.75, 0.17, 0.08))[0]
    place_list(rng, words, look, canvas, [*lead, key, *rest], heads=heads, framed=0.5)


def _invented(rng: Random, words: Words, kind: str, rows: int) -> tuple[CellValue, ...]:
    """Abbreviations, or names of database columns."""
    if kind == "fields":
        return tuple(f"{text.split(':')[1]}{k or ''}" for k in range(3) for text in words.lists["database_fields"])[
            :rows
        ]
    found: dict[str, None] = {}
    while len(found) < rows:
        found["".join(rng.choices("ABCDEFGILMNOPRSTU", k=rng.randint(2, 5)))] = None
    return tuple(found)


def code_list(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """Codes with their label and description: the code names the row."""
    rows = _short_list(rng)
    made = rng.choice(
        (codes(rng, rows), tuple(range(rows)), tuple(range(1, rows + 1)), _invented(rng, words, "", rows))
    )
    key = Field(words.names["code"], made, Role.ROW_HEADER_1)
    pool = rng.choice(("products", "cities", "companies", "activities", "texts", "answers"))
    label = Field(words.names[rng.choice(("name", "title", "description"))], named(rng, words, pool, rows))
    fields = [
        key,
        label,
        *columns(rng, words, rng.choice((0, 0, 1, 2, 3)), rows, ("long", "category", "date", "yes_no")),
    ]
    heads = rng.choices(("plain", "described", "none"), (0.82, 0.1, 0.08))[0]
    place_list(rng, words, look, canvas, fields, heads=heads, framed=0.4)


def questions_answers(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """Questions and their answers: a question names its row (beside its running number), unless an id does."""
    rows = min(_short_list(rng), 25)
    pool = words.lists["questions"] + words.lists["descriptions"]
    asked = tuple(f"{pool[k % len(pool)]}{'' if k < len(pool) else f' ({k})'}" for k in range(rows))
    lead: list[Field] = []
    how = rng.choice(("alone", "alone", "serial", "id"))
    if how == "serial":
        lead = [serial_column(rng, words, rows)]
    if how == "id":
        lead = [Field(words.names["id"], tuple(f"Q{k:02d}" for k in range(1, rows + 1)), Role.ROW_HEADER_1)]
    question = Field(words.one(rng, "question_heads"), asked, Role.VALUE if how == "id" else Role.ROW_HEADER_1)
    kind = rng.choice(("long", "long", "text", "yes_no", "grade"))
    answer = column(rng, words, kind, words.names["answer"], rows)
    extra = columns(rng, words, rng.choice((0, 0, 1, 2, 3)), rows, ("person", "date", "category", "level", "status"))
    category = replace(column(rng, words, "category", words.names["category"], rows), role=Role.VALUE)
    if lead and rng.random() < 0.3:
        lead.append(category)
    heads = rng.choice(("plain", "plain", "plain", "plain", "some_blank"))
    place_list(rng, words, look, canvas, [*lead, question, answer, *extra], heads=heads, framed=0.4)


def checklist(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """Points to check, with long texts beside them: what to do, what is expected, what was found, boxes to tick."""
    rows = min(_short_list(rng), 25)
    item = Field(words.one(rng, "question_heads"), named(rng, words, "texts", rows), Role.ROW_HEADER_1)
    lead = [serial_column(rng, words, rows)] if rng.random() < 0.5 else []
    pools = ("questions", "descriptions", "notes", "long_notes", "texts")
    heads = rng.sample([words.names[name] for name in ("description", "activity", "answer", "parameter")], 3)
    texts = [
        Field(head, _lined(rng, _sentences(rng, words, rows, rng.sample(pools, 2))))
        for head in heads[: rng.randint(1, 3)]
    ]
    boxes = tuple(f"{rng.choice('□■☐')} {rng.choice(words.lists['yes_no'])}" for _ in range(rows))
    ends = [Field(words.names["status"], boxes), *columns(rng, words, 1, rows, ("mark", "person", "grade", "date"))]
    fields = [*lead, item, *texts, *rng.sample(ends, rng.randint(0, len(ends)))]
    place_list(rng, words, look, canvas, fields, framed=0.6)


def _lined(rng: Random, texts: tuple[CellValue, ...]) -> tuple[CellValue | None, ...]:
    """Texts with line breaks between their sentences, some left open."""
    share = rng.choice((0, 0, 0.2))
    broken = (str(text).replace(". ", ".\n") if rng.random() < 0.5 else text for text in texts)
    return tuple(None if rng.random() < share else text for text in broken)


def tiny_list(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """Two to five records of few columns: a number or word and what belongs to it."""
    rows = min(5, list_rows(rng))
    kind = rng.choice(("products", "cities", "person", "categories", "levels", "parameters", "serial"))
    if kind == "serial":
        key = Field(rng.choice(("", words.one(rng, "serial_heads"))), tuple(range(1, rows + 1)), Role.ROW_HEADER_1)
    else:
        labels = named(rng, words, kind, rows)
        key = Field(rng.choice(("", words.names["name"], words.names["category"])), labels, Role.ROW_HEADER_1)
    others = columns(rng, words, rng.choice((1, 1, 2, 3, 4)), rows)
    heads = rng.choice(("plain", "plain", "plain", "none"))
    place_list(rng, words, look, canvas, [key, *others], heads=heads, framed=0.3)
