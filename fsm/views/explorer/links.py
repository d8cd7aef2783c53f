"""Writes a game as the part of an address with which the explorer page opens it, as
`page/sharing.js` reads it.
"""

from __future__ import annotations

import json
from base64 import urlsafe_b64encode
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby

from fsm.engine.controller import TurnController
from fsm.engine.requests import Answer

LINK = "1"
LETTERS = {"passed": "p", "acted": "a", "done": "d"}
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True, slots=True)
class Link:
    """A link in two parts: who plays which model, and the answers. As text, it follows "#" in the
    page's address.
    """

    start: str
    answers: tuple[str, ...]

    @property
    def told(self) -> str:
        """The answers as one text. Equal answers in a row stand there once, with their number."""
        same = ((token, len(list(equal))) for token, equal in groupby(self.answers))
        return ".".join(
            f"{token}*{_base36(times)}" if times > 1 else token for token, times in same
        )

    def __str__(self) -> str:
        return f"{self.start}~{self.told}"


def link_of(game: TurnController, start: Mapping[str, object], answers: Iterable[Answer]) -> Link:
    """Return the link to a game at its first request, which started with this (players, teams,
    settings, orders), with these answers given. The answers are given to the game.

    Raises AnswerError if an answer does not fit.
    """
    tokens = list[str]()
    for answer in answers:
        tokens.append(_token(game.request.facts, answer))
        game.answer(answer)
    return Link(f"{LINK}~{game.model.fingerprint}~{_packed(start)}", tuple(tokens))


def _token(asked: Iterable[str], answer: Answer) -> str:
    """Return an answer as a letter and the values of the facts asked for, as a number. Other
    answers are whole.

    A fact that the answer does not tell is not read, so it may have any value.
    """
    names = tuple(asked)
    if answer.orders or not answer.facts.keys() <= set(names) or answer.word not in LETTERS:
        return f"x{_packed(answer.to_json())}"
    mask = sum(1 << number for number, name in enumerate(names) if answer.facts.get(name))
    return LETTERS[answer.word] + (_base36(mask) if mask else "")


def _packed(value: object) -> str:
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=False)
    return urlsafe_b64encode(text.encode()).decode().rstrip("=")


def _base36(number: int) -> str:
    digits = ""
    while number:
        number, digit = divmod(number, 36)
        digits = _DIGITS[digit] + digits
    return digits or "0"
