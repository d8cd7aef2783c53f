"""Tries the possible answers at a wait point. Of answers that make the same transitions fire, one
is tried.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import product

from fsm.engine.requests import Answer, Signal, Word
from fsm.state.orders import Leave, Order
from fsm.testing.generation.searchnode import AnswerStep, SearchNode, try_answer


def plain_replies(
    node: SearchNode, orders: tuple[Order, ...] = (), signal: Signal | None = None
) -> Iterator[AnswerStep]:
    """Try every word with every combination of the facts that are read on the way."""
    for word in _words(node):
        yield from _outcomes(node, word, orders, signal, {})


def signal_replies(node: SearchNode, events: frozenset[str]) -> Iterator[AnswerStep]:
    """Try the plain replies with each of these signals."""
    for event in sorted(node.abstract.signals & events):
        if event == node.abstract.model.leaving:
            others = tuple(player for player in node.may_leave if player != node.run.agenda.active)
            if len(others) > 1:
                yield from _outcomes(node, "", (Leave(*others),), None, {})
            for player in node.may_leave:
                yield from _outcomes(node, "", (Leave(player),), None, {})
                yield from plain_replies(node, (), Signal(event, player))
        else:
            yield from plain_replies(node, (), Signal(event))


def latching_replies(node: SearchNode, facts: frozenset[str]) -> Iterator[AnswerStep]:
    """Try the plain replies with each of these facts that is latched and not yet true, although it
    is not asked for.
    """
    for name in node.abstract.latched:
        if name in facts and name not in node.run.latched:
            for word in _words(node):
                yield from _outcomes(node, word, (), None, {name: True})


def order_replies(node: SearchNode, bundles: Iterable[tuple[Order, ...]]) -> Iterator[AnswerStep]:
    """Try the plain replies with each of these groups of orders."""
    for orders in bundles:
        yield from plain_replies(node, orders)


def _words(node: SearchNode) -> tuple[Word, ...]:
    return node.waiting.words  # type: ignore[return-value]


def _outcomes(
    node: SearchNode,
    word: Word,
    orders: tuple[Order, ...],
    signal: Signal | None,
    extra: Mapping[str, bool],
) -> Iterator[AnswerStep]:
    """Try both values of each fact that is read. Facts that no guard reads are left out of the
    answer.
    """
    names = node.abstract.facts(*node.graph_node[:2])
    reported = node.waiting.tells if word else ()
    todo = [
        dict(zip(reported, values, strict=True))
        for values in product((False, True), repeat=len(reported))
    ]
    while todo:
        fixed = todo.pop()
        facts = {name: fixed.get(name, False) for name in names} | dict(extra)
        step = try_answer(node, Answer(word, facts, orders, signal))
        if step is None:
            continue
        read = {n: v for n, v in step.read if n in names}
        for number, (name, value) in enumerate(read.items()):
            if name not in fixed:
                todo.append(fixed | dict(list(read.items())[:number]) | {name: not value})
        yield step.reporting(
            {name: facts[name] for name in (*reported, *read, *extra) if name in facts}
        )
