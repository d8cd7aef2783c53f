"""What changes in the scripted game as a named action is performed."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from fsm.scenarios.world import World

Performing = Callable[[World, tuple[str, ...]], None]


def _declare_attackers(world: World, players: tuple[str, ...]) -> None:
    world.declared = world.declared if players else 0
    world.attackers += world.declared


def _discard(world: World, players: tuple[str, ...]) -> None:
    cards, most = world.hand if world.hand and players else (0, 0)
    world.log.seen(world.where).discards += max(0, cards - most)


def _lore(world: World, players: tuple[str, ...]) -> None:
    world.log.lore += [(id, world.turn) for id, owner in world.sagas if owner in players]


ACTIONS: Mapping[str, Performing] = {
    "declare_attackers": _declare_attackers,
    "discard_to_hand_size": _discard,
    "add_lore_counters": _lore,
    "day_night": lambda world, players: world.check_day_night(),
    "empty_mana": lambda world, players: world.empty_mana(),
    "remove_damage_and_end_effects": lambda world, players: world.loosen_mana(),
    "cease_triggers": lambda world, players: world.cease(),
    "exile_stack": lambda world, players: world.stack.clear(),
    "remove_from_combat": lambda world, players: world.leave_combat(),
}


def perform(world: World, action: str, players: tuple[str, ...]) -> None:
    """Perform an action. One that is not listed changes nothing the game knows of."""
    change = ACTIONS.get(action)
    if change is not None:
        change(world, players)
