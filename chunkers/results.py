"""Workbooks in input order -> the output, its report and its failures, which appear complete or not at all."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TextIO

from chunkers.parts import TEMPORARY, Part, text_file
from chunkers.report import Summary


@dataclass(frozen=True, slots=True)
class Failure:
    """A workbook that gave an error, of which type, and after how many seconds."""

    workbook: str
    type: str
    error: str
    seconds: float


@dataclass(slots=True)
class Results:
    """Takes workbooks in input order: `records` is the output, `report` the file of the report, if there is one."""

    records: TextIO
    report: TextIO | None = None
    total: Summary = field(default_factory=Summary)
    workbooks: int = 0
    reused: int = 0
    failures: list[Failure] = field(default_factory=list)
    parts: list[dict[str, object]] = field(default_factory=list)

    def add_part(self, part: Part, seconds: float) -> None:
        """Copy a workbook's records and report from its part."""
        with part.records.open(encoding="utf-8", newline="") as records:
            shutil.copyfileobj(records, self.records)
        self.reused += part.reused
        self.add(part, part.sheet_lines(), seconds)

    def add(self, part: Part, sheet_lines: Iterable[str], seconds: float) -> None:
        """Take up a workbook whose records have been written."""
        if self.report:
            before = ",\n" if self.total.sheets else '{"sheets": [\n'
            for line in sheet_lines:
                self.report.write(before + line)
                before = ",\n"
        self.parts.append(part.head())
        self._count(part.summary, seconds)

    def add_failure(self, summary: Summary, seconds: float) -> None:
        """Take up a workbook that left nothing but its error."""
        self._count(summary, seconds)

    def _count(self, summary: Summary, seconds: float) -> None:
        self.workbooks += 1
        self.total.add(summary)
        if summary.error:
            name = summary.error_type or "WorkbookError"
            self.failures.append(Failure(summary.workbook, name, summary.error, round(seconds, 3)))

    def close_report(self, fingerprint: str) -> None:
        """Write what follows the sheets; it says nothing of time, so that equal inputs have equal reports."""
        if not self.report:
            return
        rest = {
            "failed": [{"workbook": item.workbook, "error": item.error, "type": item.type} for item in self.failures],
            "totals": self.total.totals(self.workbooks),
            "fingerprint": fingerprint,
            "parts": self.parts,
        }
        self.report.write("\n]" if self.total.sheets else '{"sheets": []')
        self.report.writelines(f",\n{json.dumps(name)}: {json.dumps(rest[name], ensure_ascii=False)}" for name in rest)
        self.report.write("}\n")


@contextmanager
def to_standard_output() -> Iterator[Results]:
    """Results whose records are printed; there is no report."""
    reconfigure = getattr(sys.stdout, "reconfigure", None)
    if reconfigure:
        reconfigure(encoding="utf-8", errors="backslashreplace", newline="", line_buffering=True)
    yield Results(sys.stdout)
    sys.stdout.flush()


@contextmanager
def to_file(target: Path, folder: Path, fingerprint: str, *, report: bool) -> Iterator[Results]:
    """Results that are written in `folder` and renamed to `target` and its neighbours when the block ends well.

    The neighbours are `TARGET.report.json` if asked for, and `TARGET.failures.jsonl` if something failed.
    """
    drafts = {name: folder / f"{name}{TEMPORARY}" for name in ("output", "report", "failures")}
    with ExitStack() as stack:
        records, sheets = (stack.enter_context(text_file(drafts[name])) for name in ("output", "report"))
        results = Results(records, sheets if report else None)
        yield results
        results.close_report(fingerprint)
    with text_file(drafts["failures"]) as out:
        out.writelines(json.dumps(asdict(item), ensure_ascii=False) + "\n" for item in results.failures)
    # The output is the last to appear: who sees it sees its report.
    failures = beside(target, "failures.jsonl")
    if results.failures:
        drafts["failures"].replace(failures)
    else:
        failures.unlink(missing_ok=True)
    if report:
        drafts["report"].replace(beside(target, "report.json"))
    drafts["output"].replace(target)


def beside(target: Path, ending: str) -> Path:
    """The path of a file that belongs to an output.

    >>> beside(Path("chunks.jsonl"), "report.json").name
    'chunks.jsonl.report.json'
    """
    return target.with_name(f"{target.name}.{ending}")
