"""The table of families, and the generator that draws from it."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from data.synthetic import (
    computed,
    derived,
    dumps,
    extras,
    flat,
    forms,
    glossary,
    hierarchy,
    keys,
    misread,
    multi,
    nested,
    registers,
    series,
    spans,
)
from data.synthetic.grid import Canvas, SyntheticSheet
from data.synthetic.styles import Look, random_look
from data.synthetic.variation import vary
from data.synthetic.vocabulary import Words, draw_words

Family = Callable[[Random, Words, Look, Canvas], None]

FAMILIES: dict[str, Family] = {
    "nested_merged": nested.nested_merged,
    "nested_unmerged": nested.nested_unmerged,
    "nested_stubs": nested.nested_stubs,
    "headers_below": nested.headers_below,
    "headers_right": nested.headers_right,
    "wrapped_headers": nested.wrapped_headers,
    "unit_rows": nested.unit_rows,
    "numbered_headers": nested.numbered_headers,
    "description_rows": nested.description_rows,
    "year_headers": nested.year_headers,
    "indent_parents": hierarchy.indent_parents,
    "indent_headings": hierarchy.indent_headings,
    "three_levels": hierarchy.three_levels,
    "deep_headers": hierarchy.deep_headers,
    "group_rows": hierarchy.group_rows,
    "stub_columns": hierarchy.stub_columns,
    "crosstab": hierarchy.crosstab,
    "statement": hierarchy.statement,
    "numbering": hierarchy.numbering,
    "flat_name": flat.flat_name,
    "flat_id": flat.flat_id,
    "flat_serial": flat.flat_serial,
    "second_column": flat.second_column,
    "two_keys": flat.two_keys,
    "time_series": flat.time_series,
    "text_table": flat.text_table,
    "headerless": flat.headerless,
    "remarks": flat.remarks,
    "formula_columns": flat.formula_columns,
    "change_columns": derived.change_columns,
    "summary_rows": derived.summary_rows,
    "running_totals": derived.running_totals,
    "transposed": flat.transposed,
    "side_by_side": multi.side_by_side,
    "stacked_tables": multi.stacked_tables,
    "glued_tables": multi.glued_tables,
    "stacked_headers": multi.stacked_headers,
    "form": forms.form,
    "settings": forms.settings,
    "schedule": forms.schedule,
    "contents": forms.contents,
    "junk": extras.junk,
    "notes_heavy": extras.notes_heavy,
    "notes_only": extras.notes_only,
    "survey": extras.survey,
    "flags": extras.flags,
    "two_languages": extras.two_languages,
    "elections": extras.elections,
    **misread.FAMILIES,
    "register": registers.register,
    "text_register": registers.text_register,
    "serial_register": registers.serial_register,
    "contract_register": registers.contract_register,
    "attribute_first": registers.attribute_first,
    "sorted_by_attribute": registers.sorted_by_attribute,
    "match_list": registers.match_list,
    "two_part_names": registers.two_part_names,
    "key_pairs": keys.key_pairs,
    "numeric_keys": series.numeric_keys,
    "xy_series": series.xy_series,
    "measured_first": keys.measured_first,
    "unkeyed": keys.unkeyed,
    "database_dump": dumps.database_dump,
    "link_table": dumps.link_table,
    "one_hot": dumps.one_hot,
    "responses": dumps.responses,
    "event_log": dumps.event_log,
    "records_of_items": spans.records_of_items,
    "sectioned_register": spans.sectioned_register,
    "checklist": glossary.checklist,
    "continued": computed.continued,
    "ledger": computed.ledger,
    "computed_list": computed.computed_list,
    "linked_list": computed.linked_list,
    "tiny_list": glossary.tiny_list,
    "questions_answers": glossary.questions_answers,
    "code_list": glossary.code_list,
    "glossary": glossary.glossary,
    "numbered_notes": glossary.numbered_notes,
}
OFTEN = (nested, hierarchy, derived, multi)
"""Modules whose families are drawn twice as often: lists have more families than tables with headers of several levels,
and teach less about those."""
PANELS = (flat.two_keys, keys.key_pairs)
"""Lists keyed by two columns, drawn four times as often: exports in long form are everywhere, and two families few."""
WEIGHTS = [
    4 if family in PANELS else 2 if family.__module__ in {module.__name__ for module in OFTEN} else 1
    for family in FAMILIES.values()
]


def generate(seed: int, family: str | None = None) -> SyntheticSheet:
    """The sheet of a seed (the same for the same seed and family); without a family, the seed draws one."""
    if family is not None and family not in FAMILIES:
        raise ValueError(f"a family is one of {', '.join(FAMILIES)} (got {family!r})")
    chosen = family or Random(f"family/{seed}").choices(list(FAMILIES), WEIGHTS)[0]
    rng = Random(f"{chosen}/{seed}")
    words, look, canvas = draw_words(rng), random_look(rng), Canvas()
    FAMILIES[chosen](rng, words, look, canvas)
    vary(rng, words, look, canvas)
    name = rng.choice(("Sheet1", "Sheet1", "Data", f"Table {rng.randint(1, 30)}", chosen.split("_")[0].title()))
    return canvas.sheet(chosen, words.language, name)
