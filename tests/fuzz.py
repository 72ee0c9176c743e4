"""Small workbooks -> mutated files -> findings: what the reader does with them that it must not.

`python -m tests.fuzz` runs for FUZZ_MINUTES of processor time (2 if not set), from the seed FUZZ_SEED (0). A finding is
an exception that is no WorkbookError, a read over SECONDS or MEMORY, or numbers lost without a word. Findings are
written to tests/fuzz_findings, without the parts of the package that they do not need, and fail the run.
"""

from __future__ import annotations

import contextlib
import os
import re
import resource
import signal
import sys
import tempfile
import time
import traceback
import zipfile
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path
from random import Random

import numpy as np

import cellroles.reader.excel
from cellroles.annotate import FAILED, annotate
from cellroles.errors import CorruptWorkbook, WorkbookError
from cellroles.limits import Limits
from cellroles.reader import read_workbook
from cellroles.sheet import Role, Sheet, a1
from chunkers.conserve import check
from chunkers.record import chunk_json
from chunkers.workbook import Settings, sheet_chunks
from tests.mutate import Parts, cases, seeds, unzipped, zipped

FINDINGS = Path(__file__).parent / "fuzz_findings"
SECONDS = 20
MEMORY = 2 << 30
ASK_OTHERS = 50  # of so many files that a direct read refuses, one is given to the other libraries as well
NUMBER_CELL = re.compile(rb'<c r="([A-Z]{1,3}[1-9]\d{0,6})"(?: s="\d+")?(?: t="n")?><v>-?\d{1,15}(?:\.\d+)?</v></c>')


def finding(content: bytes, path: Path, ask_others: bool = True) -> str | None:
    """What is wrong with how this file is read and cut, in a line; None if all is well."""
    path.write_bytes(content)
    ladder = cellroles.reader.excel.rescued
    if not ask_others:
        cellroles.reader.excel.rescued = _refused
    try:
        with _limited():
            sheets = read_workbook(path, include_hidden=True)
            return next(filter(None, map(_cut, sheets)), None) or _lost(content, sheets)
    except WorkbookError as error:
        return None if path.name in str(error) else f"error without the file's name: {error}"
    except Exception as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        return f"{type(error).__name__} in {Path(last.filename).name}:{last.name}: {str(error)[:200]}"
    finally:
        cellroles.reader.excel.rescued = ladder


def _refused(path: str, sheet: str | None, cause: str, limits: Limits) -> Iterator[Sheet]:
    raise CorruptWorkbook(f"{path}: {cause}")


@contextlib.contextmanager
def _limited() -> Iterator[None]:
    def stop(*_: object) -> None:
        raise TimeoutError(f"more than {SECONDS} seconds")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def _cut(sheet: Sheet) -> str | None:
    """Chunks with first rows and columns as headers: no cell lost, every record valid."""
    roles = np.full(len(sheet), Role.VALUE, np.uint8)
    roles[sheet.col == 0] = Role.ROW_HEADER_1
    roles[sheet.row == 0] = Role.COL_HEADER_1
    annotated = annotate(sheet, roles=roles)
    failed = next((warning for warning in annotated.warnings if warning.startswith(FAILED)), None)
    if failed:
        return failed
    chunks = list(sheet_chunks(annotated, Settings(max_tokens=64)))
    for chunk in chunks:
        chunk_json(chunk).encode("utf-8", "backslashreplace")
    return next(iter(check(annotated, chunks)), None)


def _lost(content: bytes, sheets: tuple[Sheet, ...]) -> str | None:
    """Whether plainly written numbers of a workbook with one sheet are missing, and nothing says so."""
    if len(sheets) != 1 or sheets[0].warnings or sheets[0].lost or sheets[0].source != "xlsx":
        return None
    (sheet,) = sheets
    try:
        parts = unzipped(content)
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError, EOFError, zipfile.zlib.error):
        return None
    written = [part for name, part in parts if "worksheets/" in name and not name.endswith(".rels")]
    if len(written) != 1 or b"<!" in written[0]:
        return None
    refs = {ref.decode() for ref in NUMBER_CELL.findall(written[0])}
    found = {sheet.ref(i) for i in range(len(sheet))} | {a1(cell.row, cell.col) for cell in sheet.excluded}
    missing = sorted(refs - found)
    return f"lost without a word: {', '.join(missing)}" if missing else None


def minimised(parts: Parts, kind: str, path: Path) -> bytes:
    """The file without the parts that the finding does not need."""
    for part in list(parts):
        fewer = [other for other in parts if other is not part]
        if _kind(finding(zipped(fewer), path)) == kind:
            parts = fewer
    return zipped(parts)


def _kind(what: str | None) -> str:
    return "" if what is None else what.partition(": ")[0]


def run(minutes: float, seed: int) -> int:
    """Fuzz for so many minutes of processor time; the number of new kinds of findings."""
    rng, found, done = Random(seed), dict[str, str](), 0
    resource.setrlimit(resource.RLIMIT_AS, (max(MEMORY, 8 << 30), resource.getrlimit(resource.RLIMIT_AS)[1]))
    with tempfile.TemporaryDirectory(prefix="fuzz-") as folder:
        path = Path(folder) / "mutated.xlsx"
        for parts, content in cases(rng, seeds(Path(folder))):
            if time.process_time() > 60 * minutes:
                break
            done += 1
            what = finding(content, path, ask_others=done % ASK_OTHERS == 0)
            if what and _kind(what) not in found:
                whole = finding(zipped(parts), path)
                smallest = minimised(parts, _kind(what), path) if _kind(whole) == _kind(what) else content
                name = f"{blake2b(smallest, digest_size=4).hexdigest()}.xlsx"
                FINDINGS.mkdir(exist_ok=True)
                (FINDINGS / name).write_bytes(smallest)
                found[_kind(what)] = name
                print(f"{name} ({done}): {what}", flush=True)
    print(f"{done} files in {time.process_time():.0f} s of processor time, seed {seed}: {len(found)} kinds of findings")
    return len(found)


if __name__ == "__main__":
    sys.exit(min(1, run(float(os.environ.get("FUZZ_MINUTES", "2")), int(os.environ.get("FUZZ_SEED", "0")))))
