"""PNG: a picture keeps its texts, also on a machine without any font."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image

import fsm
from support import processes
from support.drawings import drawn, views
from support.drawnsvg import read
from support.tools import package

HOME = Path(fsm.__file__).resolve().parents[1]


@pytest.fixture(autouse=True)
def converter() -> None:
    package("resvg_py")


def image(data: bytes) -> Image.Image:
    return Image.open(io.BytesIO(data)).convert("L")


def lost(svg: str, data: bytes) -> Iterator[str]:
    """The texts of an SVG where the PNG made of it has nothing but one shade."""
    picture, made = read(svg), image(data)
    scale = made.width / picture.area[2]
    for text in picture.texts:
        part = made.crop(tuple(round(side * scale) for side in text.area))  # type: ignore[arg-type]
        shades = part.histogram()
        if text.words.strip() and 1 - max(shades) / sum(shades) < 0.05:
            yield text.words


@pytest.fixture
def fontless(tmp_path: Path) -> dict[str, str]:
    """An environment in which no font is installed, as far as a program can see."""
    config = tmp_path / "fonts.conf"
    config.write_text(f"<fontconfig><dir>{tmp_path / 'none'}</dir></fontconfig>", encoding="utf-8")
    folders = dict.fromkeys(("HOME", "XDG_DATA_HOME", "XDG_DATA_DIRS"), str(tmp_path))
    path = os.pathsep.join([str(HOME), os.environ.get("PYTHONPATH", "")])
    return {**os.environ, **folders, "FONTCONFIG_FILE": str(config), "PYTHONPATH": path}


@pytest.mark.skipif(sys.platform != "linux", reason="fonts are hidden by the means of fontconfig")
@pytest.mark.parametrize("ruleset", ["magic-classic", "grand-archive"])
def test_every_view_keeps_its_texts_without_any_font(
    ruleset: str, tmp_path: Path, fontless: dict[str, str]
) -> None:
    for view in [view for view in views(ruleset) if not view.startswith("step:")][:5]:
        file = tmp_path / "view.png"
        command = [sys.executable, "-m", "fsm", "draw", ruleset, "--view", view, "-o", str(file)]
        processes.run(command, check=True, env=fontless)
        assert list(lost(drawn(ruleset, view), file.read_bytes())) == [], view


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_texts_are_kept_with_the_fonts_of_this_machine(theme: str) -> None:
    data = fsm.draw("magic", format="png", theme=theme)
    assert list(lost(drawn("magic", theme=theme), data)) == []
