"""XML part of a package -> its elements as they end, with bounds on what is held and without any DTD."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import IO, cast
from xml.etree.ElementTree import Element, ParseError, XMLParser, XMLPullParser
from xml.parsers import expat

from cellroles.limits import Limits, OverLimit

BLOCK = 65_536


class _RootReached(Exception):
    """The prolog is over."""


def refuse_dtd(head: bytes) -> None:
    """Raise OverLimit if a document, of which the first bytes are given, has a document type declaration.

    Entities can be declared nowhere else, no workbook needs any, and they expand without end (CWE-776).
    """
    parser = expat.ParserCreate()

    def doctype(*_: object) -> None:
        raise OverLimit("it declares a document type (DTD), as XML entity bombs do; no workbook needs one")

    def root(*_: object) -> None:
        raise _RootReached

    parser.StartDoctypeDeclHandler, parser.StartElementHandler = doctype, root
    try:
        parser.Parse(head, False)
    except (_RootReached, expat.ExpatError):  # broken XML is for the reader proper
        return
    if len(head) >= BLOCK:
        raise ParseError(f"no element in the first {BLOCK:,} bytes")


def tree(content: bytes) -> Element:
    """The root element of a document that is held as a whole."""
    refuse_dtd(content[:BLOCK])
    parser = XMLParser()
    parser.feed(content)
    root: Element = parser.close()
    return root


def elements(source: IO[bytes], wanted: Iterable[str], limits: Limits) -> Iterator[Element]:
    """Yield every element with a wanted tag when it ends, and empty it afterwards.

    What stands outside wanted elements stays in memory, as does a wanted element until it ends; OverLimit where that is
    more than `limits.row_bytes` of XML or `limits.row_elements` elements.
    """
    parser: XMLPullParser[Element] = XMLPullParser(("end",))
    wanted = frozenset(wanted)
    held = stray = stray_bytes = size = 0
    for number, block in enumerate(iter(partial(source.read, BLOCK), b"")):
        if not number:
            refuse_dtd(block)
        parser.feed(block)
        size += len(block)
        for _, element in cast("Iterator[tuple[str, Element]]", parser.read_events()):
            held += 1
            if element.tag in wanted:
                _require(held, size + stray_bytes, limits)
                yield element
                held -= len(list(element.iter()))
                element.clear()
                stray_bytes += size if held > stray else 0
                stray, size = held, 0
        _require(held, size + stray_bytes, limits)
    parser.close()
    for _ in parser.read_events():  # raises what `close` found
        pass


def _require(count: int, size: int, limits: Limits) -> None:
    if count > limits.row_elements:
        raise OverLimit(f"one row or block of its XML has more than {limits.row_elements:,} elements (row_elements)")
    if size > limits.row_bytes:
        raise OverLimit(f"one row or block of its XML has more than {limits.row_bytes:,} bytes (row_bytes)")
