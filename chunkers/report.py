"""What happened to each sheet of a run -> `OUT.report.json`."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path

from cellroles.sheet import AnnotatedSheet, Chunk, a1
from chunkers.conserve import exclusions


@dataclass(slots=True)
class SheetReport:
    """Exclusions as [ref, text, reason], warnings, fallbacks (reason -> chunks) and counts of one sheet."""

    workbook: str
    sheet: str
    excluded: list[tuple[str, str, str]] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    repairs: list[str] = field(default_factory=list)
    fallbacks: dict[str, int] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, annotated: AnnotatedSheet, chunker: str = "row") -> SheetReport:
        """What is known before the first chunk."""
        sheet = annotated.sheet
        return cls(
            sheet.workbook,
            sheet.name,
            [(a1(cell.row, cell.col), cell.text, cell.reason) for cell in exclusions(annotated, chunker)],
            list(annotated.warnings),
            [f"{table.region.a1}: {repair}" for table in annotated.tables for repair in table.repairs],
            counts={"filled": len(sheet), "tables": len(annotated.tables), "chunks": 0, "tokens": 0},
        )

    def watch(self, chunks: Iterable[Chunk]) -> Iterator[Chunk]:
        """The same chunks, counted as they pass."""
        for chunk in chunks:
            self.counts["chunks"] += 1
            self.counts["tokens"] += chunk.tokens
            if chunk.fallback:
                self.fallbacks[chunk.fallback] = self.fallbacks.get(chunk.fallback, 0) + 1
            yield chunk


@dataclass(slots=True)
class WorkbookReport:
    """The sheets of one workbook, problems found by `--check`, and the error that ended it, if any."""

    workbook: str
    sheets: list[SheetReport] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    error: str | None = None

    @property
    def chunks(self) -> int:
        """Number of chunks written."""
        return sum(sheet.counts["chunks"] for sheet in self.sheets)

    @property
    def is_empty(self) -> bool:
        """Whether no sheet has a filled cell that could be in a chunk."""
        return not any(sheet.counts["filled"] for sheet in self.sheets)

    @property
    def excluded(self) -> Counter[str]:
        """Number of excluded cells by reason."""
        return Counter(reason for sheet in self.sheets for _, _, reason in sheet.excluded)


def write_report(path: Path, reports: Iterable[WorkbookReport]) -> None:
    """One JSON object: `sheets`, `failed` files, and `totals` (files, chunks, excluded cells by reason)."""
    reports = list(reports)
    excluded = sum((report.excluded for report in reports), Counter[str]())
    document = {
        "sheets": [asdict(sheet) for report in reports for sheet in report.sheets],
        "failed": [{"workbook": report.workbook, "error": report.error} for report in reports if report.error],
        "totals": {
            "workbooks": len(reports),
            "chunks": sum(report.chunks for report in reports),
            "excluded": dict(sorted(excluded.items())),
        },
    }
    path.write_text(json.dumps(document, ensure_ascii=False, indent=1), "utf-8", "backslashreplace")
