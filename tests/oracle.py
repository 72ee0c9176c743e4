"""Label files -> roles and chunks made from the labels' roles, by the same decode, region and path code: the ceiling.

`python -m tests.oracle ../shared/gold roles.jsonl chunks.jsonl`; the label files' tables are never read.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from openpyxl.utils.cell import range_boundaries

from cellroles import annotate, read_workbook
from cellroles.sheet import ROLE_LABELS, AnnotatedSheet, Bytes, Role, Sheet
from chunkers.record import chunk_json
from chunkers.role_records import role_json
from chunkers.workbook import Settings, sheet_chunks


def labels_in(folder: Path) -> Iterator[dict[str, Any]]:
    """The label files of a folder that were not skipped by their annotator."""
    for path in sorted((folder / "labels").glob("*.json")):
        label = json.loads(path.read_text(encoding="utf-8"))
        if not label.get("skipped"):
            yield label


def label_roles(rules: list[tuple[str, str]], sheet: Sheet) -> Bytes:
    """The role of every filled cell by rules of (ranges, role), the later ones overriding; value where none applies."""
    roles = np.full(len(sheet), Role.VALUE, np.uint8)
    for spec, name in rules:
        for part in str(spec).replace("$", "").split(","):
            left, top, right, bottom = range_boundaries(part.strip())
            inside = (sheet.row >= top - 1) & (sheet.row < bottom) & (sheet.col >= left - 1) & (sheet.col < right)
            roles[inside] = ROLE_LABELS.index(name)
    return np.where(roles == Role.EMPTY, Role.VALUE, roles).astype(np.uint8)


def labelled_sheets(folder: Path) -> Iterator[tuple[dict[str, Any], Sheet]]:
    """Every label file with the sheet that it describes, hidden cells included."""
    for label in labels_in(folder):
        path = folder.parent / label["file"]
        sheet = next(sheet for sheet in read_workbook(path, include_hidden=True) if sheet.name == label["sheet"])
        yield label, sheet


def oracle(label: dict[str, Any], sheet: Sheet) -> AnnotatedSheet:
    """The sheet annotated from its labelled roles."""
    return annotate(sheet, roles=label_roles(label["rules"], sheet))


def main(folder: Path, roles: Path, chunks: Path) -> None:
    """Write the two files that a scorer reads."""
    settings = Settings(include_hidden=True)
    with roles.open("w", encoding="utf-8") as role_lines, chunks.open("w", encoding="utf-8") as chunk_lines:
        for label, sheet in labelled_sheets(folder):
            annotated = oracle(label, sheet)
            role_lines.write(role_json(annotated) + "\n")
            chunk_lines.writelines(chunk_json(chunk) + "\n" for chunk in sheet_chunks(annotated, settings))


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:4]))
