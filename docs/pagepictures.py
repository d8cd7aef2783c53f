"""The pictures of pages, drawn by the programs that the pages show.

A page has `<!-- picture: EXPRESSION -->` above a picture. The expression is read where the programs
above it have run.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import chdir, redirect_stdout
from doctest import DocTestParser
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import fsm
from fsm.views.timelines import timeline

_PART = re.compile(
    r"^```python\n(?P<code>.*?)^```$|^<!-- picture: (?P<says>[^\n]+) -->\n!\[[^\]]*\]\((?P<path>[^)]+)\)$", re.M | re.S
)


def pictures(page: Path) -> Iterator[tuple[Path, str]]:
    """Yield the path and the text of each picture of a page."""
    text = page.read_text("utf-8")
    if "<!-- picture: " not in text:
        return
    names: dict[str, Any] = {"__name__": "__main__", "fsm": fsm, "played": played}
    with TemporaryDirectory() as folder, chdir(folder), redirect_stdout(StringIO()):
        for part in _PART.finditer(text):
            if part["says"]:
                yield (page.parent / part["path"]).resolve(), eval(part["says"], names)
            elif "\ndef test_" not in part["code"]:
                exec(_program(part["code"]), names)


def played(game: fsm.TurnController, title: str) -> str:
    """Draw the turns of a recorded game that are over."""
    assert game.trace is not None
    ended = [record for record in game.trace.records if game.over or record.turn < game.position.turn]
    return timeline(game.model, ended, title=title)


def _program(code: str) -> str:
    """Return a program, or what somebody types in a session. What raises an error there is left out."""
    if not code.startswith(">>>"):
        return code
    return "".join(example.source for example in DocTestParser().get_examples(code) if not example.exc_msg)
