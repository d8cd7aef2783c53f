"""Lists the possible answers at a wait point. Answers that make the same transitions fire are listed once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import product

from fsm.engine.requests import Answer, Signal, Word
from fsm.state.orders import Order
from fsm.testing.generation.searchnode import AnswerStep, Here, tried


def plain(here: Here, orders: tuple[Order, ...] = (), signal: Signal | None = None) -> Iterator[AnswerStep]:
    """Every word, with every outcome of the facts that are really read on the way."""
    for word in _words(here):
        yield from _outcomes(here, word, orders, signal, {})


def signalled(here: Here, events: frozenset[str]) -> Iterator[AnswerStep]:
    """The same with each signal among these events."""
    for event in sorted(here.ground.signals & events):
        for player in players_of(here) if event == "player_left" else ("",):
            yield from plain(here, (), Signal(event, player))


def latching(here: Here, facts: frozenset[str]) -> Iterator[AnswerStep]:
    """The same with each of these facts, if it stays true, told now, though nothing asks for it."""
    for name in here.ground.latched:
        if name in facts and name not in here.controller.facts:
            for word in _words(here):
                yield from _outcomes(here, word, (), None, {name: True})


def ordering(here: Here, bundles: Iterable[tuple[Order, ...]]) -> Iterator[AnswerStep]:
    """The same with each of these bundles of orders."""
    for orders in bundles:
        yield from plain(here, orders)


def _words(here: Here) -> tuple[Word, ...]:
    return here.controller.waiting.words  # type: ignore[return-value]


def players_of(here: Here) -> tuple[str, ...]:
    """Who is still in the game."""
    agenda = here.controller.agenda
    return tuple(p for side in agenda.sides for p in side if p not in agenda.left)


def _outcomes(
    here: Here, word: Word, orders: tuple[Order, ...], signal: Signal | None, extra: Mapping[str, bool]
) -> Iterator[AnswerStep]:
    """Facts are branched on as they are read: what nobody reads is not told."""
    names = here.ground.facts(*here.spot[:2])
    tells = here.controller.waiting.tells
    todo = [dict(zip(tells, values, strict=True)) for values in product((False, True), repeat=len(tells))]
    while todo:
        fixed = todo.pop()
        told = {name: fixed.get(name, False) for name in names} | dict(extra)
        step = tried(here, Answer(word, told, orders, signal))
        if step is None:
            continue
        read = {n: v for record in step.records for n, v in record.guards if n in names}
        for number, (name, value) in enumerate(read.items()):
            if name not in fixed:
                todo.append(fixed | dict(list(read.items())[:number]) | {name: not value})
        needed = {name: told[name] for name in (*tells, *read, *extra) if name in told}
        yield AnswerStep(step.here, Answer(word, needed, orders, signal), step.records, step.walks)
