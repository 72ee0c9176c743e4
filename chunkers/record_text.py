"""Record -> its chunk: head, row path with the names of its stub columns, then the values under their column paths."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from cellroles.sheet import Chunk
from chunkers.base import ChunkMaker
from chunkers.budget import WIDEST_LETTER, Item, clip, count_tokens, split_text
from chunkers.context import Scope
from chunkers.layout import template
from chunkers.naming import Naming
from chunkers.records import Record, Run, TableCells
from chunkers.view import View, bare

MAX_LAYOUTS = 1024


class _Layout(NamedTuple):
    """Templates of one set of columns, with and without marks of totals, and what holds for all of its values."""

    marked: str
    unmarked: str
    total: bool
    unnamed: bool


class _Piece(NamedTuple):
    """Part of a record over the budget: its text, the cells that it shows (and owns), and the runs that it says."""

    text: str
    values: Sequence[int]
    owns: bool
    runs: tuple[Run, ...]


class RecordWriter:
    """Writes the records of one table; the layout of a row is cached per set of present columns."""

    def __init__(self, view: View, maker: ChunkMaker, cells: TableCells, scope: Scope, max_tokens: int) -> None:
        self.view, self.maker, self.scope, self.max_tokens = view, maker, scope, max_tokens
        self.naming = Naming(view, cells)
        self._layouts: dict[bytes, _Layout] = {}

    def chunks(self, record: Record) -> Iterator[Chunk]:
        """One chunk, or several that repeat title and row path if the record is over the budget."""
        body, total = self._body(record)
        text = f"{self.scope.head}\n{body}"
        tokens = count_tokens(text)
        if tokens <= self.max_tokens:
            values = record.runs[0].values if len(record.runs) == 1 else [i for run in record.runs for i in run.values]
            yield self._chunk(record, record.runs, text, tokens, [*record.owned_labels, *values], record.remarks)
        else:
            yield from self._split(record, total)

    def item(self, record: Record) -> Item:
        """The record without the head, to be packed with others."""
        cells = [*record.owned_labels, *(i for run in record.runs for i in run.values)]
        owned = tuple(i for i in cells if i not in record.copies)
        return Item(self._body(record)[0], (*cells, *record.remarks), owned)

    def _body(self, record: Record) -> tuple[str, bool]:
        """The text of a record without the head, and whether all of its values are totals."""
        layouts = [self._layout(run.values) for run in record.runs]
        total = self.naming.totals_are_rows and all(layout.total for layout in layouts)
        blocks = [self._block(run, total, layout) for run, layout in zip(record.runs, layouts, strict=True)]
        return "\n".join((*blocks, *self.naming.asides(record).values())), total

    def _block(self, run: Run, total: bool, layout: _Layout | None = None) -> str:
        """The row line of a run and its values; `total` says that the whole record is one of totals."""
        values, shown = run.values, self.view.shown_all(run.values)
        if not all(shown):
            values = [i for i, text in zip(values, shown, strict=True) if text]
            shown, layout = [text for text in shown if text], None
        line = self.naming.row_line(run.labels, total)
        if not shown:
            return line
        layout = layout or self._layout(values)
        if line and layout.unnamed:
            return f"{bare(line)}: " + "; ".join(shown)
        body = (layout.unmarked if total else layout.marked) % tuple(shown)
        return f"{line}\n{body}" if line else body

    def _layout(self, values: Sequence[int]) -> _Layout:
        code = self.naming.code[self.view.part(values)]
        key = code.tobytes()
        found = self._layouts.get(key)
        if found is None:
            if len(self._layouts) >= MAX_LAYOUTS:
                self._layouts.clear()
            fields = [self.naming.field(number) for number in code.tolist()]
            found = self._layouts[key] = _Layout(
                template(fields),
                template([field._replace(total=False) for field in fields]),
                all(field.total for field in fields),
                not self.view.repeat_headers or bool((code < 0).all()),
            )
        return found

    def _chunk(
        self, record: Record, runs: Sequence[Run], text: str, tokens: int, owned: list[int], shown: Sequence[int]
    ) -> Chunk:
        if record.copies:
            shown = [*(i for i in owned if i in record.copies), *shown]
            owned = [i for i in owned if i not in record.copies]
        cells = self.view.cite(owned)
        if shown:
            cells += self.view.cite(shown, owner=False)
        return self.maker.chunk(
            "row",
            text,
            cells,
            self.scope,
            self.view.row_range(record.row, [*owned, *shown]),
            tokens=tokens,
            row_path=self.naming.row_path(runs),
            repeats=self.naming.repeats(runs, self.scope.title),
        )

    def _split(self, record: Record, total: bool) -> Iterator[Chunk]:
        """Pieces of a record over the budget; each owns the row headers that it is the first to say."""
        pieces = [*self._pieces(record, total), *self._aside_pieces(record)]
        pending = dict.fromkeys(record.owned_labels)
        for piece in pieces:
            said = [i for run in piece.runs for i in run.labels]
            labels = [i for i in pending if i in said or piece is pieces[-1]]
            for i in labels:
                del pending[i]
            owned = [*labels, *piece.values] if piece.owns else labels
            shown = () if piece.owns else [i for i in piece.values if i not in labels]
            yield self._chunk(record, piece.runs, piece.text, count_tokens(piece.text), owned, shown)

    def _pieces(self, record: Record, total: bool) -> Iterator[_Piece]:
        """Whole runs together while they fit; a run over the budget is cut between its fields."""
        text, runs = self.scope.head, list[Run]()
        for run in record.runs:
            block = self._block(run, total)
            if runs and count_tokens(f"{text}\n{block}") > self.max_tokens:
                yield _Piece(text, [i for r in runs for i in r.values], True, tuple(runs))
                text, runs = self.scope.head, []
            if not runs and count_tokens(f"{text}\n{block}") > self.max_tokens:
                yield from self._run_pieces(run, total)
                continue
            text, runs = f"{text}\n{block}", [*runs, run]
        if runs:
            yield _Piece(text, [i for r in runs for i in r.values], True, tuple(runs))

    def _run_pieces(self, run: Run, total: bool) -> Iterator[_Piece]:
        line = self.naming.row_line(run.labels, total)
        if line and count_tokens(line) > self.max_tokens // 4:
            named = (Run(run.labels, []),)
            yield from (_Piece(f"{self.scope.head}\n{part}", run.labels, False, named) for part in self._parts(line))
            line = clip(line, self.max_tokens // 4)
        head = f"{self.scope.head}\n{line}\n" if line else f"{self.scope.head}\n"
        room = self.max_tokens - count_tokens(head)
        for values in self._segments(run.values, room):
            for text, part, owns in self._fitted(values, room, total):
                yield _Piece(head + text, part, owns, (Run(run.labels, part),))

    def _aside_pieces(self, record: Record) -> Iterator[_Piece]:
        for i, line in self.naming.asides(record).items():
            yield from (_Piece(f"{self.scope.head}\n{part}", [i], False, ()) for part in self._parts(line))

    def _parts(self, line: str) -> list[str]:
        return split_text(line, self.max_tokens - count_tokens(self.scope.head) - 1)

    def _segments(self, values: list[int], room: int) -> Iterator[list[int]]:
        """Greedy runs of fields by an upper bound of their tokens (a prefix shared with the last field is free)."""
        segment, size = list[int](), 0
        previous: tuple[str, ...] = ()
        for i, text in zip(values, self.view.shown_all(values), strict=True):
            labels, total, _ = self.naming.field(int(self.naming.code[i]))
            end = f"{' (total)' if total else ''}: {text}; "
            shared = sum(labels[: d + 1] == previous[: d + 1] for d in range(len(labels)))
            cost = count_tokens(" > ".join(labels[shared:]) + end)
            if segment and size + cost > room:
                yield segment
                segment, size = [], 0
                cost = count_tokens(" > ".join(labels) + end)
            segment.append(i)
            size, previous = size + cost, labels
        if segment:
            yield segment

    def _fitted(self, values: list[int], room: int, total: bool) -> Iterator[tuple[str, list[int], bool]]:
        """Texts of at most `room` tokens, their values, and whether they own them (the later parts of one do not)."""
        body = self._block(Run((), values), total)
        if count_tokens(body) <= room:
            yield body, values, True
        elif len(values) > 1:
            middle = len(values) // 2
            yield from self._fitted(values[:middle], room, total)
            yield from self._fitted(values[middle:], room, total)
        else:
            name = " > ".join(self.naming.field(int(self.naming.code[values[0]])).labels)
            lead = f"{clip(name, room // 2)}: " if name else ""
            if count_tokens(lead) + WIDEST_LETTER >= room:  # too small a budget for a name beside its value
                lead = ""
            parts = split_text(self.view.shown(values[0]), max(1, room - count_tokens(lead) - bool(lead)))
            yield from ((lead + part, values, k == 0) for k, part in enumerate(parts))
