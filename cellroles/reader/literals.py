"""Text that stands for a value (CSV, HTML) -> typed value; careful: what could be a name or a code stays text.

Numbers keep no leading zeros and no plus sign alone, exponents need a sign or a decimal mark, dates whose day and month
could be swapped are read only where others in the file say which comes first, and more than 15 digits
are an identifier.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, time

from cellroles.reader.raw import ERRORS
from cellroles.sheet import Style

CURRENCY = "$€£¥₹₽₩₺₪฿"
SPACES = "[ \u00a0\u202f\u2009']"
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
MONTH_NAME = "(?P<name>(?:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)[a-z]*)\\.?"
CLOCK = r"(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2})(?:\.\d+)?)?"
# Day first, month first and year first; `/` alone leaves open whether the day or the month is first.
DATES = tuple(
    re.compile(rf"{form}(?:[ T]+{CLOCK}Z?)?", re.IGNORECASE)
    for form in (
        r"(?P<year>\d{4})[-/.](?P<month>\d{1,2})[-/.](?P<day>\d{1,2})",
        r"(?P<day>\d{1,2})\.(?P<month>\d{1,2})\.(?P<year>\d{4})",
        rf"(?P<day>\d{{1,2}})[- ]{MONTH_NAME}[- ,]+(?P<year>\d{{4}}|\d{{2}})",
        rf"{MONTH_NAME} (?P<day>\d{{1,2}}),? (?P<year>\d{{4}})",
        rf"{MONTH_NAME}[- ](?P<year>\d{{4}}|\d{{2}})",
    )
)
SLASHED = re.compile(rf"(?P<one>\d{{1,2}})[/-](?P<two>\d{{1,2}})[/-](?P<year>\d{{4}})(?: +{CLOCK})?")
TIME = re.compile(CLOCK)
NUMBER_START = re.compile(rf"[-+−(]?\s?[{CURRENCY}]?\s?[-−]?[.,]?\d")
BOOLS = {"true": True, "false": False}
MAX_DIGITS = 15


@dataclass(frozen=True, slots=True)
class Locale:
    """How a file writes numbers and dates: its decimal mark, and whether the day comes before the month."""

    decimal: str = "."
    day_first: bool | None = None


def number_pattern(decimal: str) -> re.Pattern[str]:
    """A number with that decimal mark, in groups of three or not, with currency, percent or accounting brackets."""
    group = f"(?:{SPACES}|{re.escape(',' if decimal == '.' else '.')})"
    mark = re.escape(decimal)
    return re.compile(
        rf"(?P<open>\()?\s?(?P<sign>[-+−])?\s?(?P<before>[{CURRENCY}])?\s?(?P<inner>-)?"
        rf"(?P<whole>0|[1-9]\d*|[1-9]\d{{0,2}}(?:{group}\d{{3}})+)?(?P<decimals>{mark}\d*)?"
        rf"(?P<exponent>[eE][-+]?\d{{1,3}})?\s?(?P<after>[{CURRENCY}%])?(?P<close>\))?"
    )


NUMBERS = {decimal: number_pattern(decimal) for decimal in ".,"}


def typed(text: str, locale: Locale) -> tuple[object, Style]:
    """The value that a text stands for, the text itself where it is one, and a style with its number format.

    >>> [typed(t, Locale())[0] for t in ("1,234.50", "007", "12.5%", "2024-03-01", "(3)", "+49123", "1E5", "=1+1")]
    [1234.5, '007', 0.125, datetime.date(2024, 3, 1), -3.0, '+49123', '1E5', '=1+1']
    >>> typed("1.234,5 €", Locale(decimal=","))[0], typed("3/1/2024", Locale(day_first=True))[0]
    (1234.5, datetime.date(2024, 1, 3))
    """
    stripped = text.strip()
    if not stripped or len(stripped) > 40:
        return text, PLAIN
    if NUMBER_START.match(stripped):
        found = _number(stripped, locale) or _moment(stripped, locale)
        if found:
            return found
    elif stripped[:3].lower() in MONTHS and (found := _moment(stripped, locale)):
        return found
    if stripped.lower() in BOOLS:
        return BOOLS[stripped.lower()], PLAIN
    return (stripped if stripped.upper() in ERRORS else text), PLAIN


PLAIN = Style()


def _number(text: str, locale: Locale) -> tuple[object, Style] | None:
    match = NUMBERS[locale.decimal].fullmatch(text)
    if match is None or bool(match["open"]) != bool(match["close"]):
        return None
    whole, decimals = re.sub(r"\D", "", match["whole"] or ""), (match["decimals"] or "")[1:]
    exponent, after = match["exponent"] or "", match["after"] or ""
    if not whole + decimals or len(whole.lstrip("0") + decimals) > MAX_DIGITS:
        return None
    # A bare plus is how telephone numbers start; a bare exponent is how codes look (1E5).
    if (match["sign"] == "+" and not (decimals or after == "%")) or (exponent[1:].isdigit() and not decimals):
        return None
    value = float(f"{whole or 0}.{decimals or 0}{exponent}")
    negative = (match["sign"] in ("-", "−")) + bool(match["inner"]) + bool(match["open"])
    if negative > 1 or value - value != 0:
        return None
    value = -value if negative else value
    grouped = match["whole"] is not None and not match["whole"].isdigit()
    places = f".{'0' * len(decimals)}" if decimals else ""
    if after == "%":
        return round(value / 100, len(decimals) + 2), Style(number_format=f"0{places}%")
    symbol = match["before"] or after
    if exponent or not (grouped or places or symbol):
        return value, Style(number_format="0.00E+00") if exponent else PLAIN
    number = f"{'#,##0' if grouped else '0'}{places}"
    return value, Style(number_format=f'"{symbol}"{number}' if symbol else number)


def _moment(text: str, locale: Locale) -> tuple[object, Style] | None:
    for pattern in DATES:
        if match := pattern.fullmatch(text):
            parts = match.groupdict()
            named = parts.get("name")
            month = MONTHS.index(named[:3].lower()) + 1 if named else int(parts["month"])
            return _dated(parts, _year(parts["year"]), month, int(parts.get("day") or 1), bool(parts.get("day")))
    if (match := SLASHED.fullmatch(text)) and locale.day_first is not None:
        first, second = int(match["one"]), int(match["two"])
        day, month = (first, second) if locale.day_first else (second, first)
        return _dated(match.groupdict(), int(match["year"]), month, day)
    match = TIME.fullmatch(text)
    if match is None or int(match["hour"]) > 23 or int(match["minute"]) > 59 or int(match["second"] or 0) > 59:
        return None
    moment = time(int(match["hour"]), int(match["minute"]), int(match["second"] or 0))
    return moment, Style(number_format="hh:mm:ss" if match["second"] else "hh:mm")


def _year(text: str) -> int:
    """Two digits mean 1930 to 2029, as Excel reads them."""
    return int(text) if len(text) > 2 else int(text) + (2000 if int(text) < 30 else 1900)


def _dated(
    parts: dict[str, str | None], year: int, month: int, day: int, whole: bool = True
) -> tuple[object, Style] | None:
    try:
        if parts.get("hour") is None:
            return date(year, month, day), Style(number_format="yyyy-mm-dd" if whole else "mmm-yy")
        hour, minute, second = (int(parts[name] or 0) for name in ("hour", "minute", "second"))
        return datetime(year, month, day, hour, minute, second), Style(number_format="yyyy-mm-dd hh:mm:ss")
    except ValueError:
        return None


def locale_of(texts: Iterable[str]) -> Locale:
    """The decimal mark and the order of dates that most of the distinct texts speak for.

    `12,5` and `1,2345` speak for a comma, `1,234` for neither; a date for the day first if its first number is over 12.

    >>> locale_of(["1,5", "2.000,25", "31/12/2024"]), locale_of(["1,500", "2.5"])
    (Locale(decimal=',', day_first=True), Locale(decimal='.', day_first=None))
    """
    commas = points = day = month = 0
    for text in texts:
        if match := DECIMAL.fullmatch(text.strip().rstrip("%" + CURRENCY).strip()):
            commas += match["mark"] == ","
            points += match["mark"] == "."
        elif match := SLASHED.fullmatch(text.strip()):
            day += int(match["one"]) > 12
            month += int(match["two"]) > 12
    return Locale("," if commas > points else ".", None if bool(day) == bool(month) else bool(day))


# A mark that cannot divide groups of three: other than three digits follow, or another mark stands before it.
DECIMAL = re.compile(
    rf"[-+−(]?[{CURRENCY}]?\s?(?:\d{{1,3}}(?:[.,' \u00a0\u202f]\d{{3}})*|\d+|)(?P<mark>[.,])(?:\d{{1,2}}|\d{{4,}})\)?"
)
