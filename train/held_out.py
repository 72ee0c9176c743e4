"""Configurations -> scores on whole corpora that were left out: what pays on sheets from elsewhere.

python -m train.held_out configs/roles/gat.toml
python -m train.held_out configs/roles/*.toml --seeds 42,2137 --max-minutes 8

Every configuration is trained twice: fold A without statsheets and deco, fold B without troy200, saus and aitqa; a part
of the other corpora chooses the epoch. All sheets of the left-out corpora give the F1, raw and decoded (mean of the
classes with at least 20 cells); every second sheet of up to 1,200 cells gives the agreement of the header paths. Runs
are skipped and resumed as by train.crossval; the table is printed and written to held_out.md.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean

from train.crossval import add_runs, make_or_exit
from train.reports import Report, Reports, read_reports
from train.sides import HELD_OUT
from train.tables import Table, mean_and_sd

EVERY = tuple(corpus for corpora in HELD_OUT.values() for corpus in corpora)
GROUPS = {
    **{corpus: (corpus,) for corpus in EVERY},
    **{f"mean {fold}": corpora for fold, corpora in HELD_OUT.items()},
    "mean": EVERY,
}
COLUMNS = ("F1 raw", "F1 decoded", "column path", "row path", "both paths")


def corpus_values(report: Report, corpus: str) -> tuple[float, ...]:
    """The values of `COLUMNS` that one run has for a corpus; NaN without header paths to compare."""
    paths: Mapping[str, Sequence[float]] = report["paths"]
    shares = paths.get(corpus, (float("nan"),) * 3)
    return (report["raw"]["dev_parts"][corpus], report["decoded"]["dev_parts"][corpus], *shares)


def held_out_table(reports: Reports) -> Table:
    """A row per configuration and corpus, then the means of each fold and of all corpora; mean ± SD over the seeds."""
    rows: list[tuple[str, ...]] = []
    for name, runs in reports.items():
        found = {
            (run["seed"], corpus): corpus_values(run, corpus)
            for run in runs
            for corpus in HELD_OUT.get(run["split"].removeprefix("held-out-"), ())
        }
        for label, corpora in GROUPS.items():
            seeds = sorted({seed for seed, _ in found if all((seed, one) in found for one in corpora)})
            made = [_means([found[seed, one] for one in corpora]) for seed in seeds]
            if made:
                rows.append((name, label, *(mean_and_sd(values) for values in zip(*made, strict=True))))
    return Table("Corpora left out", ("configuration", "corpus", *COLUMNS), tuple(rows))


def _means(rows: Sequence[Sequence[float]]) -> list[float]:
    """The mean of every column."""
    return [fmean(column) for column in zip(*rows, strict=True)]


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the command line, make the runs and write the table."""
    parser = argparse.ArgumentParser(
        prog="python -m train.held_out", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add_runs(parser, Path("runs/held_out"), [42])
    given = parser.parse_args(arguments)
    make_or_exit(parser, given, [f"held-out-{fold}" for fold in HELD_OUT])
    text = held_out_table(read_reports(given.output)).markdown()
    (given.output / "held_out.md").write_text(text, "utf-8")
    print(f"{text}\nwritten to {given.output / 'held_out.md'}")


if __name__ == "__main__":
    main()
