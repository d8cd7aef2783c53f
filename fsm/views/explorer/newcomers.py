"""What the page teaches newcomers beyond the Model's own words: what each step is for, and guided
tours.

The files of `lessons/` have both for the built-in rulesets. What facts, events and transitions are
called in plain words is in the Model, and nowhere else.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any

from fsm.model import Model

FILES = {
    "magic": "magic",
    "magic-2010": "magic",
    "magic-classic": "magic",
    "grand-archive": "grand-archive",
}


@cache
def _lessons(name: str) -> dict[str, Any]:
    """The lessons of one ruleset, from its file."""
    if name not in FILES:
        return {"steps": {}, "tours": []}
    text = (
        files("fsm.views.explorer")
        .joinpath(f"lessons/{FILES[name]}.json")
        .read_text(encoding="utf-8")
    )
    found: dict[str, Any] = json.loads(text)
    return found


def step_words(model: Model) -> dict[str, list[str]]:
    """By the name of each step: what it is for, and one fact worth knowing."""
    steps = {state.name for state in model.states if state.kind == "step"}
    return {name: words for name, words in _lessons(model.name)["steps"].items() if name in steps}


def tours_of(model: Model) -> tuple[dict[str, Any], ...]:
    """The guided tours as they are written for this ruleset, whether they lead along or not."""
    return tuple(_lessons(model.name)["tours"])
