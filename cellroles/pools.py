"""Features of cells -> means over rows, columns and tables, without the features of all cells at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import scipy.sparse as sp

from cellroles.features import ENGINEERED_WIDTH, SheetFeatures
from cellroles.features.layout import Layout
from cellroles.sheet import Floats, Ints, Sheet

POOL_CHUNK = 4_096
LONG_ROW, FEW_ROWS = 2_048, 16


def mean_by(group: Ints, count: int, values: Floats) -> Floats:
    """Mean of the rows of `values` in each of `count` groups, shape (count, width); zeros for an empty group."""
    members = sp.csr_array((np.ones(len(group), np.float32), (group, np.arange(len(group)))), (count, len(group)))
    size = np.maximum(np.bincount(group, minlength=count), 1).astype(np.float32)
    return np.asarray((members @ values) / size[:, None], np.float32)


def pools(features: SheetFeatures, groups: Sequence[Ints]) -> list[Floats]:
    """`mean_by` over the whole sheet for several ways to group its cells, computed piece by piece."""
    totals = [np.zeros((int(group.max(initial=-1)) + 1, ENGINEERED_WIDTH), np.float32) for group in groups]
    for lo in range(0, len(features.sheet), POOL_CHUNK):
        hi = min(lo + POOL_CHUNK, len(features.sheet))
        values = features.engineered(lo, hi)
        for total, group in zip(totals, groups, strict=True):
            distinct, local = np.unique(group[lo:hi], return_inverse=True)
            weights = np.bincount(local).astype(np.float32)[:, None]
            total[distinct] += mean_by(local.astype(np.int32), len(distinct), values) * weights
    sizes = [np.maximum(np.bincount(group), 1).astype(np.float32)[:, None] for group in groups]
    return [total / size for total, size in zip(totals, sizes, strict=True)]


def has_long_rows(sheet: Sheet, layout: Layout) -> bool:
    """Whether rows are too long for bands, and so few that pooling all of them takes little memory."""
    longest = int(np.bincount(np.cumsum(np.diff(sheet.row, prepend=-1) != 0)).max(initial=0)) if len(sheet) else 0
    return longest > LONG_ROW and len(sheet) >= FEW_ROWS * len(layout.rows.size)
