from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from chunkers.parts import finished
from tests.scripted import times_read, write_files
from tests.test_batch import outputs, status

ROOT = Path(__file__).parents[1]
RUN = "import sys; from tests.test_batch import status; sys.exit(status(sys.argv[2:], sys.argv[1], jobs=2))"


def start(paths: list[str], target: Path, seconds: float) -> subprocess.Popen[str]:
    """A run in a process of its own that takes some seconds for every file."""
    environment = {**os.environ, "SCRIPTED_SECONDS": str(seconds)}
    command = [sys.executable, "-c", RUN, str(target), *paths]
    return subprocess.Popen(command, cwd=ROOT, env=environment, stderr=subprocess.PIPE, text=True)


def wait_for_parts(run: subprocess.Popen[str], target: Path, count: int) -> None:
    folder = Path(f"{target}.parts")
    while run.poll() is None and not (folder.is_dir() and finished(folder) >= count):
        time.sleep(0.01)
    assert run.poll() is None


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_a_stopped_run_goes_on_to_the_same_bytes(tmp_path: Path, how: signal.Signals) -> None:
    paths, target = write_files(tmp_path, *(f"text {k}" for k in range(11)), "fail"), tmp_path / "out.jsonl"
    assert status(paths, tmp_path / "undisturbed.jsonl", jobs=2) == 1
    run = start(paths, target, 0.2)
    wait_for_parts(run, target, 3)
    run.send_signal(how)
    _, said = run.communicate()
    done = finished(Path(f"{target}.parts"))
    assert not target.exists() and 3 <= done < 12
    if how is not signal.SIGKILL:
        assert run.returncode == 130
        assert said.splitlines()[-1].startswith(f"interrupted: {done} of 12 workbooks are kept in {target}.parts; ")
        assert {path.suffix for path in Path(f"{target}.parts").iterdir()} == {".jsonl", ".report"}
    before = times_read(paths)
    assert status(paths, target, jobs=2, resume=True) == 1
    assert outputs(target) == outputs(tmp_path / "undisturbed.jsonl")
    again = [now - then for now, then in zip(times_read(paths), before, strict=True)]
    assert sum(again) == 12 - done
    assert not Path(f"{target}.parts").exists()
