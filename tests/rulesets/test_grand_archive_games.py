"""Random games of Grand Archive: the machine against a plain reading of its turn, question by
question.

The usual run plays FSM_FUZZ_GAMES games (default 120) from the seed FSM_FUZZ_SEED (default 0). The
full run:

    FSM_FUZZ_GAMES=20000 FSM_FUZZ_SEED=1 python -m pytest -n auto tests/test_grand_archive_games.py
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from itertools import zip_longest

import pytest

import fsm
from fsm import (
    Answer,
    CheckState,
    Over,
    Perform,
    PlaceTriggers,
    Priority,
    Request,
    Resolve,
    Signal,
    StandingTrigger,
    TurnController,
)
from fsm.engine.requests import Word
from fsm.errors import FsmError
from fsm.model import Action, Model
from support.archivegame import Game, Outcome
from support.archivereading import Reading

GAMES = int(os.environ.get("FSM_FUZZ_GAMES", "120"))
SEED = int(os.environ.get("FSM_FUZZ_SEED", "0"))
PARTS = 4
TURNS = 6
SABOTAGED_GAMES = 100
WATCHED = ("wake_up", "recollection", "main", "retaliation", "end_of_combat", "end")


class Driver:
    """Plays a game with the real controller."""

    def __init__(self, model: Model, game: Game) -> None:
        self.game = game
        orders = tuple(StandingTrigger(f"at-{step}", step) for step in WATCHED)
        self.controller = TurnController(model, game.players, orders=orders)
        self.facts: dict[str, bool] = {}

    def play(self, turns: int) -> None:
        """So many turns, fewer when the game is over before."""
        while (
            not isinstance(self.controller.request, Over)
            and self.controller.request.at.turn <= turns
        ):
            self.controller.answer(self._answer(self.controller.request))

    def _answer(self, request: Request) -> Answer:
        game, at = self.game, request.at
        game.where = f"{at.turn} {at.active}"
        game.notice("expired", list(request.expired))
        game.notice("triggered", list(request.triggered))
        self.facts = {}
        word, outcome = self._ask(request)
        signal = Signal(outcome.signal, outcome.player) if outcome.signal else None
        facts = {name: self._fact(name) for name in request.facts}
        return Answer(word, facts, outcome.orders, signal)

    def _ask(self, request: Request) -> tuple[Word, Outcome]:
        game, outcome = self.game, Outcome()
        if isinstance(request, Perform) and request.action == "declare_attack":
            self.facts["attack_declared"] = game.declare()
        elif isinstance(request, Perform):
            game.perform(request.action, list(request.players))
        elif isinstance(request, CheckState):
            self.facts["sba_performed"] = game.check()
        elif isinstance(request, PlaceTriggers):
            game.place(list(request.players))
        elif isinstance(request, Resolve):
            outcome = game.resolve(finishing=request.state == "lost_resolve")
        elif isinstance(request, Priority):
            return self._decide(request)
        return "done", outcome

    def _decide(self, request: Priority) -> tuple[Word, Outcome]:
        at = request.at
        slow = at.stage == "main_window" and request.player == at.active and not self.game.stack
        choice = self.game.decide(request.player, slow=slow)
        self.facts["attack_required"] = choice == "refused"
        signal = {"attack": "attack", "concede": "player_left"}.get(choice, "")
        player = request.player if choice == "concede" else ""
        return "acted" if choice in ("act", "attack") else "passed", Outcome((), signal, player)

    def _fact(self, name: str) -> bool:
        game = self.game
        known = {
            "stack_empty": not game.stack,
            "triggers_waiting": game.waiting > 0,
            "interdiction_on_stack": any(layer.interdiction for layer in game.stack),
            "time_distorted": game.distorted,
            "several_retaliators": game.retaliators > 1,
        }
        return self.facts.get(name, known.get(name, False))


def agree(model: Model, players: str, seed: int) -> None:
    """The machine asks what the reading asks, in the same order."""
    wanted, got = (Game(tuple(players), seed) for _ in range(2))
    Reading(wanted, WATCHED).play(TURNS)
    Driver(model, got).play(TURNS)
    for number, (one, other) in enumerate(zip_longest(got.notes, wanted.notes)):
        context = "\n".join(wanted.notes[max(0, number - 25) : number])
        assert one == other, (
            f"seed {seed}, {players}: the machine asks {one!r}, the rules {other!r}, after\n{context}"
        )


def table_of(seed: int) -> str:
    return "ABCD"[: 2 + seed % 3]


@pytest.fixture(scope="module")
def model() -> Model:
    return fsm.load("grand-archive")


@pytest.mark.parametrize("part", range(PARTS))
def test_machine_and_reading_agree(part: int, model: Model) -> None:
    for number in range(max(1, GAMES // PARTS)):
        seed = (SEED * PARTS + part) * 1_000_000 + number
        agree(model, table_of(seed), seed)


# what is broken on purpose must be noticed --------------------------------------------------------


def change(model: Model, transition: str, **parts: object) -> Model:
    """The model with one transition changed."""
    old = model.transition(transition)
    new = replace(old, **parts)  # type: ignore[arg-type]
    return replace(model, transitions=tuple(new if t is old else t for t in model.transitions))


def change_window(model: Model, transition: str, **parts: object) -> Model:
    """The same in its window."""
    assert model.window is not None
    return replace(model, window=change(model.window, transition, **parts))


def once_more(model: Model) -> Model:
    """After a conditional run all must pass once more."""
    assert model.window is not None
    gone = "gate -> closed [window_conditional, stack_empty, not interdicted]"
    return replace(model, window=model.window.without(gone))


CLEAN_UP_AGAIN = "end_recheck -> end_clean_up on closed [trigger_placed]"
SABOTAGE: dict[str, Callable[[Model], Model]] = {
    "a further round after conditional runs": once_more,
    "from combat back to the beginning of main": lambda m: change(
        m, "combat_phase_after -> main_window", target="main_triggers"
    ),
    "the clean-up loop goes back to the window before it": lambda m: change(
        m, CLEAN_UP_AGAIN, target="end_window"
    ),
    "ending the turn leads through all of the end phase": lambda m: change(
        m, "end_turn_stack -> end_clean_up", target="end_phase_before"
    ),
    "who acts does not keep Opportunity": lambda m: change_window(
        m,
        "opportunity -> sba on acted",
        actions=(Action("note_action"), Action("priority_to_next")),
    ),
    "skips are never used up": lambda m: replace(
        m,
        transitions=tuple(
            replace(t, actions=tuple(a for a in t.actions if a.name != "consume_skip"))
            for t in m.transitions
        ),
    ),
    "an ended combat leaves main suspended": lambda m: change(
        m, "combat_phase_after -> main_window", actions=()
    ),
}


@pytest.mark.parametrize("what", SABOTAGE)
def test_a_broken_model_is_noticed(what: str, model: Model) -> None:
    broken = SABOTAGE[what](model)
    with pytest.raises((AssertionError, FsmError)):
        for seed in range(SABOTAGED_GAMES):
            agree(broken, table_of(seed), seed)


@pytest.mark.parametrize(("leaver", "holder"), [("B", "C"), ("C", "B")])
def test_who_leaves_with_a_refused_pass_gives_opportunity_on(leaver: str, holder: str) -> None:
    """An attack must be attempted first, so the pass is refused; with that answer somebody is out
    of the game.
    """
    game = TurnController(fsm.load("grand-archive"), ["A", "B", "C"])
    request = game.request
    while not (
        isinstance(request, Priority)
        and request.at.stage == "main_window"
        and request.player == "B"
    ):
        word: Word = "passed" if isinstance(request, Priority) else "done"
        request = game.answer(Answer(word, {name: name == "stack_empty" for name in request.facts}))
    required = {name: name in ("stack_empty", "attack_required") for name in request.facts}
    request = game.answer(Answer("passed", required, signal=Signal("player_left", leaver)))
    assert isinstance(request, Priority)
    assert (request.player, request.at.stage) == (holder, "main_window")
