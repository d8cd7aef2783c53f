"""How the engine's tests play: a quiet table that passes, and looks at what the trace says
happened.

Nothing here knows an order of steps: it answers what is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

import pytest

from fsm import (
    Answer,
    CheckState,
    Over,
    Perform,
    PlaceTriggers,
    Priority,
    Request,
    Resolve,
    Signal,
    TurnController,
)
from fsm.engine.requests import Word
from fsm.errors import FsmError
from fsm.model import Model
from fsm.orders import Order

BOUND = 20_000
Errors: TypeAlias = type[FsmError] | tuple[type[FsmError], ...]
USUAL = {"stack_empty": True}


def quiet(
    request: Request | Over,
    facts: Mapping[str, bool] | None = None,
    *,
    word: Word | None = None,
    orders: Sequence[Order] = (),
    signal: Signal | None = None,
) -> Answer:
    """Nobody does anything: pass, and tell every fact asked for as on an empty table, save `facts`."""
    told = {name: USUAL.get(name, False) for name in request.facts}
    return Answer(word or request.quiet_word, {**told, **(facts or {})}, tuple(orders), signal)


def leaves(player: str) -> Signal:
    return Signal("player_left", player)


def signal(name: str) -> Signal:
    return Signal(name)


def until(controller: TurnController, stop: Callable[[Request | Over], bool]) -> Request | Over:
    """Answer quietly until `stop` likes the request; never without end."""
    for _ in range(BOUND):
        if stop(controller.request):
            return controller.request
        assert not isinstance(controller.request, Over), "the game was over before it came to that"
        controller.answer(quiet(controller.request))
    raise AssertionError(f"it did not come to that in {BOUND} answers")


def to(
    controller: TurnController,
    step: str,
    kind: type[Request] = Priority,
    *,
    turn: int | None = None,
    iteration: int = 1,
) -> Request | Over:
    """Play quietly to the first request of this kind in a step of this name (from here on)."""
    return until(
        controller,
        lambda r: (
            isinstance(r, kind)
            and r.at.step == step
            and r.at.iteration == iteration
            and turn in (None, r.at.turn)
        ),
    )


def to_action(controller: TurnController, action: str, *, turn: int | None = None) -> Perform:
    """Play quietly until this action is asked for."""
    found = until(
        controller,
        lambda r: isinstance(r, Perform) and r.action == action and turn in (None, r.at.turn),
    )
    assert isinstance(found, Perform)
    return found


def resolving(
    controller: TurnController,
    step: str,
    *orders: Order,
    signal: Signal | None = None,
    turn: int | None = None,
) -> Request | Over:
    """Somebody acts in this step, everybody passes, and the resolving object does this."""
    to(controller, step, Priority, turn=turn)
    act(controller)
    for _ in range(BOUND):
        if isinstance(controller.request, Resolve):
            break
        controller.answer(quiet(controller.request, {"stack_empty": False}))
    return controller.answer(quiet(controller.request, orders=orders, signal=signal))


def act(controller: TurnController) -> Request | Over:
    """Who has priority puts something on the stack, and is asked again."""
    controller.answer(quiet(controller.request, word="acted"))
    return until(controller, lambda r: isinstance(r, Priority))


def attack(controller: TurnController, turn: int | None = None) -> Request | Over:
    """Play to declare attackers and declare one."""
    request = to_action(controller, "declare_attackers", turn=turn)
    return controller.answer(quiet(request, {"attackers_declared": True}))


def through(controller: TurnController, turn: int) -> TurnController:
    """Play quietly until this turn is over (or the game)."""
    until(controller, lambda r: r.at.turn > turn or isinstance(r, Over))
    return controller


def started(model: Model, players: str | Sequence[str] = "AB", **rest: object) -> TurnController:
    return TurnController(model, list(players), **rest)  # type: ignore[arg-type]


def visits(controller: TurnController) -> list[tuple[int, str, str]]:
    """Turn, active player and step of every step that began, in order."""
    model = controller.model
    found = []
    for record in controller.trace.records:
        if record.machine != "turn" or record.source == record.target:
            continue
        state = model.state(record.target)
        if state.role == "begin" and state.parent and model.state(state.parent).kind == "step":
            found.append((record.turn, record.active, record.step))
    return found


def steps(controller: TurnController, turn: int) -> list[str]:
    """The steps of one turn that began, in order."""
    return [step for number, _, step in visits(controller) if number == turn]


def turns(controller: TurnController) -> list[str]:
    """The active players of the turns that began, in order."""
    return list({turn: active for turn, active, _ in visits(controller)}.values())


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
            return "place " + "".join(request.players)
        case Resolve():
            return "resolve"
    return "over"


def log_of(controller: TurnController, answers: Sequence[Answer]) -> list[str]:
    """What is asked, beginning with the current request, while these answers are given."""
    heard = [asked(controller.request)]
    for answer in answers:
        heard.append(asked(controller.answer(answer)))
    return heard


def unchanged(
    game: TurnController, refused: Callable[[], object], error: Errors, *words: str
) -> None:
    """`refused` raises this error, in one sentence with these words, and nothing at all has
    changed.
    """
    before, request, entries = game.snapshot(), game.request, list(game.trace.entries)
    with pytest.raises(error) as raised:
        refused()
    message = str(raised.value)
    assert "\n" not in message
    for word in words:
        assert word in message
    assert (game.snapshot(), game.request, game.trace.entries) == (before, request, entries)
