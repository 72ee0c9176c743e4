"""Per-cell role probabilities -> roles that agree with each other, and their confidence.

Isolated errors ruin header paths (one stray outer label becomes the parent of every row below it), so roles are
settled together: along header rows, stub columns and labels of one look.
"""

from __future__ import annotations

import numpy as np

from cellroles.decode.evidence import Evidence, from_probabilities, from_roles, without_empty
from cellroles.decode.grid import grid_of
from cellroles.decode.lines import agree_in_columns, agree_in_rows, agree_on_depth_in_rows
from cellroles.decode.looks import agree_on_depth_by_look
from cellroles.decode.strays import settle_formulas, settle_in_body
from cellroles.sheet import Bytes, Floats, Role, Sheet

__all__ = ["decode", "smooth"]


def decode(sheet: Sheet, probabilities: Floats) -> tuple[Bytes, Floats]:
    """Roles (n,) and the probability (n,) of each, from probabilities (n, 13); never EMPTY, which no filled cell is."""
    if probabilities.shape != (len(sheet), len(Role)):
        raise ValueError(f"probabilities need shape ({len(sheet)}, {len(Role)}), got {probabilities.shape}")
    p = without_empty(probabilities)
    del probabilities  # the largest array of the flow: a caller that keeps it not need not pay for two
    roles = _agree(sheet, p.argmax(axis=1).astype(np.uint8), from_probabilities(p))
    return roles, p[np.arange(len(sheet)), roles]


def smooth(sheet: Sheet, roles: Bytes) -> Bytes:
    """Roles (n,) made consistent, from the roles alone."""
    return _agree(sheet, roles, from_roles(roles))


def _agree(sheet: Sheet, roles: Bytes, evidence: Evidence) -> Bytes:
    if not len(sheet):
        return roles
    grid = grid_of(sheet)
    roles = agree_in_rows(roles, evidence, grid)
    roles = agree_in_columns(roles, evidence, grid)
    roles = settle_in_body(roles, evidence, grid)
    roles = agree_on_depth_in_rows(sheet, roles, evidence, grid)
    roles = agree_on_depth_by_look(sheet, roles, evidence, grid)
    return settle_formulas(sheet, roles)
