"""The page of tables, as a person left it -> tables per sheet, and what is wrong with them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from cellroles.label.files import region_of
from cellroles.label.manifest import Manifest
from cellroles.label.pages import TABLES_HEADINGS
from cellroles.sheet import Region, Sheet

NUMBER = re.compile(r"T?0*([1-9][0-9]{0,5})", re.IGNORECASE)

Tables = dict[str, tuple[tuple[str, str], ...]]
"""(id, range) of the tables, by the name of the copied sheet."""


def tables_of(page: Sheet | None, manifest: Manifest) -> tuple[Tables, list[str]]:
    """The tables by sheet, in the order of the page; a row counts that has anything in its first three columns."""
    found: dict[str, dict[str, Region]] = {sheet.copy: {} for sheet in manifest.sheets}
    if page is None:
        return dict.fromkeys(found, ()), [f"sheet {manifest.tables!r} is missing; it lists the tables"]
    problems = []
    for row, texts in _rows(page):
        problem = _add(found, *texts)
        if problem:
            problems.append(f"sheet {page.name!r}: row {row + 1}: {problem}")
    return {name: tuple((key, box.a1) for key, box in tables.items()) for name, tables in found.items()}, problems


def _rows(page: Sheet) -> Iterator[tuple[int, tuple[str, str, str]]]:
    rows: dict[int, dict[int, str]] = {}
    for row, col, text in zip(page.row.tolist(), page.col.tolist(), page.text.tolist(), strict=True):
        if row and col < len(TABLES_HEADINGS):
            rows.setdefault(row, {})[col] = str(text).strip()
    yield from ((row, (texts.get(0, ""), texts.get(1, ""), texts.get(2, ""))) for row, texts in rows.items())


def _add(found: dict[str, dict[str, Region]], sheet: str, number: str, box: str) -> str | None:
    """Add a table, or say what is wrong with it."""
    sheet = next((name for name in found if name.strip() == sheet), sheet)
    if sheet not in found:
        return f"no labelled sheet is called {sheet!r}; there are {', '.join(map(repr, found))}"
    match, region, tables = NUMBER.fullmatch(number), region_of(box), found[sheet]
    if match is None:
        return f"the table id {number!r} is no number such as T1 or 1"
    if region is None:
        return f"{box!r} is no range such as A3:J20"
    key = f"T{match[1]}"
    if key in tables:
        return f"table {key} of {sheet!r} is there twice"
    other = next((name for name, known in tables.items() if _meet(known, region)), None)
    if other:
        return f"table {key} ({region.a1}) overlaps {other} ({tables[other].a1}); a cell belongs to one table"
    tables[key] = region
    return None


def _meet(a: Region, b: Region) -> bool:
    return a.top < b.bottom and b.top < a.bottom and a.left < b.right and b.left < a.right
