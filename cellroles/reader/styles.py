"""styles.xml and the theme -> the look of every cell format."""

from __future__ import annotations

from colorsys import hls_to_rgb, rgb_to_hls
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from openpyxl.styles.colors import COLOR_INDEX
from openpyxl.styles.numbers import BUILTIN_FORMATS

from cellroles.reader.package import MAIN, Package, xml_root
from cellroles.sheet import Style

THEME = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
OFFICE_THEME = [
    "FFFFFF",
    "000000",
    "EEECE1",
    "1F497D",
    "4F81BD",
    "C0504D",
    "9BBB59",
    "8064A2",
    "4BACC6",
    "F79646",
    "0000FF",
    "800080",
]
THEME_ORDER = [
    "lt1",
    "dk1",
    "lt2",
    "dk2",
    "accent1",
    "accent2",
    "accent3",
    "accent4",
    "accent5",
    "accent6",
    "hlink",
    "folHlink",
]
SIDES = {"top": "t", "bottom": "b", "left": "l", "right": "r"}


@dataclass(frozen=True, slots=True)
class Palette:
    """The colours that a workbook names by number: its theme and its index, each RRGGBB."""

    theme: tuple[str, ...]
    index: tuple[str, ...]

    def rgb(self, color: Element | None) -> str:
        """A colour element as RRGGBB; empty if it is absent, automatic or unknown."""
        if color is None:
            return ""
        if "rgb" in color.attrib:
            return color.attrib["rgb"][-6:].upper()
        for name, colors in (("theme", self.theme), ("indexed", self.index)):
            number = int(color.get(name, "-1"))
            if 0 <= number < len(colors):
                return tinted(colors[number], float(color.get("tint", "0")))
        return ""


def tinted(color: str, tint: float) -> str:
    """RRGGBB made lighter (tint in (0, 1]) or darker (in [-1, 0)) by luminance; ECMA-376 part 1, 18.8.19.

    >>> tinted("4F81BD", 0.8), tinted("FFFFFF", -0.25)
    ('DCE6F2', 'BFBFBF')
    """
    if not tint:
        return color
    hue, light, saturation = rgb_to_hls(*(int(color[i : i + 2], 16) / 255 for i in (0, 2, 4)))
    light = light * (1 + tint) if tint < 0 else light * (1 - tint) + tint
    return "".join(f"{round(min(max(part, 0.0), 1.0) * 255):02X}" for part in hls_to_rgb(hue, light, saturation))


def read_styles(package: Package) -> tuple[Style, ...]:
    """The look of every cell format of a workbook, by style id; one plain style where it has no styles."""
    if "styles" not in package.parts:
        return (Style(),)
    root = xml_root(package.archive, package.parts["styles"])
    palette = Palette(_theme_colors(package), _indexed_colors(root))
    fonts = [_font(item, palette) for item in root.iterfind(f"{MAIN}fonts/{MAIN}font")]
    fills = [_fill(item, palette) for item in root.iterfind(f"{MAIN}fills/{MAIN}fill")]
    borders = [_border(item) for item in root.iterfind(f"{MAIN}borders/{MAIN}border")]
    formats = {
        int(item.get("numFmtId", "0")): item.get("formatCode", "General")
        for item in root.iterfind(f"{MAIN}numFmts/{MAIN}numFmt")
    }
    looks = [fonts, fills, borders]
    styles = tuple(_style(item, looks, BUILTIN_FORMATS | formats) for item in root.iterfind(f"{MAIN}cellXfs/{MAIN}xf"))
    return styles or (Style(),)


def _theme_colors(package: Package) -> tuple[str, ...]:
    if "theme" not in package.parts:
        return tuple(OFFICE_THEME)
    scheme = xml_root(package.archive, package.parts["theme"]).find(f".//{THEME}clrScheme")
    named = {} if scheme is None else {item.tag.removeprefix(THEME): item for item in scheme}
    colors = []
    for name, usual in zip(THEME_ORDER, OFFICE_THEME, strict=True):
        choice = next(iter(named.get(name, ())), None)
        value = "" if choice is None else choice.get("lastClr", choice.get("val", ""))
        colors.append(value.upper() if len(value) == 6 else usual)
    return tuple(colors)


def _indexed_colors(root: Element) -> tuple[str, ...]:
    own = [item.get("rgb", "")[-6:] for item in root.iterfind(f"{MAIN}colors/{MAIN}indexedColors/{MAIN}rgbColor")]
    return tuple(own or (color[-6:] for color in COLOR_INDEX))


def _on(parent: Element, tag: str) -> bool:
    item = parent.find(MAIN + tag)
    return item is not None and item.get("val", "1") not in ("0", "false", "none")


def _font(font: Element, palette: Palette) -> dict[str, object]:
    size = font.find(f"{MAIN}sz")
    return {
        "bold": _on(font, "b"),
        "italic": _on(font, "i"),
        "underline": _on(font, "u"),
        "strike": _on(font, "strike"),
        "size": 0.0 if size is None else float(size.get("val", "0")),
        "color": palette.rgb(font.find(f"{MAIN}color")),
    }


def _fill(fill: Element, palette: Palette) -> dict[str, object]:
    pattern = fill.find(f"{MAIN}patternFill")
    if pattern is not None and pattern.get("patternType", "none") != "none":
        # In a hatched pattern the background fills the cell; in a solid one the foreground does.
        solid = pattern.get("patternType") == "solid"
        return {"fill": palette.rgb(pattern.find(MAIN + ("fgColor" if solid else "bgColor")))}
    stop = fill.find(f"{MAIN}gradientFill/{MAIN}stop/{MAIN}color")
    return {"fill": palette.rgb(stop)}


def _border(border: Element) -> dict[str, object]:
    drawn = {item.tag.removeprefix(MAIN) for item in border if item.get("style", "none") != "none"}
    # Right-to-left aware writers say start and end for left and right.
    drawn |= {side for side, other in (("left", "start"), ("right", "end")) if other in drawn}
    return {"border": "".join(letter for side, letter in SIDES.items() if side in drawn)}


def _style(xf: Element, looks: list[list[dict[str, object]]], formats: dict[int, str]) -> Style:
    options: dict[str, object] = {}
    for name, table in zip(("fontId", "fillId", "borderId"), looks, strict=True):
        number = int(xf.get(name, "0"))
        options |= table[number] if number < len(table) else {}
    align = xf.find(f"{MAIN}alignment")
    if align is not None:
        horizontal = align.get("horizontal", "general")
        options["align"] = "" if horizontal == "general" else horizontal
        options["valign"] = align.get("vertical", "")
        options["indent"] = int(float(align.get("indent", "0")))
        options["wrap"] = align.get("wrapText") in ("1", "true")
    return Style(**options, number_format=formats.get(int(xf.get("numFmtId", "0")), "General"))  # type: ignore[arg-type]
