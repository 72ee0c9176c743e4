"""Cells -> format features: what a cell looks like, relative to the rest of its sheet."""

from __future__ import annotations

import re

import numpy as np

from cellroles.sheet import Floats, Part, Sheet, Style

FORMAT = (
    "bold",
    "italic",
    "size",
    "fill",
    "color",
    "indent",
    "left",
    "center",
    "right",
    "border_top",
    "border_bottom",
    "border_sides",
    "general",
    "decimals",
    "style_share",
    "fill_share",
    "merge_width",
    "merge_height",
)
_QUOTED = re.compile(r'"[^"]*"|\\.|\[[^\]]*\]')


def style_features(sheet: Sheet) -> Floats:
    """The features of each distinct style, shape (styles, 16); sizes and shares relative to the sheet's cells."""
    if not sheet.styles:
        return np.zeros((0, len(FORMAT) - 2), np.float32)
    count = np.bincount(sheet.style, minlength=len(sheet.styles))
    size = _usual_size(sheet, count)
    fills: dict[str, int] = {}
    for style, cells in zip(sheet.styles, count, strict=True):
        fills[style.fill] = fills.get(style.fill, 0) + int(cells)
    total = max(len(sheet), 1)
    rows = [
        (*_look(style, size), cells / total, fills[style.fill] / total)
        for style, cells in zip(sheet.styles, count, strict=True)
    ]
    return np.array(rows, np.float32)


def _usual_size(sheet: Sheet, count: np.typing.NDArray[np.intp]) -> float:
    """The font size, in points, that most cells have; 0 where none is known."""
    sizes: dict[float, int] = {}
    for style, cells in zip(sheet.styles, count, strict=True):
        sizes[style.size] = sizes.get(style.size, 0) + int(cells)
    return max(sizes, key=lambda size: (sizes[size], size))


def _look(style: Style, usual_size: float) -> tuple[float, ...]:
    code = _QUOTED.sub("", style.number_format)
    general = code in ("General", "@", "")
    ratio = style.size / usual_size - 1 if style.size and usual_size else 0.0
    return (
        float(style.bold),
        float(style.italic),
        float(np.clip(ratio * 2, -1, 2)),
        float(style.fill not in ("", "FFFFFF")),
        float(style.color not in ("", "000000")),
        min(style.indent / 4, 2.0),
        float(style.align == "left"),
        float(style.align in ("center", "centerContinuous")),
        float(style.align == "right"),
        float("t" in style.border),
        float("b" in style.border),
        float("l" in style.border or "r" in style.border),
        float(general),
        0.0 if general else min((code.split(";")[0].partition(".")[2].count("0") + ("," in code)) / 3, 1.5),
    )


def merge_sizes(sheet: Sheet) -> Floats:
    """Columns and rows that each filled cell's merge spans beyond the first, as log1p / 3, shape (n, 2)."""
    sizes = np.zeros((len(sheet), 2), np.float32)
    if len(sheet.merges):
        merges = sheet.merges.astype(np.int64)
        place = sheet.row.astype(np.int64) << 32 | sheet.col
        key = merges[:, 0] << 32 | merges[:, 1]
        at = np.searchsorted(place, key)
        anchored = at < len(place)
        anchored[anchored] = place[at[anchored]] == key[anchored]
        span = np.stack([merges[:, 3] - merges[:, 1] - 1, merges[:, 2] - merges[:, 0] - 1], axis=1)
        sizes[at[anchored]] = np.log1p(span[anchored]) / 3
    return sizes


def format_features(sheet: Sheet, styles: Floats, merges: Floats, part: Part) -> Floats:
    """Format features of the cells of `part`, shape (k, 18)."""
    return np.concatenate([styles[sheet.style[part]], merges[part]], axis=1, dtype=np.float32)
