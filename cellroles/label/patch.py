"""XML of a part -> the same bytes with elements added at the place that the schema wants them.

Nothing that is there is written anew: what no library knows of (charts, extensions, odd prefixes) stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from xml.parsers import expat

from cellroles.reader.stream import BLOCK, refuse_dtd

ENCODING = re.compile(rb"""^\s*<\?xml[^>]*encoding=["']([\w.-]+)["']""")
TAG = re.compile(rb"""<[^>"']*(?:"[^"]*"[^>"']*|'[^']*'[^>"']*)*>""")
COUNT = re.compile(rb'(\bcount=")\d+(")')


class Unpatchable(ValueError):
    """A part that cannot be added to without writing it anew."""


@dataclass(frozen=True, slots=True)
class Child:
    """A child of the root: its local name and where its bytes start, its content starts and ends, and they end.

    An element without an end tag (`<dxfs/>`) has no content: all three are its end.
    """

    name: str
    start: int
    content: int
    close: int
    end: int

    @property
    def closed(self) -> bool:
        """Whether it is an element without an end tag."""
        return self.content == self.end


def children(xml: bytes) -> tuple[Child, ...]:
    """The children of the root element, in order, and last an entry without a name for the end tag of the root.

    Raises: Unpatchable where the part is no UTF-8, or no XML with an end tag of its root.

    >>> [(child.name, child.start, child.end) for child in children(b"<a><b/><x:c>1</x:c></a>")]
    [('b', 3, 7), ('c', 7, 19), ('', 19, 23)]
    """
    _require_utf8(xml[:BLOCK])
    refuse_dtd(xml[:BLOCK])
    parser, found, depth, since = expat.ParserCreate(), list[Child](), 0, 0

    def start(name: str, _: object) -> None:
        nonlocal depth, since
        depth += 1
        if depth <= 2:
            since = parser.CurrentByteIndex
        if depth == 1 and _tag(xml, since).endswith(b"/>"):
            raise Unpatchable("its root element is empty")

    def end(name: str) -> None:
        nonlocal depth
        depth -= 1
        at = parser.CurrentByteIndex
        if depth == 1:
            tag = _tag(xml, since)
            after = since + len(tag) if tag.endswith(b"/>") else at + len(_tag(xml, at))
            close = after if tag.endswith(b"/>") else at
            found.append(Child(name.rpartition(":")[2], since, since + len(tag), close, after))
        elif not depth:
            found.append(Child("", at, at, at, at + len(_tag(xml, at))))

    parser.StartElementHandler, parser.EndElementHandler = start, end
    try:
        parser.Parse(xml, True)
    except expat.ExpatError as error:
        raise Unpatchable(f"its XML is broken: {error}") from error
    return tuple(found)


def _require_utf8(head: bytes) -> None:
    declared = ENCODING.match(head.removeprefix(b"\xef\xbb\xbf"))
    encoding = "UTF-16" if b"\0" in head[:4] else declared[1].decode() if declared else "UTF-8"
    if encoding.lower() not in ("utf-8", "us-ascii", "ascii"):
        raise Unpatchable(f"its XML is in {encoding}")


def _tag(xml: bytes, at: int) -> bytes:
    """The tag that starts there."""
    match = TAG.match(xml, at)
    assert match  # an XML parser has just found one
    return match[0]


def insert_after(xml: bytes, before: Iterable[str], new: str) -> bytes:
    """The part with `new` behind the last child of the root that is named in `before`, which are those that the schema
    wants before it; at the start of the root's content where there is none."""
    all_children, names = children(xml), frozenset(before)
    at = max((child.end for child in all_children if child.name in names), default=all_children[0].start)
    return xml[:at] + new.encode() + xml[at:]


def append_in(xml: bytes, container: str, items: Sequence[str], before: Iterable[str], namespace: str) -> bytes:
    """The part with `items` at the end of a child of the root, which is made behind those in `before` if it is missing.

    A `count` attribute of the container is kept right.
    """
    inside, found = "".join(items), next((child for child in children(xml) if child.name == container), None)
    whole = f'<{container} xmlns="{namespace}">{inside}</{container}>'
    if found is None:
        return insert_after(xml, before, whole)
    if found.closed:
        return xml[: found.start] + whole.encode() + xml[found.end :]
    total = count_in(xml[found.content : found.close]) + len(items)
    head = COUNT.sub(rb"\g<1>%d\g<2>" % total, xml[found.start : found.content])
    return xml[: found.start] + head + xml[found.content : found.close] + inside.encode() + xml[found.close :]


def count_in(content: bytes) -> int:
    """How many elements stand side by side in the content of an element.

    >>> count_in(b'<dxf><font/></dxf><dxf/>')
    2
    """
    return len(children(b"<r>" + content + b"</r>")) - 1
