"""How a ruleset's table becomes a Model: the turn, its phases, and what interrupts them.

Every turn, phase and step gets the same frame: *before* (is it skipped, does something come
first?), *begin*, what happens in it, *end*, *after* (is something extra due, or was this itself
extra?). Each level has a *hub*, where extras start, and a *resume*, where the interrupted sequence
goes on. `fsm.rulesets.frame` has all of it as data, `fsm.rulesets.steps` what one step becomes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise, zip_longest

from msgspec.structs import replace

from fsm.model import Fact, Model, State, Transition
from fsm.model.elements import LEAVING, ONE_BY_ONE
from fsm.rulesets import frame
from fsm.rulesets.parts import Cut, Phase, label_of, several
from fsm.rulesets.plan import Plan
from fsm.rulesets.rows import CLOSED, DONE, jump, row, ruled
from fsm.rulesets.steps import end_state, marked, procedure, step_rows, step_states


def expand(plan: Plan) -> Model:
    """The Model of a table. Raises ModelError when a row names what is not there."""
    table = plan.table
    states, ends = (*_states(plan), *several(table.states)), tuple(_leaving(plan))
    if any(t.target == "game_over" for t in ends) and "game_over" not in {s.id for s in states}:
        over = State("game_over", "final", "", "Game over", role="end", rule=plan.rules.no_turn)
        states = (*states, over)
    rows = (*_before_game(plan), *_turn(plan), *_phases(plan), *_hubs(plan), *_cuts(plan))
    model = Model(
        name=table.name,
        title=table.text,
        edition=table.edition,
        rulebook=table.rulebook,
        initial=states[1].id,
        states=states,
        transitions=(*rows, *several(table.transitions), *_elsewhere(plan), *ends),
        events=(DONE, CLOSED, *several(table.events), *plan.events),
        facts=(*plan.facts, *facts(plan)),
        durations=plan.durations,
        settings=several(table.settings),
        options=dict(table.options),
        window=plan.window,
        roles=several(table.roles),
    )
    return _recited(model, table.cite) if table.cite else model


def _recited(model: Model, cite: Callable[[str], str]) -> Model:
    """Cite the rules as the table says."""
    fields: dict[str, object] = {}
    for name in ("states", "transitions", "facts", "durations", "settings"):
        fields[name] = tuple([replace(part, rule=cite(part.rule)) for part in getattr(model, name)])
    if model.window is not None:
        fields["window"] = _recited(model.window, cite)
    return replace(model, **fields)


# states -------------------------------------------------------------------------------------------


def _states(plan: Plan) -> Iterator[State]:
    """All states of a table, turn by phases by steps, in its order."""
    table, rule, turn = plan.table, plan.rules.turn, label_of(plan.table.turn)
    says = "" if table.active == "the active player" else table.active
    manner = ONE_BY_ONE if table.members == ONE_BY_ONE else ""
    yield State("turn", "turn", "turn", turn, rule=rule, says=says, manner=manner)
    for act in several(table.before_game):
        yield procedure(f"before_game_{act.name}", "turn", act)
    yield from plan.fill(frame.TURN_STATES, name=table.turn, text=turn)
    placed: set[str] = set()
    for phase in table.phases:
        yield from _phase_states(plan, phase, "turn", placed)
    yield from plan.fill(frame.HUBS)
    for cut in several(table.cut):
        yield from _cut_states(cut, "turn", "turn")
    yield State("turn_end", "stage", "", f"{turn} ends", "turn", "end", rule)


def _phase_states(plan: Plan, phase: Phase, parent: str, placed: set[str]) -> Iterator[State]:
    """A phase with its steps. One that may wait for several others stands in the turn."""
    if phase.name in placed:
        return
    placed.add(phase.name)
    id, rules = f"{phase.name}_phase", plan.rules
    yield from plan.fill(frame.PHASE_STATES, phase, parent=parent)
    for step in phase.steps:
        yield from step_states(plan, step, phase.name)
    for inner in phase.within:
        if not plan.apart(inner):
            yield from _phase_states(plan, inner, id, placed)
    for cut in phase.cuts:
        yield from _cut_states(cut, phase.name, id)
    action = rules.end_action if plan.ends_with_step(phase) else rules.phase_end_action
    yield end_state(plan, f"{id}_end", f"{phase.text} phase ends", id, action)
    yield from plan.fill(frame.PHASE_LEFT, phase)
    for inner in phase.within:
        yield from _phase_states(plan, inner, "turn", placed)


def _cut_states(cut: Cut, name: str, parent: str) -> Iterator[State]:
    for act in cut.acts:
        yield procedure(f"{name}_{act.name}", parent, act)


# the course of a turn -----------------------------------------------------------------------------


def _before_game(plan: Plan) -> Iterator[Transition]:
    places = [f"before_game_{act.name}" for act in several(plan.table.before_game)]
    for here, following in pairwise([*places, "before_game_over", "turn_hub"] if places else ()):
        yield row(here, following, rule=plan.rules.turn)


def _turn(plan: Plan) -> Iterator[Transition]:
    next, comes = "next_player", "the next player in turn order"
    if plan.table.order == "token":
        next, comes = "same_player", "who has the token"
    return plan.fill(
        frame.TURN_ROWS,
        next=next,
        comes=comes,
        clear=plan.clear("turn"),
        first=plan.table.phases[0].name,
        late=f"mark({plan.late})" if plan.late else "",
    )


def _phases(plan: Plan) -> Iterator[Transition]:
    phases, seen = plan.table.phases, set[str]()
    for phase, following in zip_longest(phases, phases[1:]):
        onward = f"{following.name}_phase_before" if following else "turn_end"
        yield from _phase(plan, phase)
        yield row(f"{phase.name}_phase_after", onward, rule=plan.rules.turn)
        yield from _nested(plan, phase, seen)


def _nested(plan: Plan, outer: Phase, seen: set[str]) -> Iterator[Transition]:
    """The phases inside another, each with its way back to the window out of which it came."""
    for inner in outer.within:
        if inner.name in seen:
            continue
        seen.add(inner.name)
        yield from _phase(plan, inner)
        back = plan.waiting[inner.name]
        for number, (step, window, rule) in enumerate(back, 1):
            place = f"{step.name}_{window.name}"
            came = f"{inner.name}_from_{place}" if number < len(back) else ""
            doc = f"back in {step.text.lower()}, where it waited"
            yield row(f"{inner.name}_phase_after", place, came, ["resume"], rule=rule, doc=doc)
        yield from _nested(plan, inner, seen)


def _phase(plan: Plan, phase: Phase) -> Iterator[Transition]:
    yield from _phase_before(plan, phase)
    for step, after in zip_longest(phase.steps, phase.steps[1:]):
        yield from step_rows(plan, phase, step, f"{after.name}_before" if after else "")
    late = plan.ending(phase) if plan.rules.phase_end_first else []
    end, after = f"{phase.name}_phase_end", f"{phase.name}_phase_after"
    yield row(end, after, do=late, rule=plan.rules.end)
    yield from plan.fill(frame.PHASE_ENDED, phase)
    for then in several(phase.then):
        to = f"{then.to}_phase_before" if then.to in plan.named else then.to
        yield ruled(then, after, to, then.do, layer=then.layer)


def _phase_before(plan: Plan, phase: Phase) -> Iterator[Transition]:
    noted = f"latch({phase.noted})" if phase.noted else ""
    before, after = f"{phase.name}_phase_before", f"{phase.name}_phase_after"
    for absent in phase.absences:
        yield ruled(absent, before, after, ["pass_over(phase)"], layer="skip")
    for name in (phase.kin, phase.name) if phase in plan.single else (phase.kin,):
        yield from plan.fill(frame.PHASE_SKIPPED, phase, kin=name, noted=noted)
    if phase.swap:
        other = plan.named[phase.swap.phase]
        do = [f"begin(phase, {other.name}, {other.kin})", f"push_return(phase, {after})"]
        yield ruled(phase.swap, before, f"{other.name}_phase_begin", do)
    clear, forget = plan.clear(phase.name), plan.clear(f"{phase.name}_phase")
    yield from plan.fill(frame.PHASE_BEGINS, phase, clear=clear, forget=forget)


def _hubs(plan: Plan) -> Iterator[Transition]:
    homes = {phase.kin: phase for phase in plan.phases}
    for kin, phase in (*homes.items(), *((phase.name, phase) for phase in plan.single)):
        rule = phase.extra_rule or plan.rules.extra_phase
        yield from plan.fill(frame.PHASE_HUB, phase, kin=kin, extra_phase=rule)
    for phase in plan.phases:
        yield from plan.fill(frame.PHASE_RESUMED, phase)
    for step in plan.steps:
        yield from plan.fill(frame.STEP_HUB, step)
    for step in plan.steps:
        for place in step.places:
            yield from plan.fill(frame.STEP_RESUMED, place=place)


# ending at once -----------------------------------------------------------------------------------


def _cuts(plan: Plan) -> Iterator[Transition]:
    """Events that end a phase, or the turn."""
    for phase in plan.phases:
        for cut in phase.cuts:
            ends = [f"break_off({phase.name})", "end(step)"]
            to = f"{phase.name}_phase_after"
            if cut.to:
                to = f"{cut.to}_before"
                yield _ignored(f"{cut.to}_step", cut, "it has come to this")
            else:
                ends += plan.ending(phase)
            yield from _cut(plan, cut, phase, to, [*ends, "drop(phase)"])
    for cut in several(plan.table.cut):
        to = "turn_end"
        if cut.to:
            to = f"{cut.to}_phase_before"
            yield _ignored(f"{cut.to}_phase", cut, "it has come to this")
        ends = ["break_off(turn)", "end(step)", "end(phase)", "drop(turn)"]
        yield from _cut(plan, cut, None, to, ends)


def _cut(
    plan: Plan, cut: Cut, phase: Phase | None, to: str, ends: list[str]
) -> Iterator[Transition]:
    """From a phase or turn, and from the phases that run inside it, through the cut's actions."""
    name = phase.name if phase is not None else "turn"
    sources = {f"{name}_phase" if phase is not None else "turn": ""}
    for inner in plan.inside(phase) if phase is not None else ():
        if plan.apart(inner):
            sources[f"{inner.name}_phase"] = f"{name}_waits"
    places = [f"{name}_{act.name}" for act in cut.acts]
    first, *others = [*places, to]
    into, *does = [*(marked(act, phase) for act in cut.acts), ends]
    doc = f"{cut.event.replace('_', ' ')}: it ends at once"
    ways = [
        jump(source, first, cut.rule, when, into, on=cut.event, doc=doc, says=cut.says)
        for source, when in sources.items()
    ]
    yield ways[0]
    for here, there, do in zip(places, others, does, strict=True):
        yield row(here, there, do=do, rule=cut.rule, layer="jump")
    for place in places:
        yield _ignored(place, cut, "it is ending already")
    yield from ways[1:]


def _ignored(source: str, cut: Cut, doc: str) -> Transition:
    return jump(source, None, cut.rule, on=cut.event, doc=doc)


# what interrupts a turn ---------------------------------------------------------------------------


def _elsewhere(plan: Plan) -> Iterator[Transition]:
    """For each event that no row of the table hears, nothing happens where nothing waits for it."""
    heard = {transition.event for transition in several(plan.table.transitions)}
    heard |= {cut.event for cut in several(plan.table.cut)}
    for name, signal in plan.signals.items():
        if name not in heard:
            doc = f"it is possible only in {' or '.join(dict.fromkeys(signal.places))}"
            yield jump("turn", None, signal.rule, on=name, doc=doc)


def _leaving(plan: Plan) -> Iterator[Transition]:
    """What happens when a player leaves, unless the table says it."""
    rule = plan.rules.no_turn
    if not plan.leaves:
        return
    left = "" if plan.table.over == "never" else "several_sides_left"
    doc = f"the {plan.table.turn} goes on, without an active player if need be"
    yield jump("turn", None, rule, left, on=LEAVING, doc=doc)
    if left:
        doc = "only one is left: the game is over"
        yield jump("turn", "game_over", rule, on=LEAVING, doc=doc)


# facts --------------------------------------------------------------------------------------------


def facts(plan: Plan) -> Iterator[Fact]:
    """All facts that rows of the frame read: of turns, of phases, of steps, of windows, of cuts."""
    yield from plan.fill(frame.TURN_FACTS)
    for kin in (*plan.families, *(phase.name for phase in plan.single)):
        yield from plan.fill(frame.PHASE_FACTS, kin=kin)
    for phase in plan.phases:
        yield from plan.fill(frame.PHASE_RETURNS, phase)
    for step in plan.steps:
        yield from plan.fill(frame.STEP_FACTS, step)
        for place in step.places:
            words = place.replace("_", " ")
            yield from plan.fill(frame.STEP_RETURNS, place=place, words=words)
    yield from _waiting_facts(plan)


def _waiting_facts(plan: Plan) -> Iterator[Fact]:
    """Out of which window a phase came, that an event has ended a step, that a phase waits."""
    for inner, back in plan.waiting.items():
        for step, window, rule in back[:-1]:
            place, words = f"{step.name}_{window.name}", inner.replace("_", " ")
            yield from plan.fill(frame.CAME, phase=inner, place=place, words=words, rule=rule)
    for step in plan.steps:
        for during in step.leavings:
            place, rule = f"{step.name}_{during.event}", during.rule
            yield from plan.fill(frame.LEFT, place=place, event=during.event, rule=rule)
    for phase in plan.phases:
        if phase.cuts and any(plan.apart(inner) for inner in plan.inside(phase)):
            yield from plan.fill(frame.WAITS, phase)
