"""How a ruleset's table becomes a Model: the turn, phases, steps, and what interrupts them.

Every turn, phase and step gets the same frame: *before* (is it skipped, does something come
first?), *begin*, what happens in it, *end*, *after* (is something extra due, or was this itself
extra?). Each level has a *hub*, where extras start, and a *resume*, where the interrupted sequence
goes on. `fsm.rulesets.rows` has all of it as data.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain, pairwise, zip_longest
from typing import TypeAlias

from msgspec.structs import replace

from fsm.model import Fact, Layer, Model, State, Term, Transition
from fsm.model.elements import ONE_BY_ONE, StateRole
from fsm.rulesets import rows
from fsm.rulesets.parts import (
    END_OF_PHASE,
    Act,
    Again,
    At,
    Back,
    Cut,
    During,
    Phase,
    Stage,
    Step,
    Then,
    Window,
    label_of,
    several,
    ways_of,
)
from fsm.rulesets.plan import Plan
from fsm.rulesets.rows import CLOSED, DONE, facts_read, jump, row, ruled
from fsm.rulesets.windows import first_of

Rows: TypeAlias = Iterator[Transition]


def expand(plan: Plan) -> Model:
    """The Model of a table. Raises ModelError when a row names what is not there."""
    table = plan.table
    states = (*_states(plan), *table.states)
    frame = (*_turn(plan), *_phases(plan), *_hubs(plan), *_cuts(plan))
    found = (*frame, *table.transitions, *_elsewhere(plan))
    if plan.goes_on:
        left, side = ("nobody", "nobody") if table.over == "never" else ("only one", "one side")
        states = (*states, *plan.fill(rows.GAME_OVER))
        words = {"word": table.turn, "goes_on": plan.goes_on, "left": left, "side": side}
        found = (*found, *plan.fill(rows.LEAVES, **words))
    read = facts_read(row.guard for row in found)
    model = Model(
        name=table.name,
        title=table.title or label_of(table.name),
        edition=table.edition,
        rulebook=table.rulebook,
        initial=states[1].id,
        states=states,
        transitions=found,
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
    manner = ONE_BY_ONE if table.members == ONE_BY_ONE else ""
    yield State("turn", "turn", "turn", turn, rule=rule, says=table.active, manner=manner)
    yield from _procedure("before_game", "turn", table.before_game)
    if table.before_game:
        yield from plan.fill(rows.BEFORE_GAME)
    yield from plan.fill(rows.TURN_STATES, name=table.turn, text=turn)
    for phase in plan.phases:
        if phase in table.phases or plan.apart(phase):
            yield from _phase_states(plan, phase, "turn")
    yield from plan.fill(rows.HUBS, "phase", "step")
    for cut in table.cut:
        yield from _procedure("turn", "turn", cut.acts)
    yield State("turn_end", "stage", "", f"{turn} ends", "turn", "end", rule)


def _phase_states(plan: Plan, phase: Phase, parent: str) -> Iterator[State]:
    """A phase with its steps. One that may wait for several others stands in the turn."""
    id, rules = f"{phase.name}_phase", plan.rules
    yield from plan.fill(rows.BEGINNING, phase, parent=parent)
    for step in phase.steps:
        yield from _step_states(plan, step, id)
    for inner in phase.within:
        if not plan.apart(inner):
            yield from _phase_states(plan, inner, id)
    for cut in phase.cut:
        yield from _procedure(phase.name, id, cut.acts)
    action = rules.end_action if plan.ends_with_step(phase) else rules.phase_end_action
    yield _end_state(plan, f"{id}_end", f"{phase.text} phase ends", id, action)
    yield from plan.fill(rows.LEFT, phase)


def _procedure(name: str, parent: str, acts: tuple[Act, ...]) -> Iterator[State]:
    """Actions outside the ordinary course of a turn."""
    for act in acts:
        yield _perform(f"{name}_{act.name}", parent, act, "procedure")


def _step_states(plan: Plan, step: Step, parent: str) -> Iterator[State]:
    """The states of a step."""
    yield from plan.fill(rows.BEGINNING, step, parent=parent)
    id = f"{step.name}_step"
    for stage in step.stages:
        place = _place(step, stage)
        if isinstance(stage, Act):
            yield _perform(place, id, stage, "action")
        else:
            yield State(
                place,
                "window",
                "",
                stage.label or plan.table.window_label,
                id,
                "window",
                stage.rule,
                stage.doc,
                opens=stage.opens,
                enters=plan.enters(stage),
                by=first_of(plan.table, stage),
            )
    for here in step.endings:
        yield _end_state(plan, f"{here}_end", f"{step.text} ends", id, plan.rules.end_action)
        yield from plan.fill(rows.LEFT, step, id=here)


def _perform(id: str, parent: str, act: Act, role: StateRole, label: str = "") -> State:
    """The state of an action."""
    return State(
        id,
        "action",
        act.name,
        label or act.text,
        parent,
        role,
        act.rule,
        act.doc,
        asks=act.asks,
        action=act.name if act.asks == "perform" else "",
        tells=several(act.decides),
        manner=act.manner,
        by=act.by,
        says=act.says,
    )


def _end_state(plan: Plan, id: str, label: str, parent: str, act: Act | None) -> State:
    """The state with which a step or phase ends."""
    if act is None:
        return State(id, "stage", "", label, parent, "end", plan.rules.end)
    return _perform(id, parent, act, "end", label)


# the course of a turn -----------------------------------------------------------------------------


def _turn(plan: Plan) -> Rows:
    """What comes before the first turn, and the turn itself."""
    table = plan.table
    acts = [f"before_game_{act.name}" for act in table.before_game]
    for here, following in pairwise([*acts, "before_game_over", "turn_hub"] if acts else ()):
        yield row(here, following, plan.rules.turn)
    late = "" if table.durations else f"mark(end_of_{table.turn})"  # at the latest
    first = table.phases[0].name
    yield from plan.fill(rows.TURN_ROWS, clear=plan.clear("turn"), first=first, late=late)


def _phases(plan: Plan) -> Rows:
    following = {
        here.name: f"{there.name}_phase_before" for here, there in pairwise(plan.table.phases)
    }
    for phase in plan.phases:
        yield from _phase(plan, phase)
        ways = list[Transition]()
        for then in phase.then:
            to = f"{then.to}_phase_before" if then.to in plan.named else then.to
            ways.append(ruled(then, "", to, then.do, layer=then.layer))
        for place, step, during in plan.waiting.get(phase.name, ()):
            doc, came = (
                f"back in {step.text}, where it waited",
                f"{phase.name}_from_{place}",
            )
            ways.append(row("", place, during.back or during.rule, came, ["resume"], doc=doc))
        if phase.name in plan.waiting:  # it is the last one, if it is none of the others
            ways[-1] = replace(ways[-1], guard=())
        ways.append(row("", following.get(phase.name, "turn_end"), plan.rules.turn))
        yield from _onward(plan, f"{phase.name}_phase_after", ways)


def _phase(plan: Plan, phase: Phase) -> Rows:
    id = f"{phase.name}_phase"
    before, after = f"{id}_before", f"{id}_after"
    for absent in phase.unless:
        yield ruled(absent, before, after, ["pass_over(phase)"], layer="skip")
    noted = f"latch({phase.noted})" * bool(phase.noted)
    for kin in dict.fromkeys((phase.kin, phase.name)):
        if kin in plan.kins:
            yield from plan.fill(rows.SKIPPED, phase, kin=kin, noted=noted)
    if phase.swap:
        other = plan.named[phase.swap.to]
        do = [f"begin(phase, {other.name}, {other.kin})", f"push_return(phase, {after})"]
        yield ruled(phase.swap, before, f"{other.name}_phase_begin", do)
    yield from plan.fill(rows.BEGINS, phase, clear=plan.clear(phase.name), forget=plan.clear(id))
    yield row(f"{id}_begin", f"{phase.steps[0].name}_before", phase.rule)
    for step, following in zip_longest(phase.steps, phase.steps[1:]):
        yield from _step(plan, phase, step, following.name if following else END_OF_PHASE)
    late = plan.ending(phase) * plan.rules.phase_end_first
    yield row(f"{id}_end", after, plan.rules.end, do=late)
    yield from plan.fill(rows.DUE + rows.WAS_EXTRA, phase)


def _hubs(plan: Plan) -> Rows:
    for kin, phase in plan.kins.items():
        rule = phase.extra_rule or plan.rules.extra_phase
        yield from plan.fill(rows.HUB, phase, kin=kin, extra=rule)
    yield from plan.fill(rows.RESUMED, *plan.phases)
    yield from plan.fill(rows.HUB, *plan.steps)
    for step in plan.steps:
        for place in step.places:
            yield from plan.fill(rows.RESUMED, step, place=place)


# the course of a step -----------------------------------------------------------------------------


def _step(plan: Plan, phase: Phase, step: Step, following: str) -> Rows:
    """All rows of a step, up to the state that follows it."""
    if phase.kin in plan.lackable:
        yield from plan.fill(rows.LACKS, step)
    yield from _absent(plan, phase, step, following)
    yield from plan.fill(rows.COMES_FIRST + rows.SKIPPED + rows.BEGINS, step)
    ways = [*_ways(plan, phase, step)]
    yield from _onward(plan, f"{step.name}_begin", chain(*ways))
    for number, part in enumerate(step.does, 1):
        for stage, _ in ways_of(part):
            yield from _onward(plan, _place(step, stage), chain(*ways[number:]), stage)
    for window, during in step.durings:
        yield from _during(plan, phase, step, _place(step, window), during)
    yield from _ended(plan, step, step.name)
    yield from plan.fill(rows.WAS_EXTRA, step)
    leads = list[Transition]()
    for then in (*step.leavings, *step.then):
        to, ends = plan.onward(phase, then.to)
        leads.append(ruled(then, "", to, [*then.do, *ends], layer=then.layer))
    to, ends = plan.onward(phase, following)
    yield from _onward(plan, f"{step.name}_after", [*leads, row("", to, phase.rule, do=ends)])
    if step.again:
        again = f"{step.name}_again"
        yield from _ended(plan, step, again)
        for begins in plan.fill(rows.BEGINS, step, rule=step.again.rule):
            doc = step.again.doc
            yield replace(begins, source=f"{again}_after", layer="extra", doc=doc)


def _ended(plan: Plan, step: Step, here: str) -> Rows:
    yield row(f"{here}_end", f"{here}_after", plan.rules.end)
    yield from plan.fill(rows.DUE, step, id=here)


def _absent(plan: Plan, phase: Phase, step: Step, following: str) -> Rows:
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


def _ways(plan: Plan, phase: Phase, step: Step) -> Iterator[list[Transition]]:
    """The ways to each part of a step, and to its end."""
    alone, do, to = [], ["end(step)"], f"{step.name}_end"
    if step is phase.steps[-1] and plan.ends_with_step(phase):
        alone = [*plan.fill(rows.ENDS_ALONE, step)]
        do, to = [*do, *plan.ending(phase)], f"{phase.name}_phase_end"
    for part in step.does:
        ways = list[Transition]()
        if f"mark({phase.ends})" in _marked(part, phase):  # here the phase is over
            ways, alone = alone, []
        if isinstance(part, Again):
            again = f"{step.name}_again_end"
            ways.append(ruled(part, "", again, [*part.do, "end(step)"], layer="extra"))
        elif isinstance(part, Back):
            target = {stage.name: stage for stage in step.stages}.get(part.to)
            place = _place(step, target) if target else part.to
            does = [*part.do, *_marked(target, phase)]
            ways.append(ruled(part, "", place, does, layer=part.layer))
        for stage, when in ways_of(part):
            ways.append(row("", _place(step, stage), stage.rule, when, _marked(stage, phase)))
        yield ways
    yield [*alone, row("", to, plan.rules.end, do=do)]


def _onward(plan: Plan, here: str, ways: Iterable[Transition], stage: Stage | None = None) -> Rows:
    """The ways from a state, as far as the first that is free in any case: one without a guard, or
    the second of a fact and its negation. What the guard of a stage says holds after it, unless it
    decides that, or phases can run in it.
    """
    event = "closed" if isinstance(stage, Window) else "done"
    lasting = plan.lasting - {*several(getattr(stage, "decides", ""))}
    known = () if getattr(stage, "during", ()) else At(stage).guard
    never = {Term(term, False) for term in known if term.fact in lasting}
    tried = set[tuple[Term, ...]]()
    for way in ways:
        if way.guard not in tried and not never.intersection(way.guard):
            yield replace(way, source=here, event=event)
            tried.add(way.guard)
            opposite = [Term(term, False) for term in way.guard if term.fact in lasting]
            if len(way.guard) < 2 and tuple(opposite) in tried:
                return


def _during(plan: Plan, phase: Phase, step: Step, window: str, during: During) -> Rows:
    """While players may act, an event leads elsewhere, and back to where they may act."""
    for absent in during.unless:
        yield ruled(absent, window, None, event=during.event, layer="jump")
    legs: list[Leg] = [(_place(step, act), "", _marked(act, phase)) for act in during.acts]
    last, into = during.parts[-1], during.phase
    if into is not None:
        several = len(plan.waiting[into.name]) > 1 or not isinstance(plan.table.window, Model)
        do = ["suspend", f"suspend_window({window})" * several]
        legs.append((f"{into.name}_phase_before", during.when, do))
    elif isinstance(last, Then):
        left = f"latch({step.name}_to_{last.to})"
        legs.append((f"{step.name}_end", "", [left, "end(step)"]))
    yield from _leads(during, window, legs, during.doc)
    if isinstance(last, Act) or (during.acts and during.when):
        back, doc = during.back or during.rule, "players may act again"
        yield row(_place(step, during.acts[-1]), window, back, doc=doc)


def _place(step: Step, stage: Stage) -> str:
    return f"{step.name}_{stage.name}"


def _marked(part: object, phase: Phase | None) -> list[str]:
    """The actions at which durations run out."""
    return [f"mark({name})" for name in At(part, phase).marks]


# what interrupts a turn ---------------------------------------------------------------------------

Leg: TypeAlias = tuple[str, str, list[str]]
"""Where an event leads next, if which guard holds, and what is done on the way."""


def _leads(
    part: During | Cut, here: str, legs: Iterable[Leg], doc: str, layer: Layer = "core"
) -> Rows:
    """An event leads from here through several states."""
    event = part.event
    for to, when, do in legs:
        rule, says = part.rule, part.says
        yield row(here, to, rule, when, do, event=event, layer=layer, doc=doc, says=says)
        here, event, doc = to, "done", ""


def _cuts(plan: Plan) -> Rows:
    """Events that end a phase, or the turn, at once."""
    for phase in plan.phases:
        for cut in phase.cut:
            yield from _cut(plan, cut, phase)
    for cut in plan.table.cut:
        yield from _cut(plan, cut, None)


def _cut(plan: Plan, cut: Cut, phase: Phase | None) -> Rows:
    """From a phase or turn, and from the phases that run inside it, through the cut's actions."""
    if phase is None:
        name, here, to, target = "turn", "turn", "turn_end", f"{cut.to}_phase"
        ends = ["end(phase)", "drop(turn)"]
    else:
        name, here, target = phase.name, f"{phase.name}_phase", f"{cut.to}_step"
        to = f"{here}_after"
        ends = [*([] if cut.to else plan.ending(phase)), "drop(phase)"]
        if any(during.acts for _, _, during in plan.waiting.get(name, ())):  # with the last answer
            skip, doc = ["pass_over(phase)"], "it does not begin"
            yield jump(f"{here}_before", to, cut.rule, do=skip, event=cut.event, doc=doc)
    if cut.to:
        to = target.removesuffix("_step") + "_before"
        yield jump(target, None, cut.rule, event=cut.event, doc="it has come to this")
    legs: list[Leg] = [(f"{name}_{act.name}", "", _marked(act, phase)) for act in cut.acts]
    legs.append((to, "", [f"break_off({name})", "end(step)", *ends]))
    doc = "it ends at once"
    yield from _leads(cut, here, legs, doc, "jump")
    first, _, do = legs[0]
    for inner in plan.inside(phase) if phase else ():
        leg = first, f"{name}_waits", do
        yield from _leads(cut, f"{inner.name}_phase", [leg], doc, "jump")


def _elsewhere(plan: Plan) -> Rows:
    """For each event that no row of the table hears, nothing happens where nothing waits for it."""
    heard = {transition.event for transition in plan.table.transitions}
    for name, places in plan.signals.items():
        if name not in heard and all(at.phase for at in places):
            words = dict.fromkeys((at.step or at.phase).text.lower() for at in places)
            doc = f"it is possible only in {' or '.join(words)}"
            yield jump("turn", None, places[0].part.rule, event=name, doc=doc)


# facts --------------------------------------------------------------------------------------------


def _facts(plan: Plan) -> Iterator[Fact]:
    """All facts that rows of the frame may read: of turns, phases, steps, windows, cuts."""
    yield from plan.fill(rows.TURN_FACTS)
    yield from plan.fill(rows.IS_DUE, "turn", "phase", "step")
    yield from plan.fill(rows.IS_EXTRA, "phase", "step")
    for kin in plan.kins:
        yield from plan.fill(rows.PHASE_FACTS, kin=kin)
    yield from plan.fill(rows.PHASE_RETURNS, *plan.phases)
    for step in plan.steps:
        yield from plan.fill(rows.STEP_FACTS, step)
        for place in step.places:
            words = place.replace("_", " ")
            yield from plan.fill(rows.STEP_RETURNS, step, place=place, words=words)
        for then in step.leavings:
            yield from plan.fill(rows.ENDED, fact=then.when, rule=then.rule)
    for name, back in plan.waiting.items():
        for place, _, during in back:
            rule = during.back or during.rule
            yield from plan.fill(rows.CAME, plan.named[name], place=place, rule=rule)
    yield from plan.fill(rows.WAITS, *plan.phases)
