"""Families of lists in two steps: a record and its items, merged or written once; sections of records."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from cellroles.sheet import Region, Role
from data.synthetic.coined import named
from data.synthetic.columns import columns
from data.synthetic.frame import note_lines, title_lines
from data.synthetic.grid import Canvas, Position, Positions
from data.synthetic.identifying import key_column, serial_column
from data.synthetic.lists import write_heads
from data.synthetic.records import Field, write_records
from data.synthetic.styles import Look
from data.synthetic.vocabulary import Words


def records_of_items(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """Outer columns (key and attributes) once per record, merged down or not; an inner key and attributes per item.

    The outer key is row_header_2 and the item row_header_1; an outer attribute lies under the outer key alone where it
    is merged over the items, and in the row of the first item where it is not.
    """
    sizes = [rng.choice((1, 2, 2, 3, 4, 6)) for _ in range(rng.randint(2, 12))]
    outer = [_outer_key(rng, words, len(sizes)), *columns(rng, words, rng.choice((0, 1, 1, 2, 4)), len(sizes))]
    count = sum(sizes)
    kind = rng.choice(("products", "person", "activities", "categories"))
    few = named(rng, words, kind, min(count, 8))
    items = [item for size in sizes for item in rng.sample(few, min(size, len(few)))]
    sizes = [min(size, len(few)) for size in sizes]
    inner = [Field(words.names["name"], tuple(items), Role.ROW_HEADER_1)]
    inner += columns(rng, words, rng.choice((1, 2, 3, 5)), len(items))
    top = title_lines(rng, words, look, canvas, words.one(rng, "texts"), 5) if rng.random() < 0.5 else 0
    fields = [*outer, *inner]
    paths, first = write_heads(rng, words, look, canvas, (top, 0), fields, rng.choice(("plain",) * 5 + ("grouped",)))
    merged = rng.random() < 0.65
    row = first
    for k, size in enumerate(sizes):
        key = _write_outer(look, canvas, (row, k), outer, paths, size if merged else 1)
        for i in range(size):
            item = canvas.put(row + i, len(outer), items[row - first + i], Role.ROW_HEADER_1, look.label(0, row + i))
            _write_values(look, canvas, (row + i, row - first + i), inner[1:], (len(outer) + 1, paths), (key, item))
        if not merged or size == 1:
            _prolong(canvas, (row, len(outer)), (key, (row, len(outer))))
        row += size
    canvas.tables.append(Region(top, 0, row, len(fields)))
    note_lines(rng, words, look, canvas, chance=0.25)


def sectioned_register(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """A list whose records stand in sections: a line with the section's name alone, in the key's column or merged."""
    sizes = [rng.randint(1, 9) for _ in range(rng.randint(2, 7))]
    key = key_column(rng, words, sum(sizes))
    lead = [serial_column(rng, words, sum(sizes))] if rng.random() < 0.25 else []
    fields = [*lead, key, *columns(rng, words, rng.choice((1, 2, 3, 5, 9)), sum(sizes))]
    labels = named(rng, words, rng.choice(("categories", "departments", "cities", "texts", "activities")), len(sizes))
    top = title_lines(rng, words, look, canvas, words.one(rng, "texts"), 5) if rng.random() < 0.5 else 0
    paths, row = write_heads(rng, words, look, canvas, (top, 0), fields, rng.choice(("plain",) * 5 + ("none",)))
    merged, gap, at = rng.random() < 0.35, rng.choice((0, 0, 0, 1)), 0
    for size, label in zip(sizes, labels, strict=True):
        section = canvas.put(row, 0, label, Role.ROW_HEADER_2, look.group())
        if merged:
            canvas.merge(row, 0, row + 1, len(fields))
        piece = [replace(column, values=column.values[at : at + size]) for column in fields]
        body = write_records(canvas, look, (row + 1, 0), piece, header=False)
        canvas.tables.pop()
        for cell in [cell for cell in canvas.row_paths if body.contains(*cell)]:
            canvas.row_paths[cell] = (section, *canvas.row_paths[cell])
            canvas.col_paths[cell] = paths[cell[1]]
        at, row = at + size, body.bottom + gap
    canvas.tables.append(Region(top, 0, row - gap, len(fields)))
    note_lines(rng, words, look, canvas, chance=0.25)


def _outer_key(rng: Random, words: Words, rows: int) -> Field:
    if rng.random() < 0.35:
        return serial_column(rng, words, rows)
    return key_column(rng, words, rows)


def _write_outer(
    look: Look, canvas: Canvas, at: Position, outer: Sequence[Field], paths: Sequence[Positions], size: int
) -> Position:
    """The outer cells of record `at[1]` from row `at[0]` on; where the key is."""
    row, record = at
    value = outer[0].values[record]
    assert value is not None
    key = canvas.put(row, 0, value, Role.ROW_HEADER_2, look.label(0, row))
    canvas.merge(row, 0, row + size, 1)
    for j, column in enumerate(outer[1:], 1):
        content = column.values[record]
        canvas.merge(row, j, row + size, j + 1)
        if content is not None:
            style = look.value(column.number_format, row)
            canvas.figure((row, j), content, Role.VALUE, style, paths[j], (key,))
    return key


def _write_values(
    look: Look,
    canvas: Canvas,
    at: Position,
    inner: Sequence[Field],
    right_of: tuple[int, Sequence[Positions]],
    keys: Positions,
) -> None:
    """The values of item `at[1]` in row `at[0]`, from column `right_of[0]` on."""
    row, item = at
    left, paths = right_of
    for j, column in enumerate(inner, left):
        content = column.values[item]
        if content is not None:
            canvas.figure((row, j), content, Role.VALUE, look.value(column.number_format, row), paths[j], keys)


def _prolong(canvas: Canvas, end: Position, keys: Positions) -> None:
    """Values left of `end` in its row lie in the row of one item: both keys govern them."""
    row, right = end
    for col in range(right):
        if (row, col) in canvas.row_paths:
            canvas.row_paths[row, col] = keys
