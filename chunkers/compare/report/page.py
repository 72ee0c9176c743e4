"""Results -> one HTML file that needs nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files

from chunkers.compare.judge import Judged
from chunkers.compare.report.charts import charts
from chunkers.compare.report.shown import Extent, report_json
from chunkers.compare.report.standing import Standing, arranged
from chunkers.compare.report.tables import MEANINGS, compared, differences, main_table, structure_tables
from chunkers.compare.results import Results, of_some
from chunkers.page.page import digest

SCRIPTS = ("list.js", "question.js", "report.js")
JUDGED: Mapping[Judged, str] = {
    "cells": "a chunk holds the answer if its provenance names the answer cells",
    "text": "a chunk of the right sheet holds the answer if its text says it; there is no provenance",
    "sheet": "any chunk of the right sheet counts, as its text is a map without the values; "
    "more than the others are granted, so it is no rival for the best score",
}
MOST_ERRORS = 50


def report_html(results: Results) -> str:
    """The page of a comparison.

    Its policy forbids every request and all script and style but its own, which it names by hash. Texts from workbooks
    and questions are escaped, or JSON without `<`, which the script shows as text.
    """
    from jinja2 import Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup

    environment = Environment(
        loader=PackageLoader("chunkers.compare.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(setting=setting, number="{:,}".format)
    style, script = _part("report.css"), '"use strict";\n' + "\n".join(map(_part, SCRIPTS))
    data, extent = report_json(results)
    main = main_table(results)
    return environment.get_template("report.html").render(
        policy=f"default-src 'none'; script-src '{digest(script)}'; style-src '{digest(style)}'; img-src data:; "
        "base-uri 'none'; form-action 'none'",
        style=Markup(style),
        script=Markup(script),
        data=Markup(data),
        results=results,
        arranged=arranged(results),
        ablation=Standing.ABLATION,
        judged=JUDGED,
        failed=failed(results),
        most_errors=MOST_ERRORS,
        meanings=MEANINGS,
        main=main,
        of_some=list(of_some(results, main.names)),
        structures=structure_tables(results),
        compared=compared(results),
        differences=differences(results),
        charts=charts(results),
        left_out=left_out(results, extent),
    )


def failed(results: Results) -> dict[tuple[str, ...], list[str]]:
    """Errors -> the methods that have the very same ones, as all have of a workbook that cannot be read."""
    found: dict[tuple[str, ...], list[str]] = {}
    for method in results.methods:
        if method.errors:
            found.setdefault(tuple(sorted(method.errors)), []).append(method.name)
    return found


def left_out(results: Results, extent: Extent) -> str:
    """What of the chunks the page does not hold, as a sentence."""
    found = max((len(chunks) for method in results.methods for chunks in method.found), default=0)
    if not extent.chunks:
        return "No chunks are shown, as this page would be too large; the ids are in questions.csv."
    parts = [f"Of each chunk the first {extent.characters:,} characters are shown (a cut text ends in …)"]
    if found > extent.chunks:
        parts.append(f"of the first {found} chunks of each method {extent.chunks}, to keep this page small")
    return " and ".join(parts) + "."


def setting(value: object) -> str:
    """A setting in words, empty if it says nothing.

    >>> setting(True), setting({"tier": "core"}), setting(None), setting(0)
    ('yes', 'tier = core', '', '0')
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return ", ".join(f"{name} = {setting(part)}" for name, part in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(map(setting, value))
    return "" if value is None else str(value)


def _part(name: str) -> str:
    return files("chunkers.compare.report").joinpath("templates", name).read_text(encoding="utf-8")
