"""DECO: business workbooks of the Enron corpus, ranges labelled by people.

| sheets | formatted | licence | masked |
|---|---|---|---|
| 25 | xlsx styles, formulas | public record | rule-promoted stub columns, formulas inside data, row header depths |
"""

from __future__ import annotations

from data.corpus import SHEET_ROLES, Corpus, always

CORPUS = Corpus("deco", SHEET_ROLES, col_levels=always)
