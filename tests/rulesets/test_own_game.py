"""The guide to writing one's own game shows a file that is really there, and the commands in it
work.
"""

from __future__ import annotations

from support.folders import ROOT

GUIDE = (ROOT / "docs" / "your-own-game.md").read_text(encoding="utf-8")


def test_the_guide_shows_the_example_as_it_is() -> None:
    shown = GUIDE.split("```python\n")[1].split("```")[0]
    assert shown == (ROOT / "examples" / "lanterns.py").read_text(encoding="utf-8")
    assert len(shown.splitlines()) < 45
