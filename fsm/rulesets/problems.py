"""What is wrong with a table, each with its place and its remedy. A table is asked before it is
expanded, and once more when its Model is there, which itself refuses names that are there twice.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Set
from typing import Any, get_args

from fsm.errors import shown, suggest
from fsm.model import By, Model
from fsm.model.graph import reachable_from
from fsm.model.valid import misfit
from fsm.rulesets.parts import (
    END_OF_PHASE,
    Act,
    At,
    Back,
    Cut,
    During,
    Named,
    Phase,
    Swap,
    Then,
    Window,
    guard,
    several,
)
from fsm.rulesets.plan import POSSIBLE, Plan
from fsm.rulesets.windows import KINDS, NOBODY, OF_WINDOWS, kind_of

_NAME = re.compile(r"[\w-]+")
_SCOPES = ("turn", "game", "window")
"""Names that no phase can have: how long facts are remembered."""
_EMPTY = {
    "phases": 'there is no phase; write Table(name, Phase("first", Step("only", Window())))',
    "steps": "it has no step; a phase has at least one",
    "parts": 'it leads nowhere; write During(event, Act("what_happens"), ...)',
}
"""What is said if one of these fields is empty."""


def misshapen(parts: Iterable[At]) -> Iterator[str]:
    """Yield which parts are not what they should be by themselves."""
    for at in parts:
        wrong = misfit(at.part)
        yield from map(at.says, [wrong] if wrong else _shape(at.part))


def _shape(part: Any) -> Iterator[str]:
    """Yield empty parts, and names that are none for programs, or that mean something else."""
    yield from [text for field, text in _EMPTY.items() if getattr(part, field, None) == ()]
    words = [*several(getattr(part, "ends", ())), *several(getattr(part, "decides", ()))]
    if isinstance(part, Named):
        words.append(part.name)
    if isinstance(part, During | Cut):
        words.append(part.event)
    for word in words:
        if not _NAME.fullmatch(word):
            better = re.sub(r"\W+", "_", word) or "a_name"
            yield (
                f"a name has letters, digits and underscores only, not {shown(word)}; "
                f"write {better!r}, and what people read as label"
            )
    if isinstance(part, Phase) and part.name in _SCOPES:
        yield f"the name {part.name!r} has a meaning of its own; give it another"
    if isinstance(part, During):
        first = [isinstance(inner, Act) for inner in part.parts[:-1]]
        if not all(first) or any(getattr(inner, "when", "") for inner in part.parts):
            yield (
                "actions come first, and then one Phase or Then, and none has a guard; "
                "write unless= or when= of the During"
            )


# what names mean ----------------------------------------------------------------------------------


def problems_of(plan: Plan) -> Iterator[str]:
    """Yield names that nothing has, and words that mean nothing where they are."""
    facts = {*plan.known, *(fact.name for fact in plan.facts)}
    facts.update(OF_WINDOWS if plan.window else ())
    for at in plan.parts:
        yield from map(at.says, (*_meaning(plan, facts, at), *_unfit(plan, at)))


def _meaning(plan: Plan, facts: Set[str], at: At) -> Iterator[str]:
    part, table = at.part, plan.table
    for term in at.guard:
        if " or " in term:
            yield f"{term!r}: a guard has no 'or'; write one part for each case"
        else:
            remedy = f"; let an action decide it, decides={term.fact!r}, or list it in facts"
            yield from _unknown("fact ", term.fact, facts, remedy)
    if isinstance(part, Act | Window):
        by = part.by or "active"
        roles = [*get_args(By), *(role.name for role in table.roles)]
        roles += [NOBODY] * isinstance(part, Window)
        yield from _unknown("by=", by, roles, f"; declare it: roles=Role({by!r})")
    elif isinstance(part, Swap):
        yield from _unknown("phase ", part.to, plan.named)
    elif isinstance(part, Then) and not isinstance(part, Back) and at.phase and at.step:
        steps = [*(step.name for step in at.phase.steps), END_OF_PHASE]
        follows = f"Phase({at.phase.name!r}, ..., then=Then(PHASE))"
        remedy = f" in this phase; write Then('end_of_phase') here, and {follows}"
        yield from _unknown("step ", part.to, steps, remedy)
    for word in guard(getattr(part, "lacks", "")):
        yield from _unknown("lacks: ", word, POSSIBLE)
    listed = [one.what for one in table.durations]
    for name in at.marks if listed else ():
        yield from _unknown("duration ", name, listed)


def _unfit(plan: Plan, at: At) -> Iterator[str]:
    """Yield names that mean something else, too, and windows without this way to pass."""
    part = at.part
    if isinstance(part, Phase) and part.family in plan.named and part.family != part.name:
        yield f"its family is called like the phase {part.family!r}"
    if isinstance(part, Cut) and at.phase:
        for other in plan.signals[part.event]:
            if other.phase is at.phase and isinstance(other.part, During):
                yield f"event {part.event!r} is a During of the same phase; rename one"
    if getattr(part, "passing", "") and kind_of(plan.table, part) not in KINDS:
        yield f"passing={part.passing!r} belongs to alternating windows"


def _unknown(what: str, name: str, known: Collection[str], remedy: str = "") -> Iterator[str]:
    if name not in known:
        near = suggest(name, known, limit=0) or remedy or suggest(name, known)
        yield f"{what}{name!r} is unknown{near}"


# guards that are read too early -------------------------------------------------------------------


def read_too_early(model: Model) -> Iterator[str]:
    """Yield where a guard reads a fact before anything in the turn can decide it."""
    onward = {state.id: [state.parent] * bool(state.parent) for state in model.states}
    for row in model.transitions:
        if row.target is not None and not row.generic and row.target != "turn_begin":
            onward[row.source].append(row.target)
    for fact in model.facts:
        tell = [state for state in model.states if fact.name in state.tells]
        if not tell or not fact.last or fact.scope == "game":
            continue
        decided = reachable_from([state.id for state in tell], onward.__getitem__)
        for row in model.transitions:
            source = model.state(row.source)
            here = source.id if source.role == "before" else source.parent
            if here not in decided and any(term.fact == fact.name for term in row.guard):
                home = model.state(source.parent)
                yield (
                    f"{home.kind} {home.name!r}: {fact.name!r} is decided by {tell[0].name!r}, "
                    f"which always comes later in the turn, so here it is always false; "
                    f"decide it earlier"
                )
                break
