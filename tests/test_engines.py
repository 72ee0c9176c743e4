"""Baselines that read the file themselves: what they say is found in the sheet, and what they do not say is listed."""

from __future__ import annotations

import io
import json
from importlib.util import find_spec
from pathlib import Path

import pytest
from openpyxl import Workbook

from cellroles import read_workbook
from cellroles.annotate import unannotated
from cellroles.sheet import Chunk
from chunkers.baselines.align import align, word_key
from chunkers.baselines.docling import Part, _grouped, _said
from chunkers.batch import ChunkWriter
from chunkers.budget import count_tokens
from chunkers.conserve import Ownership
from chunkers.registry import BASELINES, CHUNKERS, ENGINES
from chunkers.workbook import Settings
from tests.builders import sheet_from_rows

needs = {
    name: pytest.mark.skipif(find_spec(name) is None, reason=f"needs the extra {name}") for name in sorted(ENGINES)
}
docling, unstructured = needs["docling"], needs["unstructured"]
each_engine = pytest.mark.parametrize("name", [pytest.param(name, marks=needs[name]) for name in needs])

CREDIT = [
    ["Credit swaps"],
    [],
    ["Clearing", "Product", "Buyside", None, None],
    [None, None, "Long", "Short", "Sum"],
    ["Cleared", "CDX IG", 51.5, 48.25, "=C5+D5"],
    [None, "CDX HY", 11.5, 0.126, 3],
]


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """Nested headers, a formula without result, a column alone, and a hidden sheet."""
    workbook = Workbook()
    sheet = workbook.active
    sheet.title = "Credit"
    for row in CREDIT:
        sheet.append(row)
    sheet.merge_cells("C3:E3")
    sheet.merge_cells("A5:A6")
    sheet["D6"].number_format = "0.0%"
    names = workbook.create_sheet("Names")
    for row in (["Name"], ["Ann"], ["Bob"]):
        names.append(row)
    hidden = workbook.create_sheet("Hidden")
    hidden.append(["Key", "Word"])
    hidden.append(["a", "b"])
    hidden.sheet_state = "hidden"
    workbook.save(tmp_path / "book.xlsx")
    return tmp_path / "book.xlsx"


def chunks_of(path: Path, name: str, max_tokens: int = 512) -> dict[str, list[Chunk]]:
    """Sheet name -> chunks, checked."""
    found = {}
    for sheet in read_workbook(path, include_hidden=True):
        annotated, ownership = unannotated(sheet, "no roles"), Ownership(name)
        found[sheet.name] = list(ownership.watch(CHUNKERS[name](annotated, max_tokens=max_tokens)))
        assert ownership.problems(annotated) == []
        for chunk in found[sheet.name]:
            assert chunk.tokens == count_tokens(chunk.text) <= max_tokens
            assert chunk.text.startswith(f"Sheet: {sheet.name}") and chunk.chunker == name
    return found


def owned(chunks: list[Chunk]) -> list[str]:
    return [cell.ref for chunk in chunks for cell in chunk.cells if cell.owner]


def test_engines_are_baselines() -> None:
    assert ENGINES < BASELINES


@docling
def test_docling_says_triplets_and_attaches_what_they_say(book: Path) -> None:
    title, table = chunks_of(book, "docling")["Credit"]
    assert (title.text, title.region) == ("Sheet: Credit\nCredit swaps", "A1")
    assert table.text.startswith("Sheet: Credit\n, Product = . , Buyside = Long. , Buyside = Short. , Buyside = Sum. ")
    assert table.text.endswith("Cleared, Buyside = 11.5. Cleared, Buyside = 0.126. Cleared, Buyside = 3")
    assert (table.kind, table.region, table.range) == ("triples", "A3:E6", "B4:E6")
    cited = {cell.ref: cell for cell in table.cells}
    assert (cited["D6"].text, cited["D6"].col_refs, cited["D6"].row_refs) == ("12.6%", ("C3",), ("A5",))
    assert (cited["D6"].col_path, cited["D6"].row_path) == (("Buyside",), ("Cleared",))
    assert (cited["C4"].col_refs, cited["C4"].row_refs, cited["A5"].col_refs) == (("C3",), (), ())
    assert "A3" not in cited and "E5" not in cited  # the corner, and the formula without result


@docling
def test_docling_names_a_column_by_its_second_cell_and_reads_hidden_sheets_if_asked(book: Path) -> None:
    found = chunks_of(book, "docling")
    assert [chunk.text for chunk in found["Names"]] == ["Sheet: Names\nAnn = Bob"]
    assert {cell.ref: cell.col_refs for cell in found["Names"][0].cells} == {"A2": (), "A3": ("A2",)}
    assert [chunk.text for chunk in found["Hidden"]] == ["Sheet: Hidden\na, Word = b"]


@docling
def test_docling_is_cut_between_triplets_and_each_cell_keeps_one_owner(book: Path) -> None:
    pieces = chunks_of(book, "docling", 40)["Credit"][1:]
    assert len(pieces) > 2
    lines = [piece.text.removeprefix("Sheet: Credit\n") for piece in pieces]
    assert all(", " in line and " = " in line for line in lines)
    (whole,) = chunks_of(book, "docling")["Credit"][1:]
    assert ". ".join(lines) == whole.text.removeprefix("Sheet: Credit\n")
    assert sorted(owned(pieces)) == sorted(owned([whole]))
    assert "A5" in {cell.ref for cell in pieces[-1].cells if not cell.owner}


def test_a_triplet_over_the_budget_stands_alone() -> None:
    parts = (Part("a = b"), Part("word " * 50), Part("c = d"))
    assert [len(inside) for _, inside in _grouped(parts, 10)] == [1, 1, 1]
    assert [text for text, _ in _grouped((parts[0], parts[2]), 12)] == ["a = b. c = d"]


@docling
def test_a_table_in_other_words_than_expected_is_one_part_without_headers(book: Path) -> None:
    from cellroles.segment.docling import docling_document

    document, _ = docling_document(book)
    (part,) = _said("something else", document.tables[1], document).parts
    assert part.text == "something else" and (4, 2) in part.cells and not part.heads + part.labels
    assert len(_said("something else", document.tables[1], document).parts) == 1


@unstructured
def test_unstructured_texts_are_traced_to_their_cells(book: Path) -> None:
    title, table = chunks_of(book, "unstructured")["Credit"]
    assert (title.kind, owned([title])) == ("text", ["A1"])
    assert table.text.endswith("Clearing Product Buyside Long Short Sum Cleared CDX IG 51.5 48.25 CDX HY 11.5 0.126 3")
    assert owned([table]) == ["A3", "B3", "C3", "C4", "D4", "E4", "A5", "B5", "C5", "D5", "B6", "C6", "D6", "E6"]
    assert not any(cell.col_refs or cell.row_refs for cell in table.cells)


@unstructured
def test_unstructured_keeps_near_the_budget(tmp_path: Path) -> None:
    workbook = Workbook()
    for r in range(400):
        workbook.active.append([f"item {r}", r, r / 7, f"place {r % 9}"])
    workbook.save(tmp_path / "long.xlsx")
    chunks = chunks_of(tmp_path / "long.xlsx", "unstructured", 128)["Sheet"]
    assert len(owned(chunks)) == len(set(owned(chunks))) == 1600
    assert sum(chunk.tokens for chunk in chunks) / len(chunks) > 0.6 * 128
    at = {cell.ref: chunk.text for chunk in chunks for cell in chunk.cells if cell.owner}
    assert all(f"item {r} " in at[f"A{r + 1}"] for r in (0, 77, 250, 399))


@each_engine
def test_the_report_lists_what_the_text_lacks_and_the_check_passes(name: str, book: Path) -> None:
    out = io.StringIO()
    report = ChunkWriter(Settings(name, include_hidden=True), check=True)(str(book), out)
    assert (report.error, report.problems) == (None, [])
    lost = {(sheet.sheet, ref): (text, reason) for sheet in report.sheets for ref, text, reason in sheet.excluded}
    assert lost["Credit", "E5"] == ("=C5+D5", f"not in the text of {name}")
    records = [json.loads(line) for line in out.getvalue().splitlines()]
    said = [(r["sheet"], cell["ref"]) for r in records for cell in r["cells"] if cell["owner"]]
    assert len(said) + len(lost) == sum(sheet.counts["filled"] for sheet in report.sheets)
    assert not {*said} & {*lost}


@each_engine
def test_other_files_are_refused_by_name(name: str, tmp_path: Path) -> None:
    (tmp_path / "list.csv").write_text("Name,Role\nAnn,Head\n", "utf-8")
    (sheet,) = read_workbook(tmp_path / "list.csv")
    with pytest.raises(ValueError, match=r"(Docling|Unstructured) .*list\.csv"):
        list(CHUNKERS[name](unannotated(sheet, "no roles"), max_tokens=512))


def test_numbers_are_found_as_pandas_prints_them() -> None:
    sheet = sheet_from_rows([["Year", "Share"], [1955, 0.123456789], [1956, 2.0], [True, 1e-7]])
    text = "Year Share 1955.0 0.123457 1956 2.000000 True 0.0"
    cells, spans = align(sheet, text)
    assert cells == list(range(8))
    assert [text[a:b] for a, b in spans] == text.split()
    assert word_key("007") == word_key("7.0") != word_key("7.1")


def test_rows_and_cells_that_the_text_lacks_or_adds_do_not_shift_the_others() -> None:
    sheet = sheet_from_rows([["a b", "=A1"], ["gone", "away"], ["c", 1, 2, 3], ["d", 1, 2, 3]])
    text = "a b hidden words 1 2 3 c 1 2 3 more d 1 2 3"
    cells, spans = align(sheet, text)
    assert [sheet.ref(i) for i in cells] == ["A1", "A3", "B3", "C3", "D3", "A4", "B4", "C4", "D4"]
    assert spans[0] == (0, 3) and text[spans[1][0] : spans[4][1]] == "c 1 2 3"
    assert text[spans[5][0] :] == "d 1 2 3"


def test_a_row_far_behind_words_of_others_is_found_and_nonsense_is_not() -> None:
    sheet = sheet_from_rows([["x", "y"], ["here", "too"]])
    cells, _ = align(sheet, f"x y {'word ' * 500}here too")
    assert len(cells) == 4
    assert align(sheet, "nothing of it") == ([], [])
