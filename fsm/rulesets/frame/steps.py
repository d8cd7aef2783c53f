"""What one step of a table becomes: before it, its parts in their order, what comes in between,
after it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fsm.errors import RulesetError
from fsm.model import Transition
from fsm.rulesets.frame.parts import (
    Act,
    Again,
    Back,
    During,
    Either,
    Part,
    Phase,
    Step,
    TableParts,
    Window,
    stages,
)
from fsm.rulesets.frame.rows import extra, row, skip


def step_before(table: TableParts, step: Step) -> Iterator[Transition]:
    """Is it left out, does something come before it? Else it begins."""
    s, rules = step.name, table.rules
    before, after = f"{s}_before", f"{s}_after"
    if table.can_lack(step):
        yield skip(
            before,
            after,
            f"phase_lacks_{s}",
            ["pass_over(step)"],
            rules.step_after_phase,
            "the phase holds only another step",
        )
    for absent in step.absences:
        yield row(
            before,
            after,
            absent.when,
            [f"miss(step, {s})"],
            rule=absent.rule,
            layer="skip",
            doc=absent.doc,
            says=absent.says,
        )
    if rules.extra_step:
        take = [f"push_return(step, {before})", f"take_before({s})"]
        yield extra(
            before,
            "step_hub",
            f"extra_before_{s}",
            take,
            rules.extra_step,
            "an extra step comes directly before this one",
        )
    if rules.skips_step:
        yield skip(
            before,
            after,
            f"skip_{s}",
            [f"consume_skip(step, {s})"],
            rules.skips_step,
            "an effect skips the step",
        )
    yield row(before, f"{s}_begin", do=[_begin(step)], rule=step.rule)


def step_inside(table: TableParts, phase: Phase, step: Step) -> Iterator[Transition]:
    """Begin, the parts in their order, end; a guarded action or window may be passed by."""
    here, event = f"{step.name}_begin", "done"
    yield from _onward(table, phase, step, here, event, step.does)
    for number, part in enumerate(step.does, 1):
        for stage in stages(part):
            here, event = _place(step, stage), "closed" if isinstance(stage, Window) else "done"
            yield from _onward(table, phase, step, here, event, step.does[number:])


def _onward(
    table: TableParts, phase: Phase, step: Step, here: str, event: str, rest: Sequence[Part]
) -> Iterator[Transition]:
    """Rows for the parts that can come next, as far as the first that comes in any case."""
    s, tried, rules = step.name, set(), table.rules
    ends_phase = step is phase.steps[-1] and table.ends_with_step(phase)
    for part in rest:
        if isinstance(part, Again):
            do = [*part.do, "end(step)"]
            yield row(here, f"{s}_again_end", part.when, do, event=event, rule=part.rule, layer="extra", doc=part.doc,
                      says=part.says)  # fmt: skip
        elif isinstance(part, Back):
            yield _back(step, here, event, part)
        elif isinstance(part, Either):
            for stage, when in ((part.first, part.when), (part.other, "")):
                yield row(
                    here, _place(step, stage), when, _marks(stage), event=event, rule=stage.rule
                )
            return
        elif part.when not in tried:
            tried.add(part.when)
            if ends_phase and _ends(phase, part):
                yield from _phase_goes_on(table, step, here, event)
            yield row(
                here, _place(step, part), part.when, _marks(part), event=event, rule=part.rule
            )
            if not part.when:
                return
    if not ends_phase:
        yield row(here, f"{s}_end", do=["end(step)"], event=event, rule=rules.end)
        return
    if not any(_ends(phase, part) for part in step.does):
        yield from _phase_goes_on(table, step, here, event)
    do = ["end(step)", *phase_ends(phase)]
    yield row(here, f"{phase.name}_phase_end", do=do, event=event, rule=rules.end)


def _back(step: Step, here: str, event: str, part: Back) -> Transition:
    """To another part of the step, or to any state."""
    acts = (during.act for during in step.during)
    target = next((p for p in (*step.stages, *acts) if p.name == part.to), None)
    do = [*part.do, *_marks(target)]
    to = _place(step, target) if target else part.to
    return row(
        here,
        to,
        part.when,
        do,
        event=event,
        rule=part.rule,
        layer=part.layer,
        doc=part.doc,
        says=part.says,
    )


def _ends(phase: Phase, part: Part) -> bool:
    """Say whether durations that last as long as the phase end with this action."""
    return isinstance(part, Act) and part.ends != "" and part.ends == phase.ends


def _phase_goes_on(table: TableParts, step: Step, here: str, event: str) -> Iterator[Transition]:
    """The last step of a phase ends alone if a step was added after it, or if it was added itself."""
    rule = table.rules.extra_step
    for fact in ("extra_step_due", "inside_extra_step") if rule else ():
        doc, do = "the phase goes on", ["end(step)"]
        yield row(
            here,
            f"{step.name}_end",
            fact,
            do,
            event=event,
            rule=rule,
            layer="extra",
            generic=True,
            doc=doc,
        )


def step_during(step: Step) -> Iterator[Transition]:
    """While players may act: events that lead elsewhere, and back to where they may act."""
    for during in step.during:
        window, act = f"{step.name}_{during.at}", _place(step, during.act)
        for refused in during.refused:
            yield row(
                window,
                None,
                refused.when,
                event=during.event,
                rule=refused.rule,
                layer="jump",
                doc=refused.doc,
            )
        yield row(window, act, event=during.event, rule=during.rule, layer=during.layer, doc=during.doc,
                  says=during.says)  # fmt: skip
        yield from _after_during(during, act, window)


def _after_during(during: During, here: str, window: str) -> Iterator[Transition]:
    """From the action of a `During` into its phase, or back to the window."""
    rule, layer = during.rule, during.layer
    if during.phase:
        do = [*during.do, "suspend"]
        into = f"{during.phase}_phase_before"
        yield row(here, into, during.when, do, rule=rule, layer=layer, says=during.says)
    if not during.phase or during.when:
        yield row(here, window, rule=during.back or rule, layer=layer, doc="players may act again")


def step_after(table: TableParts, phase: Phase, step: Step, following: str) -> Iterator[Transition]:
    """Is something extra due, was this extra, where does the turn go on? And once more, if it can
    begin again.
    """
    here, rules = f"{step.name}_after", table.rules
    yield row(f"{step.name}_end", here, rule=rules.end)
    yield from _extra_due(here, rules.extra_step)
    if rules.extra_step:
        yield extra(
            here,
            "step_resume",
            "inside_extra_step",
            [],
            rules.extra_step,
            "this step was extra: go on where it came in",
        )
    for then in step.then:
        target = f"{_step(table, then.to).name}_before"
        yield row(
            here,
            target,
            then.when,
            then.do,
            rule=then.rule,
            layer=then.layer,
            doc=then.doc,
            says=then.says,
        )
    if not step.then or step.then[-1].when:
        ends = [] if following or rules.phase_end_first else phase_ends(phase)
        yield row(here, following or f"{phase.name}_phase_end", do=ends, rule=phase.rule)
    if step.again:
        again = f"{step.name}_again"
        yield row(f"{again}_end", f"{again}_after", rule=rules.end)
        yield from _extra_due(f"{again}_after", rules.extra_step)
        yield row(
            f"{again}_after",
            f"{step.name}_begin",
            do=[_begin(step)],
            rule=step.again.rule,
            layer="extra",
            doc=step.again.doc,
        )


def phase_ends(phase: Phase) -> list[str]:
    """The actions with which a phase ends: durations run out, its latched facts hold no longer."""
    return ["end(phase)", *marks(phase.ends), *clears(phase.clears)]


def marks(moment: str) -> list[str]:
    """The action at which durations run out, if there is one."""
    return [f"mark({moment})"] if moment else []


def clears(scope: str) -> list[str]:
    """The action that clears a scope, if there is one."""
    return [f"clear({scope})"] if scope else []


def _extra_due(here: str, rule: str) -> Iterator[Transition]:
    if rule:
        take = [f"push_return(step, {here})", "take_extra(step)"]
        yield extra(
            here,
            "step_hub",
            "extra_step_due",
            take,
            rule,
            "an extra step comes directly after this one",
        )


def _begin(step: Step) -> str:
    return f"begin(step, {step.name}, {step.name})"


def _place(step: Step, part: Act | Window) -> str:
    return f"{step.name}_{part.name}"


def _marks(part: Act | Window | None) -> list[str]:
    return marks(part.ends) if isinstance(part, Act) else []


def _step(table: TableParts, name: str) -> Step:
    found = {step.name: step for step in table.steps}
    if name not in found:
        raise RulesetError(
            f"{table.name}: step {name!r} is unknown", kind="unknown-step", found=name, known=found
        )
    return found[name]
