"""The kit for pictures: widths, lines that fit, colours for both papers."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest

from fsm.views.svg import COLOURS, Box, Ink, Paint, Svg, css, width, wrap


@pytest.mark.parametrize(("text", "wide"), [("Untap", 26.7), ("first-strike", 43.3), ("", 0)])
def test_a_text_is_as_wide_as_in_helvetica(text: str, wide: float) -> None:
    assert width(text, Ink(size=10)) == pytest.approx(wide, rel=0.02)


def test_marks_above_letters_take_no_room() -> None:
    assert width("e\u0301") == width("é") == width("e")


def test_lines_fit_and_a_long_word_is_broken() -> None:
    lines = wrap("declare the attackers " + "x" * 60, 80)
    assert all(width(line) <= 80 for line in lines)
    assert "".join(lines).replace(" ", "") == "declaretheattackers" + "x" * 60


def test_a_picture_has_its_colours_for_light_and_dark_screens() -> None:
    svg = Svg()
    svg.rect(Box(0, 0, 10, 10), Paint("tint0", "edge0"))
    svg.text((2, 9), "<&>", Ink("muted"))
    svg.line([(0, 0), (0, 9), (9, 9)], "extra")
    drawn = svg.svg((20, 20), "a & b")
    ET.fromstring(drawn)
    assert "prefers-color-scheme:dark" in drawn
    assert "prefers-color-scheme" not in svg.svg((20, 20), "", theme="dark")
    assert "f-heat1" not in drawn and ".f-tint0{fill:#EAF2FB}" in css("light", COLOURS)
