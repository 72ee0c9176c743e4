"""Workbooks -> the chunks of every method on disk, each workbook understood once per source of roles."""

from __future__ import annotations

import re
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import Path

from cellroles.annotate import annotate
from cellroles.checkpoint import CONFIG, ONNX, resolve
from cellroles.label.files import LabelFile, read_label_file, roles_of, workbook_of
from cellroles.sheet import AnnotatedSheet, Bytes, Role, Sheet
from chunkers.compare.corpus import Source
from chunkers.compare.methods import GOLD, Method
from chunkers.isolate import isolated
from chunkers.parts import TEMPORARY, content_digest, fingerprint, text_file
from chunkers.record import chunk_json
from chunkers.workbook import Settings, sheet_chunks

Labels = dict[str, dict[str, LabelFile]]
"""Resolved path of a workbook -> sheet name -> its labels."""
Understood = tuple[AnnotatedSheet, float]
"""A sheet with its roles, and the seconds they took."""
TIMEOUT = 900.0
LONGEST_NAME = 80
SECONDS = ".seconds"


@dataclass(frozen=True, slots=True)
class Built:
    """What became of a workbook: the error of each method that failed on it."""

    path: str
    errors: dict[str, str]


@dataclass(frozen=True, slots=True)
class Builder:
    """Workbook -> one file of chunk records per method, `FOLDER/METHOD/KEY.jsonl`, where `KEY` tells what made it."""

    folder: Path
    methods: tuple[Method, ...]
    settings: Settings
    labels: Labels
    code: Mapping[str, str]
    """Checkpoint of a method -> a digest of it and of the code."""

    def file(self, method: Method, source: Source) -> Path:
        """Where the chunks of a workbook lie or will lie."""
        labelled = sorted(self._labels(source.path).items()) if method.is_gold else ()
        made_by = (method.name, self.settings, source, labelled, self.code[_checkpoint(method, self.settings)])
        identity = repr(made_by).encode("utf-8", "surrogatepass")
        key = blake2b(identity + content_digest(Path(source.path)), digest_size=16).hexdigest()
        return self.folder / _folder(method) / f"{key}.jsonl"

    def __call__(self, source: Source) -> Built:
        """Write what is missing; a method that fails on a workbook costs neither the others nor the run."""
        from cellroles.reader import iter_sheets

        built = Built(source.path, {})
        missing = [method for method in self.methods if not self.file(method, source).exists()]
        try:
            sheets = [
                sheet
                for sheet in (iter_sheets(source.path, include_hidden=self.settings.include_hidden) if missing else ())
                if not source.sheets or sheet.name in source.sheets
            ]
        except (ValueError, OSError) as error:
            built.errors.update({method.name: " ".join(str(error).split()) for method in missing})
            return built
        understood: dict[tuple[str, str], Understood] = {}
        for method in missing:
            self._write(source, method, [self._understood(sheet, method, understood) for sheet in sheets], built)
        return built

    def _write(self, source: Source, method: Method, sheets: list[Understood], built: Built) -> None:
        since = time.perf_counter()
        file = self.file(method, source)
        file.parent.mkdir(parents=True, exist_ok=True)
        draft = file.with_suffix(TEMPORARY)
        settings = replace(self.settings, chunker=method.chunker)
        try:
            with text_file(draft) as out:
                out.writelines(
                    chunk_json(chunk) + "\n" for sheet, _ in sheets for chunk in sheet_chunks(sheet, settings)
                )
            seconds = time.perf_counter() - since + (0 if method.is_baseline else sum(spent for _, spent in sheets))
            file.with_suffix(SECONDS).write_text(repr(seconds), "utf-8")
            draft.replace(file)
        except Exception as error:  # a fault of one method on one file must not cost the comparison
            draft.unlink(missing_ok=True)
            reason = " ".join(f"{type(error).__name__}: {error}".split())
            built.errors[method.name] = f"{source.path}: {method.name}: {reason}"

    def _understood(self, sheet: Sheet, method: Method, before: dict[tuple[str, str], Understood]) -> Understood:
        """The sheet with the roles that a method knows, and the seconds it took, for the first method that asks."""
        labels = self._labels(sheet.workbook).get(sheet.name) if method.is_gold else None
        checkpoint = _checkpoint(method, self.settings)
        key = (sheet.name, method.roles or "" if labels else f"\0{checkpoint}")
        if key not in before:
            since = time.perf_counter()
            annotated = self._annotated(sheet, checkpoint, _given_roles(labels, sheet, method) if labels else None)
            before[key] = (annotated, time.perf_counter() - since)
        return before[key]

    def _annotated(self, sheet: Sheet, checkpoint: str, roles: Bytes | None) -> AnnotatedSheet:
        from cellroles.predict import load_predictor

        return annotate(
            sheet,
            checkpoint=checkpoint if roles is None else GOLD,
            segmenter=self.settings.segmenter,
            gap_tolerance=self.settings.gap_tolerance,
            repair=self.settings.repair,
            roles=roles,
            predictor=load_predictor(checkpoint) if len(sheet) and roles is None else None,
        )

    def _labels(self, path: str) -> dict[str, LabelFile]:
        return self.labels.get(str(Path(path).resolve()), {})


def _given_roles(labels: LabelFile, sheet: Sheet, method: Method) -> Bytes:
    """The roles of a label file; a filled cell that no rule names is metadata, so that nothing is lost."""
    roles = roles_of(labels.rules, sheet, f"the labels {labels.id} of {sheet.workbook}")
    roles[roles == Role.EMPTY] = Role.METADATA
    if method.demoted is not None:
        roles[roles == method.demoted] = Role.VALUE
    return roles


def _checkpoint(method: Method, settings: Settings) -> str:
    """The checkpoint that predicts the roles of sheets without labels."""
    return settings.checkpoint if method.is_gold or method.roles is None else method.roles


def _folder(method: Method) -> str:
    """A method's name as that of a folder, also where it holds a long path."""
    name = re.sub(r"[^\w.@-]+", "_", method.name)
    if len(name) <= LONGEST_NAME:
        return name
    return f"{name[:LONGEST_NAME]}-{blake2b(name.encode(), digest_size=4).hexdigest()}"


def read_labels(folder: Path) -> Labels:
    """The label files (*.json) of a folder. Raises ValueError for a folder without any, or a file that is none."""
    found = defaultdict[str, dict[str, LabelFile]](dict)
    for path in sorted(folder.glob("*.json")):
        if labels := read_label_file(path):
            found[str(workbook_of(path, labels).resolve())][labels.sheet] = labels
    if not found:
        raise ValueError(f"{folder}: no label files (*.json) in this folder")
    return dict(found)


def builder(folder: Path, methods: Sequence[Method], settings: Settings, labels: Labels) -> Builder:
    """A builder whose keys hold the state of the code and of the checkpoints too."""
    code = {
        name: fingerprint("", [resolve(name) / part for part in (CONFIG, ONNX)])
        for name in {_checkpoint(method, settings) for method in methods}
    }
    return Builder(folder, tuple(methods), settings, labels, code)


def seconds_of(file: Path) -> float:
    """How long the chunks of a finished file took: roles, if the method needs any, and cutting."""
    return float(file.with_suffix(SECONDS).read_text("utf-8"))


def build(
    builder: Builder, sources: Sequence[Source], jobs: int, advance: Callable[[], None] = lambda: None
) -> Iterator[Built]:
    """Build every workbook in processes of their own, in the order in which they end; a crash costs that one alone."""
    with closing(isolated(builder, sources, min(jobs, len(sources)), TIMEOUT)) as outcomes:
        for outcome in outcomes:
            advance()
            source = sources[outcome.index]
            if isinstance(outcome.answer, Built):
                yield outcome.answer
            else:
                lost = [method for method in builder.methods if not builder.file(method, source).exists()]
                yield Built(source.path, {method.name: f"{source.path}: {outcome.answer}" for method in lost})
