"""A vocabulary and a seed -> axes of tables: years, months, regions, trees with or without totals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from data.synthetic.axes import Measure, Node, draw_measure
from data.synthetic.grid import CellValue
from data.synthetic.vocabulary import Words

FLAT_AXES = ("year", "month", "sex", "age", "country", "city", "department", "product", "region", "company")
LIST_OF = {
    "sex": "sex",
    "age": "ages",
    "country": "countries",
    "city": "cities",
    "department": "departments",
    "product": "products",
    "company": "companies",
}
ORDERED = ("sex", "age")


def years(rng: Random, count: int) -> list[CellValue]:
    """Consecutive years, mostly as numbers, else as text (`2015/16`)."""
    first = rng.randint(1985, 2024 - count) if count < 39 else 1960
    style = rng.choices(("number", "text", "span"), (0.75, 0.15, 0.1))[0]
    run = range(first, first + count)
    if style == "number":
        return [*run]
    return [str(y) if style == "text" else f"{y}/{(y + 1) % 100:02d}" for y in run]


def flat_axis(rng: Random, words: Words, kind: str, count: int) -> tuple[str, list[CellValue]]:
    """The axis' name and up to `count` labels of one kind."""
    if kind == "year":
        return words.names["year"], years(rng, count)
    if kind == "month":
        months = words.lists[rng.choice(("months", "short_months"))]
        return words.names["month"], list[CellValue](months[: max(count, 3)])
    if kind == "quarter":
        return words.names["year"], list[CellValue](words.lists["quarters"])
    if kind == "region":
        return words.names["region"], list[CellValue](words.trees["region"])[:count]
    if kind in ORDERED:
        return words.names[kind], list[CellValue](words.first(LIST_OF[kind], count))
    labels = words.some(rng, LIST_OF[kind], count)
    if rng.random() < 0.5:
        rng.shuffle(labels)
    if kind in ("city", "company", "product"):
        labels += [f"{labels[k % len(labels)]} {k // len(labels) + 1}" for k in range(len(labels), count)]
    return words.names[kind], list[CellValue](labels)


def nodes(labels: Sequence[CellValue], measure: Measure | None = None) -> tuple[Node, ...]:
    """A leaf per label."""
    return tuple(Node(label, measure=measure) for label in labels)


def tree_axis(rng: Random, words: Words, groups: int, items: int, figures: str = "") -> tuple[str, tuple[Node, ...]]:
    """A two-level tree of one topic; `figures` as in `Node` for the parents."""
    topic = rng.choice(list(words.trees))
    tree = words.trees[topic]
    drawn = rng.sample(list(tree), min(groups, len(tree)))
    chosen = [group for group in tree if group in drawn]
    return words.names[topic], tuple(
        Node(group, nodes(tree[group][: max(2, items)]), figures=figures) for group in chosen
    )


def with_total(
    rng: Random, words: Words, forest: Sequence[Node], kind: str = "total", first: bool | None = None
) -> tuple[Node, ...]:
    """The forest with a total line, last or first."""
    label = words.one(rng, kind)
    total = Node(label, derived="mean" if kind == "average" else "sum")
    lead = rng.random() < 0.25 if first is None else first
    return (total, *forest) if lead else (*forest, total)


def with_subtotals(rng: Random, words: Words, forest: Sequence[Node], first: bool | None = None) -> tuple[Node, ...]:
    """A subtotal in every group, at the same end of each."""
    lead = rng.random() < 0.2 if first is None else first
    label = words.one(rng, "subtotal")
    total = Node(label, derived="sum")
    return tuple(
        replace(node, children=(total, *node.children) if lead else (*node.children, total)) if node.children else node
        for node in forest
    )


def measure_columns(rng: Random, words: Words, count: int) -> tuple[Node, ...]:
    """One column per measure, each with its own scale."""
    found: dict[str, Node] = {}
    for _ in range(4 * count):
        label, measure = draw_measure(rng, words)
        if len(found) < count:
            shown = f"{label} ({words.one(rng, 'units')})" if rng.random() < 0.12 else label
            found.setdefault(label, Node(shown, measure=measure))
    return tuple(found.values())
