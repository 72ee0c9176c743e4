"""Column paths of a record's values -> its lines, with shared prefixes said once."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby, pairwise
from typing import NamedTuple

from chunkers.view import bare

MAX_COMPACT_LABEL = 24  # characters of a label that may stand before a number without a colon


class Field(NamedTuple):
    """How one value is named: collapsed column path, whether it is a total, whether it is a number or date."""

    labels: tuple[str, ...]
    total: bool
    number: bool


def template(fields: Sequence[Field]) -> str:
    """The lines of a record as a `%` template with one `%s` per field, in the order of the fields.

    >>> short, long = Field(("Buyside", "Short"), False, True), Field(("Buyside", "Long"), False, True)
    >>> template([long, short]) % ("51.5", "48.2")
    'Buyside: Long 51.5; Short 48.2'
    >>> template([Field(("Name",), False, False), Field(("Sum",), True, True)]) % ("Ann", "7")
    'Name: Ann; Sum (total): 7'
    """
    return "\n".join(_lines(list(fields), 0, ""))


def full_name(field: Field) -> str:
    """The whole path of a value on one line, with the mark of totals.

    >>> full_name(Field(("Buyside", "Total"), True, True))
    'Buyside > Total (total)'
    """
    name = " > ".join(field.labels)
    return f"{bare(name)} (total)".strip() if field.total else name.strip()


def outline(fields: Sequence[Field]) -> str:
    """The names alone, with shared prefixes said once.

    >>> outline([Field(("Buyside", "Long"), False, True), Field(("Buyside", "Total"), True, True)])
    'Buyside: Long; Total (total)'
    """
    named = "\n".join(_lines([field._replace(number=True) for field in fields], 0, ""))
    return named.replace(": %s", "").replace(" %s", "").replace("%%", "%")


def _lines(fields: list[Field], depth: int, indent: str) -> list[str]:
    lines: list[str] = []
    leaves: list[str] = []
    for name, run in groupby(fields, lambda field: field.labels[depth] if len(field.labels) > depth + 1 else None):
        members = list(run)
        if name is None:
            leaves += [_leaf(field, field.labels[depth:]) for field in members]
        elif len(members) == 1:
            leaves.append(_leaf(members[0], members[0].labels[depth:]))
        else:
            lines += _flush(leaves, indent)
            lines += _group(members, depth, indent)
    return lines + _flush(leaves, indent)


def _flush(leaves: list[str], indent: str) -> list[str]:
    """One line of leaves; neighbours of one name say it once: `25 May: 8:30 AM / 12:30 PM`."""
    if not leaves:
        return []
    said = "".join(f"; {leaf}" if leaf != before else " / %s" for before, leaf in pairwise(["", *leaves]))
    leaves.clear()
    return [indent + said.removeprefix("; ")]


def _group(members: list[Field], depth: int, indent: str) -> list[str]:
    end = depth + 1
    while all(len(m.labels) > end + 1 and m.labels[end] == members[0].labels[end] for m in members):
        end += 1
    name = indent + _escape(" > ".join(members[0].labels[depth:end]))
    if all(len(m.labels) == end + 1 and _compact(m) for m in members):
        return [f"{bare(name)}: " + "; ".join(f"{_label(m, m.labels[end:])} %s" for m in members)]
    return [name, *_lines(members, end, indent + "  ")]


def _compact(field: Field) -> bool:
    label = field.labels[-1]
    clear = not label[0].isdigit() and not label[-1].isdigit() and label[-1] not in ":="
    return field.number and clear and len(label) <= MAX_COMPACT_LABEL


def _leaf(field: Field, labels: tuple[str, ...]) -> str:
    label = _label(field, labels)
    return f"{bare(label)}: %s" if bare(label) else "%s"


def _label(field: Field, labels: tuple[str, ...]) -> str:
    return _escape(full_name(field._replace(labels=labels)))


def _escape(text: str) -> str:
    return text.replace("%", "%%")
