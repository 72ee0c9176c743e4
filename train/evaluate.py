"""Checkpoint -> development scores, before and after decoding: `python -m train.evaluate NAME_OR_DIR`."""

from __future__ import annotations

import argparse
import dataclasses
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from cellroles.decode import decode
from cellroles.predict import Predictor, load_predictor
from cellroles.sheet import Bytes, Floats, Role
from data.label_folders import load_label_folders
from data.labelled import LabelledSheet
from data.registry import ROLE_CORPORA, load_corpora
from data.splits import split
from train.metrics import dev_score, pooled, scores


def candidates_alone(labelled: LabelledSheet, probabilities: Floats) -> Floats:
    """Probabilities among the roles that the sheet's corpus uses, rows summing to 1; shape (n, 13)."""
    used = np.array([bool(labelled.candidates >> role & 1) and role != Role.EMPTY for role in Role])
    kept = np.where(used, probabilities, 0)
    return np.asarray(kept / np.maximum(kept.sum(axis=1, keepdims=True), 1e-12), np.float32)


def score_table(pairs: Iterable[tuple[LabelledSheet, Bytes]]) -> dict[str, Any]:
    """Development score, its part per corpus, and the pooled scores per class."""
    predicted = list(pairs)
    mean, parts = dev_score(predicted)
    return {"dev": mean, "corpora": parts, "pooled": dataclasses.asdict(scores(pooled(predicted)))}


def evaluate(predictor: Predictor, sheets: Sequence[LabelledSheet]) -> dict[str, dict[str, Any]]:
    """Scores of the best role per cell (`raw`) and of the jointly decoded roles (`decoded`)."""
    found = [(labelled, candidates_alone(labelled, predictor.probabilities(labelled.sheet))) for labelled in sheets]
    return {
        "raw": score_table((labelled, kept.argmax(axis=1).astype(np.uint8)) for labelled, kept in found),
        "decoded": score_table((labelled, decode(labelled.sheet, kept)[0]) for labelled, kept in found),
    }


def markdown(report: dict[str, dict[str, Any]]) -> str:
    """The scores as one table: a row per corpus and per class, a column per way of deciding."""
    rows = [("dev", [table["dev"] for table in report.values()])]
    rows += [(name, [table["corpora"][name] for table in report.values()]) for name in report["raw"]["corpora"]]
    both = [table["pooled"] for table in report.values()]
    rows += [(f"pooled {name}", [entry[name] for entry in both]) for name in ("headline", "merged", "accuracy")]
    names = report["raw"]["pooled"]["per_class"]
    rows += [(f"F1 {name}", [entry["per_class"].get(name, 0.0) for entry in both]) for name in names]
    head = f"| | {' | '.join(report)} |\n|---|{'---|' * len(report)}\n"
    return head + "\n".join(f"| {name} | {' | '.join(f'{value:.3f}' for value in values)} |" for name, values in rows)


def development_sheets(corpora: Iterable[str], folder: Path | None = None) -> list[LabelledSheet]:
    """The development side of the named corpora."""
    return [labelled for labelled in load_corpora(corpora, folder) if split(labelled) == "dev"]


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the command line and print the scores."""
    parser = argparse.ArgumentParser(prog="python -m train.evaluate", description=__doc__)
    parser.add_argument("checkpoint", help="a bundled name or a folder")
    parser.add_argument("--corpora", nargs="+", default=ROLE_CORPORA, help="instead of all")
    parser.add_argument("--labels", nargs="+", metavar="DIR", help="score on folders of label files, all of them")
    parser.add_argument("--json", action="store_true", help="print JSON instead of Markdown")
    given = parser.parse_args(arguments)
    try:
        sheets = load_label_folders(given.labels) if given.labels else development_sheets(given.corpora)
    except (ValueError, OSError) as error:
        parser.error(str(error))
    report = evaluate(load_predictor(given.checkpoint), sheets)
    print(json.dumps(report, indent=1) if given.json else markdown(report))


if __name__ == "__main__":
    main()
