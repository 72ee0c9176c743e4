"""`row`, `row@gold`, `row@checkpoints/gcn-mid` -> what is compared: a chunker and where its roles come from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec

from cellroles.sheet import Role
from chunkers.registry import BASELINES, CHUNKERS, NEEDS

GOLD = "gold"
ALL = "all"
DEFAULT = "row"
_DEMOTED = {f"{GOLD}-{role.label}": role for role in Role if role not in (Role.VALUE, Role.EMPTY)}


@dataclass(frozen=True, slots=True)
class Method:
    """A chunker, and where its roles come from: a checkpoint, or `gold` for label files.

    `gold-ROLE` makes values of the cells with that role (paper, Table 4). Without a label file, roles are predicted.
    """

    chunker: str
    roles: str | None = None

    @property
    def name(self) -> str:
        """How the method is asked for and shown."""
        return self.chunker if self.roles is None else f"{self.chunker}@{self.roles}"

    @property
    def is_gold(self) -> bool:
        """Whether label files give its roles."""
        return self.roles == GOLD or self.demoted is not None

    @property
    def demoted(self) -> Role | None:
        """The role that counts as value."""
        return _DEMOTED.get(self.roles or "")

    @property
    def is_baseline(self) -> bool:
        """Whether it knows no roles."""
        return self.chunker in BASELINES


def parse_methods(names: str | Sequence[str]) -> list[Method]:
    """The methods of a list parted by commas; `all` is every chunker whose package is there, the default one first.

    Raises ValueError for a name that is unknown.

    >>> [method.name for method in parse_methods("row,stc,row@gold")]
    ['row', 'stc', 'row@gold']
    """
    parts = [part.strip() for part in names.split(",")] if isinstance(names, str) else list(names)
    every = sorted(set(CHUNKERS).difference(not_installed()), key=lambda name: (name != DEFAULT, name))
    wanted = [name for part in parts for name in (every if part == ALL else [part])]
    methods = list(dict.fromkeys(_method(name) for name in wanted if name))
    if not methods:
        raise ValueError(f"name at least one chunker: {', '.join(CHUNKERS)}")
    return methods


def not_installed() -> list[str]:
    """The chunkers whose package is not there."""
    return [name for name, package in NEEDS.items() if find_spec(package) is None]


def _method(text: str) -> Method:
    chunker, _, roles = text.partition("@")
    if chunker not in CHUNKERS:
        raise ValueError(f"no chunker named {chunker!r}; there are {', '.join(CHUNKERS)}")
    return Method(chunker, roles or None)
