"""The effects of the combat verbs on the scripted game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from fsm.engine.requests import Signal
from fsm.scenarios.combat import Combatant
from fsm.scenarios.scenario import Item
from fsm.scenarios.world import World


def _attackers(world: World, item: Item) -> None:
    world.declared += item["count"]
    world.first_strike = world.first_strike or (item["first_strike"] and item["count"] > 0)


def _enter(world: World, item: Item, fact: str) -> None:
    if world.in_combat and item["count"]:
        world.attackers += item["count"]
        world.facts_to_report.add(fact)


def _combatant(world: World, item: Item) -> None:
    """Declare a creature together with the declaration. At any other time, it is put into combat attacking."""
    if not world.in_combat:
        world.complaints.append(f"{item.place}: {item['id']} is in no combat: {world.where} is not in one")
        return
    fields = {name: item[name] for name in ("id", "side", "power", "first_strike", "double_strike", "blocks")}
    world.combat.add(Combatant(**fields))
    if item["side"] == "attacker" and world.declaring:
        world.declared += 1
    elif item["side"] == "attacker":
        world.attackers += 1
        world.facts_to_report.add("put_in_attacking")


def _change_combatant(world: World, item: Item) -> None:
    creature = world.combat.creatures.get(item["id"])
    if creature is None:
        _absent(world, item)
        return
    for name in ("power", "first_strike", "double_strike", "blocked"):
        if item[name] is not None:
            setattr(creature, name, item[name])


def _remove_combatant(world: World, item: Item) -> None:
    if world.combat.creatures.pop(item["id"], None) is None:
        _absent(world, item)


def _absent(world: World, item: Item) -> None:
    world.complaints.append(f"{item.place}: {item['id']} is not in combat in {world.where}")


def _remove_attackers(world: World, item: Item) -> None:
    world.attackers, world.first_strike = 0, False
    world.combat.leave("attacker")


def _first_strike(world: World, item: Item) -> None:
    """Set first strike for the current combat. Outside combat there is none, and a later one must not inherit it."""
    if world.in_combat:
        world.first_strike = item["value"]
    else:
        world.complaints.append(f"{item.place}: first_strike has no effect: {world.where} is in no combat")


def _attack(world: World, item: Item) -> None:
    """Try to attack. Whatever comes of it, nothing is required any more."""
    world.signals.append(Signal("attack"))
    world.choices["declare_attack"] = item["legal"]
    world.must_attack = False


def _must_attack(world: World, item: Item) -> None:
    world.must_attack, world.refused = True, False


def _retaliators(world: World, item: Item) -> None:
    world.retaliators = item["count"]


def _signal(world: World, item: Item) -> None:
    world.signals.append(Signal(item.do))


COMBAT_ACTS: Mapping[str, Callable[[World, Item], None]] = {
    "attackers": _attackers,
    "put_attacking": partial(_enter, fact="put_in_attacking"),
    "state_attacking": partial(_enter, fact="stated_attacking"),
    "combatant": _combatant,
    "change_combatant": _change_combatant,
    "remove_combatant": _remove_combatant,
    "remove_attackers": _remove_attackers,
    "first_strike": _first_strike,
    "attack": _attack,
    "must_attack": _must_attack,
    "retaliators": _retaliators,
    "made_to_block": _signal,
    "put_in_blocking": _signal,
}
