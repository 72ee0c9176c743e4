"""What happened to each sheet of a run -> the lines of `OUT.report.json`, and sums that are small enough to keep."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field

from cellroles.sheet import AnnotatedSheet, Chunk, Exclusion, a1
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
        report = cls(
            sheet.workbook,
            sheet.name,
            warnings=list(annotated.warnings),
            repairs=[f"{table.region.a1}: {repair}" for table in annotated.tables for repair in table.repairs],
            counts={"filled": len(sheet), "tables": len(annotated.tables), "chunks": 0, "tokens": 0},
        )
        report.exclude(exclusions(annotated, chunker))
        return report

    def exclude(self, cells: Iterable[Exclusion]) -> None:
        """List cells that are in no chunk."""
        self.excluded += [(a1(cell.row, cell.col), cell.text, cell.reason) for cell in cells]

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
    """The sheets of one workbook, problems found by `--check`, and the error that ended it with its type, if any."""

    workbook: str
    sheets: list[SheetReport] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    error: str | None = None
    error_type: str | None = None

    def summary(self) -> Summary:
        """The sums over the sheets."""
        counts = sum((Counter(sheet.counts) for sheet in self.sheets), Counter[str]())
        return Summary(
            self.workbook,
            len(self.sheets),
            counts["filled"],
            counts["chunks"],
            counts["tokens"],
            dict(sum((Counter(sheet.fallbacks) for sheet in self.sheets), Counter[str]())),
            dict(Counter(reason for sheet in self.sheets for _, _, reason in sheet.excluded)),
            list(self.problems),
            self.error,
            self.error_type,
        )

    def sheet_lines(self) -> Iterator[str]:
        """One JSON object per sheet, as it stands in the report."""
        for sheet in self.sheets:
            yield json.dumps(asdict(sheet), ensure_ascii=False)


@dataclass(slots=True)
class Summary:
    """Sums over one workbook, or with `add` over many: fallbacks are reason -> chunks, excluded reason -> cells."""

    workbook: str = ""
    sheets: int = 0
    cells: int = 0
    chunks: int = 0
    tokens: int = 0
    fallbacks: dict[str, int] = field(default_factory=dict)
    excluded: dict[str, int] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    error: str | None = None
    error_type: str | None = None

    def add(self, other: Summary) -> None:
        """Count another workbook in; its problems and error are not kept."""
        self.sheets += other.sheets
        self.cells += other.cells
        self.chunks += other.chunks
        self.tokens += other.tokens
        self.fallbacks = dict(Counter(self.fallbacks) + Counter(other.fallbacks))
        self.excluded = dict(Counter(self.excluded) + Counter(other.excluded))

    def totals(self, workbooks: int) -> dict[str, object]:
        """The end of the report: what so many workbooks come to."""
        numbers = {name: getattr(self, name) for name in ("sheets", "cells", "chunks", "tokens")}
        reasons = {name: dict(sorted(getattr(self, name).items())) for name in ("fallbacks", "excluded")}
        return {"workbooks": workbooks, **numbers, **reasons}
