"""Every part of a table one by one, and where it stands."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, get_args

from fsm.errors import shown
from fsm.model import Role, Term
from fsm.rulesets.parts import (
    Absent,
    Cut,
    During,
    FrameRules,
    Part,
    Phase,
    Step,
    Then,
    absences,
    several,
)
from fsm.rulesets.rows import guard

if TYPE_CHECKING:
    from fsm.rulesets.table import Table

_ALONE = (*get_args(Part), Absent, Cut, FrameRules, Role, Then)
"""The parts that stand in others. Phases and steps have places of their own."""


class At(NamedTuple):
    """A part of a table, its phase and step, and the word for its place there."""

    part: Any
    phase: Phase | None = None
    step: Step | None = None
    word: str = ""

    @property
    def where(self) -> str:
        """Its place in words."""
        phase = f"phase {shown(self.phase.name)}" if self.phase is not None else ""
        step = f"step {shown(self.step.name)}" if self.step is not None else ""
        return ", ".join(filter(None, [phase, step, self.word]))

    @property
    def guard(self) -> tuple[Term, ...]:
        """Its guard."""
        return guard(getattr(self.part, "when", ""))

    @property
    def reads(self) -> str:
        """The state or step in which its guard is read, or ""."""
        if self.phase is None:
            return ""
        here = self.step.name if self.step is not None else f"{self.phase.name}_phase"
        inside = f"{here}_step" if self.step is not None else ""
        places = {"unless": f"{here}_before", "swap": f"{here}_before", "then": f"{here}_after"}
        return places.get(self.word, inside)


def parts_of(table: Table) -> tuple[At, ...]:
    """The table and every part of it: each before those in it, and a phase before those that run
    inside it.
    """
    found: list[At] = []
    _gather(At(table), found)
    return tuple(found)


def _gather(at: At, found: list[At]) -> None:
    if isinstance(at.part, Phase) and at in found:
        return
    found.append(at)
    for inner in _inside(at):
        _gather(inner, found)


def _inside(at: At) -> Iterator[At]:
    """What stands directly in a part: events after the other parts of their step, nested phases
    after their own.
    """
    part = at.part
    for field in fields(part) if is_dataclass(part) else ():
        values = absences(part) if field.name == "unless" else several(getattr(part, field.name))
        for number, inner in enumerate(values, 1):
            if isinstance(inner, Step):
                yield At(inner, at.phase, inner)
            elif isinstance(inner, Phase) and not isinstance(part, During):
                yield At(inner, inner)
            elif isinstance(inner, _ALONE):
                word = f"part {number}" if field.name == "does" else field.name
                yield at._replace(part=inner, word=at.word or word)
    if isinstance(part, Step):
        for _, during in part.durings:
            yield at._replace(part=during, word=f"during {shown(during.event)}")
    if isinstance(part, Phase):
        for phase in part.within:
            yield At(phase, phase)
