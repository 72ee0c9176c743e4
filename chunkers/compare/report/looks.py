"""How the charts look: colours, markers and lines that colour-blind readers tell apart, on light and on dark paper."""

from __future__ import annotations

import base64
import io
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from chunkers.compare.report.standing import Standing, arranged
from chunkers.compare.results import Results

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LONGEST = 26


@dataclass(frozen=True, slots=True)
class Paper:
    """Colours of one scheme; `colors` are Okabe and Ito's without the yellow, which white paper swallows."""

    ink: str
    grid: str
    colors: tuple[str, ...]


LIGHT = Paper("#1b1f24", "#d9dde3", ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#5b6470"))
DARK = Paper("#e6e8eb", "#333a43", ("#3d9be0", "#f0803c", "#2fc79a", "#e29cc3", "#f2b632", "#8fd0f7", "#a2abb6"))
MARKERS = "osD^vPX*"
DASHES: Mapping[Standing, str] = {
    Standing.ASSEMBLY: "-",
    Standing.BASELINE: "--",
    Standing.CEILING: ":",
    Standing.ABLATION: "-.",
}


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart as two images (data URIs), its title, and what it shows for those who do not see it."""

    title: str
    light: str
    dark: str
    told: str


@dataclass(frozen=True, slots=True)
class Line:
    """How the line of one method looks."""

    color: str
    marker: str
    dash: str


def lines(results: Results, paper: Paper) -> dict[str, Line]:
    """Method -> its line: the dash says where it stands, colour and marker which chunker it is."""
    methods = [(method.name, place) for place, found in arranged(results).items() for method in found]
    numbers = {name: i for i, name in enumerate(dict.fromkeys(name.partition("@")[0] for name, _ in methods))}
    return {
        name: Line(paper.colors[i % len(paper.colors)], MARKERS[i % len(MARKERS)], DASHES[place])
        for name, place in methods
        for i in [numbers[name.partition("@")[0]]]
    }


def chart(title: str, told: str, size: tuple[float, float], draw: Callable[[Axes, Paper], None]) -> Chart:
    """Draw on both papers; `size` in inches of 96 pixels."""
    return Chart(title, _image(size, draw, LIGHT), _image(size, draw, DARK), told)


def _image(size: tuple[float, float], draw: Callable[[Axes, Paper], None], paper: Paper) -> str:
    import matplotlib as mpl
    from matplotlib.figure import Figure

    with mpl.rc_context(_settings(paper)), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing")  # the browser has its own fonts for these
        figure = Figure(size, layout="constrained")
        draw(figure.subplots(), paper)
        return f"data:image/svg+xml;base64,{base64.b64encode(_svg(figure)).decode()}"


def _svg(figure: Figure) -> bytes:
    out = io.BytesIO()
    figure.savefig(out, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    return out.getvalue()


def _settings(paper: Paper) -> Any:
    inked = ("text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color")
    return {
        **dict.fromkeys(inked, paper.ink),
        "font.size": 10,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.grid": True,
        "axes.axisbelow": True,
        "grid.color": paper.grid,
        "legend.frameon": False,
        "svg.fonttype": "none",
        "svg.hashsalt": "cellroles",
        "text.parse_math": False,
    }


def label(name: str) -> str:
    """A name for a chart: without what XML cannot hold, and not too long.

    >>> label("a" + chr(0) + "b"), label("x" * 40)
    ('ab', 'xxxxxxxxxxxxxxxxxxxxxxxxx…')
    """
    text = "".join(letter for letter in name if letter.isprintable())
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
