"""A training run -> what its report says of it: settings, length, commit, size."""

from __future__ import annotations

import dataclasses
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from train.config import RunConfig


@dataclass(frozen=True, slots=True)
class Size:
    """How large a model is: learned numbers, layers of its backbone, learned stages in all, width (0: it has none)."""

    parameters: int
    layers: int
    depth: int
    hidden: int


def training_facts(config: RunConfig, epochs: int, steps: int, minutes: float) -> dict[str, Any]:
    """What was run, for how long and at which commit, and when the chosen weights were reached."""
    return {
        "config": dataclasses.asdict(config),
        "epochs": epochs,
        "steps": steps,
        "cpu_minutes": round(minutes, 1),
        "commit": git_commit(),
    }


def git_commit() -> str:
    """The commit of the checkout, or an empty string outside one."""
    command = ["git", "describe", "--always", "--dirty", "--abbrev=12"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=Path(__file__).parent, check=False)
    return done.stdout.strip()
