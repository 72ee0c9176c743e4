"""Workbooks -> one file of records and its report; the order of the output is that of the input whatever the jobs."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TextIO

from chunkers.conserve import Ownership
from chunkers.record import chunk_json
from chunkers.report import SheetReport, WorkbookReport
from chunkers.workbook import Settings, annotated_sheets, sheet_chunks

Write = Callable[[str, TextIO], WorkbookReport]
"""Writes the records of one workbook, line by line, and reports; it must survive pickling for more than one job."""


@dataclass(frozen=True, slots=True)
class ChunkWriter:
    """Workbook -> chunk records; `check` verifies that every filled cell has exactly one owner."""

    settings: Settings
    check: bool = False

    def __call__(self, path: str, out: TextIO) -> WorkbookReport:
        """Write the chunks of every sheet while they are made; an error in a workbook ends it, not the run."""
        report = WorkbookReport(path)
        for line in until_error(self._lines(path, report), report):
            out.write(line + "\n")
        return report

    def _lines(self, path: str, report: WorkbookReport) -> Iterator[str]:
        for annotated in annotated_sheets(path, self.settings):
            sheet = SheetReport.of(annotated, self.settings.chunker)
            report.sheets.append(sheet)
            ownership = Ownership()
            chunks = sheet.watch(sheet_chunks(annotated, self.settings))
            yield from map(chunk_json, ownership.watch(chunks) if self.check else chunks)
            if self.check:
                report.problems += ownership.problems(annotated)


def until_error(lines: Iterator[str], report: WorkbookReport) -> Iterator[str]:
    """The lines up to the first error in making them, which goes into the report; errors in writing them go on."""
    try:
        yield from lines
    except (ValueError, OSError) as error:
        report.error = " ".join(str(error).split())
    except Exception as error:  # a fault of ours in one file must not cost the others
        report.error = f"{report.workbook}: {type(error).__name__}: {error}"


def run(paths: Sequence[str], write: Write, out: TextIO, jobs: int) -> Iterator[WorkbookReport]:
    """Write all workbooks to `out` in order, with `jobs` processes, and yield the reports in order."""
    if jobs <= 1 or len(paths) <= 1:
        for path in paths:
            yield write(path, out)
        return
    with (
        tempfile.TemporaryDirectory(prefix="cellroles-") as folder,
        ProcessPoolExecutor(min(jobs, len(paths))) as pool,
    ):
        parts = [Path(folder) / f"{k}.jsonl" for k in range(len(paths))]
        for part, report in zip(parts, pool.map(partial(_write_part, write), paths, parts), strict=True):
            with part.open(encoding="utf-8", errors="backslashreplace", newline="") as records:
                shutil.copyfileobj(records, out)
            part.unlink()
            yield report


def _write_part(write: Write, path: str, part: Path) -> WorkbookReport:
    with part.open("w", encoding="utf-8", errors="backslashreplace", newline="") as out:
        return write(path, out)


@contextmanager
def output(target: str) -> Iterator[TextIO]:
    """The stream of `-` (standard output), or a file that appears complete or not at all."""
    if target == "-":
        reconfigure = getattr(sys.stdout, "reconfigure", None)
        if reconfigure:
            reconfigure(encoding="utf-8", errors="backslashreplace", newline="", line_buffering=True)
        yield sys.stdout
        return
    path = Path(target)
    path.parent.mkdir(parents=True, exist_ok=True)
    partial_path = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with partial_path.open("w", encoding="utf-8", errors="backslashreplace", newline="") as out:
            yield out
        partial_path.replace(path)
    finally:
        partial_path.unlink(missing_ok=True)
