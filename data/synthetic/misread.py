"""The table of families about layouts that models misread."""

from __future__ import annotations

from data.synthetic import (
    calculators,
    comparisons,
    fragments,
    grids,
    groups,
    pairs,
    periods,
    plans,
    rotas,
    timetables,
    totals,
    units,
)
from data.synthetic.restyle import Family

FAMILIES: dict[str, Family] = {
    "comparison": comparisons.comparison,
    "comparison_stubs": comparisons.comparison_stubs,
    "features": comparisons.features,
    "pairs_of_words": comparisons.pairs_of_words,
    "work_plan": plans.work_plan,
    "rota": rotas.rota,
    "lessons": timetables.lessons,
    "time_sheet": timetables.time_sheet,
    "first_group": groups.first_group,
    "corner_group": groups.corner_group,
    "section_levels": groups.section_levels,
    "list_groups": groups.list_groups,
    "unit_cells": units.unit_cells,
    "number_percent": units.number_percent,
    "period_headers": periods.period_headers,
    "calculator": calculators.calculator,
    "rate_grid": grids.rate_grid,
    "options": calculators.options,
    "worked_example": calculators.worked_example,
    "pair_form": pairs.pair_form,
    "preamble": fragments.preamble,
    "notes_between": fragments.notes_between,
    "listed_sheets": fragments.listed_sheets,
    "typed_totals": totals.typed_totals,
    "balance_sheet": totals.balance_sheet,
    "false_totals": totals.false_totals,
}
