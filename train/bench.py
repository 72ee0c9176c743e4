"""Generated workbooks -> cost of every step as a ratio to `openpyxl.load_workbook` of the same file in the same run.

Each step runs in a process of its own: CPU time of the step, peak memory above what the imports took.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from pathlib import Path

import openpyxl
from openpyxl.cell import WriteOnlyCell
from openpyxl.styles import Alignment, Border, Font, PatternFill, Side

COLUMNS = 10
ROUNDS = 3
REGIONS = ("North", "South", "East", "West", "Centre")


def write_workbook(path: Path, cells: int) -> None:
    """Write a styled sheet of about `cells` cells: title, two header rows, groups, texts, dates, numbers, formulas."""
    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet("Sales")
    bold, fill = Font(bold=True), PatternFill("solid", fgColor="DDEBF7")
    line = Border(bottom=Side(style="thin"))

    def cell(value: object, number_format: str = "General", header: bool = False, indent: int = 0) -> WriteOnlyCell:
        made = WriteOnlyCell(sheet, value)
        made.number_format = number_format
        if header:
            made.font, made.fill, made.border = bold, fill, line
        if indent:
            made.alignment = Alignment(indent=indent)
        return made

    sheet.append([cell("Table 1: Sales by branch and quarter (USD thousand)", header=True)])
    sheet.append([])
    sheet.append(
        [cell(text, header=True) for text in ("Branch", "Opened", "Share", "2023", "", "", "2024", "", "", "Sum")]
    )
    names = ("", "", "", "Units", "Price", "Value", "Units", "Price", "Value", "")
    sheet.append([cell(text, header=True) for text in names])
    for row in range(max(cells // COLUMNS - 3, 1)):
        at = row + 5
        sheet.append(
            [
                cell(f"{REGIONS[row % 5]} branch {row:05d}", indent=row % 3 > 0),
                cell(date(2001, 1, 1) + timedelta(days=row % 7000), "d-mmm-yy"),
                cell((row * 37 % 1000) / 1000, "0.0%"),
                cell(row * 7 % 900),
                cell((row * 13 % 10_000) / 100, "0.00"),
                cell(row * 131 % 1_000_000, "#,##0"),
                cell(row * 11 % 900),
                cell((row * 17 % 10_000) / 100, "0.00"),
                cell(row * 171 % 1_000_000, "#,##0"),
                cell(f"=F{at}+I{at}", "#,##0"),
            ]
        )
    book.save(path)


def load(path: Path) -> Iterator[object]:
    """The yardstick."""
    yield openpyxl.load_workbook(path)


def read(path: Path) -> Iterator[object]:
    """Workbook -> columnar sheets with display text."""
    from cellroles import read_workbook

    yield from read_workbook(path)


def predict(path: Path, checkpoint: str, every_row: bool = False) -> Iterator[object]:
    """Read and predict probabilities, of rows that repeat each other too if `every_row`."""
    from cellroles import read_workbook
    from cellroles.predict import load_predictor

    predictor = load_predictor(checkpoint)
    for sheet in read_workbook(path):
        yield predictor.probabilities(sheet, every_row=every_row)


def chunk(path: Path, checkpoint: str) -> Iterator[object]:
    """The whole flow: every chunk is made and let go."""
    from chunkers import chunk_workbook

    yield from chunk_workbook(path, checkpoint=checkpoint)


def steps(checkpoint: str) -> dict[str, Callable[[Path], Iterator[object]]]:
    """Name -> what is measured."""
    return {
        "load": load,
        "read": read,
        "read + roles": lambda path: predict(path, checkpoint),
        "no repeats": lambda path: predict(path, checkpoint, every_row=True),
        "end to end": lambda path: chunk(path, checkpoint),
    }


def _peak_bytes() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def run_step(name: str, path: Path, checkpoint: str) -> dict[str, float]:
    """CPU seconds and peak bytes above the imports of one step, in this process."""
    warm = path.with_name("warm.xlsx")
    for _ in steps(checkpoint)[name](warm):
        pass
    before, start = _peak_bytes(), time.process_time()
    items = sum(1 for _ in steps(checkpoint)[name](path))
    return {"cpu": time.process_time() - start, "bytes": _peak_bytes() - before, "items": items}


def measure(name: str, path: Path, checkpoint: str) -> dict[str, float]:
    """`run_step` in a fresh process; the least CPU time of three rounds."""
    command = [sys.executable, "-m", "train.bench", "--step", name, "--file", str(path), "--checkpoint", checkpoint]
    rounds = [
        json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout) for _ in range(ROUNDS)
    ]
    return min(rounds, key=lambda result: result["cpu"])


def report(cells: int, checkpoint: str, folder: Path) -> None:
    """Print the table of one size."""
    path = folder / f"{cells}.xlsx"
    write_workbook(path, cells)
    results = {name: measure(name, path, checkpoint) for name in steps(checkpoint)}
    print(f"\n{cells:,} cells, checkpoint {checkpoint}: CPU time as a ratio to openpyxl.load_workbook\n")
    print(f"{'step':<14}{'ratio':>8}{'us/cell':>10}{'peak MB':>10}{'items':>10}")
    for name, result in results.items():
        ratio = result["cpu"] / results["load"]["cpu"]
        figures = f"{ratio:>8.2f}{result['cpu'] / cells * 1e6:>10.2f}{result['bytes'] / 2**20:>10.0f}"
        print(f"{name:<14}{figures}{result['items']:>10,.0f}")


def main() -> None:
    """Measure the sizes asked for."""
    parser = argparse.ArgumentParser(prog="python -m train.bench", description=__doc__)
    parser.add_argument("--cells", type=int, nargs="+", default=[200_000], help="sizes of the generated workbooks")
    parser.add_argument("--checkpoint", default="default")
    parser.add_argument("--step", help=argparse.SUPPRESS)
    parser.add_argument("--file", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.step:
        print(json.dumps(run_step(options.step, options.file, options.checkpoint)))
        return
    with tempfile.TemporaryDirectory() as folder:
        write_workbook(Path(folder) / "warm.xlsx", 500)
        for cells in options.cells:
            report(cells, options.checkpoint, Path(folder))


if __name__ == "__main__":
    main()
