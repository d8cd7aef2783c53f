"""The table: drives the turn, waits for the players, and saves every answer before anybody sees it."""

from __future__ import annotations

import asyncio
import json
import logging
from pathlib import Path
from typing import Any

import fsm
from fsm import Over, aio
from fsm.errors import AnswerError, FsmError
from fsm.hosts import Stops, load_game, saving

from .game import SEATS, Host


class Tab:
    """An open tab of a seat, and what it has yet to be told. Newer news replace older, so that they
    never pile up.
    """

    def __init__(self, seat: str) -> None:
        self.seat = seat
        self.news: dict[str, Any] = {}
        self._any = asyncio.Event()

    def tell(self, news: dict[str, Any]) -> None:
        """Does not wait until the tab has heard it."""
        self.news |= news
        self._any.set()

    async def next(self) -> dict[str, Any]:
        """Wait until there is something to tell, and take it away."""
        await self._any.wait()
        self._any.clear()
        news, self.news = self.news, {}
        return news


class Table:
    """A game between two seats, in a file. `tabs` are those that look on. After `again` seconds it
    tries again to save.
    """

    def __init__(self, file: Path, again: float = 1.0) -> None:
        self.file, self.again = file, again
        model = fsm.load("magic")
        self.cards = Host(self._ask)
        self.stops = self.host = stops_at_first(model, self.cards)
        file.touch(mode=0o600)  # the links are secret
        if file.stat().st_size:
            self.game: Any = load_game(file, state=self.host)
        else:
            self.game = fsm.History(fsm.TurnController(model, SEATS), state=self.host)
        self.tabs: list[Tab] = []
        self.asked = self.trouble = ""
        self.choice: asyncio.Future[str] | None = None

    async def run(self) -> None:
        """Play to the end. An answer is saved before anybody sees what it has led to. As long as it
        cannot be, the tabs are told why, and the player is asked again.
        """
        while self.game.over is None:
            try:
                self.game.undo(0)  # of an answer that could not be saved nothing is left
                with saving(self.game, self.file):
                    self.trouble = ""
                    await aio.drive(self.game, self.host)
            except OSError as error:
                if not self.trouble:
                    logging.getLogger(__name__).warning(error)
                self.trouble = f"The server cannot save at the moment ({error}). It tries again."
                self._show()
                await asyncio.sleep(self.again)
        self._show()

    async def _ask(self, player: str) -> str:
        self.asked, self.choice = player, asyncio.get_running_loop().create_future()
        self._show()
        try:
            return await self.choice
        finally:
            self.asked, self.choice = "", None

    # what tabs see and say ------------------------------------------------------------------------

    def join(self, seat: str) -> Tab:
        """A tab was opened, or has found its way back."""
        tab = Tab(seat)
        self.tabs.append(tab)
        tab.tell(self.view(seat))
        return tab

    def hear(self, tab: Tab, text: str) -> None:
        """What a tab says: a choice, or a wish about being asked. It is told what is refused, and
        why.
        """
        try:
            message = _message(text)
            if "wish" in message:
                self._wish(tab.seat, message["wish"])
            elif (tab.seat, message.get("number")) == (self.asked, self.game.number):
                self._take(tab.seat, message.get("choice"))
        except FsmError as error:
            tab.tell({"error": error.to_json()})
        if not self._taken():
            tab.tell(self.view(tab.seat))

    def _taken(self) -> bool:
        return self.choice is not None and self.choice.done()

    def _take(self, seat: str, choice: object) -> None:
        choices = self.cards.choices(seat, self.game.request)
        if choice not in choices:
            raise AnswerError(f"{seat} chooses one of {choices}")
        if self.choice is not None and not self._taken():
            self.choice.set_result(str(choice))

    def _wish(self, seat: str, wish: object) -> None:
        """A wish counts at once. It is saved with the next answer."""
        if wish in ("sleep", "wake"):
            self.stops.sleep(seat, wish == "sleep")
        elif wish == "stop":
            self.stops.stop(seat, "end", "others")
        elif wish == "unstop":
            self.stops.of(seat).stops.clear()
        else:
            raise AnswerError('a wish is one of "sleep", "wake", "stop" and "unstop"')

    def view(self, seat: str) -> dict[str, Any]:
        """Everything that a seat may know. What is not saved yet might never have been, and nobody
        sees it.
        """
        if self.trouble:
            return {"trouble": self.trouble}
        request, wishes = self.game.request, self.stops.of(seat)
        return {
            "trouble": "",
            "seat": seat,
            "number": self.game.number,
            "choices": self.cards.choices(seat, request) if seat == self.asked else [],
            "over": isinstance(request, Over),
            "position": request.to_json()["at"],
            "waits_for": self.asked,
            "game": self.cards.shown(),
            "asleep": wishes.asleep,
            "end": any(stop.step == "end" for stop in wishes.stops),
        }

    def _show(self) -> None:
        for tab in self.tabs:
            tab.tell(self.view(tab.seat))


def _message(text: str) -> dict[str, Any]:
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        message = None
    if not isinstance(message, dict):
        raise AnswerError("this is not a message: send a JSON object")
    return message


def stops_at_first(model: fsm.Model, host: Host) -> Stops:
    """Everybody is asked in their own main phases, and when something has happened."""
    stops = Stops(model, SEATS, host)
    for seat in SEATS:
        stops.sleep(seat)
        for step in ("precombat_main", "postcombat_main"):
            stops.stop(seat, step, "own")
    return stops
