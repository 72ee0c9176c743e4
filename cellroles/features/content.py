"""Cells -> content features: what kind of value a cell holds and what its text looks like."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cellroles.features.text import DIGITS
from cellroles.features.words import NOTE, TOTAL, UNIT
from cellroles.sheet import Bytes, Floats, Ints, Kind, Part, Sheet

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
_NOT_NUMBER = re.compile(r"[^\d.,]")
_NEGATIVE = re.compile(r"\s*[$€£¥]?\s*[(\-−]")
_LEAD = re.compile(r"[\s>\-–—•·*.…]*")
_ENUMERATOR = re.compile(r"\s*(?:\(?(\d+(?:\.\d+)*)[.)]?|[A-Za-z][.)]|[IVXivx]+[.)])\s+\S")


def kinds(sheet: Sheet, part: Part = slice(None)) -> Bytes:
    """The kind of every cell of `part`, shape (k,); an uncached formula counts as the number that it most likely is."""
    return np.where(sheet.uncached[part], np.uint8(Kind.NUMBER), sheet.kind[part])


@dataclass(frozen=True, slots=True, eq=False)
class StringTable:
    """The distinct strings of a sheet: keys (d,), features (d, 12), and the id of each cell's string (n,).

    Strings that differ in digits alone are one (`Branch 99`), and a number's string is the shape of what is shown (its
    format and digits before the point), so that strings stay few. `repeats` (n,) counts the cells with the very same
    text, or number of the same shape; `exact` (n,) numbers those texts and shapes. `amounts` (n,) holds the number that
    a text stands for (`1 204`), nan elsewhere.
    """

    keys: list[str]
    features: Floats
    id: Ints
    exact: Ints
    repeats: Ints
    amounts: NDArray[np.float64]

    @classmethod
    def of(cls, sheet: Sheet) -> StringTable:
        """Collect the strings of the text cells and the shapes of the others."""
        kind = kinds(sheet)
        numeric = (kind == Kind.NUMBER) | (kind == Kind.DATE)
        exact = np.zeros(len(sheet), np.int32)
        texts: dict[str, int] = {}
        exact[~numeric] = [texts.setdefault(text, len(texts)) for text in sheet.text[~numeric]]
        exact[numeric], shapes = _shapes(sheet, np.flatnonzero(numeric), len(texts))
        amounts = np.full(len(sheet), np.nan)
        amounts[~numeric] = np.array([amount_of(text) for text in texts], np.float64)[exact[~numeric]]
        masks: dict[str, int] = {}
        mask_of = [masks.setdefault(text.translate(DIGITS), len(masks)) for text in texts]
        ids = np.array([*mask_of, *range(len(masks), len(masks) + len(shapes))], np.int32)
        blank = (0.0,) * len(STRING_FEATURES)
        features = np.array([*map(string_features, masks), *[blank] * len(shapes)], np.float32)
        count = np.bincount(exact, minlength=len(ids)).astype(np.int32)
        features = features.reshape(-1, len(STRING_FEATURES))
        return cls([*masks, *shapes], features, ids[exact], exact, count[exact], amounts)


def amount_of(text: str) -> float:
    """The number that a text stands for, nan for none; a mark before exactly three last digits parts thousands.

    >>> [amount_of(text) for text in ("1 204", "-1,204.5", "(35)", "3,5", "about 9", "")]
    [1204.0, -1204.5, -35.0, 3.5, nan, nan]
    """
    if not _NUMERIC.fullmatch(text):
        return float("nan")
    digits = _NOT_NUMBER.sub("", text).rstrip(".,")
    whole, mark, decimals = digits, "", ""
    if last := max(digits.rfind("."), digits.rfind(",")) + 1:
        whole, mark, decimals = digits[: last - 1], digits[last - 1], digits[last:]
    if mark and (mark in whole or (mark == "," and len(decimals) == 3)):
        whole, decimals = whole + decimals, ""
    amount = float(f"{re.sub('[.,]', '', whole) or 0}.{decimals or 0}")
    return -amount if _NEGATIVE.match(text) else amount


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


def content_features(sheet: Sheet, strings: StringTable, part: Part) -> Floats:
    """Content features of the cells of `part`, shape (k, 19)."""
    number = np.nan_to_num(sheet.number[part])
    kind = kinds(sheet, part)
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
        np.log1p(strings.repeats[part]) / 6,
    )
    return np.concatenate(
        [strings.features[strings.id[part]], np.stack(columns, axis=1).astype(np.float32)], axis=1, dtype=np.float32
    )
