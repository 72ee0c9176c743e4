"""One labelled corpus per module: its statistics, its licence, and what of its labels is masked or converted."""
