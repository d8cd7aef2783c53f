"""The game of the fleet, in its third edition, and how stored games of earlier editions become
games of it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import fsm
from fsm.rulesets import Act, Phase, Step, Table, Window

HARBOUR = Table(
    "harbour",
    Phase("dawn", Step("tide", Act("move_ships"))),
    Phase("day", Step("market", Window()), Step("docks", Act("unload", decides="unloaded"))),
    Phase("dusk", Step("supper", Act("discard", ends="end_of_turn"))),
    edition="3",
    rulebook="The third edition",
)
MODEL, EDITION = HARBOUR.build(), int(HARBOUR.edition)

Snapshot = dict[str, Any]
NAMED = ("state", "name", "family", "what", "only", "anchor")
"""The keys of a snapshot whose values are names of the model, and never of players."""


def market_renamed(data: Snapshot) -> Snapshot:
    """From edition 1 to 2: the step "trade" is called "market"."""
    found: Snapshot = _renamed(data, "trade", "market")
    return found


def docks_added(data: Snapshot) -> Snapshot:
    """From edition 2 to 3: the step "docks" is new. No stored game stands in it, so nothing has to
    change.
    """
    return data


MIGRATIONS: list[Callable[[Snapshot], Snapshot]] = [market_renamed, docks_added]
"""How a game of each edition becomes one of the next, from the first on. A migration stays as long
as such games may be stored.
"""


class OutdatedError(Exception):
    """This process is older than a stored game. It is no FsmError: a newer process says whether the
    answer is right.
    """


def upgraded(edition: int, saved: str) -> str:
    """Return the token of a game of an edition as that of a game of this one.

    Its snapshot goes through the chain, and the new model checks the result.
    """
    if edition > EDITION:
        raise OutdatedError(
            f"a game of edition {edition} is stored, and this process plays {EDITION}"
        )

    def migrate(data: Snapshot) -> Snapshot:
        for migration in MIGRATIONS[edition - 1 :]:
            data = migration(data)
        return data

    if edition == EDITION:
        return saved
    return fsm.TurnController.restore(MODEL, saved, migrate=migrate).token()


def _renamed(data: Any, old: str, new: str) -> Any:
    """Return JSON values in which a step has another name, and its states have other ids."""
    if isinstance(data, list):
        return [_renamed(value, old, new) for value in data]
    if not isinstance(data, dict):
        return data
    found = {key: _renamed(value, old, new) for key, value in data.items()}
    for key in found.keys() & NAMED:
        if found[key] == old or str(found[key]).startswith(f"{old}_"):
            found[key] = new + found[key][len(old) :]
    return found
