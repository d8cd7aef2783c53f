"""What the site shows that is computed from the models: the picture of the home page, and pages to
click through.
"""

from __future__ import annotations

import re
from pathlib import Path

from fsm import StartAt, TurnController, draw, load
from fsm.rulesets import names
from fsm.views import explore
from fsm.views.standing import now_of

HOME = '<!doctype html><title>turn-fsm</title><meta http-equiv="refresh" content="0; url=docs/index.html">\n'
EDGE = 8
"""How much is left around the box."""


COMBAT = """\
<figure class="frame">
<div class="cut">
<img class="only-light" src="../_static/combat.svg" alt="Combat of a turn of Magic: blockers are being declared">
<img class="only-dark" src="../_static/combat-dark.svg" alt="Combat of a turn of Magic: blockers are being declared">
</div>
<figcaption><strong>Combat, while blockers are declared.</strong> First strike decides whether there are two damage
steps.</figcaption>
</figure>
"""
"""Shows the pictures that `write_pictures` writes."""


def sizes() -> dict[str, tuple[int, int]]:
    """Return the number of states and of transitions of each ruleset, those of its window included."""
    return {name: _size(name) for name in names()}


def _size(name: str) -> tuple[int, int]:
    parts = [part for part in (load(name), load(name).window) if part is not None]
    return sum(len(part.states) for part in parts), sum(len(part.transitions) for part in parts)


def write_pages(site: Path) -> None:
    """Write each ruleset's page to click through a turn, and the page that leads home."""
    (site / "explore").mkdir(exist_ok=True)
    for name in names():
        (site / "explore" / f"{name}.html").write_text(explore(load(name)), encoding="utf-8")
    (site / "index.html").write_text(HOME, encoding="utf-8")


def write_pictures(folder: Path) -> None:
    """Write the picture of the home page, for light and for dark paper."""
    for theme, suffix in (("light", ""), ("dark", "-dark")):
        (folder / f"combat{suffix}.svg").write_text(_from_combat_on(theme), encoding="utf-8")


def _from_combat_on(theme: str) -> str:
    """Return the turn at a glance, cut where the box of the combat phase begins, with a game in
    that phase.
    """
    model = load("magic")
    start = StartAt("declare_blockers", turn=3, player="Ann", facts={"attackers_declared": True})
    game = TurnController(model, ["Ann", "Ben"], start=start)
    picture = str(draw(model, theme=theme, now=now_of(game)))
    width = float(_numbers(r'<svg [^>]*width="([\d.]+)"', picture)[0])
    left, top = _numbers(r'class="graph" transform="translate\(([\d.]+) ([\d.]+)\)"', picture)
    x, y, box, height = _numbers(
        r'<title>Combat\n.*?<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"', picture
    )
    cut = f"{left + x - EDGE:g} {top:g} {width - left - x + EDGE:g} {y + height + EDGE / 2:g}"
    picture = re.sub(r'width="[\d.]+" height="[\d.]+" viewBox="[^"]*"', f'viewBox="{cut}"', picture, count=1)
    [paper] = re.findall(r'<rect width="100%" height="100%" fill="([^"]+)" />', picture)
    # Labels of the phase before reach into the corner above the box.
    hidden = f'<rect x="0" y="0" width="{left + x + box / 2:g}" height="{top + y - 2:g}" fill="{paper}" />'
    return picture.replace("</svg>", f"{hidden}</svg>")


def _numbers(pattern: str, text: str) -> list[float]:
    found = re.search(pattern, text, re.DOTALL)
    if found is None:
        raise ValueError(f"the picture for the home page has no {pattern}")
    return [float(number) for number in found.groups()]
