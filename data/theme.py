"""Colour as the corpora write it (`RRGGBB` or `t4:0.8`, theme and tint) -> RRGGBB."""

from __future__ import annotations

import colorsys
from functools import cache

# The Office theme in the order of the `theme` attribute (ECMA-376 part 1, 18.8.3: light and dark pairs swapped).
OFFICE_THEME = (
    *("FFFFFF", "000000", "EEECE1", "1F497D", "4F81BD", "C0504D"),
    *("9BBB59", "8064A2", "4BACC6", "F79646", "0000FF", "800080"),
)


@cache
def rgb(color: str) -> str:
    """RRGGBB of a colour; theme colours by the Office theme, tinted in HLS space (ECMA-376 part 1, 18.8.19).

    >>> rgb("t0:-0.5"), rgb("C0C0C0"), rgb("")
    ('808080', 'C0C0C0', '')
    """
    theme, _, tint = color.removeprefix("t").partition(":")
    if not tint:
        return color
    base = OFFICE_THEME[int(theme)]
    hue, light, saturation = colorsys.rgb_to_hls(*(int(base[i : i + 2], 16) / 255 for i in (0, 2, 4)))
    share = float(tint)
    light = light * (1 + share) if share < 0 else light + (1 - light) * share
    return "".join(f"{round(255 * part):02X}" for part in colorsys.hls_to_rgb(hue, light, saturation))
