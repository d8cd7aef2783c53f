"""The table: drives the turn, waits for the players, and saves every answer before anybody sees it."""

from __future__ import annotations

import asyncio
import json
import logging
from copy import deepcopy
from dataclasses import replace
from typing import Any

from fsm import Over, aio
from fsm.errors import AnswerError, FsmError
from fsm.hosts import AutoPass

from .game import Host
from .store import SaveError, Store


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
    """A game between two seats. `tabs` are those that look on. After `again` seconds it tries again
    to save.
    """

    def __init__(self, store: Store, again: float = 1.0) -> None:
        self.store, self.saved, self.again = store, store.load(), again
        self.host = AutoPass(Host(self.saved.game, self._ask), self.saved.stops)
        self.tabs: list[Tab] = []
        self.asked = ""
        self.choice: asyncio.Future[str] | None = None
        self.trouble = ""

    async def run(self) -> None:
        """Play to the end. Between taking an answer and saving it, nothing else is taken and
        nothing is shown.
        """
        while not isinstance(self.saved.turn.request, Over):
            await aio.ask(self.saved.turn, self.host)
            self.saved.number += 1
            await self._save()
        self._show()

    async def _save(self) -> None:
        """Return when the table is saved. As long as it cannot be, the tabs are told why they see
        nothing new.
        """
        while True:
            try:
                self.store.save(self.saved)
            except SaveError as error:
                if not self.trouble:
                    logging.getLogger(__name__).warning(error)
                self.trouble = f"{error} The game goes on as soon as it can."
            else:
                self.trouble = ""
                return
            self._show()
            await asyncio.sleep(self.again)

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
            elif (tab.seat, message.get("number")) == (self.asked, self.saved.number):
                self._take(tab.seat, message.get("choice"))
        except FsmError as error:
            tab.tell({"error": error.to_json()})
        if not self._taken():
            tab.tell(self.view(tab.seat))

    def _taken(self) -> bool:
        return self.choice is not None and self.choice.done()

    def _take(self, seat: str, choice: object) -> None:
        choices = self.saved.game.choices(seat, self.saved.turn.request)
        if choice not in choices:
            raise AnswerError(f"{seat} chooses one of {choices}")
        if self.choice is not None and not self._taken():
            self.choice.set_result(str(choice))

    def _wish(self, seat: str, wish: object) -> None:
        """Let the wish count once it is saved."""
        stops = deepcopy(self.saved.stops)
        if wish in ("sleep", "wake"):
            stops.sleep(seat, wish == "sleep")
        elif wish in ("stop", "unstop"):
            (stops.stop if wish == "stop" else stops.unstop)(seat, "end", "others")
        else:
            raise AnswerError('a wish is one of "sleep", "wake", "stop" and "unstop"')
        self.store.save(replace(self.saved, stops=stops))
        self.saved.stops = self.host.stops = stops

    def view(self, seat: str) -> dict[str, Any]:
        """Everything that a seat may know. What is not saved yet might never have been, and nobody
        sees it.
        """
        if self.trouble:
            return {"trouble": self.trouble}
        saved, wishes = self.saved, self.saved.stops.of(seat)
        request = saved.turn.request
        return {
            "trouble": "",
            "seat": seat,
            "number": saved.number,
            "choices": saved.game.choices(seat, request) if seat == self.asked else [],
            "over": isinstance(request, Over),
            "position": request.to_json()["at"],
            "waits_for": self.asked,
            "game": saved.game.as_json(),
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
