"""Development sheets of the question corpora -> a folder of workbooks and its questions, to choose chunk texts on.

python -m train.studies.dev_questions -o dev
cellroles compare --corpus dev/books --questions dev/questions.jsonl --chunkers row,stc,recursive -o dev/compared

The sheets are the published development parts of HiTab and IM-TQA, which measure nothing else here. A sheet's title,
which HiTab keeps apart, stands over its table again; only questions that name cells, and no more than `--most` a sheet,
are kept. Roles of these sheets may have been trained on, so that paths are too good here: choose texts, not roles.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from openpyxl import Workbook
from openpyxl.styles import Alignment, Font
from openpyxl.utils.cell import get_column_letter

from data.records import Record, read_records

CORPORA = ("hitab", "imtqa")
SPLIT = "dev"
SEED = 42
TITLE_ROWS = 2


def main() -> None:
    """Write the workbooks and the questions."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", type=Path, required=True, help="folder to write")
    parser.add_argument("--most", type=int, default=2, help="questions a sheet (default: 2)")
    arguments = parser.parse_args()
    books = arguments.output / "books"
    books.mkdir(parents=True, exist_ok=True)
    draw = random.Random(SEED)
    lines: list[str] = []
    for corpus in CORPORA:
        for record in read_records(corpus):
            if record.get("split") == SPLIT:
                found = [*questions(record, write_book(record, books))]
                lines += [
                    json.dumps(q, ensure_ascii=False) for q in draw.sample(found, min(arguments.most, len(found)))
                ]
    (arguments.output / "questions.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    print(f"{len(lines)} questions on {len(list(books.iterdir()))} workbooks: {arguments.output}")


def write_book(record: Record, folder: Path) -> str:
    """Write a record as a workbook of one sheet; its file name."""
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = "Sheet1"
    down = _down(record)
    if down:
        sheet.cell(1, 1, record["title"]).font = Font(bold=True)
    for row, col, value, _, style in record["cells"]:
        cell = sheet.cell(row + down + 1, col + 1, value)
        cell.font = Font(bold=bool(style.get("bold")))
        cell.alignment = Alignment(indent=style.get("indent", 0))
    for top, left, bottom, right in record["merges"]:
        sheet.merge_cells(
            start_row=top + down + 1, start_column=left + 1, end_row=bottom + down + 1, end_column=right + 1
        )
    name = f"{record['source']}-{record['id'].replace('#', '-').replace('/', '-')}.xlsx"
    book.save(folder / name)
    return name


def questions(record: Record, file: str) -> Iterator[dict[str, Any]]:
    """The questions of a record whose answers stand in cells, in the format of `cellroles compare`."""
    down = _down(record)
    for number, question in enumerate(record.get("questions", ())):
        computed = question.get("aggregation", ["none"]) != ["none"]
        if computed or not question["answer_cells"] or len(question["answer_cells"]) > 3:
            continue
        yield {
            "id": f"{file}:{number}",
            "question": question["q"],
            "answer": ", ".join(map(str, question["answer"])),
            "file": file,
            "sheet": "Sheet1",
            "answer_cells": [f"{get_column_letter(col + 1)}{row + down + 1}" for row, col in question["answer_cells"]],
            "tags": [record["source"], record.get("lang", "")],
        }


def _down(record: Record) -> int:
    return TITLE_ROWS if record.get("title") else 0


if __name__ == "__main__":
    main()
