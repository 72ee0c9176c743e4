"""Points -> fitted lines, and their figure of one panel a score, as PNG and SVG."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from train.figures import DPI, INK, LOOK, RUN

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLUMNS = 4
CEILING = "#c8781e"
SUFFIXES = (".png", ".svg")


@dataclass(frozen=True, slots=True)
class Fit:
    """Ordinary least squares y = intercept + slope x; `error` is the standard error of the slope, `p` its p."""

    slope: float
    intercept: float
    error: float
    p: float
    r2: float


def fit(x: Sequence[float], y: Sequence[float]) -> Fit:
    """The line through points (n,), n at least 3; where y never changes the slope is 0 and p is 1."""
    from scipy.stats import linregress

    if len(set(y)) == 1:
        return Fit(0.0, y[0], 0.0, 1.0, 0.0)
    line = linregress(x, y)
    return Fit(line.slope, line.intercept, line.stderr, line.pvalue, line.rvalue**2)


def draw_fits(
    points: Mapping[str, tuple[float, Mapping[str, float]]],
    lines: Mapping[str, Fit],
    ceiling: Mapping[str, float] | None,
    path: Path,
) -> list[Path]:
    """`path` with each suffix: per score the points by number, the line, and the ceiling as a star; names beside."""
    rows = -(-len(lines) // COLUMNS)
    names = sorted(points, key=lambda name: points[name][0])
    with mpl.rc_context({**LOOK, "font.size": 8}):
        figure = Figure((3 * COLUMNS + 2, 2.7 * rows + 0.3), layout="constrained")
        panels = figure.subplots(rows, COLUMNS, squeeze=False).flat
        for (score, line), panel in zip(lines.items(), panels, strict=False):
            _panel(panel, score, [(points[name][0], points[name][1][score]) for name in names], line)
            if ceiling:
                panel.scatter([1.0], [ceiling[score]], marker="*", s=110, color=CEILING, zorder=3)
        for panel in list(panels):
            panel.set_axis_off()
        handles = [Line2D([], [], linestyle="") for _ in names]
        listed = [f"{number}  {name}  {points[name][0]:.3f}" for number, name in enumerate(names, 1)]
        figure.legend(handles, listed, loc="outside right upper", handlelength=0, frameon=False)
        figure.supxlabel("macro-F1 of the checkpoint" + ("; star: labelled roles" if ceiling else ""))
        written = [path.with_suffix(suffix) for suffix in SUFFIXES]
        for target in written:
            figure.savefig(target, dpi=DPI)
    return written


def _panel(axes: Axes, score: str, points: Sequence[tuple[float, float]], line: Fit) -> None:
    xs, ys = np.array(points).T
    ends = np.array([xs.min() - 0.02, 1.02])
    axes.plot(ends, line.intercept + line.slope * ends, color=INK, linewidth=1, linestyle="--")
    axes.scatter(xs, ys, s=18, color=RUN, zorder=3)
    for number, place in enumerate(points, 1):
        above = number % 2 == 1  # neighbours would overlap
        offset = (0, 4 if above else -9)
        axes.annotate(str(number), place, offset, textcoords="offset points", ha="center", fontsize=6.5)
    axes.set_title(f"{score}\nslope {line.slope:+.2f}, p = {line.p:.2g}, R² = {line.r2:.2f}", loc="left", fontsize=8)
    axes.margins(y=0.15)
