"""The types of the flow: a columnar sheet, its roles, its tables and the header paths of its values.

Rows and columns are zero-based everywhere in Python; A1 references appear only in output and messages.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray
from openpyxl.utils.cell import get_column_letter

Ints = NDArray[np.int32]
Bytes = NDArray[np.uint8]
Bools = NDArray[np.bool_]
Floats = NDArray[np.float32]
Objects = NDArray[np.object_]
Part = slice | NDArray[np.int64]


class Kind(IntEnum):
    """What a cell's (cached) value is; an uncached formula is TEXT and flagged in `Sheet.uncached`."""

    EMPTY = 0
    TEXT = 1
    NUMBER = 2
    DATE = 3
    BOOL = 4
    ERROR = 5


class Role(IntEnum):
    """The 13 cell roles; the integer is the column of the logits. Header depth 1 is innermost."""

    VALUE = 0
    AGGREGATION = 1
    HEADER = 2
    METADATA = 3
    COMMENT = 4
    EMPTY = 5
    JUNK = 6
    COL_HEADER_1 = 7
    COL_HEADER_2 = 8
    COL_HEADER_3 = 9
    ROW_HEADER_1 = 10
    ROW_HEADER_2 = 11
    ROW_HEADER_3 = 12

    @property
    def label(self) -> str:
        """The name used in files: `col_header_1`, `value`, …"""
        return self.name.lower()


ROLE_LABELS = tuple(role.label for role in Role)
COLUMN_HEADERS = (Role.COL_HEADER_1, Role.COL_HEADER_2, Role.COL_HEADER_3)
ROW_HEADERS = (Role.ROW_HEADER_1, Role.ROW_HEADER_2, Role.ROW_HEADER_3)
DATA_ROLES = (Role.VALUE, Role.AGGREGATION)


def a1(row: int, col: int) -> str:
    """Zero-based (row, col) -> A1 reference.

    >>> a1(6, 1)
    'B7'
    """
    return f"{get_column_letter(col + 1)}{row + 1}"


@dataclass(frozen=True, slots=True)
class Style:
    """What a cell looks like. `size` is in points (0 = unknown), `color` and `fill` are RRGGBB or empty,
    `border` is a subset of "tblr", `align` is empty for Excel's "general"."""

    bold: bool = False
    italic: bool = False
    underline: bool = False
    strike: bool = False
    size: float = 0.0
    color: str = ""
    fill: str = ""
    indent: int = 0
    align: str = ""
    valign: str = ""
    wrap: bool = False
    border: str = ""
    number_format: str = "General"


@dataclass(frozen=True, slots=True)
class Region:
    """A non-empty rectangle of cells: rows [top, bottom), columns [left, right), zero-based."""

    top: int
    left: int
    bottom: int
    right: int

    def __post_init__(self) -> None:
        if not (0 <= self.top < self.bottom and 0 <= self.left < self.right):
            raise ValueError(f"a region needs 0 <= top < bottom and 0 <= left < right, got {self}")

    @property
    def a1(self) -> str:
        """The range as Excel writes it: `A3:J20`, or `B2` for one cell."""
        first, last = a1(self.top, self.left), a1(self.bottom - 1, self.right - 1)
        return first if first == last else f"{first}:{last}"

    def contains(self, row: int, col: int) -> bool:
        """Whether the zero-based cell lies inside."""
        return self.top <= row < self.bottom and self.left <= col < self.right


@dataclass(frozen=True, slots=True)
class ListObject:
    """An Excel table: `region` includes its header and totals rows."""

    name: str
    region: Region
    header_rows: int = 1
    totals_rows: int = 0


@dataclass(frozen=True, slots=True)
class Exclusion:
    """A filled cell that is in no chunk, and why (`hidden`, `junk`, `covered by a merge`)."""

    row: int
    col: int
    text: str
    reason: str


@dataclass(frozen=True, slots=True, eq=False)
class Sheet:
    """One worksheet, columnar: arrays of length n over its *filled* cells, sorted by (row, col).

    A cell is filled if it holds a non-blank value or a formula; cells covered by a merge are not filled
    (what they hold is in `excluded`). `value` keeps str, int, float, bool or datetime/date/time/timedelta; `number` is
    the numeric value (dates as Excel serials, booleans 0/1), NaN for text and errors; `text` is what Excel shows.
    `formula` is the formula text with its leading "=", or None. `style` indexes `styles`.
    `merges` has shape (m, 4): top, left, bottom, right, half-open, sorted; all coordinates are zero-based.
    `source` is the format the cells were read from (xlsx, xls, xlsb, ods, csv, tsv, html; "xlsx via openpyxl" or
    "xlsx via calamine" where the direct reader failed), `lost` what that reader cannot give ("styles", "merges", …).
    """

    workbook: str
    name: str
    row: Ints
    col: Ints
    kind: Bytes
    value: Objects
    number: NDArray[np.float64]
    text: Objects
    formula: Objects
    uncached: Bools
    style: Ints
    styles: tuple[Style, ...]
    merges: Ints = field(default_factory=lambda: np.zeros((0, 4), np.int32))
    state: str = "visible"
    right_to_left: bool = False
    hidden_rows: frozenset[int] = frozenset()
    hidden_cols: frozenset[int] = frozenset()
    row_levels: Mapping[int, int] = field(default_factory=dict)
    col_levels: Mapping[int, int] = field(default_factory=dict)
    comments: Mapping[tuple[int, int], str] = field(default_factory=dict)
    hyperlinks: Mapping[tuple[int, int], str] = field(default_factory=dict)
    col_widths: Mapping[int, float] = field(default_factory=dict)
    freeze: tuple[int, int] | None = None
    print_title_rows: tuple[int, int] | None = None
    print_title_cols: tuple[int, int] | None = None
    list_objects: tuple[ListObject, ...] = ()
    excluded: tuple[Exclusion, ...] = ()
    warnings: tuple[str, ...] = ()
    source: str = "xlsx"
    lost: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.row)

    @property
    def extent(self) -> Region | None:
        """The bounding rectangle of the filled cells, merges not counted; None for an empty sheet."""
        if not len(self):
            return None
        return Region(int(self.row[0]), int(self.col.min()), int(self.row[-1]) + 1, int(self.col.max()) + 1)

    def ref(self, index: int) -> str:
        """A1 reference of the filled cell at `index`."""
        return a1(int(self.row[index]), int(self.col[index]))

    def keep(self, mask: Bools, reason: str) -> Sheet:
        """The sheet with only the filled cells where `mask` is true; the others are listed as excluded."""
        lost = tuple(
            Exclusion(int(self.row[i]), int(self.col[i]), str(self.text[i]), reason) for i in np.flatnonzero(~mask)
        )
        columns = ("row", "col", "kind", "value", "number", "text", "formula", "uncached", "style")
        kept = {name: getattr(self, name)[mask] for name in columns}
        return replace(self, **kept, excluded=self.excluded + lost)


@dataclass(frozen=True, slots=True)
class HeaderPath:
    """Labels that govern a value, outermost first; `cells` (row, col) says where each was read.

    `labels[i]` is the display text of `cells[i]`; equal neighbouring labels are collapsed only when printed.
    """

    labels: tuple[str, ...] = ()
    cells: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """A region that is read as one set of records, and its context on the sheet.

    `title` and `notes` are indices of filled cells (titles that scope the table; units, notes and remarks of it);
    `repairs` says what the region layer did to the segmenter's box, in words.
    """

    region: Region
    title: tuple[int, ...] = ()
    notes: tuple[int, ...] = ()
    repairs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class AnnotatedSheet:
    """A sheet that has been understood; every array has length n = len(sheet).

    `table` is the index into `tables` of the table a cell belongs to, -1 for cells of the sheet at large (titles).
    `col_path` and `row_path` index `paths`, whose entry 0 is the empty path; they are set for every cell of a table
    (header cells mostly have the empty column path).
    """

    sheet: Sheet
    roles: Bytes
    confidence: Floats
    tables: tuple[Table, ...]
    table: Ints
    paths: tuple[HeaderPath, ...]
    col_path: Ints
    row_path: Ints
    checkpoint: str = ""
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CitedCell:
    """One cell of a chunk: where it is, what it shows, and the headers that govern it (A1 anchors, outermost first).

    `owner` is true in exactly one chunk per filled cell.
    """

    ref: str
    text: str
    value: object
    role: str
    owner: bool = True
    col_path: tuple[str, ...] = ()
    col_refs: tuple[str, ...] = ()
    row_path: tuple[str, ...] = ()
    row_refs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Chunk:
    """A retrievable piece of a sheet: `text` is read, `context` (text plus repeated title and row path) is indexed.

    `kind` is what was produced (row, table, triples, notes, form, stc, text), `chunker` the name asked for,
    `fallback` why the roles were not used, or None; `reader` what the file's reader could not give, or None;
    `region` and `range` are A1 ranges; `tokens` counts `text`.
    """

    id: str
    text: str
    context: str
    chunker: str
    kind: str
    workbook: str
    sheet: str
    region: str | None
    range: str | None
    title: str | None
    notes: tuple[str, ...]
    row_path: tuple[str, ...]
    cells: tuple[CitedCell, ...]
    tokens: int
    parent_id: str | None = None
    checkpoint: str | None = None
    fallback: str | None = None
    reader: str | None = None
