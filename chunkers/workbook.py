"""Workbook file -> chunks, sheet by sheet."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from cellroles.annotate import RolePredictor, annotate
from cellroles.sheet import AnnotatedSheet, Chunk
from chunkers.budget import MIN_TOKENS
from chunkers.registry import CHUNKERS


@dataclass(frozen=True, slots=True)
class Settings:
    """How workbooks are cut; names are checked here, so that a typo fails before the first file is read."""

    chunker: str = "row"
    checkpoint: str = "default"
    segmenter: str = "components"
    max_tokens: int = 512
    include_hidden: bool = False
    gap_tolerance: int | Literal["auto"] = "auto"
    repair: bool = True

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
) -> Iterator[Chunk]:
    """The chunks of a workbook in sheet and reading order, made while they are asked for.

    Raises `cellroles.errors.WorkbookError` for a file that cannot be read and `ValueError` for an unknown name.
    """
    settings = Settings(chunker, checkpoint, segmenter, max_tokens, include_hidden)
    for annotated in annotated_sheets(path, settings):
        yield from sheet_chunks(annotated, settings)


def annotated_sheets(path: str | Path, settings: Settings) -> Iterator[AnnotatedSheet]:
    """The understood sheets of a workbook, one at a time."""
    from cellroles.reader import iter_sheets

    for sheet in iter_sheets(path, include_hidden=settings.include_hidden):
        yield annotate(
            sheet,
            checkpoint=settings.checkpoint,
            segmenter=settings.segmenter,
            gap_tolerance=settings.gap_tolerance,
            repair=settings.repair,
            predictor=_predictor(settings.checkpoint) if len(sheet) else None,
        )


def sheet_chunks(annotated: AnnotatedSheet, settings: Settings) -> Iterator[Chunk]:
    """The chunks of one understood sheet."""
    return CHUNKERS[settings.chunker](annotated, max_tokens=settings.max_tokens)


def require_checkpoint(checkpoint: str) -> None:
    """Raise CheckpointError for a checkpoint that is missing or does not fit, before the first file is read."""
    from cellroles.checkpoint import load_config, resolve

    load_config(resolve(checkpoint))


def _predictor(checkpoint: str) -> RolePredictor:
    from cellroles.predict import load_predictor

    return load_predictor(checkpoint)
