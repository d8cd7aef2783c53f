"""Bugs planted on purpose: models with a row changed, and doubles of what runs them. Each breaks
one invariant.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from fsm import Answer, Priority, TurnController
from fsm.engine import controller, requesting, semantics, snapshot
from fsm.engine import wait_points as places
from fsm.engine.answer_log import AnswerLog
from fsm.errors import OrderError
from fsm.model import Model
from fsm.state.agenda import Agenda
from fsm.state.calendar import Calendar
from fsm.state.run import Run

Patch = Callable[[pytest.MonkeyPatch], None]


def changed(model: Model, id: str, **parts: Any) -> Model:
    """The model with one row changed."""
    old = model.transition(id)
    return replace(
        model, transitions=tuple(replace(t, **parts) if t is old else t for t in model.transitions)
    )


def without_in_window(model: Model, id: str) -> Model:
    """The model whose window lacks one row."""
    assert model.window is not None
    return replace(model, window=model.window.without(id))


MODELS: Mapping[str, Callable[[Model], Model]] = {
    "state_stands_in_its_step": lambda m: changed(
        m, "upkeep_after -> draw_before", target="draw_draw_card"
    ),
    "who_left_is_not_asked": lambda m: without_in_window(
        m, "settle -> (stays) on player_left [holder_left]"
    ),
    "never_stuck": lambda m: m.without("declare_blockers_after -> combat_damage_before"),
    "every_begun_phase_ends": lambda m: changed(m, "cleanup_after -> ending_phase_end", actions=()),
}


def _state_of_another(patch: pytest.MonkeyPatch) -> None:
    ask = requesting.request_of

    def request_of(*args: Any) -> Any:
        request = ask(*args)
        return replace(request, state="gate") if isinstance(request, Priority) else request

    patch.setattr(controller, "request_of", request_of)


def _begun_stays(patch: pytest.MonkeyPatch) -> None:
    end = Agenda.end_turn

    def end_turn(self: Agenda) -> None:
        begun = self.begun
        end(self)
        self.begun = begun

    patch.setattr(Agenda, "end_turn", end_turn)


def _asks_too_little(patch: pytest.MonkeyPatch) -> None:
    asked = requesting.facts_asked
    patch.setattr(places, "facts_asked", lambda *args, **more: asked(*args, **more)[:-1])


def _refuses_orders(patch: pytest.MonkeyPatch) -> None:
    def apply_all(orders: object, run: Run, place: str) -> None:
        raise OrderError("no orders today")

    patch.setattr(semantics, "apply_all", apply_all)


def _crashes(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Agenda, "take", lambda self, extra: {}[extra.what])


def _forgets_the_calendar(patch: pytest.MonkeyPatch) -> None:
    load = snapshot.load

    def forgetful(*args: Any) -> Any:
        run, head = load(*args)
        run.calendar = Calendar()
        return run, head

    patch.setattr(snapshot, "load", forgetful)


def _copies_forget(patch: pytest.MonkeyPatch) -> None:
    copy = Run.copy

    def forgetful(self: Run) -> Run:
        run = copy(self)
        run.passed = ()
        return run

    patch.setattr(Run, "copy", forgetful)


def _forks_share(patch: pytest.MonkeyPatch) -> None:
    fork = TurnController.fork

    def sharing(self: TurnController) -> TurnController:
        twin = fork(self)
        twin.run.agenda = self.run.agenda
        return twin

    patch.setattr(TurnController, "fork", sharing)
    patch.setattr(
        TurnController, "remembered", 0
    )  # what is remembered never changes, so it may be shared


def _forgets_orders(patch: pytest.MonkeyPatch) -> None:
    plus = AnswerLog.plus

    def forgetful(self: AnswerLog, codes: bytes, odd: Answer | None = None) -> AnswerLog:
        return plus(self, codes, odd and Answer(odd.word, odd.facts))

    patch.setattr(AnswerLog, "plus", forgetful)


DOUBLES: Mapping[str, Patch] = {
    "exactly_one_state": _state_of_another,
    "nothing_is_left_of_the_turn_before": _begun_stays,
    "facts_are_enough": _asks_too_little,
    "orders_are_taken": _refuses_orders,
    "nothing_crashes": _crashes,
    "snapshot_is_restored": _forgets_the_calendar,
    "fork_is_parent": _copies_forget,
    "fork_leaves_its_parent": _forks_share,
    "trace_replays": _forgets_orders,
}
