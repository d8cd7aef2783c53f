"""The gallery in `diagrams/` is what the code draws, and every picture in it is drawn well."""

from __future__ import annotations

import re
import runpy

import pytest

from support.drawings import BUILT_IN, LANTERNS, drawn, picture, views
from support.drawnsvg import faults, read
from support.folders import ROOT

GALLERY = ROOT / "diagrams"
ANEW = "run python diagrams/draw.py"
every_ruleset = pytest.mark.parametrize("ruleset", BUILT_IN)


def shown(ruleset: str) -> list[str]:
    """The views that the gallery has; those of single steps are left to the command."""
    return [view for view in views(ruleset) if not view.startswith("step:")]


def kept(ruleset: str, view: str, rest: str) -> str:
    return (GALLERY / ruleset / f"{view.replace(':', '-')}{rest}").read_text("utf-8")


@every_ruleset
def test_every_picture_is_what_the_code_draws(ruleset: str) -> None:
    for view in shown(ruleset):
        assert kept(ruleset, view, ".svg") == drawn(ruleset, view), ANEW


@every_ruleset
def test_so_is_every_dark_one_which_differs_in_colour_only(ruleset: str) -> None:
    for view in shown(ruleset):
        dark, light = drawn(ruleset, view, theme="dark"), drawn(ruleset, view)
        assert kept(ruleset, view, "-dark.svg") == dark, ANEW
        assert colourless(dark) == colourless(light)
        assert dark != light


def colourless(svg: str) -> str:
    return re.sub(r'(fill|stroke)="#\w+"', r'\1=""', svg)


@every_ruleset
def test_so_is_every_mermaid_text(ruleset: str) -> None:
    assert kept(ruleset, "turn", ".mmd") == drawn(ruleset, format="mermaid"), ANEW


def test_so_is_the_timeline() -> None:
    game = dict(runpy.run_path(str(GALLERY / "draw.py"))["game"]())
    assert {path: (GALLERY / path).read_text("utf-8") for path in game} == game, ANEW


@pytest.mark.parametrize("ruleset", [*BUILT_IN, LANTERNS])
def test_texts_are_whole_and_nothing_meets_or_leaves_the_picture(ruleset: str) -> None:
    for view in shown(ruleset):
        assert faults(drawn(ruleset, view)) == [], view
        assert not any("…" in word for word in picture(ruleset, view).words)


@pytest.mark.parametrize(
    ("ruleset", "step"),
    [
        ("magic", "cleanup"),
        ("magic", "declare_attackers"),
        ("magic-classic", "combat_damage"),
        ("grand-archive", "main"),
    ],
)
def test_nor_in_the_picture_of_a_step(ruleset: str, step: str) -> None:
    assert faults(drawn(ruleset, f"step:{step}_step")) == []


def test_nor_in_the_timeline() -> None:
    assert faults((GALLERY / "magic" / "timeline.svg").read_text("utf-8")) == []


def test_every_text_keeps_its_width_in_any_font() -> None:
    texts = re.findall("<text [^>]*>", drawn("magic") + drawn("grand-archive", "window"))
    assert len(texts) > 100
    assert all('lengthAdjust="spacingAndGlyphs"' in text for text in texts)
    assert all(area[2] > area[0] for area in (text.area for text in read(drawn("magic")).texts))


def test_it_has_every_view_and_its_index_shows_each() -> None:
    files = {str(p.relative_to(GALLERY)) for p in GALLERY.rglob("*") if p.parent != GALLERY}
    names = {f"{r}/{view.replace(':', '-')}" for r in BUILT_IN for view in shown(r)}
    wanted = {name + rest for name in names for rest in (".svg", "-dark.svg")}
    wanted |= {f"{name}/turn.mmd" for name in BUILT_IN}
    assert files == wanted | {"magic/timeline.svg", "magic/timeline-dark.svg"}, ANEW
    index = (GALLERY / "README.md").read_text("utf-8")
    linked = re.findall(r'(?:srcset|src)="([^"]+)"|\]\(([^)#]+)\)', index)
    assert {one or other for one, other in linked} == files, ANEW
