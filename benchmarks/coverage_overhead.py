"""What collecting costs: time per firing without it, with it, and after it.

    python -m benchmarks.coverage_overhead

Prints a table. Each figure is the best of several rounds, which take turns, of a quiet game of a ruleset and of a
plain machine of the `transitions` library. "to a file" is what the pytest plugin does.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from time import perf_counter

from fsm.coverage.instrumentation import collecting

ROUNDS, TURNS, EVENTS = 7, 20, 6_000


@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds per firing of one thing: without collecting, in memory, to a file, and once collecting is over."""

    what: str
    off: float
    memory: float
    file: float
    after: float


def costs() -> Iterator[Cost]:
    """What it costs of a game, and of a plain machine."""
    for what, run in (("a game of magic", _game), ("a machine of transitions", _machine)):
        run()
        with tempfile.TemporaryDirectory() as folder:
            ways: tuple[Callable[[], AbstractContextManager[object]], ...] = (
                nullcontext, collecting, lambda: collecting(folder), nullcontext,
            )  # fmt: skip
            rounds = [[_timed(way, run) for way in ways] for _ in range(ROUNDS)]
        yield Cost(what, *(min(column) for column in zip(*rounds, strict=True)))


def _timed(way: Callable[[], AbstractContextManager[object]], run: Callable[[], int]) -> float:
    with way():
        begun = perf_counter()
        firings = run()
        return (perf_counter() - begun) / firings


def _game() -> int:
    """Some quiet turns; how many firings they are was counted once."""
    from fsm.engine.answers import quiet_facts
    from fsm.engine.controller import TurnController
    from fsm.engine.requests import Answer, Word
    from fsm.rulesets import load

    model = load("magic")
    quiet = model.kept("quiet facts of overhead", lambda: frozenset(quiet_facts(model)))
    game = TurnController(model, ("A", "B"))
    while game.request.at.turn <= TURNS:
        request = game.request
        inside = request.state != request.at.stage and model.window is not None
        words = (model.window if inside and model.window is not None else model).state(request.state).words
        word: Word = words[-1]  # type: ignore[assignment]
        game.answer(Answer(word, {name: name in quiet for name in request.facts}))
    return int(model.kept("firings of overhead", lambda: len(game.trace.records)))


def _machine() -> int:
    from transitions import Machine

    states = ["solid", "liquid", "gas"]
    machine = Machine(states=states, initial="solid", ordered_transitions=True, auto_transitions=False)
    for _ in range(EVENTS):
        machine.next_state()
    return EVENTS


def main() -> None:
    """Print the table, in microseconds."""
    print(f"{'microseconds a firing':26}{'off':>8}{'memory':>8}{'file':>8}{'after':>8}{'file/off':>10}")
    for cost in costs():
        each = "".join(f"{x * 1e6:8.2f}" for x in (cost.off, cost.memory, cost.file, cost.after))
        print(f"{cost.what:26}{each}{cost.file / cost.off:10.1f}")


if __name__ == "__main__":
    main()
