"""What can make a test true. A registration names it, and path search makes orders and signals of
it.
"""

from __future__ import annotations

from dataclasses import dataclass

HERE = "here"
"""In place of the name of a phase or step: the one in which the test is read."""


@dataclass(frozen=True, slots=True)
class Skip:
    """An order to skip a turn, or the phase or step of this name or family."""

    level: str
    what: str
    cost = 1
    """How many answers away a search takes the order to be."""


@dataclass(frozen=True, slots=True)
class Extra:
    """An order to add a turn, phase or step.

    Attributes
    ----------
    level
        "turn", "phase" or "step". If it is "", a phase or a step.
    what
        The name or family of what is added, or HERE. If it is "", anything.
    at
        The state at which it must begin, or "".
    before
        The step before which it must be added, or "".
    earlier
        Whether it must have begun before the test is read.
    """

    level: str
    what: str = ""
    at: str = ""
    before: str = ""
    earlier: bool = False

    @property
    def cost(self) -> int:
        """How many answers away a search takes the order to be. An extra is counted where anything
        added is due.
        """
        return 0 if self.what or self.at else 2


@dataclass(frozen=True, slots=True)
class LoneStep:
    """An order to add a phase that holds only a step, other than this one."""

    other_than: str
    cost = 0


@dataclass(frozen=True, slots=True)
class OtherTurn:
    """An order that gives a player a turn, or the control of one, out of order."""

    cost = 0


@dataclass(frozen=True, slots=True)
class Leaving:
    """The signal that a player leaves the game. It may make the test false as well."""

    cost = 0


Opening = Skip | Extra | LoneStep | OtherTurn | Leaving
