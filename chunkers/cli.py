"""Command line -> chunks, roles and listings; what a command does not need is imported only where it is used."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from chunkers import label_commands
from chunkers.compare import command as compare_command

if TYPE_CHECKING:
    from chunkers.batch import ChunkWriter
    from chunkers.role_records import RoleWriter
    from chunkers.workbook import Settings

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
    help="Understand a spreadsheet first, then cut it into chunks that explain themselves.",
)
app.add_typer(label_commands.app, name="label")
app.command()(compare_command.compare)

Paths = Annotated[list[str], typer.Argument(help="Workbooks, folders or globs.", show_default=False)]
Output = Annotated[str, typer.Option("-o", "--output", help="Output file (JSON lines); - is standard output.")]
Checkpoint = Annotated[str, typer.Option(help="Bundled checkpoint name, or a checkpoint folder.")]
Segmenter = Annotated[str, typer.Option(help="How tables are found (see `cellroles list`).")]
Hidden = Annotated[bool, typer.Option("--include-hidden", help="Read hidden sheets, rows and columns too.")]
Jobs = Annotated[int, typer.Option(min=1, help="Workbooks read at the same time.")]
Timeout = Annotated[
    float | None,
    typer.Option(min=0.1, metavar="SECONDS", help="Most that one workbook may take. [default: 600 if isolated]"),
]
Resume = Annotated[
    bool, typer.Option("--resume", help="Skip what an earlier run finished, if file and settings are as they were.")
]
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
    timeout: Timeout = None,
    resume: Resume = False,
    include_hidden: Hidden = False,
    check: Annotated[bool, typer.Option("--check", help="Fail if a filled cell is lost or owned twice.")] = False,
    gap_tolerance: Gap = "auto",
    no_repair: NoRepair = False,
    sheet: Sheets = None,
    no_repeat_headers: NoHeaders = False,
) -> None:
    """Cut workbooks into chunks, one JSON object a line.

    Beside the output, `OUTPUT.report.json` lists excluded cells, warnings, fallbacks and counts per sheet, and
    `OUTPUT.failures.jsonl` the files that failed, if any did. All appear at the end, complete or not at all; until then
    finished workbooks are kept in `OUTPUT.parts/`, where `--resume` finds them after an interruption.

    Several workbooks are read in processes of their own, so that a crash or a time-out of one loses that one alone. A
    single one is read in this process and its chunks are written while they are made; `--timeout`, `--resume` or
    `--jobs 2` isolate it too.

    The exit status is 0, or 1 if a file failed, 2 for wrong usage, 130 if interrupted.

    Examples:

    `cellroles chunk report.xlsx`

    `cellroles chunk books/ -o chunks.jsonl --jobs 2 --check`

    `cellroles chunk books/ -o chunks.jsonl --jobs 2 --resume`
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
    write = ChunkWriter(settings, check)
    _run(paths, output, write, report=True, jobs=jobs, timeout=timeout, resume=resume)


@app.command()
def roles(
    paths: Paths,
    output: Output = "-",
    checkpoint: Checkpoint = "default",
    segmenter: Segmenter = "components",
    include_hidden: Hidden = False,
    jobs: Jobs = 1,
    timeout: Timeout = None,
    resume: Resume = False,
) -> None:
    """Write the role of every filled cell and the regions found, one JSON object per sheet.

    Example:

    `cellroles roles report.xlsx -o roles.jsonl`
    """
    from chunkers.role_records import RoleWriter

    settings = _settings(checkpoint=checkpoint, segmenter=segmenter, include_hidden=include_hidden)
    _run(paths, output, RoleWriter(settings), report=False, jobs=jobs, timeout=timeout, resume=resume)


@app.command()
def view(
    workbook: Annotated[str, typer.Argument(help="A workbook.", show_default=False)],
    output: Annotated[
        str, typer.Option("-o", "--output", help="The page to write (HTML); - is standard output.")
    ] = "-",
    chunker: Annotated[str, typer.Option(help="How sheets are cut (see `cellroles list`).")] = "row",
    checkpoint: Checkpoint = "default",
    segmenter: Segmenter = "components",
    max_tokens: Annotated[int, typer.Option(help="Budget of a chunk's text in cl100k tokens.")] = 512,
    include_hidden: Hidden = False,
) -> None:
    """Show a workbook's cells, roles, header paths and chunks on one page that needs no network.

    Example:

    `cellroles view report.xlsx -o page.html`
    """
    from chunkers.page.write import write_page

    settings = _settings(
        chunker=chunker,
        checkpoint=checkpoint,
        segmenter=segmenter,
        max_tokens=max_tokens,
        include_hidden=include_hidden,
    )
    if problem := write_page(workbook, output, settings):
        typer.echo(problem, err=True)
        raise typer.Exit(1)


@app.command("list")
def list_(
    folder: Annotated[
        list[Path] | None, typer.Option(help="A folder of checkpoints to list too; may be said repeatedly.")
    ] = None,
) -> None:
    """Name the chunkers, segmenters, models, text encoders and checkpoints, these with their scores."""
    from chunkers.listing import listing

    for line in listing(folder or ()):
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


def _run(
    paths: list[str],
    target: str,
    write: ChunkWriter | RoleWriter,
    *,
    report: bool,
    jobs: int,
    timeout: float | None,
    resume: bool,
) -> None:
    """Write every workbook, say one line per failed file, and leave with the exit status of the run."""
    from cellroles.checkpoint import CONFIG, ONNX, WEIGHTS, resolve
    from chunkers.console import Run, execute

    if resume and target == "-":
        raise typer.BadParameter("--resume needs an output file to go on with: give it with -o")
    model = tuple(resolve(write.settings.checkpoint) / name for name in (CONFIG, WEIGHTS, ONNX))
    execute(paths, Run(target, write, model, report, jobs, timeout, resume))


def main() -> None:
    """The console script `cellroles`."""
    app()


if __name__ == "__main__":
    main()
