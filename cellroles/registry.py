"""Name -> object tables, one class for chunkers, segmenters, models and encoders, with errors made from the table."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Generic, TypeVar

T = TypeVar("T")


class Registry(Generic[T]):
    """A table of named objects, imported on first use (`"package.module:attribute"`), so that listing loads nothing.

    >>> import math
    >>> roots = Registry[object]("root", {"square": "math:sqrt"})
    >>> roots["square"] is math.sqrt
    True
    """

    def __init__(self, what: str, entries: dict[str, str]) -> None:
        self.what = what
        self._targets = dict(entries)
        self._loaded: dict[str, T] = {}

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self._targets))

    def __contains__(self, name: object) -> bool:
        return name in self._targets

    def __getitem__(self, name: str) -> T:
        if name not in self._loaded:
            if name not in self._targets:
                raise ValueError(f"no {self.what} named {name!r}; there are {', '.join(self)}")
            module, _, attribute = self._targets[name].partition(":")
            self._loaded[name] = getattr(import_module(module), attribute)
        return self._loaded[name]


MODELS: Registry[type] = Registry(
    "model",
    {
        "mlp": "cellroles.models.mlp:MLP",
        "gcn": "cellroles.models.gcn:GCN",
        "gat": "cellroles.models.gat:GAT",
        "adj_transformer": "cellroles.models.adj_transformer:AdjTransformer",
        "dual_modality_gnn": "cellroles.models.dual_modality_gnn:DualModalityGNN",
        "spatial_edge_transformer": "cellroles.models.spatial_edge_transformer:SpatialEdgeTransformer",
    },
)
ENCODERS: Registry[type] = Registry(
    "text encoder",
    {"hash": "cellroles.features.text:HashEncoder"},
)
SEGMENTERS: Registry[Callable[..., object]] = Registry(
    "segmenter",
    {
        "components": "cellroles.segment.components:components",
        "docling": "cellroles.segment.docling:docling_boxes",
    },
)
