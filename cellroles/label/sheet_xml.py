"""Texts by cell -> the XML of a worksheet: inline strings, conditional formats, drop-downs and links, no styles."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from xml.sax.saxutils import escape, quoteattr

import numpy as np

from cellroles.label.vocabulary import CHOICES, MAIN, look
from cellroles.sheet import Bools, Ints, Region, a1

RANGES_PER_BLOCK = 500
USUAL_WIDTH = 9  # characters
TAB_COLOR = "FF0072B2"
LIKE_ESCAPE = re.compile(r"_(?=x[0-9A-Fa-f]{4}_)")
CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")

Cells = Iterable[tuple[int, int, str]]
"""(row, column, text) sorted by row, then column; zero-based."""


def safe_text(text: str) -> str:
    """A text as XML may hold it: without control characters, and with what looks like an escape escaped.

    >>> safe_text("a<b _x0041_ \\x01")
    'a&lt;b _x005F_x0041_ '
    """
    return escape(CONTROLS.sub("", LIKE_ESCAPE.sub("_x005F_", text)))


def worksheet(
    cells: Cells,
    *,
    view: str = "",
    widths: Mapping[int, float] | None = None,
    hidden_rows: Iterable[int] = (),
    hidden_cols: Iterable[int] = (),
    after: str = "",
) -> bytes:
    """A worksheet. `view` is what stands in and behind its view (see `pane`), `after` what follows the cells: formats,
    then validations, then links; `widths` are in characters."""
    out = [
        f'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<worksheet xmlns="{MAIN}">'
        f'<sheetPr><tabColor rgb="{TAB_COLOR}"/></sheetPr><sheetViews>{view or pane(None)}</sheetViews>'
        f"{_cols(widths or {}, frozenset(hidden_cols))}<sheetData>"
    ]
    out += _rows(cells, frozenset(hidden_rows))
    out.append(f"</sheetData>{after}</worksheet>")
    return "".join(out).encode()


def _rows(cells: Cells, hidden: frozenset[int]) -> Iterator[str]:
    waiting = sorted(hidden)
    for row, group in groupby(cells, key=lambda cell: cell[0]):
        while waiting and waiting[0] < row:
            yield f'<row r="{waiting.pop(0) + 1}" hidden="1"/>'
        waiting = waiting[1:] if waiting[:1] == [row] else waiting
        inside = "".join(
            f'<c r="{a1(row, col)}" t="inlineStr"><is><t xml:space="preserve">{safe_text(text)}</t></is></c>'
            for _, col, text in group
        )
        yield f'<row r="{row + 1}" hidden="{row in hidden:d}">{inside}</row>'


def _cols(widths: Mapping[int, float], hidden: frozenset[int]) -> str:
    lines = [(col + 1, widths.get(col, USUAL_WIDTH), col in hidden) for col in sorted({*widths, *hidden})]
    items = "".join(
        f'<col min="{number}" max="{number}" width="{width:g}" customWidth="1" hidden="{gone:d}"/>'
        for number, width, gone in lines
    )
    return f"<cols>{items}</cols>" if items else ""


def pane(freeze: tuple[int, int] | None, right_to_left: bool = False) -> str:
    """The view of a sheet whose first (rows, columns) stay in sight."""
    direction = ' rightToLeft="1"' if right_to_left else ""
    rows, cols = freeze or (0, 0)
    if not rows and not cols:
        return f'<sheetView{direction} workbookViewId="0"/>'
    at = a1(rows, cols)
    split = (f' xSplit="{cols}"' if cols else "") + (f' ySplit="{rows}"' if rows else "")
    active = "bottomRight" if rows and cols else "bottomLeft" if rows else "topRight"
    return (
        f'<sheetView{direction} workbookViewId="0">'
        f'<pane{split} topLeftCell="{at}" activePane="{active}" state="frozen"/>'
        f'<selection pane="{active}" activeCell="{at}" sqref="{at}"/></sheetView>'
    )


def tints(area: Region, doubtful: Sequence[str], first_look: int, name: str = "") -> str:
    """Conditional formats that show every role in its colour, doubtful ranges framed.

    The cells hold the names of roles themselves, or else the cell of the same place in the range called `name` does:
    a name, because the formats of older Excels cannot refer to another sheet. `first_look` is the number of the first
    of our looks in the workbook. The framed formats come first, since the first that fits wins.
    """
    blocks = [
        (" ".join(doubtful[at : at + RANGES_PER_BLOCK]), True) for at in range(0, len(doubtful), RANGES_PER_BLOCK)
    ]
    out, priority = [], 0
    for ranges, framed in [*blocks, (area.a1, False)]:
        rules = []
        for role in CHOICES:
            priority += 1
            kind = 'type="expression"' if name else 'type="cellIs" operator="equal"'
            formula = f'INDEX({name},ROW(),COLUMN())="{role.label}"' if name else f'"{role.label}"'
            rules.append(
                f'<cfRule {kind} dxfId="{first_look + look(role, framed)}" priority="{priority}">'
                f"<formula>{escape(formula)}</formula></cfRule>"
            )
        out.append(f'<conditionalFormatting xmlns="{MAIN}" sqref="{ranges}">{"".join(rules)}</conditionalFormatting>')
    return "".join(out)


def rules_of_tints(doubtful: Sequence[str]) -> int:
    """How many rules `tints` makes; those that the sheet has already come behind them."""
    return len(CHOICES) * (1 + -(-len(doubtful) // RANGES_PER_BLOCK))


def always(ranges: str, number: int) -> str:
    """A look for ranges, whatever they hold."""
    return (
        f'<conditionalFormatting sqref="{ranges}"><cfRule type="expression" dxfId="{number}" priority="1000">'
        "<formula>TRUE</formula></cfRule></conditionalFormatting>"
    )


def drop_down(area: Region) -> str:
    """A list of the roles to choose from in every cell of the area; anything else is refused with an explanation."""
    names = ",".join(role.label for role in CHOICES)
    return (
        '<dataValidations count="1"><dataValidation type="list" allowBlank="1" showErrorMessage="1" '
        'errorTitle="Not a role" error="Choose a role from the list; the sheet cellroles says what each means." '
        f'sqref="{area.a1}"><formula1>"{names}"</formula1></dataValidation></dataValidations>'
    )


def links(targets: Mapping[tuple[int, int], str]) -> str:
    """Cells that lead to a place in this workbook (`'Sheet 1'!B7`)."""
    items = "".join(f"<hyperlink ref={quoteattr(a1(*at))} location={quoteattr(to)}/>" for at, to in targets.items())
    return f"<hyperlinks>{items}</hyperlinks>" if items else ""


def place(sheet: str, ref: str) -> str:
    """A cell or range of a sheet as formulas and links name it.

    >>> place("Bob's", "A1:B2")
    "'Bob''s'!A1:B2"
    """
    quoted = sheet.replace("'", "''")
    return f"'{quoted}'!{ref}"


def column_ranges(row: Ints, col: Ints, mask: Bools) -> list[str]:
    """The cells in `mask` as ranges of neighbours in a column.

    >>> import numpy as np
    >>> column_ranges(np.array([0, 1, 1, 3]), np.array([0, 0, 1, 0]), np.ones(4, bool))
    ['A1:A2', 'A4', 'B2']
    """
    order = np.lexsort((row[mask], col[mask]))
    r, c = row[mask][order].astype(int), col[mask][order].astype(int)
    first = np.flatnonzero((np.diff(r, prepend=-2) != 1) | (np.diff(c, prepend=-1) != 0))
    last = np.append(first[1:], len(r))[: len(first)] - 1
    return [Region(r[i], c[i], r[j] + 1, c[i] + 1).a1 for i, j in zip(first.tolist(), last.tolist(), strict=True)]
