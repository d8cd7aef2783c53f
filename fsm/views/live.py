"""The explorer page of a running game: it follows the game while the program runs.

    with fsm.inspect(game) as page:
        print(page.address)
        fsm.drive(game, host)

The page is served on this computer by daemon threads. They read values that never change, so a game
never waits for the page, and the page changes nothing in the game.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import ExitStack, suppress
from functools import partial
from os import PathLike, fspath
from typing import TypeAlias

from fsm.engine.controller import TurnController
from fsm.engine.requests import Answer
from fsm.engine.trace import Answered, begin_again
from fsm.errors import FsmError, SnapshotError
from fsm.hosts.history import History
from fsm.hosts.savefile import load_past
from fsm.model.model import Bundle, ModelLike
from fsm.views.explorer import page_of
from fsm.views.explorer.data import standing_head
from fsm.views.server import News, Server

__all__ = ["LivePage", "inspect"]
MOST = 4_000
"""Of a game that goes on, at most so many answers are kept: then the older half is forgotten."""
Past: TypeAlias = tuple[TurnController, list[Answer]]
"""A game at the beginning of what is known, and its answers since."""


class LivePage:
    """A page that follows a game. It is open until it is closed, or the program ends.

    Use it in a `with` statement, or call `close`.

    Attributes
    ----------
    address
        The address of the page. Whoever knows it, on this computer, can look.
    """

    def __init__(
        self, past: Callable[[], Past], port: int, watch: Callable[[], ExitStack] = ExitStack
    ) -> None:
        self._past = past
        self._server = Server(self._page, self._news, port)
        self._watch = watch()
        self.address: str = self._server.address

    def __repr__(self) -> str:
        return f"<LivePage {self.address}>"

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> Bundle:
        """Called by a notebook: the address, as a link."""
        link = f'<a href="{self.address}" target="_blank" rel="noreferrer">{self.address}</a>'
        return {"text/plain": repr(self), "text/html": link}

    def close(self) -> None:
        """End it. Pages that are open keep what they show."""
        self._server.close()
        self._watch.close()

    def __enter__(self) -> LivePage:
        """Return the page, which is open already."""
        return self

    def __exit__(self, *raised: object) -> None:
        """Close it."""
        self.close()

    def _page(self) -> str:
        game, _ = self._past()
        start = {"head": standing_head(game), "answers": []}
        return page_of(game.model, start, players=game.players, live=True)

    def _news(self) -> News:
        """Yield what is new for a page, each time that it asks, or None."""
        start: object = None
        told: list[Answer] = []
        while True:
            begin, answers = self._past()
            news: dict[str, object] = {}
            if begin is not start:
                start = begin
                told = []
                news["start"] = begin.snapshot()
            same = min(len(told), len(answers))
            while same and told[same - 1] != answers[same - 1]:
                same -= 1
            if news or not same == len(told) == len(answers):
                told = answers
                news["at"] = same
                news["answers"] = [answer.to_json() for answer in answers[same:]]
            yield news or None


class _Followed:
    """What is known of a game that is watched."""

    def __init__(self, game: TurnController) -> None:
        self.game = game
        self._known = _past_of(game)
        self._middle: TurnController | None = None

    def hear(self, answered: Answered) -> None:
        """Add an answer. The thread of the program calls this, and never waits here."""
        game = answered.game
        begin, answers = self._known
        place = game.number - 1 - begin.number
        if place < 0:  # it went back to before what is known
            self._known = game.fork(), []
            return
        if place < len(answers):  # some were undone, and others may be reading this list
            answers = answers[:place]
        answers.append(answered.answer)
        if place == MOST // 2:
            self._middle = game.fork()
        if place == MOST and self._middle is not None:
            begin = self._middle
            answers = answers[MOST // 2 + 1 :]
        self._known = begin, answers

    def past(self) -> Past:
        """Return what is known now."""
        begin, answers = self._known
        return begin, answers[: max(0, self.game.number - begin.number)]


def _past_of(game: TurnController) -> Past:
    """Return the past that a game has kept."""
    if isinstance(game, History):
        start = game.branch()
        start.undo(len(start.past))
        return start.fork(), [one.answer for one in game.past]
    trace = game.trace
    if trace is None or len(trace.answers) != game.number:
        return game.fork(), []
    return begin_again(trace.head, game.model), trace.answers


def inspect(
    game: TurnController | str | PathLike[str], model: ModelLike | None = None, *, port: int = 0
) -> LivePage:
    """Show a game on a page, while it goes on.

    The page knows the past of a `History`, and of a game that is recorded from its beginning
    (`TurnController(..., trace=True)`). Call this in the thread in which the game is played. It
    prints nothing: open `address` in a browser.

    Parameters
    ----------
    game
        The controller of a game of this program, a `History` of one, or the path of the file that
        `fsm.hosts.saving` writes, here or elsewhere.
    model
        The model of the game in a file. A game of a built-in ruleset needs none.
    port
        The port on this computer. With 0, any free port is taken.

    Returns
    -------
    LivePage
        The page. Close it, or use it in a `with` statement; it ends with the program in any case.

    Raises
    ------
    FsmError
        If this is no game.
    OSError
        If the port is taken.
    """
    if isinstance(game, str | PathLike):
        return LivePage(_File(fspath(game), model).past, port)
    given: object = game
    if not isinstance(given, TurnController):
        kind = type(given).__name__
        raise FsmError(f"{kind} cannot be inspected: give a TurnController, a History or a file")
    followed = _Followed(given)
    return LivePage(followed.past, port, partial(given.watch, followed.hear))


class _File:
    """What is known of a game in a file, which is read again when it has changed."""

    def __init__(self, file: str, model: ModelLike | None) -> None:
        self._file = file
        self._model = model
        self._known = _past_of(load_past(file, model)[1])
        self._seen = self._stamp()

    def _stamp(self) -> tuple[int, int]:
        stat = os.stat(self._file)
        return stat.st_mtime_ns, stat.st_size

    def past(self) -> Past:
        """Return what is known now. While the file is away, nothing new is known."""
        with suppress(OSError, SnapshotError):
            stamp = self._stamp()
            if stamp != self._seen:
                begin, answers = _past_of(load_past(self._file, self._model)[1])
                if begin.snapshot() == self._known[0].snapshot():
                    begin = self._known[0]
                self._known = begin, answers
                self._seen = stamp
        return self._known
