"""What the actions of a transition do to the turn, in words: what ends, what is dropped, what goes on."""

from __future__ import annotations

from collections.abc import Sequence

from fsm.model import Action
from fsm.wording import blanks, plain

_BEGINNING = frozenset({"begin", "begin_late", "begin_quietly"})


def doing_words(actions: Sequence[Action]) -> tuple[str, ...]:
    """One short text for each thing that these actions do, in their order; levels that end together are one.

    What begins is not among them: the place where the transition leads says it.
    """
    found: list[str] = []
    ending: list[str] = []
    for action in (a for a in actions if a.name not in _BEGINNING):
        if action.name == "end":
            ending += map(blanks, action.args)
        else:
            found += [*_ended(ending), _said(action)]
            ending = []
    return (*found, *_ended(ending))


def _ended(levels: Sequence[str]) -> list[str]:
    levels = list(dict.fromkeys(levels))
    return [f"{' and '.join(levels)} {'end' if len(levels) > 1 else 'ends'}"] if levels else []


def _said(action: Action) -> str:
    what = blanks(action.args[0]) if action.args else ""
    known = {
        "drop": f"extras of this {what} are dropped",
        "clear": f"{what} is over",
        "mark": f"what lasts until {what} is over",
        "latch": f"noted: {what}",
        "resume": "what waited goes on",
    }
    return known.get(action.name) or plain(str(action))
