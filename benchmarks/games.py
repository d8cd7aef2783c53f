"""The bars of one game of Magic, in this process: a whole turn, starting, snapshot and restore,
tokens, fork.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import count

from benchmarks.handturn import QUICK, SLOW, HandTurn, Maker
from benchmarks.hosts import Noting, NullHost
from benchmarks.results import BenchError, Effort, Result
from benchmarks.timing import interleave, middle, ratio
from fsm import rulesets
from fsm.embedding.host import BaseHost, drive
from fsm.engine.controller import TurnController
from fsm.engine.requests import Answer, Priority, Request
from fsm.model import Model
from fsm.stateless import answer, answer_many

RULESET = "magic"
PLAYERS = ("Alice", "Bob")
TURNS = 10
LATE = 1_000
_NUMBERS = count()


def turn(bars: Sequence[str], effort: Effort) -> Iterator[Result]:
    """A whole turn in which all pass, through the controller and by hand; all ask one host the
    same.
    """
    model, host = rulesets.load(RULESET), NullHost()
    asked = _check_same(model)
    calls = {
        "ours": partial(by_controller, model, host, TURNS),
        "slow": partial(by_hand, host, TURNS, makers=SLOW),
        "quick": partial(by_hand, host, TURNS),
    }
    samples = interleave(calls, effort.rounds, effort.seconds)
    entry = f"one whole turn, drive(): {asked / TURNS:g} answers"
    against = {"slow": ("frozen dataclasses", 0.8), "quick": ("constructors as fast as ours", 1.8)}
    for name, (makers, limit) in against.items():
        ours, reference = (middle(samples, side) / TURNS * 1e6 for side in ("ours", name))
        times = ratio(samples, "ours", name)
        yield Result(
            bars[0],
            entry,
            "us",
            limit,
            ours,
            f"hand-written, {makers}",
            reference,
            times,
            relative=True,
        )


def by_controller(
    model: Model, host: BaseHost, turns: int, players: Sequence[str] | None = None
) -> None:
    """Play a new game of so many turns through the controller, of players whom nobody has seen
    before.
    """
    drive(
        TurnController(model, players or strangers()),
        host,
        until=lambda request: request.at.turn > turns,
    )


def by_hand(
    host: NullHost,
    turns: int,
    players: Sequence[str] | None = None,
    makers: tuple[Maker, ...] = QUICK,
) -> None:
    """Play a new game of so many turns by the hand-written turn, of such players too."""
    HandTurn(players or strangers(), host, makers).play(turns)


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
            raise BenchError(
                f"request {number}: the controller makes {a}, the hand-written turn {b}; they must agree"
            )
    counts = len(ours.asked), len(theirs.asked)
    if counts[0] != counts[1]:
        raise BenchError(
            "the controller makes {} requests, the hand-written turn {}; they must agree".format(
                *counts
            )
        )
    return counts[0]


def start(bars: Sequence[str], effort: Effort) -> Iterator[Result]:
    """One more game of a ruleset that is built already, as far as its first request."""
    model = rulesets.load(RULESET)
    yield _beside_bare(
        bars[0],
        "TurnController(model, players)",
        10.0,
        lambda: TurnController(model, PLAYERS),
        effort,
    )
    entry = "the same, of players whom no game had before"
    yield _beside_bare(bars[0], entry, 10.0, lambda: TurnController(model, strangers()), effort)


def snapshot(bars: Sequence[str], effort: Effort) -> Iterator[Result]:
    """Snapshot and restore in the middle of a turn, without writing and reading the JSON; and the
    size of that.
    """
    controller = midway(rulesets.load(RULESET))
    if "snapshot-time" in bars:
        each = _micro(lambda: _there_and_back(controller), effort)
        yield Result("snapshot-time", "restore(model, snapshot())", "us", 50.0, each)
    if "snapshot-size" in bars:
        yield Result(
            "snapshot-size", "snapshot() as compact JSON", "bytes", 2048.0, _size(controller)
        )


def stateless(bars: Sequence[str], effort: Effort) -> Iterator[Result]:
    """A request of a server that keeps nothing but tokens, at every request of quiet games; and the
    longest token.
    """
    model = rulesets.load(RULESET)
    asked = [*_quiet(model)]
    if "stateless-size" in bars:
        longest = float(max(len(token) for token, _ in asked))
        yield Result(
            "stateless-size", f"the longest token() in {TURNS} quiet turns", "bytes", 120.0, longest
        )
    if "stateless-time" in bars:
        saved = [TurnController.restore(model, token).snapshot() for token, _ in asked]
        calls: dict[str, Callable[[], object]] = {
            "answer": lambda: [answer(model, token, given) for token, given in asked],
            "answer_many": lambda: answer_many(model, asked),
            "json": lambda: [json.dumps(data, separators=(",", ":")) for data in saved],
        }
        samples = interleave(calls, effort.rounds, effort.seconds)
        for name in ("answer", "answer_many"):
            ours, reference = (middle(samples, each) / len(asked) * 1e6 for each in (name, "json"))
            entry, times, against = (
                f"{name}(), a request",
                ratio(samples, name, "json"),
                "json.dumps of the snapshot",
            )
            yield Result(
                "stateless-time", entry, "us", 0.8, ours, against, reference, times, relative=True
            )


def _quiet(model: Model) -> Iterator[tuple[str, Answer]]:
    """The token and the quiet answer at each request of a game in which all pass."""
    controller = TurnController(model, ("Ann", "Ben"))
    for request in controller:
        if request.at.turn > TURNS:
            return
        yield controller.token(), request.quiet()
        controller.answer(request.quiet())


def fork(bars: Sequence[str], effort: Effort) -> Iterator[Result]:
    """Fork in the middle of a turn, early in a game and late in one."""
    model = rulesets.load(RULESET)
    yield _beside_bare(bars[0], "controller.fork()", 5.0, midway(model).fork, effort)
    late = TurnController(model, PLAYERS)
    drive(late, NullHost(), until=lambda request: request.at.turn == LATE)
    yield _beside_bare(bars[0], f"the same, in turn {LATE:,}", 5.0, late.fork, effort)


class Bare:
    """An object of as many fields as a controller has, and nothing else."""

    __slots__ = tuple(f"field{number}" for number in range(11))

    def __init__(self) -> None:
        self.field0 = self.field1 = self.field2 = self.field3 = self.field4 = self.field5 = None
        self.field6 = self.field7 = self.field8 = self.field9 = self.field10 = None


def _beside_bare(
    bar: str, entry: str, limit: float, call: Callable[[], object], effort: Effort
) -> Result:
    """How long a call takes, in times of building a bare object."""
    samples = interleave({"ours": call, "bare": Bare}, effort.rounds, effort.seconds)
    ours, bare = (middle(samples, name) * 1e6 for name in ("ours", "bare"))
    return Result(
        bar,
        entry,
        "us",
        limit,
        ours,
        "a bare object",
        bare,
        ratio(samples, "ours", "bare"),
        relative=True,
    )


def midway(model: Model) -> TurnController:
    """A game in its third turn, in which the active player has priority before combat."""
    controller = TurnController(model, PLAYERS)
    drive(controller, NullHost(), until=_before_combat)
    return controller


def _before_combat(request: Request) -> bool:
    return (
        request.at.turn == 3
        and request.at.step == "precombat_main"
        and isinstance(request, Priority)
    )


def _there_and_back(controller: TurnController) -> TurnController:
    return TurnController.restore(controller.model, controller.snapshot())


def _size(controller: TurnController) -> float:
    return float(len(json.dumps(controller.snapshot(), separators=(",", ":")).encode()))


def _micro(call: Callable[[], object], effort: Effort) -> float:
    return middle(interleave({"": call}, effort.rounds, effort.seconds), "") * 1e6
