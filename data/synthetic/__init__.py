"""A seed -> a realistic sheet with gold roles, tables and header paths."""

from __future__ import annotations

from data.synthetic.families import FAMILIES, generate
from data.synthetic.grid import SyntheticCell, SyntheticSheet
from data.synthetic.labelled import to_labelled, to_sheet

__all__ = ["FAMILIES", "SyntheticCell", "SyntheticSheet", "generate", "to_labelled", "to_sheet"]
