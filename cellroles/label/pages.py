"""What was exported -> the pages beside the roles: help with the legend, the tables, the least certain cells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from cellroles.label.manifest import ExportedSheet
from cellroles.label.sheet_xml import always, links, pane, place, tints, worksheet
from cellroles.label.vocabulary import CHOICES, HEADING, MEANINGS
from cellroles.sheet import Region

PAGES = HELP, TABLES, REVIEW, MANIFEST = "cellroles", "cellroles tables", "cellroles review", "cellroles manifest"
TABLES_HEADINGS = ("sheet", "table", "range")


@dataclass(frozen=True, slots=True, order=True)
class Doubt:
    """A cell to check: the model's confidence, the sheet, the sheet of its roles, the cell, its text and its role."""

    confidence: float
    sheet: str
    roles: str
    ref: str
    text: str
    role: str


def help_page(
    sheets: Sequence[ExportedSheet], marked: Sequence[int], threshold: float, pages: Mapping[str, str], first_look: int
) -> bytes:
    """The legend, how to correct, and the sheets with links."""
    text = [
        ["Role", "Meaning"],
        *([role.label, MEANINGS[role]] for role in CHOICES),
        [],
        ["How to correct"],
        ["1", "Every sheet shows the predicted roles as colours; a red frame asks you to look (confidence below "
         f"{threshold:g})."],
        ["2", "Its roles are names in the sheet `roles ...`, in the same cells. Change them there: by the list in the "
         "cell, by typing, or by copying over many cells."],
        ["3", "The colours follow at once, in both sheets. View > New Window shows the two side by side."],
        ["4", f"`{pages[REVIEW]}` lists the least certain cells with links; `{pages[TABLES]}` "
         "lists the tables: change their ranges, add or delete rows."],
        ["5", "Leave the sheets themselves as they are. Save, then: cellroles label import THIS_FILE -o labels.json"],
        [],
        ["Sheet", "Roles", "Cells", "To check"],
    ]  # fmt: skip
    first = len(text)
    text += [[s.copy, s.roles, str(s.cells), str(count)] for s, count in zip(sheets, marked, strict=True)]
    targets = {
        (first + k, col): place(name, "A1") for k, s in enumerate(sheets) for col, name in enumerate((s.copy, s.roles))
    }
    legend = Region(1, 0, len(CHOICES) + 1, 1)
    heads = f"A1:B1 A{len(CHOICES) + 3} A{first}:D{first}"
    after = tints(legend, (), first_look) + always(heads, first_look + HEADING) + links(targets)
    return worksheet(_cells(text), widths={0: 22, 1: 90}, after=after)


def tables_page(sheets: Sequence[ExportedSheet], first_look: int) -> bytes:
    """One row per table: sheet, number, range; the range is a link that selects it."""
    rows = [(sheet.copy, number, box) for sheet in sheets for number, box in sheet.tables]
    targets = {(k, 2): place(sheet, box) for k, (sheet, _, box) in enumerate(rows, 1)}
    after = always("A1:C1", first_look + HEADING) + links(targets)
    return worksheet(_cells([TABLES_HEADINGS, *rows]), view=pane((1, 0)), widths={0: 30, 1: 10, 2: 20}, after=after)


def review_page(doubts: Sequence[Doubt], first_look: int) -> bytes:
    """The least certain cells, with links to them and to where their role is."""
    rows = [("sheet", "cell", "role (predicted)", "confidence", "shows")]
    rows += [(d.sheet, d.ref, d.role, f"{d.confidence:.2f}", d.text[:200]) for d in doubts]
    targets = {(k, 1): place(d.sheet, d.ref) for k, d in enumerate(doubts, 1)}
    targets |= {(k, 2): place(d.roles, d.ref) for k, d in enumerate(doubts, 1)}
    after = always("A1:E1", first_look + HEADING) + links(dict(sorted(targets.items())))
    return worksheet(_cells(rows), view=pane((1, 0)), widths={0: 24, 1: 9, 2: 18, 3: 12, 4: 60}, after=after)


def _cells(rows: Sequence[Sequence[str]]) -> list[tuple[int, int, str]]:
    return [(r, c, text) for r, row in enumerate(rows) for c, text in enumerate(row) if text]
