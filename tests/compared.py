"""Three small workbooks, six questions on them and labels of one sheet, for tests of comparisons."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.books import Tab, book

NESTED = Tab(
    [
        ["Credit swaps, gross notional", None, None, None, None],
        ["Product", "Buyside", None, "Sellside", None],
        [None, "Long", "Short", "Long", "Short"],
        ["Index", 51.5, 48.25, 61.5, 58.25],
        ["Single name", 21.5, 18.25, 31.5, 28.25],
        ["Tranche", 11.5, 8.25, 13.5, 9.25],
    ],
    merges="A1:E1 B2:C2 D2:E2 A2:A3",
    name="Credit",
)
STAFF = [["Name", "Office", "Age"], *([f"Ann {k}", f"Office {k % 3}", 20 + k] for k in range(12))]
PRICES = [["Fruit", "2019", "2020"], ["Apple", 1.25, 1.5], ["Pear", 2.25, 2.75], ["Plum", 3.5, 3.75]]


def question(id_: str, text: str, answer: str, file: str, sheet: str, cells: str, **more: Any) -> dict[str, Any]:
    return {
        "id": id_,
        "question": text,
        "answer": answer,
        "file": file,
        "sheet": sheet,
        "answer_cells": cells.split(),
        **more,
    }


def path(cols: str, col_cells: str, rows: str, row_cells: str) -> dict[str, list[str]]:
    return {
        "col_path": cols.split(", "),
        "col_path_cells": col_cells.split(),
        "row_path": rows.split(", "),
        "row_path_cells": row_cells.split(),
    }


LONG, SHORT = path("Buyside, Long", "B2 B3", "Index", "A4"), path("Sellside, Short", "D2 E3", "Tranche", "A6")
QUESTIONS = [
    question("1", "Buyside long of Index swaps?", "51.5", "a/credit.xlsx", "Credit", "B4", tags=["nested"], **LONG),
    question("2", "Sellside short of Tranche?", "9.25", "a/credit.xlsx", "Credit", "E6", tags=["nested"], **SHORT),
    question("3", "How old is Ann 7?", "27", "staff.xlsx", "Data", "C9", **path("Age", "C1", "Ann 7", "A9")),
    question("4", "Office of Ann 2?", "Office 2", "staff.xlsx", "Data", "B4", tags=["flat"]),
    question("5", "Price of a pear in 2020?", "2.75", "prices.xlsx", "Data", "C3", tags=["flat"]),
    question("6", "Pear in 2019 and 2020?", "2.25 and 2.75", "prices.xlsx", "Data", "B3 C3"),
]
RULES = [
    ["A1", "header"],
    ["B2,D2", "col_header_2"],
    ["A2,B3:E3", "col_header_1"],
    ["A4:A6", "row_header_1"],
    ["B4:E6", "value"],
]


def corpus(folder: Path) -> Path:
    """`books` (three workbooks), `questions.jsonl` and `set/labels/1.json` in `folder`."""
    books = folder / "books"
    (books / "a").mkdir(parents=True)
    book(books / "a" / "credit.xlsx", NESTED)
    book(books / "staff.xlsx", STAFF)
    book(books / "prices.xlsx", PRICES)
    write_questions(folder / "questions.jsonl", QUESTIONS)
    labels = folder / "set" / "labels"
    labels.mkdir(parents=True)
    record = {"id": "1", "file": "books/a/credit.xlsx", "sheet": "Credit", "rules": RULES}
    (labels / "1.json").write_text(json.dumps({**record, "tables": [], "tags": [], "questions": []}), "utf-8")
    return folder


def write_questions(target: Path, records: list[dict[str, Any]]) -> Path:
    target.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
    return target
