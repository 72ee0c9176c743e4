"""Zip file -> parts of an Office package, each checked against the limits before a byte of it is unpacked."""

from __future__ import annotations

import zipfile
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import IO, Any, cast

from cellroles.limits import DEFAULT, Limits, OverLimit, require_at_most

OFFICE = b"http://schemas.openxmlformats.org"
# Strict Open XML (ISO/IEC 29500-1) differs from what everybody writes in little but the names of its namespaces.
STRICT = b"http://purl.oclc.org/ooxml"
STRICT_NAMES = {
    STRICT + b"/spreadsheetml/main": OFFICE + b"/spreadsheetml/2006/main",
    STRICT + b"/drawingml/main": OFFICE + b"/drawingml/2006/main",
    STRICT + b"/officeDocument/relationships": OFFICE + b"/officeDocument/2006/relationships",
}
LONGEST_NAME = max(map(len, STRICT_NAMES))
# Open Packaging (ISO/IEC 29500-2, annex C) allows no other; others are unpacked in steps that no limit bounds.
METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
ENTRY_BYTES = 256  # of the zip directory per part; real ones take about 100


class LenientZip(zipfile.ZipFile):
    """A zip whose parts are also found by another case or with backslashes, as some writers name them.

    With `strict` its parts read as if they were written in the usual namespaces. Raises OverLimit for a file or part
    over `limits`; a part never gives more bytes than it declares, since the zip library stops there.
    """

    strict = False

    def __init__(self, path: str, limits: Limits = DEFAULT):
        require_small_file(path, limits)
        super().__init__(path)
        self.limits = limits

    def open(self, name: str | zipfile.ZipInfo, *options: Any, **named: Any) -> IO[bytes]:
        """The part as a stream."""
        info = name if isinstance(name, zipfile.ZipInfo) else self.getinfo(name)
        require_small_part(info, self.limits)
        try:
            source = super().open(info, *options, **named)
        except OSError as error:  # the directory points out of the file
            raise zipfile.BadZipFile(f"its part {info.filename!r} is out of reach: {error}") from error
        return cast(IO[bytes], UsualNames(source)) if self.strict else source

    def whole(self, name: str) -> bytes:
        """All bytes of a part; OverLimit where it has more than may be held."""
        size = self.getinfo(name).file_size
        require_at_most(size, self.limits.whole_part_bytes, f"bytes in its part {name!r}", "whole_part_bytes")
        return self.read(name)

    def getinfo(self, name: str) -> zipfile.ZipInfo:
        """The entry of that name, else of the same name but for case and slashes; KeyError if there is none."""
        if name in self.NameToInfo:
            return self.NameToInfo[name]
        if name.lower() in self._by_plain_name:
            return self._by_plain_name[name.lower()]
        raise KeyError(f"the package has no part {name!r}")

    @cached_property
    def _by_plain_name(self) -> dict[str, zipfile.ZipInfo]:
        return {name.replace("\\", "/").lower(): info for name, info in self.NameToInfo.items()}

    def has(self, name: str) -> bool:
        """Whether `getinfo` finds the part."""
        try:
            self.getinfo(name)
        except KeyError:
            return False
        return True


def require_small_file(path: str, limits: Limits) -> None:
    """Raise OverLimit for a file, or a directory of a zip file, that is too large to be loaded."""
    require_at_most(Path(path).stat().st_size, limits.file_bytes, "bytes", "file_bytes")
    with Path(path).open("rb") as file:
        end: list[Any] | None = zipfile._EndRecData(file)  # type: ignore[attr-defined]
    if end:
        size, entries = end[zipfile._ECD_SIZE], end[zipfile._ECD_ENTRIES_TOTAL]  # type: ignore[attr-defined]
        require_at_most(max(entries, size // ENTRY_BYTES), limits.parts, "parts in its zip directory", "parts")


def require_small_part(info: zipfile.ZipInfo, limits: Limits) -> None:
    """Raise OverLimit for a part that unpacks to too much, ValueError for one in an unusual compression."""
    if info.compress_type not in METHODS:
        raise ValueError(f"part {info.filename!r} is compressed by method {info.compress_type}, unknown to Office")
    require_at_most(info.file_size, limits.part_bytes, f"bytes in its part {info.filename!r}", "part_bytes")
    if info.file_size > max(limits.ratio_from_bytes, limits.ratio * info.compress_size):
        raise OverLimit(
            f"its part {info.filename!r} unpacks {info.compress_size:,} bytes to {info.file_size:,}, "
            f"more than {limits.ratio} times as many (limit `ratio`)"
        )


class UsualNames:
    """A stream in which the namespaces of strict Open XML read as the usual ones."""

    def __init__(self, source: IO[bytes]):
        self.source = source
        self.rest = b""

    def read(self, size: int = -1) -> bytes:
        """About `size` bytes, or all; empty at the end."""
        while block := self.source.read(size):
            content = self.rest + block
            for there, here in STRICT_NAMES.items():
                content = content.replace(there, here)
            # The start of a name that the next block completes is kept back.
            self.rest = content[-LONGEST_NAME + 1 :]
            if ready := content[: -LONGEST_NAME + 1]:
                return ready if size >= 0 else ready + self.read()
        last, self.rest = self.rest, b""
        return last

    def close(self) -> None:
        """Close the stream below."""
        self.source.close()

    def __enter__(self) -> UsualNames:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
