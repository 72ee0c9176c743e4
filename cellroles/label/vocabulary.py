"""Roles -> what a person who corrects them sees: the choices, what they mean, and their colours."""

from __future__ import annotations

from cellroles.sheet import Role

CHOICES = tuple(role for role in Role if role != Role.EMPTY)
"""What a filled cell can be; its place here is the place of its look among the workbook's conditional formats."""

MEANINGS = {
    Role.VALUE: "a figure, text or date of a record, not computed from others",
    Role.AGGREGATION: "a total, subtotal or average of other cells of the table",
    Role.HEADER: "a title or caption; the title of a section of a form",
    Role.METADATA: "a note, footnote, source, unit line or instruction",
    Role.COMMENT: "a free remark about some cells or rows",
    Role.JUNK: "placeholder or decoration: ----, xxx, back to index",
    Role.COL_HEADER_1: "names its column directly; also the corner that names the row labels",
    Role.COL_HEADER_2: "names a group of columns, above col_header_1",
    Role.COL_HEADER_3: "names a group of groups, above col_header_2",
    Role.ROW_HEADER_1: "names its row or record; the key of a key-value form",
    Role.ROW_HEADER_2: "a group of rows or a parent row, over row_header_1",
    Role.ROW_HEADER_3: "a group of groups, over row_header_2",
}

# Okabe and Ito's colours, which colour-blind readers tell apart, paler the less a role stands out.
TINTS = {
    Role.VALUE: "DCECF6",
    Role.AGGREGATION: "8CC0DE",
    Role.HEADER: "EBC9DC",
    Role.METADATA: "DFE1E3",
    Role.COMMENT: "F7F1A0",
    Role.JUNK: "A9ADB4",
    Role.COL_HEADER_1: "FAECCC",
    Role.COL_HEADER_2: "F4D58C",
    Role.COL_HEADER_3: "EDB740",
    Role.ROW_HEADER_1: "CCECE3",
    Role.ROW_HEADER_2: "8CD3C0",
    Role.ROW_HEADER_3: "40B696",
}
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
INK, ALARM = "1B1F24", "B00020"


def look(role: Role, doubtful: bool) -> int:
    """The place of a role's look in `looks_xml`."""
    return CHOICES.index(role) + doubtful * len(CHOICES)


HEADING = 2 * len(CHOICES)
"""The place of the look of headings in `looks_xml`."""


def looks_xml() -> list[str]:
    """The differential formats (`dxf`): a tint per role, the same in bold and a red frame for doubtful cells, headings.

    The ink is set too, because white letters on a dark fill would vanish on a pale one.
    """
    plain = [f'<font><color rgb="FF{INK}"/></font>{_fill(TINTS[role])}' for role in CHOICES]
    bold = f'<font><b/><color rgb="FF{INK}"/></font>'
    sides = "".join(f'<{side} style="thin"><color rgb="FF{ALARM}"/></{side}>' for side in _SIDES)
    doubtful = [f"{bold}{_fill(TINTS[role])}<border>{sides}</border>" for role in CHOICES]
    return [f'<dxf xmlns="{MAIN}">{inside}</dxf>' for inside in (*plain, *doubtful, "<font><b/></font>")]


_SIDES = ("left", "right", "top", "bottom")


def _fill(color: str) -> str:
    rgb = f'rgb="FF{color}"'
    return f'<fill><patternFill patternType="solid"><fgColor {rgb}/><bgColor {rgb}/></patternFill></fill>'
