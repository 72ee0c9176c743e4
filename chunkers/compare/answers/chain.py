"""Maps of sheets and a question -> the cells that a model points at: Chain-of-Spreadsheet, over many sheets.

SpreadsheetLLM (Dong et al. 2024, arXiv 2407.09025, section 4) shows a model the map of one sheet; the model names the
table that the question needs, and its cells are given in full in a second stage. Here the maps of several sheets are
shown, those that retrieval found, and the model names the sheet too. Cells are read from the workbook again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from cellroles.label.files import region_of
from cellroles.reader import iter_sheets
from cellroles.sheet import Region, Sheet
from chunkers.baselines.sheetcompressor import cells_text
from chunkers.budget import clip
from chunkers.compare.answers.model import LanguageModel
from chunkers.compare.answers.prompts import locate_prompt
from chunkers.compare.stored import StoredChunk

MOST_TOKENS = 8_192
"""Of the cells that are read; more than three times what five chunks of other methods hold by default."""
WIDEST_TOKEN = 16  # characters; what lies beyond is cut before tokens are counted
_POINTED = re.compile(r"([^!\n]+)!\s*(\$?[A-Za-z]{1,3}\$?\d{1,7}(?:\s*:\s*\$?[A-Za-z]{1,3}\$?\d{1,7})?)(?![\w:])")

Place = tuple[str, str]
"""A workbook's path and the name of a sheet."""
ReadSheet = Callable[[str, str], Sheet | None]


@dataclass(frozen=True, slots=True)
class Excerpts:
    """The texts given to the generator, and where they are from: a range, or the maps themselves and why."""

    texts: tuple[str, ...]
    read: str
    cached: bool


def read_pointed(model: LanguageModel, question: str, chunks: Sequence[StoredChunk], sheet_of: ReadSheet) -> Excerpts:
    """The cells that the model points at on one of the mapped sheets; the maps themselves where it points at none."""
    places = list(dict.fromkeys((chunk.workbook, chunk.sheet) for chunk in chunks))
    told = model.tell(locate_prompt(question, _maps(places, chunks)))
    try:
        place, region = pointed(told.text, places)
        text = _cells(sheet_of(*place), place, region)
    except (ValueError, OSError) as error:
        return Excerpts(tuple(chunk.text for chunk in chunks), f"the maps themselves: {error}", told.cached)
    return Excerpts((text,), _written(place, region), told.cached)


def pointed(reply: str, places: Sequence[Place]) -> tuple[Place, Region]:
    """The sheet and range that a reply such as `2!A3:F20` names; sheets are numbered from 1, or named.

    Raises ValueError, which says why, for a reply that names none.

    >>> pointed("1!B2:$C$9", [("book.xlsx", "Data")])[1].a1
    'B2:C9'
    """
    match = _POINTED.search(reply)
    region = region_of(match[2].replace(" ", "")) if match else None
    if match is None or region is None:
        raise ValueError(f"no sheet and range in the reply {_short(reply)!r}")
    name = match[1].strip(" \t`'\"*")
    number = re.search(r"(\d+)$", name)
    named = [place for place in places if re.search(rf"(?<!\w){re.escape(place[1])}$", name, re.IGNORECASE)]
    if number and 1 <= int(number[1]) <= len(places) and (name == number[1] or not named):
        return places[int(number[1]) - 1], region
    if not named:
        raise ValueError(f"no map is numbered or named {_short(name)!r}")
    return max(named, key=lambda place: len(place[1])), region


def read_sheet(workbook: str, name: str, *, include_hidden: bool) -> Sheet | None:
    """The sheet of that name, read from the workbook."""
    sheets = iter_sheets(workbook, include_hidden=include_hidden)
    return next((sheet for sheet in sheets if sheet.name == name), None)


def _maps(places: Sequence[Place], chunks: Sequence[StoredChunk]) -> list[str]:
    """The pieces of each sheet's map under its number."""
    return [
        "\n".join(
            (
                f"Map {number}: {Path(place[0]).name}, sheet {place[1]}",
                *(chunk.text for chunk in chunks if (chunk.workbook, chunk.sheet) == place),
            )
        )
        for number, place in enumerate(places, 1)
    ]


def _cells(sheet: Sheet | None, place: Place, region: Region) -> str:
    if sheet is None:
        raise ValueError(f"{place[0]} has no sheet {place[1]!r} to read")
    text = cells_text(sheet, region)
    if not text:
        raise ValueError(f"no filled cells in {_written(place, region)}")
    return f"Sheet: {sheet.name}\n{clip(text[: WIDEST_TOKEN * MOST_TOKENS], MOST_TOKENS)}"


def _written(place: Place, region: Region) -> str:
    return f"{Path(place[0]).name}, {place[1]}!{region.a1}"


def _short(text: str) -> str:
    return " ".join(text.split())[:80]
