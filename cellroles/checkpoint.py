"""Name or folder -> checkpoint: `config.json`, `model.safetensors` (to train on) and `model.onnx` (to predict with)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cellroles.errors import CheckpointError
from cellroles.features import ENCODER, ENGINEERED, FEATURE_VERSION
from cellroles.sheet import ROLE_LABELS

if TYPE_CHECKING:
    from cellroles.models.base import RoleModel

BUNDLED = Path(__file__).parent / "checkpoints"
CONFIG, WEIGHTS, ONNX = "config.json", "model.safetensors", "model.onnx"


@dataclass(frozen=True, slots=True)
class CheckpointConfig:
    """What a model needs to be built and fed: `depth` is how many steps of the graph a cell sees (0: none).

    `training` says on what data, how and at which commit it was trained, `scores` what it reached there.
    """

    architecture: str
    options: Mapping[str, Any]
    depth: int
    feature_version: int = FEATURE_VERSION
    features: tuple[str, ...] = ENGINEERED
    text_encoder: str = ENCODER.name
    roles: tuple[str, ...] = ROLE_LABELS
    training: Mapping[str, Any] = field(default_factory=dict)
    scores: Mapping[str, Any] = field(default_factory=dict)


def bundled() -> tuple[str, ...]:
    """Names of the checkpoints that the package ships."""
    return tuple(sorted(path.parent.name for path in BUNDLED.glob(f"*/{CONFIG}")))


def resolve(name_or_dir: str | Path) -> Path:
    """The folder of a bundled name or of a path; a path wins where both exist."""
    for folder in (Path(name_or_dir), BUNDLED / name_or_dir):
        if (folder / CONFIG).is_file():
            return folder
    raise CheckpointError(
        f"a checkpoint is a folder with {CONFIG} or one of the bundled names ({', '.join(bundled()) or 'none'}), "
        f"got {str(name_or_dir)!r}"
    )


def load_config(folder: Path) -> CheckpointConfig:
    """Read and check `config.json`; CheckpointError if its features, encoder or roles are not those of this version."""
    path = folder / CONFIG
    try:
        fields = json.loads(path.read_text("utf-8"))
        fields["features"], fields["roles"] = tuple(fields["features"]), tuple(fields["roles"])
        config = CheckpointConfig(**fields)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise CheckpointError(f"{path} is no checkpoint configuration: {error}") from error
    _check(config, path)
    return config


def _check(config: CheckpointConfig, path: Path) -> None:
    expected = {
        "feature_version": FEATURE_VERSION,
        "features": ENGINEERED,
        "text_encoder": ENCODER.name,
        "roles": ROLE_LABELS,
    }
    for name, value in expected.items():
        found = getattr(config, name)
        if found != value:
            raise CheckpointError(
                f"{path} was trained with other {name} ({_difference(found, value)}) than this version computes; "
                "train it again with this version, or install the version of cellroles that made it"
            )


def _difference(found: Any, expected: Any) -> str:
    if not isinstance(found, tuple):
        return f"{found!r} instead of {expected!r}"
    if len(found) != len(expected):
        return f"{len(found)} instead of {len(expected)}"
    place = next(i for i, pair in enumerate(zip(found, expected, strict=True)) if pair[0] != pair[1])
    return f"{found[place]!r} instead of {expected[place]!r} at position {place}"


def save_checkpoint(model: RoleModel, folder: Path, training: Mapping[str, Any]) -> CheckpointConfig:
    """Write the three files, without scores as yet; needs torch, safetensors and onnx (the extra `train`)."""
    from safetensors.torch import save_file

    from cellroles.models.export import export_onnx

    folder.mkdir(parents=True, exist_ok=True)
    config = CheckpointConfig(model.name, model.options, model.depth, training=training)
    save_file({name: value.contiguous() for name, value in model.state_dict().items()}, folder / WEIGHTS)
    (folder / WEIGHTS).chmod(0o644)  # safetensors writes for the owner alone, which a package must not ship
    export_onnx(model, folder / ONNX)
    write_config(folder, config)
    return config


def write_config(folder: Path, config: CheckpointConfig) -> None:
    """Write `config.json`, for instance again once the checkpoint has been scored."""
    (folder / CONFIG).write_text(json.dumps(asdict(config), indent=1, ensure_ascii=False) + "\n", "utf-8")


def load_model(folder: Path) -> RoleModel:
    """The torch model of a checkpoint, ready to predict; needs torch and safetensors (the extra `train`)."""
    from safetensors.torch import load_file

    from cellroles.registry import MODELS

    config = load_config(folder)
    model: RoleModel = MODELS[config.architecture](**config.options)
    model.load_state_dict(load_file(folder / WEIGHTS))
    return model.eval()
