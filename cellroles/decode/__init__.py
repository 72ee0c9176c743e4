"""Per-cell role probabilities -> roles that agree with each other, and their confidence.

Isolated errors ruin header paths (one stray outer label becomes the parent of every row below it), so roles are
settled together: where rows and columns cross, along header rows, among labels of one look and in stub columns.
"""

from __future__ import annotations

import numpy as np

from cellroles.decode.blocks import agree_in_blocks
from cellroles.decode.crossings import agree_at_crossings
from cellroles.decode.evidence import Evidence, from_probabilities, from_roles, without_empty
from cellroles.decode.formulas import settle_formulas
from cellroles.decode.grid import Grid, grid_of
from cellroles.decode.lines import agree_on_depth_in_rows
from cellroles.decode.looks import agree_on_depth_by_look
from cellroles.decode.stubs import agree_in_stub_columns
from cellroles.decode.units import settle_unit_rows
from cellroles.sheet import Bytes, Floats, Role, Sheet

__all__ = ["decode", "smooth"]


def decode(sheet: Sheet, probabilities: Floats) -> tuple[Bytes, Floats]:
    """Roles (n,) and the probability (n,) of each, from probabilities (n, 13); never EMPTY, which no filled cell is."""
    if probabilities.shape != (len(sheet), len(Role)):
        raise ValueError(f"probabilities need shape ({len(sheet)}, {len(Role)}), got {probabilities.shape}")
    p = without_empty(probabilities)
    del probabilities  # the largest array of the flow: a caller that keeps it not need not pay for two
    grid, evidence = grid_of(sheet), from_probabilities(p)
    roles = agree_in_blocks(sheet, agree_at_crossings(evidence, grid), evidence, grid)
    roles = _agree_on_depth(sheet, roles, evidence, grid)
    return roles, p[np.arange(len(sheet)), roles]


def smooth(sheet: Sheet, roles: Bytes) -> Bytes:
    """Roles (n,) whose depths agree, from the roles alone: what kind of cell each is stands as given."""
    return _agree_on_depth(sheet, roles, from_roles(roles), grid_of(sheet))


def _agree_on_depth(sheet: Sheet, roles: Bytes, evidence: Evidence, grid: Grid) -> Bytes:
    roles = settle_unit_rows(sheet, agree_on_depth_in_rows(sheet, roles, evidence, grid), grid)
    roles = agree_on_depth_by_look(sheet, roles, evidence, grid)
    roles = agree_in_stub_columns(sheet, roles, evidence, grid)
    return settle_formulas(sheet, roles)
