"""Text pieces -> chunk texts of at most so many cl100k tokens."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

MIN_TOKENS = 16
WIDEST_LETTER = 4  # tokens of the rarest letters
_BREAK = re.compile(r"\n|[.;!?。；！？]\s|[。；！？]|\s")


@cache
def _encoding() -> Any:
    import quicktok

    return quicktok.get_encoding("cl100k_base")


def count_tokens(text: str) -> int:
    """Number of cl100k tokens; special-token strings count as plain text.

    >>> count_tokens("Total credit: 51.5")
    7
    """
    return int(_encoding().count(text))


def fits(text: str, max_tokens: int) -> bool:
    """Whether a text has at most so many tokens; a short one need not be counted, as a token is at least one byte.

    >>> fits("Total", 5), fits("𝒳" * 5, 5)
    (True, False)
    """
    return len(text.encode("utf-8", "surrogatepass")) <= max_tokens or count_tokens(text) <= max_tokens


@dataclass(frozen=True, slots=True)
class Item:
    """A line or field that is packed whole if it fits: its text, the filled cells that it shows and those it owns."""

    text: str
    cells: tuple[int, ...] = ()
    owned: tuple[int, ...] = ()


def claim(free: set[int], cells: Sequence[int], text: str) -> Item:
    """The item that shows some cells and owns those of them that are still free; they are free no more."""
    owned = tuple(i for i in cells if i in free)
    free.difference_update(owned)
    return Item(text, tuple(cells), owned)


@dataclass(frozen=True, slots=True)
class Piece:
    """One packed text (with its head) and the items inside."""

    text: str
    items: tuple[Item, ...]


def split_text(text: str, max_tokens: int) -> list[str]:
    """Cut a text at line, sentence or word ends into pieces of at most `max_tokens`; only white space is lost.

    >>> split_text("one two three four", 2)
    ['one two', 'three four']
    """
    pieces = []
    while (tokens := count_tokens(text)) > max_tokens:
        end = max(1, len(text) * max_tokens // tokens)
        while end > 1 and count_tokens(text[:end]) > max_tokens:
            end = end * 7 // 8
        cut = _last_break(text, end)
        pieces.append(text[:cut].rstrip())
        text = text[cut:].lstrip()
    return [piece for piece in (*pieces, text) if piece]


def _last_break(text: str, end: int) -> int:
    """The best place to cut in the second half of text[:end]: a line end, else a sentence end, else a word end."""
    if text[end : end + 1].isspace():
        return end
    breaks = [match.end() for match in _BREAK.finditer(text, end // 2, end)]
    lines = [at for at in breaks if text[at - 1] == "\n"]
    sentences = [at for at in breaks if text[at - 2 : at - 1] in tuple(".;!?") or text[at - 1] in "。；！？"]
    return (lines or sentences or breaks or [end])[-1]


def clip(text: str, max_tokens: int) -> str:
    """The beginning of a text, ended with an ellipsis if something was cut."""
    if count_tokens(text) <= max_tokens:
        return text
    return split_text(text, max(1, max_tokens - 1))[0] + "…"


def fit(item: Item, max_tokens: int) -> list[Item]:
    """The item, or its text in pieces of at most `max_tokens`; the first piece alone owns its cells."""
    if fits(item.text, max_tokens):
        return [item]
    first, *rest = split_text(item.text, max_tokens)
    return [replace(item, text=first), *(Item(text, item.cells) for text in rest)]


def pack(items: Iterable[Item], max_tokens: int, head: Callable[[Item], str]) -> Iterator[Piece]:
    """Batch items greedily, one a line, into texts of at most `max_tokens`; `head(first item)` opens every text.

    A head is clipped to half of the budget. Counts are exact where a piece closes: the running sum is an upper bound.
    """
    text, bound, inside = "", 0, list[Item]()
    for item in items:
        size = count_tokens(item.text) + 1
        joined = _join(text, item.text)
        if inside and bound + size > max_tokens:
            bound = count_tokens(joined) - size
            if bound + size > max_tokens:
                yield Piece(text, tuple(inside))
                inside = []
        if inside:
            text, bound = joined, bound + size
            inside.append(item)
            continue
        lead = clip(head(item), max_tokens // 2)
        *full, last = fit(item, max_tokens - count_tokens(lead) - 1)
        yield from (Piece(_join(lead, part.text), (part,)) for part in full)
        text, inside = _join(lead, last.text), [last]
        bound = count_tokens(text)
    if inside:
        yield Piece(text, tuple(inside))


def _join(above: str, below: str) -> str:
    return f"{above}\n{below}" if above and below else above or below
