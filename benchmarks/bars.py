"""The bars: each makes its rows."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import tracemalloc
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import count
from pathlib import Path
from statistics import median
from typing import Any

import fsm
from benchmarks.graph import Live, by_hand, facts, play
from benchmarks.handturn import HandTurn
from benchmarks.peers import LIBRARY, flat, frozen
from benchmarks.timing import BenchError, Effort, Row, Samples, interleave, ratio, seconds
from fsm import Answer, TurnController
from fsm.coverage import collecting
from fsm.hosts import saving
from fsm.rulesets import Act, Phase, Step, Table, Window

TURNS, ANSWERS = 10, 2_000
_TOLD = {"attackers_declared": False, "first_strike_in_combat": False}
_SETTLED = {"sba_performed": False, "triggers_waiting": False}
GIVEN = {
    "Perform": Answer("done", _TOLD),
    "Priority": Answer("passed", {"stack_empty": True}),
    "CheckState": Answer("done", _SETTLED),
}
_NUMBERS = count()


class Quiet(fsm.BaseHost):
    """Nobody does anything."""

    def on_perform(self, request: fsm.Perform) -> Answer:
        return GIVEN["Perform"]

    def on_check_state(self, request: fsm.CheckState) -> Answer:
        return GIVEN["CheckState"]

    def on_priority(self, request: fsm.Priority) -> Answer:
        return GIVEN["Priority"]


def game(*, trace: bool = False) -> TurnController:
    """A new game of Magic, of players whom no game had before."""
    number = next(_NUMBERS)
    return TurnController(MAGIC, (f"Ann {number}", f"Ben {number}"), trace=trace)


def answered(playing: TurnController, answers: int = ANSWERS) -> TurnController:
    """Answer so many requests of a game: nothing happens."""
    request = playing.request
    for _ in range(answers):
        request = playing.answer(GIVEN[request.__class__.__name__])
    return playing


MAGIC = fsm.load("magic")


def beside(bar: str, unit: str, limits: Mapping[str, float], samples: Samples) -> Iterator[Row]:
    """A row for each of these contenders: the last one of the samples is the reference."""
    reference = list(samples)[-1]
    factor = {"ns": 1e9, "us": 1e6}[unit]
    for name, limit in limits.items():
        found, theirs = (median(samples[each]) * factor for each in (name, reference))
        times = ratio(samples, name, reference)
        yield Row(bar, name, unit, limit, found, reference, theirs, times)


def turn(effort: Effort) -> Iterator[Row]:
    """A whole turn in which all pass: by `drive`, and by a plain loop."""
    asked: dict[str, list[object]] = {"ours": [], "by hand": []}

    def noting(side: str, request: Any) -> Answer:
        kind, at = type(request).__name__, request.at
        action, by = getattr(request, "action", ""), getattr(request, "by", ())
        asked[side].append((kind, at.turn, at.step, at.stage, action, by))
        return GIVEN[kind]

    by_controller = TurnController(MAGIC, ("Ann", "Ben"))
    while by_controller.request.at.turn <= TURNS:
        by_controller.answer(noting("ours", by_controller.request))
    HandTurn(("Ann", "Ben"), partial(noting, "by hand")).play(TURNS)
    if asked["ours"] != asked["by hand"]:
        raise BenchError("the controller and the hand-written turn do not ask the same")

    def drive() -> None:
        fsm.drive(game(), Quiet(), until=lambda request: request.at.turn > TURNS)

    def ask(request: object) -> Answer:
        return GIVEN[request.__class__.__name__]

    calls = {
        "ten turns, by drive": drive,
        "ten turns, by a loop": lambda: answered(game(), len(asked["ours"])),
        "written by hand": lambda: HandTurn(("Ann", "Ben"), ask).play(TURNS),
    }
    limits = {"ten turns, by drive": 0.9, "ten turns, by a loop": 0.6}
    yield from beside("turn", "us", limits, interleave(calls, effort))


def effect(effort: Effort) -> Iterator[Row]:
    """Answers while an effect lasts."""
    lasting = game()
    lasting.answer(Answer("done", _TOLD, (fsm.StandingTrigger("watch", "upkeep"),)))
    calls = {
        "answers with an effect in force": lambda: answered(lasting.fork()),
        "without": lambda: answered(game()),
    }
    samples = interleave(calls, effort)
    yield from beside("effect", "us", {"answers with an effect in force": 4.0}, samples)


def dispatch(effort: Effort) -> Iterator[Row]:
    """One event on a machine of thirteen states, with guards and callbacks."""
    turns = facts(40)
    events = sum(each.events for each in turns)
    engines: dict[str, Callable[[], Live]] = {"frozen": frozen, "if/elif": by_hand}
    engines |= {name: build for name, (build, _) in LIBRARY.items()}
    for name, build in engines.items():
        if _visits(build) != _visits(by_hand):
            raise BenchError(f"{name} does not enter the states that the hand-written code enters")
    samples = interleave(
        {n: partial(play, *build(), turns) for n, build in engines.items()}, effort
    )
    each = {name: median(samples[name]) / events * 1e9 for name in engines}
    what, ours = "a frozen machine's trigger", each["frozen"]
    times = ratio(samples, "frozen", "if/elif")
    yield Row("dispatch", what, "ns", 2.0, ours, "if/elif", each["if/elif"], times)
    for name, (_, limit) in LIBRARY.items():
        times = ratio(samples, name, "frozen")
        yield Row("dispatch", what, "ns", limit, ours, name, each[name], times, faster=True)


def _visits(build: Callable[[], Live]) -> list[int]:
    """How often each state is entered in some turns."""
    playing, advance = build()
    play(playing, advance, facts(40))
    return playing.visits


class Bare:
    """An object of as many fields as a controller has, and nothing else."""

    __slots__ = tuple(f"field{number}" for number in range(11))

    def __init__(self) -> None:
        self.field0 = self.field1 = self.field2 = self.field3 = self.field4 = self.field5 = None
        self.field6 = self.field7 = self.field8 = self.field9 = self.field10 = None


def memory(effort: Effort) -> Iterator[Row]:
    """What a live game takes; what a fork and a start cost beside a bare object."""
    games = [answered(game(), 30) for _ in range(10)]
    tracemalloc.start()
    games += [answered(game(), 30) for _ in range(round(1_000 * effort.scale))]
    size = tracemalloc.get_traced_memory()[0] / (len(games) - 10)
    tracemalloc.stop()
    yield Row("memory", "a live game", "bytes", 1024.0, size)
    calls: dict[str, Callable[[], object]] = {
        "a fork": games[0].fork,
        "a start": game,
        "bare": Bare,
    }
    yield from beside("memory", "us", {"a fork": 4.0, "a start": 20.0}, interleave(calls, effort))


def recorded(effort: Effort) -> Iterator[Row]:
    """Answers whose records are read, and coverage of games and machines."""
    with tempfile.TemporaryDirectory() as folder:

        def covered(call: Callable[[], object]) -> None:
            with collecting(folder):
                call()

        calls: dict[str, Callable[[], object]] = {
            "answers with records read": lambda: answered(game(trace=True)).trace,
            "coverage of a game": lambda: covered(lambda: answered(game())),
            "without": lambda: answered(game()),
        }
        limits = {"answers with records read": 5.0, "coverage of a game": 6.0}
        yield from beside("recorded", "us", limits, interleave(calls, effort))
        fired: dict[str, Callable[[], object]] = {
            "coverage of a machine": lambda: covered(lambda: play(*flat(), facts(40))),
            "without": lambda: play(*flat(), facts(40)),
        }
        samples = interleave(fired, effort)
        yield from beside("recorded", "us", {"coverage of a machine": 1.6}, samples)


def table(steps: int) -> Table:
    """A table with so many steps: eight states each."""
    phases = max(1, steps // 5)
    return Table(
        "growing",
        *(
            Phase(
                f"phase_{p}", *(Step(f"s_{p}_{n}", Act(f"a_{p}_{n}"), Window()) for n in range(5))
            )
            for p in range(phases)
        ),
    )


def size(effort: Effort) -> Iterator[Row]:
    """Large models and many effects."""
    model = table(round(400 * effort.scale)).build()
    states = f"{len(model.states):,} states"
    first = TurnController(model, ("Ann", "Ben"))
    spent = seconds(
        lambda: fsm.drive(first, fsm.BaseHost(), until=lambda asked: asked.at.turn == 2)
    )
    yield Row("size", f"first turn of {states}", "s", 2.0, spent)
    yield Row("size", f"check of {states}", "s", 3.0, seconds(lambda: fsm.check(model)))
    many = [fsm.Effect(f"effect {n}", "Ann", "end_of_turn") for n in range(2_000)]
    playing = TurnController(MAGIC, ("Ann", "Ben"))

    def lasting() -> None:
        playing.answer(Answer("done", _TOLD, tuple(many)))
        fsm.drive(playing, Quiet(), until=lambda asked: asked.at.turn == 2)

    yield Row("size", "a turn with 2,000 effects", "s", 2.0, seconds(lasting))


def conforming(effort: Effort) -> Iterator[Row]:
    """A client's log, followed by the command; a short log is subtracted."""
    with tempfile.TemporaryDirectory() as folder:
        spent, sizes = list[float](), list[int]()
        for turns in (2, round(2_000 * effort.scale)):
            log = Path(folder, f"{turns}.log")
            log.write_text("".join(client_log(turns)), "utf-8")
            spent.append(_process(folder, "-m", "fsm", "conform", log.name))
            sizes.append(log.stat().st_size)
    speed = (sizes[1] - sizes[0]) / 1e6 / (spent[1] - spent[0])
    yield Row("conform", "a client's log", "MB/s", 2.0, speed, faster=True)


STEPS_OF_CLIENT = (
    "Phase_Beginning Step_Untap", "Phase_Beginning Step_Upkeep", "Phase_Beginning Step_Draw",
    "Phase_Main1 ", "Phase_Combat Step_BeginCombat", "Phase_Combat Step_DeclareAttack",
    "Phase_Combat Step_EndCombat", "Phase_Main2 ", "Phase_Ending Step_End",
    "Phase_Ending Step_Cleanup",
)  # fmt: skip


def client_log(turns: int) -> Iterator[str]:
    """Yield the lines of a log, as a client writes it, of so many turns without attacks."""
    players = [{"systemSeatNumber": seat, "lifeTotal": 20} for seat in (1, 2)]
    start = {"gameInfo": {"gameNumber": 1, "stage": "GameStage_Start"}, "players": players}
    yield _line({"type": "GameStateType_Full", **start})
    for number in range(1, turns + 1):
        for phase, step in (words.split(" ") for words in STEPS_OF_CLIENT):
            info = {"turnNumber": number, "activePlayer": 2 - number % 2, "phase": phase}
            info |= {"step": step} if step else {}
            if number > 1 or step != "Step_Draw":
                yield _line({"type": "GameStateType_Diff", "turnInfo": info})


def _line(state: dict[str, object]) -> str:
    told = {"type": "GREMessageType_GameStateMessage", "gameStateMessage": state}
    return json.dumps({"requestId": 1, "greToClientEvent": {"greToClientMessages": [told]}}) + "\n"


def saved(effort: Effort) -> Iterator[Row]:
    """Answers that are saved one by one, at the beginning of a game and when it is long."""
    answers = round(2_000 * effort.scale)
    with tempfile.TemporaryDirectory() as folder:
        playing, file = game(), Path(folder, "game.jsonl")
        with saving(playing, file):
            first = seconds(lambda: answered(playing, answers))
            answered(playing, 8 * answers)
            last = seconds(lambda: answered(playing, answers))
    yield Row("saved", "saved answers", "a second", 2_000.0, answers / first, faster=True)
    yield Row("saved", "after ten thousand", "a second", 2_000.0, answers / last, faster=True)


RING = """
from transitions import Machine
STATES = [f"s{n}" for n in range(40)]
machine = Machine(states=STATES, initial="s0", ordered_transitions=True, auto_transitions=False)
def test_it(): [machine.next_state() for _ in range(40)]
"""
COMMANDS = {
    "fsm check --prove, four rulesets": (
        "check magic magic-2010 magic-classic grand-archive --prove",
        None,
    ),
    "fsm paths magic": ("paths magic --format pytest -o test_magic.py", 8.0),
    "fsm check --prove of a ten-line game": ("check small.py:GAME --prove", 5.0),
    "fsm draw magic": ("draw magic -o magic.svg", 0.5),
}
SMALL = """
from fsm.rulesets import Act, Phase, Step, Table
GAME = Table(
    "small",
    Phase("draw", Step("draw", Act("draw_card"))),
    Phase("main", Step("main", Act("play_cards"))),
    Phase("end", Step("end", Act("discard"))),
)
"""


def commands(effort: Effort) -> Iterator[Row]:
    """Whole commands: seconds of the processor."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "small.py").write_text(SMALL, "utf-8")
        bare = median(_process(folder, "-c", "pass") for _ in range(effort.rounds))
        with_fsm = median(_process(folder, "-c", "import fsm") for _ in range(effort.rounds))
        yield Row("commands", "import fsm, beyond bare Python", "s", 0.05, with_fsm - bare)
        Path(folder, "test_ring.py").write_text(RING, "utf-8")
        test = ("-m", "pytest", "-q", "-p", "no:cacheprovider", "test_ring.py")
        plain = _process(folder, *test)
        reported = _process(folder, *test, "--fsm-cov", "--fsm-cov-report=html")
        what = "coverage report of 40 states as a page, beyond the tests"
        yield Row("commands", what, "s", 3.0, reported - plain)
        for what, (words, limit) in COMMANDS.items():
            slow = words.endswith("--prove") or "paths" in words
            spent = None
            if effort.scale == 1.0 or not slow:
                rounds = 1 if slow else effort.rounds
                command = ("-m", "fsm", *words.split())
                spent = median(_process(folder, *command) for _ in range(rounds))
            yield Row("commands", what, "s", limit, spent)


def _process(folder: str, *arguments: str) -> float:
    """Return the seconds of the processor that Python takes, with modules that are compiled."""
    before = os.times()
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    words = [sys.executable, *arguments]
    done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, timeout=1200)
    if done.returncode:
        raise BenchError(f"{' '.join(arguments)} failed: {done.stderr.decode()[-300:]}")
    after = os.times()
    return (
        after.children_user - before.children_user + after.children_system - before.children_system
    )


BARS: dict[str, Callable[[Effort], Iterator[Row]]] = {
    "turn": turn,
    "effect": effect,
    "dispatch": dispatch,
    "memory": memory,
    "recorded": recorded,
    "size": size,
    "conform": conforming,
    "saved": saved,
    "commands": commands,
}
