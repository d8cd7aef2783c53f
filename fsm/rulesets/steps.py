"""What one step of a table becomes: its states, its parts in their order, what comes in between,
after it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from fsm.model import State, Transition
from fsm.rulesets import frame
from fsm.rulesets.parts import (
    END_OF_PHASE,
    Act,
    Again,
    Back,
    During,
    Either,
    Part,
    Phase,
    Stage,
    Step,
    Window,
    several,
    stages,
)
from fsm.rulesets.plan import Plan, excludes, exhaust, marks_of
from fsm.rulesets.rows import row, ruled

# states -------------------------------------------------------------------------------------------


def step_states(plan: Plan, step: Step, phase: str) -> Iterator[State]:
    """The states of a step of this phase."""
    yield from plan.fill(frame.STEP_STATES, step, parent=f"{phase}_phase")
    id, acts = f"{step.name}_step", [act for during in step.durings for act in during.acts]
    for stage in (*step.stages, *acts):
        place = _place(step, stage)
        yield (
            perform(place, id, stage) if isinstance(stage, Act) else _window(plan, stage, place, id)
        )
    for here in step.ends:
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
        by=plan.first_of(window),
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


def procedure(id: str, parent: str, act: Act) -> State:
    """The state of an action outside the ordinary course of a turn."""
    return replace(perform(id, parent, act), role="procedure")


def end_state(plan: Plan, id: str, label: str, parent: str, act: Act | None) -> State:
    """The state with which a step or phase ends."""
    if act is None:
        return State(id, "stage", "", label, parent, "end", plan.rules.end)
    return replace(perform(id, parent, act), label=label, role="end")


# rows ---------------------------------------------------------------------------------------------


def step_rows(plan: Plan, phase: Phase, step: Step, following: str) -> Iterator[Transition]:
    """All rows of a step, up to the state that follows it."""
    yield from plan.fill(frame.STEP_LACKS, step)
    yield from _absent(plan, phase, step, following)
    yield from plan.fill(frame.STEP_BEGINS, step)
    yield from _Onward(plan, phase, step, f"{step.name}_begin", "done").rows(step.does)
    for number, part in enumerate(step.does, 1):
        for stage in stages(part):
            event = "closed" if isinstance(stage, Window) else "done"
            onward = _Onward(plan, phase, step, _place(step, stage), event, stage)
            yield from onward.rows(step.does[number:])
    for window in step.windows:
        for during in window.durings:
            yield from _during(plan, phase, step, _place(step, window), during)
    yield from _after(plan, phase, step, following)


def _absent(plan: Plan, phase: Phase, step: Step, following: str) -> Iterator[Transition]:
    """A step that is left out leads back to no earlier one, as it would if it had begun."""
    before, after, miss = f"{step.name}_before", f"{step.name}_after", "pass_over(step)"
    names = [other.name for other in phase.steps]
    earlier = names[: names.index(step.name) + 1]
    to, ends = after, list[str]()
    if any(then.to in earlier for then in several(step.then)):
        to, ends = plan.onward(phase, following)
    for absent in step.absences:
        if to != after and "extra_step" in plan.possible:
            extra = f"inside_extra_step, {absent.when}"
            yield row(before, after, extra, [miss], rule=absent.rule, layer="skip", doc=absent.doc)
        yield ruled(absent, before, to, [miss, *ends], layer="skip")


class _Onward:
    """The rows from one place of a step to the parts that can come next."""

    def __init__(
        self, plan: Plan, phase: Phase, step: Step, here: str, event: str, of: Stage | None = None
    ) -> None:
        self.plan, self.phase, self.step = plan, phase, step
        self.here, self.event = here, event
        self.ends_phase = step is phase.steps[-1] and plan.ends_with_step(phase)
        self.known = of.when if isinstance(of, Act) or (of is not None and not of.during) else ""
        decided = several(of.decides) if isinstance(of, Act) else ()
        self.lasting = plan.lasting - set(decided)

    def rows(self, rest: Sequence[Part]) -> Iterator[Transition]:
        """Rows for the parts that can come next, as far as the first that comes in any case."""
        tried: set[str] = set()
        for part in rest:
            if part.when in tried or excludes(self.known, part.when, self.lasting):
                continue
            if isinstance(part, Either):
                yield self._row(part.first, part.when)
                yield self._row(part.other, "")
                return
            if isinstance(part, Again | Back):
                yield self._elsewhere(part)
                continue
            if self.ends_phase and self._ends(part):
                yield from self._phase_goes_on()
            yield self._row(part, part.when)
            tried.add(part.when)
            if exhaust(tried, self.lasting):
                return
        yield from self._end()

    def _row(self, stage: Stage, when: str) -> Transition:
        to, marks = _place(self.step, stage), marked(stage, self.phase)
        return row(self.here, to, when, marks, event=self.event, rule=stage.rule)

    def _elsewhere(self, part: Again | Back) -> Transition:
        if isinstance(part, Again):
            to, do = f"{self.step.name}_again_end", [*part.do, "end(step)"]
            return ruled(part, self.here, to, do, event=self.event, layer="extra")
        found: dict[str, Stage] = {act.name: act for act in self.step.acts}
        found |= {window.name: window for window in self.step.windows}
        target = found.get(part.to)
        to = _place(self.step, target) if target else part.to
        do = [*part.do, *marked(target, self.phase)]
        return ruled(part, self.here, to, do, event=self.event, layer=part.layer)

    def _end(self) -> Iterator[Transition]:
        rule, do, to = self.plan.rules.end, ["end(step)"], f"{self.step.name}_end"
        if self.ends_phase:
            if not any(self._ends(part) for part in self.step.does):
                yield from self._phase_goes_on()
            do, to = [*do, *self.plan.ending(self.phase)], f"{self.phase.name}_phase_end"
        yield row(self.here, to, do=do, event=self.event, rule=rule)

    def _ends(self, part: Part) -> bool:
        """Say whether durations that last as long as the phase end with this action."""
        ends = several(part.ends) if isinstance(part, Act) else ()
        return self.phase.ends != "" and self.phase.ends in ends

    def _phase_goes_on(self) -> Iterator[Transition]:
        return self.plan.fill(frame.STEP_ENDS_ALONE, self.step, here=self.here, event=self.event)


def _during(
    plan: Plan, phase: Phase, step: Step, window: str, during: During
) -> Iterator[Transition]:
    """While players may act, an event leads elsewhere, and back to where they may act."""
    event, rule = during.event, during.rule
    for refused in during.refusals:
        yield ruled(refused, window, None, event=event, layer="jump")
    here, doc, says = window, during.doc, during.says
    for act in during.acts:
        to, do = _place(step, act), marked(act, phase)
        yield row(here, to, do=do, event=event, rule=rule, doc=doc, says=says)
        here, event, doc, says = to, "done", "", ""
    into, then = during.phase, during.then
    if into is not None:
        place = [f"suspend_window({window})"] if plan.remembers(into.name) else []
        do, to = ["suspend", *place], f"{into.name}_phase_before"
        says = during.says
        yield row(here, to, during.when, do, event=event, rule=rule, doc=doc, says=says)
    elif then is not None:
        do, to = [f"latch({step.name}_{during.event})", "end(step)"], f"{step.name}_end"
        yield row(here, to, do=do, event=event, rule=rule, doc=doc)
    if during.acts and then is None and (into is None or during.when):
        back = during.back or rule
        yield row(here, window, rule=back, doc="players may act again")


def _after(plan: Plan, phase: Phase, step: Step, following: str) -> Iterator[Transition]:
    """Is something extra due, was this extra, where does the turn go on? And once more, if it can
    begin again.
    """
    yield from plan.fill(frame.STEP_ENDED, step, here=step.name)
    yield from plan.fill(frame.STEP_WAS_EXTRA, step)
    here = f"{step.name}_after"
    for during in step.leavings:
        if during.then is not None:
            left, to = f"{step.name}_{during.event}", f"{during.then.to}_before"
            clear = [f"clear({left})"]
            yield row(here, to, left, clear, rule=during.rule, says=during.says)
    thens = several(step.then)
    for then in thens:
        leads = "" if then.to == END_OF_PHASE else f"{then.to}_before"
        to, ends = plan.onward(phase, leads)
        yield ruled(then, here, to, [*then.do, *ends], layer=then.layer)
    if not exhaust([then.when for then in thens], plan.lasting):
        to, ends = plan.onward(phase, following)
        yield row(here, to, do=ends, rule=phase.rule)
    if step.again:
        again = f"{step.name}_again"
        yield from plan.fill(frame.STEP_ENDED, step, here=again)
        begin = f"begin(step, {step.name}, {step.name})"
        yield row(f"{again}_after", f"{step.name}_begin", do=[begin], rule=step.again.rule,
                  layer="extra", doc=step.again.doc)  # fmt: skip


def _place(step: Step, stage: Stage) -> str:
    return f"{step.name}_{stage.name}"


def marked(stage: Stage | None, phase: Phase | None) -> list[str]:
    """The actions at which durations run out."""
    names = marks_of(stage, phase) if isinstance(stage, Act) else ()
    return [f"mark({name})" for name in names]
