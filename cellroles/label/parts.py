"""An opened package and what is to differ -> a new package."""

from __future__ import annotations

import shutil
import zipfile
from dataclasses import dataclass, field
from pathlib import Path

from cellroles.reader.container import LenientZip


@dataclass(slots=True)
class Parts:
    """The parts of a package by name: those that differ in the copy, and those that are left out."""

    archive: LenientZip
    changed: dict[str, bytes] = field(default_factory=dict)
    dropped: set[str] = field(default_factory=set)

    def name(self, part: str) -> str:
        """The name of a part as the package spells it."""
        return self.archive.getinfo(part).filename

    def read(self, part: str) -> bytes:
        """The bytes of a part as they are to be."""
        name = self.name(part)
        return self.changed[name] if name in self.changed else self.archive.read(name)

    def write(self, part: str, content: bytes) -> None:
        """Change a part, or add it."""
        self.changed[self.name(part) if self.archive.has(part) else part] = content

    def drop(self, part: str) -> None:
        """Leave a part out."""
        self.dropped.add(self.name(part))

    def save(self, path: Path) -> None:
        """Write the package; what did not change is copied without being looked into."""
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as out:
            for info in self.archive.NameToInfo.values():
                if info.filename not in self.changed and info.filename not in self.dropped and not info.is_dir():
                    with self.archive.open(info) as source, out.open(info.filename, "w", force_zip64=True) as target:
                        shutil.copyfileobj(source, target)
            for name, content in self.changed.items():
                out.writestr(name, content)
