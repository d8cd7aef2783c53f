"""What one step of a table becomes: before it, its parts in their order, what comes in between,
after it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fsm.model import Transition
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
from fsm.rulesets.rows import row


def step_before(plan: Plan, step: Step) -> Iterator[Transition]:
    """Is it left out, does something come before it? Else it begins."""
    s, rules = step.name, plan.rules
    before, after = f"{s}_before", f"{s}_after"
    if plan.can_lack(step):
        yield row(before, after, f"phase_lacks_{s}", ["pass_over(step)"], rule=rules.step_after_phase, layer="skip",
                  generic=True, doc="the phase holds only another step")  # fmt: skip
    for absent in step.absences:
        yield row(before, after, absent.when, [f"miss(step, {s})"], rule=absent.rule, layer="skip", doc=absent.doc,
                  says=absent.says)  # fmt: skip
    if "extra_step" in plan.possible:
        take = [f"push_return(step, {before})", f"take_before({s})"]
        yield row(before, "step_hub", f"extra_before_{s}", take, rule=rules.extra_step, layer="extra", generic=True,
                  doc="an extra step comes directly before this one")  # fmt: skip
    if "skip_step" in plan.possible:
        yield row(before, after, f"skip_{s}", [f"consume_skip(step, {s})"], rule=rules.skip, layer="skip", generic=True,
                  doc="an effect skips the step")  # fmt: skip
    yield row(before, f"{s}_begin", do=[_begin(step)], rule=step.rule)


def step_inside(plan: Plan, phase: Phase, step: Step) -> Iterator[Transition]:
    """Begin, the parts in their order, end; a guarded action or window may be passed by."""
    yield from _Onward(plan, phase, step, f"{step.name}_begin", "done").rows(step.does)
    for number, part in enumerate(step.does, 1):
        for stage in stages(part):
            event = "closed" if isinstance(stage, Window) else "done"
            onward = _Onward(plan, phase, step, _place(step, stage), event, stage)
            yield from onward.rows(step.does[number:])


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
            if isinstance(part, Again | Back | Either):
                yield from self._elsewhere(part)
                if isinstance(part, Either):
                    return
            else:
                if self.ends_phase and self._ends(part):
                    yield from self._phase_goes_on()
                yield self._row(part, part.when)
                tried.add(part.when)
                if exhaust(tried, self.lasting):
                    return
        yield from self._end()

    def _row(self, stage: Stage, when: str) -> Transition:
        marks = marked(stage, self.phase)
        to, event = _place(self.step, stage), self.event
        return row(self.here, to, when, marks, event=event, rule=stage.rule)

    def _elsewhere(self, part: Again | Back | Either) -> Iterator[Transition]:
        s, here, event = self.step.name, self.here, self.event
        if isinstance(part, Either):
            yield self._row(part.first, part.when)
            yield self._row(part.other, "")
        elif isinstance(part, Again):
            do = [*part.do, "end(step)"]
            yield row(here, f"{s}_again_end", part.when, do, event=event, rule=part.rule, layer="extra", doc=part.doc,
                      says=part.says)  # fmt: skip
        else:
            found: dict[str, Stage] = {act.name: act for act in self.step.acts}
            found |= {window.name: window for window in self.step.windows}
            target = found.get(part.to)
            do = [*part.do, *marked(target, self.phase)]
            to = _place(self.step, target) if target else part.to
            yield row(here, to, part.when, do, event=event, rule=part.rule, layer=part.layer, doc=part.doc,
                      says=part.says)  # fmt: skip

    def _end(self) -> Iterator[Transition]:
        here, event, rules = self.here, self.event, self.plan.rules
        if not self.ends_phase:
            to = f"{self.step.name}_end"
            yield row(here, to, do=["end(step)"], event=event, rule=rules.end)
            return
        if not any(self._ends(part) for part in self.step.does):
            yield from self._phase_goes_on()
        do = ["end(step)", *phase_ends(self.plan, self.phase)]
        yield row(here, f"{self.phase.name}_phase_end", do=do, event=event, rule=rules.end)

    def _ends(self, part: Part) -> bool:
        """Say whether durations that last as long as the phase end with this action."""
        ends = several(part.ends) if isinstance(part, Act) else ()
        return self.phase.ends != "" and self.phase.ends in ends

    def _phase_goes_on(self) -> Iterator[Transition]:
        """The last step of a phase ends alone if a step was added after it, or if it was added."""
        to, rule = f"{self.step.name}_end", self.plan.rules.extra_step
        facts = ("extra_step_due", "inside_extra_step")
        for fact in facts if "extra_step" in self.plan.possible else ():
            yield row(self.here, to, fact, ["end(step)"], event=self.event, rule=rule, layer="extra", generic=True,
                      doc="the phase goes on")  # fmt: skip


def step_during(plan: Plan, phase: Phase, step: Step) -> Iterator[Transition]:
    """While players may act: events that lead elsewhere, and back to where they may act."""
    for window in step.windows:
        for during in window.durings:
            yield from _during(plan, phase, step, f"{step.name}_{window.name}", during)


def _during(
    plan: Plan, phase: Phase, step: Step, window: str, during: During
) -> Iterator[Transition]:
    event, rule, layer = during.event, during.rule, during.layer
    for refused in during.refusals:
        yield row(window, None, refused.when, event=event, rule=refused.rule, layer="jump",
                  doc=refused.doc)  # fmt: skip
    here, doc, says = window, during.doc, during.says
    for act in during.acts:
        to = _place(step, act)
        marks = marked(act, phase)
        yield row(here, to, do=marks, event=event, rule=rule, layer=layer, doc=doc, says=says)
        here, event, doc, says = to, "done", "", ""
    into, back = during.phase, during.back or rule
    if into is not None:
        place = [f"suspend_window({window})"] if plan.remembers(into.name) else []
        do = [*during.do, "suspend", *place]
        to = f"{into.name}_phase_before"
        yield row(here, to, during.when, do, event=event, rule=rule, layer=layer, doc=doc,
                  says=during.says)  # fmt: skip
    elif during.then is not None:
        latch = [*during.do, f"latch({step.name}_{during.event})", "end(step)"]
        yield row(here, f"{step.name}_end", do=latch, event=event, rule=rule, layer=layer, doc=doc)
        return
    if during.acts and (into is None or during.when):
        yield row(here, window, rule=back, layer=layer, doc="players may act again")


def step_after(plan: Plan, phase: Phase, step: Step, following: str) -> Iterator[Transition]:
    """Is something extra due, was this extra, where does the turn go on? And once more, if it can
    begin again.
    """
    here, rules = f"{step.name}_after", plan.rules
    yield row(f"{step.name}_end", here, rule=rules.end)
    yield from _extra_due(plan, here)
    if "extra_step" in plan.possible:
        yield row(here, "step_resume", "inside_extra_step", rule=rules.extra_step, layer="extra", generic=True,
                  doc="this step was extra: go on where it came in")  # fmt: skip
    end = f"{phase.name}_phase_end"
    ends = [] if rules.phase_end_first else phase_ends(plan, phase)
    for during in step.leavings:
        if during.then is not None:
            left, to = f"{step.name}_{during.event}", f"{during.then.to}_before"
            yield row(here, to, left, [f"clear({left})"], rule=during.rule, layer=during.layer,
                      says=during.says)  # fmt: skip
    thens = several(step.then)
    for then in thens:
        leaves = then.to == END_OF_PHASE
        to = end if leaves else f"{then.to}_before"
        do = [*then.do, *(ends if leaves else [])]
        yield row(here, to, then.when, do, rule=then.rule, layer=then.layer, doc=then.doc,
                  says=then.says)  # fmt: skip
    if not exhaust([then.when for then in thens], plan.lasting):
        yield row(here, following or end, do=[] if following else ends, rule=phase.rule)
    if step.again:
        again = f"{step.name}_again"
        yield row(f"{again}_end", f"{again}_after", rule=rules.end)
        yield from _extra_due(plan, f"{again}_after")
        yield row(f"{again}_after", f"{step.name}_begin", do=[_begin(step)], rule=step.again.rule, layer="extra",
                  doc=step.again.doc)  # fmt: skip


def phase_ends(plan: Plan, phase: Phase) -> list[str]:
    """The actions with which a phase ends: durations run out, its latched facts hold no longer."""
    mark = [f"mark({phase.ends})"] if phase.ends else []
    clear = [f"clear({phase.name})"] if phase.name in plan.scopes else []
    return ["end(phase)", *mark, *clear]


def _extra_due(plan: Plan, here: str) -> Iterator[Transition]:
    if "extra_step" in plan.possible:
        take = [f"push_return(step, {here})", "take_extra(step)"]
        yield row(here, "step_hub", "extra_step_due", take, rule=plan.rules.extra_step, layer="extra", generic=True,
                  doc="an extra step comes directly after this one")  # fmt: skip


def _begin(step: Step) -> str:
    return f"begin(step, {step.name}, {step.name})"


def _place(step: Step, stage: Stage) -> str:
    return f"{step.name}_{stage.name}"


def marked(stage: Stage | None, phase: Phase | None) -> list[str]:
    """The actions at which durations run out."""
    if not isinstance(stage, Act):
        return []
    return [f"mark({name})" for name in marks_of(stage, phase)]
