"""How far an exploration goes: the bounds of what may happen in a game."""

from __future__ import annotations

from dataclasses import dataclass, replace

from fsm.errors import FsmError
from fsm.model import Model

FULL = 99
"""As many entries at once as there are kinds of them."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """`turns` that may begin, in a game of so many `players`; `stack`: objects on the stack at most.

    `pending`: entries of one kind (extra or skipped turns, phases, steps) that may be scheduled or under way;
    `together`: of all kinds at the same time. `tallies`: what a model counts further than this, it counts to here.
    """

    turns: int = 2
    players: int = 2
    stack: int = 2
    pending: int = 1
    together: int = 1
    tallies: int = 2

    def __post_init__(self) -> None:
        for name in self.__slots__:
            least = 0 if name in ("stack", "pending", "together") else 1
            if getattr(self, name) < least:
                raise FsmError(f"the bound {name!r} must be {least} or more, not {getattr(self, name)}")

    @property
    def names(self) -> tuple[str, ...]:
        """The players, in seat order."""
        return tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZ"[: self.players])

    def __str__(self) -> str:
        together = "all" if self.together >= FULL else self.together
        return (
            f"{self.players} players, {self.turns} turns, a stack of {self.stack}, "
            f"{self.pending} pending of a kind, {together} together"
        )


def within(model: Model, bounds: Bounds) -> Model:
    """The model, in which what is counted to a high number is counted to the bound instead."""
    facts = tuple(
        replace(f, test=(*f.test[:2], str(bounds.tallies)))
        if f.test[:1] == ("tallied",) and int(f.test[2]) > bounds.tallies
        else f
        for f in model.facts
    )
    return model if facts == model.facts else replace(model, facts=facts)
