"""A seed -> the look of a sheet: one style per kind of cell, from none at all to banded and bordered."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from random import Random

from cellroles.sheet import Style

FILLS = ("D9E1F2", "DDEBF7", "E2EFDA", "FFF2CC", "F2F2F2", "D9D9D9", "BDD7EE", "FCE4D6", "C6E0B4", "EDEDED")
DARK_FILLS = ("1F4E78", "305496", "375623", "44546A", "833C0C", "000000", "7030A0")


@dataclass(frozen=True, slots=True)
class Look:
    """The choices that make sheets of one author look alike; empty strings mean "not used"."""

    size: float = 11.0
    title_size: float = 11.0
    title_bold: bool = False
    title_fill: str = ""
    header_bold: bool = False
    header_italic: bool = False
    header_fill: str = ""
    header_color: str = ""
    header_border: str = ""
    header_align: str = ""
    header_wrap: bool = False
    label_bold: bool = False
    label_fill: str = ""
    group_bold: bool = False
    group_italic: bool = False
    group_fill: str = ""
    total_bold: bool = False
    total_fill: str = ""
    total_border: str = ""
    note_italic: bool = False
    note_size: float = 11.0
    grid: str = ""
    band: str = ""

    @property
    def plain(self) -> Style:
        """A cell without any formatting of its own."""
        return Style(size=self.size)

    @property
    def title(self) -> Style:
        """Sheet titles and table captions."""
        return Style(bold=self.title_bold, size=self.title_size, fill=self.title_fill)

    @property
    def caption(self) -> Style:
        """Section titles and captions inside the sheet."""
        return Style(bold=self.title_bold, size=self.size)

    @property
    def note(self) -> Style:
        """Notes, units, sources."""
        return Style(italic=self.note_italic, size=self.note_size)

    @property
    def header(self) -> Style:
        """Column headers."""
        return Style(
            bold=self.header_bold,
            italic=self.header_italic,
            size=self.size,
            color=self.header_color,
            fill=self.header_fill,
            border=self.header_border or self.grid,
            align=self.header_align,
            valign="center" if self.header_align == "center" else "",
            wrap=self.header_wrap,
        )

    def label(self, indent: int = 0, row: int = 0, number_format: str = "General") -> Style:
        """Row labels; `indent` is Excel's indent level, `row` counts body rows (for banding)."""
        return _body(self, "label", indent, row % 2, number_format)

    def group(self, indent: int = 0) -> Style:
        """Group headings and parent rows."""
        return _body(self, "group", indent, 0, "General")

    def total(self, number_format: str = "General", indent: int = 0) -> Style:
        """Labels and figures of total rows."""
        return _body(self, "total", indent, 0, number_format)

    def value(self, number_format: str = "General", row: int = 0) -> Style:
        """Figures and text of the body."""
        return _body(self, "value", 0, row % 2, number_format)


@lru_cache(maxsize=4096)
def _body(look: Look, kind: str, indent: int, odd: int, number_format: str) -> Style:
    fill = look.band if odd else ""
    style = Style(size=look.size, fill=fill, border=look.grid, indent=indent, align="left" if indent else "")
    if kind == "label":
        style = replace(style, bold=look.label_bold, fill=look.label_fill or fill)
    if kind == "group":
        style = replace(style, bold=look.group_bold, italic=look.group_italic, fill=look.group_fill)
    if kind == "total":
        style = replace(style, bold=look.total_bold, fill=look.total_fill, border=look.total_border or look.grid)
    return replace(style, number_format=number_format)


def random_look(rng: Random) -> Look:
    """One of four tempers: none at all, bold only, ruled (borders), coloured; details vary within each."""
    size = rng.choice((11.0, 11.0, 11.0, 10.0, 10.0, 9.0, 12.0))
    temper = rng.choices(("none", "bold", "ruled", "coloured"), (0.2, 0.3, 0.25, 0.25))[0]
    if temper == "none":
        return Look(size=size, title_size=size, note_size=size)
    bold = Look(
        size=size,
        title_size=size + rng.choice((0, 0, 1, 2, 3, 5)),
        title_bold=rng.random() < 0.8,
        header_bold=rng.random() < 0.85,
        header_italic=rng.random() < 0.05,
        header_align=rng.choice(("", "center", "center", "right")),
        header_wrap=rng.random() < 0.4,
        label_bold=rng.random() < 0.12,
        group_bold=rng.random() < 0.65,
        group_italic=rng.random() < 0.1,
        total_bold=rng.random() < 0.7,
        note_italic=rng.random() < 0.3,
        note_size=size - rng.choice((0, 0, 1, 2)),
    )
    if temper == "bold":
        return bold
    ruled = replace(
        bold,
        header_border=rng.choice(("tb", "b", "tblr", "tblr", "t")),
        total_border=rng.choice(("t", "tb", "tblr", "")),
        grid=rng.choice(("", "", "tblr", "b")),
    )
    if temper == "ruled":
        return ruled
    dark = rng.random() < 0.35
    return replace(
        ruled,
        header_fill=rng.choice(DARK_FILLS if dark else FILLS),
        header_color="FFFFFF" if dark else "",
        title_fill=rng.choice(FILLS) if rng.random() < 0.15 else "",
        label_fill=rng.choice(FILLS) if rng.random() < 0.12 else "",
        group_fill=rng.choice(FILLS) if rng.random() < 0.4 else "",
        total_fill=rng.choice(FILLS) if rng.random() < 0.4 else "",
        band=rng.choice(FILLS) if rng.random() < 0.25 else "",
    )
