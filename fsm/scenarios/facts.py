"""The facts that a scripted game reports when it is asked. A fact that is not here is false."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from fsm.scenarios.world import World


def _damage_assigned(world: World) -> bool:
    """Say whether somebody assigned damage here. If no creature is named, all attackers do."""
    if world.combat.given:
        return bool(world.log.visit(world.where).assigned)
    return world.attackers > 0


FACTS: Mapping[str, Callable[[World], bool]] = {
    "sba_performed": lambda world: world.sba_performed,
    "triggers_waiting": lambda world: bool(world.waiting),
    "stack_empty": lambda world: not world.stack,
    "interdiction_on_stack": lambda world: any(thing.interdiction for thing in world.stack),
    "attackers_declared": lambda world: world.declared > 0,
    "first_strike_in_combat": lambda world: world.first_strike or world.combat.first_strike,
    "damage_assigned": _damage_assigned,
    "attack_required": lambda world: world.must_attack and not world.stack,
    "several_retaliators": lambda world: world.retaliators > 1,
    "time_distorted": lambda world: world.distorted,
}


def fact(world: World, name: str) -> bool:
    """Return the current value of this fact."""
    if name in world.facts_to_report:
        return True
    if name in world.given_facts:
        return world.given_facts[name]
    look = FACTS.get(name)
    return look is not None and look(world)
