"""Sheet -> the rectangles that Docling's own Excel backend finds in its workbook (the extra `docling`)."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

from cellroles.sheet import Region, Sheet

FORMATS = {".xlsx": "xlsx", ".xlsm": "xlsx", ".xltx": "xlsx", ".xltm": "xlsx", ".xls": "xls"}


def docling_boxes(sheet: Sheet, gap_tolerance: int = 0) -> list[Region]:
    """Docling's tables of this sheet, in the row-major order of the cells that start them.

    Docling reads `sheet.workbook` itself, so its view of the cells may differ from ours: formulas without a cached
    value are empty there, blank strings and hidden cells are not. Raises ImportError without the extra, ValueError for
    a file that its Excel backend does not read.
    """
    path = docling_path(sheet)
    status = path.stat()
    boxes = _workbook_boxes(path, gap_tolerance, status.st_mtime_ns, status.st_size)
    if sheet.name not in boxes:
        raise ValueError(f"Docling finds no sheet named {sheet.name!r} in {path}; it has {', '.join(boxes)}")
    return boxes[sheet.name]


def docling_path(sheet: Sheet) -> Path:
    """The file of a sheet. Raises ValueError if its name says that Docling's Excel backend does not read it."""
    path = Path(sheet.workbook)
    if path.suffix.lower() not in FORMATS:
        raise ValueError(f"Docling reads {', '.join(FORMATS)}; {path} is none of them")
    return path


def docling_document(path: Path, gap_tolerance: int = 0) -> tuple[Any, dict[int, str]]:
    """A workbook as a DoclingDocument, and the sheet name of each of its pages (from 1).

    Raises ImportError without the extra, ValueError for a file that its Excel backend does not read.
    """
    try:
        from docling.backend.msexcel_backend import MsExcelDocumentBackend
        from docling.datamodel.backend_options import MsExcelBackendOptions
        from docling.datamodel.base_models import InputFormat
        from docling.datamodel.document import InputDocument
    except ImportError as error:
        raise ImportError("Docling is missing: pip install 'cellroles[docling]'") from error
    options = MsExcelBackendOptions.model_validate({"gap_tolerance": gap_tolerance})
    source = InputDocument(path, InputFormat(FORMATS[path.suffix.lower()]), MsExcelDocumentBackend, options)
    backend = MsExcelDocumentBackend(source, path, options) if source.valid else None
    if backend is None or backend.workbook is None:
        raise ValueError(f"Docling does not read {path}")
    return backend.convert(), dict(enumerate(backend.workbook.sheetnames, start=1))


@lru_cache(maxsize=4)
def _workbook_boxes(path: Path, gap_tolerance: int, modified: int, size: int) -> dict[str, list[Region]]:
    """The tables of every sheet of a file; its time of change and size only tell cached answers apart."""
    document, names = docling_document(path, gap_tolerance)
    boxes: dict[str, list[Region]] = {name: [] for name in names.values()}
    # Docling emits a merged first row above column names as a text of its own; flood filling had found it in the table.
    texts = [item.prov[0] for item in document.texts if item.prov and item.label == "text"]
    banners = {(item.page_no, int(item.bbox.b), int(item.bbox.l)) for item in texts}
    for table in document.tables:
        page, box = table.prov[0].page_no, table.prov[0].bbox  # columns and rows from zero, half-open
        top, left = int(box.t), int(box.l)
        top -= (page, top, left) in banners
        boxes[names[page]].append(Region(top, left, int(box.b), int(box.r)))
    return boxes
