"""One small workbook that shows what the project is for: nested headers, cross-tab, several tables, form, list."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random

from cellroles.sheet import Region, Role
from data.synthetic.axes import Measure, Node
from data.synthetic.draws import nodes
from data.synthetic.grid import Canvas, CellValue, SyntheticSheet
from data.synthetic.layout import Layout
from data.synthetic.records import Field, write_records
from data.synthetic.styles import Look
from data.synthetic.table import TableWriter
from data.synthetic.write import write_xlsx

LOOK = Look(
    title_size=14.0,
    title_bold=True,
    header_bold=True,
    header_fill="D9E1F2",
    header_border="tb",
    header_align="center",
    group_bold=True,
    total_bold=True,
    total_border="t",
    note_italic=True,
    note_size=9.0,
)


def _credit(canvas: Canvas) -> None:
    """Two stub columns, three header levels, totals per week."""
    canvas.title = "Table 15: Credit swaps, gross notional (USD bn)"
    canvas.put(0, 0, canvas.title, Role.HEADER, LOOK.title)
    canvas.put(1, 0, "Billions of US dollars; open positions at the end of the week", Role.METADATA, LOOK.note)
    sides = (*nodes(("Long", "Short")), Node("Total", derived="sum"))
    weeks = (Node("Feb 1", sides), Node("Feb 8", sides))
    columns = (Node("Buyside", weeks), Node("Sellside", weeks))
    products = nodes(("CDX IG", "CDX HY", "iTraxx Europe"))
    uncleared = (*products, *nodes(("Single name",)))
    rows = (Node("Cleared", products), Node("Uncleared", uncleared), Node("Total", derived="sum"))
    layout = Layout(body="stub", fill="merged", corners=("Clearing", "Product"), col_formulas=True, row_formulas=True)
    measure = Measure("money", 3.2, 0.6, 1, "#,##0.0")
    TableWriter(canvas, LOOK, (3, 0), layout).place(Random(15), rows, columns, measure)
    canvas.put(canvas.bottom + 1, 0, "Source: weekly returns of the clearing houses.", Role.METADATA, LOOK.note)


def _visitors(canvas: Canvas) -> None:
    """A cross-tab with totals on both sides and typed shares."""
    canvas.title = "Museum visitors by region and type of ticket, 2023"
    canvas.put(0, 0, canvas.title, Role.HEADER, LOOK.title)
    tickets = nodes(("Full price", "Reduced", "School classes", "Free entry"))
    columns = (Node("Tickets", (*tickets, Node("Total", derived="sum"), Node("Share of visitors", derived="share"))),)
    rows = (
        Node("North", nodes(("Alderby", "Birkdale", "Crosswick")), figures="sum"),
        Node("South", nodes(("Elmshire", "Fernhurst")), figures="sum"),
        Node("All regions", derived="sum"),
    )
    layout = Layout(corners=("Region",), corner_at="tall", indent="style")
    measure = Measure("count", 6.5, 0.7, 0, "#,##0")
    TableWriter(canvas, LOOK, (2, 0), layout).place(Random(2), rows, columns, measure)
    canvas.put(canvas.bottom + 1, 0, "Note: Children under six are not counted.", Role.METADATA, LOOK.note)


def _stores(canvas: Canvas) -> None:
    """Two tables side by side, one below, a note."""
    canvas.title = "Store report, third quarter"
    canvas.put(0, 0, canvas.title, Role.HEADER, LOOK.title)
    months, money = nodes(("Jul", "Aug", "Sep")), Measure("money", 5.0, 0.5, 0, "#,##0")
    layout = Layout(corners=("Store",))
    stores = (*nodes(("Ashford", "Brookhaven", "Clearwater")), Node("Total", derived="sum"))
    for left, caption, seed in ((0, "Sales (EUR)", 3), (5, "Returns (EUR)", 4)):
        canvas.put(2, left, caption, Role.HEADER, LOOK.caption)
        region = TableWriter(canvas, LOOK, (3, left), layout).place(Random(seed), stores, months, money)
        canvas.tables[-1] = replace(region, top=2)
    canvas.put(10, 0, "Staff", Role.HEADER, LOOK.caption)
    fields = [
        Field("Store", ("Ashford", "Brookhaven", "Clearwater"), Role.ROW_HEADER_1),
        Field("Full-time", (12, 8, 5)),
        Field("Part-time", (7, 9, 4)),
        Field("Opening hours", ("9-18", "9-20", "10-18")),
    ]
    region = write_records(canvas, LOOK, (11, 0), fields)
    canvas.tables[-1] = replace(region, top=10)
    canvas.put(16, 0, "Note: Returns include exchanges.", Role.METADATA, LOOK.note)


def _order(canvas: Canvas) -> None:
    """A form with two sections."""
    canvas.title = "Purchase order"
    canvas.put(0, 0, canvas.title, Role.HEADER, LOOK.title)
    sections: dict[str, dict[str, CellValue]] = {
        "Order": {
            "Order number": "ORD-2047",
            "Date": "14 March 2024",
            "Status": "approved",
            "Ordered by": "Irene Keller",
        },
        "Supplier": {"Name": "Brightwater plc", "Address": "12 Mill Lane, Oakham", "Phone": "+44 1632 960128"},
        "Payment": {"Amount": 1834.5, "Discount": 0.02, "Due within (days)": 30},
    }
    formats = {"Amount": "#,##0.00", "Discount": "0%"}
    row = 2
    for title, pairs in sections.items():
        top = row
        canvas.put(row, 0, title, Role.HEADER, LOOK.caption)
        for text, value in pairs.items():
            row += 1
            key = canvas.put(row, 0, f"{text}:", Role.ROW_HEADER_1, LOOK.label())
            style = LOOK.value(formats.get(text, "General"))
            canvas.figure((row, 1), value, Role.VALUE, style, (), (key,))
        canvas.tables.append(Region(top, 0, row + 1, 2))
        row += 2


def _inventory(canvas: Canvas) -> None:
    """A flat list with remarks."""
    items = ("Desk lamp", "Wall clock", "Hand drill", "Safety gloves", "Water pump", "Battery pack", "Notebook")
    remarks = (None, "order again in May", None, None, "one is broken, see Liam", None, None)
    fields = [
        Field("Item", items, Role.ROW_HEADER_1),
        Field("Shelf", ("A1", "A1", "B2", "B2", "C4", "C1", "A3")),
        Field("Quantity", (14, 3, 6, 120, 2, 45, 260), number_format="#,##0"),
        Field("Unit price", (18.9, 12.5, 79.0, 2.35, 149.0, 8.99, 1.2), number_format="0.00"),
        Field("Remarks", remarks, Role.COMMENT),
    ]
    write_records(canvas, LOOK, (0, 0), fields)


PAGES: dict[str, Callable[[Canvas], None]] = {
    "Credit": _credit,
    "Visitors": _visitors,
    "Stores": _stores,
    "Order": _order,
    "Inventory": _inventory,
}


def demo_sheets() -> tuple[SyntheticSheet, ...]:
    """The sheets of the demo, always the same."""
    sheets = []
    for name, write in PAGES.items():
        canvas = Canvas()
        write(canvas)
        sheets.append(canvas.sheet("demo", "en", name))
    return tuple(sheets)


def demo_workbook(path: Path) -> None:
    """Write the demo workbook."""
    write_xlsx(demo_sheets(), path)
