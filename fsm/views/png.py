"""PNG from a picture, by the extra `png`: resvg, with the fonts beside this module.

Liberation Sans has the widths of Helvetica, so texts fit their boxes on a machine without any font.
For writing that Liberation Sans does not have (Arabic, Chinese) a font of the machine is taken;
without one, each such letter is an empty box.
"""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path
from types import ModuleType

from fsm.errors import DrawError
from fsm.views.svg import FONT

SHARP = 2.0
PIXELS = 64_000_000
"""More than this takes more than a quarter of a gigabyte while it is drawn."""
OURS = sorted(Path(__file__).with_name("fonts").glob("*.ttf"))


def ready() -> ModuleType:
    """The package that writes PNG. Raises DrawError when the extra is not installed."""
    try:
        return import_module("resvg_py")
    except ImportError:
        raise DrawError("PNG needs the extra 'png': run pip install 'turn-fsm[png]'") from None


def png(svg: str) -> bytes:
    """A picture of ours as PNG, twice as large; less for enormous pictures.

    The same bytes each time on one machine. Raises DrawError when the extra is missing.
    """
    wide, high = map(float, re.findall(r'(?:width|height)="(\d+)"', svg)[:2])
    zoom = min(SHARP, (PIXELS / (wide * high)) ** 0.5)
    ours_first = svg.replace(FONT, f"Liberation Sans,{FONT}", 1)
    files = [str(path) for path in OURS]
    try:
        return bytes(ready().svg_to_bytes(ours_first, zoom=zoom, font_files=files))
    except (ValueError, OSError, RuntimeError) as error:
        raise DrawError(f"the picture cannot be converted: {error}") from error
