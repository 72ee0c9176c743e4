"""Folders of label files -> labelled sheets, beside the corpora: `cellroles label import` writes such files.

| sheets | formatted | licence | masked |
|---|---|---|---|
| yours | as the workbook is | yours | cells without a label |

The labels follow the guide in full: header levels count, and no role is out of question. Groups are workbooks, known by
their content, so that copies stay on one side.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

from cellroles.label.files import LabelFile, read_label_file, roles_of, workbook_of
from cellroles.reader import read_workbook
from cellroles.reader.sheets import without_hidden
from cellroles.sheet import Bytes, Role, Sheet
from data.corpus import targets_of
from data.labelled import LabelledSheet, role_set

GROUPS = "labels/"
"""What the groups of labelled workbooks start with."""

CANDIDATES = role_set(role for role in Role if role != Role.EMPTY)


def load_label_folders(folders: Iterable[str | Path]) -> tuple[LabelledSheet, ...]:
    """The labelled sheets of all label files (*.json) in these folders, folder by folder, in order of their names.

    Raises: ValueError for a folder without any, for a file that is no label file, for a workbook or sheet that is not
    there (see `cellroles.label.files` for where workbooks are looked for) and for labels that do not fit the sheet.
    """
    return tuple(labelled for folder in folders for labelled in _labelled_sheets(Path(folder)))


def _labelled_sheets(folder: Path) -> Iterator[LabelledSheet]:
    by_workbook: dict[Path, list[tuple[Path, LabelFile]]] = defaultdict(list)
    for path in sorted(folder.glob("*.json")):
        if labels := read_label_file(path):
            by_workbook[workbook_of(path, labels)].append((path, labels))
    if not by_workbook:
        raise ValueError(f"{folder}: no label files (*.json) in this folder")
    source = folder.resolve().parent.name if folder.resolve().name == "labels" else folder.resolve().name
    for workbook, entries in by_workbook.items():
        sheets = {sheet.name: sheet for sheet in read_workbook(workbook, include_hidden=True)}
        group = GROUPS + hashlib.sha256(workbook.read_bytes()).hexdigest()
        for path, labels in entries:
            if labels.sheet not in sheets:
                raise ValueError(f"{path}: {workbook} has no sheet {labels.sheet!r}; there are {', '.join(sheets)}")
            sheet, roles = _seen(sheets[labels.sheet], labels, str(path))
            if not (roles != Role.EMPTY).any():
                raise ValueError(f"{path}: no filled cell of {workbook}, sheet {labels.sheet!r}, has a label")
            targets = targets_of(roles, roles != Role.EMPTY, row_levels=True, col_levels=True)
            yield LabelledSheet(sheet, roles, targets, CANDIDATES, source, group)


def _seen(whole: Sheet, labels: LabelFile, where: str) -> tuple[Sheet, Bytes]:
    """The sheet as it was labelled, and its roles (n,): without hidden cells where none of them has a label."""
    roles = roles_of(labels.rules, whole, where)
    visible = without_hidden(whole)
    shown = roles_of(labels.rules, visible, where)
    labelled_hidden = np.count_nonzero(roles != Role.EMPTY) > np.count_nonzero(shown != Role.EMPTY)
    return (whole, roles) if labelled_hidden else (visible, shown)
