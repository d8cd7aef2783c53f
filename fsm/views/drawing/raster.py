"""PNG and PDF from a finished SVG, by optional extras.

    pip install 'turn-fsm[png]'     # resvg, and the fonts beside this module
    pip install 'turn-fsm[pdf]'     # vl-convert: svg2pdf with fonts of its own
    pip install 'turn-fsm[raster]'  # both

Both draw with Liberation Sans, which has the widths of Helvetica: texts fit their boxes on a
machine without any font. For writing that Liberation Sans does not have (Arabic, Chinese) they take
a font of the machine; without one, each such letter is an empty box.
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
from fsm.views.drawing.palette import FONT

FONTS = f"Liberation Sans,{FONT}"
SHARP = 2.0
PIXELS = 64_000_000
"""More than this takes more than a quarter of a gigabyte while it is drawn."""
LONGEST_PAGE = 14_400.0
"""The longest side that a PDF page may have, in points."""
OURS = sorted(Path(__file__).with_name("fonts").glob("*.ttf"))
CONVERTERS = {"png": "resvg_py", "pdf": "vl_convert"}


def ready(format: str) -> ModuleType:
    """The package that writes this format. Raises DrawError when its extra is not installed."""
    try:
        return import_module(CONVERTERS[format])
    except ImportError:
        raise DrawError(
            f"{format.upper()} needs the extra {format!r}: run pip install 'turn-fsm[{format}]'"
        ) from None


def png(svg: str, *, width: int | None = None) -> bytes:
    """The picture as PNG, `width` pixels wide; twice its natural width if not given (less for
    enormous pictures).

    The same bytes each time on one machine. Raises DrawError when the extra is missing, when `svg`
    is no SVG, and when so wide a picture would be too large.
    """
    resvg, root = ready("png"), _root(svg)
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


def pdf(svg: str) -> bytes:
    """The picture as PDF: one page of its size, with text that can be selected and searched.

    Raises DrawError when the extra is missing and when `svg` is no SVG.
    """
    converter, root = ready("pdf"), _root(svg)
    wide, high = _size(root)
    shrunk = min(1.0, LONGEST_PAGE / max(wide, high))
    root.set("viewBox", root.get("viewBox") or f"0 0 {wide:g} {high:g}")
    root.set("width", f"{wide * shrunk:g}")
    root.set("height", f"{high * shrunk:g}")
    try:
        return bytes(converter.svg_to_pdf(_text(root)))
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
        raise DrawError(f"PNG and PDF are made from SVG, and this is none: {error}") from None
    if root.tag.rpartition("}")[2] != "svg":
        raise DrawError(
            f"PNG and PDF are made from SVG, and this is none: it begins with {root.tag[:80]!r}"
        )
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
