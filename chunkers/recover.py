"""A finished output and its report -> the parts that it was made of, so that a later run redoes only what changed."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import BinaryIO

from chunkers.parts import TEMPORARY, Part, find
from chunkers.report import Summary

BLOCK_BYTES = 1 << 20


def recover_parts(target: Path, report: Path, folder: Path, fingerprint: str) -> None:
    """Cut an output into the parts that its report names, unless it was made otherwise or has changed since.

    Parts that are in the folder already stay, those of workbooks that failed are left out.
    """
    try:
        document = json.loads(report.read_text("utf-8"))
        heads = [(head["key"], head["bytes"], Summary(**head["summary"])) for head in document["parts"]]
        fits = document["fingerprint"] == fingerprint and target.stat().st_size == sum(size for _, size, _ in heads)
        sheets = iter(document["sheets"])
    except (OSError, ValueError, KeyError, TypeError):
        return
    if not fits:
        return
    with target.open("rb") as output:
        for part in (Part(folder, *head) for head in heads):
            lines = [json.dumps(sheet, ensure_ascii=False) for sheet in islice(sheets, part.summary.sheets)]
            if part.summary.error or find(folder, part.key):
                output.seek(part.bytes, os.SEEK_CUR)
            else:
                _cut(output, part)
                part.save_report(lines)


def _cut(output: BinaryIO, part: Part) -> None:
    draft = part.records.with_suffix(f".{os.getpid()}{TEMPORARY}")
    with draft.open("wb") as records:
        records.writelines(_blocks(output, part.bytes))
    draft.replace(part.records)


def _blocks(file: BinaryIO, size: int) -> Iterator[bytes]:
    while size:
        block = file.read(min(size, BLOCK_BYTES))
        size -= len(block)
        yield block
