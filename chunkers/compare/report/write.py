"""Results -> `report.html` in the output folder."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from chunkers.compare.results import Results
from chunkers.parts import TEMPORARY

NAME = "report.html"
NEEDED = ("jinja2", "matplotlib")


def require_report() -> None:
    """Raise ImportError, naming the extra, if a report could not be made at the end of a run; loads nothing."""
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        raise ImportError(f"the report needs {' and '.join(missing)}: pip install 'cellroles[compare]'")


def write_report(results: Results, folder: Path) -> Path:
    """Write the page, complete or not at all; its path."""
    require_report()
    from chunkers.compare.report.page import report_html

    folder.mkdir(parents=True, exist_ok=True)
    page, draft = folder / NAME, folder / f"{NAME}{TEMPORARY}"
    draft.write_bytes(report_html(results).encode("utf-8", "backslashreplace"))
    draft.replace(page)
    return page
