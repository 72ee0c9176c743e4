"""Results -> one page that needs no network."""

from chunkers.compare.report.write import write_report

__all__ = ["write_report"]
