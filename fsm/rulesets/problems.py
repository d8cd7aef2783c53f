"""What is wrong with a table, each with its place and its remedy. A table is asked before it is
expanded, and once more when its Model is there.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Set
from typing import Any, get_args

from fsm.errors import shown, suggest
from fsm.model import By, Model
from fsm.model.graph import reachable_from
from fsm.model.valid import misfit
from fsm.rulesets.parts import (
    Act,
    At,
    Back,
    Cut,
    During,
    Named,
    Part,
    Phase,
    Step,
    Swap,
    Then,
    Window,
    several,
)
from fsm.rulesets.plan import POSSIBLE, Plan
from fsm.rulesets.windows import NOBODY, OF_WINDOWS, kind_of

_NAME = re.compile(r"[\w-]+")
_PLACES = ("before", "begin", "end", "after", "step", "again_end", "again_after")
_TAKEN = {Phase: ("turn", "game", "window"), Act: _PLACES, Window: _PLACES}
"""Names that have a meaning of their own: scopes, and states that every step has."""
_EMPTY = {
    "phases": 'there is no phase; write Table(name, Phase("first", Step("only", Window())))',
    "steps": "it has no step; a phase has at least one",
    "parts": 'it leads nowhere; write During(event, Act("what_happens"), ...)',
}
"""What is said if one of these fields is empty."""


def misshapen(parts: Iterable[At]) -> Iterator[str]:
    """Yield which parts are not what they should be by themselves."""
    for at in parts:
        yield from map(at.says, _shape(at))


def problems_of(plan: Plan) -> Iterator[str]:
    """Yield what is wrong with the names in a table. What they mean is looked at only if each is
    there once.
    """
    twice = [*_nested(plan.table.phases, ()), *_twice(plan), *_clashing(plan)]
    yield from twice
    facts = {*plan.known, *(fact.name for fact in plan.facts)}
    facts.update(OF_WINDOWS if plan.window else ())
    for at in plan.parts if not twice else ():
        yield from map(at.says, (*_meaning(plan, facts, at), *_unfit(plan, at)))


# shapes -------------------------------------------------------------------------------------------


def _shape(at: At) -> Iterator[str]:
    """Yield what is wrong with a part by itself."""
    part = at.part
    mixed = [step for step in getattr(part, "steps", ()) if isinstance(step, Part)]
    if mixed:
        name = getattr(mixed[0], "name", type(mixed[0]).__name__)
        yield f"steps and parts are mixed; put {name!r} into a Step"
    elif wrong := misfit(part):
        yield wrong
    else:
        yield from _misnamed(part)
        yield from [text for field, text in _EMPTY.items() if getattr(part, field, None) == ()]
        if isinstance(part, During):
            yield from _leading(part)


def _misnamed(part: Any) -> Iterator[str]:
    """Yield names that are none for programs, or that mean something else."""
    if not isinstance(part, Named | During | Cut):
        return
    name: str = getattr(part, "event", getattr(part, "name", ""))
    if name in _TAKEN.get(type(part), ()):
        yield f"the name {name!r} has a meaning of its own; give it another"
    for word in (name, *several(getattr(part, "ends", ())), *several(getattr(part, "decides", ()))):
        if not _NAME.fullmatch(word):
            better = re.sub(r"\W+", "_", word).strip("_") or f"my_{type(part).__name__.lower()}"
            yield (
                f"a name has letters, digits and underscores only, not {shown(word)}; "
                f"write {better!r}, and what people read as label"
            )


def _leading(during: During) -> Iterator[str]:
    if any(not isinstance(part, Act) for part in during.parts[:-1]):
        yield "actions come first, and then one Phase or Then"
    if any(getattr(part, "when", "") for part in during.parts):
        yield "its parts have no guards; write unless= or when= of the During"


# names --------------------------------------------------------------------------------------------


def _nested(phases: Iterable[Phase], around: tuple[str, ...]) -> Iterator[str]:
    """Yield phases that can begin within themselves."""
    for phase in phases:
        if phase.name in around:
            yield (
                f"phase {phase.name!r} can begin within itself; give the inner one another name, "
                f"or lead back with Then"
            )
        else:
            yield from _nested(phase.within, (*around, phase.name))


def _twice(plan: Plan) -> Iterator[str]:
    """Yield names that are there twice."""
    outer = [phase for phase in plan.table.phases if phase.name in plan.waiting]
    named = [("the table", "phase", phase.name) for phase in (*plan.phases, *outer)]
    named += [("the table", "step", step.name) for step in plan.steps]
    for at in plan.parts:
        if isinstance(at.part, Step):
            named += [(at.where, "part", stage.name) for stage in at.part.stages]
    for (where, what, name), times in Counter(named).items():
        if times > 1:
            yield f"{where}: {what} {name!r} is there twice; give one of them another name"


def _clashing(plan: Plan) -> Iterator[str]:
    """Yield names of families and cuts that mean something else, too."""
    for at in plan.parts:
        part = at.part
        if isinstance(part, Phase) and part.family in plan.named and part.family != part.name:
            yield at.says(f"its family is called like the phase {part.family!r}")
        elif isinstance(part, Cut) and at.phase:
            others = [other for other in plan.signals[part.event] if other.phase is at.phase]
            if isinstance(others[0].part, During):
                yield at.says(f"event {part.event!r} is a During of the same phase; rename one")


# what names mean ----------------------------------------------------------------------------------


def _meaning(plan: Plan, facts: Set[str], at: At) -> Iterator[str]:
    """Yield names that nothing has, and words that mean nothing here."""
    part, table = at.part, plan.table
    for term in at.guard:
        yield from _guard(term.fact, facts)
    if isinstance(part, Act | Window):
        by = part.by or "active"
        roles = [*get_args(By), *(role.name for role in table.roles)]
        roles += [NOBODY] * isinstance(part, Window)
        yield from _unknown("by=", by, roles, f"; declare it: roles=Role({by!r})")
    elif isinstance(part, Swap):
        yield from _unknown("phase ", part.to, plan.named)
    elif isinstance(part, Then) and not isinstance(part, Back) and at.phase and at.step:
        yield from _led_out(plan, part.to, at.phase)
    for word in getattr(part, "lacking", ()):
        yield from _unknown("lacks: ", word, POSSIBLE)


def _unfit(plan: Plan, at: At) -> Iterator[str]:
    """Yield durations that a table with durations does not list, and windows without this way to
    pass.
    """
    listed = [one.what for one in plan.table.durations]
    for name in at.marks if listed else ():
        yield from _unknown("duration ", name, listed)
    passing = getattr(at.part, "passing", "")
    if passing and kind_of(plan.table, at.part) != "alternating":
        yield f"passing={passing!r} belongs to alternating windows"


def _guard(fact: str, known: Set[str]) -> Iterator[str]:
    if " or " in fact:
        yield from _unknown(
            "fact ", fact, (), "; a guard has no 'or': write one part for each case"
        )
    else:
        remedy = f"; let an action decide it, Act(..., decides={fact!r}), or list it in facts"
        yield from _unknown("fact ", fact, known, remedy)


def _led_out(plan: Plan, to: str, phase: Phase) -> Iterator[str]:
    """Yield why the turn cannot go from within a phase to a step, if it is one of another phase."""
    for home in plan.phases:
        if home is not phase and any(step.name == to for step in home.steps):
            yield (
                f"{to!r} is a step of phase {home.name!r}; write Then('end_of_phase') "
                f"here, and Phase({phase.name!r}, ..., then=Then({home.name!r}))"
            )


def _unknown(what: str, name: str, known: Collection[str], remedy: str = "") -> Iterator[str]:
    if name not in known:
        near = suggest(name, known, limit=0) or remedy or suggest(name, known)
        yield f"{what}{name!r} is unknown{near}"


# guards that are read too early -------------------------------------------------------------------


def read_too_early(plan: Plan, model: Model) -> Iterator[str]:
    """Yield guards of a table that read a fact before anything in the turn can decide it."""
    decided = _decided(model)
    for at in plan.parts:
        for term in at.guard:
            if _here(at) not in decided.get(term.fact, {_here(at)}):
                act = plan.homes[term.fact].part.name
                yield at.says(
                    f"{term.fact!r} is decided by {act!r}, which always comes later in the turn, "
                    f"so here it is always false; decide it earlier"
                )


def _decided(model: Model) -> dict[str, Set[str]]:
    """The stages in which each fact of a turn may have been decided in this turn."""
    onward = {state.id: [state.parent] * bool(state.parent) for state in model.states}
    for row in model.transitions:
        if row.target is not None and not row.generic and row.target != "turn_begin":
            onward[row.source].append(row.target)
    decided: dict[str, Set[str]] = {}
    for fact in model.facts:
        if fact.last and fact.scope != "game":
            tell = [state.id for state in model.states if fact.name in state.tells]
            decided[fact.name] = reachable_from(tell, onward.__getitem__)
    return decided


def _here(at: At) -> str:
    """The place in which the guard of a part is read: the beginning of a step or phase, or all."""
    if at.phase is None:
        return "turn"
    name = place = f"{at.phase.name}_phase"
    if at.step is not None:
        name, place = at.step.name, f"{at.step.name}_step"
    return f"{name}_before" if at.word in ("unless", "swap") else place
