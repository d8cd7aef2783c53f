"""What is wrong with a table, each with its place and its remedy. A table is asked before it is
expanded.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from itertools import chain
from typing import Any, get_args

from msgspec import Struct

from fsm.errors import shown, suggest
from fsm.model import By, Model
from fsm.model.fieldtypes import misfit
from fsm.rulesets.frame.completing import KNOWN, window_facts
from fsm.rulesets.frame.facts import facts as facts_of_frame
from fsm.rulesets.frame.parts import (
    Act,
    Again,
    Back,
    During,
    Either,
    FrameRules,
    Phase,
    Step,
    TableParts,
    Window,
    stages,
)
from fsm.rulesets.frame.tableparts import acts, guards

_NAME = re.compile(r"[\w-]+")


def problems_of(table: TableParts) -> Iterator[str]:
    """Yield what is wrong. Only if each part is what it should be, the names in it are looked at."""
    found = [*_shapes(table)]
    yield from found or chain(_names(table), _targets(table), _guards(table), _ends(table))


def _shapes(table: TableParts) -> Iterator[str]:
    """Yield what is no part of a table, and fields whose values are not of their types."""
    rules, window = _given(table.rules, table.window)
    if not isinstance(rules, FrameRules):
        yield f"rules is {shown(rules)}; write rules=FrameRules(...)"
    if window is not None and not isinstance(window, Model):
        yield f"window is {shown(window)}; leave it out, or write window=priority_window(...)"
    if not table.phases:
        yield 'there is no phase; write Table(name, Phase("first", Step("only", Window())))'
    for number, phase in enumerate(_given(*table.phases), 1):
        if isinstance(phase, Phase):
            yield from _phase(phase, f"phase {shown(phase.name)}")
        else:
            yield f"phase {number} is {shown(phase)}, but must be a Phase"
    if all(isinstance(phase, Phase) for phase in _given(*table.phases)):
        wrong = misfit(table)
        if wrong:
            yield wrong


def _given(*values: Any) -> tuple[Any, ...]:
    """Return values whose types nobody has checked yet."""
    return values


def _phase(phase: Phase, where: str, *, nested: bool = False) -> Iterator[str]:
    yield from _name("phase", phase.name, where)
    if not phase.steps:
        yield f"{where}: it has no step; a phase has at least one"
    for number, step in enumerate(_given(*phase.steps), 1):
        if isinstance(step, Step):
            yield from _step(step, f"{where}, step {shown(step.name)}", nested=nested)
        else:
            yield f"{where}: step {number} is {shown(step)}, but must be a Step"
    for inner in _given(*phase.inside):
        if isinstance(inner, Phase) and nested:
            yield f"{where}: phase {shown(inner.name)} is nested in a nested phase; one level is possible"
        elif isinstance(inner, Phase):
            yield from _phase(inner, f"phase {shown(inner.name)}", nested=True)
    yield from _fields(where, phase, phase.swap, *phase.absent, *phase.then)


def _step(step: Step, where: str, *, nested: bool) -> Iterator[str]:
    yield from _name("step", step.name, where)
    for number, part in enumerate(_given(*step.does), 1):
        if isinstance(part, Act | Window | Either | Again | Back):
            yield from _fields(
                f"{where}, part {number}", part, *(stages(part) if isinstance(part, Either) else ())
            )
            yield from chain.from_iterable(
                _name("part", stage.name, where) for stage in stages(part)
            )
        else:
            yield f"{where}: part {number} is {shown(part)}, but must be an Act, Window, Either, Again or Back"
    for during in _given(*step.during):
        if isinstance(during, During):
            yield from _during(during, f"{where}, during {shown(during.event)}", nested=nested)
        else:
            yield f"{where}: during is {shown(during)}, but must be a During"
    if all(isinstance(part, Act | Window | Either | Again | Back) for part in _given(*step.does)):
        yield from _fields(where, step, *step.absent, *step.then)


def _during(during: During, where: str, *, nested: bool) -> Iterator[str]:
    yield from _name("event", during.event, where)
    [act] = _given(during.act)
    if not isinstance(act, Act):
        yield f'{where}: it has no action; write During("{during.event}", Act("what_happens"), ...)'
        return
    yield from _name("part", act.name, where)
    if during.nested is not None and nested:
        yield f"{where}: phase {shown(during.phase)} is nested in a nested phase; one level is possible"
    elif during.nested is not None:
        yield from _phase(during.nested, f"phase {shown(during.phase)}", nested=True)
    yield from _fields(where, during, act, *during.refused)


def _fields(where: str, *parts: object) -> Iterator[str]:
    """Yield the first field of each part whose value is not of its type."""
    for part in parts:
        if not hasattr(part, "__dataclass_fields__") and not isinstance(part, Struct):
            continue  # a wrong value in a field: the part around it says so
        wrong = misfit(part) or _wrong_role(part)
        if wrong:
            yield f"{where}: {wrong}"


def _wrong_role(part: object) -> str:
    """Say that an action is done by what looks like a misspelt word, or ""."""
    if not isinstance(part, Act) or part.by in get_args(By):
        return ""
    near = (
        suggest(part.by, get_args(By), limit=0)
        if _NAME.fullmatch(part.by)
        else "; write one word, such as 'dared'"
    )
    return (
        near
        and f"action {part.name!r}: by={part.by!r} is neither known nor a role of your own{near}"
    )


def _name(what: str, name: object, where: str) -> Iterator[str]:
    if not isinstance(name, str):
        yield f"{where}: its name must be text, not {shown(name)}"
    elif not _NAME.fullmatch(name):
        better = re.sub(r"\W+", "_", name).strip("_") or f"my_{what}"
        yield (
            f"{where}: a name has letters, digits and underscores only, not {shown(name)}; "
            f"write {better!r}, and what people read as label"
        )


def _names(table: TableParts) -> Iterator[str]:
    """Yield names that are there twice."""
    yield from _twice("phase", (phase.name for phase in table.all_phases), "the table")
    yield from _twice("step", (step.name for step in table.steps), "the table")
    for phase in table.all_phases:
        for step in phase.steps:
            parts = [stage.name for stage in step.stages]
            parts += [during.act.name for during in step.during]
            yield from _twice("part", parts, f"phase {phase.name!r}, step {step.name!r}")


def _twice(what: str, names: Iterable[str], where: str) -> Iterator[str]:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            yield f"{where}: {what} {name!r} is there twice; give one of them another name"
        seen.add(name)


def _targets(table: TableParts) -> Iterator[str]:
    """Yield steps, phases and windows that are named and not there."""
    steps, phases = [step.name for step in table.steps], [phase.name for phase in table.all_phases]
    for phase in table.all_phases:
        where = f"phase {phase.name!r}"
        if phase.swap is not None:
            yield from _unknown(f"{where}, swap", "phase", phase.swap.phase, phases)
        for step in phase.steps:
            place = f"{where}, step {step.name!r}"
            for then in step.then:
                yield from _unknown(f"{place}, then", "step", then.to, steps)
            for during in step.during:
                windows = [stage.name for stage in step.stages if isinstance(stage, Window)]
                yield from _unknown(
                    f"{place}, during {during.event!r}", "window", during.at, windows
                )
                if during.phase:
                    inside = [inner.name for inner in phase.within]
                    yield from _unknown(
                        f"{place}, during {during.event!r}",
                        "phase inside this one",
                        during.phase,
                        inside,
                    )


def _unknown(where: str, what: str, name: str, known: Collection[str]) -> Iterator[str]:
    if name not in known:
        yield f"{where}: {what} {name!r} is unknown{suggest(name, known)}"


def _guards(table: TableParts) -> Iterator[str]:
    """Yield facts that guards read and nobody knows."""
    known = (
        {fact.name for fact in (*table.facts, *facts_of_frame(table))}
        | set(KNOWN)
        | set(window_facts(table))
    )
    known |= {name for _, _, act in acts(table) for name in act.decides}
    for where, guard in guards(table):
        for term in guard:
            if term.fact not in known:
                remedy = suggest(term.fact, known, limit=0)
                remedy = (
                    remedy
                    or f"; let an action decide it, Act(..., decides={term.fact!r}), or list it in facts"
                )
                yield f"{where}: fact {term.fact!r} is unknown{remedy}"


def _ends(table: TableParts) -> Iterator[str]:
    """Yield durations whose names are none, and, if the table lists its durations, those that it
    does not list.
    """
    listed = {duration.what for duration in table.durations if duration.moment == "mark"}
    places = [
        (f"phase {p.name!r}, step {s.name!r}, action {act.name!r}", act.ends)
        for p, s, act in acts(table)
    ]
    places += [(f"phase {phase.name!r}", phase.ends) for phase in table.all_phases]
    for where, name in places:
        yield from _name("duration", name, where) if name else ()
        if name and table.durations and name not in listed:
            remedy = (
                suggest(name, listed, limit=0)
                or f"; add Duration({name!r}, 'mark', {name!r}) to durations"
            )
            yield f"{where}: no duration ends by {name!r}{remedy}"
