"""The table: drives the turn, waits for the players, and remembers every answer before anybody sees it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

from fsm import aio, wire
from fsm.errors import AnswerError, FsmError
from fsm.requests import Answer, Over, Request

from .game import Host
from .store import Store

Send = Callable[[dict[str, Any]], None]
"""Hands a message to one tab, without waiting for it."""


class Table:
    """A game between two seats. `sockets` are the tabs that look on, each with its seat."""

    def __init__(self, store: Store) -> None:
        self.store, self.saved = store, store.load()
        self.host = aio.AutoPass(Host(self.saved.game, self._ask), self.saved.stops)
        self.sockets: dict[Send, str] = {}
        self.asked = ""
        self.answer: asyncio.Future[Answer] | None = None

    async def run(self) -> None:
        """Play to the end. Between taking an answer and saving it nothing is waited for, so nothing comes between."""
        while not isinstance(self.saved.turn.request, Over):
            await aio.ask(self.saved.turn, self.host)
            self.saved.number += 1
            self.store.save(self.saved)
        self._show()

    async def _ask(self, player: str, request: Request) -> Answer:
        self.asked, self.answer = player, asyncio.get_running_loop().create_future()
        self._show()
        try:
            return await self.answer
        finally:
            self.asked, self.answer = "", None

    # what tabs see and say ---------------------------------------------------------------------------

    def join(self, seat: str, send: Send) -> None:
        """A tab was opened, or has found its way back."""
        self.sockets[send] = seat
        send(self.view(seat))

    def hear(self, seat: str, send: Send, text: str) -> None:
        """What a tab says: an answer, or a wish about being asked. A refusal goes back to it as it is."""
        try:
            message = _message(text)
            if "wish" in message:
                self._wish(seat, message["wish"])
            elif (seat, message.get("number")) == (self.asked, self.saved.number):
                self._take(seat, message.get("answer"))
        except FsmError as error:
            send(wire.dump(error))
        if not self._taken():
            send(self.view(seat))

    def _taken(self) -> bool:
        return self.answer is not None and self.answer.done()

    def _take(self, seat: str, data: object) -> None:
        answer = wire.answer_of(data)
        self.saved.game.judge(seat, self.saved.turn.request, answer)
        if self.answer is not None and not self._taken():
            self.answer.set_result(answer)

    def _wish(self, seat: str, wish: object) -> None:
        stops = self.saved.stops
        if wish in ("sleep", "wake"):
            stops.sleep(seat, wish == "sleep")
        elif wish in ("stop", "unstop"):
            (stops.stop if wish == "stop" else stops.unstop)(seat, "end", "others")
        self.store.save(self.saved)

    def view(self, seat: str) -> dict[str, Any]:
        """Everything that a seat may know."""
        saved, wishes = self.saved, self.saved.stops.of(seat)
        request = saved.turn.request
        asked = seat == self.asked or isinstance(request, Over)
        return {
            "seat": seat,
            "number": saved.number,
            "request": wire.dump(request) if asked else None,
            "position": wire.dump(request)["at"],
            "waits_for": self.asked,
            "game": saved.game.as_json(),
            "asleep": wishes.asleep,
            "end": any(stop.step == "end" for stop in wishes.stops),
        }

    def _show(self) -> None:
        for send, seat in list(self.sockets.items()):
            send(self.view(seat))



def _message(text: str) -> dict[str, Any]:
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        message = None
    if not isinstance(message, dict):
        raise AnswerError("this is not a message: send a JSON object")
    return message
