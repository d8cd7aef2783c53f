"""What is wrong with a table, each with its place and its remedy. A table is asked before it is
expanded, and once more when its Model is there.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from typing import TYPE_CHECKING, Any, get_args

from fsm.errors import shown, suggest
from fsm.model import By, Model, Role
from fsm.model.graph import reachable_from
from fsm.model.valid import misfit
from fsm.rulesets.expand import facts as facts_of_frame
from fsm.rulesets.parts import (
    END_OF_PHASE,
    Act,
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
from fsm.rulesets.places import At, parts_of
from fsm.rulesets.plan import KNOWN, POSSIBLE, Plan, marks_of
from fsm.rulesets.windows import NOBODY, OF_WINDOWS

if TYPE_CHECKING:
    from fsm.rulesets.table import Table

_NAME = re.compile(r"[\w-]+")
_RESERVED = ("turn", "game", "window")
"""Names of scopes, which no phase can have."""
_PLACES = ("before", "begin", "end", "after", "step", "again_end", "again_after")
"""Names of states that every step has."""


def problems_of(table: Table) -> list[str]:
    """Return what is wrong. Names are looked at only if each part is what it should be, and what
    they mean only if each is there once.
    """
    found = [_placed(at, wrong) for at in parts_of(table) for wrong in _shape(at.part)]
    if found:
        return found
    plan = Plan(table)
    found = [*_nested(table.phases, ()), *_names(plan)]
    if found:
        return found
    facts = {fact.name for fact in (*plan.facts, *facts_of_frame(plan))}
    for at in plan.parts:
        wrong = *_facts(at, facts), *_durations(plan, at), *_meaning(plan, at), *_targets(plan, at)
        found += [_placed(at, problem) for problem in wrong]
    return found


def _placed(at: At, problem: str) -> str:
    return f"{at.where}: {problem}" if at.where else problem


# shapes -------------------------------------------------------------------------------------------


def _shape(part: Any) -> Iterator[str]:
    """Yield what is wrong with a part by itself."""
    found = [*_misnamed(part)]
    if isinstance(part, During):
        found += _leading(part)
    elif isinstance(part, Phase):
        found += _mixed(part)
    elif getattr(part, "phases", None) == ():
        found.append('there is no phase; write Table(name, Phase("first", Step("only", Window())))')
    yield from found or filter(None, [misfit(part)])


def _misnamed(part: Any) -> Iterator[str]:
    name: Any = getattr(part, "event", getattr(part, "name", None))
    checked = isinstance(part, Named | During | Cut | Role) and isinstance(name, str)
    if checked and not _NAME.fullmatch(name):
        better = re.sub(r"\W+", "_", name).strip("_") or f"my_{type(part).__name__.lower()}"
        yield (
            f"a name has letters, digits and underscores only, not {shown(name)}; "
            f"write {better!r}, and what people read as label"
        )


def _mixed(phase: Phase) -> Iterator[str]:
    if phase.name in _RESERVED:
        yield f"this name has a meaning of its own; write '{phase.name}_phase'"
    if not phase.steps:
        yield "it has no step; a phase has at least one"
    steps: tuple[object, ...] = phase.steps
    mixed = any(isinstance(step, Step) for step in steps)
    for part in steps:
        if mixed and isinstance(part, Part):
            name = getattr(part, "name", type(part).__name__)
            yield f"steps and parts are mixed; put {name!r} into a Step"


def _leading(during: During) -> Iterator[str]:
    if not during.parts:
        yield f'it leads nowhere; write During("{during.event}", Act("what_happens"), ...)'
    for part in during.parts:
        kind = type(part).__name__
        if isinstance(part, Act | Then) and part.when:
            yield f"{kind} has a guard; write unless= or when= of the During"
        if not isinstance(part, Act) and part is not during.parts[-1]:
            yield f"a {kind} comes last; actions come before it"


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


def _names(plan: Plan) -> Iterator[str]:
    """Yield names that are there twice, or mean something else."""
    twice = [phase.name for phase in plan.table.phases if phase.name in plan.waiting]
    yield from _twice("phase", [*(phase.name for phase in plan.phases), *twice], "the table")
    yield from _twice("step", (step.name for step in plan.steps), "the table")
    for at in plan.parts:
        part, phase = at.part, at.phase
        if isinstance(part, Phase) and part.family in plan.named and part.family != part.name:
            yield f"{at.where}: its family is called like the phase {part.family!r}"
        elif isinstance(part, Step):
            names = [stage.name for stage in part.stages]
            yield from _twice("part", names, at.where)
            for name in set(names).intersection(_PLACES):
                yield f"{at.where}: every step has a place {name!r}; give the part another name"
        elif isinstance(part, During) and phase:
            for cut in several(phase.cut):
                if cut.event == part.event:
                    where = f"phase {phase.name!r}, cut: event {cut.event!r}"
                    yield f"{where} is a During of the same phase; rename one"


def _twice(what: str, names: Iterable[str], where: str) -> Iterator[str]:
    for name, times in Counter(names).items():
        if times > 1:
            yield f"{where}: {what} {name!r} is there twice; give one of them another name"


def _unknown(what: str, name: str, known: Collection[str]) -> Iterator[str]:
    if name not in known:
        yield f"{what}{name!r} is unknown{suggest(name, filter(None, known))}"


# what names mean ----------------------------------------------------------------------------------


def _meaning(plan: Plan, at: At) -> Iterator[str]:
    """Yield unknown roles and other words, and windows that say what their kind cannot do."""
    part = at.part
    if isinstance(part, Act):
        yield from _role(plan, part.by)
    elif isinstance(part, Window):
        yield from _window(plan, part)
    elif isinstance(part, Role) and part.name in (*get_args(By), NOBODY):
        yield f"{part.name!r} is known to every table; leave it out"
    elif part is plan.table:
        for word in plan.table.lacking:
            yield from _unknown("lacks: ", word, POSSIBLE)


def _targets(plan: Plan, at: At) -> Iterator[str]:
    """Yield steps and phases that are named and not there."""
    part, phase, step = at.part, at.phase, at.step
    if isinstance(part, Swap):
        yield from _unknown("phase ", part.to, plan.named)
    elif isinstance(part, Cut):
        what, places = ("step ", phase.steps) if phase else ("phase ", plan.table.phases)
        yield from _unknown(what, part.to, ["", *(place.name for place in places)])
    elif isinstance(part, Then) and not isinstance(part, Back) and phase and step:
        yield from _target(plan, at, phase)
    elif isinstance(part, During) and step:
        for during, then in step.leavings:
            if during.event == part.event and part.then and part.then.to != then.to:
                yield f"the event leads to {then.to!r}, too; rename one"


def _target(plan: Plan, at: At, phase: Phase) -> Iterator[str]:
    """Yield why the turn cannot go to a step from within this phase."""
    known = {step.name: home for home in plan.phases for step in home.steps}
    name = at.part.to
    home = known.get(name, phase)
    if home is not phase:
        yield (
            f"{name!r} is a step of phase {home.name!r}; write Then('end_of_phase') "
            f"here, and Phase({phase.name!r}, ..., then=Then({home.name!r}))"
        )
    yield from _unknown("step ", name, [*known, *[END_OF_PHASE] * (at.word == "then")])


def _window(plan: Plan, window: Window) -> Iterator[str]:
    own = not isinstance(plan.table.window, Model)
    if not own and (window.kind or window.by or window.passing):
        yield "the table has a window of its own, so kind, by and passing say nothing"
    elif window.passing and plan.kind_of(window) != "alternating":
        yield f"passing={window.passing!r} belongs to alternating windows"
    elif own and window.opens == "conditional_round":
        yield f"opens={window.opens!r} belongs to a Model of the window"
    if window.by != NOBODY:
        yield from _role(plan, window.by or "active")


def _role(plan: Plan, by: str) -> Iterator[str]:
    known = [*get_args(By), *(role.name for role in several(plan.table.roles))]
    if by not in known:
        near = suggest(by, known, limit=0) or f"; declare it: roles=Role({by!r})"
        yield f"by={by!r} is unknown{near}"


# facts and durations ------------------------------------------------------------------------------


def _facts(at: At, known: set[str]) -> Iterator[str]:
    """Yield facts that a guard reads and nobody knows."""
    for term in at.guard:
        if term.fact not in known:
            remedy = suggest(term.fact, {*known, *KNOWN, *OF_WINDOWS}, limit=0)
            if " or " in term.fact:
                remedy = "; a guard has no 'or': write one part for each case"
            elif not remedy:
                decide = f"Act(..., decides={term.fact!r})"
                remedy = f"; let an action decide it, {decide}, or list it in facts"
            yield f"fact {term.fact!r} is unknown{remedy}"


def _durations(plan: Plan, at: At) -> Iterator[str]:
    """Yield durations whose names are none, and, if the table lists its durations, those that it
    does not list.
    """
    listed = {one.what for one in several(plan.table.durations) if one.moment == "mark"}
    ends = marks_of(at) if isinstance(at.part, Act | Phase) else ()
    for name in ends:
        if not _NAME.fullmatch(name):
            better = re.sub(r"\W+", "_", name).strip("_")
            yield f"the duration {name!r} has no name for programs; write {better!r}"
        elif plan.table.durations and name not in listed:
            remedy = suggest(name, listed, limit=0)
            remedy = remedy or f"; add Duration({name!r}, 'mark', {name!r}) to durations"
            yield f"no duration ends by {name!r}{remedy}"


def read_too_early(plan: Plan, model: Model) -> Iterator[str]:
    """Yield guards of a table that read a fact before anything in the turn can decide it."""
    decided = _decided(model)
    for at in plan.parts:
        for term in at.guard:
            if at.reads and at.reads not in decided.get(term.fact, {at.reads}):
                act = plan.homes[term.fact].part.name
                yield (
                    f"{at.where}: {term.fact!r} is decided by {act!r}, which always comes later in "
                    f"the turn, so here it is always false; decide it earlier"
                )


def _decided(model: Model) -> dict[str, set[str]]:
    """The states in which each fact of a turn may have been decided in this turn."""
    onward: dict[str, list[str]] = {}
    for row in model.transitions:
        if row.target is not None and not row.generic and row.target != "turn_begin":
            onward.setdefault(row.source, []).append(row.target)

    def after(here: str) -> Iterator[str]:
        for state in model.path(here):
            yield from onward.get(state.id, ())

    found: dict[str, set[str]] = {}
    for fact in model.facts:
        if fact.last and fact.scope != "game":
            found[fact.name] = set()
            tell = [state.id for state in model.states if fact.name in state.tells]
            for id in reachable_from(tell, after):
                found[fact.name].update(state.id for state in model.path(id))
    return found
