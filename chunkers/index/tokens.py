"""Text -> the words that an index of words counts: numbers whole, Chinese, Japanese and Korean as pairs of letters."""

from __future__ import annotations

import re
import unicodedata

_CJK = (
    "\u3005-\u3007\u3041-\u30fa\u30fc-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
)
_TOKEN = re.compile(rf"[{_CJK}]+|\d+(?:[.,:/-]\d+)*|[^\W\d_{_CJK}]+")
_IS_CJK = re.compile(f"[{_CJK}]")


def tokenize(text: str) -> list[str]:
    """Lower-case words, numbers as they are written (`51.5`, `2023`, `1,234`), and bigrams of runs without spaces.

    Width and compatibility forms are one (NFKC); a single ideograph is a token of its own.

    >>> tokenize("Swaps: 51.5 (2023) in 東京都")
    ['swaps', '51.5', '2023', 'in', '東京', '京都']
    """
    found: list[str] = _TOKEN.findall(unicodedata.normalize("NFKC", text).casefold())
    tokens: list[str] = []
    for token in found:
        if len(token) > 1 and _IS_CJK.match(token):
            tokens.extend(token[i : i + 2] for i in range(len(token) - 1))
        else:
            tokens.append(token)
    return tokens
