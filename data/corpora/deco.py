"""DECO: business workbooks of the Enron corpus, ranges labelled by people.

| sheets | formatted | licence | masked |
|---|---|---|---|
| 25 | xlsx styles, formulas | public record | rule-promoted stub columns, formulas inside data, row header depths |

Converted: formulas that compute are aggregation, bare copies value; dates and units of the title block are header or
metadata. Labels of pivot subtotals are parents here, siblings of their records in the guide: depths are open.
"""

from __future__ import annotations

from data.corpus import SHEET_ROLES, Corpus, always
from data.rules import column_headers_stand, formulas_decide, titles_open, totals_open

CORPUS = Corpus(
    "deco", SHEET_ROLES, col_levels=always, rules=(formulas_decide, totals_open, titles_open, column_headers_stand)
)
