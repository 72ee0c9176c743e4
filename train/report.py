"""Cross-validated runs -> the paper's tables and figure: `python -m train.report runs/crossval`.

Writes report.md (Table 1 raw and decoded, Figure 3, Table 6, what is missing of the grid) and the same as PNG files:
table_1.png, table_1_decoded.png, figure_3.png, table_6.png.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from train.crossval import SEEDS
from train.figures import draw_runs, draw_table
from train.reports import Reports, missing_runs, read_reports
from train.sides import FOLDS
from train.tables import class_table, size_table
from train.trainers import TRAINERS

SPLITS = tuple(f"fold-{number}" for number in range(1, FOLDS + 1))


def write_report(reports: Reports, output: Path) -> str:
    """Write the files; returns the Markdown."""
    output.mkdir(parents=True, exist_ok=True)
    raw, decoded, sizes = class_table(reports, "raw"), class_table(reports, "decoded"), size_table(reports)
    for name, table in {"table_1": raw, "table_1_decoded": decoded, "table_6": sizes}.items():
        draw_table(table, output / f"{name}.png")
    draw_runs(reports, output / "figure_3.png")
    missing = missing_runs(reports, SPLITS, SEEDS, TRAINERS)
    runs = sum(map(len, reports.values()))
    parts = [
        f"# Cross-validation: {runs} runs of {len(reports)} configurations\n",
        raw.markdown(),
        decoded.markdown(),
        "## Figure 3: macro-F1 per run\n\n![Macro-F1 per run and configuration](figure_3.png)\n",
        sizes.markdown(),
        "## Missing of the grid\n\n" + ("\n".join(f"- {line}" for line in missing) or "Nothing.") + "\n",
    ]
    text = "\n".join(parts)
    (output / "report.md").write_text(text, "utf-8")
    return text


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the command line and write the report."""
    parser = argparse.ArgumentParser(
        prog="python -m train.report", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("runs", type=Path, nargs="?", default=Path("runs/crossval"), help="folder of the runs")
    parser.add_argument("-o", "--output", type=Path, help="folder of the report (default: that of the runs)")
    given = parser.parse_args(arguments)
    output = given.output or given.runs
    try:
        print(write_report(read_reports(given.runs), output))
    except ValueError as error:
        parser.error(str(error))
    print(f"written to {output}: report.md, figure_3.png, table_1.png, table_1_decoded.png, table_6.png")


if __name__ == "__main__":
    main()
