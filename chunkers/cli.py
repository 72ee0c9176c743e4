"""Command line -> chunks, roles and listings; what a command does not need is imported only where it is used."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from chunkers.batch import Write
    from chunkers.report import WorkbookReport
    from chunkers.workbook import Settings

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
    help="Understand a spreadsheet first, then cut it into chunks that explain themselves.",
)

Paths = Annotated[list[str], typer.Argument(help="Workbooks, folders or globs.", show_default=False)]
Output = Annotated[str, typer.Option("-o", "--output", help="Output file (JSON lines); - is standard output.")]
Checkpoint = Annotated[str, typer.Option(help="Bundled checkpoint name, or a checkpoint folder.")]
Segmenter = Annotated[str, typer.Option(help="How tables are found (see `cellroles list`).")]
Hidden = Annotated[bool, typer.Option("--include-hidden", help="Read hidden sheets, rows and columns too.")]
Jobs = Annotated[int, typer.Option(min=1, help="Workbooks read at the same time.")]
Gap = Annotated[str, typer.Option(help="Blank rows or columns inside a table: a number, or auto (roles decide).")]
Sheets = Annotated[list[str] | None, typer.Option("--sheet", help="Name of a sheet to read; may be said repeatedly.")]
NoHeaders = Annotated[
    bool, typer.Option("--no-repeat-headers", help="Say column names once per table, not per record.")
]
NoRepair = Annotated[bool, typer.Option("--no-repair", help="Leave the segmenter's boxes as they are.")]


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"cellroles {version('cellroles')}")
        raise typer.Exit


@app.callback()
def common(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and leave.")
    ] = False,
) -> None:
    """Understand a spreadsheet first, then cut it into chunks that explain themselves."""


@app.command()
def chunk(
    paths: Paths,
    output: Output = "-",
    chunker: Annotated[str, typer.Option(help="How sheets are cut (see `cellroles list`).")] = "row",
    checkpoint: Checkpoint = "default",
    segmenter: Segmenter = "components",
    max_tokens: Annotated[int, typer.Option(help="Budget of a chunk's text in cl100k tokens.")] = 512,
    jobs: Jobs = 1,
    include_hidden: Hidden = False,
    check: Annotated[bool, typer.Option("--check", help="Fail if a filled cell is lost or owned twice.")] = False,
    gap_tolerance: Gap = "auto",
    no_repair: NoRepair = False,
    sheet: Sheets = None,
    no_repeat_headers: NoHeaders = False,
) -> None:
    """Cut workbooks into chunks, one JSON object a line.

    Beside the output, `OUTPUT.report.json` lists excluded cells, warnings, fallbacks and counts per sheet.

    Examples:

    `cellroles chunk report.xlsx`

    `cellroles chunk books/ -o chunks.jsonl --jobs 2 --check`
    """
    from chunkers.batch import ChunkWriter

    settings = _settings(
        chunker=chunker,
        checkpoint=checkpoint,
        segmenter=segmenter,
        max_tokens=max_tokens,
        include_hidden=include_hidden,
        gap_tolerance=_gap(gap_tolerance),
        repair=not no_repair,
        sheets=tuple(sheet or ()),
        repeat_headers=not no_repeat_headers,
    )
    _run(paths, output, ChunkWriter(settings, check), jobs, report=True)


@app.command()
def roles(
    paths: Paths,
    output: Output = "-",
    checkpoint: Checkpoint = "default",
    segmenter: Segmenter = "components",
    include_hidden: Hidden = False,
    jobs: Jobs = 1,
) -> None:
    """Write the role of every filled cell and the regions found, one JSON object per sheet.

    Example:

    `cellroles roles report.xlsx -o roles.jsonl`
    """
    from chunkers.role_records import RoleWriter

    settings = _settings(checkpoint=checkpoint, segmenter=segmenter, include_hidden=include_hidden)
    _run(paths, output, RoleWriter(settings), jobs, report=False)


@app.command("list")
def list_() -> None:
    """Name the chunkers, segmenters, models, text encoders and bundled checkpoints."""
    from chunkers.listing import listing

    for line in listing():
        typer.echo(line)


def _settings(**options: object) -> Settings:
    from chunkers import workbook

    try:
        settings = workbook.Settings(**options)  # type: ignore[arg-type]
        workbook.require_checkpoint(settings.checkpoint)
        return settings
    except ValueError as error:
        raise typer.BadParameter(str(error)) from error


def _gap(text: str) -> object:
    if text == "auto":
        return text
    if not text.isdecimal():
        raise typer.BadParameter(f"--gap-tolerance is a number of cells or auto (got {text!r})")
    return int(text)


def _run(arguments: list[str], target: str, write: Write, jobs: int, *, report: bool) -> None:
    """Write every workbook, say one line per failed file, and leave with the exit status of the run."""
    from chunkers.batch import output, run
    from chunkers.inputs import expand

    paths, problems = expand(arguments)
    reports: list[WorkbookReport] = []
    with output(target) as out:
        for done in _progress(run(paths, write, out, jobs), len(paths)):
            reports.append(done)
            problems += _say(done)
    for problem in problems:
        typer.echo(problem, err=True)
    if report and target != "-":
        from pathlib import Path

        from chunkers.report import write_report

        write_report(Path(f"{target}.report.json"), reports)
    if problems:
        raise typer.Exit(1)


def _say(report: WorkbookReport) -> list[str]:
    """Tell what a file left out or that it is empty; return what makes the run fail."""
    if report.error:
        return [report.error if report.workbook in report.error else f"{report.workbook}: {report.error}"]
    if report.is_empty:
        typer.echo(f"no filled cells in {report.workbook}", err=True)
    if report.excluded:
        reasons = ", ".join(f"{count} {reason}" for reason, count in sorted(report.excluded.items()))
        typer.echo(f"{report.workbook}: excluded cells: {reasons}", err=True)
    return [f"{report.workbook}: {problem}" for problem in report.problems]


def _progress(reports: Iterator[WorkbookReport], total: int) -> Iterator[WorkbookReport]:
    """The same reports, with a bar on standard error if that is a terminal and there is more than one file."""
    if total < 2 or not sys.stderr.isatty():
        yield from reports
        return
    from rich.console import Console
    from rich.progress import track

    yield from track(reports, "Workbooks", total, console=Console(stderr=True), transient=True)


def main() -> None:
    """The console script `cellroles`."""
    app()


if __name__ == "__main__":
    main()
