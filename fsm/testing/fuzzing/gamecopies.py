"""Compares a game with a copy restored from its snapshot and with a fork. All three must continue
alike.
"""

from __future__ import annotations

import contextlib
import json
from dataclasses import fields

from fsm.engine.controller import TurnController
from fsm.engine.requests import Answer, Over, Position, Request


class GameCopies:
    """A restored copy and a fork of one game, for one answer. The methods say what is wrong with
    them, or None.
    """

    def __init__(self, controller: TurnController) -> None:
        self.parent = controller
        self.saved = controller.snapshot()
        self.fork = controller.fork()
        self.restored = TurnController.restore(controller.model, json.loads(json.dumps(self.saved)))

    def snapshot_is_equal(self) -> str | None:
        """The snapshot of the restored game is the one that it was restored from."""
        return (
            None
            if self.restored.snapshot() == self.saved
            else "the snapshot of the restored game differs"
        )

    def restored_is_equal(self) -> str | None:
        """The game restored from a snapshot, written and read as JSON, equals the original."""
        return _differs(self.restored, self.parent, "the restored game")

    def fork_is_equal(self) -> str | None:
        """A fork equals its parent."""
        return _differs(self.fork, self.parent, "the fork")

    def answer(self, answer: Answer) -> str | None:
        """Give an answer to both copies. The parent, which has not been answered yet, must not
        change.
        """
        with contextlib.suppress(
            Exception
        ):  # the parent raises the same error, or differs afterwards
            self.fork.answer(answer)
        wrong = _differs(self.parent, self.restored, "the parent of a fork that was answered")
        with contextlib.suppress(Exception):
            self.restored.answer(answer)
        return wrong


def _differs(one: TurnController, other: TurnController, who: str) -> str | None:
    if one.request != other.request:
        return f"{who} asks {_unlike(one.request, other.request)}"
    for what in ("agenda", "calendar", "facts"):
        if getattr(one, what) != getattr(other, what):
            return f"{who} has other {what}"
    return None


def _unlike(one: Request | Over, other: Request | Over) -> str:
    """Say how two requests differ."""
    if one.__class__ is not other.__class__ or one.at.stage != other.at.stage:
        return f"{type(one).__name__} in {one.at.stage!r}, not {type(other).__name__} in {other.at.stage!r}"
    pairs: tuple[tuple[Position | Request | Over, Position | Request | Over], ...] = (
        (one.at, other.at),
        (one, other),
    )
    for a, b in pairs:
        for field in fields(a):
            mine, right = getattr(a, field.name), getattr(b, field.name)
            if mine != right and field.name != "at":
                return f"{type(one).__name__} in {one.at.stage!r} with {field.name} {mine!r}, not {right!r}"
    return "something else"
