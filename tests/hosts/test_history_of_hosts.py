"""A history drives like a controller: the host's state goes back with it, to a person's decision,
also after saving.
"""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

import pytest

import fsm
from fsm import Answer, Over, Perform, Priority, Request
from fsm.errors import AnswerError, HostError, SnapshotError
from fsm.hosts import AutoPass, Stops, coming, entering, saving


class Duel(fsm.BaseHost):
    """Counts the cards drawn; Ann decides in upkeeps, Ben in draw steps, and else nobody does."""

    def __init__(self) -> None:
        self.cards, self.log = 7, list[tuple[int, str]]()
        self.same = self.log

    def on_draw_card(self, request: Perform) -> None:
        self.cards += 1

    def on_priority(self, request: Priority) -> Answer | None:
        if (request.player, request.at.step) in (("Ann", "upkeep"), ("Ben", "draw")):
            self.log.append((request.at.turn, request.player))
            return request.passed()
        return None


def history(state: object = None) -> fsm.History:
    return fsm.History(fsm.TurnController("magic", ["Ann", "Ben"]), state=state)


def driven(duel: Any, turn: int = 4) -> fsm.History:
    game = history(duel)
    fsm.drive(game, duel, until=lambda request: request.at.turn == turn)
    return game


def test_a_history_drives_as_its_controller_does() -> None:
    game, plain = driven(Duel()), fsm.TurnController("magic", ["Ann", "Ben"])
    fsm.drive(plain, Duel(), until=lambda request: request.at.turn == 4)
    assert game.controller.snapshot() == plain.snapshot()
    assert (
        game.request == plain.request
        and game.position == plain.position
        and game.model is plain.model
    )
    assert game.trace.entries == plain.trace.entries and game.agenda == plain.agenda
    assert coming(game) == coming(plain) and game.possible() == plain.possible()
    assert len(game.answers) == len(plain.trace.answers)


def test_undo_goes_back_to_a_persons_decision_with_the_host() -> None:
    duel = Duel()
    game = driven(duel)
    assert (
        duel.log == [(1, "Ann"), (2, "Ann"), (2, "Ben"), (3, "Ann"), (3, "Ben")] and duel.cards == 9
    )
    game.undo_to("Ann")
    assert (game.position.turn, game.position.step) == (3, "upkeep")
    assert (duel.cards, duel.log) == (8, [(1, "Ann"), (2, "Ann"), (2, "Ben")])
    assert duel.same is duel.log, "what was one object is one"
    game.undo_to("Ben")
    assert (game.position.turn, game.position.step, duel.cards) == (2, "draw", 8)
    game.undo_to(lambda request: request.at.turn == 1)
    assert (game.position.turn, duel.cards, duel.log) == (1, 7, [])
    with pytest.raises(AnswerError, match="no decision of Ann to go back to"):
        game.undo_to("Ann")
    with pytest.raises(AnswerError, match="'An' is not in this game"):
        game.undo_to("An")


def test_redo_brings_the_host_forth_again() -> None:
    duel = Duel()
    game = driven(duel)
    end, count = game.controller.snapshot(), len(game.answers)
    game.undo_to("Ann")
    game.redo(count - len(game.answers))
    assert game.controller.snapshot() == end and (duel.cards, len(duel.log)) == (9, 5)


def test_after_an_undo_the_game_is_driven_on_as_if_nothing_had_been() -> None:
    duel, straight = Duel(), Duel()
    game = driven(duel)
    game.to_turn(2)
    fsm.drive(game, duel, until=lambda request: request.at.turn == 4)
    other = driven(straight)
    assert game.controller.snapshot() == other.controller.snapshot() and vars(duel) == vars(
        straight
    )


def test_a_branch_has_its_own_host() -> None:
    duel, twin = Duel(), Duel()
    game = driven(duel)
    branch = game.branch(state=twin)
    assert vars(twin) == vars(duel)
    branch.undo_to("Ann")
    assert (twin.cards, duel.cards) == (8, 9) and game.position.turn == 4


def test_asyncio_drives_a_history() -> None:
    class Late(fsm.aio.BaseHost):
        cards = 7

        async def on_draw_card(self, request: Perform) -> None:
            self.cards += 1

        async def on_priority(self, request: Priority) -> Answer | None:
            return request.passed() if request.player == "Ann" else None

    late = Late()
    game = history(late)
    asyncio.run(fsm.aio.drive(game, late, until=lambda request: request.at.turn == 3))
    game.undo_to(lambda request: request.at.step == "upkeep")
    assert (game.position.turn, late.cards) == (2, 7)


def test_players_who_are_not_asked_decide_nothing() -> None:
    class Passing(fsm.BaseHost):
        def on_priority(self, request: Priority) -> Answer:
            return request.passed()

    game = history()
    stops = Stops(game.model, ["Ann", "Ben"])
    stops.sleep("Ben")
    fsm.drive(game, AutoPass(Passing(), stops), until=lambda request: request.at.turn == 2)
    assert {one.request.player for one in game.decisions} == {"Ann"}


def test_late_answers_are_nobodys_decision() -> None:
    class Never(fsm.aio.BaseHost):
        async def on_priority(self, request: Priority) -> Answer | None:
            await asyncio.sleep(60)
            return None

    def passes(request: Request) -> Answer:
        assert isinstance(request, Priority)
        return request.passed()

    game = history()
    host = fsm.aio.TimeLimit(Never(), lambda request: 0.001, passes)
    asyncio.run(fsm.aio.drive(game, host, until=lambda request: request.at.step == "draw"))
    assert game.answers and game.decisions == ()


def test_the_mark_is_no_part_of_an_answer() -> None:
    request = history().request
    assert not isinstance(request, Over)
    assert request.quiet() == Answer("done") and hash(request.quiet().word) == hash("done")
    assert request.quiet().automatic and "automatic" not in repr(request.quiet())


# the host's own state -----------------------------------------------------------------------------


class Keeping(Duel):
    """Says itself what is kept."""

    def __init__(self) -> None:
        super().__init__()
        self.lock = Lock()

    def save(self) -> int:
        return self.cards

    def load(self, saved: int) -> None:
        self.cards = saved


def test_a_host_may_say_itself_what_is_kept() -> None:
    host = Keeping()
    game = driven(host)
    game.undo_to("Ann")
    assert host.cards == 8 and len(host.log) == 5, "only the cards go back"


def test_what_cannot_be_copied_is_named_with_the_remedy() -> None:
    class Locked(Duel):
        def __init__(self) -> None:
            super().__init__()
            self.lock = Lock()

    with pytest.raises(
        HostError, match=r"Locked\.lock cannot be copied .*save\(\) and load\(saved\)"
    ):
        history(Locked())
    with pytest.raises(HostError, match=r"tuple has no attributes that can be copied"):
        history(("state",))


def test_the_state_is_in_the_host_that_is_wrapped() -> None:
    duel = Duel()
    stops = Stops(fsm.load("magic"), ["Ann", "Ben"])
    with pytest.raises(
        HostError, match="the state is not in AutoPass, but in the host that it wraps"
    ):
        history(AutoPass(duel, stops))
    game = history(duel)
    fsm.drive(game, AutoPass(duel, stops), until=lambda request: request.at.turn == 3)
    game.undo_to("Ann")
    assert duel.cards == 7


def test_a_host_may_know_its_game() -> None:
    """It is not copied with the host."""
    duel = Duel()
    game = history(duel)
    duel.game = game  # type: ignore[attr-defined]
    fsm.drive(game, duel, until=lambda request: request.at.turn == 3)
    game.undo_to("Ann")
    assert duel.game is game and duel.cards == 7  # type: ignore[attr-defined]


# saving -------------------------------------------------------------------------------------------


@dataclass
class Plain(fsm.BaseHost):
    """A host whose attributes are plain JSON values."""

    cards: int = 7
    log: list[str] = field(default_factory=list)

    def on_draw_card(self, request: Perform) -> None:
        self.cards += 1
        self.log.append(request.player)

    def on_priority(self, request: Priority) -> Answer | None:
        return request.passed() if request.player == "Ann" and request.at.step == "upkeep" else None


def crossed(game: fsm.History) -> Any:
    return json.loads(json.dumps(game.snapshot()))


def test_a_snapshot_keeps_the_past() -> None:
    host = Plain()
    game = driven(host)
    game.undo(3)
    again = Plain()
    restored = fsm.History.restore("magic", crossed(game), state=again)
    assert again == host and restored.request == game.request
    assert restored.decisions == game.decisions and restored.undone == game.undone
    restored.redo(3)
    game.redo(3)
    assert restored.controller.snapshot() == game.controller.snapshot() and again == host
    restored.undo_to("Ann")
    assert (restored.position.turn, restored.position.step, again.cards, again.log) == (
        3,
        "upkeep",
        8,
        ["Ben"],
    )
    assert crossed(restored)["answers"] == crossed(game)["answers"][: len(restored.answers)]


def test_saving_sees_each_answer_in_the_history() -> None:
    host, kept = Plain(), list[Any]()
    game = history(host)
    with saving(game, lambda: kept.append(crossed(game))):
        fsm.drive(game, host, until=lambda request: request.at.step == "draw")
    count = len(kept)
    assert [len(one["answers"]) for one in kept] == list(range(1, count + 1))
    last = fsm.History.restore("magic", kept[-1], state=Plain())
    assert last.request == game.request and len(last.answers) == count
    game.answer(game.request.quiet())  # type: ignore[union-attr]
    assert len(kept) == count, "it has ended"


def test_a_refused_answer_leaves_no_trace_in_the_history() -> None:
    game = history(Plain())
    before = crossed(game)
    with pytest.raises(AnswerError):
        game.answer(Answer("passed"))
    assert crossed(game) == before


def test_a_state_that_json_cannot_hold_is_named() -> None:
    with pytest.raises(HostError, match=r"Duel\.log\[0\] \(tuple\) cannot be written as JSON"):
        driven(Duel()).snapshot()


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data.pop("answers"),
        lambda data: data["answers"].append({"is": "Answer", "word": "passed"}),
        lambda data: data["answers"].append({"is": "Signal", "event": "end_turn"}),
        lambda data: data["state_of"].pop(),
        lambda data: data["start"].pop("run"),
    ],
)
def test_a_damaged_history_is_refused(damage: Any) -> None:
    data = crossed(driven(Plain()))
    damage(data)
    with pytest.raises(SnapshotError):
        fsm.History.restore("magic", data, state=Plain())
    with pytest.raises(SnapshotError, match='"format" must be'):
        fsm.History.restore("magic", {"format": "fsm-snapshot-1"})


# the loop -----------------------------------------------------------------------------------------


def test_a_loop_over_a_history_may_go_back() -> None:
    game, undone = history(), 0
    for request in game:
        if request.at.turn == 2:
            if undone == 2:
                break
            undone += 1
            game.to_turn(1)
            continue
        game.answer(request.quiet())
    assert undone == 2
    with pytest.raises(AnswerError, match="went on without an answer"):
        for _ in game:
            pass


def test_subscriptions_and_orders_work_through_a_history() -> None:
    game, seen = history(), list[str]()
    stop = entering(game, "upkeep", lambda record: seen.append(record.active))
    fsm.drive(game, fsm.BaseHost(), until=lambda request: request.at.turn == 2)
    stop()
    assert seen == ["Ann"]
    game.order(fsm.Leave("Ben"))
    assert isinstance(game.request, Over)
    game.undo()
    assert game.position.turn == 2 and game.agenda.left == ()


class Saves(Duel):
    def save(self) -> object:
        return {"cards": self.cards}


class Loads(Duel):
    def load(self, saved: Any) -> None: ...


class Forgets(Saves):
    """Saves the cards, and forgets to put them back."""

    def load(self, saved: Any) -> None:
        self.log.clear()


@pytest.mark.parametrize(
    ("host", "words"),
    [(Saves, r"Saves has save but not load\(saved\)"), (Loads, r"Loads has load but not save\(\)")],
)
def test_a_host_with_half_of_the_pair_is_refused(host: type[Duel], words: str) -> None:
    with pytest.raises(HostError, match=words) as refused:
        history(host())
    assert refused.value.kind == "missing-method"


def test_a_load_that_puts_back_something_else_is_refused() -> None:
    duel = Forgets()
    game = driven(duel)
    with pytest.raises(
        HostError, match=r"after Forgets.load\(saved\), save\(\) returns {'cards': 9}"
    ) as refused:
        game.undo_to("Ann")
    assert refused.value.kind == "state-mismatch"
