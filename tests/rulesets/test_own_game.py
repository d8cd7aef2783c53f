"""The page on tables shows a file that is really there."""

from __future__ import annotations

from support.folders import ROOT

PAGE = (ROOT / "docs" / "reference" / "tables.md").read_text(encoding="utf-8")


def test_the_page_shows_the_example_as_it_is() -> None:
    shown = PAGE.split("```python\n")[1].split("```")[0]
    assert shown == (ROOT / "examples" / "lanterns.py").read_text(encoding="utf-8")
    assert len(shown.splitlines()) < 45
