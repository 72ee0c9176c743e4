"""Workbook -> annotated sheet: read, predict roles, find tables, resolve header paths."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

from cellroles.reader import read_workbook

if TYPE_CHECKING:
    from cellroles.annotate import annotate

__all__ = ["annotate", "read_workbook"]


class _Package(ModuleType):
    """This package; its `annotate` is the function, which a plain module would lose to the submodule of that name."""

    @property
    def annotate(self) -> Any:
        """Loaded when first used: reading alone needs no model."""
        from cellroles.annotate import annotate

        return annotate

    @annotate.setter
    def annotate(self, submodule: ModuleType) -> None:
        """The import system puts a loaded submodule on its package; the function stays."""


if not TYPE_CHECKING:
    sys.modules[__name__].__class__ = _Package
