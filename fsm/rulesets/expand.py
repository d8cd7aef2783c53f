"""How a ruleset's table becomes a Model: the turn and its phases.

Every turn, phase and step gets the same frame: *before* (is it skipped, does something come
first?), *begin*, what happens in it, *end*, *after* (is something extra due, or was this itself
extra?). Each level has a *hub*, where extras start, and a *resume*, where the interrupted sequence
goes on. `fsm.rulesets.frame` has the states, `fsm.rulesets.steps` what one step becomes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise, zip_longest
from typing import TypeVar

from msgspec.structs import replace

from fsm.errors import RulesetError
from fsm.model import Duration, Fact, Model, Setting, State, Transition
from fsm.rulesets.frame import back_fact, facts, states
from fsm.rulesets.parts import Cut, Phase, several
from fsm.rulesets.plan import Plan, scope_of
from fsm.rulesets.rows import CLOSED, DONE, jump, row
from fsm.rulesets.steps import (
    marked,
    phase_ends,
    step_after,
    step_before,
    step_during,
    step_inside,
)
from fsm.rulesets.tableparts import TableParts

_Part = TypeVar("_Part", State, Transition, Fact, Duration, Setting)
Cite = Callable[[str], str] | None


def expand(table: TableParts) -> Model:
    """The Model of a table. Raises ModelError or RulesetError when a row names what is not there."""
    plan, cite = Plan(table), table.cite
    framed = tuple(states(plan))
    rows = (*_before_game(plan), *_turn(plan), *_phases(plan), *_hubs(plan), *_cuts(plan))
    ends = tuple(_leaving(plan))
    rows = (*rows, *several(table.transitions), *_elsewhere(plan), *ends)
    final = [] if any(s.id == "game_over" for s in several(table.states)) else [*_final(plan, ends)]
    return Model(
        name=table.name,
        title=table.text,
        edition=table.edition,
        rulebook=table.rulebook,
        initial=framed[1].id,
        states=_recited((*framed, *several(table.states), *final), cite),
        transitions=_recited(rows, cite),
        events=(DONE, CLOSED, *several(table.events), *plan.events),
        facts=_recited((*plan.facts, *facts(plan)), cite),
        durations=_recited(plan.durations, cite),
        settings=_recited(several(table.settings), cite),
        options=dict(table.options),
        window=_window(plan.window, cite),
        roles=several(table.roles),
    )


def _window(window: Model | None, cite: Cite) -> Model | None:
    if window is None or cite is None:
        return window
    states, facts = _recited(window.states, cite), _recited(window.facts, cite)
    rows = _recited(window.transitions, cite)
    return replace(window, states=states, transitions=rows, facts=facts)


def _recited(parts: tuple[_Part, ...], cite: Cite) -> tuple[_Part, ...]:
    """Cite the rules as the table says."""
    if cite is None:
        return parts
    return tuple([replace(part, rule=cite(part.rule)) for part in parts])


def _before_game(plan: Plan) -> Iterator[Transition]:
    places = [f"before_game_{act.name}" for act in several(plan.table.before_game)]
    for here, following in pairwise([*places, "before_game_over", "turn_hub"] if places else ()):
        yield row(here, following, rule=plan.rules.turn)


def _turn(plan: Plan) -> Iterator[Transition]:
    rules, possible = plan.rules, plan.possible
    if "extra_turn" in possible:
        yield row("turn_hub", "turn_before", "extra_turn_due", ["take_turn"], rule=rules.extra_turn, layer="extra",
                  doc="the newest extra turn first")  # fmt: skip
    token = plan.table.order == "token"
    next, doc = "next_player", "the next player in turn order"
    if token:
        next, doc = "same_player", "who has the token"
    yield row("turn_hub", "turn_before", do=[next], rule=rules.turn, doc=doc)
    if "leaving" in possible:
        yield row("turn_before", "turn_hub", "candidate_left", ["miss_turn"], rule=rules.no_turn, layer="skip",
                  doc="a player who left takes no turn")  # fmt: skip
    if "skip_turn" in possible:
        yield row("turn_before", "turn_hub", "skip_turn", ["consume_skip(turn, turn)"], rule=rules.skip, layer="skip",
                  generic=True, doc="an effect skips the turn")  # fmt: skip
    clear = ["clear(turn)"] if "turn" in plan.scopes else []
    yield row("turn_before", "turn_begin", do=["begin_turn", *clear], rule=rules.turn)
    yield row("turn_begin", f"{plan.table.phases[0].name}_phase_before", rule=rules.turn)
    late = [f"mark({plan.late})"] if plan.late else []
    yield row("turn_end", "turn_hub", do=[*late, "end_turn"], rule=rules.turn)


def _phases(plan: Plan) -> Iterator[Transition]:
    phases, seen = plan.table.phases, set[str]()
    for phase, following in zip_longest(phases, phases[1:]):
        onward = f"{following.name}_phase_before" if following else "turn_end"
        yield from _phase(plan, phase)
        yield row(f"{phase.name}_phase_after", onward, rule=plan.rules.turn)
        yield from _nested(plan, phase, seen)


def _nested(plan: Plan, outer: Phase, seen: set[str]) -> Iterator[Transition]:
    """The phases inside another, each with its way back to where it came from."""
    for inner in outer.within:
        if inner.name not in seen:
            seen.add(inner.name)
            yield from _phase(plan, inner)
            yield from _back(plan, inner.name)
            yield from _nested(plan, inner, seen)


def _phase(plan: Plan, phase: Phase) -> Iterator[Transition]:
    yield from _phase_before(plan, phase)
    for step, after in zip_longest(phase.steps, phase.steps[1:]):
        yield from step_before(plan, step)
        yield from step_inside(plan, phase, step)
        yield from step_during(plan, phase, step)
        yield from step_after(plan, phase, step, f"{after.name}_before" if after else "")
    yield from _phase_after(plan, phase)


def _back(plan: Plan, phase: str) -> Iterator[Transition]:
    """From a phase inside another back to the window out of which it came."""
    back = plan.waiting[phase]
    for number, (step, window, rule) in enumerate(back, 1):
        came = back_fact(phase, step, window) if number < len(back) else ""
        doc = f"back in {step.text.lower()}, where it waited"
        place = f"{step.name}_{window.name}"
        yield row(f"{phase}_phase_after", place, came, ["resume"], rule=rule, doc=doc)


def _phase_before(plan: Plan, phase: Phase) -> Iterator[Transition]:
    p, rules, kin = f"{phase.name}_phase", plan.rules, phase.kin
    before, after = f"{p}_before", f"{p}_after"
    for absent in phase.absences:
        yield row(before, after, absent.when, ["pass_over(phase)"], rule=absent.rule, layer="skip", doc=absent.doc,
                  says=absent.says)  # fmt: skip
    if "skip_phase" in plan.possible:
        missed = [f"miss(phase, {phase.name})"] if phase.noted else []
        for name in (kin, phase.name) if phase in plan.single else (kin,):
            consume = [f"consume_skip(phase, {name})", *missed]
            yield row(before, after, f"skip_{name}_phase", consume, rule=rules.skip, layer="skip", generic=True,
                      doc="an effect skips the phase")  # fmt: skip
    if phase.swap:
        swap, other = phase.swap, _named(plan, phase.swap.phase)
        do = [f"begin(phase, {other.name}, {other.kin})", f"push_return(phase, {after})"]
        begin = f"{other.name}_phase_begin"
        yield row(before, begin, swap.when, do, rule=swap.rule, doc=swap.doc)
    clears = [f"clear({scope})" for scope in (phase.name, scope_of(phase)) if scope in plan.scopes]
    begin = f"begin(phase, {phase.name}, {kin})"
    yield row(before, f"{p}_begin", do=[*clears, begin], rule=phase.rule)
    yield row(f"{p}_begin", f"{phase.steps[0].name}_before", rule=phase.rule)


def _phase_after(plan: Plan, phase: Phase) -> Iterator[Transition]:
    p, rules = f"{phase.name}_phase", plan.rules
    late = phase_ends(plan, phase) if rules.phase_end_first else []
    yield row(f"{p}_end", f"{p}_after", do=late, rule=rules.end)
    if "extra_phase" in plan.possible:
        take = [f"push_return(phase, {p}_after)", "take_extra(phase)"]
        doc = "an extra phase comes directly after this one"
        yield _extra(f"{p}_after", "phase_hub", "extra_phase_due", take, rules.extra_phase, doc)
        doc = "this phase was extra: go on where it came in"
        yield _extra(f"{p}_after", "phase_resume", "inside_extra_phase", [], rules.extra_phase, doc)
    names = {phase.name for phase in plan.phases}
    for then in several(phase.then):
        to = f"{then.to}_phase_before" if then.to in names else then.to
        yield row(f"{p}_after", to, then.when, then.do, rule=then.rule, layer=then.layer, doc=then.doc,
                  says=then.says)  # fmt: skip


def _hubs(plan: Plan) -> Iterator[Transition]:
    rules = plan.rules
    if "extra_phase" in plan.possible:
        for family in plan.families:
            home = [phase for phase in plan.phases if phase.kin == family][-1]
            to, rule = f"{home.name}_phase_before", home.extra_rule or rules.extra_phase
            yield _extra("phase_hub", to, f"extra_phase_is_{family}", [], rule)
        for phase in plan.single:
            to, rule = f"{phase.name}_phase_before", phase.extra_rule or rules.extra_phase
            yield _extra("phase_hub", to, f"extra_phase_is_{phase.name}", [], rule)
        for phase in plan.phases:
            after, pop = f"{phase.name}_phase_after", ["pop_return(phase)"]
            came = f"phase_returns_to_{after}"
            yield _extra("phase_resume", after, came, pop, rules.extra_phase)
    if "extra_step" in plan.possible:
        for step in plan.steps:
            due = f"extra_step_is_{step.name}"
            yield _extra("step_hub", f"{step.name}_before", due, [], rules.extra_step)
        for place in (place for step in plan.steps for place in step.places):
            came, pop = f"step_returns_to_{place}", ["pop_return(step)"]
            yield _extra("step_resume", place, came, pop, rules.extra_step)


def _extra(
    source: str, target: str, when: str, do: list[str], rule: str, doc: str = ""
) -> Transition:
    return row(source, target, when, do, rule=rule, layer="extra", generic=True, doc=doc)


# ending at once -----------------------------------------------------------------------------------


def _cuts(plan: Plan) -> Iterator[Transition]:
    """Events that end a phase, or the turn."""
    phases = {phase.name: phase for phase in plan.phases}
    for phase in plan.phases:
        for cut in phase.cuts:
            ends = [f"break_off({phase.name})", "end(step)"]
            to = f"{phase.name}_phase_after"
            if cut.to:
                to, ends = f"{cut.to}_before", [*ends, "drop(phase)"]
                yield _ignored(f"{cut.to}_step", cut, "it has come to this")
            else:
                ends += [*phase_ends(plan, phase), "drop(phase)"]
            yield from _cut(cut, f"{phase.name}_phase", phase, to, ends)
            for inner in plan.inside(phase):
                if plan.apart(inner):
                    waits = f"{phase.name}_waits"
                    yield _into(cut, f"{inner.name}_phase", phase, to, ends, waits)
    for cut in several(plan.table.cut):
        ends = ["break_off(turn)", "end(step)", "end(phase)", "drop(turn)"]
        to = "turn_end"
        if cut.to in phases:
            to = f"{cut.to}_phase_before"
            yield _ignored(f"{cut.to}_phase", cut, "it has come to this")
        yield from _cut(cut, "turn", None, to, ends)


def _cut(
    cut: Cut, source: str, phase: Phase | None, to: str, ends: list[str]
) -> Iterator[Transition]:
    yield _into(cut, source, phase, to, ends)
    places = _places(cut, phase)
    for number, here in enumerate(places, 1):
        following, do = to, ends
        if number < len(places):
            following, do = places[number], marked(cut.acts[number], phase)
        yield row(here, following, do=do, rule=cut.rule, layer="jump")
    for place in places:
        yield _ignored(place, cut, "it is ending already")


def _places(cut: Cut, phase: Phase | None) -> list[str]:
    """The states of the actions of a cut."""
    name = phase.name if phase is not None else "turn"
    return [f"{name}_{act.name}" for act in cut.acts]


def _into(
    cut: Cut, source: str, phase: Phase | None, to: str, ends: list[str], when: str = ""
) -> Transition:
    """From a phase or turn into the cut."""
    first, do = to, ends
    if cut.acts:
        first, do = _places(cut, phase)[0], marked(cut.acts[0], phase)
    doc = f"{cut.event.replace('_', ' ')}: it ends at once"
    return jump(source, first, cut.rule, when, do, on=cut.event, doc=doc, says=cut.says)


def _ignored(source: str, cut: Cut, doc: str) -> Transition:
    return jump(source, None, cut.rule, on=cut.event, doc=doc)


# what interrupts a turn ---------------------------------------------------------------------------


def _elsewhere(plan: Plan) -> Iterator[Transition]:
    """For each event that no row of the table hears, nothing happens where nothing waits for it."""
    heard = {transition.event for transition in several(plan.table.transitions)}
    heard |= {cut.event for cut in several(plan.table.cut)}
    for name in plan.signals:
        if name in heard:
            continue
        places, rules = [], []
        for step in plan.steps:
            for during in step.durings:
                if during.event == name:
                    places.append(step.text.lower())
                    rules.append(during.rule)
        for phase in plan.phases:
            for cut in phase.cuts:
                if cut.event == name:
                    places.append(phase.text.lower())
                    rules.append(cut.rule)
        doc = f"it is possible only in {' or '.join(dict.fromkeys(places))}"
        yield jump("turn", None, rules[0], on=name, doc=doc)


def _leaving(plan: Plan) -> Iterator[Transition]:
    """What happens when a player leaves, unless the table says it: the game is over when one side is
    left.
    """
    leaving, rule = plan.leaving, plan.rules.no_turn
    if not plan.leaves:
        return
    left = "" if plan.table.over == "never" else "several_sides_left"
    doc = f"the {plan.table.turn} goes on, without an active player if need be"
    yield jump("turn", None, rule, left, on=leaving, doc=doc)
    if left:
        doc = "only one is left: the game is over"
        yield jump("turn", "game_over", rule, on=leaving, doc=doc)


def _final(plan: Plan, ends: tuple[Transition, ...]) -> Iterator[State]:
    if any(t.target == "game_over" for t in ends):
        yield State("game_over", "final", "", "Game over", role="end", rule=plan.rules.no_turn)


def _named(plan: Plan, name: str) -> Phase:
    found = {phase.name: phase for phase in plan.phases}
    if name not in found:
        raise RulesetError(
            f"{plan.table.name}: phase {name!r} is unknown",
            kind="unknown-phase",
            found=name,
            known=found,
        )
    return found[name]
