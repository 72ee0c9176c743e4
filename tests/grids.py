"""Labelled sheets from small pictures: every cell is "code text", with the codes of `CODES`."""

from __future__ import annotations

import numpy as np
from openpyxl.utils.cell import range_boundaries

from cellroles.headers import header_paths
from cellroles.sheet import Bytes, Ints, Kind, Region, Role, Sheet, Style, Table, a1

CODES = {
    "v": Role.VALUE,
    "a": Role.AGGREGATION,
    "h": Role.HEADER,
    "m": Role.METADATA,
    "o": Role.COMMENT,
    "j": Role.JUNK,
    **{f"c{depth}": Role.COL_HEADER_1 + depth - 1 for depth in (1, 2, 3)},
    **{f"r{depth}": Role.ROW_HEADER_1 + depth - 1 for depth in (1, 2, 3)},
}


def picture(
    text: str,
    merges: str = "",
    indents: dict[str, int] | None = None,
    bold: str = "",
    formulas: dict[str, str] | None = None,
) -> tuple[Sheet, Bytes]:
    """Lines of cells separated by "|"; `merges` and `bold` are A1 ranges and cells, `indents` steps by A1 cell."""
    cells = [
        (r, c, *cell.strip(" ").partition(" ")[::2])
        for r, line in enumerate(text.strip("\n").split("\n"))
        for c, cell in enumerate(line.split("|"))
        if cell.strip(" ")
    ]
    indents, formulas, thick = indents or {}, formulas or {}, set(bold.split())
    looks = [Style(bold=a1(r, c) in thick, indent=indents.get(a1(r, c), 0)) for r, c, _, _ in cells]
    styles = list(dict.fromkeys(looks))
    values = np.empty(len(cells), object)
    values[:] = [shown for *_, shown in cells]
    is_number = np.array([shown.replace(".", "", 1).isdigit() for shown in values], bool)
    sheet = Sheet(
        "book.xlsx",
        "Sheet1",
        np.array([r for r, *_ in cells], np.int32),
        np.array([c for _, c, *_ in cells], np.int32),
        np.where(is_number, Kind.NUMBER, Kind.TEXT).astype(np.uint8),
        values,
        np.array([float(v) if n else np.nan for v, n in zip(values, is_number, strict=True)]),
        values.copy(),
        np.array([formulas.get(a1(r, c)) for r, c, _, _ in cells], object),
        np.zeros(len(cells), bool),
        np.array([styles.index(look) for look in looks], np.int32),
        tuple(styles),
        boxes(merges),
    )
    return sheet, np.array([CODES[code] for _, _, code, _ in cells], np.uint8)


def boxes(ranges: str) -> Ints:
    """A1 ranges as half-open zero-based rows of (top, left, bottom, right), sorted."""
    found = [range_boundaries(text) for text in ranges.split()]
    rows = sorted((top - 1, left - 1, bottom, right) for left, top, right, bottom in found)
    return np.array(rows, np.int32).reshape(-1, 4)


def one_table(sheet: Sheet) -> tuple[tuple[Table, ...], Ints]:
    """The whole sheet as one table."""
    bottom = max(int(sheet.row.max()) + 1, int(sheet.merges[:, 2].max(initial=0)))
    right = max(int(sheet.col.max()) + 1, int(sheet.merges[:, 3].max(initial=0)))
    return (Table(Region(0, 0, bottom, right)),), np.zeros(len(sheet), np.int32)


def paths_at(sheet: Sheet, roles: Bytes, *refs: str) -> list[tuple[str, str]]:
    """Per A1 cell the refs of its column path and of its row path, each joined by a space."""
    paths, col_path, row_path = header_paths(sheet, roles, *one_table(sheet))
    index = {sheet.ref(i): i for i in range(len(sheet))}
    written = [" ".join(a1(*cell) for cell in path.cells) for path in paths]
    return [(written[col_path[index[ref]]], written[row_path[index[ref]]]) for ref in refs]
