"""The inspector, asked as a page asks it, and as pages that may not ask do."""

from __future__ import annotations

import asyncio
import http.client
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from transitions import Machine

import fsm
from fsm import History, Trace, TurnController, aio, inspect
from fsm.errors import FsmError, LogError, TraceError
from fsm.orders import AddPhase, AddTurn, DelayedTrigger, Effect
from fsm.scenarios import play
from fsm.views.inspector import Inspector
from fsm.views.inspector.logs import stories_of_file
from support import arenalogs
from support.playing import quiet


class Page:
    """Asks as a page does. `headers` are sent with each request."""

    def __init__(self, inspector: Inspector) -> None:
        parts = urlsplit(inspector.address)
        self.host, self.port, self.path = parts.hostname or "", parts.port or 0, parts.path
        self.headers = {"Host": f"{self.host}:{self.port}"}

    def ask(
        self,
        path: str,
        *,
        method: str = "GET",
        body: str | None = None,
        whole: str = "",
        **headers: str,
    ) -> tuple[int, str]:
        """Return status and content. With `whole`, the path is this one."""
        connection = http.client.HTTPConnection(self.host, self.port, timeout=20)
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        try:
            connection.request(method, whole or self.path + path, body, {**self.headers, **named})
            reply = connection.getresponse()
            return reply.status, reply.read().decode()
        finally:
            connection.close()

    def json(self, path: str) -> Any:
        status, text = self.ask(path)
        assert status == 200, text
        return json.loads(text)

    def news(self, query: str = "") -> Any:
        """Return the first thing that a page is told."""
        connection = http.client.HTTPConnection(self.host, self.port, timeout=20)
        try:
            connection.request("GET", f"{self.path}events{query}", headers=self.headers)
            line = connection.getresponse().readline().decode()
            return json.loads(line.removeprefix("data: "))
        finally:
            connection.close()

    def post(self, data: object, path: str = "answer", **headers: str) -> tuple[int, str]:
        given = {
            "Content_Type": "application/json",
            "Origin": f"http://{self.host}:{self.port}",
            **headers,
        }
        return self.ask(path, method="POST", body=json.dumps(data), **given)


def game_after(answers: int) -> TurnController:
    game = TurnController(fsm.load("magic"), ("Alice", "Bob"))
    for _ in range(answers):
        game.answer(quiet(game.request))
    return game


@pytest.fixture
def game() -> TurnController:
    return game_after(60)


@pytest.fixture
def page(game: TurnController) -> Iterator[Page]:
    with inspect(game) as inspector:
        yield Page(inspector)


# what it shows ------------------------------------------------------------------------------------


def test_a_page_is_told_where_the_game_stands(game: TurnController, page: Page) -> None:
    news = page.news()
    moment = news["moment"]
    assert [entry["name"] for entry in news["games"]] == ["game 1"]
    assert news["present"]["count"] == moment["at"] == 60
    assert moment["title"] == "Draw" and moment["line"].startswith("Turn 2, Bob.")
    possible = {way["word"] for way in moment["possible"] if way["word"]}
    assert possible == {
        option.name for option in game.possible() if option.possible and option.kind == "answer"
    }
    refused = {option.name for option in game.possible() if not option.possible}
    assert len(moment["refused"]) == len(refused) > 0
    assert all(no["why"] for no in moment["refused"])
    assert [row["number"] for row in moment["rows"]][:3] == [60, 59, 58]
    assert [turn["turn"] for turn in moment["timeline"]] == [1, 2]


def test_the_marks_are_parts_of_the_map(page: Page) -> None:
    svg, marks = page.json("story?game=0")["svg"], page.news()["moment"]["marks"]
    assert marks["here"] and marks["open"]
    for part in (*marks["here"], *marks["open"], *marks["closed"]):
        assert f'data-part="{part}"' in svg


def test_what_is_answered_later_is_told_later(game: TurnController, page: Page) -> None:
    assert page.news()["present"]["count"] == 60
    game.answer(quiet(game.request))
    assert page.news()["moment"]["at"] == 61


def test_a_page_that_does_not_follow_is_told_how_far_the_game_is(page: Page) -> None:
    news = page.news("?game=0&follow=0")
    assert "moment" not in news
    assert news["present"] == {
        "count": 60,
        "given": 60,
        "line": "Turn 2, Bob: Draw",
        "part": news["present"]["part"],
    }


def test_every_earlier_moment_can_be_asked_for(page: Page) -> None:
    assert page.json("moment?game=0&at=0")["moment"]["title"] == "Untap"
    moment = page.json("moment?game=0&at=30")["moment"]
    expected = game_after(30)
    assert moment["at"] == 30
    assert {way["word"] for way in moment["possible"]} >= set(expected.waiting.words)
    assert moment["rows"][0]["number"] == 33  # some later ones as well
    assert page.json("moment?game=0&at=999")["moment"]["at"] == 60


def test_the_cells_of_the_timeline_lead_to_their_moments(page: Page) -> None:
    columns = {column["id"]: column["name"] for column in page.json("story?game=0")["columns"]}
    for turn in page.news()["moment"]["timeline"]:
        for cell in turn["cells"]:
            if "skipped" not in cell["kinds"]:
                assert (
                    page.json(f"moment?game=0&at={cell['at']}")["moment"]["title"]
                    == columns[cell["step"]]
                )


def test_agenda_and_calendar_are_said() -> None:
    game = game_after(10)
    trigger, effect = DelayedTrigger("burn", "end", "Alice"), Effect("grow", "Alice", "end_of_turn")
    game.answer(
        quiet(
            game.request,
            orders=(AddTurn("Bob"), AddTurn("Alice"), AddPhase("combat"), trigger, effect),
        )
    )
    with inspect(game) as inspector:
        moment = Page(inspector).news()["moment"]
    assert ["next turn", "Alice, an extra turn"] in moment["agenda"]
    assert ["extra turn", "Bob"] in moment["agenda"]
    assert any(words.startswith("1 extra combat") for _, words in moment["agenda"])
    assert ["end", "burn: delayed trigger of Alice"] in moment["calendar"]
    assert ["until end of turn", "grow: effect of Alice"] in moment["calendar"]


def test_conditions_are_said_as_they_were_last_asked() -> None:
    game = game_after(0)
    while game.position.step != "declare_blockers":
        game.answer(quiet(game.request, {"attackers_declared": True}))
    with inspect(game) as inspector:
        page = Page(inspector)
        attacked = game.number - 1
        facts = page.json("moment?game=0")["moment"]["facts"]
        assert ["attackers declared", "a creature attacks"] in facts
        before = page.json(f"moment?game=0&at={attacked - 3}")["moment"]["facts"]
    assert "attackers declared" not in dict(before)
    assert dict(before)["stack empty"] == "the stack is empty"


def test_a_game_that_ended_by_an_error_says_so(game: TurnController) -> None:
    with inspect(game, game_after(3)) as inspector:
        page = Page(inspector)
        assert page.news()["moment"]["failure"] == ""
        inspector.mark_failed(game, ValueError("no such card"))
        news = page.news()
        assert [(one["tag"], one["kind"]) for one in news["games"]] == [
            ("error", "error"),
            ("", ""),
        ]
        assert news["moment"]["failure"] == "ValueError: no such card"
        assert page.json("moment?game=0&at=5")["moment"]["failure"] == ""


def test_an_undone_answer_is_gone() -> None:
    history = History(game_after(20))
    for _ in range(5):
        history.answer(quiet(history.request))
    with inspect(history) as inspector:
        page = Page(inspector)
        assert page.news()["present"]["count"] == 25
        history.undo(3)
        news = page.news()
    assert news["present"]["count"] == news["moment"]["at"] == 22


def test_a_game_that_becomes_another_one_begins_as_that_one() -> None:
    game, saved = game_after(40), game_after(200)
    with inspect(game) as inspector:
        page = Page(inspector)
        assert page.news()["present"]["count"] == 40
        game.become(TurnController.restore(saved.model, saved.token()))
        assert page.news()["moment"]["line"].startswith("Turn 4, Bob")
        game.answer(quiet(game.request))
        assert page.news()["present"]["count"] == 1
        game.become(saved)
        assert page.news()["present"]["count"] == 200


def test_under_asyncio() -> None:
    async def table() -> Any:
        game = game_after(0)
        with inspect(game) as inspector:
            await asyncio.wait_for(
                aio.drive(game, fsm.BaseHost(), until=lambda request: request.at.turn == 3), 30
            )
            return await asyncio.to_thread(Page(inspector).news)

    assert asyncio.run(table())["moment"]["line"].startswith("Turn 3, Alice.")


def test_several_games_have_names_and_one_is_chosen() -> None:
    with inspect(game_after(0), game_after(100), names=["red"]) as inspector:
        inspector.add(game_after(5), "blue")
        page = Page(inspector)
        news = page.news("?game=1")
        assert [entry["name"] for entry in news["games"]] == ["red", "game 2", "blue"]
        assert (news["id"], news["present"]["count"]) == (1, 100)
        assert page.ask("moment?game=3")[0] == 404


def test_an_inspector_without_games_waits_for_one() -> None:
    with inspect() as inspector:
        assert Page(inspector).news() == {"games": [], "total": 0}


def test_a_game_that_is_over_says_so() -> None:
    game = game_after(20)
    game.order(fsm.Leave("Bob"))
    with inspect(game) as inspector:
        news = Page(inspector).news()
    assert news["games"][0]["tag"] == "ended"
    assert "Alice" in news["games"][0]["line"]


def test_a_trace_is_a_story_with_an_end(game: TurnController) -> None:
    with inspect(game.trace) as inspector:
        page = Page(inspector)
        assert page.json("story?game=0")["live"] is False
        assert page.json("moment?game=0&at=60")["moment"]["title"] == "Draw"


def test_what_cannot_be_inspected_is_refused() -> None:
    with pytest.raises(FsmError, match="int cannot be inspected: give a TurnController"):
        inspect(7)  # type: ignore[arg-type]
    with pytest.raises(FsmError, match="the model of this trace is not known"):
        inspect(Trace(game_after(0).head))


# machines -----------------------------------------------------------------------------------------


class Door:
    pass


def test_a_machine_is_shown_with_its_events() -> None:
    doors = [Door(), Door()]
    rows = [["push", "shut", "open"], ["pull", "open", "shut"], ["break_", "open", "gone"]]
    states = ["shut", "open", {"name": "gone", "final": True}]
    machine = Machine(
        doors, states=states, transitions=rows, initial="shut", auto_transitions=False
    )
    with inspect(machine) as inspector:
        page = Page(inspector)
        doors[0].push()  # type: ignore[attr-defined]
        doors[0].pull()  # type: ignore[attr-defined]
        doors[1].push()  # type: ignore[attr-defined]
        news = page.news()
        assert [(entry["name"], entry["line"]) for entry in news["games"]] == [
            ("Door 1", "shut"),
            ("Door 2", "open"),
        ]
        moment = news["moment"]
        assert [(row["answer"], row["came"]) for row in moment["rows"]] == [
            ("pull()", "open to shut"),
            ("push()", "shut to open"),
        ]
        assert moment["way"] == ["shut", "open", "shut"]
        assert [way["text"] for way in moment["possible"]] == ["push()"]
        assert [(no["text"], no["why"]) for no in moment["refused"]] == [
            ("pull()", "only from open"),
            ("break_()", "only from open"),
        ]
        assert page.json("moment?game=0&at=1")["moment"]["title"] == "open"
        doors[1].break_()  # type: ignore[attr-defined]
        assert page.news()["games"][1]["tag"] == "final"
    doors[0].push()  # type: ignore[attr-defined]
    assert not {"callbacks", "set_state"} & vars(machine).keys()  # it has its own methods back


# files --------------------------------------------------------------------------------------------


def test_a_trace_in_a_file(game: TurnController, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    game.trace.write(path)
    (story,) = stories_of_file(str(path))
    assert (story.name, story.count, story.live) == ("game.jsonl", 60, False)
    assert story.standing(60).title == "Draw"


def test_a_trace_of_a_ruleset_that_is_not_built_in_needs_its_name(
    game: TurnController, tmp_path: Path
) -> None:
    path = tmp_path / "game.jsonl"
    path.write_text(
        "\n".join(game.trace.lines()).replace('"magic"', '"os:getcwd"', 1), encoding="utf-8"
    )
    with pytest.raises(TraceError, match="is not built in: name its ruleset"):
        stories_of_file(str(path))


def test_the_games_of_a_clients_log(tmp_path: Path) -> None:
    path = tmp_path / "Player.log"
    turns = arenalogs.in_turn(arenalogs.FIRST, arenalogs.ATTACK)
    path.write_text(arenalogs.line(arenalogs.start(), *arenalogs.messages(turns)), encoding="utf-8")
    (story,) = stories_of_file(str(path))
    assert story.unit == "step"
    steps = [row.answer for row in story.rows(0, story.count)]
    assert steps[:3] == ["Untap", "Upkeep", "Precombat main"]
    assert "Declare blockers" in steps and "Combat damage" in steps
    assert [turn.turn for turn in story.turns] == [1, 2]
    assert story.standing(2).title == "Upkeep"
    path.write_text("nothing\n", encoding="utf-8")
    with pytest.raises(LogError):
        stories_of_file(str(path))


# what can be saved --------------------------------------------------------------------------------


def test_a_trace_up_to_a_moment(game: TurnController, page: Page) -> None:
    status, text = page.ask("export?what=trace&game=0&at=30")
    assert status == 200
    trace = Trace.read(text.splitlines())
    assert trace.answers == game.trace.answers[:30]
    assert trace.replay(game.model).number == 30


def test_a_scenario_up_to_a_moment() -> None:
    game = game_after(0)
    while game.position.step != "declare_attackers":
        game.answer(quiet(game.request))
    game.answer(quiet(game.request, {"attackers_declared": True}))
    with inspect(game) as inspector:
        status, text = Page(inspector).ask("export?what=scenario&game=0")
    assert status == 200
    (scenario,) = fsm.scenarios.load(json.loads(text), game.model, place="it")
    outcome = play(scenario)
    assert "declare_blockers" in {visit.step for visit in outcome.visits}
    assert scenario.expect and outcome.ok


@pytest.mark.parametrize("options", [{}, {"extra_draw_on_first_turn": False}])
def test_a_test_up_to_a_moment(options: dict[str, object]) -> None:
    game = TurnController(fsm.load("magic", options), ("Alice", "Bob"))
    for _ in range(60):
        game.answer(quiet(game.request))
    with inspect(game, names=['a "table"']) as inspector:
        status, text = Page(inspector).ask("export?what=test&game=0&at=40")
    assert status == 200
    found: dict[str, Any] = {}
    exec(compile(text, "test_inspected.py", "exec"), found)
    found["test_the_game_goes_as_it_did"]()
    found["SCENARIO"]["expect"].append({"visits": ["upkeep"]})
    with pytest.raises((AssertionError, FsmError)):
        found["test_the_game_goes_as_it_did"]()


def test_a_test_needs_a_built_in_ruleset() -> None:
    game = TurnController(
        fsm.load("magic").without("cleanup_again_after -> cleanup_begin"), ("Alice", "Bob")
    )
    with inspect(game) as inspector:
        status, text = Page(inspector).ask("export?what=test&game=0")
    assert (status, "no built-in ruleset: save the scenario" in text) == (409, True)


@pytest.mark.parametrize("what", ["map", "timeline"])
def test_pictures_can_be_saved(page: Page, what: str) -> None:
    status, text = page.ask(f"export?what={what}&game=0&at=30")
    assert (status, text[:4]) == (200, "<svg")


def test_what_is_not_there_is_not_found(page: Page) -> None:
    assert page.ask("export?what=else&game=0")[0] == 404
    assert page.ask("../secret")[0] == 404
    assert page.ask("moment?game=x")[0] == 400
    assert page.ask("events?game=7")[0] == 404
    assert page.ask("moment?game=0&at=-1")[0] == 400


# who may ask --------------------------------------------------------------------------------------


def test_the_page_loads_nothing_from_elsewhere(page: Page) -> None:
    status, text = page.ask("")
    assert (status, text.count("<script")) == (200, 2)
    assert "http://" not in text.replace("http://www.w3.org", "") and "https://" not in text
    assert len(text) < 400_000


def test_a_wrong_token_is_refused(page: Page) -> None:
    for whole in ("/", "/wrong/", f"{page.path[:-2]}/", f"/x{page.path}", "/wrong/events"):
        assert page.ask("", whole=whole)[0] == 403


@pytest.mark.parametrize(
    "origin", ["http://example.org", "null", "http://127.0.0.1:1", "https://localhost"]
)
def test_another_page_is_refused(page: Page, origin: str) -> None:
    assert page.ask("", Origin=origin)[0] == 403
    assert page.ask("events", Origin=origin)[0] == 403
    assert page.ask("", Sec_Fetch_Site="cross-site")[0] == 403


def test_another_host_is_refused(page: Page) -> None:
    assert page.ask("", Host="example.org")[0] == 403
    assert page.ask("", Host=f"example.org:{page.port}")[0] == 403
    assert page.ask("", Host=f"localhost:{page.port}")[0] == 200


def test_a_page_without_control_cannot_answer(game: TurnController, page: Page) -> None:
    status, text = page.post({"game": 0, "number": 60, "word": "passed"})
    assert (status, game.number) == (405, 60)
    assert "control=True" in text
    assert page.ask("", method="DELETE")[0] == 501


def test_with_control_a_page_answers() -> None:
    game = game_after(60)
    word = game.waiting.words[-1]
    with inspect(game, control=True) as inspector:
        page = Page(inspector)
        answer = {"game": 0, "number": 60, "word": word}
        assert page.post(answer) == (200, '{"number":61}')
        assert game.number == 61
        assert page.post(answer)[0] == 409  # a click that comes twice
        assert page.post({**answer, "number": 61, "word": "nonsense"})[0] == 400
        assert page.post(answer, Origin="http://example.org")[0] == 403
        assert page.post(answer, Content_Type="text/plain")[0] == 403
        assert (
            page.ask("answer", method="POST", body="{}", Content_Type="application/json")[0] == 403
        )
        assert page.post({"word": "x" * 20_000})[0] == 413
        assert page.post([])[0] == 400
        assert page.post(answer, path="else")[0] == 404
        assert game.number == 61


def test_a_closed_inspector_answers_nobody(game: TurnController) -> None:
    inspector = inspect(game)
    page = Page(inspector)
    inspector.close()
    inspector.close()
    with pytest.raises(ConnectionError):
        page.ask("")


def test_a_notebook_shows_its_address(game: TurnController) -> None:
    with inspect(game) as inspector:
        shown = inspector._repr_mimebundle_()
    assert inspector.address in shown["text/html"]
