"""The bounds of an exploration: how much may happen in a game."""

from __future__ import annotations

from dataclasses import dataclass

from msgspec.structs import replace

from fsm.errors import FsmError
from fsm.model import Model

FULL = 99
"""A bound that allows an entry of every kind at the same time."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """The limits within which games are explored.

    Parameters
    ----------
    turns
        How many turns may begin.
    players
        The number of players.
    stack
        The largest number of objects on the stack.
    pending
        The largest number of entries of one kind that may be scheduled or under way at the same
        time. The kinds are extra or skipped turns, phases and steps, and orders to be asked before
        they begin.
    together
        The largest number of such entries of all kinds together. `FULL` sets no limit.
    tallies
        The largest value of a count. If the model counts further, the exploration counts to this
        value instead.

    Raises
    ------
    FsmError
        If a bound is negative, or if `turns`, `players` or `tallies` is 0.
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
                raise FsmError(
                    f"the bound {name!r} must be {least} or more, not {getattr(self, name)}"
                )

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the players in seat order."""
        return tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZ"[: self.players])

    def __str__(self) -> str:
        together = "all" if self.together >= FULL else self.together
        return (
            f"{self.players} players, {self.turns} turns, a stack of {self.stack}, "
            f"{self.pending} pending of a kind, {together} together"
        )


def within(model: Model, bounds: Bounds) -> Model:
    """Return the model with every count limited to the bound."""
    facts = tuple(
        replace(f, test=(*f.test[:2], str(bounds.tallies)))
        if f.test[:1] == ("tallied",) and int(f.test[2]) > bounds.tallies
        else f
        for f in model.facts
    )
    return model if facts == model.facts else replace(model, facts=facts)
