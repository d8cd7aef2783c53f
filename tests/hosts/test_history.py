"""A history goes back and forth exactly: the turn, and the host with it."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from threading import Lock
from typing import Any

import pytest

import fsm
from fsm import Answer, History, Over, Perform, Priority, TurnController
from fsm.errors import AnswerError, HostError
from fsm.hosts import StackHost, coming, load_game, saving


@dataclass
class Duel(fsm.BaseHost):
    """Counts the cards. Ann decides in upkeeps, Ben in draw steps, and else nobody does."""

    cards: int = 7
    log: list[str] = field(default_factory=list)

    def on_draw_card(self, request: Perform) -> None:
        self.cards += 1

    def on_priority(self, request: Priority) -> Answer | None:
        if (request.player, request.at.step) not in (("Ann", "upkeep"), ("Ben", "draw")):
            return None
        self.log.append(f"{request.player} {request.at.turn}")
        return request.passed()


def driven(game: TurnController, host: Any, turn: int = 4) -> History:
    history = History(game, state=host)
    fsm.drive(history, host, until=lambda request: request.at.turn == turn)
    return history


def acts(history: History) -> None:
    """Answer once. Who has priority acts, so that the step does not end."""
    request: Any = history.request
    facts = dict.fromkeys(request.facts, False)
    answer = request.acted if isinstance(request, Priority) else request.quiet
    history.answer(answer(**facts))


# back and forth -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["magic", "grand-archive"])
def test_every_point_can_be_gone_back_to_and_forth(name: str) -> None:
    """With an order among the answers, and a step of many answers."""
    history, random = History(TurnController(name, ["Ann", "Ben"])), Random(7)
    history.order(fsm.AddTurn("Ben"))
    points = [history.fork().snapshot()]
    for count in range(250):
        if 20 < count < 170:
            acts(history)
        else:
            history.answer(history.request.quiet())  # type: ignore[union-attr]
        points.append(history.fork().snapshot())

    for target in [0, *random.sample(range(250), 8), 250]:
        there = len(history.past) - 1
        if target < there:
            history.undo(there - target)
        else:
            history.redo(target - there)
        assert history.fork().snapshot() == points[target]


def test_a_person_can_decide_again_and_the_host_goes_back(game: TurnController) -> None:
    duel: Any = Duel()
    history = driven(game, duel)
    end, count = history.fork().snapshot(), len(history.past)
    history.undo_to("Ann")
    assert (history.position.turn, history.position.step) == (3, "upkeep")
    assert duel == Duel(8, ["Ann 1", "Ann 2", "Ben 2"])
    history.undo_to(lambda request: request.at.turn == 1)
    assert (history.position.turn, duel) == (1, Duel())
    with pytest.raises(AnswerError, match="no decision of Ann to go back to"):
        history.undo_to("Ann")
    with pytest.raises(AnswerError, match="player 'Anne' is not in this game; did you mean 'Ann'"):
        history.undo_to("Anne")

    history.redo(count - len(history.past))
    assert history.fork().snapshot() == end
    assert duel == Duel(9, ["Ann 1", "Ann 2", "Ben 2", "Ann 3", "Ben 3"])


def test_a_new_answer_forgets_what_was_undone_and_a_refused_one_does_not(
    game: TurnController,
) -> None:
    history = History(game)
    for _ in range(4):
        acts(history)
    history.undo(2)
    before = history.points.copy(), history.past
    with pytest.raises(AnswerError):
        history.answer(Answer("nonsense"))  # type: ignore[arg-type]
    assert (history.points, history.past) == before

    acts(history)
    for move, count in ((history.redo, 1), (history.undo, 9)):
        with pytest.raises(AnswerError, match="only 3 answers can be undone, and 0 given again"):
            move(count)


def test_a_history_is_a_controller(game: TurnController) -> None:
    """It goes on from where it is made, and its controller is left behind."""
    before = game.snapshot()
    history = driven(game, Duel())
    assert game.snapshot() == before
    twin = history.fork()
    assert type(twin) is TurnController
    assert (history.request, history.possible()) == (twin.request, twin.possible())
    assert coming(history) == coming(twin)
    assert next(iter(history)) == twin.request
    history.order(fsm.Leave("Ben"))
    assert isinstance(history.over, Over)
    for again in (copy(history), TurnController.restore("magic", history.token())):
        assert (type(again), again.request) == (TurnController, history.request)


def test_branches_share_their_past_and_nothing_else(game: TurnController) -> None:
    duel, twin = Duel(), Duel()
    history = driven(game, duel)
    end = history.fork().snapshot()
    history.undo(2)
    branch = history.branch(state=twin)
    assert twin == duel

    branch.undo_to("Ann")
    acts(branch)
    with pytest.raises(AnswerError, match="0 given again"):
        branch.redo()
    assert (twin.cards, duel.cards) == (8, 9)
    history.redo(2)
    assert history.fork().snapshot() == end
    branch.undo(len(branch.past))
    history.undo(len(history.past))
    assert branch.fork().snapshot() == history.fork().snapshot()


def test_a_history_of_a_history_has_the_same_past(game: TurnController) -> None:
    duel = Duel()
    history = driven(game, duel)
    again = History(history, state=duel)
    assert again.past == history.past
    again.undo_to("Ann")
    assert duel.cards == 8


def test_what_a_host_does_after_it_went_back_is_dropped_with_its_answer(
    game: TurnController, drive: Callable[..., Any]
) -> None:
    """Else a `StackHost` would take off its stack what has not resolved."""
    hands, undone = iter(["bolt"]), iter([True])
    past: History

    class Hesitant(StackHost):
        def on_priority(self, request: Priority) -> Answer | None:
            self.stack += list(hands)
            return request.acted() if self.stack and not past.decisions else None

        def resolve(self, top: str, request: Any) -> Any:
            return self.hesitate() if drive is fsm.drive else self.awaited()

        async def awaited(self) -> None:
            self.hesitate()

        def hesitate(self) -> None:
            if next(undone, False):
                past.undo()

    host = Hesitant()
    past = History(game, state=host)
    drive(past, host, until=lambda request: request.kind == "resolve")
    drive(past, host, until=lambda request: request.kind == "priority" and not [*undone])
    assert host.stack == ["bolt"]


def test_a_host_that_goes_back_or_forth_is_asked_again(
    game: TurnController, drive: Callable[..., Any]
) -> None:
    """Its answer is dropped, though the request is equal to that of before."""
    typed = iter(["bolt", "undo", "redo", "undo", "shock", "pass", "pass"])
    resolved = list[str]()
    past: History

    class Prompted(StackHost):
        def on_priority(self, request: Priority) -> Any:
            return self.ask(request) if drive is fsm.drive else self.asked(request)

        async def asked(self, request: Priority) -> Answer | None:
            return self.ask(request)

        def ask(self, request: Priority) -> Answer | None:
            word = next(typed) if request.player == "Ann" else "pass"
            if word in ("undo", "redo"):
                past.undo_to("Ann") if word == "undo" else past.redo()
            elif word != "pass":
                self.stack.append(word)
                return request.acted()
            return None

        def resolve(self, top: str, request: Any) -> None:
            resolved.append(top)

    host = Prompted()
    past = History(game, state=host)
    drive(past, host, until=lambda request: request.at.step == "precombat_main")
    assert (resolved, [*typed]) == (["shock"], [])


# the state of the host ----------------------------------------------------------------------------


class Locked(Duel):
    def __init__(self) -> None:
        super().__init__()
        self.lock = Lock()


class Saves(Locked):
    def save(self) -> dict[str, int]:
        return {"cards": self.cards}


class Keeping(Saves):
    """Says itself what is kept."""

    def load(self, saved: dict[str, int]) -> None:
        self.cards = saved["cards"]


class Loads(Duel):
    def load(self, saved: Any) -> None: ...


def test_a_host_may_say_itself_what_is_kept(game: TurnController) -> None:
    host = Keeping()
    driven(game, host).undo_to("Ann")
    assert host.cards == 8
    assert len(host.log) == 5


@pytest.mark.parametrize(
    ("host", "words"),
    [
        (Locked(), r"Locked cannot be copied .*lock.*save\(\) and load\(saved\)"),
        (("state",), "tuple: write both save"),
        (Saves(), r"Saves: write both"),
        (Loads(), r"Loads: write both save"),
    ],
    ids=["no copy", "no attributes", "no load", "no save"],
)
def test_a_host_whose_state_cannot_go_back_is_refused(
    host: object, words: str, game: TurnController
) -> None:
    with pytest.raises(HostError, match=words):
        History(game, state=host)


class Five(Duel):
    def save(self) -> int:
        return 5

    def load(self, saved: int) -> None: ...


@pytest.mark.parametrize("kept", [None, Five()])
def test_what_is_no_state_of_the_host_is_refused(
    kept: Any, game: TurnController, tmp_path: Path
) -> None:
    with saving(game, tmp_path / "game.jsonl", state=kept):
        pass
    with pytest.raises(HostError, match="not the state of a Duel: give the host with"):
        load_game(tmp_path / "game.jsonl", state=Duel())


def test_what_comes_back_from_a_file_has_the_past_the_undone_and_the_host(
    game: TurnController, tmp_path: Path
) -> None:
    history = driven(game, Duel())
    history.undo(3)
    with saving(history, tmp_path / "game.jsonl"):
        pass
    other: Any = load_game(tmp_path / "game.jsonl", state=Duel())
    assert (other.host, other.request) == (history.host, history.request)
    assert other.decisions == history.decisions
    for one in (history, other):
        one.redo(3)
        one.undo_to("Ann")
    assert other.fork().snapshot() == history.fork().snapshot()
    assert (other.host, other.host.cards) == (history.host, 8)
