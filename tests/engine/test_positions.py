"""The memo of positions makes no difference: whatever is done with a game, it does what the
interpreter does.
"""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from random import Random
from typing import Any

import pytest

import fsm
from fsm import AddTurn, Answer, Appoint, Over, Request, TurnController
from fsm.engine import Answered
from fsm.engine.answers import quiet_facts
from fsm.engine.positions import positions_of, told_apart
from fsm.engine.requests import Word
from fsm.engine.wait_points import wait_points_of
from fsm.errors import FsmError
from fsm.model import Action, Fact, Model, Term
from fsm.rulesets import names
from fsm.state.agenda import Agenda
from fsm.state.calendar import Calendar, LastingEntry
from fsm.state.entries import (
    Candidate,
    PendingControl,
    PendingExtra,
    PendingSkip,
    PendingTurn,
    Return,
    Suspended,
)
from fsm.state.primitives import ACTIONS, TESTS
from fsm.state.primitives.registry import Do, Test
from fsm.state.run import Run
from support.amounts import amount
from support.counting import operations
from support.court import COURT
from support.playing import act, quiet, to
from support.wanderer import Wanderer


class Unremembering(TurnController):
    """A game that goes by the generated code alone."""

    __slots__ = ()
    remembered = 0


class Twins(Wanderer):
    """Plays games three times: with the memo, with the generated code alone, and with the
    interpreter.

    Most answers are plain and have been given before, as in real games. All that can be seen must
    be equal.
    """

    def __init__(self, model: Model, seed: int) -> None:
        super().__init__(model, seed)
        self.quiet = quiet_facts(model)
        self.known = dict[object, Answer]()
        self.count = 0

    def play(self, answers: int) -> None:
        """Give so many answers."""
        for _ in range(1 + answers // 20):  # a strange game may be over at once
            if self.count < answers:
                self._play_game()

    def _play_game(self) -> None:
        seats, random = (
            self.random.choice((("A", "B"), ("B", "A"), ("A", "B", "C"), ("A", "B", "C", "D"))),
            self.random,
        )
        teams = (seats[:2], seats[2:]) if len(seats) == 4 and random.random() < 0.2 else ()
        settings = {
            s.name: random.random() < 0.5 for s in self.model.settings if random.random() < 0.5
        }
        self.wild, self.liveliness = (
            random.choice((0.0, 0.01, 0.05)),
            random.choice((0.0, 0.05, 0.5)),
        )
        self.twins: list[TurnController] = []
        error = self._same(lambda number: self._begin(number, seats, teams, settings))
        turns = random.choice((2, 5, 20))
        for _ in range(random.choice((50, 400, 900))):
            if (
                error
                or isinstance(self.twins[0].request, Over)
                or self.twins[0].request.at.turn > turns
            ):
                break
            error = self._step()
        if self.twins:
            streamed = [list(twin.fork().trace.lines()) for twin in self.twins]
            traces = [twin.trace.entries for twin in self.twins]
            assert traces[0] == traces[1] == traces[2]
            assert streamed[0] == streamed[1] == streamed[2] == list(self.twins[0].trace.lines())
            assert len({json.dumps(twin.snapshot()) for twin in self.twins}) == 1

    def _begin(
        self, kind: int, seats: tuple[str, ...], teams: Sequence[Sequence[str]], settings: object
    ) -> None:
        made = TurnController if kind == 0 else Unremembering
        self.twins.append(made(self.model, seats, teams=teams, settings=settings))  # type: ignore[arg-type]
        if kind == 2:
            self.twins[-1].watch(lambda record: None)

    def _step(self) -> bool:
        """Give one answer to all, and perhaps do something else. Return whether they refuse even
        the plainest one.
        """
        request = self.twins[0].request
        assert not isinstance(request, Over)
        answer = self._plain(request) if self.random.random() >= self.wild else self._any(request)
        if self._answered(answer):
            quietly = Answer(
                answer.word,
                {**dict.fromkeys(self.quiet, True), **dict.fromkeys(request.facts, False)},
            )
            if self._answered(quietly):
                return True
        self.count += 1
        if self.random.random() < 0.05:
            self.random.choice((self._look, self._fork, self._restore, self._watch, self._become))()
        return False

    def _plain(self, request: Request) -> Answer:
        """Return an answer, often the same object as before."""
        random = self.random
        lively = {name for name in request.facts if random.random() < self.liveliness}
        told = {name: (name in self.quiet) ^ (name in lively) for name in request.facts}
        word: Word = self._word(request)
        known = self.known.get((word, *told.items()))
        if known is None or random.random() < 0.05:
            known = self.known[word, *told.items()] = Answer(word, told)
        return known

    def _any(self, request: Request) -> Answer:
        """Return an answer with orders, with a signal, with facts left out, or simply wrong."""
        random, plain = self.random, self._plain(request)
        numbers: tuple[Any, ...] = (0, 1)
        words: tuple[Any, ...] = ("acted", "done", "passed", "nonsense")
        players = [p for side in self.twins[0].agenda.sides for p in side]
        return random.choice(
            (
                lambda: replace(plain, orders=(self._order(players),)),
                lambda: replace(
                    plain, orders=(self._order(players),), facts={**plain.facts, **self._latched()}
                ),
                lambda: replace(plain, signal=self._signal(self.twins[0])),
                lambda: replace(plain, facts={**plain.facts, **self._latched()}),
                lambda: replace(plain, facts=dict(list(plain.facts.items())[1:])),
                lambda: replace(
                    plain, facts={name: numbers[value] for name, value in plain.facts.items()}
                ),
                lambda: replace(plain, orders=(Appoint("defending", random.choice(players)),)),
                lambda: replace(
                    plain, orders=(AddTurn(random.choice(players), id=random.choice(("", "x"))),)
                ),
                lambda: replace(plain, word=random.choice(words)),
            )
        )()

    def _latched(self) -> dict[str, bool]:
        return {name: True for name in self.latched if self.random.random() < 0.3}

    def _answered(self, answer: Answer) -> bool:
        return self._same(lambda number: self.twins[number].answer(answer))

    def _same(self, call: Callable[[int], object]) -> bool:
        """Call it for each game, by number. Return whether it raises; then it must say the same."""
        said = []
        for number in range(3):
            try:
                call(number)
                said.append("")
            except FsmError as error:
                said.append(f"{type(error).__name__}: {error}")
        assert len(set(said)) == 1, said
        if self.twins:
            first, *others = self.twins
            for other in others:
                assert other.request == first.request
                assert repr(other.request) == repr(first.request)
        return bool(said[0])

    # what else can be done with a game ------------------------------------------------------------

    def _look(self) -> None:
        first, *others = self.twins
        for other in others:
            assert other.snapshot() == first.snapshot()
            assert (other.agenda, other.calendar, other.facts) == (
                first.agenda,
                first.calendar,
                first.facts,
            )
            assert (other.number, other.position, other.waiting) == (
                first.number,
                first.position,
                first.waiting,
            )
            assert [str(result) for result in other.results] == [
                str(result) for result in first.results
            ]

    def _fork(self) -> None:
        """Go on with forks; the parents stay where they are."""
        parents = [twin.snapshot() for twin in self.twins]
        forks = [twin.fork() for twin in self.twins]
        forks[2].watch(lambda record: None)
        self.twins, old = forks, self.twins
        if not isinstance(forks[0].request, Over):
            self._step()
        assert [twin.snapshot() for twin in old] == parents

    def _restore(self) -> None:
        """Go on with games restored from their snapshots; their traces begin there."""
        restored = list[TurnController]()

        def restore(twin: TurnController) -> None:
            restored.append(type(twin).restore(self.model, json.loads(json.dumps(twin.snapshot()))))

        if not self._same(
            lambda number: restore(self.twins[number])
        ):  # a strange turn may be where none can be
            self.twins = restored
            self.twins[2].watch(lambda record: None)

    def _become(self) -> None:
        """Each takes over the state of another one of them."""
        first, second, third = (twin.fork() for twin in self.twins)
        for twin, other in zip(self.twins, (second, third, first), strict=True):
            twin.become(other)

    def _watch(self) -> None:
        """Watch some answers, and refuse some; all watchers hear the same, which is what the trace
        says.
        """
        heard: list[list[object]] = [[], [], []]
        told: list[list[Answered]] = [[], [], []]
        refused = self.random.random() < 0.2
        before = [len(twin.trace.entries) for twin in self.twins]
        watching = [
            twin.watch_answers(each.append) for twin, each in zip(self.twins, told, strict=True)
        ]
        watching += [
            twin.watch(records.append) for twin, records in zip(self.twins, heard, strict=True)
        ]
        watching += [twin.watch_answers(_refuse) for twin in self.twins if refused]
        for _ in range(3):
            if not isinstance(self.twins[0].request, Over):
                answer = self._plain(self.twins[0].request)
                self._answered(answer)
        for end in watching:
            end()
        assert heard[0] == heard[1] == heard[2]
        for twin, each, records, count in zip(self.twins, told, heard, before, strict=True):
            assert [record for answered in each for record in answered.records] == records
            entries = [entry for answered in each for entry in (answered.answer, *answered.records)]
            assert twin.trace.entries[count:] == ([] if refused else entries)


def _refuse(answered: Answered) -> None:
    raise FsmError("refused")


@pytest.mark.parametrize("name", names())
def test_games_of_the_rulesets(name: str) -> None:
    Twins(fsm.load(name), seed=5).play(amount(150, 10_000))


TELLING = (
    ("own_turn_is", "2"),
    ("own_turn_is", "3"),
    ("starters_turn_is", "3"),
    ("starter_active",),
    ("active_sits_last", "seated"),
    ("more_sides_than", "2"),
    ("tallied", "t", "1"),
    ("tallied", "t", "2"),
    ("begun", "step", "salute"),
)
"""Tests whose values differ between turns that are alike otherwise."""


def strange(seed: int, tests: Sequence[tuple[str, ...]] = TELLING) -> Model:
    """A small game in which such tests send the turn elsewhere, at random."""
    random, model = Random(seed), COURT.build()
    onward = [row for row in model.transitions if row.event == "done" and row.target is not None]
    targets = [row.target for row in onward]
    for number, row in enumerate(random.sample(onward, 5)):
        fact = Fact(
            f"strange_{number}", "something differs", "9.9", "agenda", test=random.choice(tests)
        )
        tally = (Action("tally", ("t",)),) if random.random() < 0.5 else ()
        ways = [
            replace(row, guard=(*row.guard, Term(fact.name)), target=random.choice(targets)),
            replace(
                row, guard=(*row.guard, Term(fact.name, False)), actions=(*row.actions, *tally)
            ),
        ]
        model = model.without(row.id).with_(facts=[fact], transitions=ways, name=f"strange_{seed}")
    return model


@pytest.mark.parametrize("test", TELLING, ids=" ".join)
def test_games_of_random_models(test: tuple[str, ...]) -> None:
    for seed in range(amount(2, 4)):
        Twins(strange(seed, (test,)), seed).play(amount(100, 300))
        Twins(strange(seed), seed).play(amount(50, 300))


def court() -> TurnController:
    """A game of a Model of its own, so that nobody else fills its memo."""
    return TurnController(COURT.build(), ("Ann", "Ben"))


def played(game: TurnController, answers: int) -> TurnController:
    for _ in range(answers):
        assert not isinstance(game.request, Over)
        game.answer(quiet(game.request))
    return game


def test_a_quiet_game_needs_no_more_positions_in_later_turns() -> None:
    game = court()
    memo = positions_of(game.model)
    to(game, "hall", turn=6)
    counted = len(memo.found)
    to(game, "hall", turn=40)
    assert len(memo.found) == counted


def test_as_many_positions_are_remembered_as_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TurnController, "remembered", 5)
    games = [court()]
    memo = positions_of(games[0].model)
    for _ in range(30):
        games.append(played(games[-1].fork(), 1))
        assert 0 < len(memo.found) <= 5
    monkeypatch.setattr(TurnController, "remembered", 0)
    for game in games:
        again = played(TurnController(game.model, ("Ann", "Ben")), game.number)
        assert again.snapshot() == game.snapshot()
        assert played(game, 40).snapshot() == played(again, 40).snapshot()


def test_a_trace_is_read_along_the_memo_where_it_begins_outside_of_it() -> None:
    def read() -> int:
        game = TurnController(model, ("Ann", "Ben"))
        for _ in range(300):
            assert not isinstance(game.request, Over)
            game.answer(game.request.quiet())
        return operations(lambda: game.trace.entries)

    model = fsm.load("magic")
    read()
    before = read()
    positions_of(model).clear()  # as it happens when there are too many
    read()
    assert read() < 2 * before


def test_answers_are_known_by_what_they_say_and_few_are_kept() -> None:
    game = court()
    model = game.model
    for _ in range(30):
        once = TurnController(model, ("Ann", "Ben"))
        for _ in range(10):
            request = once.request
            assert not isinstance(request, Over)
            once.answer(Answer(request.quiet_word, dict(request.quiet().facts)))
    for node in positions_of(model).found.values():
        assert len(node.kept) <= 4
        assert len(node.edges) <= 6


def test_a_primitive_that_says_nothing_about_itself_stops_all_sharing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    silent_test, silent_action = (
        Test("riddle", "", "", lambda run: run.agenda.turn % 3 == 0),
        Do("move", "", "", print),
    )
    monkeypatch.setitem(TESTS, "riddle", silent_test)
    monkeypatch.setitem(ACTIONS, "move", silent_action)
    model = COURT.build()
    assert told_apart(model) is not None
    row = model.transitions[0]
    moved = model.without(row.id).with_(
        transitions=[replace(row, actions=(*row.actions, Action("move")))]
    )
    asking = strange(1, [("riddle",)])
    assert told_apart(moved) is None
    assert told_apart(asking) is None
    Twins(asking, 3).play(200)
    assert not positions_of(asking).found


PROGRESS = {"players", "turn", "turns_taken", "own_turns"}
"""The fields of a run and its agenda in which runs at one node may differ."""
QUIET: dict[str, object] = {
    "left": ("B",),
    "teams": (("A", "B"), ("C",)),
    "returns_phase": (Return("hall_window", 2),),
    "returns_step": (Return("hall_window", 2),),
    "turns": (PendingTurn("A"),),
    "controls": (PendingControl("A", "B"),),
    "skips": (PendingSkip("step", "hall", "", "next"),),
    "extras": (PendingExtra("step", "hall"),),
    "calendar": Calendar((LastingEntry("x", "A", "end_of_turn", 1),)),
    "told": {"accepted": True},
    "expired": ("x",),
    "triggered": ("x",),
    "candidate_turn_label": "x",
    "candidate_phase": Candidate("night"),
    "candidate_step": Candidate("sleep"),
}
"""The fields that make a run have no node, with a value that does."""
OTHER: dict[str, object] = {
    "state": "levee_dress",
    "frame": "settle",
    "holder": "C",
    "passed": ("C",),
    "latched": frozenset({"accepted"}),
    "settings": {"x": True},
    "active": "B",
    "decider": "B",
    "natural": "C",
    "candidate_turn": "C",
    "candidate_turn_extra": True,
    "current_turn": None,
    "current_phase": None,
    "current_step": None,
    "cursor_phase": 77,
    "cursor_step": 77,
    "suspended": (Suspended(None, None),),
    "begun": (),
    "missed": ("bout",),
    "tallies": {"x": 1},
    "reversed": True,
    "appointed": (("defending", "C"),),
    "occurrences": 77,
}
"""The fields in which runs at one node are equal, with another value."""


def test_every_field_of_a_run_is_considered() -> None:
    """A new field of a run or an agenda has to be considered in `fsm.engine.positions`."""
    known = {field.name for kind in (Run, Agenda) for field in fields(kind)} - {"model", "agenda"}
    assert known == PROGRESS | set(QUIET) | set(OTHER)
    game = TurnController(COURT.build(), ("A", "B", "C"))
    to(game, "hall", turn=7)
    memo, point = (
        positions_of(game.model),
        wait_points_of(game.model).at(game.run.state, game.run.frame),
    )

    def node(field: str, value: object) -> object:
        run = game.run.copy()
        setattr(run if hasattr(run, field) else run.agenda, field, value)
        return memo.node(run, game.request, point, 100)

    here = node("turn", 77)
    assert here is not None
    assert here is node("turns_taken", (5, 4, 4))
    for field, value in QUIET.items():
        assert node(field, value) is None, field
    for field, value in OTHER.items():
        assert node(field, value) not in (None, here), field


def test_an_answer_that_was_changed_afterwards_does_not_count() -> None:
    """Facts are copied when the answer is made, so an answer that was given once means the same
    again.
    """
    facts = {"stack_empty": True}
    answer = Answer("passed", facts)
    facts["stack_empty"] = False
    assert answer.facts == {"stack_empty": True}
    with pytest.raises(TypeError):
        answer.facts["stack_empty"] = False  # type: ignore[index]
    assert pickle.loads(pickle.dumps(answer)) == answer


def test_a_run_that_is_looked_at_stays_as_it_was() -> None:
    game = court()
    to(game, "hall")
    run, before = game.run, game.snapshot()
    assert game.run is run
    agenda = repr(run.agenda)
    act(game.fork())
    played(game, 3)
    assert repr(run.agenda) == agenda
    assert game.run is not run
    assert before != game.snapshot()
