"""Sheet -> the rectangles that Docling's own Excel backend finds in its workbook (the extra `docling`)."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from cellroles.sheet import Region, Sheet

FORMATS = {".xlsx": "xlsx", ".xlsm": "xlsx", ".xltx": "xlsx", ".xltm": "xlsx", ".xls": "xls"}


def docling_boxes(sheet: Sheet, gap_tolerance: int = 0) -> list[Region]:
    """Docling's tables of this sheet, in the row-major order of the cells that start them.

    Docling reads `sheet.workbook` itself, so its view of the cells may differ from ours: formulas without a cached
    value are empty there, blank strings and hidden cells are not. Raises ImportError without the extra, ValueError for
    a file that its Excel backend does not read.
    """
    path = Path(sheet.workbook)
    if path.suffix.lower() not in FORMATS:
        raise ValueError(f"the segmenter docling reads {', '.join(FORMATS)}; {path} is none of them")
    status = path.stat()
    boxes = _workbook_boxes(path, gap_tolerance, status.st_mtime_ns, status.st_size)
    if sheet.name not in boxes:
        raise ValueError(f"Docling finds no sheet named {sheet.name!r} in {path}; it has {', '.join(boxes)}")
    return boxes[sheet.name]


@lru_cache(maxsize=4)
def _workbook_boxes(path: Path, gap_tolerance: int, modified: int, size: int) -> dict[str, list[Region]]:
    """The tables of every sheet of a file; its time of change and size only tell cached answers apart."""
    try:
        from docling.backend.msexcel_backend import MsExcelDocumentBackend
        from docling.datamodel.backend_options import MsExcelBackendOptions
        from docling.datamodel.base_models import InputFormat
        from docling.datamodel.document import InputDocument
    except ImportError as error:
        raise ImportError("the segmenter docling needs Docling: pip install 'cellroles[docling]'") from error
    options = MsExcelBackendOptions.model_validate({"gap_tolerance": gap_tolerance})
    source = InputDocument(path, InputFormat(FORMATS[path.suffix.lower()]), MsExcelDocumentBackend, options)
    backend = MsExcelDocumentBackend(source, path, options) if source.valid else None
    if backend is None or backend.workbook is None:
        raise ValueError(f"Docling does not read {path}")
    document = backend.convert()
    names = dict(enumerate(backend.workbook.sheetnames, start=1))
    boxes: dict[str, list[Region]] = {name: [] for name in names.values()}
    banners = {(item.prov[0].page_no, _region(item)) for item in document.texts if item.prov}
    for table in document.tables:
        page = table.prov[0].page_no
        boxes[names[page]].append(_with_banner(_region(table), {box for at, box in banners if at == page}))
    return boxes


def _region(item: object) -> Region:
    """The rectangle of a Docling item; its bounding boxes count columns and rows from zero, half-open."""
    box = item.prov[0].bbox  # type: ignore[attr-defined]
    return Region(int(box.t), int(box.l), int(box.b), int(box.r))


def _with_banner(box: Region, banners: set[Region]) -> Region:
    """The rectangle as flood filling found it: Docling emits a merged first row above column names as a text."""
    above = any(banner.bottom == box.top and banner.left == box.left for banner in banners)
    return Region(box.top - above, box.left, box.bottom, box.right)
