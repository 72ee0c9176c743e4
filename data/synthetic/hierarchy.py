"""Families with row hierarchies: indents, group rows, stub columns, cross-tabs, statements, numbering."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from data.synthetic.axes import Node, draw_measure, scale_measure
from data.synthetic.draws import flat_axis, measure_columns, nodes, tree_axis, with_subtotals, with_total, years
from data.synthetic.frame import make_title, note_lines, title_lines
from data.synthetic.grid import Canvas
from data.synthetic.nested import ADDITIVE, outer_columns, random_layout
from data.synthetic.styles import Look
from data.synthetic.table import TableWriter
from data.synthetic.vocabulary import Words


def simple_columns(rng: Random, words: Words) -> tuple[str, tuple[Node, ...]]:
    """One level of columns: years, measures or parts with a total and a share."""
    kind = rng.choice(("year", "measures", "parts", "region"))
    if kind == "measures":
        return words.names["indicator"], measure_columns(rng, words, rng.randint(1, 5))
    if kind == "parts":
        columns = with_total(rng, words, nodes(words.some(rng, "parts", rng.randint(2, 4))), first=rng.random() < 0.4)
        if rng.random() < 0.4:
            columns = share_beside(rng, words, columns)
        return words.names["category"], columns
    name, labels = flat_axis(rng, words, kind, rng.randint(2, 8))
    return name, nodes(labels)


def share_beside(rng: Random, words: Words, columns: tuple[Node, ...]) -> tuple[Node, ...]:
    """A percent column after columns that sum up: it refers to the first plain one beside it."""
    return (*columns, Node(words.one(rng, "share"), derived="share"))


def write_outline(
    rng: Random, words: Words, look: Look, canvas: Canvas, name: str, rows: tuple[Node, ...], **changes: object
) -> None:
    """A titled outline or stub table with one or two column levels."""
    if rng.random() < 0.65:
        column_name, columns = simple_columns(rng, words)
        label, measure = draw_measure(rng, words, ADDITIVE)
    else:
        column_name, columns, measure, label = outer_columns(rng, words, 2)
    top = title_lines(rng, words, look, canvas, make_title(rng, words, label, name, column_name), 5)
    layout = random_layout(rng, (name,), **changes)
    TableWriter(canvas, look, (top, 0), layout).place(rng, rows, columns, measure)
    note_lines(rng, words, look, canvas)


def indent_parents(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """Indented children under parents with figures: sums, or figures of their own."""
    name, rows = tree_axis(rng, words, 4, rng.randint(2, 5), figures=rng.choice(("sum", "sum", "own")))
    if rng.random() < 0.35:
        rows = with_total(rng, words, rows, "grand_total", first=True)
    elif rng.random() < 0.4:
        rows = with_total(rng, words, rows, "grand_total")
    write_outline(rng, words, look, canvas, name, rows, indent=_clear_indent(rng))


def indent_headings(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """Indented children under headings without figures, with or without totals per group."""
    name, rows = tree_axis(rng, words, 4, rng.randint(2, 5))
    if rng.random() < 0.4:
        rows = with_subtotals(rng, words, rows)
    if rng.random() < 0.4:
        rows = with_total(rng, words, rows, "grand_total")
    write_outline(rng, words, look, canvas, name, rows, indent=_clear_indent(rng), group_gap=int(rng.random() < 0.25))


def three_levels(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """Three levels of rows: sections, groups, items; only some groups have items."""
    name, rows = tree_axis(rng, words, 4, 3, figures=rng.choice(("", "sum", "own")))
    sections = words.some(rng, "parts", 2)
    pruned = tuple(node if rng.random() < 0.8 else Node(node.label) for node in rows)
    rows = tuple(Node(section, pruned, figures=rng.choice(("", "sum"))) for section in sections)
    if rng.random() < 0.3:
        rows = with_total(rng, words, rows, "grand_total")
    if rng.random() < 0.7:
        return write_outline(rng, words, look, canvas, name, rows, indent=_clear_indent(rng))
    rows = tuple(replace(row, figures="") for row in rows)
    return write_outline(rng, words, look, canvas, name, rows, body="stub", corners=())


def deep_headers(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """Three levels of columns over two or three levels of rows."""
    name, rows = tree_axis(rng, words, rng.randint(2, 3), rng.randint(2, 4), figures=rng.choice(("", "sum")))
    body = rng.choice(("stub", "outline"))
    if rng.random() < 0.5:
        rows = tuple(Node(section, rows, figures="") for section in words.some(rng, "scenarios", 2))
    if rng.random() < 0.5:
        rows = with_total(rng, words, rows, "grand_total")
    stub_names = (name, words.names["category"]) if body == "stub" else (name,)
    column_name, columns, measure, label = outer_columns(rng, words, 3)
    top = title_lines(rng, words, look, canvas, make_title(rng, words, label, name, column_name), 5)
    spans = rng.choice(("merged", "merged", "first", "repeated"))
    layout = random_layout(rng, stub_names, body=body, spans=spans)
    TableWriter(canvas, look, (top, 0), layout).place(rng, rows, columns, measure)
    note_lines(rng, words, look, canvas)


def _clear_indent(rng: Random) -> str:
    return rng.choices(("style", "spaces", "bullet", "dots", "arrow"), (0.45, 0.35, 0.08, 0.06, 0.06))[0]


def group_rows(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """Group headings alone in their row, children not indented."""
    name, rows = tree_axis(rng, words, rng.randint(2, 4), rng.randint(2, 5))
    if rng.random() < 0.4:
        rows = with_subtotals(rng, words, rows, first=False)
    if rng.random() < 0.4:
        rows = with_total(rng, words, rows, "grand_total", first=False)
    write_outline(rng, words, look, canvas, name, rows, indent="none", group_gap=int(rng.random() < 0.3))


def stub_columns(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """A column per row level: merged down, on the first row only, or repeated."""
    name, rows = tree_axis(rng, words, rng.randint(2, 4), rng.randint(2, 5))
    corners: tuple[str, ...] = (name, words.names["category"])
    if rng.random() < 0.3:
        inner = nodes(flat_axis(rng, words, rng.choice(("sex", "year")), 3)[1])
        rows = tuple(replace(row, children=tuple(Node(c.label, inner) for c in row.children[:3])) for row in rows)
        corners = (*corners, words.names["year"])
    elif rng.random() < 0.4:
        rows = with_subtotals(rng, words, rows)
    if rng.random() < 0.4:
        rows = with_total(rng, words, rows, "grand_total")
    if rng.random() < 0.15:
        corners = ()
    write_outline(rng, words, look, canvas, name, rows, body="stub", corners=corners)


def crosstab(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """Two categories against each other with totals on both sides, sometimes with shares."""
    row_name, row_labels = flat_axis(
        rng, words, rng.choice(("age", "region", "department", "country")), rng.randint(3, 10)
    )
    col_name, col_labels = flat_axis(rng, words, rng.choice(("sex", "year", "city", "product")), rng.randint(2, 6))
    label, measure = draw_measure(rng, words, ADDITIVE)
    rows = with_total(rng, words, nodes(row_labels), first=rng.random() < 0.3)
    columns: tuple[Node, ...] = with_total(rng, words, nodes(col_labels), first=rng.random() < 0.3)
    if rng.random() < 0.3:
        columns = share_beside(rng, words, columns)
    if rng.random() < 0.4:
        columns = (Node(rng.choice((col_name, label)), columns),)
    top = title_lines(rng, words, look, canvas, make_title(rng, words, label, row_name, col_name), len(columns))
    layout = random_layout(rng, (row_name,))
    TableWriter(canvas, look, (top, 0), layout).place(rng, rows, columns, measure)
    note_lines(rng, words, look, canvas)


def statement(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """A financial statement: accounts indented under their group, totals, years across."""
    indent, subtotal = _clear_indent(rng), words.one(rng, "subtotal")
    rows: tuple[Node, ...] = ()
    style = rng.choice(("below", "parent", "heading"))
    for text in words.some(rng, "balance", rng.randint(2, 4)):
        group, items = text.split(">")
        children = nodes(items.split("|"))
        if style == "below":
            children = (*children, Node(f"{subtotal} {group}" if rng.random() < 0.7 else subtotal, derived="sum"))
        rows += (Node(group, children, figures="sum" if style == "parent" else ""),)
    if rng.random() < 0.5:
        rows = with_total(rng, words, rows, "grand_total", first=False)
    measure = replace(
        scale_measure(rng, "money"), number_format=rng.choice(("#,##0;(#,##0)", "#,##0", "#,##0.00", "General"))
    )
    columns = nodes(years(rng, rng.randint(2, 5)))
    if rng.random() < 0.3:
        inner = nodes(words.some(rng, "scenarios", 2))
        columns = tuple(Node(column.label, inner) for column in columns)
    top = title_lines(
        rng,
        words,
        look,
        canvas,
        make_title(rng, words, words.names["budget"], words.names["budget"], words.names["year"]),
        4,
    )
    layout = random_layout(rng, (words.names["budget"],), indent=indent, group_gap=int(rng.random() < 0.3))
    TableWriter(canvas, look, (top, 0), layout).place(rng, rows, columns, measure)
    note_lines(rng, words, look, canvas)


def numbering(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """Levels told by numbers (1, 1.1, 1.1.1), not by indents."""
    name, tree = tree_axis(rng, words, 4, rng.randint(2, 4), figures=rng.choice(("", "sum", "own")))
    dot = rng.choice(("", "."))
    rows = []
    for i, node in enumerate(tree, 1):
        children = tuple(
            replace(child, label=f"{i}.{k}{dot} {child.label}") for k, child in enumerate(node.children, 1)
        )
        if rng.random() < 0.3:
            first, extra = children[0], words.some(rng, "parts", 2)
            below = nodes([f"{i}.1.{k}{dot} {label}" for k, label in enumerate(extra, 1)])
            children = (replace(first, children=below, figures=node.figures), *children[1:])
        rows.append(replace(node, label=f"{i}{dot} {node.label}", children=children))
    write_outline(rng, words, look, canvas, name, tuple(rows), indent=rng.choice(("none", "none", "style")))
