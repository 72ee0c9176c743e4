"""Results of a comparison -> by structure of the sheets, which assembly wins and what roles gain: Tables 3 and 5.

python -m train.studies.structure --results compared/results.json -o tables
python -m train.studies.structure --results compared/results.json --ours row,row@runs/gcn --measure recall@5 -o tables

The comparison is one of `cellroles compare --chunkers stc,row,flat,kg,row@gold --labels ...`; structures are the tags
of its questions. Table 3 has every method without labelled roles, Table 5 the baseline, ours, and labelled roles
(`@gold`), with what the last of these has over the baseline, and p of Wilcoxon's signed-rank test. Writes structure.md
and .csv.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

from chunkers.compare.methods import GOLD
from chunkers.compare.results import ALL, JUDGE, MethodResult, Results, paired_difference
from train.studies.comparison import mean_of, p_value, read_results, write_study
from train.tables import Table

MEASURES = (JUDGE, "recall@5 and association", "recall@1500 tokens", "completeness")
NAMES = {
    "nested_headers": "Nested headers",
    "matrix_crosstab": "Matrix / cross-tab",
    "multi_table": "Multi-table",
    "simple_flat": "Simple flat table",
    ALL: "All questions",
}
"""Tag -> structure as the paper names it, in its order; other tags come between, as they are."""


def structures(found: Results) -> list[str]:
    """The tags of the questions, in the paper's order, all questions last."""
    tags = {row.tag for row in found.rows}
    known = [tag for tag in NAMES if tag in tags and tag != ALL]
    return [*known, *sorted(tags - NAMES.keys()), ALL]


def assembly_table(found: Results, measure: str, methods: Sequence[str]) -> Table:
    """Table 3: the score of every method by structure, the best in bold."""
    rows = [
        (*_head(found, tag), *_bold([mean_of(found, name, measure, tag) for name in methods]))
        for tag in _told(found, measure)
    ]
    return Table(f"Table 3: {measure} by structure", ("structure", "n", *methods), tuple(rows))


def gain_table(found: Results, measure: str, baseline: str, ours: Sequence[str], gold: str | None) -> Table:
    """Table 5: baseline, ours and labelled roles by structure, and what the last of them has over the baseline."""
    methods = {method.name: method for method in found.methods}
    names = [baseline, *ours, *([gold] if gold else [])]
    last = methods[names[-1]]
    rows = [
        (
            *_head(found, tag),
            *(_share(mean_of(found, name, measure, tag)) for name in names),
            *_gap(last, methods[baseline], found, measure, tag),
        )
        for tag in _told(found, measure)
    ]
    title = f"Table 5: {measure} by structure, {last.name} against {baseline}"
    return Table(title, ("structure", "n", *names, "difference", "95 % interval", "p"), tuple(rows))


def _told(found: Results, measure: str) -> Iterator[str]:
    """The structures with questions that can tell."""
    first = found.methods[0].name
    return (tag for tag in structures(found) if mean_of(found, first, measure, tag) is not None)


def _head(found: Results, tag: str) -> tuple[str, str]:
    count = sum(tag in (ALL, *question.tags) for question in found.questions)
    return NAMES.get(tag, tag), str(count)


def _bold(values: Sequence[float | None]) -> list[str]:
    best = max((value for value in values if value is not None), default=None)
    return [f"**{_share(value)}**" if value is not None and value == best else _share(value) for value in values]


def _share(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def _gap(first: MethodResult, second: MethodResult, found: Results, measure: str, tag: str) -> tuple[str, str, str]:
    gap = paired_difference(first, second, found.questions, measure, tag)
    return (f"{gap.mean:+.3f}", f"{gap.low:+.3f} to {gap.high:+.3f}", p_value(gap.p)) if gap else ("–", "–", "–")


def tables(found: Results, measures: Sequence[str], baseline: str, ours: Sequence[str] | None) -> list[Table]:
    """Both tables for every measure; ValueError for a method or a measure that the results lack."""
    names = [method.name for method in found.methods]
    plain = [method for method in names if f"@{GOLD}" not in method]
    ours = [name for name in plain if name.partition("@")[0] == "row"] if ours is None else ours
    gold = next((name for name in names if name == f"row@{GOLD}"), None)
    for name in (baseline, *ours):
        if name not in names:
            raise ValueError(f"no method {name!r} in these results; there are {', '.join(names)}")
    if not ours and not gold:
        raise ValueError(f"Table 5 needs methods to set against {baseline} (--ours)")
    told = [measure for measure in measures if mean_of(found, names[0], measure) is not None]
    if not told:
        raise ValueError(f"none of {', '.join(measures)} is in these results")
    threes = [assembly_table(found, measure, plain) for measure in told]
    return [*threes, *(gain_table(found, measure, baseline, ours, gold) for measure in told)]


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the command line and print the tables."""
    parser = argparse.ArgumentParser(
        prog="python -m train.studies.structure",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--results", type=Path, required=True, help="results.json of a comparison")
    parser.add_argument("-o", "--output", type=Path, required=True, help="folder to write")
    parser.add_argument("--baseline", default="stc", help="default: stc")
    parser.add_argument("--ours", help="methods parted by commas (default: row, by whatever checkpoint)")
    parser.add_argument("--measure", nargs="+", default=MEASURES, help=f"default: {', '.join(MEASURES)}, if told")
    given = parser.parse_args(arguments)
    try:
        ours = given.ours.split(",") if given.ours else None
        made = tables(read_results(given.results), given.measure, given.baseline, ours)
    except (ValueError, OSError) as error:
        parser.error(str(error))
    text = "\n".join(table.markdown() for table in made)
    write_study(given.output, "structure", text, made)
    print(text)


if __name__ == "__main__":
    main()
