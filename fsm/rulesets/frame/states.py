"""The states of the frame: what every turn, phase and step of a table consists of."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from fsm.model import Role, State
from fsm.rulesets.frame.parts import Act, Phase, Step, TableParts


def states(table: TableParts) -> Iterator[State]:
    """All states of a table, turn by phases by steps, in its order."""
    rules = table.rules
    yield State("turn", "turn", "turn", "Turn", rule=rules.turn)
    for act in table.before_game:
        id = f"before_game_{act.name}"
        yield replace(_perform(id, "turn", act), role="procedure")
    if table.before_game:
        yield _stage("before_game_over", "The game begins", "turn", "procedure", rules.turn)
    yield _choice(
        "turn_hub",
        "Next turn",
        "",
        "hub",
        rules.extra_turn or rules.turn,
        "extra turns first, newest first",
    )
    yield _choice("turn_before", "Before the turn", "turn", "before", rules.skip or rules.turn)
    yield _stage("turn_begin", "Turn begins", "turn", "begin", rules.turn)
    for phase in table.phases:
        yield from _phase(table, phase, "turn")
    for level, rule in (("phase", rules.extra_phase), ("step", rules.extra_step)):
        if rule:
            yield _choice(
                f"{level}_hub", f"Extra {level}", "turn", "hub", rule, "newest first, then go on"
            )
            yield _choice(f"{level}_resume", f"After an extra {level}", "turn", "resume", rule)
    yield _stage("turn_end", "Turn ends", "turn", "end", rules.turn)


def _phase(table: TableParts, phase: Phase, parent: str) -> Iterator[State]:
    id, rules, name = f"{phase.name}_phase", table.rules, phase.label.lower()
    yield State(id, "phase", phase.name, phase.label, parent, rule=phase.rule, family=phase.kin)
    yield _choice(
        f"{id}_before", f"Before the {name} phase", id, "before", rules.skip or rules.turn
    )
    yield _stage(f"{id}_begin", f"{phase.label} phase begins", id, "begin", rules.begin)
    for step in phase.steps:
        yield from _step(table, step, id)
    for inner in phase.within:
        yield from _phase(table, inner, id)
    action = rules.end_action if table.ends_with_step(phase) else rules.phase_end_action
    yield _end(f"{id}_end", f"{phase.label} phase ends", id, rules.end, action)
    yield _choice(
        f"{id}_after", f"After the {name} phase", id, "after", rules.extra_phase or rules.turn
    )


def _step(table: TableParts, step: Step, phase: str) -> Iterator[State]:
    s, id, rules, name = step.name, f"{step.name}_step", table.rules, step.label.lower()
    yield State(
        id, "step", s, step.label, phase, rule=step.rule, family=s, doc=step.doc, says=step.says
    )
    yield _choice(f"{s}_before", f"Before {name}", id, "before", rules.skip or rules.turn)
    yield _stage(f"{s}_begin", f"{step.label} begins", id, "begin", rules.begin)
    for part in step.stages:
        if isinstance(part, Act):
            yield _perform(f"{s}_{part.name}", id, part)
        else:
            label = part.label or table.window_label
            yield State(
                f"{s}_{part.name}",
                "window",
                "",
                label,
                id,
                "window",
                part.rule,
                part.doc,
                opens=part.opens,
            )
    for during in step.during:
        yield _perform(f"{s}_{during.act.name}", id, during.act)
    for again in ("", "_again") if step.again else ("",):
        yield _end(f"{s}{again}_end", f"{step.label} ends", id, rules.end, rules.end_action)
        yield _choice(
            f"{s}{again}_after", f"After {name}", id, "after", rules.extra_step or step.rule
        )


def _perform(id: str, parent: str, act: Act) -> State:
    state = State(id, "action", act.name, act.label, parent, "action", act.rule, act.doc)
    action = act.name if act.asks == "perform" else ""
    return replace(
        state,
        asks=act.asks,
        action=action,
        tells=act.decides,
        manner=act.manner,
        by=act.by,
        says=act.says,
    )


def _end(id: str, label: str, parent: str, rule: str, act: Act | None) -> State:
    if act is None:
        return _stage(id, label, parent, "end", rule)
    state = State(id, "action", act.name, label, parent, "end", act.rule, act.doc)
    return replace(state, asks="perform", action=act.name, by=act.by, says=act.says)


def _choice(id: str, label: str, parent: str, role: Role, rule: str, doc: str = "") -> State:
    return State(id, "choice", "", label, parent, role, rule, doc)


def _stage(id: str, label: str, parent: str, role: Role, rule: str) -> State:
    return State(id, "stage", "", label, parent, role, rule)
