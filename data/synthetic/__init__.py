"""A seed -> a realistic sheet with gold roles, tables and header paths."""

from __future__ import annotations

from data.synthetic.demo import demo_sheets, demo_workbook
from data.synthetic.families import FAMILIES, generate
from data.synthetic.grid import SyntheticCell, SyntheticSheet
from data.synthetic.labelled import to_labelled, to_sheet
from data.synthetic.write import write_xlsx

__all__ = [
    "FAMILIES",
    "SyntheticCell",
    "SyntheticSheet",
    "demo_sheets",
    "demo_workbook",
    "generate",
    "to_labelled",
    "to_sheet",
    "write_xlsx",
]
