"""What a comparison tells while it goes on: a bar where standard error is a terminal, lines elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from chunkers.compare.run import Progress
from chunkers.console import say

EVERY_SECONDS = 15.0


class Lines:
    """A line when a step begins, and one every while with how far it is."""

    def __init__(self) -> None:
        self._what, self._total, self._done, self._last = "", 0, 0, 0.0

    def start(self, what: str, total: int) -> None:
        """A step of so many parts begins."""
        self._what, self._total, self._done, self._last = what, total, 0, time.monotonic()
        say(f"{what}: {total:,}")

    def advance(self, count: int = 1) -> None:
        """So many more parts of the step are done."""
        self._done += count
        if time.monotonic() - self._last > EVERY_SECONDS:
            self._last = time.monotonic()
            say(f"{self._what}: {self._done:,} of {self._total:,}")

    def say(self, line: str) -> None:
        """Something worth a line."""
        say(line)


@contextmanager
def console_progress() -> Iterator[Progress]:
    """Progress for the terminal or log that standard error is."""
    if not sys.stderr.isatty():
        yield Lines()
        return
    from rich import progress
    from rich.console import Console

    columns = (
        progress.TextColumn("{task.description}"),
        progress.BarColumn(),
        progress.MofNCompleteColumn(),
        progress.TimeRemainingColumn(),
    )
    with progress.Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        yield _Bars(bar)


class _Bars:
    """One bar per step."""

    def __init__(self, bar: object) -> None:
        from rich.progress import Progress as Bar
        from rich.progress import TaskID

        assert isinstance(bar, Bar)
        self._bar = bar
        self._task: TaskID | None = None

    def start(self, what: str, total: int) -> None:
        self._task = self._bar.add_task(what, total=total)

    def advance(self, count: int = 1) -> None:
        if self._task is not None:
            self._bar.advance(self._task, count)

    def say(self, line: str) -> None:
        self._bar.console.print(line, markup=False, highlight=False)
