"""Corpus name -> adapter, and the sheets of many corpora at once."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from cellroles.registry import Registry
from data.corpus import Corpus
from data.labelled import LabelledSheet

ROLE_CORPORA = (
    *("statsheets", "troy200", "saus", "deco", "hitab", "hitab_xlsx"),
    *("imtqa", "fuste", "govuk", "deex_lines", "cius", "aitqa"),
)

CORPORA: Registry[Corpus] = Registry(
    "corpus", {name: f"data.corpora.{name}:CORPUS" for name in (*ROLE_CORPORA, "tatqa")}
)

SHEETS_PER_EPOCH = {"hitab": 300, "imtqa": 250, "deex_lines": 200, "cius": 60, "govuk": 120}
"""Suggested sheets per epoch, drawn anew each time; corpora not named here are used whole. Large, unformatted or
repetitive families would otherwise drown the formatted sheets, which teach most per cell."""


def load_corpora(names: Iterable[str] = ROLE_CORPORA, folder: Path | None = None) -> tuple[LabelledSheet, ...]:
    """All sheets of the named corpora (default: every one with roles), corpus by corpus in file order."""
    return tuple(sheet for name in names for sheet in CORPORA[name].load(folder))
