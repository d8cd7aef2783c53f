"""What named actions change in the scripted game."""

from __future__ import annotations

from collections.abc import Mapping

from fsm.scenarios.gameparts import Performing
from fsm.scenarios.games import GAMES
from fsm.scenarios.world import World


def _cease_triggers(world: World, players: tuple[str, ...], manner: str) -> None:
    world.remove_waiting_triggers()


def _clear_stack(world: World, players: tuple[str, ...], manner: str) -> None:
    world.stack.clear()


ACTIONS: Mapping[str, Performing] = {
    "cease_triggers": _cease_triggers,
    **dict.fromkeys(("exile_stack", "banish_stack", "remove_stack"), _clear_stack),
    **{name: change for game in GAMES for name, change in game.actions.items()},
}


def perform(world: World, action: str, players: tuple[str, ...], manner: str = "") -> None:
    """Perform an action. An action that is not listed changes nothing in the scripted game."""
    change = ACTIONS.get(action) or ACTIONS.get(f"{action.partition('_')[0]}_*")
    if change is not None:
        change(world, players, manner)
