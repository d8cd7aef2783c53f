"""A story is what the page can show: one entry of its list, which can be looked at after each of
its answers.

The threads of the server use it, one at a time. It takes from a running program nothing but values
that never change.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from threading import RLock
from typing import NamedTuple

from fsm.engine.controller import TurnController
from fsm.engine.trace import Record
from fsm.model import Model
from fsm.views.drawing.options import Now
from fsm.wording import label_of

Terms = list[tuple[str, str]]


class Row(NamedTuple):
    """One answer in the list: its number, who gave it, what it was, what came of it, and the rule."""

    number: int
    who: str
    answer: str
    came: str
    rule: str = ""


class Possible(NamedTuple):
    """What can happen now: in words, where it leads, the rule, and the word of the answer if it is
    one.
    """

    text: str
    leads_to: str
    rule: str = ""
    word: str = ""


class Refused(NamedTuple):
    """What cannot happen now, and why."""

    text: str
    why: str
    rule: str = ""


class TurnStart(NamedTuple):
    """After how many answers a turn began, its number, and whose it is."""

    at: int
    turn: int
    player: str


@dataclass(slots=True)
class Standing:
    """Where it stands, in words and on the map.

    `line` says whose turn it is and what is asked, `facts` what the conditions were when they were
    last asked.
    """

    title: str
    line: str
    now: Now
    possible: list[Possible] = field(default_factory=list)
    refused: list[Refused] = field(default_factory=list)
    agenda: Terms = field(default_factory=list)
    calendar: Terms = field(default_factory=list)
    facts: Terms = field(default_factory=list)


class Story(ABC):
    """One entry of the list.

    Attributes
    ----------
    name
        What the list calls it.
    model
        Its Model, which is drawn.
    live
        Whether more may come.
    unit
        What it consists of: "answer", "step" of a log, or "event" of a machine.
    lock
        Held by the thread of the server that reads it.
    failure
        The error by which it ended, or "".
    """

    live = False
    unit = "answer"

    def __init__(self, name: str, model: Model) -> None:
        self.name, self.model, self.lock, self.failure = name, model, RLock(), ""

    @property
    @abstractmethod
    def count(self) -> int:
        """How much of it is known."""

    @property
    def given(self) -> int:
        """How much of it there is. Some of it may not be known yet."""
        return self.count

    @property
    def version(self) -> int:
        """A number that grows whenever what is known changes."""
        return self.count

    def update(self, seconds: float | None = None) -> None:  # noqa: B027
        """Take in what has happened since, but stop after so many seconds."""

    def close(self) -> None:  # noqa: B027
        """Take in nothing more."""

    @property
    def tag(self) -> tuple[str, str]:
        """What the list says besides: of what kind, "over" or "", and the words."""
        return "", ""

    @property
    def turns(self) -> Sequence[TurnStart]:
        """The turns, if it has any."""
        return ()

    @abstractmethod
    def place(self, at: int) -> tuple[str, str]:
        """Return the line of the list, and the state, after so many answers."""

    @abstractmethod
    def standing(self, at: int) -> Standing:
        """Return where it stands after so many answers."""

    @abstractmethod
    def rows(self, first: int, end: int) -> list[Row]:
        """Return what was answered."""

    def records(self, first: int, end: int) -> Iterator[tuple[int, Sequence[Record]]]:
        """Yield what each of these answers made fire, with the number of the answer."""
        yield from ()

    def way(self, at: int) -> list[str]:
        """Return the states up to this moment, where there are no turns."""
        return []

    def game(self, at: int) -> TurnController | None:
        """Return a game that stands where this one stood after so many answers. A log has none."""
        return None


def step_of(model: Model, state: str) -> str:
    """Return the name of the step, else of the phase, else of the state."""
    around = model.enclosing(state, "step") or model.enclosing(state, "phase")
    return label_of(around or model.state(state))
