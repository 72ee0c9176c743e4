"""Workbook that a direct read cannot open -> sheets from other libraries, which run in a process of their own."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from cellroles.errors import CorruptWorkbook, PasswordProtected
from cellroles.limits import Limits
from cellroles.reader.raw import RawSheet, sheets_from
from cellroles.sheet import Sheet

# The libraries in the order in which they are asked: the first loses least.
LADDER = ("openpyxl", "calamine")
SECONDS = 60.0
MEMORY = 1 << 30


def rescued(path: str, sheet: str | None, cause: str, limits: Limits) -> Iterator[Sheet]:
    """The sheets of an Excel workbook, or the one named, as the first library gives them that can read it.

    `cause` says why the direct read failed; it goes into the warnings, and what the library cannot give into `lost`.
    Raises: CorruptWorkbook with what every library said.
    """
    causes = [cause]
    for library in LADDER:
        try:
            sheets = list(_sheets(path, library, sheet, limits))
        except CorruptWorkbook as error:
            causes.append(f"{library}: {str(error).removeprefix(f'{path}: ')}")
            continue
        why = f"read by {library}, because {'; '.join(causes)}"
        yield from (replace(found, warnings=(why, *found.warnings)) for found in sheets)
        return
    raise CorruptWorkbook(f"{path}: {'; '.join(causes)}")


def _sheets(path: str, library: str, sheet: str | None, limits: Limits) -> Iterator[Sheet]:
    return sheets_from(read_apart(path, library, sheet), path, f"xlsx via {library}", limits)


def read_apart(path: str, library: str, sheet: str | None = None, seconds: float = SECONDS) -> list[RawSheet]:
    """The sheets as a library gives them in a process of its own, which may crash, hang or eat memory.

    Raises: PasswordProtected, or CorruptWorkbook that says how the process ended.
    """
    # The child finds this package where the parent found it, and nothing else that lies in the working folder.
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(place for place in sys.path if place)}
    command = [sys.executable, "-P", "-m", "cellroles.reader.worker", library, str(Path(path).absolute())]
    try:
        done = subprocess.run(
            [*command, str(MEMORY), *([] if sheet is None else [sheet])],
            capture_output=True,
            check=False,
            timeout=seconds,
            env=environment,
        )
    except subprocess.TimeoutExpired:
        raise CorruptWorkbook(f"{path}: the reader took more than {seconds:g} seconds and was stopped") from None
    if done.returncode:
        raise CorruptWorkbook(f"{path}: the reader {_ending(done.returncode, done.stderr)}")
    try:
        status, answer = pickle.loads(done.stdout)
    except (pickle.UnpicklingError, EOFError) as error:
        raise CorruptWorkbook(f"{path}: the reader gave no answer that can be read ({error})") from error
    if status == "password":
        raise PasswordProtected(f"{path}: the workbook is encrypted; save it without a password first")
    if status == "fault":
        raise CorruptWorkbook(f"{path}: {answer}")
    sheets: list[RawSheet] = answer
    return sheets


def _ending(code: int, said: bytes) -> str:
    """How a process ended, with the last line that it wrote."""
    if code >= 0:
        how = f"ended with code {code}"
    elif -code in [member.value for member in signal.Signals]:
        how = f"was ended by {signal.Signals(-code).name}"
    else:
        how = f"was ended by signal {-code}"
    lines: Sequence[str] = said.decode("utf-8", "replace").strip().splitlines()
    return f"{how} ({lines[-1].strip()})" if lines else how
