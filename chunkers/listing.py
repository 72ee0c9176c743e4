"""Registries and bundled checkpoints -> the lines of `cellroles list`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from cellroles.checkpoint import CONFIG, bundled, load_config, resolve
from cellroles.registry import ENCODERS, MODELS, SEGMENTERS
from chunkers.registry import CHUNKERS

SCORES = ("macro", "dev")
"""Macro-F1 over a held-out fold; its mean over the development sheets of the corpora."""


def listing(folders: Sequence[Path] = ()) -> Iterator[str]:
    """One line per kind of object, then one per checkpoint, bundled or in one of `folders`, with its scores."""
    for title, names in (
        ("chunkers", CHUNKERS),
        ("segmenters", SEGMENTERS),
        ("models", MODELS),
        ("encoders", ENCODERS),
    ):
        yield f"{title}: {', '.join(names)}"
    yield "checkpoints:"
    yield from (f"  {name}: {_described(resolve(name))}" for name in bundled())
    for folder in folders:
        yield from (f"  {path.parent}: {_described(path.parent)}" for path in sorted(folder.glob(f"*/{CONFIG}")))


def _described(folder: Path) -> str:
    config = load_config(folder)
    scores = [
        f"{name} {table[name]:.3f} {way}" for way, table in config.scores.items() for name in SCORES if name in table
    ]
    return config.architecture + (f" ({', '.join(scores)})" if scores else "")
