"""A table's title and notes -> the head that opens each of its chunks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from cellroles.sheet import Table
from chunkers.budget import clip
from chunkers.view import View, collapse

_UNIT = re.compile(
    r"\bunits?\b|\b(thousand|million|billion|per ?cent|percentage)s?\b|\bin 1[, ]?000\b"
    r"|\b(USD|EUR|GBP|JPY|CHF)\b|[$€£¥%]|\b(tsd|mio|mrd|einheit|unidad|unidade|unità|unité|enhet|millones|milliers)\b"
    r"|单位|單位|単位|百万|億|万元|千元",
    re.IGNORECASE,
)
_UNIT_NAMED = re.compile(r"^\W*(units?|einheit|unidad|unidade|unità|unité|enhet|单位|單位|単位)\b", re.IGNORECASE)
MAX_UNIT_LENGTH = 60  # characters; longer lines are notes that happen to name a unit
MAX_UNITS = 4
TITLE_TOKENS = 128


@dataclass(frozen=True, slots=True)
class Scope:
    """What a chunk says before its own words: `head` is printed, the rest goes into the chunk's fields."""

    head: str
    title: str | None
    notes: tuple[str, ...]
    region: str | None


def sheet_scope(view: View, scopes: Sequence[Scope]) -> Scope:
    """The scope of what belongs to no table: the sheet, and the title if all its tables share one."""
    titles = {scope.title for scope in scopes}
    title = titles.pop() if len(titles) == 1 else None
    title = None if title == view.sheet.name else title
    head = f"Sheet: {view.sheet.name}"
    return Scope(clip(f"{head} | {title}", TITLE_TOKENS) if title else head, title, (), None)


def table_scope(view: View, table: Table, max_tokens: int) -> Scope:
    """Sheet name, titles and a short units line of a table; a very long title is clipped in the head only."""
    plain = title_scope(view, table, max_tokens)
    notes = collapse(dict.fromkeys(view.sheet.text[i] for i in table.notes))
    units = units_line(notes)
    return replace(plain, head=f"{plain.head}\n{units}" if units else plain.head, notes=notes)


def title_scope(view: View, table: Table, max_tokens: int) -> Scope:
    """Sheet name and titles alone: what every chunker, baselines included, says of a table."""
    titles = collapse(dict.fromkeys(view.sheet.text[i] for i in table.title))
    named = [title for title in titles if title != view.sheet.name]
    head = clip(" | ".join((f"Sheet: {view.sheet.name}", *named)), min(TITLE_TOKENS, max_tokens // 4))
    return Scope(head, " | ".join(titles) or None, (), table.region.a1)


def units_line(notes: tuple[str, ...]) -> str:
    """The short notes that tell what the numbers count, on one line; nothing if there is none or too many.

    >>> units_line(("Source: the register.", "USD million", "Percent"))
    'Units: USD million; Percent'
    """
    units = [note for note in notes if len(note) <= MAX_UNIT_LENGTH and _UNIT.search(note)]
    if not units or len(units) > MAX_UNITS:
        return ""
    line = "; ".join(units)
    return line if _UNIT_NAMED.match(line) else f"Units: {line}"
