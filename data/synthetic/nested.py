"""Families with nested column headers: merged, unmerged, stacked, wrapped, years, below, with unit rows."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from cellroles.sheet import Role
from data.synthetic.axes import MEASURES, Measure, Node, draw_measure
from data.synthetic.draws import FLAT_AXES, flat_axis, measure_columns, nodes, tree_axis, with_total
from data.synthetic.frame import make_title, note_lines, title_lines
from data.synthetic.grid import Canvas
from data.synthetic.layout import DETAILS, Layout
from data.synthetic.styles import Look
from data.synthetic.table import TableWriter
from data.synthetic.vocabulary import Words

ADDITIVE = ("count", "money")


def body_size(rng: Random) -> int:
    """Rows of a body: mostly 4-25, sometimes 60."""
    return rng.choices((rng.randint(3, 8), rng.randint(8, 25), rng.randint(25, 60)), (0.4, 0.45, 0.15))[0]


def random_layout(rng: Random, stub_names: tuple[str, ...], **changes: object) -> Layout:
    """A layout with the usual variation; `changes` fixes fields."""
    formulas = rng.random()
    missing = rng.random() < 0.25
    layout = Layout(
        spans=rng.choices(("merged", "first", "centred", "repeated"), (0.58, 0.22, 0.05, 0.15))[0],
        short=rng.choices(("tall", "bottom", "top"), (0.5, 0.3, 0.2))[0],
        fill=rng.choice(("merged", "first", "first", "repeated")),
        indent=rng.choices(("style", "spaces", "none", "bullet", "dots", "arrow"), (0.45, 0.3, 0.1, 0.06, 0.05, 0.04))[
            0
        ],
        corners=stub_names if rng.random() < 0.8 else (),
        corner_at=rng.choice(("tall", "bottom", "top")),
        row_formulas=formulas < 0.3,
        col_formulas=formulas < 0.2 or formulas > 0.95,
        gap=int(rng.random() < 0.12),
        spacer=rng.random() < 0.08,
        group_merge=rng.random() < 0.2,
        missing=rng.uniform(0.02, 0.2) if missing else 0.0,
        missing_text=rng.choice(("", "-", "..", "n/a", "…", "x", "(D)", "–", ":", "*", "c")),
        share_format=rng.choice(("0.0%", "0%", "0.00%", "0.0", "General")),
        detail=_detail(rng) if rng.random() < 0.1 else ("", ()),
        sums=rng.choices(("exact", "rounded", "suppressed", "partial"), (0.7, 0.12, 0.1, 0.08))[0],
    )
    return replace(layout, **changes)  # type: ignore[arg-type]


def _detail(rng: Random) -> tuple[str, tuple[str, ...]]:
    heads, texts = rng.choices(DETAILS, (5, 2, 1, 1))[0]
    return rng.choice(heads), tuple(rng.sample(texts, rng.choice((1, 2, 4, 6))))


def flat_rows(rng: Random, words: Words, kinds: tuple[str, ...] = FLAT_AXES) -> tuple[str, tuple[Node, ...]]:
    """A one-level row axis."""
    name, labels = flat_axis(rng, words, rng.choice(kinds), body_size(rng))
    return name, nodes(labels)


def outer_columns(rng: Random, words: Words, levels: int) -> tuple[str, tuple[Node, ...], Measure, str]:
    """A column tree of two or three levels: (axis name, tree, measure, measure's name)."""
    label, measure = draw_measure(rng, words, ADDITIVE)
    inner_kind = rng.choice(("year", "sex", "quarter", "parts", "measures", "scenarios"))
    if inner_kind in ("parts", "scenarios"):
        inner = nodes(words.some(rng, inner_kind, rng.choice((2, 2, 3))))
    elif inner_kind == "measures":
        inner = measure_columns(rng, words, rng.choice((2, 3)))
    else:
        inner = nodes(flat_axis(rng, words, inner_kind, rng.randint(2, 4))[1])
    if inner_kind in ("sex", "parts", "quarter") and rng.random() < 0.5:
        inner = with_total(rng, words, inner)
    outer_kind = rng.choice([kind for kind in ("year", "region", "country", "department", "age") if kind != inner_kind])
    name, outer = flat_axis(rng, words, outer_kind, rng.randint(2, 4))
    tree = tuple(Node(value, inner) for value in outer)
    if levels == 3:
        tops = rng.sample(words.lists["scenarios"] + words.lists["parts"], 2)
        tree = tuple(Node(top, tree[: rng.randint(2, 3)]) for top in tops)
    if rng.random() < 0.25:
        extra = Node(words.one(rng, "grand_total"), derived="sum") if inner_kind != "measures" else Node(label)
        tree = (extra, *tree) if rng.random() < 0.5 else (*tree, extra)
    return name, tree, measure, label


def write_nested(
    rng: Random,
    words: Words,
    look: Look,
    canvas: Canvas,
    levels: int,
    rows: tuple[Node, ...],
    name: str,
    **changes: object,
) -> None:
    """A titled table with a nested header."""
    column_name, tree, measure, label = outer_columns(rng, words, levels)
    if rng.random() < 0.4:
        rows = with_total(rng, words, rows, rng.choice(("total", "total", "grand_total", "average")))
    top = title_lines(rng, words, look, canvas, make_title(rng, words, label, name, column_name), 6)
    layout = random_layout(rng, (name,), **changes)
    TableWriter(canvas, look, (top, 0), layout).place(rng, rows, tree, measure)
    note_lines(rng, words, look, canvas)


def nested_merged(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """Two or three header levels, spans merged."""
    name, rows = flat_rows(rng, words)
    write_nested(rng, words, look, canvas, rng.choice((2, 2, 3)), rows, name, spans="merged")


def nested_unmerged(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """Two or three header levels, spans written in one cell or repeated."""
    name, rows = flat_rows(rng, words)
    spans = rng.choice(("first", "first", "first", "centred", "repeated"))
    short = rng.choice(("bottom", "top"))
    levels = 2 if spans == "centred" else rng.choice((2, 2, 3))
    write_nested(rng, words, look, canvas, levels, rows, name, spans=spans, short=short)


def nested_stubs(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """Nested headers over a body with two stub columns."""
    name, rows = tree_axis(rng, words, rng.randint(2, 4), rng.randint(2, 5))
    item = words.names["category"]
    changes = {"body": "stub", "corners": (name, item) if rng.random() < 0.8 else ()}
    write_nested(rng, words, look, canvas, rng.choice((2, 2, 3)), rows, name, **changes)


def headers_below(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """Column labels under the body."""
    name, rows = flat_rows(rng, words)
    if rng.random() < 0.5:
        return write_nested(rng, words, look, canvas, 2, rows, name, below=True, gap=0)
    label, measure = draw_measure(rng, words)
    column_name, labels = flat_axis(rng, words, rng.choice(("year", "month", "region", "sex")), rng.randint(3, 8))
    top = title_lines(rng, words, look, canvas, make_title(rng, words, label, name, column_name), 6)
    layout = random_layout(rng, (name,), below=True, gap=0)
    TableWriter(canvas, look, (top, 0), layout).place(rng, rows, nodes(labels), measure)
    return note_lines(rng, words, look, canvas)


def headers_right(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """Row labels right of the figures, as right-to-left authors place them."""
    if rng.random() < 0.5:
        name, rows = flat_rows(rng, words)
    else:
        name, rows = tree_axis(rng, words, 3, 4)
    layout = rng.choice(("stub", "outline"))
    write_nested(rng, words, look, canvas, 2, rows, name, right=True, body=layout, corner_at="bottom")


def single_header(
    rng: Random, words: Words, look: Look, canvas: Canvas, count: int | None = None, **changes: object
) -> None:
    """A titled table with measures as columns and one header level."""
    name, rows = flat_rows(rng, words)
    columns = measure_columns(rng, words, count or rng.randint(2, 7))
    if rng.random() < 0.4:
        rows = with_total(rng, words, rows)
    top = title_lines(rng, words, look, canvas, make_title(rng, words, str(columns[0].label), name, name), 5)
    layout = random_layout(rng, (name,), **changes)
    _, measure = draw_measure(rng, words)
    TableWriter(canvas, look, (top, 0), layout).place(rng, rows, columns, measure)
    note_lines(rng, words, look, canvas)


def wrapped_headers(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """Labels wrapped over two or three unmerged rows: one level."""
    single_header(rng, words, look, canvas, wrap=rng.choice((2, 3, 3)), corner_at=rng.choice(("top", "bottom")))


def unit_rows(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """A row of units under the labels (metadata), over plain or nested headers."""
    count = rng.randint(3, 6)
    units = [rng.choice(words.lists["units"]) for _ in range(count)]
    under = ((Role.METADATA, ("", *(f"({unit})" if rng.random() < 0.3 else unit for unit in units))),)
    single_header(rng, words, look, canvas, count, under=under)


def numbered_headers(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """Column numbers or hashtags under the labels: they name the columns too."""
    count = rng.randint(3, 6)
    if rng.random() < 0.5:
        tags = ["#adm1+name", *(f"#{stem}+{suffix}" for stem, suffix in _tags(rng, count))]
        under = ((Role.COL_HEADER_1, tuple(tags)),)
    else:
        brackets = rng.random() < 0.6
        numbers = [f"({k})" if brackets else str(k) for k in range(1, count + 1)]
        under = ((Role.COL_HEADER_1, ("", *numbers)),)
    single_header(rng, words, look, canvas, count, under=under, gap=0)


def _tags(rng: Random, count: int) -> list[tuple[str, str]]:
    stems = ("affected", "indicator", "population", "value", "reached", "inneed")
    suffixes = ("num", "total", "f", "m", "children", "pct")
    return [(rng.choice(stems), rng.choice(suffixes)) for _ in range(count)]


def description_rows(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """A row that explains every column above the row that names it."""
    count = rng.randint(3, 6)
    texts = tuple(rng.choice(words.lists["descriptions"]) for _ in range(count + 1))
    single_header(rng, words, look, canvas, count, over=((Role.METADATA, texts),))


def year_headers(rng: Random, words: Words, look: Look, canvas: Canvas) -> None:
    """Years or months as columns: a wide time series."""
    label, measure = draw_measure(rng, words)
    name, rows = flat_rows(rng, words, ("country", "city", "age", "department", "product", "company"))
    count = rng.choice((4, 6, 10, 12, 20, 30))
    kind = rng.choice(("year", "year", "month"))
    columns = nodes(flat_axis(rng, words, kind, count)[1])
    if kind == "month" and measure.additive and rng.random() < 0.6:
        columns = with_total(rng, words, columns, rng.choice(("total", "average")), first=False)
    if rng.random() < 0.4 and measure.kind in MEASURES:
        rows = with_total(rng, words, rows, rng.choice(("total", "average")))
    top = title_lines(rng, words, look, canvas, make_title(rng, words, label, name, words.names[kind]), count)
    TableWriter(canvas, look, (top, 0), random_layout(rng, (name,))).place(rng, rows, columns, measure)
    note_lines(rng, words, look, canvas)
