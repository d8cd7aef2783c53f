"""Environment assumptions for proofs: what the game around a ruleset can do to its stack.

They name facts and actions. Your own ruleset may add itself: `SURROUNDINGS["my-game"] = Surroundings(...)`. Anything
that is not stated is derived, or may always happen.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Surroundings:
    """`empty`: the fact that the stack is empty; `waiting`: that triggers wait to be put on it; `present`: facts that
    hold only while something is on it. `clears`, `pushes`: actions that empty it, or may put an object on it.
    `declared`: signals that a player gives by acting, and not only what resolves.
    """

    empty: str = ""
    waiting: str = ""
    present: tuple[str, ...] = ()
    clears: tuple[str, ...] = ()
    pushes: tuple[str, ...] = ()
    declared: tuple[str, ...] = ()


def _magic(*clears: str, pushes: tuple[str, ...] = ()) -> Surroundings:
    return Surroundings("stack_empty", "triggers_waiting", clears=clears, pushes=pushes)


SURROUNDINGS: dict[str, Surroundings] = {
    "magic": _magic("exile_stack"),
    "magic-2010": _magic("exile_stack"),
    "magic-classic": _magic("remove_stack", pushes=("put_damage_on_stack",)),
    "grand-archive": Surroundings(
        "stack_empty", "triggers_waiting", ("interdiction_on_stack",), ("banish_stack",), declared=("attack",)
    ),
}
