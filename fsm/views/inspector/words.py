"""Says in words what a request asks and what is planned, for readers who know the game and not the
classes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress

from fsm.engine.controller import TurnController
from fsm.errors import FsmError
from fsm.hosts.driving import drive
from fsm.hosts.host import BaseHost
from fsm.state.orders import DelayedTrigger, Effect, StandingTrigger
from fsm.state.run import Extra
from fsm.wording import blanks, plain

Terms = list[tuple[str, str]]
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
    `fsm.engine.possible.request_words`.
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


def agenda_terms(game: TurnController) -> Terms:
    """Return what is scheduled, as terms with words: when, and what."""
    run, players = game.run, game.players
    found = [("this turn", _extra(entry)) for entry in run.extras]
    for skip in run.skips:
        found.append((f"skipped {skip.level}", f"{blanks(skip.what)}{_of(game, skip.side)}"))
    later, turn = run.turns, game.turn
    with suppress(FsmError):
        # nobody does anything for the rest of this turn
        coming = drive(game.fork(), BaseHost(), until=lambda request: request.at.turn > turn).at
        if coming.turn > turn:
            extra = ", an extra turn" if coming.extra else ""
            found.append(("next turn", f"{coming.active}{extra}"))
            later = later[1:] if coming.extra else later
    found += [("extra turn", _side(game, turn.side)) for turn in later]
    for control in run.controls:
        found.append(("control", f"{players[control.by]} decides for {players[control.seat]}"))
    for entry in (*run.phase.returns, *run.step.returns):
        found.append(("interrupted", blanks(entry.state)))
    found += [("has left", players[seat]) for seat in run.left]
    return [(plain(term), plain(words)) for term, words in found]


def _extra(entry: Extra) -> str:
    place = f", {'before' if entry.before else 'after'} {blanks(entry.anchor)}"
    only = f" with {blanks(entry.only)} only" if entry.only else ""
    return f"1 extra {blanks(entry.what)}{only}{place if entry.anchor else ''}"


def _side(game: TurnController, side: int) -> str:
    return game.players[game.run.head(side)]


def _of(game: TurnController, side: int) -> str:
    return f" of {_side(game, side)}" if side >= 0 else ""


def calendar_terms(game: TurnController) -> Terms:
    """Return durations and triggers that are waited for, as terms with words."""
    found = Terms()
    for entry in game.calendar:
        match entry.order:
            case DelayedTrigger(id, step, player):
                of = f" of {player}" if player else ""
                found.append((blanks(step), f"{id}: delayed trigger{of}"))
            case Effect(id, player, until):
                found.append((f"until {blanks(until)}", f"{id}: effect of {player}"))
            case StandingTrigger(id):
                found.append((f"each {blanks(entry.what)}", f"{id}: trigger"))
    return [(plain(term), plain(words)) for term, words in found]
