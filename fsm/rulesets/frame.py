"""The states of the frame, of which every turn, phase and step of a table consists, and the facts
that its rows read.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from fsm.model import Fact, State, StateRole
from fsm.rulesets.parts import Act, Phase, Step, Window, label_of, several
from fsm.rulesets.plan import Plan

# states -------------------------------------------------------------------------------------------


def states(plan: Plan) -> Iterator[State]:
    """All states of a table, turn by phases by steps, in its order."""
    table, rules = plan.table, plan.rules
    turn, name = label_of(table.turn), table.turn
    says = "" if table.active == "the active player" else table.active
    yield State("turn", "turn", "turn", turn, rule=rules.turn, says=says)
    for act in several(table.before_game):
        yield procedure(f"before_game_{act.name}", "turn", act)
    if table.before_game:
        yield _stage("before_game_over", "The game begins", "turn", "procedure", rules.turn)
    doc = "extra turns first, newest first"
    yield _choice("turn_hub", f"Next {name}", "", "hub", rules.extra_turn or rules.turn, doc)
    yield _choice("turn_before", f"Before the {name}", "turn", "before", rules.skip or rules.turn)
    yield _stage("turn_begin", f"{turn} begins", "turn", "begin", rules.turn)
    placed: set[str] = set()
    for phase in table.phases:
        yield from _phase(plan, phase, "turn", placed)
    for level, rule in (("phase", rules.extra_phase), ("step", rules.extra_step)):
        if f"extra_{level}" in plan.possible:
            doc = "newest first, then go on"
            yield _choice(f"{level}_hub", f"Extra {level}", "turn", "hub", rule, doc)
            yield _choice(f"{level}_resume", f"After an extra {level}", "turn", "resume", rule)
    for cut in several(table.cut):
        for act in cut.acts:
            yield procedure(f"turn_{act.name}", "turn", act)
    yield _stage("turn_end", f"{turn} ends", "turn", "end", rules.turn)


def _phase(plan: Plan, phase: Phase, parent: str, placed: set[str]) -> Iterator[State]:
    """A phase with its steps. One that may wait for several others stands in the turn."""
    if phase.name in placed:
        return
    placed.add(phase.name)
    id, rules, name = f"{phase.name}_phase", plan.rules, phase.text.lower()
    yield State(id, "phase", phase.name, phase.text, parent, rule=phase.rule, family=phase.kin)
    before = rules.skip or rules.turn
    yield _choice(f"{id}_before", f"Before the {name} phase", id, "before", before)
    yield _stage(f"{id}_begin", f"{phase.text} phase begins", id, "begin", rules.begin)
    for step in phase.steps:
        yield from _step(plan, step, id)
    for inner in phase.within:
        if not plan.apart(inner):
            yield from _phase(plan, inner, id, placed)
    for cut in phase.cuts:
        for act in cut.acts:
            yield procedure(f"{phase.name}_{act.name}", id, act)
    action = rules.end_action if plan.ends_with_step(phase) else rules.phase_end_action
    yield _end(f"{id}_end", f"{phase.text} phase ends", id, rules.end, action)
    after = rules.extra_phase or rules.turn
    yield _choice(f"{id}_after", f"After the {name} phase", id, "after", after)
    for inner in phase.within:
        yield from _phase(plan, inner, "turn", placed)


def _step(plan: Plan, step: Step, phase: str) -> Iterator[State]:
    s, id, rules, name = step.name, f"{step.name}_step", plan.rules, step.text.lower()
    yield State(
        id, "step", s, step.text, phase, rule=step.rule, family=s, doc=step.doc, says=step.says
    )
    yield _choice(f"{s}_before", f"Before {name}", id, "before", rules.skip or rules.turn)
    yield _stage(f"{s}_begin", f"{step.text} begins", id, "begin", rules.begin)
    for part in step.stages:
        yield (
            perform(f"{s}_{part.name}", id, part)
            if isinstance(part, Act)
            else _window(plan, part, f"{s}_{part.name}", id)
        )
    for during in step.durings:
        for act in during.acts:
            yield perform(f"{s}_{act.name}", id, act)
    for again in ("", "_again") if step.again else ("",):
        yield _end(f"{s}{again}_end", f"{step.text} ends", id, rules.end, rules.end_action)
        after = rules.extra_step or step.rule
        yield _choice(f"{s}{again}_after", f"After {name}", id, "after", after)


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


def _end(id: str, label: str, parent: str, rule: str, act: Act | None) -> State:
    if act is None:
        return _stage(id, label, parent, "end", rule)
    state = State(id, "action", act.name, label, parent, "end", act.rule, act.doc)
    return replace(state, asks="perform", action=act.name, by=act.by, says=act.says)


def _choice(id: str, label: str, parent: str, role: StateRole, rule: str, doc: str = "") -> State:
    return State(id, "choice", "", label, parent, role, rule, doc)


def _stage(id: str, label: str, parent: str, role: StateRole, rule: str) -> State:
    return State(id, "stage", "", label, parent, role, rule)


# facts --------------------------------------------------------------------------------------------


def facts(plan: Plan) -> Iterator[Fact]:
    """All facts of the frame: of turns, of levels, of phases, of steps."""
    rules, possible = plan.rules, plan.possible
    if "skip_turn" in possible:
        doc = "an effect skips this turn"
        yield _agenda("skip_turn", doc, rules.skip, "skip_due", "turn", "turn")
    if "leaving" in possible:
        doc = "the player whose turn it would be has left the game"
        yield _agenda("candidate_left", doc, rules.no_turn, "candidate_left")
    extra = {"turn": rules.extra_turn, "phase": rules.extra_phase, "step": rules.extra_step}
    levels = [level for level in extra if f"extra_{level}" in possible]
    for level in levels:
        doc = f"an extra {level} comes next"
        yield _agenda(f"extra_{level}_due", doc, extra[level], "extra_due", level)
    for level in levels:
        if level != "turn":
            doc = f"this {level} was extra: resume where it came in"
            yield _agenda(f"inside_extra_{level}", doc, extra[level], "inside_extra", level)
    yield from _phase_facts(plan)
    for step in plan.steps:
        yield from _step_facts(plan, step)
    yield from _window_facts(plan)
    yield from _cut_facts(plan)


def _phase_facts(plan: Plan) -> Iterator[Fact]:
    rules, possible = plan.rules, plan.possible
    for family in (*plan.families, *(phase.name for phase in plan.single)):
        if "skip_phase" in possible:
            doc = f"an effect skips this {family} phase"
            yield _agenda(f"skip_{family}_phase", doc, rules.skip, "skip_due", "phase", family)
        if "extra_phase" in possible:
            doc, test = f"the extra phase is a {family} phase", ("candidate_is", "phase", family)
            name = f"extra_phase_is_{family}"
            yield _agenda(name, doc, rules.extra_phase, *test, group="extra phase")
    for phase in plan.phases if "extra_phase" in possible else ():
        after = f"{phase.name}_phase_after"
        doc = f"the turn goes on after the {phase.text.lower()} phase"
        test, name = ("returns_to", "phase", after), f"phase_returns_to_{after}"
        yield _agenda(name, doc, rules.extra_phase, *test, group="phase return")


def _step_facts(plan: Plan, step: Step) -> Iterator[Fact]:
    s, name, rules = step.name, step.text.lower(), plan.rules
    if "skip_step" in plan.possible:
        doc = f"an effect skips this step ({name})"
        yield _agenda(f"skip_{s}", doc, rules.skip, "skip_due", "step", s)
    if plan.can_lack(step):
        doc = f"the phase holds only another step than {name}"
        yield _agenda(f"phase_lacks_{s}", doc, rules.step_after_phase, "only_another", s)
    if "extra_step" not in plan.possible:
        return
    rule, doc = rules.extra_step, f"an extra step comes directly before {name}"
    yield _agenda(f"extra_before_{s}", doc, rule, "extra_before", s)
    test: tuple[str, ...] = ("candidate_is", "step", s)
    doc = f"the extra step is: {name}"
    yield _agenda(f"extra_step_is_{s}", doc, rule, *test, group="extra step")
    for place in step.places:
        doc, test = f"the phase goes on at {place.replace('_', ' ')}", ("returns_to", "step", place)
        yield _agenda(f"step_returns_to_{place}", doc, rule, *test, group="step return")


def _window_facts(plan: Plan) -> Iterator[Fact]:
    """Out of which window a phase came, and that an event has ended a step."""
    for phase, back in plan.waiting.items():
        for step, window, rule in back[:-1]:
            name, place = back_fact(phase, step, window), f"{step.name}_{window.name}"
            doc = f"{phase.replace('_', ' ')} came out of this window"
            yield _agenda(name, doc, rule, "waits_in", place)
    for step in plan.steps:
        for during in step.leavings:
            name = f"{step.name}_{during.event}"
            doc = f"the event {during.event!r} has ended this step"
            yield Fact(name, doc, during.rule, "controller", "latched", name, "this turn")


def _cut_facts(plan: Plan) -> Iterator[Fact]:
    """That a phase waits while another one runs inside it, for phases that can be cut."""
    for phase in plan.phases:
        if phase.cuts and any(plan.apart(inner) for inner in plan.inside(phase)):
            doc = f"the {phase.text.lower()} phase waits for this one"
            yield _agenda(f"{phase.name}_waits", doc, "", "phase_waits", phase.name)


def back_fact(phase: str, step: Step, window: Window) -> str:
    """The name of the fact that a phase goes back to this window."""
    return f"{phase}_from_{step.name}_{window.name}"


def _agenda(name: str, doc: str, rule: str, *test: str, group: str = "") -> Fact:
    about = "what is scheduled"
    return Fact(name, doc, rule, "agenda", "live", about=about, group=group, test=test)
