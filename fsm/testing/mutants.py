"""The small changes of a machine of the `transitions` library that `fsm mutate` tries.

DeMillo, Lipton and Sayward, "Hints on test data selection" (1978). A change that no event can
distinguish from the machine is left out: all answers of the conditions are compared.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from fsm.adapters.reading import TOGETHER, arrows, events_of, is_async
from fsm.coverage.machines import ReadMachine
from fsm.engine.semantics import every_choice
from fsm.model import Model, Term, Transition

Kind = Literal["removed", "retargeted", "negated", "unconditional"]


class Mutant(msgspec.Struct, frozen=True):
    """One change of a transition.

    Attributes
    ----------
    kind
        What is done to the transition.
    row
        Its id.
    number
        The number of the condition that is negated or dropped.
    term
        That condition.
    target
        The id of the state to which the changed transition leads.
    """

    kind: Kind
    row: str
    number: int = 0
    term: str = ""
    target: str = ""

    def __str__(self) -> str:
        match self.kind:
            case "removed":
                return f"without `{self.row}`"
            case "retargeted":
                return f"`{self.row}` leads to `{self.target}`"
            case "negated":
                return f"`{self.row}` asks for the opposite of `{self.term}`"
        return f"`{self.row}` does not ask for `{self.term}`"

    def changed(self, row: Transition) -> tuple[Transition, ...]:
        """Return what becomes of the transition."""
        guard = list(row.guard)
        match self.kind:
            case "removed":
                return ()
            case "retargeted":
                return (replace(row, target=self.target),)
            case "negated":
                term = guard[self.number]
                guard[self.number] = Term(term.fact, not term.value)
            case "unconditional":
                del guard[self.number]
        return (replace(row, guard=tuple(guard)),)


class Difference(msgspec.Struct, frozen=True):
    """Where a change shows: an event in a state, and what the conditions must say."""

    at: str
    event: str
    answers: Mapping[str, bool]


def mutants_of(model: Model) -> Iterator[Mutant]:
    """Yield the changes of a plain machine."""
    for row in model.transitions:
        if row.event == TOGETHER:
            continue
        yield Mutant("removed", row.id)
        target = _other_target(model, row.target) if row.target is not None else ""
        if target:
            yield Mutant("retargeted", row.id, target=target)
        for number, term in enumerate(row.guard):
            yield Mutant("negated", row.id, number, str(term))
            yield Mutant("unconditional", row.id, number, str(term))


def _other_target(model: Model, target: str) -> str:
    """Return another state beside the target of a transition, or ""."""
    parent = model.state(target).parent
    for leaf in model.leaves:
        if leaf.parent == parent and leaf.id != target and not leaf.stand_in:
            return leaf.id
    return ""


def differences(model: Model, mutant: Mutant) -> Iterator[Difference]:
    """Yield where a change shows, and for which answers of the conditions."""
    row = model.transition(mutant.row)
    for state in model.leaves:
        before = model.rows(state.id, row.event)
        if row not in before:
            continue
        after = list[Transition]()
        for one in before:
            after += mutant.changed(one) if one == row else [one]
        asked = chain.from_iterable(one.guard for one in before)
        facts = dict.fromkeys((term.fact for term in asked), False)
        for choices in every_choice():
            if _effect(before, choices) != _effect(after, choices):
                yield Difference(state.id, row.event, {**facts, **choices})


def _effect(rows: Sequence[Transition], answers: Mapping[str, bool]) -> object:
    """Return what the first transition that holds does, or whether the event is refused."""
    for row in rows:
        if all(answers[term.fact] is term.value for term in row.guard):
            return row.target, row.actions
    return bool(rows)


# machines -----------------------------------------------------------------------------------------


def change(machine: Any, mutant: Mutant, name: str) -> bool:
    """Change a machine if it is of this name and has the transition. Return whether it was
    changed.
    """
    read, is_changed = ReadMachine(machine), False
    for arrow in arrows(machine) if read.subject.name == name else ():
        transition = arrow.transition
        row = read.row(transition)
        if row is None or row.id != mutant.row:
            continue
        is_changed = True
        match mutant.kind:
            case "removed":
                _remove(machine, transition)
            case "retargeted":
                label = read.model.state(mutant.target).label
                transition.dest = label.removeprefix(arrow.scope + read.separator)
            case "negated":
                condition = transition.conditions[mutant.number]
                condition.target = not condition.target
            case "unconditional":
                condition = transition.conditions[mutant.number]
                condition.check = _yes_later if is_async(machine) else _yes
    return is_changed


def _remove(machine: Any, transition: Any) -> None:
    for event in events_of(machine):
        for source, rows in list(event.transitions.items()):
            rows[:] = [one for one in rows if one is not transition]
            if not rows:
                del event.transitions[source]


def _yes(event_data: object) -> bool:
    return True


async def _yes_later(event_data: object) -> bool:
    return True
