"""Files, folders and globs of a command line -> workbook paths."""

from __future__ import annotations

import glob
from collections.abc import Iterable
from pathlib import Path

SUFFIXES = (".xlsx", ".xlsm", ".xltx", ".xltm", ".xls", ".xlt", ".xlsb", ".ods", ".csv", ".tsv")


def expand(arguments: Iterable[str]) -> tuple[list[str], list[str]]:
    """Workbook paths in the order given (folders sorted, no path twice), and one message per argument without any.

    A file that is named is taken whatever its ending; folders are searched in depth for files with one of `SUFFIXES`
    (in any case), without the `~$` lock files of open workbooks.
    """
    paths: dict[str, None] = {}
    problems = []
    for argument in arguments:
        found = _found(argument)
        if not found:
            problems.append(
                f"{argument}: {'no workbooks in this folder' if Path(argument).is_dir() else 'no such file'}"
            )
        paths.update(dict.fromkeys(found))
    return list(paths), problems


def _found(argument: str) -> list[str]:
    path = Path(argument)
    if path.is_dir():
        files = [file for file in path.rglob("*") if file.suffix.lower() in SUFFIXES and file.is_file()]
        return sorted(str(file) for file in files if not file.name.startswith("~$"))
    if path.exists():
        return [argument]
    matches = glob.glob(argument, recursive=True)  # noqa: PTH207 (a pattern may be absolute)
    return sorted(file for file in matches if not Path(file).name.startswith("~$"))
