"""The paths of a command line -> a run with its lines, progress bar, summary and exit status."""

from __future__ import annotations

import errno
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import typer

from chunkers import batch
from chunkers.inputs import expand
from chunkers.parts import PartWriter, Write, fingerprint, finished, workspace
from chunkers.recover import recover_parts
from chunkers.report import Summary
from chunkers.results import Results, beside, to_file, to_standard_output

INTERRUPTED = 130


@dataclass(frozen=True, slots=True)
class Run:
    """What to write where and how: `files` decide the output like `write` itself; None for `timeout` is the default."""

    target: str
    write: Write
    files: tuple[Path, ...]
    report: bool
    jobs: int = 1
    timeout: float | None = None
    resume: bool = False

    def here(self, paths: list[str]) -> bool:
        """Whether the workbook is read in this process: a single one, of which nothing is asked that needs another."""
        return len(paths) == 1 and self.jobs == 1 and self.timeout is None and not self.resume


def execute(arguments: list[str], run: Run) -> None:
    """Write every workbook, say one line per failed file, and leave with the exit status of the run."""
    paths, problems = expand(arguments)
    for problem in problems:
        say(problem)
    if not paths:
        raise typer.Exit(1)
    _spare_inputs(paths, run.target)
    since = time.monotonic()
    try:
        with _interruptible():
            results, failed = _write(paths, run)
    except KeyboardInterrupt:
        say(_stopped("interrupted", run, len(paths)))
        raise typer.Exit(INTERRUPTED) from None
    except OSError as error:
        if error.errno == errno.EPIPE:  # who read our output has gone, which typer answers
            raise
        say(f"{type(error).__name__}: {error}")
        if not isinstance(error, BlockingIOError):  # what is kept there is another run's
            say(_stopped("stopped", run, len(paths)))
        raise typer.Exit(1) from error
    if run.target != "-" or not run.here(paths):
        for line in summary_lines(results, time.monotonic() - since):
            say(line)
    if problems or failed:
        raise typer.Exit(1)


def _spare_inputs(paths: list[str], target: str) -> None:
    """Refuse an output that would take the place of a workbook or of a folder."""
    if target == "-":
        return
    if Path(target).is_dir():
        raise typer.BadParameter(f"the output is a file, and {target} is a folder")
    if Path(target).exists() and any(Path(path).samefile(target) for path in paths):
        raise typer.BadParameter(f"the output would replace the workbook {target}")


def say(text: str) -> None:
    """One line on standard error; what a file name could do to a terminal is shown escaped."""
    typer.echo("".join(c if c.isprintable() else ascii(c)[1:-1] for c in text), err=True)


def _write(paths: list[str], run: Run) -> tuple[Results, bool]:
    """The results of a run, and whether something failed."""
    failed = False
    with ExitStack() as stack:
        folder, digest, results = _open(run, stack)
        writer = PartWriter(run.write, folder, digest, run.resume)
        summaries = stack.enter_context(closing(_summaries(paths, run, writer, results)))
        for summary in summaries:
            failed |= _tell(summary, excluded=run.target == "-" and run.here(paths))
    return results, failed


def _open(run: Run, stack: ExitStack) -> tuple[Path, str, Results]:
    """The folder of the parts, the fingerprint of the run, and where its results go."""
    if run.target == "-":
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="cellroles-")))
        return folder, "", stack.enter_context(to_standard_output())
    target = Path(run.target)
    folder = stack.enter_context(workspace(beside(target, "parts"), resume=run.resume))
    digest = fingerprint(repr(run.write), run.files)
    if run.resume and run.report:
        recover_parts(target, beside(target, "report.json"), folder, digest)
    return folder, digest, stack.enter_context(to_file(target, folder, digest, report=run.report))


def _summaries(paths: list[str], run: Run, writer: PartWriter, results: Results) -> Generator[Summary, None, None]:
    if run.here(paths):
        yield batch.run_here(paths[0], writer, results)
        return
    with _progress(len(paths)) as advance:
        yield from batch.run_isolated(
            paths,
            writer,
            results,
            jobs=run.jobs,
            timeout=run.timeout or batch.TIMEOUT,
            keep_parts=run.target != "-",
            advance=advance,
        )


def _tell(summary: Summary, *, excluded: bool) -> bool:
    """Say what is wrong with a workbook, that it is empty, or what it left out; whether that makes the run fail."""
    name = summary.workbook
    if summary.error:
        say(summary.error if name in summary.error else f"{name}: {summary.error}")
    elif not summary.cells:
        say(f"no filled cells in {name}")
    if summary.excluded and excluded:
        say(f"{name}: excluded cells: {_counts(summary.excluded)}")
    for problem in summary.problems:
        say(f"{name}: {problem}")
    return bool(summary.error or summary.problems)


def summary_lines(results: Results, seconds: float) -> Iterator[str]:
    """The table at the end of a run; fallbacks and excluded cells by reason."""
    total = results.total
    reused = f" ({results.reused:,} already done)" if results.reused else ""
    rows = {
        "files": f"{results.workbooks:,}{reused}",
        **{name: f"{getattr(total, name):,}" for name in ("sheets", "cells", "chunks", "tokens")},
        "excluded cells": _counts(total.excluded),
        "fallbacks": _counts(total.fallbacks),
        "failures": f"{len(results.failures):,}",
        "seconds": f"{seconds:.1f}",
    }
    yield from (f"{name + ':':<16}{value}" for name, value in rows.items())


def _counts(reasons: dict[str, int]) -> str:
    """The reasons, what follows a colon left out, with their numbers, most frequent first.

    >>> _counts({"flat table": 2, "model failed: no file": 3, "model failed: no memory": 1})
    '4 model failed, 2 flat table'
    """
    short: dict[str, int] = {}
    for reason, count in reasons.items():
        key = reason.partition(":")[0]
        short[key] = short.get(key, 0) + count
    return ", ".join(f"{short[key]:,} {key}" for key in sorted(short, key=lambda key: (-short[key], key))) or "none"


def _stopped(how: str, run: Run, total: int) -> str:
    """What is left of a run that did not reach its end, and how to go on."""
    if run.target == "-":
        return how
    folder = beside(Path(run.target), "parts")
    done = finished(folder)
    if not done:
        return f"{how} before a workbook was finished; {run.target} is as it was"
    return f"{how}: {done} of {total} workbooks are kept in {folder}; the same command with --resume goes on"


@contextmanager
def _interruptible() -> Iterator[None]:
    """SIGTERM stops the block as Ctrl-C does."""

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@contextmanager
def _progress(total: int) -> Iterator[Callable[[], None]]:
    """A function to call for every workbook that has ended; moves a bar if standard error is a terminal."""
    if not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("Workbooks"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=total)
        yield lambda: bar.advance(task)
