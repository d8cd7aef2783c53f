"""The page of a running game, asked as the page asks, and as others may not ask."""

from __future__ import annotations

import http.client
import json
import socket
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

import fsm
from fsm import History, TurnController
from fsm.errors import FsmError


class Visitor:
    """Asks as a page does."""

    def __init__(self, address: str) -> None:
        parts = urlsplit(address)
        self.host, self.port, self.path = parts.hostname or "", parts.port or 0, parts.path
        self.headers = {"Host": f"{self.host}:{self.port}"}

    def ask(self, path: str, method: str = "GET", **headers: str) -> tuple[int, str]:
        """Status and content; a path with a slash before it is the whole one."""
        whole = path if path.startswith("/") else self.path + path
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        connection = http.client.HTTPConnection(self.host, self.port, timeout=20)
        connection.request(method, whole, headers={**self.headers, **named})
        reply = connection.getresponse()
        content = reply.read()
        connection.close()
        return reply.status, content.decode()

    def news(self) -> Iterator[Any]:
        """What the page is told."""
        connection = http.client.HTTPConnection(self.host, self.port, timeout=20)
        connection.request("GET", f"{self.path}events", headers=self.headers)
        for line in connection.getresponse():
            if line.startswith(b"data: "):
                yield json.loads(line[6:])


def game_after(answers: int, **more: Any) -> TurnController:
    game = TurnController("magic", ["Alice", "Bob"], **more)
    for request in game:
        if game.number == answers:
            break
        game.answer(request.quiet())
    return game


@pytest.fixture
def page() -> Iterator[Visitor]:
    with fsm.inspect(game_after(5)) as shown:
        yield Visitor(shown.address)


# what it is told ----------------------------------------------------------------------------------


def test_what_is_answered_or_undone_later_is_told_later() -> None:
    history = History(game_after(0))
    fsm.drive(history, fsm.BaseHost(), until=lambda request: history.number == 20)
    with fsm.inspect(history) as shown:
        news = Visitor(shown.address).news()
        first = next(news)
        assert (first["start"]["number"], first["at"], len(first["answers"])) == (0, 0, 20)
        answer = fsm.Answer("passed", {"stack_empty": True})
        history.answer(answer)
        assert next(news) == {"at": 20, "answers": [answer.to_json()]}
        history.undo()
        assert next(news) == {"at": 20, "answers": []}


@pytest.mark.parametrize(("trace", "known"), [(True, 30), (False, 0)])
def test_the_past_of_a_game_is_known_if_it_is_recorded(trace: bool, known: int) -> None:
    with fsm.inspect(game_after(30, trace=trace)) as shown:
        first = next(Visitor(shown.address).news())
    assert (first["start"]["number"], len(first["answers"])) == (30 - known, known)


def test_of_a_long_game_the_last_thousands_of_answers_are_kept() -> None:
    game = game_after(0)
    with fsm.inspect(game) as shown:
        fsm.drive(game, fsm.BaseHost(), until=lambda request: game.number == 6_100)
        first = next(Visitor(shown.address).news())
    start = TurnController.restore("magic", first["start"])
    for answer in first["answers"]:
        start.answer(fsm.Answer.from_json(answer, trusted=True))
    assert 2_000 <= len(first["answers"]) <= 4_000
    assert start.request == game.request


def test_a_file_is_followed_through_undo_and_a_new_game(tmp_path: Path) -> None:
    file, history = str(tmp_path / "game.jsonl"), History(game_after(0))
    with fsm.hosts.saving(history, file):
        fsm.drive(history, fsm.BaseHost(), until=lambda request: history.number == 20)
        with fsm.inspect(file) as shown:
            news = Visitor(shown.address).news()
            assert len(next(news)["answers"]) == 20
            history.undo(5)
            assert next(news) == {"at": 15, "answers": []}
            with fsm.hosts.saving(game_after(3), file):
                assert next(news)["start"]["number"] == 3


def test_what_cannot_be_inspected_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FsmError, match="int cannot be inspected: give a TurnController"):
        fsm.inspect(7)  # type: ignore[arg-type]
    with pytest.raises(FsmError, match=r"missing\.jsonl"):
        fsm.inspect(tmp_path / "missing.jsonl")


# who may ask --------------------------------------------------------------------------------------


def test_the_page_is_small_and_loads_nothing_from_elsewhere(page: Visitor) -> None:
    status, text = page.ask("")
    assert (status, text.count("<script")) == (200, 2)
    assert "http://" not in text.replace("http://www.w3.org", "") and "https://" not in text
    assert len(text) < 400_000
    assert page.ask("secret")[0] == 404


def test_a_wrong_token_is_refused(page: Visitor) -> None:
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
def test_another_page_or_host_is_refused(page: Visitor, headers: dict[str, str]) -> None:
    assert page.ask("", **headers)[0] == 403
    assert page.ask("events", **headers)[0] == 403


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
def test_it_is_read_only(page: Visitor, method: str) -> None:
    assert page.ask("", method)[0] == 501


def test_half_sent_requests_take_no_more_than_their_room(page: Visitor) -> None:
    """The program keeps its descriptors, whoever holds connections open."""
    with ExitStack() as held:
        for _ in range(60):
            half = held.enter_context(socket.create_connection((page.host, page.port), timeout=20))
            half.sendall(b"GET /")
        with suppress(ConnectionError):
            assert half.recv(1) == b""
    assert page.ask("")[0] == 200
