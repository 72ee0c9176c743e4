"""Labels without one role -> what every role is worth to chunks: the paper's Table 4.

From labelled roles, so that no error of a model is involved, the cells of one role at a time become plain values, the
Row chunks are made again, and every question is asked again. The loss is what the labels as they are have over those
without the role, by completeness, association, exact paths and retrieval (and by a judge, with --endpoint); p is of
Wilcoxon's signed-rank test on the paired differences per question.

python -m train.studies.role_ablation --labels set/labels --corpus books --questions q.jsonl -o ablation
python -m train.studies.role_ablation --labels set/labels --corpus books --questions q.jsonl --distractors 250 \\
    -o ablation

Writes role_ablation.md and .csv, and the files of `cellroles compare`; chunks are kept, so that it goes on where it
ended.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from cellroles.sheet import Role
from chunkers.compare.methods import DEFAULT, GOLD, Method
from chunkers.compare.results import JUDGE, MethodResult, Results, paired_difference
from train.studies.comparison import add_options, mean_of, p_value, run_comparison, write_study
from train.tables import Table

ROLES = (
    Role.COL_HEADER_1,
    Role.COL_HEADER_2,
    Role.COL_HEADER_3,
    Role.ROW_HEADER_1,
    Role.ROW_HEADER_2,
    Role.ROW_HEADER_3,
    Role.HEADER,
    Role.AGGREGATION,
    Role.METADATA,
)
MEASURES = (JUDGE, "completeness", "association", "exact paths", "recall@5", "recall@5 and association")
"""Best first: completeness is what a reader of the text lacks."""


def methods() -> list[Method]:
    """The labels as they are, and without each role."""
    return [Method(DEFAULT, GOLD), *(Method(DEFAULT, f"{GOLD}-{role.label}") for role in ROLES)]


def ablation_table(found: Results) -> Table:
    """One row per role, one column of losses per measure, largest loss by the first measure first."""
    whole, *arms = found.methods
    measures = [name for name in MEASURES if mean_of(found, whole.name, name) is not None]
    rows = [
        (_role(arm), *(_loss(whole, arm, found, name) for name in measures))
        for arm in sorted(arms, key=lambda arm: mean_of(found, arm.name, measures[0]) or 0.0)
    ]
    means = (f"{mean_of(found, whole.name, name):.3f}" for name in measures)
    notes = (
        f"Loss against the labels as they are, {len(found.questions)} questions; p of Wilcoxon's signed-rank test "
        "behind it. Roles are those of labelled sheets; all other sheets have predicted roles.",
    )
    title = "Table 4: what is lost without one role"
    return Table(title, ("role removed", *measures), (("none (score)", *means), *rows), notes)


def _role(arm: MethodResult) -> str:
    return arm.name.partition(f"{GOLD}-")[2]


def _loss(whole: MethodResult, arm: MethodResult, found: Results, name: str) -> str:
    gap = paired_difference(whole, arm, found.questions, name)
    return f"{gap.mean:+.3f} ({p_value(gap.p)})" if gap else "–"


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the arms and print the table."""
    parser = argparse.ArgumentParser(
        prog="python -m train.studies.role_ablation",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--labels", type=Path, required=True, help="folder of label files (*.json)")
    add_options(parser)
    given = parser.parse_args(arguments)
    try:
        table = ablation_table(run_comparison(given, methods(), given.labels))
    except (ValueError, OSError, ImportError) as error:
        parser.error(str(error))
    write_study(given.output, "role_ablation", table.markdown(), [table])
    print(table.markdown())


if __name__ == "__main__":
    main()
