"""TAT-QA: tables of annual reports with questions; there are no role labels, every target is 0.

| sheets | formatted | licence | masked |
|---|---|---|---|
| 458 | no | CC BY 4.0 | everything: questions only |
"""

from __future__ import annotations

from data.corpus import Corpus

CORPUS = Corpus("tatqa", ())
