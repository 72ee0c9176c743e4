"""Annotated sheets of a workbook -> a copy of it in which a person corrects the roles and tables."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

import numpy as np

from cellroles.errors import CorruptWorkbook
from cellroles.label import copy
from cellroles.label.disk import replacing, sha256_of
from cellroles.label.manifest import ExportedSheet, Manifest, manifest_lines, pack
from cellroles.label.pages import HELP, MANIFEST, PAGES, REVIEW, TABLES, Doubt, help_page, review_page, tables_page
from cellroles.label.patch import Unpatchable
from cellroles.label.rebuild import rebuild, sheet_name
from cellroles.label.sheet_xml import column_ranges, drop_down, pane, place, rules_of_tints, tints, worksheet
from cellroles.reader import read_workbook
from cellroles.reader.sniff import sniff
from cellroles.sheet import ROLE_LABELS, AnnotatedSheet, Bools, Region

THRESHOLD = 0.6
"""Confidence under which a cell is marked: on development sheets a tenth of the cells, with a third of the errors."""

WIDEST = 40
NARROWEST = 13  # characters; the longest role has 12
REVIEWED = 300

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Exported:
    """A sheet of an export: what the manifest says, its area, and its doubtful cells as mask, ranges and list."""

    entry: ExportedSheet
    area: Region
    marked: int
    ranges: tuple[str, ...]
    doubts: tuple[Doubt, ...]
    xml: bytes


@dataclass(frozen=True, slots=True)
class Request:
    """What to export where: `checkpoint` and `include_hidden` are how its sheets were annotated; cells of less
    confidence than `threshold` are marked."""

    source: Path
    target: Path
    checkpoint: str
    include_hidden: bool = False
    threshold: float = THRESHOLD


def export(request: Request, annotated: Iterable[AnnotatedSheet], say: Say = lambda line: None) -> None:
    """Write the copy of a workbook with a sheet of roles for every annotated sheet that has cells.

    Each of these has the geometry of its sheet and the names of roles for values, with a drop-down; the sheet itself
    and that of its roles show the roles as colours by conditional formats, so that a correction recolours both. Added
    are also a page that explains, one of tables, one of the least certain cells, and the hidden manifest. `say` gets a
    line per sheet, and what the copy lacks. Raises: WorkbookError, and ValueError where nothing is there to label.
    """
    source, target = request.source, request.target
    with base_of(source, say) as (base, copies):
        if MANIFEST in base.taken:
            raise ValueError(f"{source} is such a copy already: export the workbook that it was made from")
        taken = set(base.taken)
        sheets = list(_exported_sheets(request, annotated, base, copies, taken, say))
        if not sheets:
            raise ValueError(f"no filled cells in {source}")
        untinted = _assemble(request, base, sheets, taken)
        with replacing(target) as part:
            macros_lost = copy.save(base, part)
    for name in untinted:
        say(f"{source}: sheet {name!r}: its own cells are not tinted, because its XML is unusual")
    if macros_lost:
        say(f"{source}: macros are left out of {target}; a copy called .xlsm keeps them")


def _exported_sheets(
    request: Request,
    annotated: Iterable[AnnotatedSheet],
    base: copy.Base,
    copies: Mapping[str, str],
    taken: set[str],
    say: Say,
) -> Iterator[Exported]:
    for item in annotated:
        sheet, where = item.sheet, f"{request.source}: sheet {item.sheet.name!r}"
        for warning in item.warnings:
            say(f"{where}: {warning}")
        if len(sheet):
            name = sheet_name(f"roles {sheet.name}", taken)
            taken.add(name.casefold())
            exported = _exported(item, copies.get(sheet.name, sheet.name), name, request.threshold, base)
            say(f"{where}: {len(sheet):,} cells, {exported.marked:,} to check")
            yield exported


def _exported(item: AnnotatedSheet, copied: str, roles_name: str, threshold: float, base: copy.Base) -> Exported:
    sheet, area = item.sheet, item.sheet.extent
    assert area is not None
    marked = item.confidence < threshold
    ranges = tuple(column_ranges(sheet.row, sheet.col, marked))
    tables = tuple((f"T{number}", table.region.a1) for number, table in enumerate(item.tables, 1))
    entry = ExportedSheet(sheet.name, copied, roles_name, len(sheet), pack(item.roles), tables)
    return Exported(
        entry, area, int(marked.sum()), ranges, _doubts(item, entry, marked), _roles_xml(item, ranges, base)
    )


def _doubts(item: AnnotatedSheet, entry: ExportedSheet, marked: Bools) -> tuple[Doubt, ...]:
    """The least certain cells of a sheet, least certain first."""
    order = np.argsort(item.confidence, kind="stable")[: min(REVIEWED, int(marked.sum()))]
    return tuple(
        Doubt(float(item.confidence[i]), entry.copy, entry.roles, item.sheet.ref(i), str(item.sheet.text[i]), label)
        for i, label in ((i, ROLE_LABELS[item.roles[i]]) for i in order.tolist())
    )


def _roles_xml(item: AnnotatedSheet, ranges: tuple[str, ...], base: copy.Base) -> bytes:
    sheet, area = item.sheet, item.sheet.extent
    assert area is not None
    names = (ROLE_LABELS[role] for role in item.roles.tolist())
    used = np.unique(sheet.col).tolist()
    widths = {col: min(max(sheet.col_widths.get(col, 0), NARROWEST), WIDEST) for col in used}
    return worksheet(
        zip(sheet.row.tolist(), sheet.col.tolist(), names, strict=True),
        view=pane(sheet.freeze, sheet.right_to_left),
        widths=widths,
        hidden_rows=(row for row in sheet.hidden_rows if row < area.bottom),
        hidden_cols=(col for col in sheet.hidden_cols if col < area.right),
        after=tints(area, ranges, base.first_look) + drop_down(area),
    )


def _assemble(request: Request, base: copy.Base, sheets: Sequence[Exported], taken: set[str]) -> list[str]:
    """Add everything to the copy; the sheets that could not be tinted are returned."""
    entries, marked = tuple(sheet.entry for sheet in sheets), [sheet.marked for sheet in sheets]
    pages = {name: sheet_name(name, taken) for name in PAGES}
    lines = manifest_lines(_manifest(request, entries, pages[TABLES]))
    doubts = sorted(doubt for sheet in sheets for doubt in sheet.doubts)[:REVIEWED]
    added = [
        *(copy.Added(sheet.entry.roles, sheet.xml) for sheet in sheets),
        copy.Added(pages[HELP], help_page(entries, marked, request.threshold, pages, base.first_look)),
        copy.Added(pages[TABLES], tables_page(entries, base.first_look)),
        copy.Added(pages[REVIEW], review_page(doubts, base.first_look)),
        copy.Added(pages[MANIFEST], worksheet((row, 0, line) for row, line in enumerate(lines)), "veryHidden"),
    ]
    names = {f"cellroles_{number}": sheet for number, sheet in enumerate(sheets, 1)}
    tint = {
        sheet.entry.copy: copy.Tint(
            tints(sheet.area, sheet.ranges, base.first_look, name), rules_of_tints(sheet.ranges)
        )
        for name, sheet in names.items()
    }
    references = {name: place(sheet.entry.roles, _absolute(sheet.area)) for name, sheet in names.items()}
    return copy.add(base, added, tint, references)


def _tint(sheet: Exported, first_look: int, name: str) -> copy.Tint:
    return copy.Tint(tints(sheet.area, sheet.ranges, first_look, name), rules_of_tints(sheet.ranges))


def _manifest(request: Request, sheets: tuple[ExportedSheet, ...], tables: str) -> Manifest:
    source = os.path.relpath(request.source.resolve(), request.target.resolve().parent)
    return Manifest(
        Path(source).as_posix(),
        sha256_of(request.source),
        request.checkpoint,
        version("cellroles"),
        request.include_hidden,
        tables,
        sheets,
    )


def _absolute(area: Region) -> str:
    """The range from A1 to the last cell of an area: a place in it is that of the sheet."""
    last = Region(area.bottom - 1, area.right - 1, area.bottom, area.right).a1
    letters = last.rstrip("0123456789")
    return f"$A$1:${letters}${last[len(letters) :]}"


@contextmanager
def base_of(source: Path, say: Say) -> Iterator[tuple[copy.Base, dict[str, str]]]:
    """What the copy starts from: the workbook itself, or where that cannot be added to, one with its values and looks;
    and the names of its sheets that differ."""
    with ExitStack() as stack:
        base, reason = None, "it is no Excel workbook of today's format"
        if sniff(str(source)) == "xlsx":
            try:
                base = stack.enter_context(copy.opened(source))
            except (Unpatchable, CorruptWorkbook) as error:
                reason = str(error)
        if base is not None:
            yield base, {}
            return
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="cellroles-"))
        plain = Path(folder) / "plain.xlsx"
        names = rebuild(read_workbook(source, include_hidden=True), plain)
        say(f"{source}: the copy has values, merges and looks alone (no formulas, charts, pictures), as {reason}")
        yield stack.enter_context(copy.opened(plain)), names
