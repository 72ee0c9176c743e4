"""The ceiling on real sheets: labelled roles through our own path code, judged by the external scorer."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.oracle import SHARED, needs_shared
from tests.oracle_chunks import main


@pytest.mark.shared
@needs_shared
def test_gold_roles_give_exact_header_paths(tmp_path: Path) -> None:
    roles, chunks = tmp_path / "roles.jsonl", tmp_path / "chunks.jsonl"
    main(roles, chunks)
    command = [sys.executable, str(SHARED / "tools" / "score_gold.py"), str(SHARED / "gold"), str(roles), str(chunks)]
    score = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    assert score["sheets_missing"] == []
    assert score["paths"]["found"] == 1.0
    assert score["paths"]["both"] >= 0.92
    assert score["paths"]["assoc"] >= 0.95
    assert score["data_cells"]["data_missing"] == score["data_cells"]["data_owned_twice"] == 0
