"""The gallery in `diagrams/` is what the code draws, and every picture in it is drawn well."""

from __future__ import annotations

import re
import runpy

import pytest

import fsm
from fsm.views import tabulate
from support.amounts import sample
from support.drawings import BUILT_IN, LANTERNS, drawn, loaded, picture, views
from support.drawnsvg import faults, read
from support.folders import ROOT

GALLERY = ROOT / "diagrams"
ANEW = "run python diagrams/draw.py"
every_ruleset = pytest.mark.parametrize("ruleset", BUILT_IN)


GAMES = [*BUILT_IN, LANTERNS]
OWN = runpy.run_path(str(GALLERY / "draw.py"))


def kept(path: str) -> str:
    return (GALLERY / path).read_text("utf-8")


@every_ruleset
def test_every_picture_is_what_the_code_draws(ruleset: str) -> None:
    for view in views(ruleset):
        assert kept(f"{ruleset}/{view.replace(':', '-')}.svg") == drawn(ruleset, view), ANEW
    assert kept(f"{ruleset}/turn.mmd") == drawn(ruleset, format="mermaid"), ANEW
    assert kept(f"{ruleset}/reading.json") == OWN["reading"](loaded(ruleset)), ANEW
    assert kept(f"{ruleset}/timeline.svg") == OWN["game"](ruleset), ANEW


@pytest.mark.parametrize("name", sample(OWN["PUBLIC"], 1))
def test_a_public_game_is_drawn_well_as_the_gallery_shows_it(name: str) -> None:
    assert kept(f"games/{name}.svg") == fsm.draw(OWN["public"](name)), ANEW
    assert faults(kept(f"games/{name}.svg")) == []
    assert kept(f"games/{name}.txt") == tabulate(OWN["public"](name), format="txt"), ANEW


def test_the_readings_of_two_public_games_are_as_they_were() -> None:
    for name in OWN["FROZEN"]:
        assert kept(f"games/{name}.json") == OWN["reading"](OWN["public"](name)), ANEW


def test_a_picture_is_the_same_on_light_and_dark_paper_but_for_its_colours() -> None:
    dark, light = drawn("magic", theme="dark"), drawn("magic", theme="light")
    assert colourless(dark) == colourless(light) == colourless(drawn("magic"))
    assert dark != light


def colourless(svg: str) -> str:
    return re.sub(r"<style>.*</style>", "", svg)


def test_so_are_the_games_of_ones_own() -> None:
    for name, (place, _) in OWN["EXAMPLES"].items():
        assert kept(f"{name}/turn.svg") == drawn(place), ANEW
        assert kept(f"{name}/reading.json") == OWN["reading"](loaded(place)), ANEW


@pytest.mark.parametrize("ruleset", GAMES)
def test_texts_are_whole_and_nothing_meets_or_leaves_the_picture(ruleset: str) -> None:
    for view in views(ruleset):
        assert faults(drawn(ruleset, view)) == [], view
        assert not any("…" in word for word in picture(ruleset, view).words)


def test_a_collision_would_be_found() -> None:
    moved = re.sub(r'y="([\d.]+)"', 'y="40.0"', drawn("magic"))
    assert len(faults(moved)) > 10


def test_every_text_keeps_its_width_in_any_font() -> None:
    texts = re.findall("<text [^>]*>", drawn("magic") + drawn("grand-archive", "window"))
    assert len(texts) > 100
    assert all('lengthAdjust="spacingAndGlyphs"' in text for text in texts)
    assert all(area[2] > area[0] for area in (text.area for text in read(drawn("magic")).texts))


def test_its_index_shows_or_links_each_picture() -> None:
    files = {str(p.relative_to(GALLERY)) for p in GALLERY.rglob("*") if p.parent != GALLERY}
    linked = set(re.findall(r'(?:src|href)="([^"]+)"|\]\(([^)#]+)\)', kept("README.md")))
    assert {one or other for one, other in linked} == files, ANEW
