from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from unittest import mock

import pytest

from chunkers.parts import PartWriter, fingerprint, finished, workspace
from tests.scripted import Scripted, times_read, write_files
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


def is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return "Z" not in Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]


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


def test_workers_die_with_a_killed_supervisor(tmp_path: Path) -> None:
    paths, target = write_files(tmp_path, "a", "hang", "b"), tmp_path / "out.jsonl"
    run = start(paths, target, 0.0)
    wait_for_parts(run, target, 2)
    worker = int(Path(paths[1]).with_suffix(".process").read_text())
    os.kill(worker, 0)
    run.kill()
    run.communicate()
    while is_running(worker):
        time.sleep(0.01)


def test_only_what_changed_is_read_again(tmp_path: Path) -> None:
    paths, target = write_files(tmp_path, "a", "b", "c", "fail"), tmp_path / "out.jsonl"
    assert status(paths, target, jobs=2, resume=True) == 1
    Path(paths[1]).write_text("changed")
    added = [*write_files(tmp_path / "..", "new"), *paths]
    assert status(added, target, jobs=2, resume=True) == 1
    assert times_read(added) == [1, 1, 2, 1, 2]
    status(added, tmp_path / "anew.jsonl", jobs=1)
    assert outputs(target) == outputs(tmp_path / "anew.jsonl")


@pytest.mark.parametrize("change", ["settings", "output", "report", "no resume"])
def test_all_is_read_again_if_anything_else_changed(tmp_path: Path, change: str) -> None:
    paths, target = write_files(tmp_path, "a", "b"), tmp_path / "out.jsonl"
    assert status(paths, target, jobs=2) == 0
    if change == "output":
        target.write_text("edited")
    if change == "report":
        Path(f"{target}.report.json").write_text("{}")
    label = "other " if change == "settings" else ""
    assert status(paths, target, jobs=2, resume=change != "no resume", write=Scripted(label)) == 0
    assert times_read(paths) == [2, 2]
    assert target.read_text() == "".join(f"{path} {label}{text}\n" for path, text in zip(paths, "ab", strict=True))


def test_a_damaged_part_is_made_again(tmp_path: Path) -> None:
    with workspace(tmp_path / "parts", resume=True) as folder:
        (path,) = write_files(tmp_path, "a")
        writer = PartWriter(Scripted(), folder, "made so", resume=True)
        part = writer(path)
        assert not part.reused and writer(path).reused
        part.records.write_text("cut sho")
        assert not writer(path).reused
        part.report.write_text('{"key')
        assert not writer(path).reused
        assert list(writer(path).sheet_lines()) == list(part.sheet_lines())


def test_a_workspace_belongs_to_one_run_and_touches_nothing_else(tmp_path: Path) -> None:
    folder = tmp_path / "parts"
    folder.mkdir()
    (folder / "notes.txt").write_text("mine")
    (folder / "left.tmp").write_text("unfinished")
    with workspace(folder, resume=True):
        assert [path.name for path in folder.iterdir()] == ["notes.txt"]
        with (
            pytest.raises(BlockingIOError, match="belongs to a run that still goes on"),
            workspace(folder, resume=True),
        ):
            pass
    assert [path.name for path in folder.iterdir()] == ["notes.txt"]


def test_the_fingerprint_knows_settings_code_and_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chunkers.parts._source_files", list)
    model = tmp_path / "model"
    model.write_text("1")
    first = fingerprint("settings", [model])
    assert first == fingerprint("settings", [model, tmp_path / "absent"])
    with mock.patch("chunkers.parts._source_files", lambda: [model]):
        assert fingerprint("settings") != fingerprint("others")
        code = fingerprint("settings")
        model.write_text("other code")
        assert fingerprint("settings") != code
    model.write_text("2")
    assert len({first, fingerprint("settings", [model]), fingerprint("others", [model])}) == 3
