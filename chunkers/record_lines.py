"""Record -> its lines in one wording (fields, triples or sentences), as items to be packed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from chunkers.budget import WIDEST_LETTER, Item, claim, clip, count_tokens, fits, split_text
from chunkers.layout import Field, full_name
from chunkers.naming import Naming
from chunkers.records import Record, Run, TableCells
from chunkers.view import View, bare

Named = tuple[Field, str]
"""How a value is named, and what it shows."""


@dataclass(frozen=True, slots=True)
class Wording:
    """How a record is put into words.

    `run` writes the values of a run under its row line; `between` stands between the runs of a record and its remarks;
    `nameless` is the row line of a row without labels, with `{}` for its 1-based number.
    """

    run: Callable[[str, Sequence[Named]], str]
    between: str = "\n"
    nameless: str = ""


def fields_line(lead: str, values: Sequence[Named]) -> str:
    """`Product: CDX IG; Buyside > Long: 51.5; Buyside > Short: 48.2`."""
    names = [(bare(full_name(field)), text) for field, text in values]
    fields = [f"{name}: {text}" if name else text for name, text in names]
    return "; ".join([lead, *fields] if lead else fields)


FIELDS = Wording(fields_line, between="; ")


@dataclass(frozen=True, slots=True)
class RecordItem(Item):
    """An item of a record; the first of the record's items carries it."""

    record: Record | None = None


class _Value(NamedTuple):
    cell: int
    named: Named


class LineWriter:
    """Writes the records of one table in one wording; how a value is named is cached per column and kind."""

    def __init__(self, view: View, cells: TableCells, wording: Wording) -> None:
        self.view, self.wording = view, wording
        self.naming = Naming(view, cells)
        self._fields: dict[int, Field] = {}

    def items(self, record: Record, room: int) -> Iterator[RecordItem]:
        """The record as one item, or as several of at most `room` tokens that repeat its row line.

        They own its values and the labels that the record owns.
        """
        total = self._is_total(record)
        runs = [(self._lead(record, run, total), self._values(run, total)) for run in record.runs]
        asides = self.naming.asides(record)
        said = [self._text(lead, values) for lead, values in runs]
        text = self.wording.between.join(filter(None, (*said, *asides.values())))
        cells = (*record.owned_labels, *(value.cell for _, values in runs for value in values))
        owned = tuple(i for i in cells if i not in record.copies) if record.copies else cells
        if fits(text, room):
            shown = (*cells, *record.remarks) if record.remarks else cells
            yield RecordItem(text, shown, owned, record)
            return
        first: Record | None = record
        for item in self._parts(record, runs, asides, set(owned), room):
            yield RecordItem(item.text, item.cells, item.owned, first)
            first = None

    def _is_total(self, record: Record) -> bool:
        """Whether all values are totals in a table where not most are: the row line says so then, not each value."""
        code, part = self.naming.code, self.view.part
        return self.naming.totals_are_rows and all(bool((code[part(run.values)] & 2).all()) for run in record.runs)

    def _lead(self, record: Record, run: Run, total: bool) -> str:
        return self.naming.row_line(run.labels, total) or self.wording.nameless.format(record.row + 1)

    def _values(self, run: Run, total: bool) -> list[_Value]:
        codes = self.naming.code[self.view.part(run.values)].tolist()
        fields = [self._field(code & ~2 if total else code) for code in codes]
        return [
            _Value(i, (field, text))
            for i, field, text in zip(run.values, fields, self.view.shown_all(run.values), strict=True)
        ]

    def _field(self, code: int) -> Field:
        if code not in self._fields:
            self._fields[code] = self.naming.field(code)
        return self._fields[code]

    def _text(self, lead: str, values: Sequence[_Value]) -> str:
        return self.wording.run(lead, [value.named for value in values if value.named[1]])

    def _parts(
        self, record: Record, runs: list[tuple[str, list[_Value]]], asides: dict[int, str], free: set[int], room: int
    ) -> Iterator[Item]:
        """A row line that would take much of the room is said once in full, and clipped before the values."""
        for run, (lead, values) in zip(record.runs, runs, strict=True):
            labels = [i for i in run.labels if i in free]
            if count_tokens(lead) > room // 4:
                yield claim(free, labels, lead)
                lead = clip(lead, max(1, room // 4))
            for cells, text in self._cut(lead, values, room):
                yield claim(free, [*(i for i in labels if i in free), *cells], text)
        for i, line in asides.items():
            yield claim(free, [i], line)

    def _cut(self, lead: str, values: list[_Value], room: int) -> Iterator[tuple[list[int], str]]:
        """As many values at a time as fit, with their texts."""
        start = 0
        while start < len(values):
            end = min(len(values), start + room)
            text = self._text(lead, values[start:end])
            while (tokens := count_tokens(text)) > room and end - start > 1:
                end = start + max(1, min(end - start - 1, (end - start) * room // tokens))
                text = self._text(lead, values[start:end])
            cells = [value.cell for value in values[start:end]]
            yield from ((cells, part) for part in ([text] if tokens <= room else self._long(lead, values[start], room)))
            start = end

    def _long(self, lead: str, value: _Value, room: int) -> Iterator[str]:
        """The text of one value in parts, each with its name if the room allows one."""
        field, text = value.named
        name = clip(" > ".join(field.labels), max(1, room // 4)) if field.labels else ""
        short = field._replace(labels=(name,) if name else ())
        frame = count_tokens(self.wording.run(lead, [(short, "")]))
        if frame + WIDEST_LETTER >= room:
            lead, short = "", Field((), False, False)
            frame = count_tokens(self.wording.run(lead, [(short, "")]))
        for part in split_text(text, max(1, room - frame - 1)):
            yield self.wording.run(lead, [(short, part)])
