"""Folder of odd files -> Markdown table of what the command line makes of each, what it says and what that costs.

`python -m tests.robustness_table FOLDER`: every file is chunked in a process of its own (`--check --include-hidden`).
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

TIMEOUT_SECONDS = 60.0
COMMAND = (sys.executable, "-m", "chunkers.cli", "chunk", "--check", "--include-hidden")
OUTCOMES = {0: "chunked", 1: "error"}


def row_of(file: Path, folder: Path, command: tuple[str, ...] = COMMAND, timeout: float = TIMEOUT_SECONDS) -> str:
    """One line of the table: file, outcome, what was said, seconds and peak memory in MB, its children included."""
    log, start = folder / "said", time.monotonic()
    with log.open("wb") as said:
        process = subprocess.Popen(
            [*command, str(file), "-o", str(folder / "chunks.jsonl")], stdout=said, stderr=said, start_new_session=True
        )
        status, peak = _end_of(process, start + timeout)
    seconds = time.monotonic() - start
    outcome = "time-out" if status is None else OUTCOMES.get(status, f"crash ({status})")
    message = " ".join(log.read_text("utf-8", "replace").split()).replace(str(file), file.name).replace("|", "\\|")
    return f"| {file.name} | {outcome} | {message} | {seconds:.1f} | {peak:.0f} |"


def _end_of(process: subprocess.Popen[bytes], deadline: float) -> tuple[int | None, float]:
    """Exit status (None: killed at the deadline) and the peak memory of a process in MB."""
    late = False
    while True:
        pid, status, used = os.wait4(process.pid, os.WNOHANG)
        if pid:
            process.returncode = os.waitstatus_to_exitcode(status)
            return None if late else process.returncode, used.ru_maxrss / 1024
        if not late and time.monotonic() > deadline:
            late = True
            os.killpg(process.pid, signal.SIGKILL)
        time.sleep(0.02)


def main(folder: str) -> None:
    """Print the table for all files of a folder, by name."""
    print("| file | outcome | message | seconds | peak MB |\n|---|---|---|---|---|", flush=True)
    with tempfile.TemporaryDirectory() as work:
        for file in sorted(path for path in Path(folder).iterdir() if path.is_file()):
            print(row_of(file, Path(work)), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
