"""Checkpoints of many qualities -> does better role recognition find more, or say more: the paper's Figure 4.

Every checkpoint goes through the identical comparison (Row chunks, same corpus, same questions), so that only its roles
differ. Then ordinary least squares of every score on the checkpoints' macro-F1: slope, its standard error, p and R2.

python -m train.checkpoints runs/crossval -o checkpoints
python -m train.studies.role_quality --checkpoints checkpoints --corpus books --questions q.jsonl -o quality
python -m train.studies.role_quality --checkpoints checkpoints/gat-* --labels set/labels --corpus books \\
    --questions q.jsonl --distractors 250 -o quality

The macro-F1 is the one in a checkpoint's config.json (decoded roles of its held-out fold; a checkpoint without one
stays out of the fits) or, with --labels, measured on these label files, where labelled roles are also shown as the
ceiling (--macro config keeps the former). Writes role_quality.md, .csv, .png and .svg, and the files of
`cellroles compare`.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from cellroles.checkpoint import CONFIG, load_config, resolve
from chunkers.compare.judge import SCORES
from chunkers.compare.methods import DEFAULT, GOLD, Method
from chunkers.compare.results import JUDGE, Results
from train.studies.comparison import add_options, mean_of, p_value, run_comparison, write_study
from train.studies.fits import Fit, draw_fits, fit
from train.tables import Table

LEAST = 3
"""Checkpoints that a fit needs."""
SOURCES = {"config": "of the checkpoint's held-out fold, from its config.json", "labels": "measured on the label files"}


@dataclass(frozen=True, slots=True)
class Point:
    """One checkpoint: its macro-F1 (None if not known) and its mean scores; the ceiling has a macro-F1 of 1."""

    name: str
    macro: float | None
    scores: Mapping[str, float]


def checkpoint_folders(given: Sequence[Path]) -> list[str]:
    """Checkpoints, and those in folders of checkpoints; ValueError for what is neither."""
    found: dict[str, None] = {}
    for folder in given:
        inside = [folder] if (folder / CONFIG).is_file() else [p.parent for p in sorted(folder.glob(f"*/{CONFIG}"))]
        if not inside:
            raise ValueError(f"{folder}: no checkpoint ({CONFIG}), and no folder of checkpoints")
        found.update(dict.fromkeys(map(str, inside)))
    return list(found)


def config_macro(checkpoint: str) -> float | None:
    """The macro-F1 of decoded roles as a checkpoint's configuration tells it."""
    macro = load_config(resolve(checkpoint)).scores.get("decoded", {}).get("macro")
    return None if macro is None else float(macro)


def label_macros(checkpoints: Sequence[str], labels: Path) -> dict[str, float | None]:
    """The macro-F1 of decoded roles on label files, pooled over their sheets."""
    from cellroles.decode import decode
    from cellroles.predict import load_predictor
    from data.label_folders import load_label_folders
    from train.evaluate import candidates_alone
    from train.measure import score_table

    sheets = load_label_folders([labels])
    macros: dict[str, float | None] = {}
    for checkpoint in checkpoints:
        predictor = load_predictor(checkpoint)
        kept = [(one, candidates_alone(one, predictor.probabilities(one.sheet))) for one in sheets]
        macros[checkpoint] = score_table([(one, decode(one.sheet, kinds)[0]) for one, kinds in kept])["macro"]
    return macros


def point(found: Results, method: str, name: str, macro: float | None) -> Point:
    """A method's mean scores over all questions."""
    means = {score: mean_of(found, method, score) for score in (*SCORES, JUDGE)}
    return Point(name, macro, {score: mean for score, mean in means.items() if mean is not None})


def fits(points: Sequence[Point]) -> dict[str, Fit]:
    """A fit per score over the points with a macro-F1; ValueError for too few of them, or all of one quality."""
    known = [(one.macro, one.scores) for one in points if one.macro is not None]
    if len(known) < LEAST or len({macro for macro, _ in known}) < 2:
        raise ValueError(f"a fit needs {LEAST} checkpoints with different macro-F1 (got {len(known)})")
    return {score: fit([x for x, _ in known], [scores[score] for _, scores in known]) for score in points[0].scores}


def point_table(points: Sequence[Point], source: str) -> Table:
    """Table 8: the checkpoints by macro-F1 with their scores."""
    rows = [
        (one.name, "–" if one.macro is None else f"{one.macro:.3f}", *(f"{mean:.3f}" for mean in one.scores.values()))
        for one in sorted(points, key=lambda one: (one.macro is None, one.macro or 0.0))
    ]
    head = ("checkpoint", "macro-F1", *points[0].scores)
    return Table("Table 8: checkpoints", head, tuple(rows), (f"macro-F1 {SOURCES[source]}.",))


def fit_table(found: Mapping[str, Fit], ceiling: Point | None) -> Table:
    """Figure 4 in numbers: the fits, what they foretell for perfect roles, and what labelled roles attain."""
    rows = [
        (
            score,
            f"{line.slope:+.3f} ± {line.error:.3f}",
            p_value(line.p),
            f"{line.r2:.2f}",
            f"{line.intercept + line.slope:.3f}",
            *([f"{ceiling.scores[score]:.3f}"] if ceiling else []),
        )
        for score, line in found.items()
    ]
    head = (
        "score",
        "slope ± standard error",
        "p",
        "R²",
        "foretold at F1 = 1",
        *(["labelled roles"] if ceiling else []),
    )
    return Table("Figure 4: scores on macro-F1, ordinary least squares", head, tuple(rows))


def study(given: argparse.Namespace) -> str:
    """Run the comparison, write the files; the Markdown."""
    checkpoints = [*checkpoint_folders(given.checkpoints), "default"]
    source = given.macro or ("labels" if given.labels else "config")
    if source == "labels" and not given.labels:
        raise ValueError("--macro labels needs --labels")
    methods = [Method(DEFAULT, checkpoint) for checkpoint in checkpoints]
    gold = [Method(DEFAULT, GOLD)] if given.labels else []
    found = run_comparison(given, [*methods, *gold], given.labels)
    macros = (
        label_macros(checkpoints, given.labels) if source == "labels" else {c: config_macro(c) for c in checkpoints}
    )
    points = [
        point(found, method.name, Path(checkpoint).name, macros[checkpoint])
        for method, checkpoint in zip(methods, checkpoints, strict=True)
    ]
    ceiling = point(found, gold[0].name, "labelled roles", 1.0) if gold else None
    lines = fits(points)
    tables = [fit_table(lines, ceiling), point_table([*points, *([ceiling] if ceiling else [])], source)]
    pairs = {one.name: (one.macro, one.scores) for one in points if one.macro is not None}
    draw_fits(pairs, lines, ceiling.scores if ceiling else None, given.output / "role_quality")
    figure = f"![Scores of {len(pairs)} checkpoints by macro-F1, with fits](role_quality.png)\n"
    text = "\n".join([*(table.markdown() for table in tables), figure])
    write_study(given.output, "role_quality", text, tables)
    return text


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the command line and print the tables."""
    parser = argparse.ArgumentParser(
        prog="python -m train.studies.role_quality",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--checkpoints", type=Path, nargs="+", required=True, help="checkpoints, or folders of them")
    parser.add_argument("--labels", type=Path, help="folder of label files: measures macro-F1, and gives the ceiling")
    parser.add_argument("--macro", choices=SOURCES, help="where macro-F1 comes from (default: labels, if given)")
    add_options(parser)
    given = parser.parse_args(arguments)
    try:
        print(study(given))
    except (ValueError, OSError, ImportError) as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
