"""The bars of one game of Magic, in this process: a whole turn, starting, snapshot and restore, fork."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import count

from benchmarks.handturn import HandTurn
from benchmarks.hosts import Noting, NullHost
from benchmarks.results import BenchError, Effort, Result
from benchmarks.timing import interleave, middle, ratio
from fsm import rulesets
from fsm.embedding.host import Host, drive
from fsm.engine.controller import TurnController
from fsm.engine.requests import Priority, Request
from fsm.model import Model

RULESET = "magic"
PLAYERS = ("Alice", "Bob")
TURNS = 10
_NUMBERS = count()


def turn(bars: Sequence[str], effort: Effort) -> Iterator[Result]:
    """A whole turn in which all pass, through the controller and by hand; both ask one host the same."""
    model, host = rulesets.load(RULESET), NullHost()
    asked = _check_same(model)
    calls = {"ours": partial(by_controller, model, host, TURNS), "hand": partial(by_hand, host, TURNS)}
    samples = interleave(calls, effort.rounds, effort.seconds)
    ours, reference = (middle(samples, name) / TURNS * 1e6 for name in ("ours", "hand"))
    times = ratio(samples, "ours", "hand")
    entry = f"one whole turn, drive(): {asked / TURNS:g} answers"
    yield Result(bars[0], entry, "us", 3.0, ours, "hand-written turn", reference, times, relative=True)


def by_controller(model: Model, host: Host, turns: int, players: Sequence[str] | None = None) -> None:
    """Play a new game of so many turns through the controller, of players whom nobody has seen before."""
    drive(TurnController(model, players or strangers()), host, until=lambda request: request.at.turn > turns)


def by_hand(host: Host, turns: int, players: Sequence[str] | None = None) -> None:
    """Play a new game of so many turns by the hand-written turn, of such players too."""
    HandTurn(players or strangers(), host).play(turns)


def strangers() -> tuple[str, str]:
    """Two names that no game had before, so that nothing remembered of others helps."""
    number = next(_NUMBERS)
    return f"Ann {number}", f"Ben {number}"


def _check_same(model: Model) -> int:
    """How many requests the turns take. Raises BenchError when the two do not ask the same."""
    ours, theirs = Noting(), Noting()
    by_controller(model, ours, TURNS, PLAYERS)
    by_hand(theirs, TURNS, PLAYERS)
    for number, (a, b) in enumerate(zip(ours.asked, theirs.asked, strict=False), 1):
        if a != b:
            raise BenchError(f"request {number}: the controller makes {a}, the hand-written turn {b}; they must agree")
    counts = len(ours.asked), len(theirs.asked)
    if counts[0] != counts[1]:
        raise BenchError("the controller makes {} requests, the hand-written turn {}; they must agree".format(*counts))
    return counts[0]


def start(bars: Sequence[str], effort: Effort) -> Iterator[Result]:
    """One more game of a ruleset that is built already, as far as its first request."""
    model = rulesets.load(RULESET)
    each = _micro(lambda: TurnController(model, PLAYERS), effort)
    yield Result(bars[0], "TurnController(model, players)", "us", 5.0, each)
    fresh = _micro(lambda: TurnController(model, strangers()), effort)
    yield Result(bars[0], "the same, of players whom no game had before", "us", 5.0, fresh)


def snapshot(bars: Sequence[str], effort: Effort) -> Iterator[Result]:
    """Snapshot and restore in the middle of a turn, without writing and reading the JSON; and the size of that."""
    controller = midway(rulesets.load(RULESET))
    if "snapshot-time" in bars:
        each = _micro(lambda: _there_and_back(controller), effort)
        yield Result("snapshot-time", "restore(model, snapshot())", "us", 50.0, each)
    if "snapshot-size" in bars:
        yield Result("snapshot-size", "snapshot() as compact JSON", "bytes", 2048.0, _size(controller))


def fork(bars: Sequence[str], effort: Effort) -> Iterator[Result]:
    """Fork in the middle of a turn."""
    controller = midway(rulesets.load(RULESET))
    yield Result(bars[0], "controller.fork()", "us", 5.0, _micro(controller.fork, effort))


def midway(model: Model) -> TurnController:
    """A game in its third turn, in which the active player has priority before combat."""
    controller = TurnController(model, PLAYERS)
    drive(controller, NullHost(), until=_before_combat)
    return controller


def _before_combat(request: Request) -> bool:
    return request.at.turn == 3 and request.at.step == "precombat_main" and isinstance(request, Priority)


def _there_and_back(controller: TurnController) -> TurnController:
    return TurnController.restore(controller.model, controller.snapshot())


def _size(controller: TurnController) -> float:
    return float(len(json.dumps(controller.snapshot(), separators=(",", ":")).encode()))


def _micro(call: Callable[[], object], effort: Effort) -> float:
    return middle(interleave({"": call}, effort.rounds, effort.seconds), "") * 1e6
