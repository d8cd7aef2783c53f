"""What the page says to newcomers: plain words for facts, signals and steps, and guided tours.

The words of the built-in rulesets are in the files of `plainwords/`; other Models have the texts of their facts and
events. What a Model says of a part in plain words goes before them, on the page.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any

from fsm.model import Model
from fsm.wording import clause

FILES = {"magic": "magic", "magic-2010": "magic", "magic-classic": "magic", "grand-archive": "grand-archive"}


@cache
def _stated(name: str) -> dict[str, Any]:
    """The words for one ruleset, from its file."""
    if name not in FILES:
        return {"steps": {}, "facts": {}, "signals": {}, "tours": []}
    text = files("fsm.views.explorer").joinpath(f"plainwords/{FILES[name]}.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


def page_words(model: Model) -> dict[str, dict[str, Any]]:
    """Plain words by the names of facts, steps and signals.

    A fact has what it means if it is true and, where that is stated, if it is false. A step has what it is for, and
    one fact worth knowing.
    """
    stated = _stated(model.name)
    known = {fact.name: fact for part in (model, model.window) if part is not None for fact in part.facts}
    facts = {name: [clause(fact.doc)] for name, fact in known.items() if fact.doc}
    facts |= {name: words for name, words in stated["facts"].items() if name in known}
    steps = {state.name for state in model.states if state.kind == "step"}
    signals = {event.name: clause(event.doc) for event in model.events if event.doc and not event.completion}
    signals |= {name: words for name, words in stated["signals"].items() if name in signals}
    return {
        "facts": facts,
        "steps": {name: words for name, words in stated["steps"].items() if name in steps},
        "signals": signals,
    }


def tours_of(model: Model) -> tuple[dict[str, Any], ...]:
    """The guided tours as they are written for this ruleset, whether they lead along or not."""
    return tuple(_stated(model.name)["tours"])
