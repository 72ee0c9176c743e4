"""Runs to make -> finished runs: several processes side by side, resumable, with a log each and lines of progress."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from train.config import RunConfig
from train.run import LAST, REPORT

ROOT = Path(__file__).parents[1]
SETTINGS, LOG = "settings.json", "log.txt"
ONE_THREAD = {"OMP_NUM_THREADS": "1", "GOMP_SPINCOUNT": "0", "PYTHONUNBUFFERED": "1"}
TELLING = ("epoch ", "measuring", "macro-F1")  # how the lines begin that say where a run is
POLL_SECONDS, LINE_SECONDS, GRACE_SECONDS = 0.5, 60.0, 20.0


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """One run to make: `config` is what the file `source` says with this run's seed and limits."""

    source: Path
    config: RunConfig
    split: str
    folder: Path

    @property
    def name(self) -> str:
        """What the lines of progress call it."""
        return f"{self.source.stem} {self.split} seed {self.config.seed}"

    @property
    def done(self) -> bool:
        """Whether it has been trained and measured."""
        return (self.folder / REPORT).is_file()

    @property
    def begun(self) -> bool:
        """Whether it goes on from an epoch."""
        return (self.folder / LAST).is_file()

    @property
    def settings(self) -> dict[str, Any]:
        """The settings as they come back from JSON."""
        settings: dict[str, Any] = json.loads(json.dumps(dataclasses.asdict(self.config)))
        return settings

    @property
    def command(self) -> list[str]:
        """The command of its process."""
        training = self.config.training
        limits = ["--epochs", str(training.epochs), "--max-minutes", str(training.max_minutes)]
        place = ["--split", self.split, "--seed", str(self.config.seed), "--output", str(self.folder.resolve())]
        return [sys.executable, "-m", "train.run", str(self.source.resolve()), *place, *limits]


def check_settings(runs: Sequence[Run]) -> None:
    """ValueError where a folder holds a run with other settings than the one asked for."""
    for run in runs:
        path = run.folder / SETTINGS
        if path.is_file() and (differing := _differing(json.loads(path.read_text("utf-8")), run.settings)):
            raise ValueError(
                f"{run.folder} holds a run with other settings ({', '.join(differing)}); "
                "remove the folder, or choose another --output"
            )


def _differing(old: dict[str, Any], new: dict[str, Any], place: str = "") -> list[str]:
    """What both say and say differently; settings that came later have no say."""
    found: list[str] = []
    for key in old.keys() & new.keys():
        if isinstance(old[key], dict) and isinstance(new[key], dict):
            found += _differing(old[key], new[key], f"{place}{key}.")
        elif old[key] != new[key]:
            found.append(f"{place}{key}: {old[key]} there, {new[key]} now")
    return sorted(found)


def make(runs: Sequence[Run], jobs: int) -> list[Run]:
    """Make the runs that are not done, `jobs` at a time; returns those that failed. A stop by Ctrl-C or SIGTERM ends
    the processes and raises KeyboardInterrupt; the same command then goes on where it was."""
    check_settings(runs)
    progress = Progress(runs)
    waiting = deque(run for run in runs if not run.done)
    running: dict[Run, subprocess.Popen[bytes]] = {}
    with _stopping(running) as stop:
        while waiting or running:
            while waiting and len(running) < jobs:
                run = waiting.popleft()
                progress.say(f"{'goes on' if run.begun else 'starts'}: {run.name} (log: {run.folder / LOG})")
                running[run] = _start(run)
            if stop.wait(POLL_SECONDS):
                raise KeyboardInterrupt
            for run in [run for run, process in running.items() if process.poll() is not None]:
                progress.ended(run, running.pop(run).returncode)
            progress.tick(list(running), len(waiting))
    return progress.failed


def _start(run: Run) -> subprocess.Popen[bytes]:
    """The process of a run, out of the terminal's reach: Ctrl-C is for us to pass on."""
    run.folder.mkdir(parents=True, exist_ok=True)
    (run.folder / SETTINGS).write_text(json.dumps(run.settings, indent=1) + "\n", "utf-8")
    with (run.folder / LOG).open("ab") as log:
        return subprocess.Popen(
            run.command,
            cwd=ROOT,
            env=os.environ | ONE_THREAD,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )


@contextlib.contextmanager
def _stopping(running: dict[Run, subprocess.Popen[bytes]]) -> Iterator[threading.Event]:
    """An event that Ctrl-C and SIGTERM set; the processes end, gently first, when the block ends early.

    The signals raise nothing by themselves: between the start of a process and its entry in `running` that would leave
    it behind.
    """
    stop = threading.Event()
    signals = (signal.SIGINT, signal.SIGTERM)
    before = [signal.signal(number, lambda *_: stop.set()) for number in signals]
    try:
        yield stop
    finally:
        for process in running.values():
            process.terminate()
        for process in running.values():
            try:
                process.wait(GRACE_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        for number, handler in zip(signals, before, strict=True):
            signal.signal(number, handler)


class Progress:
    """Lines to the terminal: what starts, runs, is done and is left."""

    def __init__(self, runs: Sequence[Run]) -> None:
        self.total, self.failed = len(runs), list[Run]()
        self.done = sum(run.done for run in runs)
        self.started = self.last = time.monotonic()
        begun = sum(run.begun and not run.done for run in runs)
        self.say(f"{self.total} runs: {self.done} done before, {begun} begun, {self.total - self.done - begun} new")

    def say(self, text: str) -> None:
        """Print one line with the time."""
        print(f"{time.strftime('%H:%M:%S')}  {text}", flush=True)

    def ended(self, run: Run, status: int) -> None:
        """A process ended."""
        if status == 0 and run.done:
            self.done += 1
            self.say(f"done: {run.name}, {standing(run)}")
        else:
            self.failed.append(run)
            reason = (log_lines(run) or ["no line in its log"])[-1].strip()
            self.say(f"FAILED (exit {status}): {run.name}: {reason[:160]}; see {run.folder / LOG}")
        self.last = 0.0

    def tick(self, running: Sequence[Run], waiting: int) -> None:
        """Say how things stand, once a minute and after every end."""
        if running and time.monotonic() - self.last >= LINE_SECONDS:
            self.last = time.monotonic()
            failed = f", {len(self.failed)} failed" if self.failed else ""
            now = "; ".join(f"{run.name}: {standing(run)}" for run in running)
            self.say(f"{self.done} of {self.total} done{failed}, {len(running)} running, {waiting} left | {now}")


def log_lines(run: Run) -> list[str]:
    """The lines of a run's log, none before there is one."""
    try:
        return (run.folder / LOG).read_text("utf-8", "replace").strip().splitlines()
    except FileNotFoundError:
        return []


def standing(run: Run) -> str:
    """Where a run is, by its log: of an epoch's line the epoch, the minutes and the score that chooses."""
    line = next((line for line in reversed(log_lines(run)) if line.startswith(TELLING)), "before its first epoch")
    words = line.split()
    if words[0] == "epoch" and "dev" in words:
        return f"epoch {words[1]}, {words[2]} CPU min, dev {words[words.index('dev') + 1]}"
    return line
