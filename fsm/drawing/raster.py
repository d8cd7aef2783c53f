"""PNG and PDF from a finished SVG, by the optional extra `raster`, which brings its own fonts.

    pip install 'turn-fsm[raster]'

The converter (resvg and svg2pdf, in the package vl-convert-python) carries Liberation Sans, which has the widths of
Helvetica: texts fit their boxes, also on a machine without any font. Writing that Liberation Sans does not have
(Arabic, Chinese) needs a font of the machine; without one each such letter is an empty box.
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from xml.etree import ElementTree as ET

from fsm.drawing.palette import FONT
from fsm.errors import DrawError

FONTS = f"Liberation Sans,{FONT}"
SHARP = 2.0
PIXELS = 64_000_000
"""More than this takes more than a quarter of a gigabyte while it is drawn."""
LONGEST_PAGE = 14_400.0
"""The longest side that a PDF page may have, in points."""


def png(svg: str, *, width: int | None = None) -> bytes:
    """The picture as PNG, `width` pixels wide; twice its natural width if not given (less for enormous pictures).

    The same bytes each time on one machine. Raises DrawError when the extra is missing, when `svg` is no SVG, and
    when so wide a picture would be too large.
    """
    converter, root = ready("png"), _root(svg)
    wide, high = _size(root)
    scale = min(SHARP, (PIXELS / (wide * high)) ** 0.5) if width is None else width / wide
    if scale <= 0:
        raise DrawError(f"width {width} is no width; it is a number of pixels, 1 or more")
    if wide * high * scale * scale > PIXELS * 1.001:
        most = int((PIXELS * wide / high) ** 0.5)
        raise DrawError(f"a PNG {width} pixels wide would be too large; the most for this picture is {most}")
    return _converted(converter, "svg_to_png", root, scale=scale)


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
    return _converted(converter, "svg_to_pdf", root)


def ready(format: str) -> ModuleType:
    """The package that writes this format. Raises DrawError when its extra is not installed."""
    try:
        return import_module("vl_convert")
    except ImportError:
        raise DrawError("PNG and PDF need the extra 'raster': run pip install 'turn-fsm[raster]'") from None


def _root(svg: str) -> ET.Element:
    """The SVG with the fonts that the converter carries named first."""
    try:
        root = ET.fromstring(svg)
    except ET.ParseError as error:
        raise DrawError(f"PNG and PDF are made from SVG, and this is none: {error}") from None
    if root.tag.rpartition("}")[2] != "svg":
        raise DrawError(f"PNG and PDF are made from SVG, and this is none: it begins with {root.tag[:80]!r}")
    for element in root.iter():
        if element is root or element.get("font-family"):
            element.set("font-family", FONTS)
    return root


def _size(root: ET.Element) -> tuple[float, float]:
    """Width and height in points, as its attributes have them."""
    try:
        wide, high = (float(root.get(name, "").removesuffix("pt").removesuffix("px")) for name in ("width", "height"))
    except ValueError:
        raise DrawError("the SVG does not say its width and height in points; both are needed") from None
    if not (wide > 0 and high > 0 and wide * high < float("inf")):
        raise DrawError(f"the SVG is {wide:g} by {high:g} points; both must be more than 0")
    return wide, high


def _converted(converter: ModuleType, name: str, root: ET.Element, **options: float) -> bytes:
    try:
        return bytes(getattr(converter, name)(ET.tostring(root, encoding="unicode"), **options))
    except (ValueError, OSError, RuntimeError) as error:
        raise DrawError(f"the SVG cannot be converted: {error}") from error
