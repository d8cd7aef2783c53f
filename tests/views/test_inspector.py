"""The inspector, asked as its page asks it, and as pages that may not ask do."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest

import fsm
from fsm import History, Trace, TurnController, inspect
from fsm.errors import FsmError
from fsm.scenarios import play


class Page:
    """Asks as a page does."""

    def __init__(self, address: str) -> None:
        parts = urlsplit(address)
        self.host, self.port, self.path = parts.hostname or "", parts.port or 0, parts.path
        self.headers = {"Host": f"{self.host}:{self.port}"}

    def ask(
        self, path: str, method: str = "GET", body: str | None = None, **headers: str
    ) -> tuple[int, str]:
        """Status and content; a path with a slash before it is the whole one."""
        whole = path if path.startswith("/") else self.path + path
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        connection = http.client.HTTPConnection(self.host, self.port, timeout=20)
        connection.request(method, whole, body, {**self.headers, **named})
        reply = connection.getresponse()
        content = (
            reply.readline() if path.startswith("events") and reply.status == 200 else reply.read()
        )
        connection.close()
        return reply.status, content.decode()

    def json(self, path: str) -> Any:
        status, text = self.ask(path)
        assert status == 200, text
        return json.loads(text.removeprefix("data: "))

    def news(self, query: str = "") -> Any:
        """The first thing that a page is told."""
        return self.json(f"events{query}")


def game_after(answers: int, *, trace: bool = True) -> TurnController:
    """A game that is recorded, so that its past is known."""
    game = TurnController("magic", ["Alice", "Bob"], trace=trace)
    for request in game:
        if game.number == answers:
            break
        game.answer(request.quiet())
    return game


@pytest.fixture
def game() -> TurnController:
    return game_after(60)


@pytest.fixture
def page(game: TurnController) -> Iterator[Page]:
    with inspect(game) as inspector:
        yield Page(inspector.address)


# what it shows ------------------------------------------------------------------------------------


def test_a_page_is_told_where_the_game_stands(game: TurnController, page: Page) -> None:
    moment = page.news()["moment"]
    assert moment["title"] == "Draw" and moment["line"].startswith("Turn 2, Bob.")
    assert [row["number"] for row in moment["rows"]][:3] == [60, 59, 58]
    assert [turn["turn"] for turn in moment["timeline"]] == [1, 2]
    answers = [option for option in game.possible() if option.kind == "answer"]
    possible = {option.name for option in answers if option.possible}
    assert {way["word"] for way in moment["possible"] if way["word"]} == possible


def test_it_says_what_is_not_possible_and_why(game: TurnController, page: Page) -> None:
    refused = {option.name for option in game.possible() if not option.possible}
    said = page.news()["moment"]["refused"]
    assert len(said) == len(refused) > 0
    assert all(no["why"] for no in said)


def test_the_map_marks_the_place_and_where_it_can_go(page: Page) -> None:
    svg, marks = page.json("story?game=0")["svg"], page.news()["moment"]["marks"]
    assert marks["here"] and marks["open"]
    parts = {*marks["here"], *marks["open"], *marks["closed"]}
    assert [part for part in parts if f'data-part="{part}"' not in svg] == []


def test_what_is_answered_or_undone_later_is_told_later() -> None:
    history = History(game_after(0, trace=False))
    fsm.drive(history, fsm.BaseHost(), until=lambda request: history.number == 20)
    with inspect(history) as inspector:
        page = Page(inspector.address)
        assert page.news()["moment"]["at"] == 20
        history.answer(fsm.Answer("passed", {"stack_empty": True}))
        assert page.news()["moment"]["at"] == 21
        history.undo()
        assert page.news()["present"]["count"] == 20


def test_every_earlier_moment_can_be_asked_for(page: Page) -> None:
    assert page.json("moment?game=0&at=0")["moment"]["title"] == "Untap"
    moment = page.json("moment?game=0&at=30")["moment"]
    assert moment["at"] == 30
    assert {option.name for option in game_after(30).possible() if option.kind == "answer"} >= {
        way["word"] for way in moment["possible"] if way["word"]
    }
    assert page.json("moment?game=0&at=999")["moment"]["at"] == 60
    cells = [cell for turn in moment["timeline"] for cell in turn["cells"]]
    assert len(cells) > 5


def test_what_is_planned_is_said() -> None:
    game = game_after(10)
    trigger = fsm.DelayedTrigger("burn", "end", "Alice")
    effect = fsm.Effect("grow", "Alice", "end_of_turn")
    game.order(fsm.AddTurn("Bob"), fsm.AddPhase("combat"), trigger, effect)
    with inspect(game) as inspector:
        moment = Page(inspector.address).news()["moment"]
    assert ["next turn", "Bob, an extra turn"] in moment["agenda"]
    assert any(words.startswith("1 extra combat") for _, words in moment["agenda"])
    assert ["end", "burn: delayed trigger of Alice"] in moment["calendar"]
    assert ["until end of turn", "grow: effect of Alice"] in moment["calendar"]


def test_who_has_left_stands_for_nobody() -> None:
    teams = [["Alice", "Bob"], ["Cleo"]]
    game = TurnController("magic", ["Alice", "Bob", "Cleo"], teams=teams)
    game.order(fsm.SkipStep("draw", "Alice"), fsm.Leave("Alice"))
    with inspect(game) as inspector:
        moment = Page(inspector.address).news()["moment"]
    assert ["skipped step", "draw of Bob"] in moment["agenda"]


def test_of_a_long_game_the_last_thousands_of_answers_are_kept() -> None:
    game = game_after(0)
    with inspect(game) as inspector:
        fsm.drive(game, fsm.BaseHost(), until=lambda request: game.number == 10_001)
        news = Page(inspector.address).news()
        assert news["present"]["count"] == 5_000
        assert news["moment"]["line"].startswith(f"Turn {game.turn}, {game.position.active}.")


def test_how_a_game_ended_is_said(game: TurnController) -> None:
    over = game_after(20)
    over.order(fsm.Leave("Bob"))
    with inspect(game, over) as inspector:
        inspector.mark_failed(game, ValueError("no such card"))
        news = Page(inspector.address).news()
    assert [entry["tag"] for entry in news["games"]] == ["error", "ended"]
    assert news["moment"]["failure"] == "ValueError: no such card"
    assert "Alice" in news["games"][1]["line"]


def test_several_games_have_names_and_one_is_chosen() -> None:
    with inspect(game_after(0), game_after(100), names=["red"]) as inspector:
        inspector.add(game_after(5), "blue")
        page = Page(inspector.address)
        news = page.news("?game=1")
        assert [entry["name"] for entry in news["games"]] == ["red", "game 2", "blue"]
        assert (news["id"], news["present"]["count"]) == (1, 100)
        assert page.ask("moment?game=3")[0] == 404


def test_a_game_without_a_record_is_shown_from_where_it_stands() -> None:
    game = game_after(60, trace=False)
    with inspect(game) as inspector:
        page = Page(inspector.address)
        moment = page.news()["moment"]
        assert (moment["at"], moment["title"], moment["rows"]) == (0, "Draw", [])
        game.answer(next(iter(game)).quiet())
        assert [row["number"] for row in page.news()["moment"]["rows"]] == [1]
        trace = Trace.read(page.ask("export?what=trace&game=0")[1].splitlines())
        assert trace.replay(game.model).request == game.request
        status, text = page.ask("export?what=scenario&game=0")
        assert (status, "what came before is not known" in text) == (409, True)


def test_what_cannot_be_inspected_is_refused() -> None:
    with pytest.raises(FsmError, match="int cannot be inspected: give a TurnController"):
        inspect(7)  # type: ignore[arg-type]
    with pytest.raises(FsmError, match="the model of this trace is not known"):
        inspect(Trace(Trace.of(game_after(0)).head))


# what can be saved --------------------------------------------------------------------------------


def test_a_trace_up_to_a_moment(game: TurnController, page: Page) -> None:
    status, text = page.ask("export?what=trace&game=0&at=30")
    assert status == 200
    trace = Trace.read(text.splitlines())
    assert game.trace and trace.answers == game.trace.answers[:30]
    assert trace.replay(game.model).number == 30


def test_a_scenario_up_to_a_moment(game: TurnController, page: Page) -> None:
    status, text = page.ask("export?what=scenario&game=0")
    assert status == 200
    [scenario] = fsm.scenarios.load(json.loads(text), game.model, place="it")
    outcome = play(scenario)
    assert scenario.expect and outcome.ok
    assert "draw" in {visit.step for visit in outcome.visits}


def test_a_test_up_to_a_moment(page: Page) -> None:
    status, text = page.ask("export?what=test&game=0&at=40")
    assert status == 200
    found: dict[str, Any] = {}
    exec(compile(text, "test_inspected.py", "exec"), found)
    found["test_the_game_goes_as_it_did"]()
    found["SCENARIO"]["expect"].append({"visits": ["upkeep"]})
    with pytest.raises((AssertionError, FsmError)):
        found["test_the_game_goes_as_it_did"]()


@pytest.mark.parametrize("what", ["map", "timeline"])
def test_pictures_can_be_saved(page: Page, what: str) -> None:
    status, text = page.ask(f"export?what={what}&game=0&at=30")
    assert (status, text[:4]) == (200, "<svg")


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("export?what=else&game=0", 404),
        ("../secret", 404),
        ("events?game=7", 404),
        ("moment?game=x", 400),
        ("moment?game=0&at=-1", 400),
    ],
)
def test_what_is_not_there_is_not_found(page: Page, path: str, status: int) -> None:
    assert page.ask(path)[0] == status


# who may ask --------------------------------------------------------------------------------------


def test_the_page_is_small_and_loads_nothing_from_elsewhere(page: Page) -> None:
    status, text = page.ask("")
    assert (status, text.count("<script")) == (200, 2)
    assert "http://" not in text.replace("http://www.w3.org", "") and "https://" not in text
    assert len(text) < 400_000


def test_a_wrong_token_is_refused(page: Page) -> None:
    for path in ("/", "/wrong/", f"{page.path[:-2]}/", f"/x{page.path}", "/wrong/events"):
        assert page.ask(path)[0] == 403


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://example.org"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:1"},
        {"Sec_Fetch_Site": "cross-site"},
        {"Host": "example.org"},
    ],
    ids=str,
)
def test_another_page_or_host_is_refused(page: Page, headers: dict[str, str]) -> None:
    assert page.ask("", **headers)[0] == 403
    assert page.ask("moment?game=0", **headers)[0] == 403


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
def test_it_is_read_only(game: TurnController, page: Page, method: str) -> None:
    assert page.ask("", method, '{"word": "passed"}')[0] == 501
    assert game.number == 60
