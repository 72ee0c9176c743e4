"""Page data -> one HTML file that needs nothing else."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from hashlib import sha256
from importlib.resources import files
from string import Template

SCRIPTS = ("sheet.js", "looks.js", "grid.js", "chunks.js", "page.js")


def page_html(data: Mapping[str, object]) -> str:
    """The page of a workbook.

    Its policy forbids every request and all script and style but its own, which it names by hash; what comes from the
    workbook is JSON without `<`, which the script shows as text.
    """
    style = _part("page.css")
    script = '"use strict";\n' + "\n".join(map(_part, SCRIPTS))
    policy = (
        f"default-src 'none'; script-src '{digest(script)}'; style-src '{digest(style)}'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
    return Template(_part("page.html")).substitute(policy=policy, style=style, script=script, data=data_json(data))


def data_json(data: Mapping[str, object]) -> str:
    """JSON that cannot end the script element that it stands in.

    >>> data_json({"text": "</script>"})
    '{"text":"\\\\u003c/script>"}'
    """
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def _part(name: str) -> str:
    return files("chunkers.page").joinpath(name).read_text(encoding="utf-8")


def digest(text: str) -> str:
    """A script or style as a content security policy names it."""
    return f"sha256-{base64.b64encode(sha256(text.encode()).digest()).decode()}"
