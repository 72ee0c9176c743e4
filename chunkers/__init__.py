"""Annotated sheet -> chunks."""

from chunkers.workbook import chunk_workbook

__all__ = ["chunk_workbook"]
