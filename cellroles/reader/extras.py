"""The other XML of a sheet -> merges, hidden rows and columns, comments, links, freeze panes, titles, Excel tables."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from openpyxl.utils.cell import column_index_from_string

from cellroles.limits import require_at_most
from cellroles.reader.package import MAIN, RELATIONSHIP_ID, Package, Relation, SheetPart, plain_text, xml_root
from cellroles.reader.sheets import require_few_lines
from cellroles.reader.xlsx import SheetParser
from cellroles.sheet import Ints, ListObject, Region, Sheet, a1

RANGE = re.compile(r"\$?([A-Za-z]{1,3})\$?(\d{1,7})(?::\$?([A-Za-z]{1,3})\$?(\d{1,7}))?")
WHOLE_ROWS = re.compile(r"\$?(\d{1,7}):\$?(\d{1,7})$")
WHOLE_COLS = re.compile(r"\$?([A-Za-z]{1,3}):\$?([A-Za-z]{1,3})$")
# Excel writes threaded comments a second time as notes for older versions, after a notice about that.
THREADED = "[Threaded comment]"


def with_extras(
    sheet: Sheet, parser: SheetParser, package: Package, part: SheetPart, links: Mapping[str, Relation]
) -> Sheet:
    """The sheet with everything that is not cells."""
    last = int(sheet.row[-1]) if len(sheet) else -1
    rows = {row: look for row, look in parser.row_attributes.items() if row <= last}
    columns = parser.columns_of()
    titles = package.print_titles.get(part.index, "")
    merges = merges_of(parser)
    require_few_lines(sheet.row, sheet.col, merges, package.limits)
    return replace(
        sheet,
        state=part.state,
        right_to_left=runs_right_to_left(parser),
        merges=merges,
        hidden_rows=frozenset(row for row, (hidden, _) in rows.items() if hidden),
        hidden_cols=frozenset(col for col, (hidden, _, _) in columns.items() if hidden),
        row_levels={row: level for row, (_, level) in rows.items() if level},
        col_levels={col: level for col, (_, level, _) in columns.items() if level},
        col_widths={col: width for col, (_, _, width) in columns.items() if width is not None},
        comments=comments_of(package, links),
        hyperlinks=hyperlinks_of(parser, links),
        freeze=freeze_of(parser),
        print_title_rows=print_title_rows(titles),
        print_title_cols=print_title_cols(titles),
        list_objects=list_objects(package, links),
        warnings=sheet.warnings + cut_texts(parser),
    )


def region_of(reference: str) -> Region | None:
    """`B2:C3` or `B2` as a region; None for what is no range of cells."""
    match = RANGE.fullmatch(reference)
    if match is None:
        return None
    left, top = column_index_from_string(match[1]), int(match[2])
    right, bottom = (column_index_from_string(match[3]), int(match[4])) if match[3] else (left, top)
    if not min(top, bottom):
        return None
    return Region(min(top, bottom) - 1, min(left, right) - 1, max(top, bottom), max(left, right))


def cut_texts(parser: SheetParser) -> tuple[str, ...]:
    """A warning that says how many texts were cut, or none."""
    if not parser.cut:
        return ()
    first, most = parser.cut[0], parser.limits.text_chars
    ref = a1(parser.rows[first], parser.cols[first])
    return (f"{len(parser.cut)} texts of more than {most:,} characters are cut there (first: {ref})",)


def merges_of(parser: SheetParser) -> Ints:
    """The merged ranges of more than one cell, shape (m, 4), sorted and distinct."""
    references = {item.get("ref", "") for item in parser.looks["mergeCell"]}
    regions = (region_of(reference) for reference in references)
    boxes = [(r.top, r.left, r.bottom, r.right) for r in regions if r and (r.bottom - r.top) * (r.right - r.left) > 1]
    return np.unique(np.array(boxes, np.int32).reshape(-1, 4), axis=0)


def comments_of(package: Package, links: Mapping[str, Relation]) -> dict[tuple[int, int], str]:
    """The text of every comment by its zero-based cell."""
    found = {}
    for link in links.values():
        if link.kind != "comments" or not package.archive.has(link.target):
            continue
        for comment in xml_root(package.archive, link.target).iter(f"{MAIN}comment"):
            body, region = comment.find(f"{MAIN}text"), region_of(comment.get("ref", ""))
            text = "" if body is None else plain_text(body).strip()
            if text.startswith(THREADED):
                text = text.partition("Comment:")[2].strip() or text
            if region and text:
                found[region.top, region.left] = text[: package.limits.text_chars]
                require_at_most(len(found), package.limits.comments, "comments", "comments")
    return found


def hyperlinks_of(parser: SheetParser, links: Mapping[str, Relation]) -> dict[tuple[int, int], str]:
    """The target of every link by its zero-based top left cell; places in the workbook start with `#`."""
    found = {}
    for item in parser.looks["hyperlink"]:
        region, link = region_of(item.get("ref", "")), links.get(item.get(RELATIONSHIP_ID, ""))
        location = item.get("location", "")
        target = (link.target if link else "") + (f"#{location}" if location else "")
        if region and target:
            found[region.top, region.left] = target
    return found


def runs_right_to_left(parser: SheetParser) -> bool:
    """Whether the columns are shown from right to left."""
    return any(view.get("rightToLeft") in ("1", "true") for view in parser.looks["sheetView"])


def freeze_of(parser: SheetParser) -> tuple[int, int] | None:
    """How many rows and columns stay in view; None if none do."""
    for pane in parser.looks["pane"]:
        if pane.get("state") in ("frozen", "frozenSplit"):
            return int(float(pane.get("ySplit", "0"))), int(float(pane.get("xSplit", "0")))
    return None


def print_title_rows(titles: str) -> tuple[int, int] | None:
    """The rows repeated on every printed page, zero-based and half-open, from a Print_Titles definition."""
    for part in titles.split(","):
        if match := WHOLE_ROWS.search(part):
            return int(match[1]) - 1, int(match[2])
    return None


def print_title_cols(titles: str) -> tuple[int, int] | None:
    """The columns repeated on every printed page, zero-based and half-open, from a Print_Titles definition.

    >>> print_title_cols("'P & L'!$A:$B,'P & L'!$1:$3")
    (0, 2)
    """
    for part in titles.split(","):
        if match := WHOLE_COLS.search(part):
            return column_index_from_string(match[1]) - 1, column_index_from_string(match[2])
    return None


def list_objects(package: Package, links: Mapping[str, Relation]) -> tuple[ListObject, ...]:
    """The Excel tables of a sheet, by position."""
    found = []
    for link in links.values():
        if link.kind != "table" or not package.archive.has(link.target):
            continue
        table = xml_root(package.archive, link.target)
        region = region_of(table.get("ref", ""))
        if region:
            counts = int(table.get("headerRowCount", "1")), int(table.get("totalsRowCount", "0"))
            found.append(ListObject(table.get("displayName", table.get("name", "")), region, *counts))
    return tuple(sorted(found, key=lambda table: (table.region.top, table.region.left)))
