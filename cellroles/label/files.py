"""Label files: roles and tables of a sheet as rules over ranges, one JSON object per sheet.

`{"id", "file", "sheet", "tables": [{"id", "range"}], "rules": [["A1:C1,E1", role], …], "tags": [], "questions": []}`.
Later rules win; only filled cells count. In a folder called `labels`, `file` is relative to the folder above the one
that holds it (`SET/labels/1.json` and `books/a.xlsx` beside `SET`); elsewhere to the label file's own folder.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from openpyxl.utils.cell import range_boundaries

from cellroles.sheet import ROLE_LABELS, Bytes, Ints, Region, Role, Sheet

Rule = tuple[str, str]
"""(cells, ranges or both, divided by commas; role)"""


@dataclass(frozen=True, slots=True)
class LabelFile:
    """The labels of one sheet; `tables` are (id, range)."""

    id: str
    file: str
    sheet: str
    tables: tuple[tuple[str, str], ...]
    rules: tuple[Rule, ...]
    tags: tuple[str, ...] = ()
    questions: tuple[dict[str, Any], ...] = field(default=(), hash=False)


def label_json(labels: LabelFile) -> str:
    """The text of a label file."""
    record = asdict(labels) | {"tables": [{"id": name, "range": box} for name, box in labels.tables]}
    return json.dumps(record, ensure_ascii=False, indent=1) + "\n"


def read_label_file(path: Path) -> LabelFile | None:
    """A label file, or None for one that says `skipped`; ValueError names the file and what is wrong with it."""
    try:
        record = json.loads(path.read_text("utf-8"))
        if record.get("skipped"):
            return None
        return LabelFile(
            str(record["id"]),
            record["file"],
            record["sheet"],
            tuple((table["id"], table["range"]) for table in record["tables"]),
            tuple((ranges, role) for ranges, role in record["rules"]),
            tuple(record["tags"]),
            tuple(record["questions"]),
        )
    except KeyError as error:
        raise ValueError(f"{path}: a label file needs {error.args[0]!r}") from error
    except (ValueError, TypeError, AttributeError) as error:
        raise ValueError(f"{path}: no label file: {error}") from error


def roots(label_file: Path) -> tuple[Path, ...]:
    """The folders that `file` may be relative to, the most likely first."""
    folder = label_file.resolve().parent
    return tuple(dict.fromkeys([_root(folder), folder.parent.parent, folder.parent, folder]))


def path_from(label_file: Path, workbook: Path) -> str:
    """What a label file has to say in `file`."""
    return Path(os.path.relpath(workbook.resolve(), _root(label_file.resolve().parent))).as_posix()


def _root(folder: Path) -> Path:
    return folder.parent.parent if folder.name == "labels" else folder


def workbook_of(label_file: Path, labels: LabelFile) -> Path:
    """The workbook of a label file; FileNotFoundError names the places that were tried."""
    places = [root / labels.file for root in roots(label_file)]
    found = next((place for place in places if place.is_file()), None)
    if found is None:
        raise FileNotFoundError(f"{label_file}: its workbook is at none of {', '.join(map(str, places))}")
    return found


def roles_of(rules: Iterable[Rule], sheet: Sheet, where: str = "") -> Bytes:
    """The role of every filled cell (n,), EMPTY where no rule says any; ValueError for what is no range or no role."""
    roles = np.full(len(sheet), Role.EMPTY, np.uint8)
    for ranges, name in rules:
        if name not in ROLE_LABELS:
            raise ValueError(f"{where}: rule {ranges!r}: {name!r} is no role; there are {', '.join(ROLE_LABELS)}")
        for part in ranges.split(","):
            box = region_of(part)
            if box is None:
                raise ValueError(f"{where}: rule {ranges!r}: {part!r} is no cell or range")
            rows = (sheet.row >= box.top) & (sheet.row < box.bottom)
            cols = (sheet.col >= box.left) & (sheet.col < box.right)
            roles[rows & cols] = ROLE_LABELS.index(name)
    return roles


def region_of(text: str) -> Region | None:
    """The region of `A1:C3`, `$A$1` or the like; None for what is no bounded range.

    >>> region_of(" $A$1:c3 "), region_of("B"), region_of("C3:A1")
    (Region(top=0, left=0, bottom=3, right=3), None, None)
    """
    try:
        left, top, right, bottom = range_boundaries(text.strip().replace("$", "").upper())
        return Region(top - 1, left - 1, bottom, right)
    except (ValueError, TypeError):  # TypeError where a row or a column is missing
        return None


def rules_of(sheet: Sheet, roles: Bytes) -> tuple[Rule, ...]:
    """Few rules that give the filled cells these roles (n,), in reading order; cells with EMPTY get none.

    Rectangles are grown down columns, then over columns, or the other way round: whichever gives fewer.
    """
    upright = _boxes(sheet.col, sheet.row, roles)
    lying = [(top, left, bottom, right, role) for left, top, right, bottom, role in _boxes(sheet.row, sheet.col, roles)]
    boxes = sorted(upright if len(upright) <= len(lying) else lying)
    return tuple(
        (Region(top, left, bottom, right).a1, ROLE_LABELS[role])
        for top, left, bottom, right, role in boxes
        if role != Role.EMPTY
    )


def _boxes(major: Ints, minor: Ints, roles: Bytes) -> list[tuple[int, int, int, int, int]]:
    """Boxes (first minor, first major, last minor + 1, last major + 1, role) of cells of one role.

    Runs of a line (of equal `major`) bridge places without cells; equal runs of neighbouring lines join.
    """
    order = np.lexsort((minor, major))
    line, at, role = major[order], minor[order], roles[order]
    starts = np.flatnonzero((np.diff(line, prepend=-1) != 0) | (np.diff(role.astype(int), prepend=-1) != 0))
    ends = np.append(starts[1:], len(line))[: len(starts)] - 1
    runs = zip(line[starts].tolist(), at[starts].tolist(), at[ends].tolist(), role[starts].tolist(), strict=True)
    before: dict[tuple[int, int, int], list[int]] = {}
    boxes, current, lines = list[tuple[int, int, int, int, int]](), -1, dict[tuple[int, int, int], list[int]]()
    for number, first, last, kind in runs:
        if number != current:
            boxes += _closed(before, lines)
            before, lines, current = lines, {}, number
        lines[first, last, kind] = [before[first, last, kind][0] if (first, last, kind) in before else number, number]
    return [*boxes, *_closed(before, lines), *_closed(lines, {})]


def _closed(
    before: dict[tuple[int, int, int], list[int]], now: dict[tuple[int, int, int], list[int]]
) -> Sequence[tuple[int, int, int, int, int]]:
    """The boxes of the line before that no equal run of this line goes on."""
    return [
        (first, since, last + 1, until + 1, kind)
        for (first, last, kind), (since, until) in before.items()
        if (first, last, kind) not in now
    ]
