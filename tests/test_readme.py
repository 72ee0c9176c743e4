"""The README's Python examples run on a generated workbook, and its files and commands exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from data.synthetic import demo_workbook

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", README, re.DOTALL)


@pytest.mark.parametrize("code", BLOCKS)
def test_python_examples_run(
    code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    demo_workbook(tmp_path / "report.xlsx")
    monkeypatch.chdir(tmp_path)
    exec(compile(code, "README.md", "exec"), {})
    assert len(capsys.readouterr().out.splitlines()) >= 4


def test_there_are_examples() -> None:
    assert len(BLOCKS) == 3


def test_the_annotated_tree_names_real_paths() -> None:
    tree = re.findall(
        r"^(\s*)([\w./]+)\s{2,}\S", re.search(r"```\n(cellroles/ .*?)```", README, re.DOTALL)[1], re.MULTILINE
    )
    top = ""
    for indent, name in tree:
        top = name if not indent else top
        assert (ROOT / (top + name if indent else name)).exists(), name


def test_make_targets_exist() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"make (\w+)", README):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
