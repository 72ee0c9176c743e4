"""Workbook -> role records, one JSON object per sheet."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TextIO

from cellroles.sheet import ROLE_LABELS, AnnotatedSheet
from chunkers.batch import until_error
from chunkers.report import SheetReport, WorkbookReport
from chunkers.workbook import Settings, annotated_sheets


@dataclass(frozen=True, slots=True)
class RoleWriter:
    """Writes what the model and the region layer say of every sheet."""

    settings: Settings

    def __call__(self, path: str, out: TextIO) -> WorkbookReport:
        """Write one line per sheet; an error in a workbook ends it, not the run."""
        report = WorkbookReport(path)
        for line in until_error(self._lines(path, report), report):
            out.write(line + "\n")
        return report

    def _lines(self, path: str, report: WorkbookReport) -> Iterator[str]:
        for annotated in annotated_sheets(path, self.settings):
            report.sheets.append(SheetReport.of(annotated))
            yield role_json(annotated)


def role_json(annotated: AnnotatedSheet) -> str:
    """`{"workbook", "sheet", "checkpoint", "cells": [[ref, role, confidence], …], "regions": [range, …]}`.

    Only filled cells are listed; every other cell inside the sheet's extent is empty.
    """
    sheet = annotated.sheet
    confidence = annotated.confidence.astype(float).round(4).tolist()
    cells = [
        [sheet.ref(i), ROLE_LABELS[role], share]
        for i, (role, share) in enumerate(zip(annotated.roles.tolist(), confidence, strict=True))
    ]
    record = {
        "workbook": sheet.workbook,
        "sheet": sheet.name,
        "checkpoint": annotated.checkpoint or None,
        "cells": cells,
        "regions": [table.region.a1 for table in annotated.tables],
    }
    return json.dumps(record, ensure_ascii=False)
