"""Tables and reports -> PNG files of one look, with matplotlib."""

from __future__ import annotations

from pathlib import Path
from statistics import fmean
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure
from matplotlib.transforms import Bbox

from train.reports import Reports
from train.tables import Table

DPI = 150
LOOK: Any = {
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#e4e4e4",
}
INK, RUN, HEAD, STRIPE = "#222222", "#3b6ea5", "#dfe8f2", "#f6f8fa"
JITTER = 0.16


def draw_runs(reports: Reports, path: Path) -> None:
    """Figure 3: macro-F1 of every run per configuration, raw (discs) and decoded (rings), with the means as numbers."""
    with mpl.rc_context(LOOK):
        figure = Figure((2.2 + 1.25 * len(reports), 4.6), layout="constrained")
        axes = figure.subplots()
        ways = {"raw": (-JITTER, RUN), "decoded": (JITTER, "none")}
        for place, runs in enumerate(reports.values()):
            for way, (shift, face) in ways.items():
                values = [run[way]["macro"] for run in runs]
                spread = np.linspace(-0.06, 0.06, len(values)) if len(values) > 1 else np.zeros(1)
                axes.scatter(place + shift + spread, values, s=28, facecolor=face, edgecolor=RUN, label=way)
                axes.hlines(fmean(values), place + shift - 0.12, place + shift + 0.12, color=INK, linewidth=1.2)
                axes.annotate(
                    f"{fmean(values):.3f}".removeprefix("0"),
                    (place + shift, max(values)),
                    (0, 6),
                    textcoords="offset points",
                    ha="center",
                    fontsize=9,
                )
        axes.set_xticks(range(len(reports)), [_tick(name, len(runs)) for name, runs in reports.items()])
        axes.set_xlim(-0.6, len(reports) - 0.4)
        axes.margins(y=0.12)
        axes.grid(axis="x", visible=False)
        axes.set_ylabel("macro-F1 on the test fold")
        handles, labels = axes.get_legend_handles_labels()
        axes.legend(handles[:2], labels[:2], loc="lower right", frameon=False)
        axes.set_title("Macro-F1 per run; bars and numbers are means", loc="left", fontsize=11)
        figure.savefig(path, dpi=DPI)


def _tick(name: str, runs: int) -> str:
    """A configuration's name on lines of its own, and its number of runs."""
    return "\n".join([*name.split("_"), f"{runs} run{'s' * (runs != 1)}"])


def draw_table(table: Table, path: Path) -> None:
    """A table as a picture: heading tinted, rows striped, bold where it is marked."""
    with mpl.rc_context(LOOK):
        lines = [table.head, *table.rows]
        widths = [max(len(line[column].strip("*")) for line in lines) + 2 for column in range(len(table.head))]
        figure = Figure((0.5 + 0.088 * sum(widths), 0.7 + 0.27 * len(lines)), layout="constrained")
        axes = figure.subplots()
        axes.set_axis_off()
        axes.set_title(table.title, loc="left", fontsize=11)
        drawn = axes.table(
            [[cell.strip("*") for cell in line] for line in lines],
            colWidths=[width / sum(widths) for width in widths],
            bbox=Bbox.unit(),
            cellLoc="center",
        )
        drawn.auto_set_font_size(False)
        drawn.set_fontsize(9.5)
        for (row, column), cell in drawn.get_celld().items():
            cell.set_linewidth(0)
            cell.set_facecolor(HEAD if row == 0 else STRIPE if row % 2 == 0 else "white")
            if row == 0 or lines[row][column].startswith("**"):
                cell.set_text_props(weight="bold")
            if column == 0:
                cell.set_text_props(ha="left")
                cell.PAD = 0.02
        figure.savefig(path, dpi=DPI)
