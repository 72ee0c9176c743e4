"""Titles, links and units above a table; notes, sources and release dates below it."""

from __future__ import annotations

from random import Random

from cellroles.sheet import Role
from data.synthetic.grid import Canvas
from data.synthetic.styles import Look
from data.synthetic.vocabulary import Words


def make_title(rng: Random, words: Words, measure: str, rows: str, columns: str) -> str:
    """A title for a table of these axes."""
    year = rng.randint(1990, 2023)
    return words.one(rng, "titles").format(
        measure=measure,
        rows=rows.lower() if words.language in ("en", "fr", "es", "pt", "nl") else rows,
        columns=columns.lower() if words.language in ("en", "fr", "es", "pt", "nl") else columns,
        year=year,
        later=year + rng.randint(1, 9),
        n=rng.choice((str(rng.randint(1, 40)), f"{rng.randint(1, 9)}.{rng.randint(1, 20)}")),
    )


def title_lines(rng: Random, words: Words, look: Look, canvas: Canvas, title: str, width: int = 1) -> int:
    """Mostly a title, sometimes a subtitle, a units line or a link; the next free row."""
    canvas.title = title
    row = rng.choices((0, 1, 2), (0.85, 0.1, 0.05))[0]
    if rng.random() < 0.08:
        canvas.links[canvas.put(row, 0, words.one(rng, "links"), Role.JUNK, look.note)] = "#Contents!A1"
        row += 1
    if rng.random() < 0.2:
        return row
    left = width // 2 if rng.random() < 0.05 else 0
    canvas.put(row, left, title, Role.HEADER, look.title)
    if width > 1 and rng.random() < 0.2:
        canvas.merge(row, left, row + 1, max(width, left + 1))
    row += 1
    if rng.random() < 0.2:
        canvas.put(row, 0, words.one(rng, "subtitles"), Role.HEADER, look.caption)
        row += 1
    if rng.random() < 0.3:
        at_right = width > 3 and rng.random() < 0.25
        canvas.put(row, width - 1 if at_right else 0, words.one(rng, "unit_lines"), Role.METADATA, look.note)
        row += 1
    if rng.random() < 0.07:
        canvas.put(row, 0, words.one(rng, "releases"), Role.METADATA, look.note)
        row += 1
    return row + rng.choices((0, 1, 2), (0.45, 0.45, 0.1))[0]


def note_lines(rng: Random, words: Words, look: Look, canvas: Canvas, left: int = 0, chance: float = 0.6) -> None:
    """Notes, a source and a release date below everything so far."""
    if rng.random() > chance:
        return
    row = canvas.bottom + rng.choices((0, 1, 2), (0.4, 0.5, 0.1))[0]
    texts = words.some(rng, "notes", rng.choice((0, 1, 1, 2, 3, 5)))
    if rng.random() < 0.2:
        texts.append(words.one(rng, "long_notes"))
    if rng.random() < 0.6:
        texts.insert(rng.choice((0, len(texts))), words.one(rng, "sources"))
    if rng.random() < 0.15:
        texts.append(words.one(rng, rng.choice(("releases", "disclaimers"))))
    for text in texts:
        canvas.put(row, left, text, Role.METADATA, look.note)
        row += 1
    if rng.random() < 0.06:
        canvas.put(row + 1, left, words.one(rng, rng.choice(("links", "junk"))), Role.JUNK, look.note)
