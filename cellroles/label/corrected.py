"""A corrected copy and its source -> roles and tables per sheet, or every problem that stands against them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

import numpy as np

from cellroles.label.content import changes, keys, name_of
from cellroles.label.disk import sha256_of
from cellroles.label.manifest import MARK, ExportedSheet, Manifest, manifest_of, unpack
from cellroles.label.problems import LabelProblems, listed
from cellroles.label.tables import tables_of
from cellroles.label.vocabulary import CHOICES
from cellroles.reader import read_workbook
from cellroles.reader.sheets import covered, without_hidden
from cellroles.sheet import ROLE_LABELS, Bytes, Role, Sheet

NAMES = tuple(role.label for role in CHOICES)


@dataclass(frozen=True, slots=True, eq=False)
class Corrected:
    """A labelled sheet of `source`: its roles (n,) and tables (id, range), and those that were predicted.

    Hidden cells that were not exported are there, with the role EMPTY.
    """

    source: Path
    sheet: Sheet
    roles: Bytes
    predicted: Bytes
    tables: tuple[tuple[str, str], ...]
    predicted_tables: tuple[tuple[str, str], ...]

    @property
    def cells(self) -> int:
        """How many cells have a role."""
        return int(np.count_nonzero(self.roles != Role.EMPTY))

    def corrections(self) -> Counter[tuple[str, str]]:
        """How many cells were changed from one role to another, most frequent first."""
        changed = np.flatnonzero(self.roles != self.predicted)
        return Counter((ROLE_LABELS[self.predicted[i]], ROLE_LABELS[self.roles[i]]) for i in changed.tolist())


def read_corrected(path: Path, source: Path | None = None, accept_changes: bool = False) -> list[Corrected]:
    """The labelled sheets of a copy made by `export`, in its order.

    `source` is the workbook that was exported; without it, it is looked for where the export found it, then beside the
    copy. `accept_changes`: the content of the copy's cells need not be that of the source. Raises: LabelProblems with a
    line per problem; WorkbookError where a file cannot be read.
    """
    copies = {sheet.name: sheet for sheet in read_workbook(path, include_hidden=True)}
    manifest = _manifest(path, copies)
    original = _source(path, source, manifest)
    sheets = {sheet.name: sheet for sheet in read_workbook(original, include_hidden=True)}
    tables, problems = tables_of(copies.get(manifest.tables), manifest)
    found: list[Corrected] = []
    for entry in manifest.sheets:
        whole = sheets.get(entry.name)
        labelled = whole if whole is None or manifest.include_hidden else without_hidden(whole)
        if whole is None or labelled is None or len(labelled) != entry.cells:
            seen = "no such sheet" if labelled is None else f"{len(labelled):,} cells"
            problems.append(
                f"sheet {entry.name!r}: exported by version {manifest.version} with {entry.cells:,} cells, but this "
                f"version finds {seen} in {original}: export it again"
            )
            continue
        problems += () if accept_changes else _copy_problems(entry, whole, copies)
        roles, wrong = _roles(entry, labelled, whole, copies.get(entry.roles))
        problems += wrong
        now, before = (_spread(which, labelled, whole) for which in (roles, unpack(entry.predicted)))
        found.append(Corrected(original, whole, now, before, tables[entry.copy], entry.tables))
    if problems:
        raise LabelProblems(listed(path, problems))
    return found


def _spread(roles: Bytes, labelled: Sheet, whole: Sheet) -> Bytes:
    """The roles of the labelled cells for all cells of a sheet, EMPTY elsewhere."""
    spread = np.full(len(whole), Role.EMPTY, np.uint8)
    spread[np.searchsorted(keys(whole.row, whole.col), keys(labelled.row, labelled.col))] = roles
    return spread


def _manifest(path: Path, copies: Mapping[str, Sheet]) -> Manifest:
    for sheet in copies.values():
        if len(sheet) and sheet.value[0] == MARK:
            try:
                return manifest_of(map(str, sheet.value))
            except ValueError as error:
                raise LabelProblems([f"{path}: sheet {sheet.name!r}: {error}: export the workbook again"]) from error
    raise LabelProblems([f"{path}: the manifest is missing: it is no copy made by `cellroles label export`"])


def _source(path: Path, given: Path | None, manifest: Manifest) -> Path:
    """The exported workbook, which has to be what it was."""
    places = [given] if given else [path.parent / manifest.source, path.parent / Path(manifest.source).name]
    found = next((place for place in places if place.is_file()), None)
    if found is None:
        tried = " or ".join(dict.fromkeys(map(str, places)))
        raise LabelProblems([f"{path}: its source is not at {tried}: say where with --source"])
    if sha256_of(found) != manifest.sha256:
        raise LabelProblems([f"{path}: {found} is not the workbook that was exported, or has changed since"])
    return found


def _copy_problems(entry: ExportedSheet, whole: Sheet, copies: Mapping[str, Sheet]) -> Iterator[str]:
    copied = copies.get(entry.copy)
    if copied is None:
        yield f"sheet {entry.copy!r} is missing; it was there when exported"
    else:
        yield from (f"sheet {entry.copy!r}: {change}" for change in changes(whole, copied))


def _roles(entry: ExportedSheet, sheet: Sheet, whole: Sheet, grid: Sheet | None) -> tuple[Bytes, list[str]]:
    """The role of every labelled cell (n,), and what is wrong with them."""
    roles = np.full(len(sheet), Role.EMPTY, np.uint8)
    if grid is None:
        return roles, [f"sheet {entry.roles!r} is missing; it holds the roles of {entry.copy!r}"]
    wanted, there = keys(sheet.row, sheet.col), keys(grid.row, grid.col)
    problems: dict[int, str] = {}
    for key in np.setdiff1d(wanted, there).tolist():
        problems[key] = f"no role, but {entry.copy!r} has a value there"
    place = np.minimum(np.searchsorted(wanted, there), len(wanted) - 1)
    known = wanted[place] == there
    for i, name in enumerate(grid.value.tolist()):
        label = str(name).strip().lower()
        if label not in NAMES:
            problems[int(there[i])] = _unknown(label)
        elif not known[i]:
            problems[int(there[i])] = f"a role ({label}), but {_nothing_there(whole, sheet, grid, i)}"
        else:
            roles[place[i]] = ROLE_LABELS.index(label)
    return roles, [f"sheet {entry.roles!r}: {name_of(key)}: {text}" for key, text in sorted(problems.items())]


def _unknown(label: str) -> str:
    close = get_close_matches(label, NAMES, 1)
    hint = f"did you mean {close[0]}?" if close else f"there are {', '.join(NAMES)}"
    return f"{label[:40]!r} is no role of a filled cell; {hint}"


def _nothing_there(whole: Sheet, sheet: Sheet, grid: Sheet, index: int) -> str:
    """Why a place has no cell to label."""
    row, col = grid.row[index : index + 1], grid.col[index : index + 1]
    if covered(row, col, sheet.merges).any():
        return "a merge covers that cell: the role goes to its first cell"
    if ((whole.row == row) & (whole.col == col)).any():
        return "that cell is hidden and was not exported (--include-hidden)"
    return "that cell is empty"
