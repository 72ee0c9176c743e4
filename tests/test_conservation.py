from __future__ import annotations

from dataclasses import replace

import pytest

from chunkers.conserve import check
from chunkers.registry import CHUNKERS, ENGINES, MAPS
from tests.annotated import annotated, random_annotated

IN_MEMORY = [name for name in CHUNKERS if name not in ENGINES]


@pytest.mark.parametrize("name", IN_MEMORY)
@pytest.mark.parametrize("max_tokens", [32, 512])
def test_random_roles_lose_no_cell_and_keep_the_budget(name: str, max_tokens: int) -> None:
    for seed in range(60):
        sheet = random_annotated(seed)
        chunks = list(CHUNKERS[name](sheet, max_tokens=max_tokens))
        assert check(sheet, chunks) == [], seed
        assert max(chunk.tokens for chunk in chunks) <= max_tokens, seed
        assert all(chunk.text.strip() for chunk in chunks)


@pytest.mark.parametrize("name", [name for name in IN_MEMORY if name not in MAPS])
def test_every_value_is_said_in_the_chunk_that_owns_it(name: str) -> None:
    for seed in range(60):
        for chunk in CHUNKERS[name](random_annotated(seed), max_tokens=512):
            for cell in chunk.cells:
                if cell.owner and cell.role in ("value", "aggregation"):
                    assert " ".join(cell.text.split()) in " ".join(chunk.text.split()), (seed, cell.ref)


def test_lost_and_doubly_owned_cells_are_named() -> None:
    sheet = annotated("c1 Item | c1 2020 | c1 2021\nr1 Cod | v 1 | v 2")
    schema, row = CHUNKERS["row"](sheet, max_tokens=512)
    assert check(sheet, [schema]) == [f"Sheet1!{ref} is in no chunk" for ref in ("A2", "B2", "C2")]
    assert check(sheet, [schema, row, row])[0] == "Sheet1!A2 is owned 2 times"
    foreign = replace(row, cells=(*row.cells, replace(row.cells[0], ref="Z9")))
    assert check(sheet, [schema, foreign]) == ["Sheet1!Z9 is owned but excluded or empty"]
