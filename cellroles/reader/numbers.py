"""Number format and numbers -> the texts Excel shows, fast for the common formats."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
Slow = Callable[[float, str], str]

TOKEN = re.compile(r'"[^"]*"?|\\.?|[_*].?|\[[^\]]*\]?|.', re.DOTALL)
CORE = re.compile(r"((?:#[#,]*)?)(0+)(?:\.(0+))?(,*)")
COLOR = re.compile(r"\[(?:black|blue|cyan|green|magenta|red|white|yellow|color ?\d+)\]", re.IGNORECASE)
CURRENCY = re.compile(r"\[\$([^\]-]*)(?:-[^\]]*)?\]")
PLAIN = set(" $-+/():!^&'~{}<>=€£¥%")
# Excel rounds the decimal number with 15 digits half up; two units in the last place lift a binary tie over the half.
HALF_UP = 1 + 2 * float(np.finfo(np.float64).eps)
EXACT = 1e14


@dataclass(frozen=True, slots=True)
class Pattern:
    """One section of a number format: literals around a number with `places` decimals, scaled by `factor`."""

    prefix: str
    suffix: str
    spec: str
    places: int
    factor: float

    def texts(self, magnitudes: Numbers) -> list[str]:
        """The texts of non-negative numbers."""
        spec, prefix, suffix = self.spec, self.prefix, self.suffix
        texts = [format(value, spec) for value in (magnitudes * (self.factor * HALF_UP)).tolist()]
        return [f"{prefix}{text}{suffix}" for text in texts] if prefix or suffix else texts


def tokens(number_format: str) -> list[str]:
    """A number format cut into quoted, escaped, padding, bracketed and single characters."""
    return TOKEN.findall(number_format)


@lru_cache(maxsize=4096)
def sections(number_format: str) -> tuple[str, ...]:
    """The up to four sections of a number format: positive, negative, zero, text.

    >>> sections('0.0;"a;b"0')
    ('0.0', '"a;b"0')
    """
    found = [""]
    for token in tokens(number_format):
        if token == ";":
            found.append("")
        else:
            found[-1] += token
    return tuple(found[:4])


def literal(token: str) -> str | None:
    """What a token shows by itself: padding is a space, fill and colours nothing; None for a placeholder."""
    first = token[0]
    if first == '"':
        return token.strip('"')
    if first == "\\":
        return token[1:]
    if first in "_*":
        return " " if first == "_" else ""
    if first == "[":
        currency = CURRENCY.fullmatch(token)
        return currency[1] if currency else "" if COLOR.fullmatch(token) else None
    return token if token in PLAIN else None


def pattern(section: str) -> Pattern | None:
    """A section as literals around one plain number; None for anything else (fraction, exponent, `?`, words)."""
    parts, core = ["", ""], ""
    percents = 0
    for token in tokens(section):
        shown = literal(token)
        if shown is None and token in "#0.,":
            if parts[1]:
                return None
            core += token
        elif shown is None:
            return None
        else:
            percents += token == "%"
            parts[bool(core)] += shown
    match = CORE.fullmatch(core)
    if match is None or ("," in match[1] and len(match[2]) > 1):
        return None
    places, digits = len(match[3] or ""), len(match[2])
    width = f"0{digits + places + (places > 0)}" if digits > 1 else ""
    spec = f"{width}{',' if ',' in match[1] else ''}.{places}f"
    return Pattern(parts[0], parts[1], spec, places, 100.0**percents / 1000.0 ** len(match[4]))


@lru_cache(maxsize=4096)
def _patterns(number_format: str) -> tuple[Pattern, Pattern, bool] | None:
    """The patterns of positive and negative numbers, and whether the negative one writes its own sign."""
    parts = sections(number_format)
    if any("[<" in part or "[>" in part or "[=" in part for part in parts):
        return None
    numeric = parts[:3] if len(parts) == 4 or "@" not in parts[-1] else parts[:-1]
    positive = pattern(numeric[0]) if numeric else None
    negative = pattern(numeric[1]) if len(numeric) > 1 else positive
    return None if positive is None or negative is None else (positive, negative, len(numeric) > 1)


def number_texts(values: Numbers, number_format: str, slow: Slow) -> list[str]:
    """The texts of distinct finite numbers under one format; `slow` renders what is not common.

    Outer spaces, which a format writes to align columns, are stripped.
    """
    if number_format.lower() in ("general", "@", ""):
        return general_texts(values, slow)
    patterns = _patterns(number_format)
    if patterns is None:
        return [slow(value, number_format) for value in values.tolist()]
    positive, negative, own_sign = patterns
    texts = np.empty(len(values), object)
    magnitudes = np.abs(values)
    for below, shape in ((False, positive), (True, negative)):
        unit = shape.factor * 10.0**shape.places
        chosen = np.flatnonzero(((values < 0) == below) & (values != 0) & (magnitudes * unit < EXACT))
        shown = shape.texts(magnitudes[chosen])
        if below and not own_sign:
            gone = magnitudes[chosen] * (unit * HALF_UP) < 0.5
            shown = [text if zero else f"-{text}" for text, zero in zip(shown, gone.tolist(), strict=True)]
        texts[chosen] = [text.strip() for text in shown] if shape.prefix or shape.suffix else shown
    return _filled(texts, values, number_format, slow)


def general_texts(values: Numbers, slow: Slow) -> list[str]:
    """The texts of distinct finite numbers under `General`: at most 11 characters beside the sign.

    >>> general_texts(np.array([3.0, 0.1 + 0.2, -1234.56789012, 9999999999.9]), str)
    ['3', '0.3', '-1234.56789', '10000000000']
    """
    texts = np.empty(len(values), object)
    magnitudes = np.abs(values)
    whole = (magnitudes < 99999999999.5) & ((values == np.rint(values)) | (magnitudes >= 9999999999.5))
    wide = ~whole & (magnitudes >= 1) & (magnitudes < 9999999999.5)
    small = ~whole & (magnitudes >= 1e-4) & (magnitudes < 1)
    texts[whole] = ["%d" % value for value in np.rint(values[whole]).tolist()]  # noqa: UP031 - a third faster here
    texts[wide] = ["%.10g" % value for value in values[wide].tolist()]  # noqa: UP031
    texts[small] = [("%.9f" % value).rstrip("0").rstrip(".") for value in values[small].tolist()]  # noqa: UP031
    return _filled(texts, values, "General", slow)


def _filled(texts: NDArray[np.object_], values: Numbers, number_format: str, slow: Slow) -> list[str]:
    return [
        slow(value, number_format) if text is None else text for text, value in zip(texts, values.tolist(), strict=True)
    ]
