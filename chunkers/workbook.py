"""Workbook file -> chunks, sheet by sheet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from cellroles.annotate import RolePredictor, annotate
from cellroles.errors import WorkbookError
from cellroles.sheet import AnnotatedSheet, Chunk, Sheet
from chunkers.budget import MIN_TOKENS
from chunkers.registry import CHUNKERS


@dataclass(frozen=True, slots=True)
class Settings:
    """How workbooks are cut; names are checked here, so that a typo fails before the first file is read.

    `sheets` are the names of those to read, all of them if empty; `repeat_headers` says the names of the columns in
    every record, not only in the text that opens its table.
    """

    chunker: str = "row"
    checkpoint: str = "default"
    segmenter: str = "components"
    max_tokens: int = 512
    include_hidden: bool = False
    gap_tolerance: int | Literal["auto"] = "auto"
    repair: bool = True
    sheets: tuple[str, ...] = ()
    repeat_headers: bool = True

    def __post_init__(self) -> None:
        from cellroles.registry import SEGMENTERS

        for registry, name in ((CHUNKERS, self.chunker), (SEGMENTERS, self.segmenter)):
            if name not in registry:
                raise ValueError(f"no {registry.what} named {name!r}; there are {', '.join(registry)}")
        if self.max_tokens < MIN_TOKENS:
            raise ValueError(f"max_tokens must be at least {MIN_TOKENS} (got {self.max_tokens})")


def chunk_workbook(
    path: str | Path,
    chunker: str = "row",
    checkpoint: str = "default",
    segmenter: str = "components",
    max_tokens: int = 512,
    include_hidden: bool = False,
    gap_tolerance: int | Literal["auto"] = "auto",
    repair: bool = True,
    sheets: Sequence[str] = (),
    repeat_headers: bool = True,
) -> Iterator[Chunk]:
    """The chunks of a workbook in sheet and reading order, made while they are asked for.

    The options are those of `Settings`. Raises `cellroles.errors.WorkbookError` for a file that cannot be read or has
    no sheet of a name in `sheets`, and `ValueError` for an unknown chunker or segmenter.
    """
    if isinstance(sheets, str):
        raise ValueError(f"sheets is a list of names (got {sheets!r})")
    settings = Settings(
        chunker, checkpoint, segmenter, max_tokens, include_hidden, gap_tolerance, repair, tuple(sheets), repeat_headers
    )
    for annotated in annotated_sheets(path, settings):
        yield from sheet_chunks(annotated, settings)


def annotated_sheets(path: str | Path, settings: Settings) -> Iterator[AnnotatedSheet]:
    """The understood sheets of a workbook that `settings` names, one at a time."""
    for sheet in _chosen_sheets(path, settings):
        yield annotate(
            sheet,
            checkpoint=settings.checkpoint,
            segmenter=settings.segmenter,
            gap_tolerance=settings.gap_tolerance,
            repair=settings.repair,
            predictor=_predictor(settings.checkpoint) if len(sheet) else None,
        )


def _chosen_sheets(path: str | Path, settings: Settings) -> Iterator[Sheet]:
    """The sheets that `settings` names; a name that none of them has raises after the last one."""
    from cellroles.reader import iter_sheets

    names = list[str]()
    for sheet in iter_sheets(path, include_hidden=settings.include_hidden):
        names.append(sheet.name)
        if not settings.sheets or sheet.name in settings.sheets:
            yield sheet
    missing = [name for name in settings.sheets if name not in names]
    if missing:
        raise WorkbookError(f"{path}: no sheet named {', '.join(map(repr, missing))}; there are {', '.join(names)}")


def sheet_chunks(annotated: AnnotatedSheet, settings: Settings) -> Iterator[Chunk]:
    """The chunks of one understood sheet."""
    chunker = CHUNKERS[settings.chunker]
    return chunker(annotated, max_tokens=settings.max_tokens, repeat_headers=settings.repeat_headers)


def require_checkpoint(checkpoint: str) -> None:
    """Raise CheckpointError for a checkpoint that is missing or does not fit, before the first file is read."""
    from cellroles.checkpoint import load_config, resolve

    load_config(resolve(checkpoint))


def _predictor(checkpoint: str) -> RolePredictor:
    from cellroles.predict import load_predictor

    return load_predictor(checkpoint)
