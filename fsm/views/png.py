"""PNG from a finished SVG, by the extra `png`: resvg, with the fonts beside this module.

Liberation Sans has the widths of Helvetica, so texts fit their boxes on a machine without any font.
For writing that Liberation Sans does not have (Arabic, Chinese) a font of the machine is taken;
without one, each such letter is an empty box.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree as ET

from fsm.errors import DrawError
from fsm.views.svg import FONT

FONTS = f"Liberation Sans,{FONT}"
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


def png(svg: str, *, width: int | None = None) -> bytes:
    """The picture as PNG, `width` pixels wide; twice its natural width if not given (less for
    enormous pictures).

    The same bytes each time on one machine. Raises DrawError when the extra is missing, when `svg`
    is no SVG, and when so wide a picture would be too large.
    """
    resvg, root = ready(), _root(svg)
    wide, high = _size(root)
    scale = min(SHARP, (PIXELS / (wide * high)) ** 0.5) if width is None else width / wide
    if scale <= 0:
        raise DrawError(f"width {width} is no width; it is a number of pixels, 1 or more")
    if wide * high * scale * scale > PIXELS * 1.001:
        most = int((PIXELS * wide / high) ** 0.5)
        raise DrawError(
            f"a PNG {width} pixels wide would be too large; the most for this picture is {most}"
        )
    root.set("width", f"{wide:g}")
    root.set("height", f"{high:g}")
    try:
        # What resvg calls system fonts would come before ours; the machine may have an older
        # Liberation Sans.
        return bytes(
            resvg.svg_to_bytes(
                _text(root),
                zoom=scale,
                skip_system_fonts=True,
                font_files=list(map(str, OURS)),
                font_dirs=list(_font_folders()),
            )
        )
    except (ValueError, OSError, RuntimeError) as error:
        raise DrawError(f"the SVG cannot be converted: {error}") from error


def _font_folders() -> Iterator[str]:
    """Where this machine keeps its fonts."""
    home, known = Path(os.path.expanduser("~")), os.environ.get
    if sys.platform == "win32":
        folders = [Path(known("WINDIR", r"C:\Windows"), "Fonts")]
        folders += [
            Path(local, "Microsoft", "Windows", "Fonts")
            for local in [known("LOCALAPPDATA")]
            if local
        ]
    elif sys.platform == "darwin":
        folders = [
            Path("/System/Library/Fonts"),
            Path("/Library/Fonts"),
            home / "Library" / "Fonts",
        ]
    else:
        shared = (known("XDG_DATA_DIRS") or "/usr/local/share:/usr/share").split(":")
        own = known("XDG_DATA_HOME") or str(home / ".local" / "share")
        folders = [*(Path(data, "fonts") for data in (*shared, own) if data), home / ".fonts"]
    return (str(folder) for folder in folders if folder.is_dir())


def _root(svg: str) -> ET.Element:
    """The SVG with the fonts that the converter carries named first."""
    try:
        root = ET.fromstring(svg)
    except ET.ParseError as error:
        raise DrawError(f"PNG is made from SVG, and this is none: {error}") from None
    if root.tag.rpartition("}")[2] != "svg":
        raise DrawError(f"PNG is made from SVG, and this is none: it begins with {root.tag[:80]!r}")
    for element in root.iter():
        if element is root or element.get("font-family"):
            element.set("font-family", FONTS)
    return root


def _size(root: ET.Element) -> tuple[float, float]:
    """Width and height in points, as its attributes have them."""
    try:
        wide, high = (
            float(root.get(name, "").removesuffix("pt").removesuffix("px"))
            for name in ("width", "height")
        )
    except ValueError:
        raise DrawError(
            "the SVG does not say its width and height in points; both are needed"
        ) from None
    if not (wide > 0 and high > 0 and wide * high < float("inf")):
        raise DrawError(f"the SVG is {wide:g} by {high:g} points; both must be more than 0")
    return wide, high


def _text(root: ET.Element) -> str:
    return ET.tostring(root, encoding="unicode")
