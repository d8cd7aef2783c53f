"""What is wrong with a table, each with its place and its remedy. A table is asked before it is
expanded, and once more when its Model is there.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Any, get_args

from fsm.errors import shown, suggest
from fsm.model import By, Model, Role
from fsm.model.fieldtypes import misfit
from fsm.model.reachability import reachable_from
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
    words,
)
from fsm.rulesets.plan import KNOWN, OF_WINDOWS, POSSIBLE, At, Plan, marks_of
from fsm.rulesets.windows import NOBODY

if TYPE_CHECKING:
    from fsm.rulesets.table import Table

_NAME = re.compile(r"[\w-]+")
_RESERVED = ("turn", "game", "window")
"""Names of scopes, which no phase can have."""
_PLACES = frozenset(("before", "begin", "end", "after", "step", "again_end", "again_after"))
"""Names of states that every step has."""


def problems_of(table: Table) -> Iterator[str]:
    """Yield what is wrong. Names are looked at only if each part is what it should be."""
    found = [*_shapes(table, "")]
    if not found:
        plan = Plan(table)
        found = [*_names(plan), *_nesting(table)]
        checks = (_lacks, _targets, _windows, _roles, _guards, _ends)
        found = found or [problem for check in checks for problem in check(plan)]
    yield from found


# shapes -------------------------------------------------------------------------------------------


def _shapes(part: Any, where: str) -> Iterator[str]:
    """Yield what is wrong with a part of a table by itself, and with those inside it."""
    found = [*_misnamed(part), *_misbuilt(part)]
    wrong = misfit(part)
    if wrong and not found:
        found.append(wrong)
    for problem in found:
        yield f"{where}: {problem}" if where else problem
    for field in fields(part) if is_dataclass(part) else ():
        for number, inner in enumerate(several(getattr(part, field.name)), 1):
            if isinstance(inner, Phase):
                yield from _shapes(inner, f"phase {shown(inner.name)}")
            elif isinstance(inner, Step):
                yield from _shapes(inner, f"{where}, step {shown(inner.name)}")
            elif isinstance(inner, During):
                yield from _shapes(inner, f"{where}, during {shown(inner.event)}")
            elif field.name == "does":
                yield from _shapes(inner, f"{where}, part {number}")
            elif is_dataclass(inner) or isinstance(inner, Role):
                yield from _shapes(inner, where)


def _misnamed(part: Any) -> Iterator[str]:
    if not isinstance(part, Named | During | Cut | Role):
        return
    name: Any = part.event if isinstance(part, During | Cut) else part.name
    if isinstance(name, str) and not _NAME.fullmatch(name):
        better = re.sub(r"\W+", "_", name).strip("_") or f"my_{type(part).__name__.lower()}"
        yield (
            f"a name has letters, digits and underscores only, not {shown(name)}; "
            f"write {better!r}, and what people read as label"
        )


def _misbuilt(part: Any) -> Iterator[str]:
    """Yield what types do not say: how parts stand in a phase, in a During and in a table."""
    if getattr(part, "phases", None) == ():
        yield 'there is no phase; write Table(name, Phase("first", Step("only", Window())))'
    if isinstance(part, During):
        yield from _leading(part)
    if isinstance(part, Phase):
        if part.name in _RESERVED:
            yield f"this name has a meaning of its own; write '{part.name}_phase'"
        if not part.steps:
            yield "it has no step; a phase has at least one"
        steps: tuple[object, ...] = part.steps
        mixed = any(isinstance(step, Step) for step in steps)
        for step in steps if mixed else ():
            if isinstance(step, Part):
                name = getattr(step, "name", type(step).__name__)
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


def _names(plan: Plan) -> Iterator[str]:
    """Yield names that are there twice."""
    twice = [phase.name for phase in plan.table.phases if phase.name in plan.outer]
    yield from _twice("phase", [*(phase.name for phase in plan.phases), *twice], "the table")
    yield from _twice("step", (step.name for step in plan.steps), "the table")
    for phase in plan.phases:
        if phase.family in plan.named and phase.family != phase.name:
            yield f"phase {phase.name!r}: its family is called like the phase {phase.family!r}"
        events = set[str]()
        for step in phase.steps:
            where = f"phase {phase.name!r}, step {step.name!r}"
            parts = [stage.name for stage in step.stages]
            for name in _PLACES.intersection(parts):
                yield f"{where}: every step has a place {name!r}; give the part another name"
            for during in step.durings:
                events.add(during.event)
                parts += [act.name for act in during.acts]
            yield from _twice("part", parts, where)
        for cut in phase.cuts:
            if cut.event in events:
                yield (
                    f"phase {phase.name!r}, cut: event {cut.event!r} is a During of the same "
                    f"phase; rename one"
                )


def _twice(what: str, names: Iterable[str], where: str) -> Iterator[str]:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            yield f"{where}: {what} {name!r} is there twice; give one of them another name"
        seen.add(name)


def _nesting(table: Table) -> Iterator[str]:
    """Yield phases that can begin within themselves."""

    def inside(phase: Phase, around: tuple[str, ...]) -> Iterator[str]:
        if phase.name in around:
            yield (
                f"phase {phase.name!r} can begin within itself; give the inner one another name, "
                f"or lead back with Then"
            )
            return
        for inner in phase.within:
            yield from inside(inner, (*around, phase.name))

    for phase in table.phases:
        yield from inside(phase, ())


def _lacks(plan: Plan) -> Iterator[str]:
    for word in words(plan.table.lacks):
        yield from _unknown("lacks", "", word, POSSIBLE)


# targets ------------------------------------------------------------------------------------------


def _targets(plan: Plan) -> Iterator[str]:
    """Yield steps and phases that are named and not there."""
    led = dict[tuple[str, str], str]()
    for at in plan.parts:
        part, phase, step = at.part, at.phase, at.step
        if isinstance(part, Swap):
            yield from _unknown(at.where, "phase ", part.phase, plan.named)
        elif isinstance(part, Cut) and phase is not None:
            yield from _unknown(at.where, "step ", part.to, ["", *(s.name for s in phase.steps)])
        elif isinstance(part, Cut):
            phases = ["", *(phase.name for phase in plan.table.phases)]
            yield from _unknown(at.where, "phase ", part.to, phases)
        elif isinstance(part, Then) and at.word == "then" and step is not None:
            yield from _step_of(plan, at, END_OF_PHASE)
        elif isinstance(part, Then) and step is not None and not isinstance(part, Back):
            yield from _step_of(plan, at)
            to = led.setdefault((step.name, at.word), part.to)
            if to != part.to:
                yield f"{at.where}: the event leads to {to!r}, too; rename one"


def _step_of(plan: Plan, at: At, *more: str) -> Iterator[str]:
    """Yield why the turn cannot go to a step from within this phase."""
    known = {step.name: phase for phase in plan.phases for step in phase.steps}
    name, phase = at.part.to, at.phase
    home = known.get(name, phase)
    if phase is not None and home is not None and home is not phase:
        yield (
            f"{at.where}: {name!r} is a step of phase {home.name!r}; write Then('end_of_phase') "
            f"here, and Phase({phase.name!r}, ..., then=Then({home.name!r}))"
        )
    yield from _unknown(at.where, "step ", name, [*known, *more])


def _unknown(where: str, what: str, name: str, known: Collection[str]) -> Iterator[str]:
    if name not in known:
        yield f"{where}: {what}{name!r} is unknown{suggest(name, filter(None, known))}"


# who acts -----------------------------------------------------------------------------------------


def _windows(plan: Plan) -> Iterator[str]:
    """Yield windows that say what their kind cannot do."""
    own = not isinstance(plan.table.window, Model)
    for at in plan.parts:
        window = at.part
        if not isinstance(window, Window):
            continue
        where = f"{at.home}window {window.name!r}"
        if not own and (window.kind or window.by or window.passing):
            own_model = "the table has a window of its own"
            yield f"{where}: {own_model}, so kind, by and passing say nothing"
        elif window.passing and plan.kind_of(window) != "alternating":
            yield f"{where}: passing={window.passing!r} belongs to alternating windows"
        elif own and window.opens == "conditional_round":
            yield f"{where}: opens={window.opens!r} belongs to a Model of the window"


def _roles(plan: Plan) -> Iterator[str]:
    """Yield who performs an action or acts in a window, and is nobody."""
    known = [*get_args(By)]
    for role in several(plan.table.roles):
        if role.name in (*known, NOBODY):
            yield f"roles: {role.name!r} is known to every table; leave it out"
    known += [role.name for role in several(plan.table.roles)]
    for at in plan.parts:
        part = at.part
        if isinstance(part, Act):
            yield from _undeclared(f"{at.home}act {part.name!r}", part.by, known)
        elif isinstance(part, Window):
            where = f"{at.home}window {part.name!r}"
            yield from _undeclared(where, part.by or NOBODY, [*known, NOBODY])


def _undeclared(where: str, by: str, known: list[str]) -> Iterator[str]:
    if by not in known:
        near = suggest(by, known, limit=0) or f"; declare it: roles=Role({by!r})"
        yield f"{where}: by={by!r} is unknown{near}"


# facts --------------------------------------------------------------------------------------------


def _guards(plan: Plan) -> Iterator[str]:
    """Yield facts that guards read and nobody knows."""
    known = {fact.name for fact in (*plan.facts, *facts_of_frame(plan))}
    offered = known | set(KNOWN) | set(OF_WINDOWS)
    rows = [(f"transition {row.id!r}", row.guard) for row in several(plan.table.transitions)]
    for where, terms in (*((at.where, at.guard) for at in plan.parts), *rows):
        for term in terms:
            if term.fact in known:
                continue
            remedy = suggest(term.fact, offered, limit=0)
            if " or " in term.fact:
                remedy = "; a guard has no 'or': write one part for each case"
            elif not remedy:
                decide = f"Act(..., decides={term.fact!r})"
                remedy = f"; let an action decide it, {decide}, or list it in facts"
            yield f"{where}: fact {term.fact!r} is unknown{remedy}"


def read_too_early(plan: Plan, model: Model) -> Iterator[str]:
    """Yield guards of a table that read a fact before anything in the turn can decide it."""
    onward: dict[str, list[str]] = {}
    for row in model.transitions:
        if row.target is not None and not row.generic and row.target != "turn_begin":
            onward.setdefault(row.source, []).append(row.target)

    def after(here: str) -> Iterator[str]:
        for state in model.path(here):
            yield from onward.get(state.id, ())

    decided = dict[str, set[str]]()
    for fact in model.facts:
        if fact.last and fact.scope != "game":
            tell = [state.id for state in model.states if fact.name in state.tells]
            places = [model.path(state) for state in reachable_from(tell, after)]
            decided[fact.name] = {state.id for path in places for state in path}
    for at in plan.parts:
        for term in at.guard:
            if at.reads and at.reads not in decided.get(term.fact, {at.reads}):
                act = plan.homes[term.fact].part.name
                yield (
                    f"{at.where}: {term.fact!r} is decided by {act!r}, which always comes later in "
                    f"the turn, so here it is always false; decide it earlier"
                )


def _ends(plan: Plan) -> Iterator[str]:
    """Yield durations whose names are none, and, if the table lists its durations, those that it
    does not list.
    """
    durations = several(plan.table.durations)
    listed = {duration.what for duration in durations if duration.moment == "mark"}
    places = [(f"phase {phase.name!r}", phase.ends) for phase in plan.phases if phase.ends]
    for at in plan.acts:
        where = f"{at.home}action {at.part.name!r}"
        places += [(where, name) for name in marks_of(at.part, at.phase)]
    for where, name in places:
        if not _NAME.fullmatch(name):
            better = re.sub(r"\W+", "_", name).strip("_")
            yield f"{where}: the duration {name!r} has no name for programs; write {better!r}"
        elif durations and name not in listed:
            remedy = suggest(name, listed, limit=0)
            remedy = remedy or f"; add Duration({name!r}, 'mark', {name!r}) to durations"
            yield f"{where}: no duration ends by {name!r}{remedy}"
