"""What is read at most of a workbook -> settings with their reasons."""

from __future__ import annotations

from dataclasses import dataclass, fields

MIB = 1 << 20


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds on what a file may ask for, checked before memory is taken.

    Over a bound of the first group the file is refused (`TooLarge`). Over one of the second group the sheet is left out
    and the rest of the workbook is read; only where no sheet is left is that an error. Text over `text_chars` is cut
    with a warning. Declared sizes of sheets (`dimension`) play no part. Every bound is a positive number:

    - `file_bytes`: the file as it lies on the disk.
    - `parts`: entries of the zip container, pictures included.
    - `part_bytes`: one part unpacked; parts of cells and of shared strings are streamed.
    - `whole_part_bytes`: one part that is held as a whole (styles, workbook, relations, comments, tables).
    - `ratio` and `ratio_from_bytes`: unpacked over packed size of a part, looked at from that unpacked size on. Deflate
      ends at 1,032; sheets of a million equal rows reach 100.
    - `strings_bytes`: memory for the shared strings.
    - `sheets`: sheets that the workbook lists.

    - `cells`: filled cells of a sheet; each takes about 0.8 kB on its way to chunks.
    - `sheet_chars`: characters of a sheet's texts and formulas, each counted as often as a cell shows it.
    - `merges`: merged ranges of a sheet; `merged_lines`: rows with cells, or columns with cells, that they cross, all
      together.
    - `links`: hyperlinks of a sheet (Excel keeps 65,530).
    - `comments`: comments of a sheet.
    - `row_bytes` and `row_elements`: XML of one row (or of what else stands between rows) held at once.

    - `text_chars`: characters of one cell; Excel keeps 32,767.
    """

    file_bytes: int = 512 * MIB
    parts: int = 20_000
    part_bytes: int = 1024 * MIB
    whole_part_bytes: int = 48 * MIB
    ratio: int = 250
    ratio_from_bytes: int = 128 * MIB
    strings_bytes: int = 384 * MIB
    sheets: int = 2_000

    cells: int = 2_000_000
    sheet_chars: int = 100_000_000
    merges: int = 200_000
    merged_lines: int = 4_000_000
    links: int = 100_000
    comments: int = 100_000
    row_bytes: int = 64 * MIB
    row_elements: int = 1_000_000

    text_chars: int = 32_767

    def __post_init__(self) -> None:
        for item in fields(self):
            if getattr(self, item.name) < 1:
                raise ValueError(f"limits are positive numbers, got {item.name}={getattr(self, item.name)}")


DEFAULT = Limits()


class OverLimit(Exception):
    """A part or sheet asks for more than a limit allows; the reader turns it into TooLarge with the file's name."""


def require_at_most(found: int, most: int, what: str, limit: str) -> None:
    """Raise OverLimit that says what there is too much of, and which limit says so.

    >>> require_at_most(3, 2, "filled cells", "cells")
    Traceback (most recent call last):
    ...
    cellroles.limits.OverLimit: it has more than 2 filled cells (limit `cells`)
    """
    if found > most:
        raise OverLimit(f"it has more than {most:,} {what} (limit `{limit}`)")
