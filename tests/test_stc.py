"""The baseline against algorithm 1 of the STC paper."""

from __future__ import annotations

from itertools import pairwise

from cellroles.sheet import Chunk
from chunkers.baselines.stc import stc_chunks
from chunkers.budget import count_tokens
from chunkers.conserve import check
from tests.annotated import annotated

STAFF = "c1 Name | c1 Role | \nr1 Ann | v Head | v 7\nr1 Bob | | v 8"


def chunks_of(text: str, max_tokens: int = 512) -> list[Chunk]:
    sheet = annotated(text)
    chunks = list(stc_chunks(sheet, max_tokens=max_tokens))
    assert check(sheet, chunks) == []
    return chunks


def test_rows_are_key_value_blocks_under_the_first_row_and_merge() -> None:
    (chunk,) = chunks_of(STAFF)
    assert chunk.text == "Sheet: Sheet1\nName: Ann; Role: Head; col_3: 7\nName: Bob; col_3: 8"
    assert (chunk.kind, chunk.chunker, chunk.region, chunk.range) == ("stc", "stc", "A1:C3", "A2:C3")


def test_only_the_first_row_header_is_attached() -> None:
    (chunk,) = chunks_of(STAFF)
    cells = {cell.ref: cell for cell in chunk.cells}
    assert (cells["B2"].col_refs, cells["B2"].col_path, cells["B2"].row_refs) == (("B1",), ("Role",), ())
    assert cells["C2"].col_refs == () and cells["A1"].owner and cells["A1"].col_refs == ()


def test_sheet_name_and_title_are_those_of_the_other_chunkers() -> None:
    (chunk,) = chunks_of("h Staff of 2020\nc1 Name | c1 Role\nr1 Ann | v Head")
    assert chunk.text.splitlines() == [
        "Sheet: Sheet1 | Staff of 2020",
        "Staff of 2020: Name; col_2: Role",
        "Staff of 2020: Ann; col_2: Head",
    ]
    assert chunk.title == "Staff of 2020"


def test_a_block_over_the_budget_is_cut_between_fields() -> None:
    fields = 40
    head = " | ".join(f"c1 Field {k}" for k in range(fields))
    chunks = chunks_of(f"{head}\n" + " | ".join(f"v {k}.25" for k in range(fields)), 64)
    assert len(chunks) > 3 and max(chunk.tokens for chunk in chunks) <= 64
    fields_said = [field for chunk in chunks for line in chunk.text.splitlines()[1:] for field in line.split("; ")]
    assert fields_said == [f"Field {k}: {k}.25" for k in range(fields)]


def test_merging_is_greedy_in_exact_tokens() -> None:
    rows = "\n".join(f"v Ann {k} | v Head of department {k}" for k in range(60))
    chunks = chunks_of(f"c1 Name | c1 Role\n{rows}", 100)
    for chunk, after in pairwise(chunks):
        assert count_tokens(f"{chunk.text}\n{after.text.splitlines()[1]}") > 100
        assert chunk.tokens <= 100


def test_a_header_alone_is_kept() -> None:
    (chunk,) = chunks_of("c1 Name | c1 Role")
    assert (chunk.kind, chunk.text) == ("text", "Sheet: Sheet1\nName; Role")
