"""Workbook -> one self-contained page that shows its grid, roles, paths and chunks."""

from __future__ import annotations

from chunkers.page.model import page_data
from chunkers.page.page import page_html

__all__ = ["page_data", "page_html"]
