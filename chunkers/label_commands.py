"""`cellroles label`: roles into a workbook that a person corrects, and back."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from cellroles.label.corrected import Corrected

app = typer.Typer(
    no_args_is_help=True,
    help="Correct predicted roles in Excel or LibreOffice and keep them as label files.",
)


@app.command()
def export(
    book: Annotated[Path, typer.Argument(help="A workbook of any format that is read.", show_default=False)],
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", help="The copy to write, .xlsx or .xlsm. [default: BOOK.roles.xlsx beside it]"),
    ] = None,
    checkpoint: Annotated[str, typer.Option(help="Bundled checkpoint name, or a checkpoint folder.")] = "default",
    segmenter: Annotated[str, typer.Option(help="How tables are found (see `cellroles list`).")] = "components",
    threshold: Annotated[float, typer.Option(min=0, max=1, help="Mark cells of less confidence than this.")] = 0.6,
    sheet: Annotated[
        list[str] | None, typer.Option("--sheet", help="Name of a sheet to label; may be said repeatedly.")
    ] = None,
    include_hidden: Annotated[
        bool, typer.Option("--include-hidden", help="Label hidden sheets, rows and columns too.")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace an output that is there.")] = False,
) -> None:
    """Write a copy of a workbook in which a person corrects the predicted roles and tables.

    The copy keeps everything that is in an .xlsx or .xlsm workbook (charts, pictures and cached results too; macros in
    a copy called .xlsm); of other formats it has values, merges and looks. Every sheet shows its roles as colours, with
    a red frame where the model was in doubt. Behind the sheets stand, for each, a sheet `roles NAME` in which the same
    cells hold the names of the roles, to be changed by drop-down, by typing or by copying; the sheet `cellroles`, which
    is the legend and explains the rest; the tables found; and the least certain cells.

    The exit status is 0, or 1 if the workbook could not be read, 2 for wrong usage.

    Examples:

    `cellroles label export report.xlsx -o annotated.xlsx`

    `cellroles label export report.xlsx --threshold 0.8 --sheet Summary`
    """
    from cellroles.label.export import Request
    from cellroles.label.export import export as write_copy
    from chunkers.console import say
    from chunkers.workbook import Settings, annotated_sheets, require_checkpoint

    target = output or book.with_name(f"{book.stem}.roles{'.xlsm' if book.suffix.lower() == '.xlsm' else '.xlsx'}")
    _check_target(book, target, force)
    try:
        settings = Settings(
            checkpoint=checkpoint, segmenter=segmenter, include_hidden=include_hidden, sheets=tuple(sheet or ())
        )
        require_checkpoint(checkpoint)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from error
    try:
        found = annotated_sheets(str(book), settings)
        write_copy(Request(book, target, checkpoint, include_hidden, threshold), found, say)
    except (ValueError, OSError) as error:
        _fail(str(book), error)
    say(f"{target}: correct it, save it as .xlsx, then `cellroles label import` reads it")


@app.command("import")
def import_(
    book: Annotated[Path, typer.Argument(help="A corrected copy.", show_default=False)],
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", help="Label file to write. [default: BOOK.labels.json beside it]"),
    ] = None,
    source: Annotated[
        Path | None,
        typer.Option(help="The workbook that was exported. [default: where it was, else beside the copy]"),
    ] = None,
    accept_changes: Annotated[
        bool, typer.Option("--accept-changes", help="Though cells of the copy differ from the workbook's.")
    ] = False,
) -> None:
    """Read a corrected copy back and write label files, one per sheet, which training and evaluation take.

    The first labelled sheet goes to OUTPUT, further ones to OUTPUT-2, OUTPUT-3, ... with the same ending. Standard
    output says what was corrected. Nothing is written if anything is wrong: a line per problem names sheet and cell.
    Roles and tables are all that may differ from the export; `--accept-changes` is for programs that change more when
    they save (LibreOffice writes pivot tables anew).

    The exit status is 0, or 1 if there were problems, 2 for wrong usage.

    Examples:

    `cellroles label import annotated.xlsx -o labels.json`

    `cellroles label import annotated.xlsx -o my_labels/report.json --source books/report.xlsx`

    `python -m train.evaluate default --labels my_labels`
    """
    from cellroles.label.corrected import read_corrected
    from cellroles.label.problems import LabelProblems
    from cellroles.label.write import write_labels
    from chunkers.console import say

    target = output or book.with_name(f"{book.stem}.labels.json")
    if target.is_dir() or target.suffix.lower() != ".json":
        raise typer.BadParameter(f"the output is a .json file (got {target})")
    try:
        found = read_corrected(book, source, accept_changes)
        written = write_labels(found, target)
    except LabelProblems as problems:
        for line in problems.lines:
            say(line)
        raise typer.Exit(1) from None
    except (ValueError, OSError) as error:
        _fail(str(book), error)
    for path, corrected in zip(written, found, strict=True):
        for line in _summary(path, corrected):
            typer.echo(line)


def _summary(path: Path, corrected: Corrected) -> list[str]:
    """What was corrected in a sheet: the numbers, then a line per pair of roles."""
    pairs = corrected.corrections()
    tables = ", tables changed" if corrected.tables != corrected.predicted_tables else ""
    head = f"{path}: sheet {corrected.sheet.name!r}: {pairs.total():,} of {corrected.cells:,} cells corrected"
    return [head + tables, *(f"  {count:,} {was} -> {now}" for (was, now), count in pairs.most_common())]


def _check_target(book: Path, target: Path, force: bool) -> None:
    if target.suffix.lower() not in (".xlsx", ".xlsm"):
        raise typer.BadParameter(f"the output is an .xlsx or .xlsm file (got {target})")
    if target.exists() and book.exists() and target.samefile(book):
        raise typer.BadParameter(f"the output would replace the workbook {target}")
    if target.exists() and not force:
        raise typer.BadParameter(f"{target} is there and may hold corrections; --force replaces it")


def _fail(book: str, error: Exception) -> None:
    from chunkers.console import say

    message = " ".join(str(error).split())
    if isinstance(error, OSError) and error.filename:
        message = f"{error.filename}: {'no such file' if isinstance(error, FileNotFoundError) else error.strerror}"
    say(message if book in message else f"{book}: {message}")
    raise typer.Exit(1) from error
