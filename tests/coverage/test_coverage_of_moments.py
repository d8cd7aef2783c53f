"""Every transition that the options `moments` and `would_begin` add is taken, or coverage proves
that none can be.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest

import fsm
from fsm.analysis.feasibility.prover import prover_of
from fsm.engine.controller import TurnController
from fsm.engine.requests import Answer, Priority, Request, Signal, TurnEnds, WouldBegin
from fsm.model import Model
from fsm.model.graph import graphs_of
from fsm.state.orders import AddPhase, AskBefore, Leave, Order, asking_before
from support.playing import quiet

TURNS = 6


def subscriptions(model: Model) -> list[AskBefore]:
    return [
        asking_before(*fact.test[1:]) for fact in model.facts if fact.test[:1] == ("asked_before",)
    ]


def game(model: Model, orders: Sequence[Order], players: str = "AB") -> TurnController:
    return TurnController(model, list(players), orders=orders)


def answer(request: Request, word: str) -> Answer:
    """Fight, and perhaps skip what would begin."""
    facts = {name: True for name in request.facts if "declared" in name or "strike" in name}
    return quiet(
        request, facts, word="skip" if word == "skip" and isinstance(request, WouldBegin) else None
    )


def playing(started: TurnController, word: str) -> TurnController:
    """Play some turns; with one attack in each, and something that triggers in a cleanup step."""
    attacked: set[int] = set()
    cleaned, skipped = False, 0
    for _ in range(900):
        request = started.request
        if request.at.turn == TURNS or isinstance(request, fsm.Over):
            break
        if isinstance(request, WouldBegin) and word == "skip":
            started.answer(answer(request, word))
            skipped += 1
            if skipped == 2:
                break
            continue
        attacks = isinstance(request, Priority) and request.at.turn not in attacked
        if attacks and any(row.target for row in started.model.rows(request.at.stage, "attack")):
            attacked.add(request.at.turn)
            started.answer(replace(answer(request, word), word="acted", signal=Signal("attack")))
        elif (
            "triggers_waiting" in request.facts
            and request.at.stage == "cleanup_window"
            and not cleaned
        ):
            cleaned = True
            started.answer(quiet(request, {"triggers_waiting": True}))
        else:
            started.answer(answer(request, word))
    return started


def ended_between_turns(model: Model) -> Iterator[TurnController]:
    """The active player, the next one, or all but one leave where a turn ends or the next one would
    begin.
    """
    for at in (TurnEnds, WouldBegin):
        for leaving in (("A",), ("B",), ("C",), ("A", "C"), ("B", "C"), ("A", "B")):
            for between in (True, False):
                one = game(model, [AskBefore("turn")], "ABC")
                while not isinstance(one.request, at) or one.request.at.turn == 0:
                    one.answer(quiet(one.request))
                if between:
                    one.order(Leave(*leaving))
                else:
                    one.answer(
                        quiet(
                            one.request,
                            word="skip" if at is WouldBegin else None,
                            orders=[Leave(*leaving)],
                        )
                    )
                yield one


def games(model: Model) -> Iterator[TurnController]:
    asked = subscriptions(model)
    families = dict.fromkeys(state.family for state in model.of_kind("phase"))
    early = [
        AddPhase((family,), after=next(iter(families))) for family in families if "main" in family
    ]
    for orders in ((), early):
        try:
            yield playing(game(model, [*asked, *orders]), "begin")
        except fsm.errors.OrderError:  # no phases are added
            assert orders
    for order in asked:
        yield playing(game(model, [order]), "skip")
    yield from ended_between_turns(model)


@pytest.mark.parametrize("name", ["magic", "grand-archive"])
def test_every_new_transition_is_taken(name: str) -> None:
    model = fsm.load(name, {"moments": True, "would_begin": True})
    graph = graphs_of(model)[0]
    known = {row.id for row in fsm.load(name).transitions}
    live = prover_of(graph).live
    wanted = {
        row.id for row in model.transitions if any(arc in live for arc in graph.of_row[row.id])
    } - known
    taken = {record.transition for one in games(model) for record in one.trace.records}
    assert wanted - taken == set()
    assert len(wanted) > 30
