"""Workbooks to the chunks of every method: roles by labels, what is made again, and what a failure costs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cellroles.sheet import AnnotatedSheet
from chunkers.compare import build as building
from chunkers.compare.build import Builder, build, builder, read_labels, seconds_of
from chunkers.compare.corpus import Source, whole_folder
from chunkers.compare.methods import Method, parse_methods
from chunkers.compare.stored import load_chunks
from chunkers.isolate import Died, Outcome
from chunkers.workbook import Settings
from tests.books import Tab, book
from tests.compared import PRICES, STAFF, corpus


@pytest.fixture(autouse=True)
def unchanging_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chunkers.parts._source_files", list)  # two runs are the same even if code is edited meanwhile


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return corpus(tmp_path)


def made(folder: Path, methods: str, **settings: Any) -> Builder:
    labels = read_labels(folder / "set" / "labels") if "gold" in methods else {}
    return builder(folder / "out", parse_methods(methods), Settings(**settings), labels)


def records(builder: Builder, method: Method, source: Source) -> list[dict[str, Any]]:
    return [json.loads(line) for line in builder.file(method, source).read_text("utf-8").splitlines()]


def attached(builder: Builder, method: Method, source: Source, ref: str) -> tuple[list[str], list[str]]:
    cells = [cell for chunk in records(builder, method, source) for cell in chunk["cells"]]
    (cell,) = [cell for cell in cells if cell["ref"] == ref and cell["owner"]]
    return cell["col_refs"], cell["row_refs"]


def test_labels_give_the_roles_of_labelled_sheets_alone(folder: Path) -> None:
    making = made(folder, "row,row@gold,row@gold-col_header_2,row@gold-col_header_1,stc")
    labelled, other = (Source(str(folder / "books" / name)) for name in ("a/credit.xlsx", "staff.xlsx"))
    assert [making(source).errors for source in (labelled, other)] == [{}, {}]
    predicted, gold, shallow, bare, stc = making.methods
    assert attached(making, gold, labelled, "E6") == (["D2", "E3"], ["A6"])
    assert attached(making, shallow, labelled, "E6") == (["E3"], ["A6"])
    assert "E3" not in attached(making, bare, labelled, "E6")[0]
    assert attached(making, stc, labelled, "E6")[0] == []
    assert {chunk["checkpoint"] for chunk in records(making, gold, labelled)} == {"gold"}
    assert {chunk["checkpoint"] for chunk in records(making, gold, other)} == {"default"}
    assert records(making, gold, other) == records(making, predicted, other) == records(making, bare, other)


def test_only_the_sheets_of_a_source_are_cut(tmp_path: Path) -> None:
    path = book(tmp_path / "b.xlsx", Tab(STAFF, name="one"), Tab(PRICES, name="two"))
    making = builder(tmp_path / "out", parse_methods("stc"), Settings(), {})
    source = Source(str(path), ("two",))
    assert making(source).errors == {}
    assert {chunk["sheet"] for chunk in records(making, making.methods[0], source)} == {"two"}


def test_what_is_there_is_not_made_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source, cut = Source(str(folder / "books" / "staff.xlsx")), list[str]()
    whole = building.sheet_chunks

    def spy(annotated: AnnotatedSheet, settings: Settings) -> Any:
        cut.append(settings.chunker)
        return whole(annotated, settings)

    monkeypatch.setattr(building, "sheet_chunks", spy)
    for methods, expected in (("row", ["row"]), ("row", []), ("row,flat,stc", ["flat", "stc"])):
        cut.clear()
        making = made(folder, methods)
        making(source)
        assert cut == expected
        assert all(seconds_of(making.file(method, source)) > 0 for method in making.methods)
    cut.clear()
    made(folder, "row", max_tokens=256)(source)
    book(folder / "books" / "staff.xlsx", PRICES)
    made(folder, "row")(source)
    assert cut == ["row", "row"]


def test_another_checkpoint_costs_its_own_methods_alone(folder: Path) -> None:
    source = Source(str(folder / "books" / "staff.xlsx"))
    alone, both = made(folder, "row"), made(folder, "row,row@cellroles/checkpoints/default")
    assert alone.file(alone.methods[0], source) == both.file(both.methods[0], source)
    assert both.file(both.methods[1], source).parent.name == "row@cellroles_checkpoints_default"


def test_a_sheet_is_understood_once_for_all_methods_with_its_roles(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []
    whole = building.annotate
    monkeypatch.setattr(building, "annotate", lambda sheet, **more: asked.append(sheet.name) or whole(sheet, **more))
    making = made(folder, "row,flat,stc,row@gold,flat@gold")
    making(Source(str(folder / "books" / "a" / "credit.xlsx")))
    making(Source(str(folder / "books" / "staff.xlsx")))
    assert asked == ["Credit", "Credit", "Data"]


def test_a_method_that_fails_costs_only_itself(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = building.sheet_chunks

    def fails(annotated: AnnotatedSheet, settings: Settings) -> Any:
        yield from list(whole(annotated, settings))[:1]
        if settings.chunker == "flat":
            raise RuntimeError("too\nflat")

    monkeypatch.setattr(building, "sheet_chunks", fails)
    source, making = Source(str(folder / "books" / "staff.xlsx")), made(folder, "row,flat,stc")
    assert making(source).errors == {"flat": f"{source.path}: flat: RuntimeError: too flat"}
    assert [making.file(method, source).exists() for method in making.methods] == [True, False, True]
    assert list((folder / "out" / "flat").iterdir()) == []


def test_a_workbook_that_cannot_be_read_costs_only_itself(folder: Path) -> None:
    (folder / "books" / "broken.xlsx").write_text("no workbook")
    sources, making = whole_folder(folder / "books", []), made(folder, "row,stc")
    built = {Path(one.path).name: one.errors for one in build(making, sources, 2)}
    assert {name for name, errors in built.items() if errors} == {"broken.xlsx"} and len(built) == 4
    assert list(built["broken.xlsx"]) == ["row", "stc"] and "broken.xlsx" in built["broken.xlsx"]["row"]


def test_a_crash_costs_what_was_not_written_yet(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source, making = Source(str(folder / "books" / "prices.xlsx")), made(folder, "row,stc")
    made(folder, "stc")(source)
    monkeypatch.setattr(building, "isolated", lambda *_: (one for one in [Outcome(0, Died(-9), 1.0)]))
    (built,) = build(making, [source], 1)
    assert list(built.errors) == ["row"] and "SIGKILL" in built.errors["row"]


def test_chunks_are_loaded_with_the_cells_asked_about(folder: Path) -> None:
    source, making = Source(str(folder / "books" / "prices.xlsx")), made(folder, "stc")
    making(source)
    (chunk,) = load_chunks([making.file(making.methods[0], source)], {(source.path, "Data"): frozenset({"C3", "Z9"})})
    assert list(chunk.cells) == ["C3"] and chunk.cells["C3"].col_refs == ("C1",) and chunk.tokens > 10


def test_label_files_are_needed_where_they_are_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no label files"):
        read_labels(tmp_path)
