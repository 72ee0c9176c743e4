"""Chunk -> the JSON record of one output line."""

from __future__ import annotations

import math
from datetime import date, datetime, time, timedelta
from functools import lru_cache
from json.encoder import encode_basestring as _quote

from cellroles.sheet import Chunk, CitedCell


def chunk_json(chunk: Chunk) -> str:
    """One line of JSON without line break; every key is there, absent things are null or empty."""
    optional = _optional
    return (
        f'{{"id": {_quote(chunk.id)}, "text": {_quote(chunk.text)}, "context": {_quote(chunk.context)}, '
        f'"chunker": {_quote(chunk.chunker)}, "kind": {_quote(chunk.kind)}, "workbook": {_quote(chunk.workbook)}, '
        f'"sheet": {_quote(chunk.sheet)}, "region": {optional(chunk.region)}, "range": {optional(chunk.range)}, '
        f'"title": {optional(chunk.title)}, "notes": {_strings(chunk.notes)}, "row_path": {_strings(chunk.row_path)}, '
        f'"cells": [{", ".join(map(cell_json, chunk.cells))}], "tokens": {chunk.tokens}, '
        f'"parent_id": {optional(chunk.parent_id)}, "checkpoint": {optional(chunk.checkpoint)}, '
        f'"fallback": {optional(chunk.fallback)}, "reader": {optional(chunk.reader)}}}'
    )


def cell_json(cell: CitedCell) -> str:
    """The record of a cited cell; written by hand because `json.dumps` of a dict costs three times as much."""
    return (
        f'{{"ref": "{cell.ref}", "text": {_quote(cell.text)}, "value": {value_json(cell.value)}, '
        f'"role": "{cell.role}", "owner": {"true" if cell.owner else "false"}, '
        f'"col_path": {_strings(cell.col_path)}, "col_refs": {_strings(cell.col_refs)}, '
        f'"row_path": {_strings(cell.row_path)}, "row_refs": {_strings(cell.row_refs)}}}'
    )


def value_json(value: object) -> str:
    """A typed cell value; dates and times in ISO form, a duration as text, numbers that JSON lacks as null.

    >>> value_json(51.5), value_json(date(2024, 3, 1)), value_json(float("nan"))
    ('51.5', '"2024-03-01"', 'null')
    """
    if isinstance(value, str):
        return _quote(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return repr(float(value)) if math.isfinite(value) else "null"
    if isinstance(value, int):
        return str(int(value))
    if isinstance(value, date | datetime | time):
        return _quote(value.isoformat())
    if isinstance(value, timedelta):
        return _quote(str(value))
    return "null" if value is None else _quote(str(value))


@lru_cache(maxsize=8192)
def _strings(texts: tuple[str, ...]) -> str:
    return f"[{', '.join(map(_quote, texts))}]"


def _optional(text: str | None) -> str:
    return "null" if text is None else _quote(text)
