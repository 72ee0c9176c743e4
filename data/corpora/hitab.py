"""HiTab: hierarchical tables of Statistics Canada, the NSF and Wikipedia (ToTTo), header trees on both axes.

| sheets | formatted | licence | masked |
|---|---|---|---|
| 3,059 | no, text lower-cased | C-UDA 1.0 | left columns and row header depths of the `totto` subset, keyword totals |

In some 570 sheets a units line (`percent`) was read as a second stub column: its numbers are data again and the
labels left of them row headers of any depth. Values that a total label names are value or aggregation: the published
labels have no totals. Grids hold no titles and no notes, so that header and metadata are no negatives here. Texts
stay lower-cased as published: a model meets sentence case only in other corpora. Groups: ten neighbouring Statistics
Canada ids (tables of one article follow each other), the document of an NSF table, the batch of a ToTTo table.
"""

from __future__ import annotations

from data.corpus import GRID_ROLES, Corpus, always
from data.records import Record
from data.rules import column_headers_stand, total_labels_open, totals_open, unit_lines_freed


def document_of(record: Record) -> str:
    """The source document that an id names, or the ten ids around a bare number.

    >>> [document_of({"id": id}) for id in ("1001", "142_68_herd17-tab004", "278_totto31730-3")]
    ['statcan-100', 'nsf-68', 'totto-278']
    """
    first, *rest = record["id"].split("_")
    if not rest:
        return f"statcan-{int(first) // 10}"
    return f"totto-{first}" if rest[0].startswith("totto") else f"nsf-{rest[0]}"


def published_tree(record: Record) -> bool:
    """Whether row header depths come from a published tree rather than from the left columns."""
    return record["subset"] != "totto"


CORPUS = Corpus(
    "hitab",
    GRID_ROLES,
    group=document_of,
    row_levels=published_tree,
    col_levels=always,
    rules=(totals_open, column_headers_stand, unit_lines_freed, total_labels_open),
)
