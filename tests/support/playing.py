"""How tests play a game: a quiet table that answers what is asked, and what it sees on the way.

Nothing here knows an order of steps.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from fsm import (
    Answer,
    CheckState,
    Order,
    Over,
    Perform,
    PlaceTriggers,
    Priority,
    Request,
    Resolve,
    TurnController,
)
from fsm.errors import FsmError
from fsm.model import Model

BOUND = 20_000
Notice = tuple[int, str, str]
"""The turn and the step of a notice, and the id that it names."""


def quiet(
    request: Request | Over,
    facts: Mapping[str, bool] | None = None,
    *,
    word: Any = None,
    orders: Sequence[Order] = (),
) -> Answer:
    """Nobody does anything, but for what is named."""
    assert isinstance(request, Request)
    plain = request.quiet(**(facts or {}))
    return Answer(word or plain.word, plain.facts, tuple(orders))


# playing on ---------------------------------------------------------------------------------------


def until(controller: TurnController, stop: Callable[[Request | Over], bool]) -> Request | Over:
    """Answer quietly until `stop` likes the request; never without end."""
    for _ in range(BOUND):
        if stop(controller.request):
            return controller.request
        assert not isinstance(controller.request, Over), "the game was over before it came to that"
        controller.answer(controller.request.quiet())
    raise AssertionError(f"it did not come to that in {BOUND} answers")


def to(
    controller: TurnController,
    step: str,
    kind: type[Request] = Priority,
    *,
    turn: int | None = None,
    iteration: int = 1,
) -> Any:
    """Play quietly to the first request of this kind in a step of this name (from here on)."""

    def is_there(request: Request | Over) -> bool:
        at = request.at
        here = (at.step, at.iteration) == (step, iteration) and turn in (None, at.turn)
        return here and isinstance(request, kind)

    return until(controller, is_there)


def to_action(controller: TurnController, action: str, *, turn: int | None = None) -> Perform:
    """Play quietly until this action is asked for."""
    found = until(controller, lambda r: asked(r) == action and turn in (None, r.at.turn))
    assert isinstance(found, Perform)
    return found


def through(controller: TurnController, turn: int) -> TurnController:
    """Play quietly until this turn is over (or the game)."""
    until(controller, lambda r: r.at.turn > turn or isinstance(r, Over))
    return controller


def act(controller: TurnController) -> Request | Over:
    """Who has priority puts something on the stack, and is asked again."""
    controller.answer(quiet(controller.request, word="acted"))
    return until(controller, lambda r: isinstance(r, Priority))


def resolving(
    controller: TurnController,
    step: str,
    *orders: Order,
    turn: int | None = None,
) -> Request | Over:
    """Somebody acts in this step, everybody passes, and the resolving object does this."""
    to(controller, step, turn=turn)
    act(controller)
    for _ in range(BOUND):
        if isinstance(controller.request, Resolve):
            break
        controller.answer(quiet(controller.request, {"stack_empty": False}))
    return controller.answer(quiet(controller.request, orders=orders))


def attack(controller: TurnController, turn: int | None = None) -> Request | Over:
    """Play to declare attackers and declare one."""
    request = to_action(controller, "declare_attackers", turn=turn)
    return controller.answer(quiet(request, {"attackers_declared": True}))


def started(model: Model, players: str | Sequence[str] = "AB", **rest: Any) -> TurnController:
    return TurnController(model, list(players), **rest)


def resolved(
    model: Model, step: str, *orders: Order, players: str = "AB", turn: int = 1
) -> TurnController:
    """A game in which these orders were given as something resolved in this step."""
    game = started(model, players)
    resolving(game, step, *orders, turn=turn)
    return game


# what is seen -------------------------------------------------------------------------------------


def asked(request: Request | Over) -> str:
    """One request as one word or two."""
    match request:
        case Perform():
            return request.action
        case Priority():
            return f"priority {request.player}"
        case CheckState():
            return "check"
        case PlaceTriggers():
            return "place " + "".join(request.by)
        case Resolve():
            return "resolve"
    return "over"


def log_of(controller: TurnController, answers: Sequence[Answer]) -> list[str]:
    """What is asked, beginning with the current request, while these answers are given."""
    return [asked(controller.request), *(asked(controller.answer(answer)) for answer in answers)]


def outcome(game: TurnController, answer: Answer) -> object:
    """What is asked next, and what the game remembers; or why the answer is refused."""
    try:
        return game.answer(answer), game.snapshot()
    except FsmError as error:
        return str(error)


def rest_of_turn(game: TurnController) -> list[str]:
    """Play quietly to the end of the turn. Return its steps from the current one on."""
    visits, turn = dict[tuple[str, int], None](), game.request.at.turn
    while game.request.at.turn == turn and isinstance(game.request, Request):
        if game.request.at.step:
            visits[game.request.at.step, game.request.at.iteration] = None
        game.answer(game.request.quiet())
    return [step for step, _ in visits]


def steps_of(game: TurnController, turn: int) -> list[str]:
    """Play quietly through a turn that is still to come. Return its steps."""
    through(game, turn - 1)
    return rest_of_turn(game)


def actives(game: TurnController, through: int) -> str:
    """Play quietly through this turn. Return the active players of the turns from the present one
    on.
    """
    found = dict[int, str]()
    while game.request.at.turn <= through and isinstance(game.request, Request):
        found[game.request.at.turn] = game.request.at.active
        game.answer(game.request.quiet())
    return "".join(found.values())


def triggered(game: TurnController, turn: int) -> list[Notice]:
    """Play quietly to the end of this turn. Return every trigger that is told."""
    found = list[Notice]()
    while game.request.at.turn <= turn and isinstance(game.request, Request):
        at = game.request.at
        found += [(at.turn, at.step, id) for id in game.request.triggered]
        game.answer(game.request.quiet())
    return found


def unchanged(
    game: TurnController, refused: Callable[[], object], error: type[FsmError], *words: str
) -> None:
    """`refused` raises this error, in one sentence with these words, and nothing has changed."""
    before = game.snapshot(), game.request, game.number
    with pytest.raises(error) as raised:
        refused()
    message = str(raised.value)
    assert "\n" not in message
    for word in words:
        assert word in message
    assert (game.snapshot(), game.request, game.number) == before
