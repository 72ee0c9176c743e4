"""Example workbook -> its chunks, printed: nested headers, a cross-tab, several tables, a form, a flat list."""

from __future__ import annotations

import tempfile
from itertools import groupby
from pathlib import Path

from rich.console import Console
from rich.panel import Panel
from rich.rule import Rule

from cellroles.sheet import Chunk
from chunkers import chunk_workbook
from data.synthetic import demo_workbook

SHOWN = 6


def show(console: Console, chunk: Chunk) -> None:
    """Print one chunk as it is read, with where it comes from."""
    fallback = f" ({chunk.fallback})" if chunk.fallback else ""
    title = f"{chunk.kind}{fallback}  {chunk.sheet}!{chunk.range}  {chunk.tokens} tokens"
    console.print(Panel(chunk.text, title=title, title_align="left", expand=False, highlight=False))


def main() -> None:
    """Write the example workbook to a temporary folder, chunk it and print the first chunks of every sheet."""
    console = Console(width=120)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "demo.xlsx"
        demo_workbook(path)
        console.print("cellroles chunk demo.xlsx")
        for sheet, chunks in groupby(chunk_workbook(path), key=lambda chunk: chunk.sheet):
            console.print(Rule(sheet))
            every = list(chunks)
            for chunk in every[:SHOWN]:
                show(console, chunk)
            if len(every) > SHOWN:
                console.print(f"… and {len(every) - SHOWN} more chunks of this sheet")


if __name__ == "__main__":
    main()
