"""Sheet -> per-cell features: 768 of text and 89 engineered, in named groups.

Nothing of size (cells, 857) is ever made: what depends on a distinct string, style or formula is computed once per
distinct one, what depends on a row or a column once per row or column, and feature rows are put together per tile.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cellroles.features.content import CONTENT, StringTable, content_features
from cellroles.features.format import FORMAT, format_features, merge_sizes, style_features
from cellroles.features.formula import FORMULA, FormulaFacts, formula_facts, formula_features
from cellroles.features.layout import Layout, layout_of
from cellroles.features.neighbourhood import NEIGHBOURHOOD, Profile, neighbourhood_features, profile_of
from cellroles.features.text import TEXT_WIDTH, HashEncoder
from cellroles.sheet import Floats, Ints, Part, Sheet

FEATURE_VERSION = 2
GROUPS: dict[str, tuple[str, ...]] = {
    "content": CONTENT,
    "format": FORMAT,
    "formula": FORMULA,
    "neighbourhood": NEIGHBOURHOOD,
}
ENGINEERED = tuple(f"{group}.{name}" for group, names in GROUPS.items() for name in names)
ENGINEERED_WIDTH = len(ENGINEERED)
FEATURE_WIDTH = TEXT_WIDTH + ENGINEERED_WIDTH
ENCODER = HashEncoder()


@dataclass(frozen=True, slots=True, eq=False)
class SheetFeatures:
    """The features of one sheet, kept per distinct string, style, formula, row and column."""

    sheet: Sheet
    layout: Layout
    strings: StringTable
    styles: Floats
    merges: Floats
    formulas: FormulaFacts
    profile: Profile

    @property
    def string_id(self) -> Ints:
        """Index of each filled cell's string in `strings`, shape (n,)."""
        return self.strings.id

    def engineered(self, lo: int, hi: int) -> Floats:
        """The engineered features of filled cells lo … hi - 1, shape (hi - lo, 89), about [-1, 1]."""
        return self.engineered_of(slice(lo, hi))

    def engineered_of(self, part: Part) -> Floats:
        """The same for a slice or for indices of filled cells."""
        return np.concatenate(
            [
                content_features(self.sheet, self.strings, part),
                format_features(self.sheet, self.styles, self.merges, part),
                formula_features(self.formulas, self.profile, self.layout, part),
                neighbourhood_features(self.sheet, self.strings, self.profile, self.layout, part),
            ],
            axis=1,
            dtype=np.float32,
        )

    def text(self, ids: Ints) -> Floats:
        """Text vectors of the distinct strings `ids`, shape (len(ids), 768), each of length 1 (0 if blank)."""
        return ENCODER.encode([self.strings.keys[i] for i in ids])


def extract(sheet: Sheet) -> SheetFeatures:
    """Compute what the features of a sheet are gathered from; labels and table ids are never looked at."""
    layout = layout_of(sheet)
    merges = merge_sizes(sheet)
    strings = StringTable.of(sheet)
    formulas = formula_facts(sheet, layout, strings)
    return SheetFeatures(
        sheet=sheet,
        layout=layout,
        strings=strings,
        styles=style_features(sheet),
        merges=merges,
        formulas=formulas,
        profile=profile_of(sheet, layout, strings, formulas),
    )
