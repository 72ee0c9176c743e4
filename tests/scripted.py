"""Writers that obey what is written in the file that they read; importable, so that worker processes find them."""

from __future__ import annotations

import errno
import os
import signal
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from chunkers.report import SheetReport, WorkbookReport


@dataclass(frozen=True)
class Scripted:
    """Does `exit`, `segfault`, `out of memory`, `hang`, `no space` or `fail` after the first record; copies others."""

    label: str = ""

    def __call__(self, path: str, out: TextIO) -> WorkbookReport:
        text = Path(path).read_text("utf-8")
        with Path(path).with_suffix(".log").open("a") as log:
            log.write("read\n")
        out.write(f"{path} {self.label}{text}\n")
        time.sleep(float(os.environ.get("SCRIPTED_SECONDS", "0")))
        counts = {"filled": 2, "tables": 1, "chunks": 1, "tokens": 3}
        report = WorkbookReport(path, [SheetReport(path, text, fallbacks={"flat table": 1}, counts=counts)])
        act(text, report)
        return report


def act(text: str, report: WorkbookReport) -> None:
    if text == "exit":
        os._exit(3)
    if text in ("segfault", "out of memory"):
        os.kill(os.getpid(), signal.SIGSEGV if text == "segfault" else signal.SIGKILL)
    if text == "hang":
        Path(report.workbook).with_suffix(".process").write_text(str(os.getpid()))
        time.sleep(600)
    if text == "no space":
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    if text == "fail":
        report.error, report.error_type = "broken", "CorruptWorkbook"


def write_files(folder: Path, *texts: str) -> list[str]:
    """Files `00.txt`, `01.txt`, … with these texts."""
    paths = [folder / f"{k:02}.txt" for k in range(len(texts))]
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text, "utf-8")
    return [str(path) for path in paths]


def times_read(paths: list[str]) -> list[int]:
    logs = [Path(path).with_suffix(".log") for path in paths]
    return [len(log.read_text().splitlines()) if log.exists() else 0 for log in logs]
