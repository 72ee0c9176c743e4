"""Annotated sheet -> chunks."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from chunkers.workbook import chunk_workbook

__all__ = ["chunk_workbook"]


def __getattr__(name: str) -> object:
    """Import on first use, so that the command line starts without numpy."""
    if name in __all__:
        from chunkers import workbook

        return getattr(workbook, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
