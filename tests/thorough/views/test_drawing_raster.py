"""PNG: every view keeps its text and its shapes, also on a machine without any font."""

from __future__ import annotations

import io
import os
import sys
from functools import cache
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from PIL import Image

import fsm
from fsm import draw
from fsm.errors import DrawError
from fsm.model import Model
from fsm.rulesets import names
from fsm.scenarios import play
from fsm.views.drawing import raster, views_of
from fsm.views.drawing.raster import png
from fsm.views.drawing.timeline import timeline
from support import processes
from support.drawnsvg import read
from support.tools import package

SVG = "http://www.w3.org/2000/svg"
HOME = Path(fsm.__file__).resolve().parents[1]
every_ruleset = pytest.mark.parametrize(
    "model", [fsm.load(name) for name in names()], ids=lambda m: m.name
)
INK = '<rect width="100%" height="100%" fill="#FFFFFF"/>'


@pytest.fixture(autouse=True)
def converter() -> None:
    package("resvg_py")


def svg(inside: str, width: int = 200, height: int = 100) -> str:
    size = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
    return f'<svg xmlns="{SVG}" {size} font-family="Helvetica,Arial,sans-serif">{INK}{inside}</svg>'


def image(data: bytes) -> Image.Image:
    return Image.open(io.BytesIO(data)).convert("L")


def ink(picture: Image.Image, left: float, top: float, right: float, bottom: float) -> float:
    """How much of an area differs from its most common shade, 0 to 1."""
    part = picture.crop((round(left), round(top), round(right), round(bottom)))
    shades = part.histogram()
    return 1 - max(shades) / sum(shades)


@cache
def pictures(name: str) -> dict[str, str]:
    """A picture of each view, and a timeline."""
    model: Model = fsm.load(name)
    found = {
        view: draw(model, view=view) for view in views_of(model) if not view.startswith("step:")
    }
    found["dark"] = draw(model, theme="dark")
    scenario = {"id": "game", "ruleset": name, "players": 2, "through_turn": 2, "given": []}
    [game] = fsm.scenarios.load(scenario, place="game")
    found["timeline"] = timeline(model, play(game).records)
    return found


def _texts(root: ET.Element) -> list[tuple[str, tuple[float, float, float, float]]]:
    for holder in list(root.iter()):
        for path in holder.findall(f"{{{SVG}}}path"):
            holder.remove(path)
    return [
        (words, area)
        for words, area in read(ET.tostring(root, encoding="unicode")).texts
        if words.strip()
    ]


WITHOUT_FONTS = """
import sys
from pathlib import Path
from fsm.views.drawing.raster import png
folder = Path(sys.argv[1])
for path in folder.glob("*.svg"):
    path.with_suffix(".png").write_bytes(png(path.read_text(encoding="utf-8"), width=1000))
"""


def fontless(folder: Path) -> None:
    """Convert the SVG files of a folder where no font is installed, as far as a program can see."""
    (folder / "fonts.conf").write_text(
        f"<fontconfig><dir>{folder / 'no fonts'}</dir></fontconfig>", encoding="utf-8"
    )
    changed = {
        "FONTCONFIG_FILE": str(folder / "fonts.conf"),
        "HOME": str(folder),
        "XDG_DATA_HOME": str(folder),
        "XDG_DATA_DIRS": str(folder),
    }
    path = os.pathsep.join([str(HOME), os.environ.get("PYTHONPATH", "")])
    command = [sys.executable, "-c", WITHOUT_FONTS, str(folder)]
    processes.run(command, check=True, env={**os.environ, **changed, "PYTHONPATH": path})


@every_ruleset
@pytest.mark.skipif(sys.platform != "linux", reason="fonts are hidden by the means of fontconfig")
def test_every_view_keeps_its_texts_without_any_font(model: Model, tmp_path: Path) -> None:
    paths = {view: tmp_path / f"{i}.svg" for i, view in enumerate(pictures(model.name))}
    for view, path in paths.items():
        path.write_text(pictures(model.name)[view], encoding="utf-8")
    fontless(tmp_path)
    for view, path in paths.items():
        assert lost(pictures(model.name)[view], path.with_suffix(".png").read_bytes()) == [], view


def test_texts_are_kept_with_the_fonts_of_this_machine() -> None:
    for picture in (pictures("magic")["turn"], pictures("magic")["timeline"]):
        assert lost(picture, png(picture, width=1000)) == []


def lost(picture: str, data: bytes) -> list[str]:
    """The texts of an SVG where the PNG made of it has nothing but one shade."""
    root, drawn = ET.fromstring(picture), image(data)
    scale = drawn.width / float(root.get("viewBox", "0 0 0 0").split()[2])
    return [
        words for words, area in _texts(root) if ink(drawn, *(side * scale for side in area)) < 0.05
    ]


def test_texts_are_as_wide_as_the_layout_thinks() -> None:
    from fsm.views.drawing.metrics import text_width

    """Within three in a hundred: bold letters are reckoned by one factor."""
    for words, bold in (
        ("Beginning of combat", True),
        ("[not everyone passed] 510.4", False),
        ("● ○ →", False),
    ):
        weight = "bold" if bold else "normal"
        picture = svg(
            f'<text x="10" y="60" font-size="20" font-weight="{weight}">{words}</text>', width=600
        )
        box = image(png(picture, width=600)).point(lambda shade: 255 * (shade < 128)).getbbox()
        assert box is not None
        left, _, right, _ = box
        assert right - left <= text_width(words, 20, bold) * 1.03
        assert left >= 10


def test_styles_are_kept() -> None:
    """Dashes, opacity, rings, double lines, links."""
    inside = (
        '<path d="M0 20H200" stroke="#000" stroke-width="4" stroke-dasharray="10,10"/>'
        '<path d="M0 40H200" stroke="#000" stroke-width="4" opacity="0.5"/>'
        '<circle cx="50" cy="70" r="15" fill="none" stroke="#000" stroke-width="4"/>'
        '<a href="https://example.org/"><rect x="100" y="60" width="20" height="20"/></a>'
    )
    drawn = image(png(svg(inside), width=200))
    assert [drawn.getpixel((x, 20)) for x in (5, 15, 25)] == [0, 255, 0]
    assert drawn.getpixel((100, 40)) in range(121, 136)
    assert [drawn.getpixel((x, 70)) for x in (50, 35, 110)] == [255, 0, 0]


def test_how_large_it_is() -> None:
    assert image(png(svg(""))).size == (400, 200)
    assert image(png(svg(""), width=1000)).size == (1000, 500)


def test_enormous_pictures_are_made_smaller_or_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    tall = svg("", width=800, height=60_000)
    with pytest.raises(DrawError, match="too large; the most for this picture is 92"):
        png(tall, width=5000)
    with pytest.raises(DrawError, match="width 0 is no width"):
        png(tall, width=0)
    monkeypatch.setattr(raster, "PIXELS", 600_000)
    wide, high = image(png(tall)).size
    assert 500_000 < wide * high < 700_000


def test_what_is_no_picture_is_refused() -> None:
    for text, said in (
        ("digraph {}", "this is none"),
        ("<html/>", "begins with 'html'"),
        (f'<svg xmlns="{SVG}"/>', "does not say its width"),
        (f'<svg xmlns="{SVG}" width="0" height="4"/>', "more than 0"),
        (f'<svg xmlns="{SVG}" width="nan" height="4"/>', "more than 0"),
    ):
        with pytest.raises(DrawError, match=said):
            png(text)


def test_the_same_bytes_again() -> None:
    picture = pictures("magic")["turn"]
    assert png(picture) == png(picture)


def test_a_text_is_as_long_as_it_says() -> None:
    """Whatever the font: `textLength` with `lengthAdjust`, from the start, around the middle, to
    the end.
    """
    for anchor in ("start", "middle", "end"):
        for length in (60, 100):
            asked = f'text-anchor="{anchor}" textLength="{length}" lengthAdjust="spacingAndGlyphs"'
            drawn = image(
                png(
                    svg(f'<text x="100" y="50" font-size="20" {asked}>HHHHHH</text>', width=200),
                    width=800,
                )
            )
            box = drawn.point(lambda shade: 255 * (shade < 128)).getbbox()
            assert box is not None
            begins = {"start": 100, "middle": 100 - length / 2, "end": 100 - length}[anchor]
            assert box[0] / 4 == pytest.approx(begins, abs=3)
            assert (box[2] - box[0]) / 4 == pytest.approx(length, abs=5)


def test_our_fonts_come_before_those_of_the_machine() -> None:
    """Hebrew is in our Liberation Sans, and in many others."""
    words = (
        '<text x="10" y="60" font-size="40" font-family="Liberation Sans">\u05e2\u05d1 abc</text>'
    )
    ours = [str(path) for path in (HOME / "fsm" / "views" / "drawing" / "fonts").glob("*.ttf")]
    assert ours
    alone = package("resvg_py").svg_to_bytes(
        svg(words), zoom=2, skip_system_fonts=True, font_files=ours
    )
    assert png(svg(words)) == bytes(alone)
