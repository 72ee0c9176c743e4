from __future__ import annotations

import numpy as np
import pytest

from cellroles.annotate import annotate
from cellroles.errors import CheckpointError
from cellroles.sheet import Floats, Role, Sheet
from tests.builders import sheet_from_rows
from tests.grids import picture


class Broken:
    def probabilities(self, sheet: Sheet) -> Floats:
        raise RuntimeError("no memory")


class Certain:
    def __init__(self, roles: np.ndarray) -> None:
        self.roles = roles

    def probabilities(self, sheet: Sheet) -> Floats:
        probabilities: Floats = np.eye(len(Role), dtype=np.float32)[self.roles]
        return probabilities


SHEET, ROLES = picture("h Catches of the year\n\nc1 Item | c1 2020 | c1 2021\nr1 Cod | v 1 | v 2\nr1 Hake | v 3 | v 4")


@pytest.mark.parametrize("given", [{"roles": ROLES}, {"predictor": Certain(ROLES)}], ids=["oracle", "model"])
def test_roles_become_tables_and_paths(given: dict[str, object]) -> None:
    annotated = annotate(SHEET, **given)  # type: ignore[arg-type]
    (table,) = annotated.tables
    assert (table.region.a1, table.title) == ("A3:C5", (0,))
    assert annotated.roles.tolist() == ROLES.tolist()
    last = len(SHEET) - 1
    assert annotated.paths[annotated.col_path[last]].labels == ("2021",)
    assert annotated.paths[annotated.row_path[last]].labels == ("Hake",)
    assert annotated.table.tolist() == [-1] + [0] * last


def test_a_model_that_fails_leaves_a_sheet_that_can_be_chunked() -> None:
    annotated = annotate(SHEET, predictor=Broken())
    assert annotated.warnings == ("model failed: RuntimeError: no memory",)
    assert set(annotated.roles.tolist()) == {Role.VALUE} and annotated.tables == ()


def test_an_unknown_checkpoint_is_an_error_and_no_fallback() -> None:
    with pytest.raises(CheckpointError, match="nowhere"):
        annotate(SHEET, checkpoint="nowhere")


def test_an_empty_sheet_needs_no_model() -> None:
    assert len(annotate(sheet_from_rows([]), checkpoint="nowhere").sheet) == 0


def test_a_missing_extra_is_no_failed_model(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*_: object, **__: object) -> None:
        raise ImportError("install 'cellroles[docling]'")

    monkeypatch.setattr("cellroles.segment.tables.find_tables", missing)
    sheet = sheet_from_rows([["a", 1]])
    with pytest.raises(ImportError, match=r"cellroles\[docling\]"):
        annotate(sheet, roles=np.zeros(len(sheet), np.uint8))
