"""Results -> the charts of the report: recall as more is read, association per method, recall per structure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from cellroles.sheet import Floats
from chunkers.compare.judge import BUDGET_TOKENS
from chunkers.compare.report.looks import Chart, Paper, chart, label, lines
from chunkers.compare.report.standing import in_order
from chunkers.compare.report.tables import means_of
from chunkers.compare.results import ALL, Results
from chunkers.compare.statistics import Estimate

if TYPE_CHECKING:
    from matplotlib.axes import Axes

RANKS = (1, 2, 3, 5, 10, 20, 50, 100)
TOKENS = (100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000)
FOUND, ATTACHED = "recall@5", "recall@5 and association"
MOST_TAGS = 14


def charts(results: Results) -> list[Chart]:
    """All charts; that of structures only if the questions have tags."""
    found = [ranks_chart(results), tokens_chart(results), association_chart(results)]
    return [*found, structure_chart(results)] if any(question.tags for question in results.questions) else found


def ranks_chart(results: Results) -> Chart:
    """Recall against the number of chunks retrieved."""
    grid = np.unique(np.geomspace(1, RANKS[-1], 60).round()).astype(np.float32)
    values = {m.name: [verdict.rank for verdict in m.verdicts] for m in results.methods}

    def draw(axes: Axes, paper: Paper) -> None:
        _curves(axes, paper, results, grid, RANKS, {name: recall(found, grid) for name, found in values.items()})
        axes.set_xlabel("chunks retrieved (k)")
        axes.set_ylabel("recall@k")

    told = _told(results, "recall@1", "recall@5")
    return chart("Recall against chunks retrieved", told, (6.9, _height(results)), draw)


def tokens_chart(results: Results) -> Chart:
    """Recall against the number of tokens retrieved, which is fair to small chunks and to large ones."""
    grid = np.geomspace(TOKENS[0] / 2, TOKENS[-1], 80).astype(np.float32)
    values = {m.name: [verdict.tokens for verdict in m.verdicts] for m in results.methods}

    def draw(axes: Axes, paper: Paper) -> None:
        _curves(axes, paper, results, grid, TOKENS, {name: recall(found, grid) for name, found in values.items()})
        axes.axvline(BUDGET_TOKENS, color=paper.ink, linewidth=0.8)
        axes.annotate(f"{BUDGET_TOKENS:,}", (BUDGET_TOKENS, 0.01), (3, 0), textcoords="offset points", fontsize=9)
        axes.set_xlabel("tokens retrieved")
        axes.set_ylabel("recall")

    return chart("Recall against tokens retrieved", _told(results, "recall@1500 tokens"), (6.9, _height(results)), draw)


def recall(found: Sequence[int | None], limits: Floats) -> Floats:
    """The share of questions found within each limit; None is never found.

    >>> recall([1, 3, None, 2], np.array([1, 2, 5], np.float32)).tolist()
    [0.25, 0.5, 0.75]
    """
    at = np.sort([np.inf if value is None else value for value in found])
    return (np.searchsorted(at, limits, side="right") / len(at)).astype(np.float32)


def _curves(
    axes: Axes, paper: Paper, results: Results, grid: Floats, ticks: Sequence[int], shares: dict[str, Floats]
) -> None:
    looks = lines(results, paper)
    for i, method in enumerate(in_order(results)):
        look = looks[method.name]
        axes.plot(
            grid,
            shares[method.name],
            look.dash,
            color=look.color,
            marker=look.marker,
            markevery=(2 * i % 9, 9),
            markersize=5,
            linewidth=1.6,
            label=label(method.name),
        )
    axes.set_xscale("log")
    axes.set_xticks(ticks, [f"{tick:,}" for tick in ticks])
    axes.minorticks_off()
    axes.set_xlim(grid[0], grid[-1])
    axes.set_ylim(0, 1.02)
    axes.legend(loc="center left", bbox_to_anchor=(1, 0.5), fontsize=9)


def association_chart(results: Results) -> Chart:
    """Bars of recall@5 alone and with every header attached, with intervals."""
    methods = in_order(results)
    means = means_of(results, ALL)

    def draw(axes: Axes, paper: Paper) -> None:
        for name, shift, color in ((FOUND, 0.2, paper.colors[0]), (ATTACHED, -0.2, paper.colors[4])):
            for place, method in enumerate(reversed(methods)):
                if found := means[method.name][name]:
                    _bar(axes, paper, place + shift, found, color)
            axes.barh(
                [0], [0], color=color, label="found in the first five" if name == FOUND else "and all headers attached"
            )
        axes.set_yticks(range(len(methods)), [label(method.name) for method in reversed(methods)])
        axes.set_xlim(0, 1.12)
        axes.set_xticks(np.linspace(0, 1, 6))
        axes.grid(axis="y", visible=False)
        axes.set_xlabel("share of questions (lines: 95 % intervals)")
        axes.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=2, fontsize=9)

    told = _told(results, FOUND, ATTACHED)
    return chart("Recall@5, without and with association", told, (6.9, 1.3 + 0.46 * len(methods)), draw)


def _bar(axes: Axes, paper: Paper, place: float, found: Estimate, color: str) -> None:
    axes.barh([place], [found.mean], 0.38, color=color)
    axes.hlines(place, found.low, found.high, color=paper.ink, linewidth=1)
    end = max(found.high, found.mean)
    axes.annotate(f"{found.mean:.2f}", (end, place), (4, 0), textcoords="offset points", va="center", fontsize=8.5)


def structure_chart(results: Results) -> Chart:
    """A map of methods against structure tags; recall@5 with association, or alone where no question has paths."""
    counts = {tag: sum(tag in q.tags for q in results.questions) for q in results.questions for tag in q.tags}
    tags = sorted(sorted(counts, key=lambda tag: -counts[tag])[:MOST_TAGS])
    methods = in_order(results)
    told = [means_of(results, tag) for tag in tags]
    name = ATTACHED if any(means[m.name][ATTACHED] for means in told for m in methods) else FOUND
    cells = [[found.mean if (found := means[m.name][name]) else np.nan for means in told] for m in methods]

    def draw(axes: Axes, paper: Paper) -> None:
        axes.pcolormesh(np.array(cells), cmap="cividis", vmin=0, vmax=1, edgecolors="none")
        for row, values in enumerate(cells):
            for col, value in enumerate(values):
                ink = paper.ink if np.isnan(value) else "white" if value < 0.5 else "black"
                text = "–" if np.isnan(value) else f"{value:.2f}"
                axes.text(col + 0.5, row + 0.5, text, ha="center", va="center", color=ink, fontsize=9)
        heads = [f"{label(tag)}\nn = {counts[tag]:,}" for tag in tags]
        axes.set_xticks(np.arange(len(tags)) + 0.5, heads, rotation=30, ha="right", rotation_mode="anchor", fontsize=9)
        axes.set_yticks(np.arange(len(methods)) + 0.5, [label(method.name) for method in methods])
        axes.invert_yaxis()
        axes.grid(visible=False)
        axes.tick_params(length=0)

    size = (max(6.9, 2.6 + 0.75 * len(tags)), 1.7 + 0.34 * len(methods))
    return chart(
        f"{name[0].upper()}{name[1:]} per structure", "The numbers are in the tables per structure.", size, draw
    )


def _told(results: Results, *names: str) -> str:
    means = means_of(results, ALL)
    parts = [
        f"{method.name}: "
        + ", ".join(f"{name} {found.mean:.3f}" for name in names if (found := means[method.name][name]))
        for method in in_order(results)
    ]
    return "; ".join(parts)


def _height(results: Results) -> float:
    return max(3.6, 0.6 + 0.24 * len(results.methods))
