"""A table's title and notes -> the head that opens each of its chunks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from cellroles.sheet import Table
from chunkers.budget import clip, count_tokens
from chunkers.view import View, collapse

_UNIT = re.compile(
    r"\bunits?\b|\b(thousand|million|billion|per ?cent|percentage)s?\b|\bin 1[, ]?000\b"
    r"|\b(USD|EUR|GBP|JPY|CHF)\b|[$€£¥%]|\b(tsd|mio|mrd|einheit|unidad|unidade|unità|unité|enhet|millones|milliers)\b"
    r"|单位|單位|単位|百万|億|万元|千元|[=＝]\s*100\b",
    re.IGNORECASE,
)
_MEASURE = re.compile(  # "in GWh", "Weights in kg", "(1,000 t)": the line ends with it, after three words at most
    r"\W*(\S+ ){0,3}(\W*)([kMGT]?Wh?|kg|t|tonn?es|tons|km[²2]?|ha|hectares|lit(re|er)s|°C|DKK|SEK|NOK|PLN|CNY|INR)\W*",
    re.IGNORECASE,
)
_UNIT_NAMED = re.compile(r"^\W*(units?|einheit|unidad|unidade|unità|unité|enhet|单位|單位|単位)\b", re.IGNORECASE)
MAX_UNIT_LENGTH = 60  # characters; longer lines are notes that happen to name a unit
MAX_UNITS = 4
TITLE_TOKENS = 128


@dataclass(frozen=True, slots=True)
class Scope:
    """What a chunk says before its own words: `head` is printed, the rest goes into the chunk's fields.

    `parent` is the id of the text chunk that says what is in the table.
    """

    head: str
    title: str | None
    notes: tuple[str, ...]
    region: str | None
    parent: str | None = None

    def says(self, title: str) -> bool:
        """Whether the head gives a title in full."""
        return title in self.head.partition("\n")[0].removeprefix("Sheet: ").split(" | ")


def sheet_scope(view: View) -> Scope:
    """The scope of what belongs to no table: the sheet, and the titles that all its tables share."""
    first, *others = view.annotated.tables or (None,)
    shared = [i for i in first.title if all(i in table.title for table in others if table)] if first else []
    return _titled(view, shared, None, TITLE_TOKENS)


def table_scope(view: View, table: Table, max_tokens: int) -> Scope:
    """Sheet name, titles and a short units line of a table; a very long title is clipped in the head only.

    A line that would take more than a quarter of the budget stays with the notes.
    """
    plain = title_scope(view, table, max_tokens)
    notes = collapse(dict.fromkeys(view.sheet.text[i] for i in table.notes))
    units = units_line(notes)
    if count_tokens(units) > max_tokens // 4:
        units = ""
    return replace(plain, head=f"{plain.head}\n{units}" if units else plain.head, notes=notes)


def title_scope(view: View, table: Table, max_tokens: int) -> Scope:
    """Sheet name and titles alone: what every chunker, baselines included, says of a table."""
    return _titled(view, table.title, table.region.a1, min(TITLE_TOKENS, max_tokens // 4))


def _titled(view: View, title: Sequence[int], region: str | None, max_tokens: int) -> Scope:
    titles = collapse(dict.fromkeys(view.sheet.text[i] for i in title))
    named = [text for text in titles if text != view.sheet.name]
    head = clip(" | ".join((f"Sheet: {view.sheet.name}", *named)), max_tokens)
    return Scope(head, " | ".join(titles) or None, (), region)


def units_line(notes: tuple[str, ...]) -> str:
    """The short notes that tell what the numbers count, on one line; nothing if there is none or too many.

    >>> units_line(("Source: the register.", "USD million", "Percent"))
    'Units: USD million; Percent'
    >>> units_line(("in GWh", "Not in Kent", "(1,000 t)", "Within 5 km of a site"))
    'Units: in GWh; (1,000 t)'
    """
    short = (note for note in notes if len(note) <= MAX_UNIT_LENGTH)
    units = [note for note in short if _UNIT.search(note) or _MEASURE.fullmatch(note)]
    if not units or len(units) > MAX_UNITS:
        return ""
    line = "; ".join(units)
    return line if _UNIT_NAMED.match(line) else f"Units: {line}"
