"""The facts that a scripted game reports when it is asked. A fact that is not here is false."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from fsm.scenarios.games import GAMES
from fsm.scenarios.world import World

FACTS: Mapping[str, Callable[[World], bool]] = {
    "sba_performed": lambda world: world.sba_performed,
    "triggers_waiting": lambda world: bool(world.waiting),
    "stack_empty": lambda world: not world.stack,
    **{name: look for game in GAMES for name, look in game.facts.items()},
}


def fact(world: World, name: str) -> bool:
    """Return the current value of this fact."""
    if name in world.facts_to_report:
        return True
    if name in world.given_facts:
        return world.given_facts[name]
    look = FACTS.get(name)
    return look is not None and look(world)
