from __future__ import annotations

import json
import subprocess
import sys
import time
from importlib.metadata import version
from pathlib import Path

import numpy as np
import openpyxl
import pytest
from typer.testing import CliRunner, Result

from cellroles.sheet import Floats, Role, Sheet
from chunkers import chunk_workbook
from chunkers.cli import app
from chunkers.registry import CHUNKERS
from chunkers.workbook import require_checkpoint

ROWS: list[list[object]] = [["Name", "Role", "Age"], ["Ann", "Head", 51], ["Bob", "Clerk", 44]]


class FirstRowHeads:
    """A predictor that takes the first row for headers and the first column for labels."""

    def probabilities(self, sheet: Sheet) -> Floats:
        roles = np.full(len(sheet), Role.VALUE)
        roles[sheet.col == 0] = Role.ROW_HEADER_1
        roles[sheet.row == 0] = Role.COL_HEADER_1
        roles[sheet.text == "junk"] = Role.JUNK
        probabilities: Floats = np.eye(len(Role), dtype=np.float32)[roles]
        return probabilities


@pytest.fixture(autouse=True)
def predictor(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chunkers.workbook._predictor", lambda _: FirstRowHeads())
    monkeypatch.setattr("chunkers.workbook.require_checkpoint", lambda _: None)
    monkeypatch.setattr("chunkers.parts._source_files", list)  # two runs are the same even if code is edited meanwhile


def book(path: Path, rows: list[list[object]] = ROWS, hidden: int | None = None) -> Path:
    workbook = openpyxl.Workbook()
    sheet = workbook.active
    for row in rows:
        sheet.append(row)
    if hidden:
        sheet.row_dimensions[hidden].hidden = True
    workbook.save(path)
    return path


def call(*arguments: object) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def table(result: Result) -> dict[str, str]:
    """The summary on standard error without the seconds."""
    rows = [line.partition(":") for line in result.stderr.splitlines()]
    return {name: value.strip() for name, _, value in rows if name != "seconds"}


def records(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_chunks_go_to_a_file_with_a_report_beside_it(tmp_path: Path) -> None:
    source, target = book(tmp_path / "staff.xlsx", hidden=3), tmp_path / "out" / "chunks.jsonl"
    result = call("chunk", source, "-o", target, "--check")
    assert result.exit_code == 0, result.output
    text, flat = records(target)
    assert (text["kind"], flat["kind"], flat["workbook"]) == ("text", "stc", str(source))
    assert flat["text"] == "Sheet: Sheet\nName: Ann; Role: Head; Age: 51"
    report = json.loads((tmp_path / "out" / "chunks.jsonl.report.json").read_text("utf-8"))
    (sheet,) = report["sheets"]
    assert sorted(sheet["excluded"]) == [
        [ref, text, "hidden row"] for ref, text in (("A3", "Bob"), ("B3", "Clerk"), ("C3", "44"))
    ]
    assert sheet["counts"]["filled"] == 6 and sheet["fallbacks"] == {"flat table": 1}
    assert report["totals"] == {
        "workbooks": 1,
        "sheets": 1,
        "cells": 6,
        "chunks": 2,
        "tokens": text["tokens"] + flat["tokens"],  # type: ignore[operator]
        "fallbacks": {"flat table": 1},
        "excluded": {"hidden row": 3},
    }
    assert table(result) == {
        "files": "1",
        "sheets": "1",
        "cells": "6",
        "chunks": "2",
        "tokens": str(report["totals"]["tokens"]),
        "excluded cells": "3 hidden row",
        "fallbacks": "1 flat table",
        "failures": "0",
    }
    assert sorted(path.name for path in target.parent.iterdir()) == [target.name, f"{target.name}.report.json"]


def test_one_workbook_to_standard_output_says_what_it_left_out(tmp_path: Path) -> None:
    source = book(tmp_path / "staff.xlsx", hidden=3)
    assert call("chunk", source).stderr == f"{source}: excluded cells: 3 hidden row\n"


def test_hidden_rows_are_read_on_demand(tmp_path: Path) -> None:
    source = book(tmp_path / "staff.xlsx", hidden=3)
    result = call("chunk", source, "--include-hidden")
    assert "Name: Bob" in result.stdout and result.stderr == ""


def test_python_and_command_line_agree(tmp_path: Path) -> None:
    source = book(tmp_path / "staff.xlsx")
    said = [json.loads(line)["text"] for line in call("chunk", source).stdout.splitlines()]
    assert [chunk.text for chunk in chunk_workbook(source)] == said


@pytest.mark.parametrize("name", ["row", "stc"])
def test_the_output_is_the_same_for_any_number_of_jobs(tmp_path: Path, name: str) -> None:
    for k in range(5):
        book(tmp_path / f"{k}.xlsx", [*ROWS, *([f"Cy {i}", "Clerk", i] for i in range(5 * (6 - k)))])
    outputs = []
    for jobs in (1, 3):
        target = tmp_path / f"jobs{jobs}"
        assert call("chunk", tmp_path, "-o", target, "--chunker", name, "--jobs", jobs).exit_code == 0
        outputs.append((target.read_bytes(), Path(f"{target}.report.json").read_bytes()))
    assert outputs[0] == outputs[1]
    assert records(tmp_path / "jobs1")[0]["workbook"] == str(tmp_path / "0.xlsx")


def test_a_failed_file_costs_one_line_and_the_exit_status(tmp_path: Path) -> None:
    (tmp_path / "a broken.xlsx").write_bytes(b"PK no zip")
    book(tmp_path / "b.xlsx")
    book(tmp_path / "~$b.xlsx")
    target = tmp_path / "chunks.jsonl"
    result = call("chunk", tmp_path, tmp_path / "missing.xlsx", "-o", target)
    assert result.exit_code == 1
    missing, broken, *summary = result.stderr.splitlines()
    assert "missing.xlsx: no such file" in missing and "a broken.xlsx" in broken
    assert summary[0].split() == ["files:", "2"]
    assert {record["workbook"] for record in records(target)} == {str(tmp_path / "b.xlsx")}
    failed = json.loads(Path(f"{target}.report.json").read_text("utf-8"))["failed"]
    assert [entry["workbook"] for entry in failed] == [str(tmp_path / "a broken.xlsx")]
    (failure,) = records(Path(f"{target}.failures.jsonl"))
    assert list(failure) == ["workbook", "type", "error", "seconds"]
    assert {**failed[0], "seconds": failure["seconds"]} == failure and failure["error"] == broken


def test_a_good_run_removes_the_failures_of_the_last(tmp_path: Path) -> None:
    source, target = tmp_path / "a.xlsx", tmp_path / "chunks.jsonl"
    source.write_bytes(b"PK no zip")
    assert call("chunk", source, "-o", target).exit_code == 1
    assert len(records(Path(f"{target}.failures.jsonl"))) == 1
    assert call("chunk", book(source), "-o", target).exit_code == 0
    assert not Path(f"{target}.failures.jsonl").exists()


def test_without_any_input_the_old_output_stays(tmp_path: Path) -> None:
    target = tmp_path / "chunks.jsonl"
    target.write_text("old")
    assert call("chunk", tmp_path / "missing", "-o", target).exit_code == 1
    assert target.read_text() == "old"


def test_a_file_name_cannot_steer_the_terminal(tmp_path: Path) -> None:
    source = book(tmp_path / "a\x1b[2J\nb.xlsx", [])
    assert call("chunk", source).stderr == f"no filled cells in {tmp_path}/a\\x1b[2J\\nb.xlsx\n"


def test_an_empty_workbook_writes_an_empty_output_and_says_so(tmp_path: Path) -> None:
    source, target = book(tmp_path / "empty.xlsx", []), tmp_path / "chunks.jsonl"
    result = call("chunk", source, "-o", target)
    assert (result.exit_code, target.read_text()) == (0, "")
    assert result.stderr.splitlines()[0] == f"no filled cells in {source}"


def test_a_run_that_stops_leaves_the_old_output(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    target = tmp_path / "chunks.jsonl"
    target.write_text("old")
    monkeypatch.setattr("chunkers.batch.annotated_sheets", stop)
    result = call("chunk", book(tmp_path / "staff.xlsx"), "-o", target)
    assert result.exit_code == 130
    assert result.stderr == f"interrupted before a workbook was finished; {target} is as it was\n"
    assert target.read_text() == "old" and sorted(path.name for path in tmp_path.iterdir()) == [
        "chunks.jsonl",
        "staff.xlsx",
    ]


def test_check_names_lost_cells(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chunkers.batch.sheet_chunks", lambda annotated, settings: iter(()))
    result = call("chunk", book(tmp_path / "staff.xlsx"), "--check")
    assert result.exit_code == 1 and "Sheet!C2 is in no chunk" in result.stderr


@pytest.mark.parametrize(
    ("option", "value", "says"),
    [
        ("--chunker", "rows", f"there are {', '.join(CHUNKERS)[:20]}"),
        ("--segmenter", "magic", "there are components, docling"),
        ("--max-tokens", "3", "at least 16"),
        ("--gap-tolerance", "wide", "or auto"),
        ("--jobs", "0", "0"),
        ("--timeout", "0", "0.1"),
    ],
)
def test_wrong_usage_exits_with_two_and_says_what_is_accepted(
    tmp_path: Path, option: str, value: str, says: str
) -> None:
    result = call("chunk", book(tmp_path / "staff.xlsx"), option, value)
    assert result.exit_code == 2
    assert says in " ".join(result.stderr.replace("│", " ").split())


def test_resuming_needs_a_file(tmp_path: Path) -> None:
    result = call("chunk", book(tmp_path / "staff.xlsx"), "--resume")
    assert result.exit_code == 2 and "give it with -o" in result.stderr


def test_no_output_takes_the_place_of_an_input_or_a_folder(tmp_path: Path) -> None:
    source = book(tmp_path / "staff.xlsx")
    content = source.read_bytes()
    for target, says in ((source, "would replace"), (tmp_path, "is a folder")):
        result = call("chunk", source, "-o", target)
        assert result.exit_code == 2 and says in " ".join(result.stderr.replace("│", " ").split())
    assert source.read_bytes() == content


@pytest.mark.parametrize("command", ["chunk", "roles"])
def test_an_isolated_run_gives_what_a_direct_one_does_and_goes_on(tmp_path: Path, command: str) -> None:
    source = [book(tmp_path / f"{k}.xlsx") for k in range(2)]
    one, both = tmp_path / "one.jsonl", tmp_path / "both.jsonl"
    assert call(command, *source, "-o", both, "--jobs", 2, "--timeout", 300).exit_code == 0
    assert call(command, source[0], "-o", one, "--timeout", 300).exit_code == 0
    assert both.read_text().startswith(one.read_text()) and len(records(both)) == 2 * len(records(one)) > 0
    again = table(call(command, *source, "-o", both, "--resume"))
    assert again["files"] == ("2 (2 already done)" if command == "chunk" else "2")


def test_an_unknown_checkpoint_is_wrong_usage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chunkers.workbook.require_checkpoint", require_checkpoint)
    result = call("chunk", book(tmp_path / "staff.xlsx"), "--checkpoint", "nowhere")
    assert result.exit_code == 2 and "nowhere" in result.stderr


def test_roles_are_listed_per_sheet(tmp_path: Path) -> None:
    source, target = book(tmp_path / "staff.xlsx"), tmp_path / "roles.jsonl"
    assert call("roles", source, "-o", target).exit_code == 0
    (record,) = records(target)
    assert list(record) == ["workbook", "sheet", "checkpoint", "cells", "regions"]
    assert record["cells"][:2] == [["A1", "col_header_1", 1.0], ["B1", "col_header_1", 1.0]]  # type: ignore[index]
    assert record["regions"] == ["A1:C3"]


def test_list_names_what_there_is() -> None:
    lines = call("list").stdout.splitlines()
    assert lines[0].startswith(f"chunkers: {', '.join(CHUNKERS)}") and "segmenters: components, docling" in lines


def test_help_is_quick_and_loads_nothing_heavy() -> None:
    code = (
        "import sys; from chunkers.cli import app\n"
        "try: app(['chunk', '--help'])\nexcept SystemExit: pass\n"
        "print([m for m in ('numpy', 'openpyxl', 'onnxruntime', 'torch', 'quicktok') if m in sys.modules])"
    )
    start = time.process_time()
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert time.process_time() - start < 2
    assert "--max-tokens" in done.stdout and "Example" in done.stdout
    assert done.stdout.splitlines()[-1] == "[]"


def test_version_is_that_of_the_distribution() -> None:
    result = call("--version")
    assert result.exit_code == 0
    assert result.output == f"cellroles {version('cellroles')}\n"
