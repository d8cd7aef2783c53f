"""The states of the frame: what every turn, phase and step of a table consists of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from fsm.model import Role, State
from fsm.rulesets.table import Act, Phase, Step, Table


def states(table: Table) -> Iterator[State]:
    """All states of a table, turn by phases by steps, in its order."""
    rules = table.rules
    yield State("turn", "turn", "turn", "Turn", rule=rules.turn)
    yield _choice("turn_hub", "Next turn", "", "hub", rules.extra_turn, "extra turns first, newest first")
    yield _choice("turn_before", "Before the turn", "turn", "before", rules.skip)
    yield _stage("turn_begin", "Turn begins", "turn", "begin", rules.turn)
    for phase in table.phases:
        yield from _phase(table, phase)
    yield _choice("phase_hub", "Extra phase", "turn", "hub", rules.extra_phase, "newest first, then go on")
    yield _choice("phase_resume", "After an extra phase", "turn", "resume", rules.extra_phase)
    yield _choice("step_hub", "Extra step", "turn", "hub", rules.extra_step, "newest first, then go on")
    yield _choice("step_resume", "After an extra step", "turn", "resume", rules.extra_step)
    yield _stage("turn_end", "Turn ends", "turn", "end", rules.turn)


def _phase(table: Table, phase: Phase) -> Iterator[State]:
    id, rules, name = f"{phase.name}_phase", table.rules, phase.label.lower()
    yield State(id, "phase", phase.name, phase.label, "turn", rule=phase.rule, family=phase.kin)
    yield _choice(f"{id}_before", f"Before the {name} phase", id, "before", rules.skip)
    yield _stage(f"{id}_begin", f"{phase.label} phase begins", id, "begin", rules.begin)
    for step in phase.steps:
        yield from _step(table, step, id)
    yield _stage(f"{id}_end", f"{phase.label} phase ends", id, "end", rules.end)
    yield _choice(f"{id}_after", f"After the {name} phase", id, "after", rules.extra_phase)


def _step(table: Table, step: Step, phase: str) -> Iterator[State]:
    s, id, rules, name = step.name, f"{step.name}_step", table.rules, step.label.lower()
    yield State(id, "step", s, step.label, phase, rule=step.rule, family=s, doc=step.doc)
    yield _choice(f"{s}_before", f"Before {name}", id, "before", rules.skip)
    yield _stage(f"{s}_begin", f"{step.label} begins", id, "begin", rules.begin)
    yield from (_action(step, act) for act in step.actions)
    if step.opens:
        label = table.window_label
        yield State(f"{s}_window", "window", "", label, id, "window", step.window_rule or step.rule, opens=step.opens)
    yield from (_action(step, act) for act in step.closing)
    for again in ("", "_again") if step.again else ("",):
        yield _end(f"{s}{again}_end", f"{step.label} ends", id, rules.end, rules.end_action)
        yield _choice(f"{s}{again}_after", f"After {name}", id, "after", rules.extra_step)


def _action(step: Step, act: Act) -> State:
    id, parent = f"{step.name}_{act.name}", f"{step.name}_step"
    state = State(id, "action", act.name, act.label, parent, "action", act.rule, act.doc)
    return replace(state, asks="perform", action=act.name, tells=act.tells)


def _end(id: str, label: str, parent: str, rule: str, act: Act | None) -> State:
    if act is None:
        return _stage(id, label, parent, "end", rule)
    return State(id, "action", act.name, label, parent, "end", rule, act.doc, asks="perform", action=act.name)


def _choice(id: str, label: str, parent: str, role: Role, rule: str, doc: str = "") -> State:
    return State(id, "choice", "", label, parent, role, rule, doc)


def _stage(id: str, label: str, parent: str, role: Role, rule: str) -> State:
    return State(id, "stage", "", label, parent, role, rule)
