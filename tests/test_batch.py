from __future__ import annotations

import json
import multiprocessing
import os
import time
from pathlib import Path
from unittest import mock

import pytest
import typer

from chunkers.console import Run, execute
from chunkers.isolate import Died, TookTooLong, isolated
from tests.scripted import Scripted, times_read, write_files


def status(paths: list[str], target: str | Path, **options: object) -> int:
    """The exit status of a run of the scripted writer, which is the same even if code is edited meanwhile."""
    write = options.pop("write", Scripted())
    try:
        with mock.patch("chunkers.parts._source_files", list):
            execute(paths, Run(str(target), write, (), True, **options))  # type: ignore[arg-type]
    except typer.Exit as exit_:
        return exit_.exit_code
    return 0


def outputs(target: Path) -> tuple[bytes, bytes]:
    return target.read_bytes(), Path(f"{target}.report.json").read_bytes()


def process_of(task: str) -> tuple[str, int]:
    return task, os.getpid()


def test_workers_are_reused() -> None:
    outcomes = list(isolated(process_of, [f"task {k}" for k in range(20)], jobs=2))
    answers = [outcome.answer for outcome in outcomes if isinstance(outcome.answer, tuple)]
    assert sorted(task for task, _ in answers) == sorted(f"task {k}" for k in range(20))
    assert len({process for _, process in answers} | {os.getpid()}) in (2, 3)
    assert multiprocessing.active_children() == []


def test_an_exception_of_the_call_ends_the_run() -> None:
    with pytest.raises(ZeroDivisionError):
        list(isolated(divide, [1, 0, 2], jobs=1))
    assert multiprocessing.active_children() == []


def divide(number: int) -> float:
    return 1 / number


@pytest.mark.parametrize(
    ("text", "kind", "says"),
    [
        ("exit", "ReadingDied", "ended with status 3"),
        ("segfault", "ReadingDied", "SIGSEGV"),
        ("out of memory", "ReadingDied", "memory runs out"),
        ("hang", "ReadingTimedOut", "more than 1 s"),
        ("fail", "CorruptWorkbook", "broken"),
    ],
)
def test_a_workbook_that_ends_badly_is_lost_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, kind: str, says: str
) -> None:
    paths, target = write_files(tmp_path, "a", text, "b", "c"), tmp_path / "out.jsonl"
    assert status(paths, target, jobs=2, timeout=1.0) == 1
    read = [line.split(maxsplit=1)[1] for line in target.read_text().splitlines()]
    assert read == (["a", "fail", "b", "c"] if text == "fail" else ["a", "b", "c"])
    (failure,) = map(json.loads, Path(f"{target}.failures.jsonl").read_text().splitlines())
    assert (failure["workbook"], failure["type"]) == (paths[1], kind) and says in failure["error"]
    line, *summary = capsys.readouterr().err.splitlines()
    assert line.startswith(f"{paths[1]}: ") and says in line
    assert summary[0].split() == ["files:", "4"] and summary[-2].split() == ["failures:", "1"]
    assert times_read(paths) == [1, 1, 1, 1]
    assert not Path(f"{target}.parts").exists()


def test_a_late_workbook_holds_back_only_its_place(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = write_files(tmp_path, "hang", "a", "b", "c")
    assert status(paths, "-", jobs=2, timeout=1.0) == 1
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == paths[1:]


@pytest.mark.parametrize("count", [1, 5])
def test_output_and_report_are_the_same_for_any_number_of_jobs(tmp_path: Path, count: int) -> None:
    paths = write_files(tmp_path, *["ab", "fail", "c", "ü", "end"][:count])
    found = []
    for jobs in (1, 2, 3):
        status(paths, tmp_path / "out.jsonl", jobs=jobs)
        found.append(outputs(tmp_path / "out.jsonl"))
    assert found[0] == found[1] == found[2]
    assert found[0][0].count(b"\n") == count


def test_a_single_workbook_is_read_in_this_process_unless_more_is_asked(tmp_path: Path) -> None:
    (path,) = write_files(tmp_path, "hang")
    run = Run("-", Scripted(), (), True)
    assert run.here([path]) and not run.here([path, path])
    assert status([path], tmp_path / "out.jsonl", timeout=0.5) == 1
    assert (tmp_path / "out.jsonl").read_bytes() == b""


def test_a_forbidden_place_is_said_without_a_traceback(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("")
    assert status(write_files(tmp_path, "a"), tmp_path / "file" / "out.jsonl") == 1
    error, stopped = capsys.readouterr().err.splitlines()
    assert error.startswith("NotADirectoryError: ") and stopped.startswith("stopped before a workbook was finished")


def test_a_full_disk_stops_the_run_and_keeps_what_is_finished(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paths, target = write_files(tmp_path, "a", "no space", "b"), tmp_path / "out.jsonl"
    assert status(paths, target) == 1
    error, stopped = capsys.readouterr().err.splitlines()
    assert "No space left" in error and stopped.startswith(f"stopped: 1 of 3 workbooks are kept in {target}.parts; ")
    Path(paths[1]).write_text("more space")
    assert status(paths, target, resume=True) == 0
    assert times_read(paths) == [1, 2, 1] and target.read_text().count("\n") == 3


def test_workers_end_with_their_supervisor(tmp_path: Path) -> None:
    """Closing the iterator leaves no process, also none that hangs."""
    paths = write_files(tmp_path, "a", "hang")
    outcomes = isolated(Hang(), paths, jobs=2)
    assert next(outcomes).answer == "a"
    since = time.monotonic()
    outcomes.close()
    assert multiprocessing.active_children() == [] and time.monotonic() - since < 60


class Hang:
    def __call__(self, path: str) -> str:
        text = Path(path).read_text()
        if text == "hang":
            time.sleep(600)
        return text


def test_what_ended_a_worker_is_said_in_words() -> None:
    assert str(Died(3)) == "the process that read it ended with status 3"
    assert str(TookTooLong(2.0)) == "it took more than 2 s"
