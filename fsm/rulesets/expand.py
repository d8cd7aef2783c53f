"""How a ruleset's table becomes a Model: the turn, phases, steps, and what interrupts them.

Every turn, phase and step gets the same frame: *before* (is it skipped, does something come
first?), *begin*, what happens in it, *end*, *after* (is something extra due, or was this itself
extra?). Each level has a *hub*, where extras start, and a *resume*, where the interrupted sequence
goes on. `fsm.rulesets.frame` has all of it as data.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import pairwise, zip_longest
from typing import Any

from msgspec.structs import replace

from fsm.model import Fact, Model, State, Term, Transition
from fsm.model.elements import ONE_BY_ONE, StateRole
from fsm.rulesets import frame
from fsm.rulesets.parts import (
    END_OF_PHASE,
    Act,
    Again,
    At,
    Back,
    Cut,
    During,
    Part,
    Phase,
    Stage,
    Step,
    Window,
    guard,
    label_of,
    several,
    ways_of,
)
from fsm.rulesets.plan import Plan
from fsm.rulesets.rows import CLOSED, DONE, facts_read, jump, row, ruled
from fsm.rulesets.windows import first_of


def expand(plan: Plan) -> Model:
    """The Model of a table. Raises ModelError when a row names what is not there."""
    table = plan.table
    states = (*_states(plan), *table.states)
    rows = (*_turn(plan), *_phases(plan), *_hubs(plan), *_cuts(plan))
    rows = (*rows, *table.transitions, *_elsewhere(plan))
    if plan.goes_on:
        left = "nobody" if table.over == "never" else "only one"
        states = (*states, *plan.fill(frame.GAME_OVER))
        leaving = plan.fill(frame.LEAVING, word=table.turn, goes_on=plan.goes_on, left=left)
        rows = (*rows, *leaving)
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
        yield from _step_states(plan, step, phase.name)
    for inner in phase.within:
        if not plan.apart(inner):
            yield from _phase_states(plan, inner, id, placed)
    for cut in phase.cut:
        yield from _procedure(phase.name, id, cut.acts)
    action = rules.end_action if plan.ends_with_step(phase) else rules.phase_end_action
    yield _end_state(plan, f"{id}_end", f"{phase.text} phase ends", id, action)
    yield from plan.fill(frame.PHASE_LEFT, phase)
    for inner in phase.within:
        yield from _phase_states(plan, inner, "turn", placed)


def _procedure(name: str, parent: str, acts: tuple[Act, ...]) -> Iterator[State]:
    """Actions outside the ordinary course of a turn."""
    for act in acts:
        yield _perform(f"{name}_{act.name}", parent, act, "procedure")


def _step_states(plan: Plan, step: Step, phase: str) -> Iterator[State]:
    """The states of a step of this phase."""
    yield from plan.fill(frame.STEP_STATES, step, parent=f"{phase}_phase")
    id = f"{step.name}_step"
    for stage in step.stages:
        place = _place(step, stage)
        if isinstance(stage, Act):
            yield _perform(place, id, stage, "action")
        else:
            yield State(
                place,
                "window",
                label=stage.label or plan.table.window_label,
                parent=id,
                role="window",
                rule=stage.rule,
                doc=stage.doc,
                opens=stage.opens,
                enters=plan.enters(stage),
                by=first_of(plan.table, stage),
            )
    for here in step.endings:
        yield _end_state(plan, f"{here}_end", f"{step.text} ends", id, plan.rules.end_action)
        yield from plan.fill(frame.STEP_LEFT, step, here=here)


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
    following = {
        here.name: f"{there.name}_phase_before" for here, there in pairwise(plan.table.phases)
    }
    for phase in plan.phases:
        yield from _phase(plan, phase)
        after, back = f"{phase.name}_phase_after", plan.waiting.get(phase.name, [])
        for number, (place, step, rule) in enumerate(back, 1):
            came = f"{phase.name}_from_{place}" if number < len(back) else ""
            doc = f"back in {step.text.lower()}, where it waited"
            yield row(after, place, rule, came, ["resume"], doc=doc)
        if not back:
            yield row(after, following.get(phase.name, "turn_end"), plan.rules.turn)


def _phase(plan: Plan, phase: Phase) -> Iterator[Transition]:
    before, end, after = [f"{phase.name}_phase_{place}" for place in ("before", "end", "after")]
    for absent in phase.unless:
        yield ruled(absent, before, after, ["pass_over(phase)"], layer="skip")
    noted = f"latch({phase.noted})" * bool(phase.noted)
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
        yield from _step_rows(plan, phase, step, f"{following.name}_before" if following else "")
    late = plan.ending(phase) * plan.rules.phase_end_first
    yield row(end, after, plan.rules.end, do=late)
    yield from plan.fill(frame.PHASE_ENDED, phase)
    for then in phase.then:
        to = f"{then.to}_phase_before" if then.to in plan.named else then.to
        yield ruled(then, after, to, then.do, layer=then.layer)


def _hubs(plan: Plan) -> Iterator[Transition]:
    for kin, phase in plan.kins.items():
        rule = phase.extra_rule or plan.rules.extra_phase
        yield from plan.fill(frame.PHASE_HUB, phase, kin=kin, extra_phase=rule)
    yield from plan.fill(frame.PHASE_RESUMED, *plan.phases)
    yield from plan.fill(frame.STEP_HUB, *plan.steps)
    for step in plan.steps:
        for place in step.places:
            yield from plan.fill(frame.STEP_RESUMED, place=place)


# the course of a step -----------------------------------------------------------------------------


def _step_rows(plan: Plan, phase: Phase, step: Step, following: str) -> Iterator[Transition]:
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
    lasting = plan.lasting - {*several(getattr(of, "decides", ""))}
    known = guard(of.when) if of is not None and not getattr(of, "during", ()) else ()
    never = {Term(term.fact, not term.value) for term in known if term.fact in lasting}
    alone = list[Transition]()
    if ends_phase := step is phase.steps[-1] and plan.ends_with_step(phase):
        alone += plan.fill(frame.STEP_ENDS_ALONE, step, here=here, event=event)
    marks = f"mark({phase.ends})"
    last = [part for part in step.does if marks in _marked(part, phase)]
    tried = set[str]()
    for part in rest:
        if part.when in tried or never.intersection(guard(part.when)):
            continue
        if isinstance(part, Again | Back):
            yield _turned(phase, step, here, event, part)
        elif part in last:
            yield from alone
        for stage, when in ways_of(part):
            do = _marked(stage, phase)
            yield row(here, _place(step, stage), stage.rule, when, do, event=event)
            tried.add(when)
        if _exhaust(tried, lasting):
            return
    do, to = ["end(step)"], f"{step.name}_end"
    if ends_phase:
        yield from () if last else alone
        do, to = [*do, *plan.ending(phase)], f"{phase.name}_phase_end"
    yield row(here, to, plan.rules.end, do=do, event=event)


def _exhaust(guards: Collection[str], lasting: frozenset[str]) -> bool:
    """Say whether one of these guards always holds: one that is empty, or of a fact and its
    negation.
    """
    return "" in guards or any(f"not {fact}" in guards for fact in guards if fact in lasting)


def _turned(phase: Phase, step: Step, here: str, event: str, part: Again | Back) -> Transition:
    """The step begins once more, or goes on elsewhere."""
    if isinstance(part, Again):
        to, do = f"{step.name}_again_end", [*part.do, "end(step)"]
        return ruled(part, here, to, do, event=event, layer="extra")
    target = {stage.name: stage for stage in step.stages}.get(part.to)
    to, do = _place(step, target) if target else part.to, [*part.do, *_marked(target, phase)]
    return ruled(part, here, to, do, event=event, layer=part.layer)


def _during(
    plan: Plan, phase: Phase, step: Step, window: str, during: During
) -> Iterator[Transition]:
    """While players may act, an event leads elsewhere, and back to where they may act."""
    here, event, rule, doc = window, during.event, during.rule, during.doc
    into, acts, then = during.phase, during.acts, during.then
    for absent in during.unless:
        yield ruled(absent, here, None, event=event, layer="jump")
    legs = [(_place(step, act), "", _marked(act, phase)) for act in acts]
    returns = bool(acts)
    if into is not None:
        returns = bool(acts and during.when)
        several = len(plan.waiting[into.name]) > 1 or not isinstance(plan.table.window, Model)
        do = ["suspend", f"suspend_window({window})" * several]
        legs.append((f"{into.name}_phase_before", during.when, do))
    elif then is not None:
        returns = False
        legs.append((f"{step.name}_end", "", [f"latch({step.name}_{event})", "end(step)"]))
    for to, when, do in legs:
        yield row(here, to, rule, when, do, event=event, doc=doc, says=during.says)
        here, event, doc = to, "done", ""
    if returns:
        back = during.back or rule
        yield row(_place(step, acts[-1]), window, back, doc="players may act again")


def _after(plan: Plan, phase: Phase, step: Step, following: str) -> Iterator[Transition]:
    """Is something extra due, was this extra, where does the turn go on? And once more, if it can
    begin again.
    """
    yield from plan.fill(frame.STEP_ENDED + frame.STEP_WAS_EXTRA, step, here=step.name)
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
        more = {"here": f"{step.name}_again", "again": step.again.rule, "why": step.again.doc}
        yield from plan.fill(frame.STEP_ENDED + frame.STEP_AGAIN, step, **more)


def _place(step: Step, stage: Stage) -> str:
    return f"{step.name}_{stage.name}"


def _marked(part: object, phase: Phase | None) -> list[str]:
    """The actions at which durations run out."""
    return [f"mark({name})" for name in At(part, phase).marks]


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
        doc = "it has come to this"
        yield jump(cut.to + home, None, cut.rule, event=cut.event, doc=doc)
    legs = [(f"{name}_{act.name}", _marked(act, phase)) for act in cut.acts]
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
        yield jump(here, None, cut.rule, event=cut.event, doc="it is ending already")
    yield from ways[1:]


def _elsewhere(plan: Plan) -> Iterator[Transition]:
    """For each event that no row of the table hears, nothing happens where nothing waits for it."""
    heard = {transition.event for transition in plan.table.transitions}
    for name, places in plan.signals.items():
        if name not in heard and all(at.phase for at in places):
            homes: list[Any] = [at.step or at.phase for at in places]
            words = dict.fromkeys(home.text.lower() for home in homes)
            doc = f"it is possible only in {' or '.join(words)}"
            yield jump("turn", None, places[0].part.rule, event=name, doc=doc)


# facts --------------------------------------------------------------------------------------------


def _facts(plan: Plan) -> Iterator[Fact]:
    """All facts that rows of the frame may read: of turns, phases, steps, windows, cuts."""
    yield from plan.fill(frame.TURN_FACTS)
    for kin in plan.kins:
        yield from plan.fill(frame.PHASE_FACTS, kin=kin)
    yield from plan.fill(frame.PHASE_RETURNS, *plan.phases)
    for step in plan.steps:
        yield from plan.fill(frame.STEP_FACTS, step)
        for place in step.places:
            words = place.replace("_", " ")
            yield from plan.fill(frame.STEP_RETURNS, place=place, words=words)
    for name, back in plan.waiting.items():
        words = name.replace("_", " ")
        for place, _, rule in back:
            yield from plan.fill(frame.CAME, phase=name, place=place, words=words, rule=rule)
    for step in plan.steps:
        for during, _ in step.leavings:
            place, rule = f"{step.name}_{during.event}", during.rule
            yield from plan.fill(frame.LEFT, place=place, event=during.event, rule=rule)
    yield from plan.fill(frame.WAITS, *plan.phases)
