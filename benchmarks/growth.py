"""How costs grow with the size of what they are paid for: the exponent of each curve, and its cost
at the largest size.

An exponent is the slope of the costs over the sizes, both as logarithms: 1 means that twice the
size costs twice as much, 0 that the size does not matter. Costs are seconds of the processor.
"""

from __future__ import annotations

import gc
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log
from pathlib import Path
from statistics import linear_regression, median
from tempfile import TemporaryDirectory
from time import process_time

from benchmarks.hosts import NullHost
from benchmarks.processes import python
from benchmarks.results import Effort, Result
from fsm import TurnController, check, drive, load
from fsm.engine.requests import Answer, Request, Word
from fsm.model import Model
from fsm.rulesets import Act, FrameRules, Phase, Step, Table, Window
from fsm.state.orders import Effect

LINEAR, STEADY = 1.25, 0.25
"""Limits of exponents: for what grows with the size, and for what does not."""
STEPS, FEW_STEPS = (15, 100, 400, 1_500), (15, 60)
EFFECTS, FEW_EFFECTS = (1_000, 10_000, 100_000), (100, 1_000)
TURNS, FEW_TURNS = (10, 100, 1_000), (10, 40)
LOGGED, FEW_LOGGED = (100, 400, 1_600), (5, 20)
MOST_CHECKED = 5_000
PLAYERS = ("Alice", "Bob")
_CONFORM = """
import json, os, runpy, sys, time
for log in sys.argv[1:]:
    sys.argv, began = ["fsm", "conform", log], time.process_time()
    try:
        runpy.run_module("fsm", run_name="__main__")
    except SystemExit:
        pass
used = time.process_time() - began
status = open("/proc/self/status").read() if os.path.exists("/proc/self/status") else "VmHWM: 0"
print(json.dumps([used, int(status.split("VmHWM:")[1].split()[0]) / 1024]))
"""


@dataclass(frozen=True, slots=True)
class Curve:
    """Costs by size. `limit` is that of the exponent, `most` that of the cost at the largest size,
    in `unit`.
    """

    bar: str
    what: str
    unit: str
    limit: float
    costs: dict[int, float]
    most: float | None = None

    @property
    def exponent(self) -> float:
        """The slope of the costs over the sizes, as logarithms."""
        sizes = [log(size) for size in self.costs]
        return linear_regression(
            sizes, [log(max(cost, 1e-9)) for cost in self.costs.values()]
        ).slope

    def results(self) -> Iterator[Result]:
        """Yield the exponent, and the cost at the largest size if it has a limit."""
        figures = ", ".join(
            f"{size:,}: {cost:,.3g} {self.unit}" for size, cost in self.costs.items()
        )
        yield Result(self.bar, f"{self.what}; {figures}", "exponent", self.limit, self.exponent)
        if self.most is not None:
            size = max(self.costs)
            yield Result(
                self.bar, f"{self.what}, of {size:,}", self.unit, self.most, self.costs[size]
            )


def growth(bars: Sequence[str], effort: Effort) -> Iterator[Result]:
    """Measure the curves."""
    quick = effort.turns < 20
    for known, curves in CURVES.items():
        if not known.isdisjoint(bars):
            for curve in curves(quick):
                if curve.bar in bars:
                    yield from curve.results()


# models -------------------------------------------------------------------------------------------


def table(steps: int, phases: int | None = None, *, extras: bool = True) -> Table:
    """A table with so many steps, each with an action and a window: eight states for each. A phase
    has five of them.

    With `extras`, effects can add phases and steps: then one state has a transition to each step.
    """
    several = phases or max(1, steps // 5)
    made = (
        Phase(
            f"phase_{p}",
            *(
                Step(f"step_{p}_{n}", Act(f"act_{p}_{n}"), Window())
                for n in range(steps // several)
            ),
        )
        for p in range(several)
    )
    return Table(
        "growing",
        *made,
        rules=FrameRules() if extras else FrameRules(extra_phase="", extra_step=""),
    )


def play_turn(game: TurnController) -> None:
    """Play the first turn. Nothing happens in it."""
    while game.request.at.turn < 2 and not game.over:
        game.answer(quiet(game))


def quiet(game: TurnController, *orders: Effect) -> Answer:
    """Return an answer that does nothing, but for these orders."""
    request = game.request
    assert isinstance(request, Request)
    word: Word = "passed" if "passed" in game.waiting.words else "done"
    return Answer(word, getattr(request.facts, "quiet", {}), orders)


def _models(quick: bool) -> Iterator[Curve]:
    for extras, name in ((False, "model"), (True, "extras")):
        yield from _of_models(quick, extras, name)


def _of_models(quick: bool, extras: bool, name: str) -> Iterator[Curve]:
    first, checked = dict[int, float](), dict[int, float]()
    check(small := table(5).build())  # so that nothing is measured cold
    play_turn(TurnController(small, PLAYERS))
    for steps in FEW_STEPS if quick else STEPS:
        model = table(steps, extras=extras).build()
        states = len(model.states)
        first[states] = _seconds(lambda model=model: play_turn(TurnController(model, PLAYERS)))  # type: ignore[misc]
        if states < MOST_CHECKED:
            checked[states] = _seconds(lambda model=model: check(model))  # type: ignore[misc]
    most = None if quick or extras else 2.0
    what = f"a model with so many states{', with extra phases and steps' * extras}"
    yield Curve(f"growth-{name}-turn", f"the first turn of {what}", "s", LINEAR, first, most)
    yield Curve(f"growth-{name}-check", f"check of {what}", "s", LINEAR, checked, most and 1.0)


# effects ------------------------------------------------------------------------------------------


def _effects(quick: bool) -> Iterator[Curve]:
    given, held, over, one = (
        dict[int, float](),
        dict[int, float](),
        dict[int, float](),
        dict[int, float](),
    )
    in_all = dict[int, float]()
    play_turn(TurnController(load("magic"), PLAYERS))
    for size in FEW_EFFECTS if quick else EFFECTS:
        game = _in_upkeep(load("magic"))
        answer = quiet(game, *(Effect(f"effect {n}", "Alice", "end_of_turn") for n in range(size)))
        given[size] = _seconds(lambda game=game, answer=answer: game.answer(answer))  # type: ignore[misc]
        held[size] = _seconds(lambda game=game: _until(game, "end"))  # type: ignore[misc]
        one[size] = _one_answer(game)
        over[size] = _seconds(lambda game=game: play_turn(game))  # type: ignore[misc]
        in_all[size] = given[size] + held[size] + over[size]
    yield Curve("growth-effects-give", "giving so many effects in one answer", "s", LINEAR, given)
    yield Curve("growth-effects-hold", "a turn while so many effects last", "s", STEADY, held)
    yield Curve("growth-effects-expire", "so many effects end", "s", LINEAR, over)
    yield Curve(
        "growth-effects-all", "so many effects are given, last and end", "s", LINEAR, in_all, 2.0
    )
    yield Curve("growth-calendar", "one answer while so many effects last", "s", STEADY, one)


def _in_upkeep(model: Model) -> TurnController:
    game = TurnController(model, PLAYERS)
    _until(game, "upkeep")
    return game


def _until(game: TurnController, step: str) -> None:
    while game.request.at.step != step:
        game.answer(quiet(game))


def _one_answer(game: TurnController) -> float:
    forks = [game.fork() for _ in range(51)]
    return median(_seconds(lambda fork=fork: fork.answer(quiet(fork))) for fork in forks)  # type: ignore[misc]


# games and logs -----------------------------------------------------------------------------------


def _games(quick: bool) -> Iterator[Curve]:
    forks, snapshots = dict[int, float](), dict[int, float]()
    for turns in FEW_TURNS if quick else TURNS:
        game = TurnController(load("magic"), PLAYERS)
        drive(game, NullHost(), until=lambda request, turns=turns: request.at.turn == turns)  # type: ignore[misc]
        forks[turns] = median(_seconds(game.fork) for _ in range(501))
        snapshots[turns] = median(_seconds(game.snapshot) for _ in range(101))
    yield Curve("growth-game-fork", "fork of a game in this turn", "s", STEADY, forks)
    yield Curve("growth-game-snapshot", "snapshot of a game in this turn", "s", STEADY, snapshots)


def _logs(quick: bool) -> Iterator[Curve]:
    times, memory = dict[int, float](), dict[int, float]()
    with TemporaryDirectory() as folder:
        warm = Path(folder, "warm.log")
        warm.write_text("".join(client_log(2)), encoding="utf-8")
        for turns in FEW_LOGGED if quick else LOGGED:
            path = Path(folder, f"{turns}.log")
            path.write_text("".join(client_log(turns)), encoding="utf-8")
            seconds, size = json.loads(
                python("-c", _CONFORM, str(warm), str(path)).splitlines()[-1]
            )
            times[turns], memory[turns] = seconds, size
    yield Curve(
        "growth-log-time", "fsm conform of a client's log of so many turns", "s", LINEAR, times
    )
    if all(memory.values()):  # not every system tells
        yield Curve(
            "growth-log-memory",
            "the most memory of fsm conform, for so many turns",
            "MB",
            STEADY,
            memory,
        )


STEPS_OF_CLIENT = (
    ("Phase_Beginning", "Step_Upkeep"), ("Phase_Beginning", "Step_Draw"), ("Phase_Main1", ""),
    ("Phase_Combat", "Step_BeginCombat"), ("Phase_Combat", "Step_DeclareAttack"), ("Phase_Combat", "Step_EndCombat"),
    ("Phase_Main2", ""), ("Phase_Ending", "Step_End"),
)  # fmt: skip


def client_log(turns: int) -> Iterator[str]:
    """Yield the lines of a log, as a client writes it, of so many turns without attacks."""
    players = [{"systemSeatNumber": seat, "lifeTotal": 20} for seat in (1, 2)]
    start = {"gameInfo": {"gameNumber": 1, "stage": "GameStage_Start"}, "players": players}
    yield _line({"type": "GameStateType_Full", **start})
    for turn in range(1, turns + 1):
        for phase, step in (
            STEPS_OF_CLIENT[turn == 1 :] if turn > 1 else (STEPS_OF_CLIENT[0], *STEPS_OF_CLIENT[2:])
        ):
            info = {"turnNumber": turn, "activePlayer": 2 - turn % 2, "phase": phase, "step": step}
            yield _line(
                {
                    "type": "GameStateType_Diff",
                    "turnInfo": {key: told for key, told in info.items() if told},
                }
            )


def _line(state: dict[str, object]) -> str:
    told = {"type": "GREMessageType_GameStateMessage", "gameStateMessage": state}
    return json.dumps({"requestId": 1, "greToClientEvent": {"greToClientMessages": [told]}}) + "\n"


def _seconds(call: Callable[[], object]) -> float:
    gc.collect(0)
    began = process_time()
    call()
    return process_time() - began


CURVES: Mapping[frozenset[str], Callable[[bool], Iterator[Curve]]] = {
    frozenset(
        f"growth-{name}-{what}" for name in ("model", "extras") for what in ("turn", "check")
    ): _models,
    frozenset(
        (
            *(f"growth-effects-{what}" for what in ("give", "hold", "expire", "all")),
            "growth-calendar",
        )
    ): _effects,
    frozenset(("growth-game-fork", "growth-game-snapshot")): _games,
    frozenset(("growth-log-time", "growth-log-memory")): _logs,
}
BARS = tuple(sorted(bar for bars in CURVES for bar in bars))
