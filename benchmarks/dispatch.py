"""The dispatch bars: one event on our Machine against hand-written code and the peers, all on one
graph.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from benchmarks.engines import HAND, OURS, PEERS, Engine
from benchmarks.graph import STATES, Facts, facts, play
from benchmarks.results import BenchError, Bound, Effort, Result
from benchmarks.timing import Samples, interleave, middle, ratio

LIMITS: dict[str, tuple[Bound, float]] = {
    HAND.id: ("at most", 2.0),
    **dict.fromkeys((peer.id for peer in PEERS), ("at least", 1.0)),
    "flat": ("at least", 22.0),
    "hierarchical": ("at least", 130.0),
}
"""A peer for which no bar was set is to be no faster than we are."""

REFERENCES = {f"dispatch-{engine.id}": engine for engine in (HAND, *PEERS)}


def dispatch(bars: Sequence[str], effort: Effort) -> Iterator[Result]:
    """Measure these bars, together in one series of rounds."""
    references, turns = [REFERENCES[bar] for bar in bars], facts(effort.turns)
    wrong = unusable((HAND, *OURS, *references), turns)
    usable = {engine.id: engine for engine in (HAND, *OURS, *references) if engine.id not in wrong}
    players = {name: _player(engine, turns) for name, engine in usable.items()}
    samples = interleave(players, effort.rounds, effort.seconds)
    events = sum(turn.events for turn in turns)
    for bar, reference in zip(bars, references, strict=True):
        for ours in OURS:
            yield _result(bar, ours, reference, samples, events, wrong.get(reference.id, ""))


def visits(engine: Engine, turns: Sequence[Facts]) -> list[int]:
    """How often each state was entered, once the engine has played these turns."""
    game, advance = engine.build()
    play(game, advance, turns)
    return game.visits


def unusable(engines: Iterable[Engine], turns: Sequence[Facts]) -> dict[str, str]:
    """Why some of these cannot be compared: they are absent, or a new version plays other turns.

    Raises BenchError when it is one of ours that plays other turns than the hand-written code.
    """
    right, wrong = visits(HAND, turns), {}
    for engine in engines:
        why = engine.absent or _differs(engine, turns, right)
        if why and engine in OURS:
            raise BenchError(f"{engine.title}: {why}; there is no use in timing it")
        if why:
            wrong[engine.id] = why
    return wrong


def _differs(engine: Engine, turns: Sequence[Facts], right: Sequence[int]) -> str:
    try:
        found = visits(engine, turns)
    except Exception as error:  # whatever a version of someone else's library may raise
        return f"{engine.label} does not run the graph: {type(error).__name__}: {error}"
    for state, ours, theirs in zip(STATES, right, found, strict=True):
        if ours != theirs:
            return (
                f"{engine.label} entered {state} {theirs} times, the hand-written code {ours} times"
            )
    return ""


def _player(engine: Engine, turns: Sequence[Facts]) -> partial[None]:
    game, advance = engine.build()
    return partial(play, game, advance, turns)


def _result(
    bar: str, ours: Engine, reference: Engine, samples: Samples, events: int, why: str
) -> Result:
    bound, limit = LIMITS[reference.id]
    each = _each(samples, ours, events)
    found = Result(
        bar, ours.title, "ns", limit, each, reference.label, bound=bound, relative=True, note=why
    )
    if why:
        return found
    slower, faster = (ours.id, reference.id) if bound == "at most" else (reference.id, ours.id)
    return replace(
        found, reference=_each(samples, reference, events), ratio=ratio(samples, slower, faster)
    )


def _each(samples: Samples, engine: Engine, events: int) -> float:
    return middle(samples, engine.id) / events * 1e9
