"""The small changes of a machine of the `transitions` library that a mutation run tries.

DeMillo, Lipton and Sayward, "Hints on test data selection" (1978). A change that no sequence of
events can distinguish from the machine is left out: all answers that the conditions of an event can
give in a state are compared.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import product
from typing import Any

from msgspec.structs import replace

from fsm.adapters.building import TOGETHER
from fsm.adapters.callbacks import name_of
from fsm.adapters.reading import arrows, places
from fsm.coverage.instrumentation.identifying import ReadMachine
from fsm.model import Model, Term, Transition
from fsm.model.elements import guard_text

MOST_FACTS = 12
"""With more conditions than this in one decision, not all their answers are compared, and nothing
is left out.
"""
OF_TRANSITIONS = ("prepare", "before", "after")
OF_STATES = ("on_enter", "on_exit", "on_final")
OF_MACHINES = (
    "prepare_event",
    "before_state_change",
    "after_state_change",
    "finalize_event",
    "on_final",
)


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change.

    Attributes
    ----------
    kind
        "removed", "retargeted", "negated", "unconditional", "callback" or "initial".
    text
        The change in words.
    row
        The id of the transition that is changed, or "".
    number
        The number of the condition or callback in its list.
    name
        The condition or callback.
    callbacks
        The list that the callback is in, such as "before" or "on_enter".
    state
        The state whose callback is dropped, or the state that is the new target or the new initial
        one.
    target
        The id of the state in which an object is after the new target was entered.
    """

    kind: str
    text: str
    row: str = ""
    number: int = 0
    name: str = ""
    callbacks: str = ""
    state: str = ""
    target: str = ""

    def to_json(self) -> dict[str, Any]:
        """Return the fields."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Difference:
    """Where a change shows: an event in a state, and what the conditions must say."""

    at: str
    event: str
    answers: Mapping[str, bool]


def mutants_of(machine: Any) -> tuple[tuple[Mutant, ...], tuple[Mutant, ...]]:
    """Return the changes of a machine, and apart from them those that make no difference."""
    known = ReadMachine(machine)
    every = tuple({mutant.text: mutant for mutant in _mutants(machine, known)}.values())
    same = tuple(
        m
        for m in every
        if m.row and m.kind != "callback" and next(differences(known.model, m), None) is None
    )
    return tuple(mutant for mutant in every if mutant not in same), same


def _mutants(machine: Any, known: ReadMachine) -> Iterator[Mutant]:
    for arrow in arrows(machine):
        row = known.row(arrow.transition)
        if row is None or row.event == TOGETHER:
            continue
        yield Mutant("removed", f"without `{row.id}`", row.id)
        yield from _retargeted(machine, known, arrow, row)
        for number, term in enumerate(row.guard):
            yield Mutant(
                "negated",
                f"`{row.id}` asks for the opposite of `{term}`",
                row.id,
                number,
                term.fact,
            )
            yield Mutant(
                "unconditional", f"`{row.id}` does not ask for `{term}`", row.id, number, term.fact
            )
        for callbacks in OF_TRANSITIONS:
            for number, name in _named(arrow.transition, callbacks):
                yield Mutant(
                    "callback",
                    f"`{row.id}` does not call `{name}`",
                    row.id,
                    number,
                    name,
                    callbacks,
                )
    for place in places(machine):
        for callbacks in OF_STATES:
            for number, name in _named(place.state, callbacks):
                text = f"`{callbacks}` of `{place.id}` does not call `{name}`"
                yield Mutant("callback", text, "", number, name, callbacks, place.id)
    for callbacks in OF_MACHINES:
        for number, name in _named(machine, callbacks):
            yield Mutant(
                "callback",
                f"`{callbacks}` of the machine does not call `{name}`",
                "",
                number,
                name,
                callbacks,
            )
    yield from _started(machine, known.model)


def _named(owner: Any, callbacks: str) -> list[tuple[int, str]]:
    return list(enumerate(map(name_of, getattr(owner, callbacks, None) or ())))


def _retargeted(machine: Any, known: ReadMachine, arrow: Any, row: Transition) -> Iterator[Mutant]:
    """Yield the transition with the target of the next one that has another, or else with any other
    state.
    """
    if row.target is None:
        return
    every = arrows(machine)
    here = next(number for number, one in enumerate(every) if one.transition is arrow.transition)
    for other in (*every[here + 1 :], *every[:here]):
        theirs = known.row(other.transition)
        if (
            other.scope == arrow.scope
            and theirs is not None
            and theirs.target not in (None, row.target)
        ):
            yield _leading(row, str(other.transition.dest), str(theirs.target))
            return
    for place in places(machine):
        if place.parent == arrow.scope and not place.inside and place.id != row.target:
            yield _leading(row, place.label, place.id)
            return


def _leading(row: Transition, state: str, target: str) -> Mutant:
    return Mutant(
        "retargeted", f"`{row.id}` leads to `{target}`", row.id, state=state, target=target
    )


def _started(machine: Any, model: Model) -> Iterator[Mutant]:
    for place in places(machine):
        if not place.parent and not place.inside and place.id != model.initial:
            text = f"it begins in `{place.id}`, not in `{model.initial}`"
            yield Mutant("initial", text, state=place.id, target=model.initial)
            return


# what makes a difference --------------------------------------------------------------------------


def differences(model: Model, mutant: Mutant) -> Iterator[Difference]:
    """Yield where the change of a transition shows, and for which answers of the conditions."""
    row = model.transition(mutant.row)
    for state in model.leaves:
        before = model.rows(state.id, row.event)
        if row not in before:
            continue
        after = tuple(
            one for old in before for one in (_changed(old, mutant) if old == row else (old,))
        )
        facts = list(dict.fromkeys(term.fact for one in before for term in one.guard))
        if len(facts) > MOST_FACTS:
            yield Difference(state.id, row.event, {term.fact: term.value for term in row.guard})
            continue
        for values in product((True, False), repeat=len(facts)):
            answers = dict(zip(facts, values, strict=True))
            if _effect(before, answers) != _effect(after, answers):
                yield Difference(state.id, row.event, answers)


def _changed(row: Transition, mutant: Mutant) -> tuple[Transition, ...]:
    guard = list(row.guard)
    match mutant.kind:
        case "removed":
            return ()
        case "retargeted":
            return (replace(row, target=mutant.target),)
        case "negated":
            negated = guard[mutant.number]
            guard[mutant.number] = Term(negated.fact, not negated.value)
        case "unconditional":
            del guard[mutant.number]
    return (replace(row, guard=tuple(guard)),)


def _effect(rows: Sequence[Transition], answers: Mapping[str, bool]) -> object:
    """Return what the first transition that holds does; None if none does, and "refused" if there
    is none at all.
    """
    if not rows:
        return "refused"
    for row in rows:
        if all(answers[term.fact] is term.value for term in row.guard):
            return row.target, row.actions
    return None


def answers_text(answers: Mapping[str, bool]) -> str:
    """Return the answers as a guard is written."""
    return guard_text((Term(fact, value) for fact, value in answers.items()), " and ")
