"""Sheet -> annotated sheet: roles, tables and the header paths of its values."""

from __future__ import annotations

from typing import Literal, Protocol

import numpy as np

from cellroles.sheet import AnnotatedSheet, Bytes, Floats, HeaderPath, Ints, Role, Sheet, Table

FAILED = "model failed: "


class RolePredictor(Protocol):
    """Anything that turns a sheet into role probabilities of shape (n, 13)."""

    def probabilities(self, sheet: Sheet) -> Floats:
        """Probabilities per filled cell; rows sum to one."""


def annotate(
    sheet: Sheet,
    *,
    checkpoint: str = "default",
    segmenter: str = "components",
    gap_tolerance: int | Literal["auto"] = "auto",
    repair: bool = True,
    roles: Bytes | None = None,
    predictor: RolePredictor | None = None,
) -> AnnotatedSheet:
    """Understand a sheet.

    `roles` of shape (n,) replaces the model's answer (an oracle for measurements) and goes through the same smoothing,
    region and path code. `predictor` saves loading `checkpoint` again. A sheet on which the model fails comes back
    without roles (all `value`, no tables) and says so in `warnings`; an unknown or broken checkpoint raises instead.
    """
    from cellroles.decode import decode, smooth
    from cellroles.headers import header_paths
    from cellroles.segment.tables import find_tables

    if not len(sheet):
        return _annotated(sheet, np.zeros(0, np.uint8), np.zeros(0, np.float32), checkpoint)
    if roles is None and predictor is None:
        predictor = _load(checkpoint)
    try:
        if roles is not None:
            decoded, confidence = smooth(sheet, roles), np.ones(len(sheet), np.float32)
        else:
            assert predictor is not None
            decoded, confidence = decode(sheet, predictor.probabilities(sheet))
        tables, table_of = find_tables(sheet, decoded, segmenter=segmenter, gap_tolerance=gap_tolerance, repair=repair)
        paths, col_path, row_path = header_paths(sheet, decoded, tables, table_of)
    except ImportError:  # a missing extra is the caller's to install, whatever the sheet
        raise
    except Exception as error:  # one odd sheet must not cost the workbook; the reason travels into the report
        return unannotated(sheet, f"{FAILED}{type(error).__name__}: {error}", checkpoint)
    return AnnotatedSheet(
        sheet, decoded, confidence, tables, table_of, paths, col_path, row_path, checkpoint, sheet.warnings
    )


def unannotated(sheet: Sheet, reason: str, checkpoint: str = "") -> AnnotatedSheet:
    """The sheet with every cell a value of no table, and `reason` among its warnings."""
    roles = np.full(len(sheet), Role.VALUE, np.uint8)
    return _annotated(sheet, roles, np.zeros(len(sheet), np.float32), checkpoint, (reason,))


def _annotated(
    sheet: Sheet, roles: Bytes, confidence: Floats, checkpoint: str, warnings: tuple[str, ...] = ()
) -> AnnotatedSheet:
    tables: tuple[Table, ...] = ()
    no_table: Ints = np.full(len(sheet), -1, np.int32)
    no_path: Ints = np.zeros(len(sheet), np.int32)
    paths = (HeaderPath(),)
    return AnnotatedSheet(
        sheet, roles, confidence, tables, no_table, paths, no_path, no_path, checkpoint, (*sheet.warnings, *warnings)
    )


def _load(checkpoint: str) -> RolePredictor:
    from cellroles.predict import load_predictor

    return load_predictor(checkpoint)
