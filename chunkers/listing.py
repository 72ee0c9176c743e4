"""Registries and bundled checkpoints -> the lines of `cellroles list`."""

from __future__ import annotations

from collections.abc import Iterator

from cellroles.checkpoint import bundled, load_config, resolve
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
    for name in bundled():
        config = load_config(resolve(name))
        scores = ", ".join(f"dev {table['dev']:.3f} {way}" for way, table in config.scores.items())
        yield f"{name}: {config.architecture}" + (f" ({scores})" if scores else "")
