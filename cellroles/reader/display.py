"""Values and number formats -> what Excel shows; the only module that touches `xlfmt`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from openpyxl.styles.numbers import is_date_format
from openpyxl.utils.datetime import MAC_EPOCH, WINDOWS_EPOCH, from_excel, to_excel
from xlfmt import format_value

from cellroles.reader.dates import BEYOND, SHIFT_1904, date_texts, first_serial
from cellroles.reader.numbers import number_texts, sections
from cellroles.sheet import Bools, Bytes, Ints, Kind, Objects

# xlfmt takes a locale without a currency (`[$-409]`) for a dollar sign.
LOCALE = re.compile(r"\[\$-[^\]]*\]")
# What an exception in a young third-party renderer may be is not ours to know: any one means "show the raw value".
FAILED = Exception


@dataclass(frozen=True, slots=True)
class Shown:
    """The texts of distinct numbers under one format; `raw` marks those that the format could not show."""

    texts: list[str]
    raw: NDArray[np.bool_]


is_date = lru_cache(maxsize=4096)(is_date_format)


def display_text(value: object, number_format: str = "General", *, date1904: bool = False) -> str:
    """What Excel shows for one value; the raw value as text where the format cannot be applied.

    >>> display_text(0.0213, "0.0%"), display_text(1234567, '#,##0.0,,"M"'), display_text(0.1 + 0.2)
    ('2.1%', '1.2M', '0.3')
    >>> display_text(datetime(2024, 3, 1), "d-mmm-yy"), display_text(True), display_text("#REF!")
    ('1-Mar-24', 'TRUE', '#REF!')
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, str):
        return text_shown(value, number_format)
    if isinstance(value, date | time | timedelta):
        value = to_excel(value, MAC_EPOCH if date1904 else WINDOWS_EPOCH)
    return numbers_shown(np.array([float(value)]), number_format, date1904).texts[0]  # type: ignore[arg-type]


def display_texts(
    value: Objects, kind: Bytes, number: NDArray[np.float64], style: Ints, formats: list[str], date1904: bool = False
) -> tuple[Objects, Bools]:
    """The texts of n cells, and whether each is the raw value because its format could not show it.

    `value`, `kind`, `number` and `style` have shape (n,); `formats[style[i]]` is the number format of cell i.
    """
    text, raw = value.copy(), np.zeros(len(value), np.bool_)
    for is_true, shown in ((1.0, "TRUE"), (0.0, "FALSE")):
        text[(kind == Kind.BOOL) & (number == is_true)] = shown
    names = sorted(set(formats))
    position = {name: i for i, name in enumerate(names)}
    format_of = np.array([position[name] for name in formats], np.int64)[style]
    numeric = (kind == Kind.NUMBER) | (kind == Kind.DATE)
    for name, cells in _groups(names, format_of, numeric):
        distinct, inverse = np.unique(number[cells], return_inverse=True)
        shown_as = numbers_shown(distinct, name, date1904)
        text[cells] = np.array(shown_as.texts, object)[inverse]
        raw[cells] = shown_as.raw[inverse]
    decorating = np.array([text_section(name) is not None for name in names], np.bool_)
    for i in np.flatnonzero((kind == Kind.TEXT) & decorating[format_of]):
        text[i] = text_shown(value[i], names[format_of[i]])
    return text, raw


def _groups(names: list[str], format_of: NDArray[np.int64], chosen: Bools) -> list[tuple[str, NDArray[np.int64]]]:
    """The indices of the chosen cells under each number format that occurs among them."""
    cells = np.flatnonzero(chosen)
    order = cells[np.argsort(format_of[cells], kind="stable")]
    if not len(order):
        return []
    starts = np.flatnonzero(np.diff(format_of[order])) + 1
    return [(names[format_of[group[0]]], group) for group in np.split(order, starts)]


def numbers_shown(values: NDArray[np.float64], number_format: str, date1904: bool = False) -> Shown:
    """Distinct finite numbers (dates as serials) as Excel shows them; out of a date format's range the raw number."""
    failed: set[float] = set()

    def slow(value: float, form: str) -> str:
        try:
            return rendered(value, form, date1904)
        except FAILED:
            failed.add(value)
            return display_text(value) if form != "General" else repr(value)

    if not is_date(number_format):
        texts = number_texts(values, number_format, slow)
        return Shown(texts, np.isin(values, list(failed)))
    shift = SHIFT_1904 * date1904
    inside = (values >= 0) & (values + shift < BEYOND)
    shown = np.empty(len(values), object)
    shown[~inside] = number_texts(values[~inside], "General", slow)
    quick = inside & (values + shift >= first_serial(number_format))
    texts_of = date_texts(values[quick], number_format, date1904)
    slow_ones = inside if texts_of is None else inside & ~quick
    if texts_of is not None:
        shown[quick] = texts_of
    shown[slow_ones] = [slow(value, number_format) for value in values[slow_ones].tolist()]
    return Shown(list(shown), ~inside | np.isin(values, list(failed)))


@lru_cache(maxsize=65536)
def rendered(value: float, number_format: str, date1904: bool = False) -> str:
    """One number of 15 digits (what Excel keeps) as `xlfmt` shows it, stripped; raises what xlfmt raises."""
    return str(format_value(float(f"{value:.15g}"), LOCALE.sub("", number_format), date1904)).strip()


@lru_cache(maxsize=4096)
def text_section(number_format: str) -> str | None:
    """The section of a number format that changes how text is shown; None if text is shown as it is."""
    parts = sections(number_format)
    if len(parts) < 4 and "@" not in parts[-1]:
        return None
    section = parts[-1]
    return None if section.strip().lower() in ("@", "general", "_(@_)", "_-@_-") else section


def text_shown(value: str, number_format: str) -> str:
    """A string under a number format: unchanged but for the rare formats whose text section adds or hides."""
    if text_section(number_format) is None:
        return value
    try:
        return str(format_value(value, number_format)).strip()
    except FAILED:
        return value


def date_value(serial: float, date1904: bool, elapsed: bool) -> datetime | time | timedelta | None:
    """A serial as a moment, or as a duration for elapsed formats; None outside Excel's calendar."""
    if not 0 <= serial + SHIFT_1904 * date1904 < BEYOND:
        return None
    moment: datetime | time | timedelta = from_excel(serial, MAC_EPOCH if date1904 else WINDOWS_EPOCH, elapsed)
    return moment
