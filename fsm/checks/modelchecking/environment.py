"""Environment assumptions for proofs: what the game around a ruleset can do to its stack.

They name facts and actions. Your own ruleset may add itself: `ENVIRONMENTS["my-game"] =
Environment(...)`. Anything that is not stated is derived, or may always happen.
"""

from __future__ import annotations

from dataclasses import dataclass

from fsm.engine.answers import quiet_facts
from fsm.model import Model


@dataclass(frozen=True, slots=True)
class Environment:
    """What the game around a ruleset can do to its stack.

    `empty` is the fact that the stack is empty, and `waiting` the fact that triggers wait to be put
    on it. `present` has facts that hold only while something is on it. `clears` and `pushes` are
    actions that empty it or may put an object on it. `declared` has signals that a player can give
    by acting.
    """

    empty: str = ""
    waiting: str = ""
    present: tuple[str, ...] = ()
    clears: tuple[str, ...] = ()
    pushes: tuple[str, ...] = ()
    declared: tuple[str, ...] = ()

    def values(self, fact: str, stack: int, most: int) -> tuple[bool, ...]:
        """Return the values that a game may report for a fact, the quiet one first.

        `stack` is the number of objects on the stack, and `most` how many it can have.
        """
        if fact == self.empty:
            return (not stack,)
        if (fact == self.waiting and stack >= most) or (fact in self.present and not stack):
            return (False,)
        return (False, True)


def _magic(*clears: str, pushes: tuple[str, ...] = ()) -> Environment:
    return Environment("stack_empty", "triggers_waiting", clears=clears, pushes=pushes)


ENVIRONMENTS: dict[str, Environment] = {
    "magic": _magic("exile_stack"),
    "magic-2010": _magic("exile_stack"),
    "magic-classic": _magic("remove_stack", pushes=("put_damage_on_stack",)),
    "grand-archive": Environment(
        "stack_empty",
        "triggers_waiting",
        ("interdiction_on_stack",),
        ("banish_stack",),
        declared=("attack",),
    ),
}


def environment_of(model: Model) -> Environment:
    """Return the assumptions that the ruleset of a model states. If it states none, they are
    derived.
    """
    window = {f.name for f in model.window.facts} if model.window is not None else set[str]()
    return ENVIRONMENTS.get(model.name) or Environment(
        empty=min(window.intersection(quiet_facts(model)), default="")
    )
