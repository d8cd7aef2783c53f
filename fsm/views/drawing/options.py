"""What is asked of a picture: plain values that every format takes alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from fsm.engine.records import Record
from fsm.model import Model

Paper = Literal["light", "dark"]


@dataclass(frozen=True, slots=True)
class Taken:
    """Overlay: the way a run took, in order."""

    records: Sequence[Record]


@dataclass(frozen=True, slots=True)
class Now:
    """Overlay: where a game stands, in the turn (`state`) and in an open window (`frame`, "" for
    none).

    `open` are the ids of the transitions that can fire now or once the facts of the answer are
    told, `later` those that can follow until the game has left the step it is in; `closed` are
    those of the same states that cannot, each with the reason in words.
    """

    state: str
    frame: str = ""
    open: tuple[str, ...] = ()
    closed: Mapping[str, str] = field(default_factory=dict)
    later: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Counts:
    """Overlay: how often each transition was taken, by id, of the turn and of the window; absent is
    never.
    """

    turn: Mapping[str, int]
    window: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Against:
    """Overlay: what differs from this other model; `names` are what to call the other and the one
    drawn.
    """

    other: Model
    names: tuple[str, str] | None = None


OverlayOption = Taken | Now | Counts | Against


@dataclass(frozen=True, slots=True)
class DrawOptions:
    """One picture: the view, the paper, what is laid over it.

    `link` is a URL pattern for citations, with "{rule}" for the rule's number; "" for none.
    """

    view: str = "turn"
    theme: Paper = "light"
    overlay: OverlayOption | None = None
    link: str = ""
