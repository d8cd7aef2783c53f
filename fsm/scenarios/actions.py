"""What named actions change in the scripted game."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from fsm.scenarios.combat import COMBAT_DAMAGE, MANNERS
from fsm.scenarios.modelwords import ASSIGN
from fsm.scenarios.world import StackObject, World

Performing = Callable[[World, tuple[str, ...]], None]


def _declare_attackers(world: World, players: tuple[str, ...]) -> None:
    if not players:
        world.declared, world.first_strike = 0, False
        world.combat.leave("attacker")
    world.attackers += world.declared


def _discard(world: World, players: tuple[str, ...]) -> None:
    cards, most = world.hand if world.hand and players else (0, 0)
    world.log.visit(world.where).discards += max(0, cards - most)


def _lore(world: World, players: tuple[str, ...]) -> None:
    world.log.lore += [(id, world.turn) for id, owner in world.sagas if owner in players]


def _clear_stack(world: World, players: tuple[str, ...]) -> None:
    world.stack.clear()


def _put_damage_on_stack(world: World, players: tuple[str, ...]) -> None:
    world.stack.append(StackObject("", id=COMBAT_DAMAGE, damage=world.combat.take()))


def _deal_damage(world: World, players: tuple[str, ...]) -> None:
    world.log.visit(world.where).dealt += world.combat.take()


def _materialize(world: World, players: tuple[str, ...]) -> None:
    thing, world.entering = world.entering, None
    if thing is not None and players:
        world.stack.append(thing)


ACTIONS: Mapping[str, Performing] = {
    "declare_attackers": _declare_attackers,
    "discard_to_hand_size": _discard,
    "add_lore_counters": _lore,
    "day_night": lambda world, players: world.check_day_night(),
    "empty_mana": lambda world, players: world.empty_mana(),
    "lose_mana": lambda world, players: world.burn_mana(),
    "remove_damage_and_end_effects": lambda world, players: world.loosen_mana(),
    "cease_triggers": lambda world, players: world.remove_waiting_triggers(),
    **dict.fromkeys(("exile_stack", "banish_stack", "remove_stack"), _clear_stack),
    "remove_from_combat": lambda world, players: world.leave_combat(),
    "put_damage_on_stack": _put_damage_on_stack,
    "deal_combat_damage": _deal_damage,
    "materialize": _materialize,
}


def perform(world: World, action: str, players: tuple[str, ...], manner: str = "") -> None:
    """Perform an action. An action that is not listed changes nothing in the scripted game."""
    change = ACTIONS.get(action)
    if change is not None:
        change(world, players)
    elif action.startswith(ASSIGN) and manner in MANNERS:
        world.log.visit(world.where).assigned += world.combat.assign(manner)
