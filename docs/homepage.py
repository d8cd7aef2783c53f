"""What the site shows that is computed from the models: the picture of the home page, and pages to
click through.
"""

from __future__ import annotations

from pathlib import Path
from shutil import copytree, ignore_patterns

from fsm import StartAt, TurnController, draw, load
from fsm.model.graph import size_of
from fsm.rulesets import names
from fsm.views import explore

HOME = '<!doctype html><title>turn-fsm</title><meta http-equiv="refresh" content="0; url=docs/index.html">\n'

COMBAT = """\
<figure class="frame">
<div>
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
    return {name: size_of(load(name)) for name in names()}


def write_pages(site: Path) -> None:
    """Write each ruleset's page to click through a turn, and the page that leads home."""
    (site / "explore").mkdir(exist_ok=True)
    for name in names():
        (site / "explore" / f"{name}.html").write_text(explore(load(name)), encoding="utf-8")
    (site / "index.html").write_text(HOME, encoding="utf-8")


def write_pictures(folder: Path) -> None:
    """Write the picture of the home page, for light and for dark paper."""
    start = StartAt("declare_blockers", turn=3, player="Ann", facts={"attackers_declared": True})
    game = TurnController("magic", ["Ann", "Ben"], start=start)
    for theme, suffix in (("light", ""), ("dark", "-dark")):
        picture = draw(game, view="phase:combat_phase", theme=theme)
        (folder / f"combat{suffix}.svg").write_text(picture, encoding="utf-8")


def copy_gallery(folder: Path) -> None:
    """Copy the pictures of the gallery, which pages show by HTML, and what lies beside them."""
    gallery = Path(__file__).parent.parent / "diagrams"
    copytree(gallery, folder, ignore=ignore_patterns("*.py", "*.md", "__pycache__"), dirs_exist_ok=True)
