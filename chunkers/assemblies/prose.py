"""Annotated sheet -> one chunk per record, as plain sentences with the title and the units before them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from cellroles.sheet import AnnotatedSheet, Chunk
from chunkers.assemblies.tables import TablePart, after_schema, assemble, record_by_record
from chunkers.context import Scope
from chunkers.form import is_form
from chunkers.layout import full_name
from chunkers.record_lines import LineWriter, Named, Wording
from chunkers.view import bare

LATIN_ENDS = 0x250  # the first letter past Latin with its extensions A and B
LETTERS_READ = 500


@dataclass(frozen=True, slots=True)
class Words:
    """What joins a sentence; `last` stands before the last of several values."""

    place: str
    row: str
    value: str
    last: str


ENGLISH = Words("In sheet {}:", "For {}, ", "{} is {}", " and ")
PLAIN = Words("{}:", "{}, ", "{} = {}", ", ")
"""For sheets in another script than the Latin: marks alone."""


def prose_chunks(annotated: AnnotatedSheet, *, max_tokens: int = 512, repeat_headers: bool = True) -> Iterator[Chunk]:
    """Tables in reading order, then the sheet's notes; a sheet whose model failed is cut by the STC baseline."""
    return assemble(annotated, "prose", _table, max_tokens=max_tokens, repeat_headers=repeat_headers)


def _table(part: TablePart) -> Iterator[Chunk]:
    return part.form() if is_form(part.view, part.cells) else after_schema(part, _sentences)


def _sentences(part: TablePart) -> Iterator[Chunk]:
    words = ENGLISH if _is_latin(part) else PLAIN
    said = replace(part, scope=replace(part.scope, head=words.place.format(place(part.scope))))
    writer = LineWriter(part.view, part.cells, Wording(sentence_of(words)))
    return record_by_record(said, writer, "row", repeat_path=True)


def _is_latin(part: TablePart) -> bool:
    """Whether most letters of the title, the column headers and the row labels are Latin."""
    cells = [*part.cells.columns[:LETTERS_READ].tolist(), *part.cells.labels[:LETTERS_READ].tolist()]
    text = "".join((part.scope.title or "", *part.view.shown_all(cells)))
    letters = [letter for letter in text if letter.isalpha()]
    return 2 * sum(ord(letter) < LATIN_ENDS for letter in letters) >= len(letters)


def place(scope: Scope) -> str:
    """The head in running text: sheet, titles, and the units in parentheses.

    >>> place(Scope("Sheet: Credit | Table 15\\nUnits: USD bn", None, (), None))
    'Credit, Table 15 (USD bn)'
    """
    titles, _, units = scope.head.removeprefix("Sheet: ").partition("\n")
    where = titles.replace(" | ", ", ")
    return f"{where} ({units.removeprefix('Units: ')})" if units else where


def sentence_of(words: Words) -> Callable[[str, Sequence[Named]], str]:
    """A writer of sentences; columns under one header are joined, and their header is said once.

    >>> from chunkers.layout import Field
    >>> long, short = Field(("Buyside", "Long"), False, True), Field(("Buyside", "Short"), False, True)
    >>> sentence_of(ENGLISH)("CDX IG", [(long, "51.5"), (short, "48.2")])
    'For CDX IG, Buyside, Long is 51.5 and Short is 48.2.'
    """

    def sentence(lead: str, values: Sequence[Named]) -> str:
        if not values:
            return lead
        groups = groupby(values, lambda named: named[0].labels[:-1])
        said = "; ".join(", ".join((*outer, _listed(words, [*members]))) for outer, members in groups)
        return _ended((words.row.format(lead) if lead else "") + said)

    return sentence


def _listed(words: Words, values: list[Named]) -> str:
    names = [(bare(full_name(field._replace(labels=field.labels[-1:]))), text) for field, text in values]
    *most, last = [words.value.format(name, text) if name else text for name, text in names]
    return words.last.join((", ".join(most), last)) if most else last


def _ended(sentence: str) -> str:
    return sentence if sentence.endswith((".", "!", "?", "。")) else f"{sentence}."
