"""What can stand on the agenda: turns, phases and steps that have begun, are pending, or were
interrupted.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

NOT_BEGUN = 0
"""The id of no occurrence."""


@dataclass(slots=True, unsafe_hash=True)
class Occurrence:  # never changed; not frozen, for making a frozen one takes twice as long
    """One visit of a turn, phase or step, the `iteration`-th of its name this turn.

    `only`: a phase that holds just this step (CR 500.10). `extra`: an effect added it, or it
    repeats a step that an effect added (CR 514.3a). Of what has begun this turn only the current
    (and suspended) ones know that they are over: ask `Agenda.is_under_way`. `label`: the id of the
    order that added it.
    """

    id: int
    level: str
    name: str
    family: str
    extra: bool = False
    only: str = ""
    under_way: bool = True
    iteration: int = 1
    label: str = ""


occurrence_of = lru_cache(maxsize=4096)(Occurrence)
"""Equal occurrences, of games that have come as far, are one object."""


@dataclass(frozen=True, slots=True)
class PendingTurn:
    """An extra turn still to come, for a side. `label`: the id of the order that added it.

    With `after`, it is not due before a turn with this label has begun.
    """

    side: str
    label: str = ""
    after: str = ""


@dataclass(frozen=True, slots=True)
class PendingControl:
    """`by` will decide for `player` in the next turn that player really takes (CR 722.1).

    The newest for a player is the one that works; an extra turn after comes of each. With `within`,
    it waits for a turn with this label. `label`: the id of its order.
    """

    player: str
    by: str
    extra_turn_after: bool = False
    within: str = ""
    label: str = ""


@dataclass(frozen=True, slots=True)
class PendingSkip:
    """A skip still in force. `side` "" matches every side; `turn` is set once bound to a turn.

    With `within`, it holds only in a turn, phase or step with this label. `extra`: only extra turns
    are skipped.
    `label`: the id of its order.
    """

    level: str
    what: str
    side: str
    scope: str
    turn: int = 0
    within: str = ""
    label: str = ""
    extra: bool = False


@dataclass(frozen=True, slots=True)
class PendingExtra:
    """An extra phase or step. It is due after occurrence `after`, once that is known.

    Until then it waits for the `nth` `anchor` of this turn (a phase), or for the next `anchor`
    (a step); with `before`, it is due just before that. `label`: the id of the order that added it.
    """

    level: str
    what: str
    only: str = ""
    after: int = NOT_BEGUN
    anchor: str = ""
    nth: int = 0
    before: bool = False
    label: str = ""


@dataclass(frozen=True, slots=True)
class Candidate:
    """What is about to begin, before it is known whether it will: it can still be skipped."""

    what: str = ""
    only: str = ""
    extra: bool = False
    label: str = ""


NO_CANDIDATE = Candidate()
AGAIN = Candidate(extra=True)
"""No candidate: a step that begins again while the sequence of steps is interrupted, extra like the
one before.
"""


@dataclass(frozen=True, slots=True)
class Return:
    """Where an interrupted sequence goes on: a state, and the occurrence it had come to.

    `candidate`: what was about to begin there, when something came before it.
    """

    state: str
    cursor: int
    candidate: Candidate = NO_CANDIDATE


@dataclass(frozen=True, slots=True)
class Suspended:
    """A phase and step that wait, still under way, while another phase runs inside them."""

    phase: Occurrence | None
    step: Occurrence | None
    cursor_phase: int = NOT_BEGUN
    cursor_step: int = NOT_BEGUN
