"""Labelled roles -> the roles and chunks that our own decode, region and path code makes of them: the ceiling.

`python -m tests.oracle_chunks roles.jsonl chunks.jsonl`; the label files' tables are never read.
"""

from __future__ import annotations

import sys
from pathlib import Path

from cellroles import annotate
from chunkers.record import chunk_json
from chunkers.role_records import role_json
from chunkers.workbook import Settings, sheet_chunks
from tests.oracle import gold_sheets


def main(roles: Path, chunks: Path) -> None:
    """Write the two files that a scorer reads."""
    settings = Settings(include_hidden=True)
    with roles.open("w", encoding="utf-8") as role_lines, chunks.open("w", encoding="utf-8") as chunk_lines:
        for item in gold_sheets():
            annotated = annotate(item.sheet, roles=item.roles)
            role_lines.write(role_json(annotated) + "\n")
            chunk_lines.writelines(chunk_json(chunk) + "\n" for chunk in sheet_chunks(annotated, settings))


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:3]))
