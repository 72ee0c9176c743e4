"""Text file with columns (CSV, TSV and their kin) -> one sheet; encoding and delimiter are found out."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Literal

from cellroles.errors import CorruptWorkbook, NotASpreadsheet
from cellroles.limits import Limits
from cellroles.reader.literals import locale_of, typed
from cellroles.reader.raw import RawSheet, plain, sheet_from
from cellroles.reader.sniff import wide_encoding
from cellroles.sheet import Sheet

LOST = ("styles", "merges", "comments", "formulas", "hidden rows and columns")
Quoting = Literal[0, 3]  # csv.QUOTE_MINIMAL, csv.QUOTE_NONE
DELIMITERS = "\t;,|"
# First line by which Excel is told the delimiter.
DIRECTIVE = re.compile(r"\s*\"?sep=(.)\"?\s*\r?\n", re.IGNORECASE)
SAMPLE_ROWS, SAMPLE_BYTES = 500, 1 << 18
# One column is a table only where the name says so: any prose would be one.
SUFFIXES = (".csv", ".tsv", ".tab", ".txt")


def read_delimited(path: str, limits: Limits) -> Iterator[Sheet]:
    """The one sheet of a text file, named like the file. Cells show what it shows; text is never a formula.

    Raises: NotASpreadsheet for text without columns, TooLarge.
    """
    text, encoding = decoded(Path(path).read_bytes())
    directive = DIRECTIVE.match(text)
    text = text[directive.end() :] if directive else text
    delimiter = directive[1] if directive else delimiter_of(text)
    file = Path(path)
    if delimiter is None and file.suffix.lower() not in SUFFIXES:
        raise NotASpreadsheet(f"{path}: text without columns")
    delimiter = delimiter or ","
    quoting: Quoting = csv.QUOTE_MINIMAL if is_closed(text, delimiter) else csv.QUOTE_NONE
    raw = RawSheet(file.stem, lost=LOST)
    if not encoding.startswith("utf"):
        raw.warnings += (f"the encoding is not declared; read as {encoding}",)
    if quoting == csv.QUOTE_NONE:
        raw.warnings += ("a quotation mark is never closed; quotation marks are read as text",)
    try:
        _fill(raw, text, delimiter, quoting, limits)
    except csv.Error as error:
        raise CorruptWorkbook(f"{path}: {error}") from error
    yield sheet_from(raw, path, "tsv" if delimiter == "\t" else "csv", limits)


def _fill(raw: RawSheet, text: str, delimiter: str, quoting: Quoting, limits: Limits) -> None:
    """Type every distinct text once; the numbers and dates of the whole file say how it writes them."""
    distinct = {cell for row in parsed(text, delimiter, quoting) for cell in row}
    locale = locale_of(distinct)
    known = {cell: typed(cell, locale) for cell in distinct if cell.strip()}
    for number, row in enumerate(parsed(text, delimiter, quoting)):
        for col, cell in enumerate(row):
            if cell in known:
                value, style = known[cell]
                raw.add(number, col, value, style, shown=plain(cell).strip())
        if len(raw.values) > limits.cells:
            return


def decoded(content: bytes) -> tuple[str, str]:
    """The text of a file and its encoding: by its mark, as UTF-8 if it is that, else the likeliest one."""
    encoding = wide_encoding(content[:4096])
    if encoding is None:
        try:
            return content.decode("utf-8"), "utf-8"
        except UnicodeDecodeError:
            encoding = likely_encoding(content)
    return content.decode(encoding, "replace").lstrip("\ufeff"), encoding


def likely_encoding(content: bytes) -> str:
    """The encoding that charset-normalizer finds in lines that are not plain ASCII; Windows Western if none."""
    from charset_normalizer import from_bytes

    telling = b"\n".join(line for line in content[: 8 * SAMPLE_BYTES].splitlines() if not line.isascii())
    best = from_bytes(telling[:SAMPLE_BYTES]).best()
    return best.encoding if best else "cp1252"


def delimiter_of(text: str) -> str | None:
    """The character that best divides the text into columns; None if none does.

    It is the one under which most rows have the most frequent number of columns, and under which the fewest cells
    hold another delimiter; titles above a table, commas in text and decimal commas do not mislead it.
    """
    scores = {delimiter: _score(text, delimiter) for delimiter in DELIMITERS}
    best = max(scores, key=lambda delimiter: scores[delimiter])
    return best if scores[best] > 0 else None


def _score(text: str, delimiter: str) -> float:
    sample = list(islice(parsed(text[:SAMPLE_BYTES], delimiter), SAMPLE_ROWS))
    rows = [row for row in sample if any(cell.strip() for cell in row)]
    widths = Counter(len(row) for row in rows if len(row) > 1)
    if not widths:
        return 0.0
    regular = widths.most_common(1)[0][1] / len(rows)
    cells = [cell for row in rows for cell in row if cell.strip()]
    others = [other for other in "\t;|" if other != delimiter]
    clean = sum(not any(other in cell for other in others) for cell in cells) / max(len(cells), 1)
    return regular * clean


def is_closed(text: str, delimiter: str) -> bool:
    """Whether every quotation mark that opens a cell is closed: else the rest of the file would be one cell.

    >>> is_closed('a,"b\\nc",5" pipe', ","), is_closed('a,"b', ",")
    (True, False)
    """
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    start = end = 0
    try:
        for _ in reader:
            start, end = end, reader.line_num
        last = list(islice(io.StringIO(text, newline=""), start, end))
        # Only in its strict mode does the module say that it reached the end inside a cell.
        list(csv.reader(last, delimiter=delimiter, strict=True))
    except csv.Error as error:
        return "expected after" in str(error)
    return True


def parsed(text: str, delimiter: str, quoting: Quoting = csv.QUOTE_MINIMAL) -> Iterator[list[str]]:
    """The rows of a text file."""
    return csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, quoting=quoting)
