"""Workbook file -> the file of its page, complete or not at all."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from chunkers.page.model import page_data
from chunkers.page.page import page_html
from chunkers.workbook import Settings, annotated_sheets


def write_page(workbook: str, target: str, settings: Settings) -> str | None:
    """Write the page to a file, or to standard output for `-`; return in one line why it could not be made."""
    try:
        page = page_html(page_data(workbook, annotated_sheets(workbook, settings), settings)).encode(
            "utf-8", "backslashreplace"
        )
        if target == "-":
            sys.stdout.buffer.write(page)
        else:
            _write(Path(target), page)
    except (ValueError, OSError) as error:
        message = " ".join(str(error).split())
        return message if workbook in message else f"{workbook}: {message}"
    return None


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False) as file:
        part = Path(file.name)
        file.write(content)
    try:
        part.chmod(0o644)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
