"""Imports run one way: cellroles <- chunkers, cellroles <- data, everything <- train."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MAY_IMPORT = {
    "cellroles": {"cellroles"},
    "chunkers": {"cellroles", "chunkers"},
    "data": {"cellroles", "data"},
    "train": {"cellroles", "chunkers", "data", "train"},
}
HEAVY = ("torch", "torch_geometric", "docling", "unstructured", "langchain_core", "lightning", "sklearn")
MODULES = [path for package in MAY_IMPORT for path in sorted((ROOT / package).rglob("*.py"))]


def imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            yield node.module or ""


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_follow_the_layers(path: Path) -> None:
    package = path.relative_to(ROOT).parts[0]
    ours = {name.partition(".")[0] for name in imported(path)} & {*MAY_IMPORT, "tests"}
    assert ours <= MAY_IMPORT[package]


def test_there_are_modules_to_look_at() -> None:
    assert len(MODULES) > 20


@pytest.mark.parametrize(
    "statement", ["import cellroles", "import chunkers", "from cellroles import read_workbook, annotate"]
)
def test_the_core_loads_no_heavy_package(statement: str) -> None:
    code = f"{statement}; import sys; print([name for name in {HEAVY!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
