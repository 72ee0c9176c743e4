from __future__ import annotations

import numpy as np
import pytest

from cellroles.sheet import Role
from data.synthetic import generate, to_labelled
from train.paths import agreement


def test_true_roles_agree_and_one_stray_outer_label_costs_the_rows_below() -> None:
    labelled = to_labelled(generate(3, "flat_name"))
    assert agreement(labelled, labelled.roles) == (1.0, 1.0, 1.0)
    labels = np.flatnonzero(labelled.roles == Role.ROW_HEADER_1)
    stray = labelled.roles.copy()
    stray[labels[len(labels) // 2]] = Role.ROW_HEADER_2
    found = agreement(labelled, stray)
    assert found is not None
    assert found[0] == 1.0
    assert found[1] == found[2] == pytest.approx(0.5, abs=0.15)


def test_a_sheet_without_data_has_no_agreement() -> None:
    labelled = to_labelled(generate(1, "notes_only"))
    assert agreement(labelled, labelled.roles) is None
