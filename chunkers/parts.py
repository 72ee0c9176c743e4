"""Finished workbooks -> a folder of parts that outlives the run, so that the next one can go on where it ended."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from hashlib import blake2b, file_digest
from pathlib import Path
from typing import TextIO

import cellroles
import chunkers
from chunkers.report import Summary, WorkbookReport

Write = Callable[[str, TextIO], WorkbookReport]
"""Writes the records of one workbook, line by line, and reports; it must survive pickling to work elsewhere."""

RECORDS, REPORT, TEMPORARY = ".jsonl", ".report", ".tmp"


NO_CHUNKS = ("compare", "index", "integrations", "page")
"""Packages of `chunkers` that have no part in making chunks."""


def fingerprint(settings: str, files: Iterable[Path] = ()) -> str:
    """A digest of what decides the output beside the workbook: settings, code, and those of the files that exist."""
    digest = blake2b(os.fsencode(settings), digest_size=16)
    for path in [*_source_files(), *files]:
        if path.is_file():
            digest.update(content_digest(path))
    return digest.hexdigest()


def _source_files() -> list[Path]:
    """The code of this version; its number alone would not tell two states of a checkout apart."""
    roots = [Path(package.__path__[0]) for package in (cellroles, chunkers)]
    files = [(path, path.relative_to(root).parts[0]) for root in roots for path in root.rglob("*.py")]
    return sorted(path for path, part in files if part not in NO_CHUNKS)


def content_digest(path: Path) -> bytes:
    """A digest of what a file holds."""
    with path.open("rb") as file:
        return file_digest(file, lambda: blake2b(digest_size=16)).digest()


@dataclass(frozen=True, slots=True)
class Part:
    """One finished workbook: two files named for `key`, with its records (`bytes` of them) and its report.

    The first line of the report file is the head of the part, the others are the workbook's sheets.
    """

    folder: Path
    key: str
    bytes: int
    summary: Summary
    reused: bool = False

    @property
    def records(self) -> Path:
        """The file of records."""
        return self.folder / f"{self.key}{RECORDS}"

    @property
    def report(self) -> Path:
        """The file of the report."""
        return self.folder / f"{self.key}{REPORT}"

    def head(self) -> dict[str, object]:
        """What is needed to find the part again."""
        return {"key": self.key, "bytes": self.bytes, "summary": asdict(self.summary)}

    def sheet_lines(self) -> Iterator[str]:
        """One JSON object per sheet, without line breaks."""
        with self.report.open(encoding="utf-8", newline="") as lines:
            next(lines)
            yield from (line.rstrip("\n") for line in lines)

    def save_report(self, sheet_lines: Iterable[str]) -> None:
        """Write the report and rename it into place, which completes the part: its records are there before."""
        draft = self.folder / f"{self.key}.{os.getpid()}{TEMPORARY}"
        with text_file(draft) as out:
            out.writelines(line + "\n" for line in [json.dumps(self.head(), ensure_ascii=False), *sheet_lines])
        draft.replace(self.report)

    def remove(self) -> None:
        """Free the space of a part that has been copied."""
        self.records.unlink()
        self.report.unlink()


@dataclass(frozen=True, slots=True)
class PartWriter:
    """Workbook path -> its part in `folder`; a part of the same path, content and fingerprint is reused if `resume`."""

    write: Write
    folder: Path
    fingerprint: str = ""
    resume: bool = False

    def __call__(self, path: str) -> Part:
        """Write the part of one workbook, or find it; parts of failed workbooks are never reused."""
        key = self.key(path)
        if self.resume and (done := find(self.folder, key)):
            return done
        draft = self.folder / f"{key}.{os.getpid()}{TEMPORARY}"
        with text_file(draft) as out:
            report = self.write(path, out)
        part = Part(self.folder, key, draft.stat().st_size, report.summary())
        draft.replace(part.records)
        part.save_report(report.sheet_lines())
        return part

    def key(self, path: str) -> str:
        """The name of a workbook's part: a digest of its path (records name it), its content and the fingerprint."""
        try:
            content = content_digest(Path(path))
        except OSError:  # writing it will say what is wrong
            content = b""
        identity = b"\0".join((os.fsencode(path), content, self.fingerprint.encode()))
        return blake2b(identity, digest_size=16).hexdigest()


def find(folder: Path, key: str) -> Part | None:
    """The part of that key, if it is complete and its workbook did not fail."""
    try:
        with (folder / f"{key}{REPORT}").open(encoding="utf-8") as lines:
            head = json.loads(next(lines))
        part = Part(folder, key, head["bytes"], Summary(**head["summary"]), reused=True)
        complete = part.records.stat().st_size == part.bytes
    except (OSError, ValueError, KeyError, TypeError, StopIteration):
        return None
    return part if complete and not part.summary.error else None


def text_file(path: Path) -> TextIO:
    """A new text file for JSON: what UTF-8 cannot say, halves of surrogate pairs, is escaped as JSON does."""
    return path.open("w", encoding="utf-8", errors="backslashreplace", newline="")


@contextmanager
def workspace(folder: Path, *, resume: bool) -> Iterator[Path]:
    """A folder for parts that is ours alone; it goes when the block ends well, otherwise finished parts stay.

    Without `resume` it begins empty. Raises OSError while another run holds the folder.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with _held(folder):
        _clear(folder, parts=not resume)
        complete = False
        try:
            yield folder
            complete = True
        finally:
            _clear(folder, parts=complete)
            if not any(folder.iterdir()):
                folder.rmdir()


def finished(folder: Path) -> int:
    """How many workbooks a workspace holds the parts of."""
    return len(list(folder.glob(f"*{REPORT}")))


def _clear(folder: Path, *, parts: bool) -> None:
    """Delete unfinished files, and the parts too if asked for; whatever else lies in the folder is left alone."""
    endings = (TEMPORARY, RECORDS, REPORT) if parts else (TEMPORARY,)
    for path in folder.iterdir():
        if path.suffix in endings:
            path.unlink(missing_ok=True)


@contextmanager
def _held(folder: Path) -> Iterator[None]:
    """Hold a lock on the folder, which the system takes back if we are killed."""
    if sys.platform == "win32":
        yield
        return
    import fcntl

    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    except BlockingIOError as error:
        raise BlockingIOError(f"{folder} belongs to a run that still goes on; choose another output") from error
    finally:
        os.close(handle)
