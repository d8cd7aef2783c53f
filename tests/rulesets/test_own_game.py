"""The guide to writing one's own game shows a file that is really there, and the commands in it
work.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from fsm.cli import cli
from support.folders import ROOT

GUIDE = (ROOT / "docs" / "your-own-game.md").read_text(encoding="utf-8")


def test_the_guide_shows_the_example_as_it_is() -> None:
    shown = GUIDE.split("```python\n")[1].split("```")[0]
    assert shown == (ROOT / "examples" / "lanterns.py").read_text(encoding="utf-8")
    assert len(shown.splitlines()) < 45


@pytest.mark.parametrize("name", ["lanterns.svg", "lanterns.md"])
def test_its_commands_draw_it(name: str, tmp_path: Path) -> None:
    assert f"-o {name}" in GUIDE
    done = CliRunner().invoke(cli, ["draw", "lanterns:LANTERNS", "-o", str(tmp_path / name)])
    assert done.exit_code == 0, done.output
    assert "Roll the dice" in (tmp_path / name).read_text(encoding="utf-8").replace(
        "roll the dice", "Roll the dice"
    )
