"""The reading of a turn: phases, steps, lines and ways in players' words, as plain frozen values.

    from fsm.views import read
    turn = read(fsm.load("magic"))
    print([step.title for step in turn.steps])

Every picture, table and page of a turn is made from this value alone, and so can a client draw its
own turn. `msgspec.to_builtins(turn)` and `msgspec.json.encode(turn)` make JSON of it.

Sentences are the ruleset's own, without a full stop. Transitions are named by their ids. A way is
taken along paths of them, and `tells` has those that its words are about. Each transition that a
player could notice is told exactly once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Literal

from msgspec import Struct

Kind = Literal["next", "left out", "again", "cut short"]
"""What a way is: the normal course, around steps, once more, or out of everything."""
Mark = Literal["", "full", "hollow"]
"""Whether players may act: no, yes, or only if something triggered."""
Paths = tuple[tuple[str, ...], ...]

END = "(next turn)"
"""The target of ways that lead to the next turn."""
HOLE = "(no way on)"
"""The target of ways that lead nowhere."""


class Line(Struct, frozen=True):
    """One thing that happens in a step.

    Attributes
    ----------
    number
        Its place in the step, counted from 1. A line with number 0 says where it goes on after the
        line before.
    text, detail
        What happens, in short, and more about it.
    rule
        The citation, or "".
    mark
        Whether players may act.
    state
        The id of the state in which it happens.
    tells
        The transitions that it is about.
    """

    number: int
    text: str
    detail: str = ""
    rule: str = ""
    mark: Mark = ""
    state: str = ""
    tells: tuple[str, ...] = ()


class Reason(Struct, frozen=True):
    """Why a phase or a step is left out.

    Attributes
    ----------
    words, rule
        The reason, and its citation.
    tells
        The transitions that leave it out.
    """

    words: str
    rule: str = ""
    tells: tuple[str, ...] = ()


class Step(Struct, frozen=True, tag="step"):
    """A step of the turn. The window and the endings are read as steps, too.

    Attributes
    ----------
    id, title, rule
        The id of the state, its name for people, and its citation.
    words
        What its lines say, at a glance.
    mark
        Whether players may act in it.
    lines
        What happens in it, in order.
    left_out
        When it is left out.
    start
        The id of the state with which it begins.
    states
        The ids of the states inside.
    """

    id: str
    title: str
    rule: str = ""
    words: str = ""
    mark: Mark = ""
    lines: tuple[Line, ...] = ()
    left_out: tuple[Reason, ...] = ()
    start: str = ""
    states: tuple[str, ...] = ()


class Phase(Struct, frozen=True, tag="phase", dict=True):
    """A phase of the turn.

    Attributes
    ----------
    id, title, rule
        The id of the state, its name for people, and its citation.
    hue
        Its colour, from 0 to 3. Phases of one family have the same.
    family
        The name of its family, for instance "main".
    parts
        Its steps, in order. A phase among them runs while the step before it waits.
    left_out
        When it is left out.
    """

    id: str
    title: str
    rule: str = ""
    hue: int = 0
    family: str = ""
    parts: tuple[Step | Phase, ...] = ()
    left_out: tuple[Reason, ...] = ()

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """All steps in it, in order."""
        return steps_of(self.parts)

    @property
    def single(self) -> Step | None:
        """Its only step, if that has the same name and is not left out for reasons of its own."""
        match self.parts:
            case [Step(left_out=()) as only] if only.title.casefold() == self.title.casefold():
                return only
        return None


Part = Step | Phase


class Way(Struct, frozen=True):
    """A way from one step to another.

    Attributes
    ----------
    source
        The id of the step in which it starts. A way that cuts short may start anywhere in a phase
        or, if it is "", anywhere in the turn.
    target
        The id of the step to which it leads, of a final state, `END` or `HOLE`.
    kind
        What it is.
    words, rule
        When it is taken, and the citation. "" if that needs no words.
    tells
        The transitions that the words are about.
    paths
        The transitions along which it can be taken, from its source to its target.
    """

    source: str
    target: str
    kind: Kind = "next"
    words: str = ""
    rule: str = ""
    tells: tuple[str, ...] = ()
    paths: Paths = ()


class Note(Struct, frozen=True):
    """A sentence that holds for many places and is said once."""

    text: str
    rule: str = ""
    tells: tuple[str, ...] = ()


class Turn(Struct, frozen=True, dict=True):
    """All that is to be said of a turn.

    Attributes
    ----------
    title, edition
        The game, and its rulebook.
    word
        What the game calls a turn, for instance "turn" or "round".
    term
        What players get when they may act, for instance "priority". "" if the game has no word.
    phases
        The phases, in order.
    ways
        The ways between steps.
    notes
        What holds everywhere.
    names
        The names of all sources and targets of ways.
    extra
        Where extra phases and steps can come in, or None.
    after
        What comes after the turn.
    windows
        What happens, in order, each time that players may act. If there are several kinds of
        windows, one list for each.
    endings
        What happens, in order, when a turn is cut short.
    """

    title: str
    edition: str = ""
    word: str = ""
    term: str = ""
    phases: tuple[Phase, ...] = ()
    ways: tuple[Way, ...] = ()
    notes: tuple[Note, ...] = ()
    names: dict[str, str] = {}
    extra: Note | None = None
    after: Note = Note("")
    windows: tuple[Step, ...] = ()
    endings: tuple[Step, ...] = ()

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """All steps of the turn, in order."""
        return steps_of(self.phases)

    @property
    def parts(self) -> tuple[Part, ...]:
        """All phases and steps, each phase before what is inside it."""
        return tuple(walk(self.phases))

    @property
    def all_phases(self) -> tuple[Phase, ...]:
        """All phases, each before those inside it."""
        return tuple(part for part in self.parts if isinstance(part, Phase))

    @property
    def acting(self) -> str:
        """What players do where they may act: "players get priority"."""
        return acting_words(self.term)

    @cached_property
    def _phases(self) -> dict[str, Phase]:
        return {part.id: phase for phase in self.all_phases for part in phase.parts}

    def phase_of(self, id: str) -> Phase | None:
        """Return the innermost phase around a step or phase, or None."""
        return self._phases.get(id)

    def hue_of(self, step: str) -> int:
        """Return the colour of a step."""
        return self._phases[step].hue

    def around(self, step: Step) -> list[Part]:
        """Return the phases around a step, outermost first, and the step."""
        phases = [phase for phase in self.all_phases if step in phase.steps and not phase.single]
        return [*phases, step]

    def step_of(self, state: str) -> Step | None:
        """Return the step that holds a state of the model, or None."""
        return next((step for step in self.steps if state in step.states), None)

    def place(self, id: str) -> str:
        """Return the name of a target: that of a phase if it is the phase's first step."""
        phase = self.phase_of(id)
        if phase is not None and phase.steps[0].id == id:
            return phase.title
        return self.names.get(id, id)


def acting_words(term: str) -> str:
    """Return what players do where they may act, if they get something of this name."""
    return f"players get {term}" if term else "players may act"


def walk(parts: Iterable[Part]) -> Iterator[Part]:
    """Yield all phases and steps, each phase before what is inside it."""
    for part in parts:
        yield part
        if isinstance(part, Phase):
            yield from walk(part.parts)


def steps_of(parts: Iterable[Part]) -> tuple[Step, ...]:
    """Return all steps in these parts, in order."""
    return tuple(part for part in walk(parts) if isinstance(part, Step))
