"""The invariant parameters of a Model, derived from it or stated by its ruleset."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass

from fsm.model import Model, State
from fsm.model.permodel import per_model
from fsm.model.reachability import reachable_from
from fsm.testing.fuzzing.invariantparameters import INVARIANT_PARAMETERS, InvariantParameters


@dataclass(frozen=True, slots=True)
class ModelParameters:
    """The invariant parameters of one Model.

    `homes` has the names of step and phase of each state. `kinds` has the kind of each state.
    `asking` are the window states that wait for an answer. `open` are the steps in which players
    may act. `last` are the steps one of which ends every turn, and `last_families` the names by
    which effects skip them or their phases. If the ruleset `stated` the last steps, even a jump
    must lead through them. `ends` has the actions that end a step or phase. `tests` are the tests
    of all facts. `seats` says whether turns have an order. `rules` has rule numbers by the names of
    invariants.
    """

    homes: Mapping[str, tuple[str, str]]
    kinds: Mapping[str, str]
    asking: frozenset[str]
    open: frozenset[str]
    last: frozenset[str]
    last_families: frozenset[tuple[str, str]]
    stated: bool
    ends: Mapping[tuple[str, str], frozenset[str]]
    tests: frozenset[tuple[str, ...]]
    seats: bool
    rules: Mapping[str, str]


@per_model
def model_parameters_of(model: Model) -> ModelParameters:
    """Return the invariant parameters of this model. They are computed once."""
    stated = INVARIANT_PARAMETERS.get(model.name, InvariantParameters())
    last = frozenset(stated.last if stated.last is not None else _last_steps(model))
    steps = [s for s in model.of_kind("step") if s.name in last]
    families = {("step", w) for s in steps for w in (s.name, s.family)}
    families |= {("phase", p.family) for s in steps for p in model.path(s.id) if p.kind == "phase"}
    window = model.window.leaves if model.window is not None else ()
    return ModelParameters(
        homes={s.id: _home(model, s) for s in model.leaves},
        kinds={s.id: s.kind for s in model.leaves},
        asking=frozenset(s.id for s in window if s.kind == "action"),
        open=frozenset(_open_steps(model)) - set(stated.quiet),
        last=last,
        last_families=frozenset(families),
        stated=stated.last is not None,
        ends=dict(_ends(model, stated)),
        tests=frozenset(f.test for m in model.machines.values() for f in m.facts),
        seats=any(a.name == "next_player" for t in model.transitions for a in t.actions),
        rules=stated.rules,
    )


def _home(model: Model, state: State) -> tuple[str, str]:
    """Return the step and the phase that are under way in a state."""
    return _name(model, state, "step"), _name(model, state, "phase")


def _name(model: Model, state: State, kind: str) -> str:
    return next((s.name for s in model.path(state.id) if s.kind == kind), "")


def _open_steps(model: Model) -> Iterator[str]:
    for window in model.of_kind("window"):
        step = model.enclosing(window.id, "step")
        if step is not None:
            yield step.name


def _last_steps(model: Model) -> Iterator[str]:
    """Yield the steps from which the ordinary course leads to the end of the turn without a further
    request.
    """
    ends = {
        s.id
        for s in model.states
        if s.role == "end" and s.parent and model.state(s.parent).kind == "turn"
    }
    for state in model.leaves:
        step = model.enclosing(state.id, "step")
        if (
            step is not None
            and state.kind in ("action", "window")
            and ends & _silently(model, state)
        ):
            yield step.name


def _silently(model: Model, start: State) -> Set[str]:
    def targets(state: str, words: Iterable[str]) -> list[str]:
        rows = (row for word in words for row in model.rows(state, word))
        return [row.target for row in rows if row.layer == "core" and row.target is not None]

    def onward(state: str) -> list[str]:
        return targets(state, ["done"] if model.state(state).kind in ("choice", "stage") else [])

    return reachable_from(targets(start.id, start.words), onward)


def _ends(
    model: Model, stated: InvariantParameters
) -> Iterator[tuple[tuple[str, str], frozenset[str]]]:
    for state in model.states:
        if state.kind in ("step", "phase") and stated.ends is None:
            found = {
                s.action for s in model.children(state.id) if s.role == "end" and s.kind == "action"
            }
            actions = frozenset(found)
        else:
            action = (stated.ends or {}).get(state.kind, "")
            actions = frozenset({action} if action else ())
        if actions:
            yield (state.kind, state.name), actions
