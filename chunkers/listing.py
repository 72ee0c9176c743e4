"""Registries and bundled checkpoints -> the lines of `cellroles list`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib.resources import files

from cellroles.registry import ENCODERS, MODELS, SEGMENTERS
from chunkers.registry import CHUNKERS


def listing() -> Iterator[str]:
    """One line per kind of object, then one per bundled checkpoint with its scores."""
    for title, names in (
        ("chunkers", CHUNKERS),
        ("segmenters", SEGMENTERS),
        ("models", MODELS),
        ("encoders", ENCODERS),
    ):
        yield f"{title}: {', '.join(names)}"
    yield "checkpoints:"
    yield from (f"  {line}" for line in _checkpoints())


def _checkpoints() -> Iterator[str]:
    folder = files("cellroles") / "checkpoints"
    if not folder.is_dir():
        return
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        config = entry / "config.json"
        if config.is_file():
            content = json.loads(config.read_text(encoding="utf-8"))
            scores = ", ".join(f"{name} {score}" for name, score in content.get("scores", {}).items())
            yield f"{entry.name}: {content.get('architecture', '?')}" + (f" ({scores})" if scores else "")
