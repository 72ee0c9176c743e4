"""Cells -> content features: what kind of value a cell holds and what its text looks like."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cellroles.features.words import NOTE, TOTAL, UNIT
from cellroles.sheet import Floats, Ints, Kind, Sheet

STRING_FEATURES = (
    "length",
    "words",
    "digit_share",
    "upper_share",
    "bracket",
    "total_word",
    "note_word",
    "unit_word",
    "placeholder",
    "numeric_text",
    "leading_marks",
    "enumerator_depth",
)
CONTENT = (
    *STRING_FEATURES,
    "text",
    "number",
    "date",
    "year",
    "magnitude",
    "integer",
    "repeats",
)
_NUMERIC = re.compile(r"\s*[($€£¥+\-−]*\s*\d[\d.,'\s]*\s*[%)€£]*\s*")
_LEAD = re.compile(r"[\s>\-–—•·*.…]*")
_ENUMERATOR = re.compile(r"\s*(?:\(?(\d+(?:\.\d+)*)[.)]?|[A-Za-z][.)]|[IVXivx]+[.)])\s+\S")


@dataclass(frozen=True, slots=True, eq=False)
class StringTable:
    """The distinct strings of a sheet: keys (d,), features (d, 12), counts (d,), and the id of each cell's string (n,).

    A number's string is the shape of what is shown (its format and digits before the point), so that strings stay few.
    """

    keys: list[str]
    features: Floats
    count: Ints
    id: Ints

    @classmethod
    def of(cls, sheet: Sheet) -> StringTable:
        """Collect the strings of the text cells and the shapes of the others."""
        table: dict[str, int] = {}
        ids = np.zeros(len(sheet), np.int32)
        texts = np.flatnonzero((sheet.kind == Kind.TEXT) | (sheet.kind == Kind.ERROR) | (sheet.kind == Kind.BOOL))
        ids[texts] = [table.setdefault(text, len(table)) for text in sheet.text[texts]]
        features = [string_features(text) for text in table]
        numbers = np.flatnonzero((sheet.kind == Kind.NUMBER) | (sheet.kind == Kind.DATE))
        ids[numbers], shapes = _shapes(sheet, numbers, len(table))
        features += [(0.0,) * len(STRING_FEATURES)] * len(shapes)
        matrix = np.array(features, np.float32).reshape(len(features), len(STRING_FEATURES))
        return cls([*table, *shapes], matrix, np.bincount(ids, minlength=len(features)).astype(np.int32), ids)


def _shapes(sheet: Sheet, cells: NDArray[np.intp], first: int) -> tuple[Ints, list[str]]:
    """Ids from `first` on, and the strings: the shape of a number, `#,##0.00 9999` for 1234.5 in that format."""
    if not len(cells):
        return np.zeros(0, np.int32), []
    size = np.log10(np.maximum(np.abs(np.nan_to_num(sheet.number[cells])), 1)).astype(np.int64).clip(0, 15)
    whole = np.nan_to_num(sheet.number[cells]) % 1 == 0
    key = (sheet.style[cells].astype(np.int64) * 16 + size) * 2 + whole
    distinct, ids = np.unique(key, return_inverse=True)
    formats = [sheet.styles[int(k) // 32].number_format for k in distinct]
    shapes = ["9" * (int(k) // 2 % 16 + 1) + ("" if k % 2 else ".9") for k in distinct]
    return (ids + first).astype(np.int32), [f"{form} {shape}" for form, shape in zip(formats, shapes, strict=True)]


def string_features(text: str) -> tuple[float, ...]:
    """The features of one string, in the order of STRING_FEATURES, each about [0, 1]."""
    words = text.split()
    size = max(len(text), 1)
    alphabetic = sum(map(str.isalpha, text[:80]))
    match = _ENUMERATOR.match(text)
    lead = _LEAD.match(text)
    return (
        min(np.log1p(len(text)) / 5, 1.5),
        min(len(words) / 12, 2.0),
        sum(map(str.isdigit, text[:80])) / min(size, 80),
        sum(map(str.isupper, text[:80])) / max(alphabetic, 1),
        float("(" in text or "[" in text or "（" in text),
        float(TOTAL.search(text) is not None),
        float(NOTE.match(text) is not None),
        float(UNIT.search(text) is not None),
        float(
            not any(map(str.isalnum, text)) or text.strip().casefold() in {"n/a", "na", "nd", "n.a.", "x", "xx", "xxx"}
        ),
        float(_NUMERIC.fullmatch(text) is not None),
        min((lead.end() if lead else 0) / 8, 1.5),
        0.0 if match is None else (1 + (match.group(1) or "").count(".")) / 3,
    )


def content_features(sheet: Sheet, strings: StringTable, part: slice) -> Floats:
    """Content features of the cells of `part`, shape (k, 19)."""
    kind, number = sheet.kind[part], np.nan_to_num(sheet.number[part])
    numeric = kind == Kind.NUMBER
    whole = number % 1 == 0
    year = numeric & whole & (number >= 1900) & (number <= 2100)
    columns = (
        kind == Kind.TEXT,
        numeric,
        kind == Kind.DATE,
        year,
        np.where(numeric, np.sign(number) * np.log1p(np.minimum(np.abs(number), 1e15)) / 12, 0),
        numeric & whole,
        np.log1p(strings.count[strings.id[part]]) / 6,
    )
    return np.concatenate(
        [strings.features[strings.id[part]], np.stack(columns, axis=1).astype(np.float32)], axis=1, dtype=np.float32
    )
