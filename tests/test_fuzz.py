"""Mutated workbooks, the findings of earlier runs among them, are read, or refused with a typed error."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from random import Random

import pytest

from tests.fuzz import FINDINGS, finding
from tests.mutate import cases, seeds, zipped


@pytest.mark.parametrize("path", sorted(FINDINGS.glob("*.xlsx")), ids=lambda path: path.stem)
def test_earlier_findings_stay_mended(path: Path, tmp_path: Path) -> None:
    assert finding(path.read_bytes(), tmp_path / "mutated.xlsx") is None


def test_the_packages_that_are_mutated_are_sound(tmp_path: Path) -> None:
    for parts in seeds(tmp_path):
        assert finding(zipped(parts), tmp_path / "mutated.xlsx") is None


def test_a_few_mutated_files_give_no_finding(tmp_path: Path) -> None:
    for _, content in islice(cases(Random(7), seeds(tmp_path)), 100):
        assert finding(content, tmp_path / "mutated.xlsx", ask_others=False) is None
