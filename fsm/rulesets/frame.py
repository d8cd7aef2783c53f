"""How one row of a ruleset's table becomes states and transitions.

Every turn, phase and step gets the same frame: *before* (is it skipped, does something come first?),
*begin*, what happens in it, *end*, *after* (is something extra due, or was this itself extra?).
Each level has a *hub*, where extras start, and a *resume*, where the interrupted sequence goes on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from fsm.errors import RulesetError, suggest
from fsm.model import Model, Transition
from fsm.rulesets.frame_facts import facts
from fsm.rulesets.frame_states import states
from fsm.rulesets.rows import CLOSED, DONE, extra, row, skip
from fsm.rulesets.table import Act, Phase, Step, Table


def expand(table: Table) -> Model:
    """The Model of a table. Raises ModelError or RulesetError when a row names what is not there."""
    return Model(
        name=table.name,
        title=table.title,
        edition=table.edition,
        initial="turn_hub",
        states=(*states(table), *table.states),
        transitions=(*_turn(table), *_phases(table), *_hubs(table), *table.transitions),
        events=(DONE, CLOSED, *table.events),
        facts=(*table.facts, *facts(table)),
        durations=table.durations,
        settings=table.settings,
        options=table.options,
        window=table.window,
    )


def _turn(table: Table) -> Iterator[Transition]:
    rules, first = table.rules, f"{table.phases[0].name}_phase_before"
    yield row("turn_hub", "turn_before", "extra_turn_due", ["take_turn"], rule=rules.extra_turn, layer="extra",
              doc="the newest extra turn first")
    yield row("turn_hub", "turn_before", do=["next_player"], rule=rules.turn, doc="the next player in turn order")
    yield row("turn_before", "turn_hub", "candidate_left", ["miss_turn"], rule=rules.no_turn, layer="skip",
              doc="a player who left takes no turn")
    yield skip("turn_before", "turn_hub", "skip_turn", ["consume_skip(turn, turn)"], rules.skip,
               "an effect skips the turn")
    yield row("turn_before", "turn_begin", do=["begin_turn"], rule=rules.turn)
    yield row("turn_begin", first, rule=rules.turn)
    yield row("turn_end", "turn_hub", do=["end_turn"], rule=rules.turn)


def _phases(table: Table) -> Iterator[Transition]:
    for phase, following in zip_longest(table.phases, table.phases[1:]):
        yield from _phase_before(table, phase)
        for step, after in zip_longest(phase.steps, phase.steps[1:]):
            yield from _step_before(table, step)
            yield from _step_inside(table, step)
            yield from _step_after(table, phase, step, f"{after.name}_before" if after else "")
        yield from _phase_after(table, phase, f"{following.name}_phase_before" if following else "turn_end")


def _phase_before(table: Table, phase: Phase) -> Iterator[Transition]:
    p, rules = f"{phase.name}_phase", table.rules
    consume = [f"consume_skip(phase, {phase.kin})", *([f"miss(phase, {phase.name})"] if phase.noted else [])]
    yield skip(f"{p}_before", f"{p}_after", f"skip_{phase.kin}_phase", consume, rules.skip, "an effect skips the phase")
    if phase.swap:
        swap, other = phase.swap, _phase(table, phase.swap.phase)
        do = [f"begin(phase, {other.name}, {other.kin})", f"push_return(phase, {p}_after)"]
        yield row(f"{p}_before", f"{other.name}_phase_begin", swap.when, do, rule=swap.rule, doc=swap.doc)
    do = [*_clears(phase), f"begin(phase, {phase.name}, {phase.kin})"]
    yield row(f"{p}_before", f"{p}_begin", do=do, rule=phase.rule)
    yield row(f"{p}_begin", f"{phase.steps[0].name}_before", rule=phase.rule)


def _phase_after(table: Table, phase: Phase, following: str) -> Iterator[Transition]:
    p, rules = f"{phase.name}_phase", table.rules
    yield row(f"{p}_end", f"{p}_after", rule=rules.end)
    take = [f"push_return(phase, {p}_after)", "take_extra(phase)"]
    yield extra(f"{p}_after", "phase_hub", "extra_phase_due", take, rules.extra_phase,
                "an extra phase comes directly after this one")
    yield extra(f"{p}_after", "phase_resume", "inside_extra_phase", [], rules.extra_phase,
                "this phase was extra: go on where it came in")
    yield row(f"{p}_after", following, rule=rules.turn)


def _step_before(table: Table, step: Step) -> Iterator[Transition]:
    s, rules = step.name, table.rules
    before, after = f"{s}_before", f"{s}_after"
    if table.can_lack(step):
        yield skip(before, after, f"phase_lacks_{s}", ["pass_over(step)"], rules.step_after_phase,
                   "the phase holds only another step")
    for absent in step.absent:
        yield row(before, after, absent.when, [f"miss(step, {s})"], rule=absent.rule, layer="skip", doc=absent.doc)
    yield skip(before, after, f"skip_{s}", [f"consume_skip(step, {s})"], rules.skip, "an effect skips the step")
    take = [f"push_return(step, {before})", f"take_before({s})"]
    yield extra(before, "step_hub", f"extra_before_{s}", take, rules.extra_step,
                "an extra step comes directly before this one")
    yield row(before, f"{s}_begin", do=[_begin(step)], rule=step.rule)


def _step_inside(table: Table, step: Step) -> Iterator[Transition]:
    """Begin, actions in order, window, closing actions, end; a guarded action may be passed by."""
    s, rules = step.name, table.rules
    chain: list[Act | None] = [*step.actions, *([None] if step.opens else []), *step.closing]
    places = [f"{s}_begin", *(f"{s}_{act.name}" if act else f"{s}_window" for act in chain)]
    for number, here in enumerate(places):
        event = "closed" if number and chain[number - 1] is None else "done"
        if event == "closed" and step.again:
            yield row(here, f"{s}_again_end", step.again.when, ["end(step)"], event=event, rule=step.again.rule,
                      layer="extra", doc=step.again.doc)
        yield from _onward(step, here, event, chain[number:], rules.end)


def _onward(step: Step, here: str, event: str, rest: Sequence[Act | None], end: str) -> Iterator[Transition]:
    s = step.name
    for act in rest:
        if act is None:
            yield row(here, f"{s}_window", event=event, rule=step.window_rule or step.rule)
            return
        marks = [f"mark({act.marks})"] if act.marks else []
        yield row(here, f"{s}_{act.name}", act.when, marks, event=event, rule=act.rule)
        if not act.when:
            return
    yield row(here, f"{s}_end", do=["end(step)"], event=event, rule=end)


def _step_after(table: Table, phase: Phase, step: Step, following: str) -> Iterator[Transition]:
    here, rules = f"{step.name}_after", table.rules
    yield row(f"{step.name}_end", here, rule=rules.end)
    yield _extra_due(here, rules.extra_step)
    yield extra(here, "step_resume", "inside_extra_step", [], rules.extra_step,
                "this step was extra: go on where it came in")
    for then in step.then:
        target = f"{_step(table, then.to).name}_before"
        yield row(here, target, then.when, rule=then.rule, layer=then.layer, doc=then.doc)
    if not step.then or step.then[-1].when:
        ends = [] if following else ["end(phase)", *_clears(phase)]
        yield row(here, following or f"{phase.name}_phase_end", do=ends, rule=phase.rule)
    if step.again:
        again = f"{step.name}_again"
        yield row(f"{again}_end", f"{again}_after", rule=rules.end)
        yield _extra_due(f"{again}_after", rules.extra_step)
        yield row(f"{again}_after", f"{step.name}_begin", do=[_begin(step)], rule=step.again.rule, layer="extra",
                  doc=step.again.doc)


def _extra_due(here: str, rule: str) -> Transition:
    take = [f"push_return(step, {here})", "take_extra(step)"]
    return extra(here, "step_hub", "extra_step_due", take, rule, "an extra step comes directly after this one")


def _hubs(table: Table) -> Iterator[Transition]:
    rules = table.rules
    for family in table.families:
        home = [phase for phase in table.phases if phase.kin == family][-1]
        rule = home.extra_rule or rules.extra_phase
        yield extra("phase_hub", f"{home.name}_phase_before", f"extra_phase_is_{family}", [], rule)
    for phase in table.phases:
        after, pop = f"{phase.name}_phase_after", ["pop_return(phase)"]
        yield extra("phase_resume", after, f"phase_returns_to_{after}", pop, rules.extra_phase)
    for step in table.steps:
        yield extra("step_hub", f"{step.name}_before", f"extra_step_is_{step.name}", [], rules.extra_step)
    for place in (place for step in table.steps for place in step.places):
        yield extra("step_resume", place, f"step_returns_to_{place}", ["pop_return(step)"], rules.extra_step)


def _begin(step: Step) -> str:
    return f"{step.begin}(step, {step.name}, {step.name})"


def _clears(phase: Phase) -> list[str]:
    return [f"clear({phase.clears})"] if phase.clears else []


def _phase(table: Table, name: str) -> Phase:
    found = {phase.name: phase for phase in table.phases}
    if name not in found:
        raise RulesetError(f"{table.name}: phase {name!r} is unknown{suggest(name, found)}")
    return found[name]


def _step(table: Table, name: str) -> Step:
    found = {step.name: step for step in table.steps}
    if name not in found:
        raise RulesetError(f"{table.name}: step {name!r} is unknown{suggest(name, found)}")
    return found[name]
