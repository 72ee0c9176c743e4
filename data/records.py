"""Corpus record (one JSON line) -> columnar Sheet and its labels."""

from __future__ import annotations

import datetime as dt
import gzip
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, TypedDict, cast

import numpy as np
from openpyxl.utils.datetime import to_excel

from cellroles.reader.display import display_texts
from cellroles.sheet import ROLE_LABELS, Bools, Bytes, Ints, Kind, Objects, Role, Sheet, Style
from data.theme import rgb

KINDS = {"n": Kind.NUMBER, "s": Kind.TEXT, "d": Kind.DATE, "b": Kind.BOOL, "e": Kind.ERROR}
NO_STYLE = ("formula", "comment")
FOLDER_VARIABLE = "CELLROLES_CORPORA"


class Record(TypedDict, total=False):
    """One sheet as the corpora store it: zero-based, boxes inclusive; a cell is [row, col, value, dtype, style]."""

    id: str
    source: str
    split: str
    lang: str
    questions: list[dict[str, Any]]
    cells: list[list[Any]]
    merges: list[list[int]]
    roles: list[list[Any]]
    uncertain: list[list[int]]
    file: str
    sheet: str
    subset: str
    pair_id: str
    template: str
    title: str
    url: str
    n_rows: int
    n_cols: int


def corpora_folder() -> Path:
    """The folder of the corpora: $CELLROLES_CORPORA, else `shared/corpora` beside the checkout."""
    default = Path(__file__).resolve().parents[2] / "shared" / "corpora"
    folder = Path(os.environ.get(FOLDER_VARIABLE, default))
    if not folder.is_dir():
        raise FileNotFoundError(f"no labelled corpora at {folder}; set {FOLDER_VARIABLE} to the folder of *.jsonl.gz")
    return folder


def read_records(corpus: str, folder: Path | None = None) -> Iterator[Record]:
    """The records of `corpus`.jsonl.gz in file order."""
    path = (folder or corpora_folder()) / f"{corpus}.jsonl.gz"
    if not path.is_file():
        raise FileNotFoundError(f"corpus {corpus!r} needs {path}; set {FOLDER_VARIABLE} to the folder of *.jsonl.gz")
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield cast(Record, json.loads(line))


def sheet_of(record: Record, *, untyped: bool = False) -> Sheet:
    """The record's filled cells as a sheet; blank texts and cells covered by a merge are dropped.

    `untyped`: the numbers come from a CSV file, so that number formats such as `0.0` are artefacts of its writer.
    """
    merges = np.array(sorted(record["merges"]), np.int32).reshape(-1, 4) + np.array([0, 0, 1, 1], np.int32)
    covered = _covered(merges)
    cells = sorted(
        (cell for cell in record["cells"] if (cell[0], cell[1]) not in covered and _filled(cell)), key=lambda c: c[:2]
    )
    looks = [style_of(cell[4], untyped=untyped) for cell in cells]
    styles = tuple(dict.fromkeys(looks))
    numbering = {style: index for index, style in enumerate(styles)}
    style = np.array([numbering[look] for look in looks], np.int32)
    value = _objects([typed(cell[2], cell[3], untyped=untyped) for cell in cells])
    kind = np.array([kind_of(v, cell[3]) for v, cell in zip(value, cells, strict=True)], np.uint8)
    number = np.array([serial(v) for v in value], np.float64)
    text, _ = display_texts(value, kind, number, style, [look.number_format for look in styles])
    return Sheet(
        workbook=record.get("file", record["id"]),
        name=record.get("sheet", "Sheet1"),
        row=np.array([cell[0] for cell in cells], np.int32),
        col=np.array([cell[1] for cell in cells], np.int32),
        kind=kind,
        value=value,
        number=number,
        text=text,
        formula=_objects([cell[4].get("formula") for cell in cells]),
        uncached=np.zeros(len(cells), bool),
        style=style,
        styles=styles,
        merges=merges,
        comments={(cell[0], cell[1]): cell[4]["comment"] for cell in cells if "comment" in cell[4]},
    )


def labels_of(record: Record, sheet: Sheet) -> tuple[Bytes, Bools]:
    """The label of every filled cell (EMPTY = none) and whether a person stands behind it."""
    position = {(int(r), int(c)): i for i, (r, c) in enumerate(zip(sheet.row, sheet.col, strict=True))}
    roles = np.full(len(sheet), Role.EMPTY, np.uint8)
    for row, col, label in record["roles"]:
        if (row, col) in position:
            roles[position[row, col]] = ROLE_LABELS.index(label)
    certain = roles != Role.EMPTY
    certain[[position[row, col] for row, col in record["uncertain"] if (row, col) in position]] = False
    return roles, certain


def typed(value: object, dtype: str, *, untyped: bool = False) -> object:
    """The Python value of a record's cell: dates from ISO text; whole floats as int, as a workbook stores them.

    >>> typed("2001-02-03", "d"), typed(1990.0, "n", untyped=True)
    (datetime.datetime(2001, 2, 3, 0, 0), 1990)
    """
    if dtype == "d":
        try:
            return dt.datetime.fromisoformat(str(value))
        except ValueError:
            return str(value)
    if untyped and isinstance(value, float) and value.is_integer():
        return int(value)
    return value


def kind_of(value: object, dtype: str) -> Kind:
    """The kind of a typed value; a date that could not be read is text."""
    return Kind.TEXT if dtype == "d" and isinstance(value, str) else KINDS[dtype]


def serial(value: object) -> float:
    """The number behind a value: dates as Excel serials, booleans 0/1, NaN for text and errors."""
    if isinstance(value, dt.datetime):
        return float(to_excel(value))
    return float(value) if isinstance(value, int | float) else np.nan


def style_of(keys: Mapping[str, Any], *, untyped: bool = False) -> Style:
    """A record's style keys as a Style; absent keys are Excel's defaults."""
    return _style(tuple(item for item in keys.items() if item[0] not in NO_STYLE), untyped)


@lru_cache(maxsize=65536)
def _style(items: tuple[tuple[str, Any], ...], untyped: bool) -> Style:
    keys = dict(items)
    number_format = keys.get("num_fmt", "General")
    return Style(
        bold=bool(keys.get("bold")),
        italic=bool(keys.get("italic")),
        size=float(keys.get("size", 0.0)),
        color=rgb(keys.get("color", "")),
        fill=rgb(keys.get("fill", "")),
        indent=int(keys.get("indent", 0)),
        align=keys.get("align", ""),
        wrap=bool(keys.get("wrap")),
        border=keys.get("border", ""),
        number_format="General" if untyped and set(number_format) <= {"0", "."} else number_format,
    )


def _filled(cell: Sequence[Any]) -> bool:
    return bool(not isinstance(cell[2], str) or cell[2].strip() or cell[4].get("formula"))


def _covered(merges: Ints) -> set[tuple[int, int]]:
    return {
        (row, col)
        for top, left, bottom, right in merges.tolist()
        for row in range(top, bottom)
        for col in range(left, right)
        if (row, col) != (top, left)
    }


def _objects(items: Sequence[object]) -> Objects:
    array = np.empty(len(items), object)
    array[:] = items
    return array
