"""Says in words what a request asks, for readers who know the game and not the classes."""

from __future__ import annotations

import re
from collections.abc import Mapping

from fsm.wording import blanks, plain

ASKED: Mapping[str, str] = {
    "CheckState": "state-based actions are checked",
    "PlaceTriggers": "triggers are placed",
    "Resolve": "the top of the stack resolves",
}
_ASKS = re.compile(
    r"(?P<kind>[A-Z]\w+)(?: (?P<what>.+?))??(?: (?:of|by) (?P<who>.+?))?(?: in (?P<where>[a-z0-9_]+))?"
)
_CITED = re.compile(r"\s*\([^()]*\d[^()]*\)$")


def asked(text: str) -> str:
    """Return what a request asks, such as "Ann has priority", from
    `fsm.engine.options.request_words`.
    """
    found = _ASKS.fullmatch(text)
    if found is None:
        return plain(text)
    kind, what, who = found["kind"], found["what"] or "", found["who"] or ""
    where = f", in {blanks(found['where'])}" if found["where"] else ""
    if kind == "Priority":
        words = f"{who} has priority"
    elif kind == "Perform":
        words = f"{who}: {what}" if who else what
    else:
        words = ASKED.get(kind, text)
    return plain(words + where)


def uncited(text: str) -> str:
    """Return a reason without the rule at its end, which stands beside it."""
    return plain(_CITED.sub("", text))
