"""Method -> where it stands in the report: assembly, baseline, or above them the ceiling that labelled roles reach."""

from __future__ import annotations

from enum import Enum

from chunkers.compare.methods import Method
from chunkers.compare.results import MethodResult, Results


class Standing(Enum):
    """The parts of every table, in the order in which they are shown."""

    ASSEMBLY = "Assemblies over predicted roles"
    BASELINE = "Baselines, which know no roles"
    CEILING = "Ceiling: assemblies over labelled roles (@gold)"
    ABLATION = "Labelled roles, one of them taken for values (@gold-…)"


def standing(method: MethodResult) -> Standing:
    """Where a method stands; a baseline uses no roles, whatever its name asks for."""
    if method.baseline:
        return Standing.BASELINE
    chunker, _, roles = method.name.partition("@")
    asked = Method(chunker, roles or None)
    return Standing.ABLATION if asked.demoted else Standing.CEILING if asked.is_gold else Standing.ASSEMBLY


def arranged(results: Results) -> dict[Standing, list[MethodResult]]:
    """The methods of each standing that there are, each in the order of the comparison."""
    found = {place: [method for method in results.methods if standing(method) is place] for place in Standing}
    return {place: methods for place, methods in found.items() if methods}


def in_order(results: Results) -> list[MethodResult]:
    """All methods in the order in which tables and charts show them."""
    return [method for methods in arranged(results).values() for method in methods]
