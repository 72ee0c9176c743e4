"""Workbooks -> results in the order of the input, read here or in processes of their own."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, TextIO

from cellroles.errors import ReadingDied, ReadingTimedOut
from chunkers.conserve import Ownership
from chunkers.parts import Part, PartWriter
from chunkers.record import chunk_json
from chunkers.registry import ENGINES
from chunkers.report import SheetReport, Summary, WorkbookReport
from chunkers.results import Results
from chunkers.workbook import Settings, annotated_sheets, sheet_chunks

if TYPE_CHECKING:
    from chunkers.isolate import Outcome

TIMEOUT = 600.0
"""Seconds that a workbook may take in a process of its own: several times what two million cells need."""


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
            ownership = Ownership(self.settings.chunker)
            chunks = sheet.watch(sheet_chunks(annotated, self.settings))
            loses = self.settings.chunker in ENGINES
            yield from map(chunk_json, ownership.watch(chunks) if self.check or loses else chunks)
            if loses:
                sheet.exclude(ownership.lost(annotated))
            if self.check:
                report.problems += ownership.problems(annotated)


def until_error(lines: Iterator[str], report: WorkbookReport) -> Iterator[str]:
    """The lines up to the first error in making them, which goes into the report; errors in writing them go on."""
    try:
        yield from lines
    except (ValueError, OSError) as error:
        report.error, report.error_type = " ".join(str(error).split()), type(error).__name__
    except Exception as error:  # a fault of ours in one file must not cost the others
        report.error = f"{report.workbook}: {type(error).__name__}: {error}"
        report.error_type = type(error).__name__


def run_here(path: str, writer: PartWriter, results: Results) -> Summary:
    """Write one workbook in this process, its records straight to the results while they are made."""
    since = time.monotonic()
    key = writer.key(path) if results.report else ""
    report = writer.write(path, results.records)
    size = results.records.tell() if results.report else 0
    summary = report.summary()
    results.add(Part(writer.folder, key, size, summary), report.sheet_lines(), time.monotonic() - since)
    return summary


def run_isolated(
    paths: Sequence[str],
    writer: PartWriter,
    results: Results,
    *,
    jobs: int = 1,
    timeout: float = TIMEOUT,
    keep_parts: bool = True,
    advance: Callable[[], None] = lambda: None,
) -> Iterator[Summary]:
    """Write workbooks in `jobs` processes, each `timeout` seconds at most, and yield their summaries in input order.

    `advance` is called whenever one has ended, in any order. A part is removed once it has been copied unless
    `keep_parts`.
    """
    from chunkers.isolate import isolated  # multiprocessing is of no use to a single workbook

    ended: dict[int, Outcome[Part]] = {}
    turn = 0
    with closing(isolated(writer, paths, min(jobs, len(paths)), timeout)) as outcomes:
        for outcome in outcomes:
            ended[outcome.index] = outcome
            advance()
            while turn in ended:
                yield _take(paths[turn], ended.pop(turn), results, keep_parts)
                turn += 1


def _take(path: str, outcome: Outcome[Part], results: Results, keep_part: bool) -> Summary:
    """Add what became of a workbook to the results."""
    from chunkers.isolate import Died

    if isinstance(outcome.answer, Part):
        results.add_part(outcome.answer, outcome.seconds)
        if not keep_part:
            outcome.answer.remove()
        return outcome.answer.summary
    kind = ReadingDied if isinstance(outcome.answer, Died) else ReadingTimedOut
    summary = Summary(path, error=f"{path}: {outcome.answer}", error_type=kind.__name__)
    results.add_failure(summary, outcome.seconds)
    return summary
