"""What one step of a table becomes: its states, its parts in their order, what comes in between,
after it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from msgspec.structs import replace

from fsm.model import Model, State, Term, Transition
from fsm.rulesets import frame
from fsm.rulesets.parts import (
    END_OF_PHASE,
    Act,
    Again,
    At,
    Back,
    During,
    Part,
    Phase,
    Stage,
    Step,
    Window,
    guard,
    several,
    ways_of,
)
from fsm.rulesets.plan import Plan
from fsm.rulesets.rows import row, ruled
from fsm.rulesets.windows import first_of

# states -------------------------------------------------------------------------------------------


def step_states(plan: Plan, step: Step, phase: str) -> Iterator[State]:
    """The states of a step of this phase."""
    yield from plan.fill(frame.STEP_STATES, step, parent=f"{phase}_phase")
    id = f"{step.name}_step"
    for stage in step.stages:
        place = _place(step, stage)
        yield (
            perform(place, id, stage) if isinstance(stage, Act) else _window(plan, stage, place, id)
        )
    for here in step.endings:
        yield end_state(plan, f"{here}_end", f"{step.text} ends", id, plan.rules.end_action)
        yield from plan.fill(frame.STEP_LEFT, step, here=here)


def _window(plan: Plan, window: Window, id: str, parent: str) -> State:
    return State(
        id,
        "window",
        label=window.label or plan.table.window_label,
        parent=parent,
        role="window",
        rule=window.rule,
        doc=window.doc,
        opens=window.opens,
        enters=plan.enters(window),
        by=first_of(plan.table, window),
    )


def perform(id: str, parent: str, act: Act) -> State:
    """The state of an action."""
    return State(
        id,
        "action",
        act.name,
        act.text,
        parent,
        "action",
        act.rule,
        act.doc,
        asks=act.asks,
        action=act.name if act.asks == "perform" else "",
        tells=several(act.decides),
        manner=act.manner,
        by=act.by,
        says=act.says,
    )


def end_state(plan: Plan, id: str, label: str, parent: str, act: Act | None) -> State:
    """The state with which a step or phase ends."""
    if act is None:
        return State(id, "stage", "", label, parent, "end", plan.rules.end)
    return replace(perform(id, parent, act), label=label, role="end")


# rows ---------------------------------------------------------------------------------------------


def step_rows(plan: Plan, phase: Phase, step: Step, following: str) -> Iterator[Transition]:
    """All rows of a step, up to the state that follows it."""
    if phase.kin in plan.lackable:
        yield from plan.fill(frame.STEP_LACKS, step)
    yield from _absent(plan, phase, step, following)
    yield from plan.fill(frame.STEP_BEGINS, step)
    yield from _onward(plan, phase, step, None, step.does)
    for number, part in enumerate(step.does, 1):
        for stage, _ in ways_of(part):
            yield from _onward(plan, phase, step, stage, step.does[number:])
    for window, during in step.durings:
        yield from _during(plan, phase, step, _place(step, window), during)
    yield from _after(plan, phase, step, following)


def _absent(plan: Plan, phase: Phase, step: Step, following: str) -> Iterator[Transition]:
    """A step that is left out leads back to no earlier one, as it would if it had begun."""
    before, after, miss = f"{step.name}_before", f"{step.name}_after", "pass_over(step)"
    names = [other.name for other in phase.steps]
    back = {then.to for then in step.then} & {*names[: names.index(step.name) + 1]}
    to, ends = plan.onward(phase, following) if back else (after, [])
    for absent in step.unless:
        if back and "extra_step" in plan.possible:
            extra = f"inside_extra_step, {absent.when}"
            yield row(before, after, absent.rule, extra, [miss], layer="skip", doc=absent.doc)
        yield ruled(absent, before, to, [miss, *ends], layer="skip")


def _onward(
    plan: Plan, phase: Phase, step: Step, of: Stage | None, rest: Sequence[Part]
) -> Iterator[Transition]:
    """The rows from the beginning of a step, or from one of its stages, to the parts that can come
    next, as far as the first that comes in any case.
    """
    here = f"{step.name}_begin" if of is None else _place(step, of)
    event = "closed" if isinstance(of, Window) else "done"
    known = "" if of is None or (isinstance(of, Window) and of.during) else of.when
    lasting = plan.lasting - {*several(getattr(of, "decides", ""))}
    alone = list[Transition]()
    if ends_phase := step is phase.steps[-1] and plan.ends_with_step(phase):
        alone += plan.fill(frame.STEP_ENDS_ALONE, step, here=here, event=event)
    marks = f"mark({phase.ends})"
    last = [part for part in step.does if marks in marked(part, phase)]
    tried = set[str]()
    for part in rest:
        if part.when in tried or _excludes(known, part.when, lasting):
            continue
        if isinstance(part, Again | Back):
            yield _elsewhere(phase, step, here, event, part)
        elif part in last:
            yield from alone
        for stage, when in ways_of(part):
            do = marked(stage, phase)
            yield row(here, _place(step, stage), stage.rule, when, do, event=event)
            tried.add(when)
        if _exhaust(tried, lasting):
            return
    do, to = ["end(step)"], f"{step.name}_end"
    if ends_phase:
        yield from () if last else alone
        do, to = [*do, *plan.ending(phase)], f"{phase.name}_phase_end"
    yield row(here, to, plan.rules.end, do=do, event=event)


def _excludes(first: str, other: str, lasting: frozenset[str]) -> bool:
    """Say whether two guards cannot hold one after the other, because of facts that stay so."""
    terms = {term for term in guard(first) if term.fact in lasting}
    return any(Term(term.fact, not term.value) in terms for term in guard(other))


def _exhaust(guards: Collection[str], lasting: frozenset[str]) -> bool:
    """Say whether one of these guards always holds: one that is empty, or of a fact and its
    negation.
    """
    return "" in guards or any(f"not {fact}" in guards for fact in guards if fact in lasting)


def _elsewhere(phase: Phase, step: Step, here: str, event: str, part: Again | Back) -> Transition:
    if isinstance(part, Again):
        to, do = f"{step.name}_again_end", [*part.do, "end(step)"]
        return ruled(part, here, to, do, event=event, layer="extra")
    target = {stage.name: stage for stage in step.stages}.get(part.to)
    to, do = _place(step, target) if target else part.to, [*part.do, *marked(target, phase)]
    return ruled(part, here, to, do, event=event, layer=part.layer)


def _during(
    plan: Plan, phase: Phase, step: Step, window: str, during: During
) -> Iterator[Transition]:
    """While players may act, an event leads elsewhere, and back to where they may act."""
    here, event, rule = window, during.event, during.rule
    for absent in during.unless:
        yield ruled(absent, here, None, event=event, layer="jump")
    doc, says, into, then = during.doc, during.says, during.phase, during.then
    for act in during.acts:
        to, do = _place(step, act), marked(act, phase)
        yield row(here, to, rule, do=do, event=event, doc=doc, says=says)
        here, event, doc, says = to, "done", "", ""
    if into is not None:
        several = len(plan.waiting[into.name]) > 1 or not isinstance(plan.table.window, Model)
        do = ["suspend", f"suspend_window({window})" * several]
        to, says = f"{into.name}_phase_before", during.says
        yield row(here, to, rule, during.when, do, event=event, doc=doc, says=says)
    elif then is not None:
        do, to = [f"latch({step.name}_{during.event})", "end(step)"], f"{step.name}_end"
        yield row(here, to, rule, do=do, event=event, doc=doc)
    if during.acts and then is None and (into is None or during.when):
        yield row(here, window, during.back or rule, doc="players may act again")


def _after(plan: Plan, phase: Phase, step: Step, following: str) -> Iterator[Transition]:
    """Is something extra due, was this extra, where does the turn go on? And once more, if it can
    begin again.
    """
    yield from plan.fill(frame.STEP_ENDED, step, here=step.name)
    yield from plan.fill(frame.STEP_WAS_EXTRA, step)
    here = f"{step.name}_after"
    for during, then in step.leavings:
        left, says = f"{step.name}_{during.event}", during.says
        yield row(here, f"{then.to}_before", during.rule, left, [f"clear({left})"], says=says)
    for then in step.then:
        to, ends = plan.onward(phase, f"{then.to}_before" * (then.to != END_OF_PHASE))
        yield ruled(then, here, to, [*then.do, *ends], layer=then.layer)
    if not _exhaust([then.when for then in step.then], plan.lasting):
        to, ends = plan.onward(phase, following)
        yield row(here, to, phase.rule, do=ends)
    if step.again:
        yield from plan.fill(frame.STEP_ENDED, step, here=f"{step.name}_again")
        yield from plan.fill(frame.STEP_AGAIN, step, again=step.again.rule, why=step.again.doc)


def _place(step: Step, stage: Stage) -> str:
    return f"{step.name}_{stage.name}"


def marked(part: object, phase: Phase | None) -> list[str]:
    """The actions at which durations run out."""
    return [f"mark({name})" for name in At(part, phase).marks]
