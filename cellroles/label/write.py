"""Corrected sheets -> label files on the disk."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from cellroles.label.corrected import Corrected
from cellroles.label.disk import replacing
from cellroles.label.files import LabelFile, label_json, path_from, rules_of


def write_labels(sheets: Sequence[Corrected], target: Path) -> list[Path]:
    """Write a label file per sheet: `target`, then the same name with -2, -3, …; return their paths."""
    further = (target.with_stem(f"{target.stem}-{number}") for number in range(2, len(sheets) + 1))
    paths = [target, *further]
    for path, corrected in zip(paths, sheets, strict=True):
        labels = LabelFile(
            path.stem,
            path_from(path, corrected.source),
            corrected.sheet.name,
            corrected.tables,
            rules_of(corrected.sheet, corrected.roles),
        )
        with replacing(path) as part:
            part.write_text(label_json(labels), "utf-8")
    return paths
