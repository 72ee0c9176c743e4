"""The table of families about layouts that models misread."""

from __future__ import annotations

from data.synthetic import comparisons, groups, periods, timetables, units
from data.synthetic.restyle import Family

FAMILIES: dict[str, Family] = {
    "comparison": comparisons.comparison,
    "comparison_stubs": comparisons.comparison_stubs,
    "features": comparisons.features,
    "pairs_of_words": comparisons.pairs_of_words,
    "rota": timetables.rota,
    "lessons": timetables.lessons,
    "time_sheet": timetables.time_sheet,
    "first_group": groups.first_group,
    "corner_group": groups.corner_group,
    "section_levels": groups.section_levels,
    "list_groups": groups.list_groups,
    "unit_cells": units.unit_cells,
    "number_percent": units.number_percent,
    "period_headers": periods.period_headers,
}
