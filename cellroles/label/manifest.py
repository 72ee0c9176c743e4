"""What was exported -> the texts of a hidden sheet, and back."""

from __future__ import annotations

import base64
import dataclasses
import json
import zlib
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from cellroles.sheet import Bytes

FORMAT = 1
MARK = "cellroles label export: do not edit this sheet; `cellroles label import` needs it."
CHUNK = 30_000  # characters; a cell holds 32,767
TOO_MUCH = 256 << 20  # bytes of an unpacked manifest


@dataclass(frozen=True, slots=True)
class ExportedSheet:
    """`name` is the sheet's in the source, `copy` its copy's, `roles` that of the sheet with its roles; `predicted` are
    the roles of its `cells` filled cells in reading order (see `pack`), `tables` the tables found: (id, range)."""

    name: str
    copy: str
    roles: str
    cells: int
    predicted: str
    tables: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Manifest:
    """What `label import` needs to know of an export: `source` is the path of the workbook from the folder of the copy,
    `sha256` that of its content, `tables` the sheet that lists the tables."""

    source: str
    sha256: str
    checkpoint: str
    version: str
    include_hidden: bool
    tables: str
    sheets: tuple[ExportedSheet, ...]
    format: int = FORMAT


def manifest_lines(manifest: Manifest) -> list[str]:
    """The texts of the manifest's sheet, one a row; packed, so that no program takes them for anything."""
    text = _packed(json.dumps(dataclasses.asdict(manifest)).encode())
    return [MARK, *(text[at : at + CHUNK] for at in range(0, len(text), CHUNK))]


def manifest_of(lines: Iterable[str]) -> Manifest:
    """The manifest that these rows hold; ValueError where they are damaged or of another format."""
    _, *chunks = lines
    try:
        fields = json.loads(_unpacked("".join(chunks)))
        number = fields["format"]
        if number == FORMAT:
            fields["sheets"] = tuple(
                ExportedSheet(**{**sheet, "tables": tuple(map(tuple, sheet["tables"]))}) for sheet in fields["sheets"]
            )
            return Manifest(**fields)
    except (ValueError, KeyError, TypeError, zlib.error) as error:
        raise ValueError("its manifest is damaged") from error
    raise ValueError(f"its manifest has format {number}; this version reads format {FORMAT}")


def pack(roles: Bytes) -> str:
    """Roles (n,) as text.

    >>> unpack(pack(np.array([7, 0, 0], np.uint8))).tolist()
    [7, 0, 0]
    """
    return _packed(roles.astype(np.uint8).tobytes())


def unpack(text: str) -> Bytes:
    """The roles (n,) of such a text."""
    return np.frombuffer(_unpacked(text), np.uint8)


def _packed(content: bytes) -> str:
    return base64.b64encode(zlib.compress(content, 9)).decode()


def _unpacked(text: str) -> bytes:
    return zlib.decompressobj().decompress(base64.b64decode(text), TOO_MUCH)
