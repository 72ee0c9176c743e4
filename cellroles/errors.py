"""The errors that a caller may want to tell apart; all are ValueErrors that name the file and the cause."""

from __future__ import annotations


class WorkbookError(ValueError):
    """A workbook could not be read; the message names the file and the cause."""


class NotASpreadsheet(WorkbookError):
    """The bytes are no spreadsheet of a known format."""


class PasswordProtected(WorkbookError):
    """The workbook is encrypted and needs a password."""


class CorruptWorkbook(WorkbookError):
    """The file claims to be a workbook, but its parts cannot be read."""


class UnsupportedFormat(WorkbookError):
    """A format that is recognised and not read: a spreadsheet without a reader, or another Office document."""


class TooLarge(WorkbookError):
    """The workbook asks for more than `cellroles.limits.Limits` allows; the message names the limit."""


class ReadingDied(WorkbookError):
    """The process that read the workbook ended in the middle of it: out of memory, or a fault in a library."""


class ReadingTimedOut(WorkbookError):
    """Reading the workbook took longer than allowed and was stopped."""


class CheckpointError(ValueError):
    """A checkpoint folder is missing, incomplete or does not fit this version's features."""
