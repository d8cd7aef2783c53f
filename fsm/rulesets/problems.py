"""What is wrong with a table, each with its place and its remedy. A table is asked before it is
expanded.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from typing import Any, get_args

from msgspec import Struct

from fsm.errors import shown, suggest
from fsm.model import By, Model, Role
from fsm.model.fieldtypes import misfit
from fsm.rulesets.expand import facts as facts_of_frame
from fsm.rulesets.parts import (
    END_OF_PHASE,
    Act,
    During,
    Either,
    FrameRules,
    Kind,
    Part,
    Phase,
    Step,
    Then,
    several,
    stages,
    words,
)
from fsm.rulesets.plan import KNOWN, OF_WINDOWS, POSSIBLE, Plan, acts, guards, marks_of
from fsm.rulesets.rows import guard
from fsm.rulesets.tableparts import TableParts
from fsm.rulesets.windows import NOBODY

_NAME = re.compile(r"[\w-]+")
_RESERVED = ("turn", "game", "window")
"""Names of scopes, which no phase can have."""


_PLACES = frozenset(("before", "begin", "end", "after", "step", "again_end", "again_after"))
"""Names of states that every step has."""


def problems_of(table: TableParts) -> Iterator[str]:
    """Yield what is wrong. Only if each part is what it should be, the names in it are looked at."""
    found = [*_shapes(table)] or [*_fields("", table)]
    if not found:
        plan = Plan(table)
        found = [*_names(plan), *_nesting(table)]
        checks = (_targets, _windows, _roles, _guards, _ends, _order)
        found = found or [problem for check in checks for problem in check(plan)]
    yield from found


# shapes -------------------------------------------------------------------------------------------


def _shapes(table: Any) -> Iterator[str]:
    """Yield what is no part of a table, and fields whose values are not of their types."""
    if not isinstance(table.rules, FrameRules):
        yield f"rules is {shown(table.rules)}; write rules=FrameRules(...)"
    if not isinstance(table.window, Model) and table.window not in get_args(Kind):
        kinds = get_args(Kind)
        yield f"window: kind {shown(table.window)} is unknown{suggest(str(table.window), kinds)}"
    for word in words(str(table.lacks)):
        if word not in POSSIBLE:
            yield f"lacks: {word!r} is unknown{suggest(word, POSSIBLE)}"
    if table.order not in ("alternating", "token"):
        known = ("alternating", "token")
        yield f"order {shown(table.order)} is unknown{suggest(str(table.order), known)}"
    if not table.phases:
        yield 'there is no phase; write Table(name, Phase("first", Step("only", Window())))'
    for number, phase in enumerate(table.phases, 1):
        if isinstance(phase, Phase):
            yield from _phase(phase, f"phase {shown(phase.name)}")
        else:
            yield f"phase {number} is {shown(phase)}, but must be a Phase"


def _phase(phase: Any, where: str) -> Iterator[str]:
    yield from _name("phase", phase.name, where)
    if phase.name in _RESERVED:
        yield f"{where}: this name has a meaning of its own; write '{phase.name}_phase'"
    if not phase.steps:
        yield f"{where}: it has no step; a phase has at least one"
    mixed = any(isinstance(step, Step) for step in phase.steps)
    for number, step in enumerate(phase.steps, 1):
        if isinstance(step, Step):
            yield from _step(step, f"{where}, step {shown(step.name)}")
        elif mixed and isinstance(step, Part):
            name = getattr(step, "name", type(step).__name__)
            yield f"{where}: steps and parts are mixed; put {name!r} into a Step"
        else:
            yield f"{where}: step {number} is {shown(step)}, but must be a Step"
    parts = (*several(phase.absent), *several(phase.then), *several(phase.cut))
    yield from _fields(where, phase, phase.swap, *parts)


def _step(step: Any, where: str) -> Iterator[str]:
    yield from _name("step", step.name, where)
    good = True
    for number, part in enumerate(step.does, 1):
        place = f"{where}, part {number}"
        if not isinstance(part, Part):
            good = False
            yield f"{place} is {shown(part)}, but must be an Act, Window, Either, Again or Back"
            continue
        yield from _fields(place, part, *(stages(part) if isinstance(part, Either) else ()))
        for stage in stages(part):
            yield from _name("part", stage.name, where)
        for during in several(getattr(part, "during", ())):
            if isinstance(during, During):
                yield from _during(during, f"{where}, during {shown(during.event)}")
            else:
                yield f"{place}: during is {shown(during)}, but must be a During"
    if good:
        yield from _fields(where, step, *several(step.absent), *several(step.then))


def _during(during: Any, where: str) -> Iterator[str]:
    yield from _name("event", during.event, where)
    if not during.parts:
        yield f'{where}: it leads nowhere; write During("{during.event}", Act("what_happens"), ...)'
    for number, part in enumerate(during.parts, 1):
        last = number == len(during.parts)
        if isinstance(part, Act):
            yield from _name("part", part.name, where)
            yield from _fields(where, part)
            if part.when:
                yield f"{where}: act {part.name!r} has a guard; write unless= or when= of the During"
        elif not isinstance(part, Phase | Then):
            yield f"{where}: part {number} is {shown(part)}, but must be an Act, a Phase or a Then"
        elif not last:
            yield f"{where}: a {type(part).__name__} comes last; actions come before it"
        elif isinstance(part, Phase):
            yield from _phase(part, f"phase {shown(part.name)}")
        if isinstance(part, Then) and part.when:
            yield f"{where}: Then has a guard; write unless= or refused= instead"
    yield from _fields(where, during, *several(during.refused))


def _fields(where: str, *parts: object) -> Iterator[str]:
    """Yield the first field of each part whose value is not of its type."""
    for part in parts:
        if hasattr(part, "__dataclass_fields__") or isinstance(part, Struct):
            wrong = misfit(part)
            if wrong:
                yield f"{where}: {wrong}" if where else wrong


def _name(what: str, name: object, where: str) -> Iterator[str]:
    if not isinstance(name, str):
        yield f"{where}: its name must be text, not {shown(name)}"
    elif not _NAME.fullmatch(name):
        better = re.sub(r"\W+", "_", name).strip("_") or f"my_{what}"
        yield (
            f"{where}: a name has letters, digits and underscores only, not {shown(name)}; "
            f"write {better!r}, and what people read as label"
        )


# names --------------------------------------------------------------------------------------------


def _names(plan: Plan) -> Iterator[str]:
    """Yield names that are there twice."""
    twice = [phase.name for phase in plan.table.phases if phase.name in plan.outer]
    yield from _twice("phase", [*(phase.name for phase in plan.phases), *twice], "the table")
    yield from _twice("step", (step.name for step in plan.steps), "the table")
    names = {phase.name for phase in plan.phases}
    for phase in plan.phases:
        if phase.family in names - {phase.name}:
            yield f"phase {phase.name!r}: its family is called like the phase {phase.family!r}"
        for step in phase.steps:
            parts = [stage.name for stage in step.stages]
            for name in _PLACES.intersection(parts):
                where = f"phase {phase.name!r}, step {step.name!r}"
                yield f"{where}: every step has a place {name!r}; give the part another name"
            parts += [act.name for during in step.durings for act in during.acts]
            yield from _twice("part", parts, f"phase {phase.name!r}, step {step.name!r}")
        events = {during.event for step in phase.steps for during in step.durings}
        for cut in phase.cuts:
            if cut.event in events:
                yield (
                    f"phase {phase.name!r}, cut: event {cut.event!r} is a During of the same phase; "
                    f"rename one"
                )


def _twice(what: str, names: Iterable[str], where: str) -> Iterator[str]:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            yield f"{where}: {what} {name!r} is there twice; give one of them another name"
        seen.add(name)


def _nesting(table: TableParts) -> Iterator[str]:
    """Yield phases that can begin within themselves."""

    def inside(phase: Phase, around: tuple[str, ...]) -> Iterator[str]:
        if phase.name in around:
            yield (
                f"phase {phase.name!r} can begin within itself; give the inner one another name, or "
                f"lead back with Then"
            )
            return
        for inner in phase.within:
            yield from inside(inner, (*around, phase.name))

    for phase in table.phases:
        yield from inside(phase, ())


# targets ------------------------------------------------------------------------------------------


def _targets(plan: Plan) -> Iterator[str]:
    """Yield steps and phases that are named and not there."""
    phases = [phase.name for phase in plan.phases]
    for phase in plan.phases:
        where = f"phase {phase.name!r}"
        if phase.swap is not None:
            yield from _unknown(f"{where}, swap", "phase", phase.swap.phase, phases)
        for cut in phase.cuts:
            if cut.to:
                steps = [step.name for step in phase.steps]
                yield from _unknown(f"{where}, cut", "step", cut.to, steps)
        for step in phase.steps:
            place = f"{where}, step {step.name!r}"
            for then in several(step.then):
                if then.to != END_OF_PHASE:
                    yield from _step_of(plan, phase, f"{place}, then", then.to)
            led = dict[str, str]()
            for during in step.durings:
                if during.then is None:
                    continue
                at, to = f"{place}, during {during.event!r}", during.then.to
                yield from _step_of(plan, phase, at, to)
                if led.setdefault(during.event, to) != to:
                    yield f"{at}: the event leads to {led[during.event]!r}, too; rename one"
    for cut in several(plan.table.cut):
        if cut.to:
            yield from _unknown("cut", "phase", cut.to, [p.name for p in plan.table.phases])


def _step_of(plan: Plan, phase: Phase, where: str, name: str) -> Iterator[str]:
    """Yield why the turn cannot go to a step from within this phase."""
    if name in [step.name for step in phase.steps]:
        return
    for other in plan.phases:
        if name in [step.name for step in other.steps]:
            yield (
                f"{where}: {name!r} is a step of phase {other.name!r}; write Then('end_of_phase') "
                f"here, and Phase({phase.name!r}, ..., then=Then({other.name!r}))"
            )
            return
    yield from _unknown(where, "step", name, [*(step.name for step in plan.steps), END_OF_PHASE])


def _unknown(where: str, what: str, name: str, known: Collection[str]) -> Iterator[str]:
    if name not in known:
        yield f"{where}: {what} {name!r} is unknown{suggest(name, known)}"


# who acts -----------------------------------------------------------------------------------------


def _windows(plan: Plan) -> Iterator[str]:
    """Yield windows that say what their kind cannot do."""
    for step in plan.steps:
        for window in step.windows:
            where = f"step {step.name!r}, window {window.name!r}"
            own = not isinstance(plan.table.window, Model)
            if not own and (window.kind or window.by or window.passing):
                yield f"{where}: the table has a window of its own, so kind, by and passing say nothing"
            elif window.passing and plan.kind_of(window) != "alternating":
                yield f"{where}: passing={window.passing!r} belongs to alternating windows"
            elif own and window.opens == "conditional_round":
                yield f"{where}: opens={window.opens!r} belongs to a Model of the window"


def _roles(plan: Plan) -> Iterator[str]:
    """Yield who performs an action or acts in a window, and is nobody."""
    roles = several(plan.table.roles)
    for role in roles:
        if not isinstance(role, Role):
            yield f"roles: {shown(role)} is no Role; write roles=Role('defender')"
            return
        yield from _name("role", role.name, "roles")
        yield from _fields("roles", role)
        if role.name in (*get_args(By), NOBODY):
            yield f"roles: {role.name!r} is known to every table; leave it out"
    known = [*get_args(By), *(role.name for role in roles)]
    for phase, step, act in acts(plan.table):
        if act.by not in known:
            yield f"{_place(phase, step)}act {act.name!r}: {_undeclared(act.by, known)}"
    for step in plan.steps:
        for window in step.windows:
            if window.by not in ("", NOBODY, *known):
                text = _undeclared(window.by, [*known, NOBODY])
                yield f"step {step.name!r}, window {window.name!r}: {text}"


def _undeclared(by: str, known: list[str]) -> str:
    near = suggest(by, known, limit=0)
    return f"by={by!r} is unknown{near or f'; declare it: roles=Role({by!r})'}"


def _place(phase: Phase | None, step: Step | None) -> str:
    where = f"phase {phase.name!r}, " if phase is not None else ""
    return where + (f"step {step.name!r}, " if step is not None else "")


# facts --------------------------------------------------------------------------------------------


def _guards(plan: Plan) -> Iterator[str]:
    """Yield facts that guards read and nobody knows."""
    known = {fact.name for fact in (*plan.facts, *facts_of_frame(plan))}
    offered = known | set(KNOWN) | set(OF_WINDOWS)
    for where, terms in guards(plan.table):
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


def _order(plan: Plan) -> Iterator[str]:
    """Yield guards that read a fact before anything can decide it."""
    course = _Course(plan)
    kept = {fact.name for fact in plan.facts if fact.last}
    for number, where, when in course.guards():
        for term in guard(when):
            if term.fact in kept and course.comes_later(term.fact, number):
                act = plan.homes[term.fact][0].act.name
                yield (
                    f"{where}: {term.fact!r} is decided by {act!r}, which always comes later in the "
                    f"turn, so here it is always false; decide it earlier"
                )


class _Course:
    """The ordinary course of a turn: its phases and steps, numbered, and where it goes back."""

    def __init__(self, plan: Plan) -> None:
        self.plan, self.numbers = plan, dict[tuple[str, str], int]()
        for phase in plan.table.phases:
            for name in ("", *(step.name for step in phase.steps)):
                self.numbers[phase.name, name] = len(self.numbers)
        self.leaps = [*self._leaps()]

    def _leaps(self) -> Iterator[tuple[int, int]]:
        """Yield where the turn goes elsewhere than to what is next. Any state may lie anywhere."""
        for phase in self.plan.table.phases:
            last = self.numbers[phase.name, phase.steps[-1].name]
            for then in several(phase.then):
                yield last, self.numbers.get((then.to, ""), 0)
            for step in phase.steps:
                here = self.numbers[phase.name, step.name]
                ways = [*several(step.then), *(during.then for during in step.leavings)]
                for then in ways:
                    yield here, self.numbers.get((phase.name, then.to), here)

    def guards(self) -> Iterator[tuple[int, str, str]]:
        """Yield each guard before a phase, step or part, with the number of its place."""
        for phase in self.plan.table.phases:
            where, number = f"phase {phase.name!r}", self.numbers[phase.name, ""]
            yield from ((number, f"{where}, unless", absent.when) for absent in phase.absences)
            for step in phase.steps:
                place, number = f"{where}, step {step.name!r}", self.numbers[phase.name, step.name]
                yield from ((number, f"{place}, unless", absent.when) for absent in step.absences)
                for index, part in enumerate(step.does, 1):
                    yield number, f"{place}, part {index}", part.when

    def comes_later(self, fact: str, here: int) -> bool:
        """Say whether a fact is decided only after this place, to which the turn does not go back."""
        decided = list[int]()
        for phase, step, _ in self.plan.homes[fact]:
            place = (phase.name, step.name) if phase is not None and step is not None else ("", "")
            decided.append(self.numbers.get(place, -1))
        first = min(decided)
        return here < first and not any(to <= here and first <= at for at, to in self.leaps)


def _ends(plan: Plan) -> Iterator[str]:
    """Yield durations whose names are none, and, if the table lists its durations, those that it
    does not list.
    """
    durations = several(plan.table.durations)
    listed = {duration.what for duration in durations if duration.moment == "mark"}
    places = [
        (f"{_place(phase, step)}action {act.name!r}", name)
        for phase, step, act in acts(plan.table)
        for name in marks_of(act, phase)
    ]
    places += [(f"phase {phase.name!r}", phase.ends) for phase in plan.phases if phase.ends]
    for where, name in places:
        yield from _name("duration", name, where)
        if durations and name not in listed:
            remedy = suggest(name, listed, limit=0)
            remedy = remedy or f"; add Duration({name!r}, 'mark', {name!r}) to durations"
            yield f"{where}: no duration ends by {name!r}{remedy}"
