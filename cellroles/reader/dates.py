"""Date format and serials -> the texts Excel shows; formats with more than date and time fields are left to others."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import repeat

import numpy as np
from numpy.typing import NDArray

from cellroles.reader.numbers import literal, sections

FIELD = re.compile(
    r'"[^"]*"?|\\.?|[_*].?|\[(?:h+|m+|s+)\]|\[[^\]]*\]?|y+|m+|d+|h+|s+(?:\.0+)?|am/pm|a/p|a{3,4}|.',
    re.IGNORECASE | re.DOTALL,
)
TIMED = re.compile(r"y+|m+|d+|h+|s+(?:\.0+)?|am/pm|a/p|\[(?:h+|m+|s+)\]")
WEEKDAYS = {"aaa": "ddd", "aaaa": "dddd"}
ELAPSED = {"[h": 3600, "[m": 60, "[s": 1}
MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
DAYS = ["Thursday", "Friday", "Saturday", "Sunday", "Monday", "Tuesday", "Wednesday"]  # 1970-01-01 was a Thursday
UNIX_EPOCH_SERIAL = 25569
# The first serial after the leap day 1900-02-29 that Excel invents, and the first beyond 9999-12-31.
FIRST, BEYOND = 61, 2958466
SHIFT_1904 = 1462


@dataclass(frozen=True, slots=True)
class Clock:
    """The parts of moments as integers, arrays of one length: `ticks` are `per_second` to the second."""

    days: NDArray[np.int64]
    ticks: NDArray[np.int64]
    per_second: int

    @property
    def second(self) -> NDArray[np.int64]:
        """Whole seconds since midnight."""
        return self.ticks // self.per_second


@lru_cache(maxsize=4096)
def date_fields(number_format: str) -> tuple[str, ...] | None:
    """The fields and literals of a date format, `M` for minutes; None if it holds what is no date or time field.

    >>> date_fields("d-mmm-yy h:mm;@")
    ('d', '=-', 'mmm', '=-', 'yy', '= ', 'h', '=:', 'MM')
    """
    parts = sections(number_format)
    if len(parts) > 2 or (len(parts) == 2 and parts[1].strip() != "@"):
        return None
    fields = []
    for token in FIELD.findall(parts[0]):
        low = WEEKDAYS.get(token.lower(), token.lower())
        shown = token if token in ".," else "" if token == "@" or low.startswith("[$") else literal(token)
        if TIMED.fullmatch(low):
            fields.append(low)
        elif shown is None:
            return None
        else:
            fields.append(f"={shown}")
    return tuple(_minutes(fields))


def first_serial(number_format: str) -> int:
    """The first serial that `date_texts` can show under a format: 0 if it has no calendar fields."""
    return FIRST if any(field[0] in "ymd" for field in date_fields(number_format) or ()) else 0


def _minutes(fields: list[str]) -> list[str]:
    """An `m` beside hours before it or seconds after it is a minute."""
    timed = [i for i, field in enumerate(fields) if field[0] not in "=a"]
    out = list(fields)
    for before, i, after in zip([None, *timed], timed, [*timed[1:], None], strict=False):
        follows = before is not None and fields[before].lstrip("[")[0] == "h"
        leads = after is not None and fields[after].lstrip("[")[0] == "s"
        if fields[i] in ("m", "mm") and (follows or leads):
            out[i] = fields[i].upper()
    return out


def date_texts(serials: NDArray[np.float64], number_format: str, date1904: bool) -> list[str] | None:
    """The texts of serials in [`first_serial`, 2958466) (1900 system); None where the format needs another renderer.

    A time is rounded to what its seconds show and cut, not rounded, to minutes or hours; a date without a time is cut.
    """
    fields = date_fields(number_format)
    if not fields or not len(serials):
        return None
    clock = _clock(serials + SHIFT_1904 * date1904, fields)
    origin = SHIFT_1904 * date1904
    columns = [
        repeat(field[1:], len(serials)) if field[0] == "=" else _column(field, fields, clock, origin)
        for field in fields
    ]
    return ["".join(parts).strip() for parts in zip(*columns, strict=True)]


def _clock(serials: NDArray[np.float64], fields: tuple[str, ...]) -> Clock:
    timed = any(field[0] in "hsaM[" for field in fields)
    decimals = max((len(field.partition(".")[2]) for field in fields if field[0] == "s"), default=0)
    per_second = 10**decimals
    if timed:
        days, ticks = np.divmod(np.floor(serials * (86400 * per_second) + 0.5).astype(np.int64), 86400 * per_second)
    else:
        days = np.floor(serials).astype(np.int64)
        ticks = np.zeros_like(days)
    return Clock(days, ticks, per_second)


def _column(field: str, fields: tuple[str, ...], clock: Clock, origin: int) -> list[str]:
    """One field of every moment."""
    if field[0] in "ymd":
        return _calendar(field, clock)
    if field[:2] in ELAPSED:
        return _padded(((clock.days - origin) * 86400 + clock.second) // ELAPSED[field[:2]], len(field) - 2)
    hour = clock.second // 3600
    if field[0] == "a":
        names = ("AM", "PM") if field == "am/pm" else ("A", "P")
        return [names[late] for late in (hour >= 12).tolist()]
    if field[0] == "h":
        return _padded((hour + 11) % 12 + 1 if any(f[0] == "a" for f in fields) else hour, len(field))
    if field[0] == "M":
        return _padded(clock.second // 60 % 60, len(field))
    width, decimals = (len(part) for part in field.partition(".")[::2])
    seconds = _padded(clock.second % 60, width)
    if not decimals:
        return seconds
    parts = _padded(clock.ticks % clock.per_second, len(str(clock.per_second)) - 1)
    return [f"{second}.{part[:decimals]}" for second, part in zip(seconds, parts, strict=True)]


def _calendar(field: str, clock: Clock) -> list[str]:
    days = (clock.days - UNIX_EPOCH_SERIAL).astype("datetime64[D]")
    months = days.astype("datetime64[M]")
    kind, length = field[0], len(field)
    if kind == "y":
        years = days.astype("datetime64[Y]").astype(np.int64) + 1970
        return _padded(years % 100, 2) if length <= 2 else _padded(years, 4)
    if kind == "m":
        month = months.astype(np.int64) % 12
        return _padded(month + 1, length) if length <= 2 else _named(MONTHS, month, {3: 3, 5: 1}.get(length))
    if length <= 2:
        return _padded((days - months.astype("datetime64[D]")).astype(np.int64) + 1, length)
    return _named(DAYS, days.astype(np.int64) % 7, 3 if length == 3 else None)


def _named(names: list[str], numbers: NDArray[np.int64], letters: int | None) -> list[str]:
    short = [name[:letters] for name in names]
    return [short[number] for number in numbers.tolist()]


def _padded(numbers: NDArray[np.int64], width: int) -> list[str]:
    return [f"{number:0{width}d}" for number in numbers.tolist()] if width > 1 else [str(n) for n in numbers.tolist()]
