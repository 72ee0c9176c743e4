"""AIT-QA: tables of airlines' annual reports, header paths published, layout rebuilt from them.

| sheets | formatted | licence | masked |
|---|---|---|---|
| 113 | no (number formats and indents only) | CDLA-Sharing | all totals |

Totals are keyword guesses only: aggregation is no candidate here. No titles, no notes.
"""

from __future__ import annotations

from cellroles.sheet import Role
from data.corpus import GRID_ROLES, Corpus, always

ROLES = tuple(role for role in GRID_ROLES if role != Role.AGGREGATION)
CORPUS = Corpus("aitqa", ROLES, row_levels=always, col_levels=always)
