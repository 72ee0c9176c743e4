"""Results -> one page that needs no network."""

from chunkers.compare.report.write import require_report, write_report

__all__ = ["require_report", "write_report"]
