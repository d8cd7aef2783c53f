"""How a ruleset's table becomes a Model: the turn, its phases, and what interrupts them.

Every turn, phase and step gets the same frame: *before* (is it skipped, does something come
first?), *begin*, what happens in it, *end*, *after* (is something extra due, or was this itself
extra?). Each level has a *hub*, where extras start, and a *resume*, where the interrupted sequence
goes on. `fsm.rulesets.frame` has all of it as data, `fsm.rulesets.steps` what one step becomes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise, zip_longest
from typing import Any

from msgspec.structs import replace

from fsm.model import Fact, Model, State, Transition
from fsm.model.elements import LEAVING, ONE_BY_ONE
from fsm.rulesets import frame
from fsm.rulesets.parts import Act, Cut, Phase, label_of
from fsm.rulesets.plan import Plan
from fsm.rulesets.rows import CLOSED, DONE, facts_read, jump, row, ruled
from fsm.rulesets.steps import end_state, marked, perform, step_rows, step_states


def expand(plan: Plan) -> Model:
    """The Model of a table. Raises ModelError when a row names what is not there."""
    table = plan.table
    states, ends = (*_states(plan), *table.states), tuple(_leaving(plan))
    if ends and "game_over" not in {state.id for state in states}:
        over = State("game_over", "final", "", "Game over", role="end", rule=plan.rules.no_turn)
        states = (*states, over)
    rows = (*_turn(plan), *_phases(plan), *_hubs(plan), *_cuts(plan))
    rows = (*rows, *table.transitions, *_elsewhere(plan), *ends)
    read = facts_read(row.guard for row in rows)
    model = Model(
        name=table.name,
        title=table.text,
        edition=table.edition,
        rulebook=table.rulebook,
        initial=states[1].id,
        states=states,
        transitions=rows,
        events=(DONE, CLOSED, *plan.events),
        facts=(*plan.facts, *(fact for fact in _facts(plan) if fact.name in read)),
        durations=plan.durations,
        settings=table.settings,
        options=dict(table.options),
        window=plan.window,
        roles=table.roles,
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
    yield from _procedure("before_game", "turn", table.before_game)
    if table.before_game:
        yield from plan.fill(frame.BEFORE_GAME)
    yield from plan.fill(frame.TURN_STATES, name=table.turn, text=turn)
    placed: set[str] = set()
    for phase in table.phases:
        yield from _phase_states(plan, phase, "turn", placed)
    yield from plan.fill(frame.HUBS)
    for cut in table.cut:
        yield from _procedure("turn", "turn", cut.acts)
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
    for cut in phase.cut:
        yield from _procedure(phase.name, id, cut.acts)
    action = rules.end_action if plan.ends_with_step(phase) else rules.phase_end_action
    yield end_state(plan, f"{id}_end", f"{phase.text} phase ends", id, action)
    yield from plan.fill(frame.PHASE_LEFT, phase)
    for inner in phase.within:
        yield from _phase_states(plan, inner, "turn", placed)


def _procedure(name: str, parent: str, acts: tuple[Act, ...]) -> Iterator[State]:
    """Actions outside the ordinary course of a turn."""
    for act in acts:
        yield replace(perform(f"{name}_{act.name}", parent, act), role="procedure")


# the course of a turn -----------------------------------------------------------------------------


def _turn(plan: Plan) -> Iterator[Transition]:
    """What comes before the first turn, and the turn itself."""
    table = plan.table
    acts = [f"before_game_{act.name}" for act in table.before_game]
    for here, following in pairwise([*acts, "before_game_over", "turn_hub"] if acts else ()):
        yield row(here, following, plan.rules.turn)
    next, comes = "next_player", "the next player in turn order"
    if table.order == "token":
        next, comes = "same_player", "who has the token"
    late = "" if table.durations else f"mark(end_of_{table.turn})"  # at the latest
    clear, first = plan.clear("turn"), table.phases[0].name
    yield from plan.fill(
        frame.TURN_ROWS, next=next, comes=comes, clear=clear, first=first, late=late
    )


def _phases(plan: Plan) -> Iterator[Transition]:
    following = {here.name: there.name for here, there in pairwise(plan.table.phases)}
    for phase in plan.phases:
        yield from _phase(plan, phase)
        after, back = f"{phase.name}_phase_after", plan.waiting.get(phase.name, [])
        for number, (step, window, rule) in enumerate(back, 1):
            place = f"{step.name}_{window.name}"
            came = f"{phase.name}_from_{place}" if number < len(back) else ""
            doc = f"back in {step.text.lower()}, where it waited"
            yield row(after, place, rule, came, ["resume"], doc=doc)
        if not back:
            next = following.get(phase.name)
            yield row(after, f"{next}_phase_before" if next else "turn_end", plan.rules.turn)


def _phase(plan: Plan, phase: Phase) -> Iterator[Transition]:
    before, end, after = [f"{phase.name}_phase_{place}" for place in ("before", "end", "after")]
    for absent in phase.unless:
        yield ruled(absent, before, after, ["pass_over(phase)"], layer="skip")
    noted = f"latch({phase.noted})" if phase.noted else ""
    for kin in dict.fromkeys((phase.kin, phase.name)):
        if kin in plan.kins:
            yield from plan.fill(frame.PHASE_SKIPPED, phase, kin=kin, noted=noted)
    if phase.swap:
        other = plan.named[phase.swap.to]
        do = [f"begin(phase, {other.name}, {other.kin})", f"push_return(phase, {after})"]
        yield ruled(phase.swap, before, f"{other.name}_phase_begin", do)
    clear, forget = plan.clear(phase.name), plan.clear(f"{phase.name}_phase")
    yield from plan.fill(frame.PHASE_BEGINS, phase, clear=clear, forget=forget)
    for step, following in zip_longest(phase.steps, phase.steps[1:]):
        yield from step_rows(plan, phase, step, f"{following.name}_before" if following else "")
    late = plan.ending(phase) if plan.rules.phase_end_first else []
    yield row(end, after, plan.rules.end, do=late)
    yield from plan.fill(frame.PHASE_ENDED, phase)
    for then in phase.then:
        to = f"{then.to}_phase_before" if then.to in plan.named else then.to
        yield ruled(then, after, to, then.do, layer=then.layer)


def _hubs(plan: Plan) -> Iterator[Transition]:
    for kin, phase in plan.kins.items():
        rule = phase.extra_rule or plan.rules.extra_phase
        yield from plan.fill(frame.PHASE_HUB, phase, kin=kin, extra_phase=rule)
    for phase in plan.phases:
        yield from plan.fill(frame.PHASE_RESUMED, phase)
    for step in plan.steps:
        yield from plan.fill(frame.STEP_HUB, step)
    for step in plan.steps:
        for place in step.places:
            yield from plan.fill(frame.STEP_RESUMED, place=place)


# what interrupts a turn ---------------------------------------------------------------------------


def _cuts(plan: Plan) -> Iterator[Transition]:
    """Events that end a phase, or the turn, at once."""
    for phase in plan.phases:
        for cut in phase.cut:
            yield from _cut(plan, cut, phase)
    for cut in plan.table.cut:
        yield from _cut(plan, cut, None)


def _cut(plan: Plan, cut: Cut, phase: Phase | None) -> Iterator[Transition]:
    """From a phase or turn, and from the phases that run inside it, through the cut's actions."""
    if phase is None:
        name, sources, leads = "turn", {"turn": ""}, ("turn_end", "_phase", "_phase_before")
        ends = ["end(step)", "end(phase)", "drop(turn)"]
    else:
        name, sources = phase.name, {f"{phase.name}_phase": ""}
        leads = f"{name}_phase_after", "_step", "_before"
        ends = ["end(step)", *([] if cut.to else plan.ending(phase)), "drop(phase)"]
        for inner in plan.inside(phase):
            if plan.apart(inner):
                sources[f"{inner.name}_phase"] = f"{name}_waits"
    to, home, before = leads
    if cut.to:
        to = cut.to + before
        yield _ignored(cut.to + home, cut, "it has come to this")
    legs = [(f"{name}_{act.name}", marked(act, phase)) for act in cut.acts]
    legs.append((to, [f"break_off({name})", *ends]))
    first, into = legs[0]
    doc = f"{cut.event.replace('_', ' ')}: it ends at once"
    ways = [
        jump(source, first, cut.rule, when, into, event=cut.event, doc=doc, says=cut.says)
        for source, when in sources.items()
    ]
    yield ways[0]
    for (here, _), (there, do) in pairwise(legs):
        yield jump(here, there, cut.rule, do=do)
    for here, _ in legs[:-1]:
        yield _ignored(here, cut, "it is ending already")
    yield from ways[1:]


def _ignored(source: str, cut: Cut, doc: str) -> Transition:
    return jump(source, None, cut.rule, event=cut.event, doc=doc)


def _elsewhere(plan: Plan) -> Iterator[Transition]:
    """For each event that no row of the table hears, nothing happens where nothing waits for it."""
    heard = {transition.event for transition in plan.table.transitions}
    for name, places in plan.signals.items():
        if name not in heard and all(at.phase for at in places):
            homes: list[Any] = [at.step or at.phase for at in places]
            words = dict.fromkeys(home.text.lower() for home in homes)
            doc = f"it is possible only in {' or '.join(words)}"
            yield jump("turn", None, places[0].part.rule, event=name, doc=doc)


def _leaving(plan: Plan) -> Iterator[Transition]:
    """What happens when a player leaves, unless the table says it."""
    if plan.goes_on:
        rule, left = plan.rules.no_turn, "nobody" if plan.table.over == "never" else "only one"
        doc = f"the {plan.table.turn} goes on, without an active player if need be"
        yield jump("turn", None, rule, plan.goes_on, event=LEAVING, doc=doc)
        doc = f"{left} is left: the game is over"
        yield jump("turn", "game_over", rule, event=LEAVING, doc=doc)


# facts --------------------------------------------------------------------------------------------


def _facts(plan: Plan) -> Iterator[Fact]:
    """All facts that rows of the frame may read: of turns, phases, steps, windows, cuts."""
    yield from plan.fill(frame.TURN_FACTS)
    for kin in plan.kins:
        yield from plan.fill(frame.PHASE_FACTS, kin=kin)
    for phase in plan.phases:
        yield from plan.fill(frame.PHASE_RETURNS, phase)
    for step in plan.steps:
        yield from plan.fill(frame.STEP_FACTS, step)
        for place in step.places:
            words = place.replace("_", " ")
            yield from plan.fill(frame.STEP_RETURNS, place=place, words=words)
    for name, back in plan.waiting.items():
        for step, window, rule in back:
            place, words = f"{step.name}_{window.name}", name.replace("_", " ")
            yield from plan.fill(frame.CAME, phase=name, place=place, words=words, rule=rule)
    for step in plan.steps:
        for during, _ in step.leavings:
            place, rule = f"{step.name}_{during.event}", during.rule
            yield from plan.fill(frame.LEFT, place=place, event=during.event, rule=rule)
    for phase in plan.phases:
        yield from plan.fill(frame.WAITS, phase)
