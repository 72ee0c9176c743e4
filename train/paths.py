"""Checkpoint -> the share of header paths that agree with the labels on the development sheets.

`python -m train.paths`. Role scores hardly see a stray outer label that spoils every row below it; header paths do.
Both sides go through the same region and path code, so that only roles differ; corpora without a layout of their own
say little and are left out.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterable

import numpy as np

from cellroles.decode import decode
from cellroles.headers import header_paths
from cellroles.predict import Predictor, load_predictor
from cellroles.segment.tables import find_tables
from cellroles.sheet import DATA_ROLES, Bytes, Role, Sheet
from data.labelled import LabelledSheet
from train.evaluate import candidates_alone, development_sheets

CORPORA = ("statsheets", "troy200", "saus", "deco", "hitab_xlsx", "imtqa", "fuste", "govuk", "cius", "aitqa")
MOST_CELLS = 4_000
Shares = tuple[float, float, float]


def cell_paths(sheet: Sheet, roles: Bytes, cells: Iterable[int]) -> list[tuple[object, object]]:
    """(column path, row path), as the cells that they are read from, of some filled cells."""
    paths, col_path, row_path = header_paths(sheet, roles, *find_tables(sheet, roles))
    return [(paths[col_path[i]].cells, paths[row_path[i]].cells) for i in cells]


def agreement(labelled: LabelledSheet, predicted: Bytes) -> Shares | None:
    """Shares of a sheet's data cells with the labels' column path, row path and both; None without data."""
    roles = np.where(labelled.roles == Role.EMPTY, Role.VALUE, labelled.roles).astype(np.uint8)
    data = np.flatnonzero(np.isin(labelled.roles, DATA_ROLES)).tolist()
    if not data:
        return None
    pairs = zip(cell_paths(labelled.sheet, predicted, data), cell_paths(labelled.sheet, roles, data), strict=True)
    hits = np.array([(found[0] == true[0], found[1] == true[1], found == true) for found, true in pairs])
    col, row, both = hits.mean(axis=0).tolist()
    return col, row, both


def evaluate_paths(predictor: Predictor, sheets: Iterable[LabelledSheet]) -> dict[str, Shares]:
    """Mean over the sheets of every corpus of `agreement`."""
    shares: dict[str, list[Shares]] = defaultdict(list)
    for labelled in sheets:
        if len(labelled.sheet) <= MOST_CELLS:
            probabilities = candidates_alone(labelled, predictor.probabilities(labelled.sheet))
            if found := agreement(labelled, decode(labelled.sheet, probabilities)[0]):
                shares[labelled.source].append(found)
    return {source: tuple(np.mean(values, axis=0).tolist()) for source, values in shares.items()}


def main() -> None:
    """Print one line per corpus and their mean."""
    parser = argparse.ArgumentParser(prog="python -m train.paths", description=__doc__)
    parser.add_argument("checkpoint", nargs="?", default="default", help="a bundled name or a folder")
    options = parser.parse_args()
    table = evaluate_paths(load_predictor(options.checkpoint), development_sheets(CORPORA))
    table["mean"] = tuple(np.mean(list(table.values()), axis=0).tolist())
    print("| corpus | column path | row path | both |\n|---|---|---|---|")
    for source, (col, row, both) in table.items():
        print(f"| {source} | {col:.3f} | {row:.3f} | {both:.3f} |")


if __name__ == "__main__":
    main()
