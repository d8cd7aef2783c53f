"""Makes games for mutants that show only after something has happened very often within a turn.

A model that counts only to a small number is used first, and a game for it is soon found. What this
game does from one count to the next is then repeated as often as the real model counts.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from benchmarks.mutation.distinguishing import DistinguishingSearch
from benchmarks.mutation.mutants import Mutant, mutants, own
from benchmarks.mutation.noticing import Judge
from fsm.analysis.modelchecking.bounds import Bounds, within
from fsm.engine.requests import Answer
from fsm.errors import FsmError
from fsm.model import Model
from fsm.testing.budget import Budget
from fsm.testing.generation.path import Path
from fsm.testing.generation.searchgoal import FAR


def repeated(model: Model, judge: Judge, effort: int, seed: int = 1) -> Iterator[Path]:
    """Yield games for the mutants that a judge has left. At most `effort` answers are tried to find
    what to repeat.
    """
    far = {str(mutant): often for mutant in judge.left if (often := count(model, mutant)) > FAR}
    if not far:
        return
    bounds = Bounds()
    small = within(model, bounds)
    soon = Judge(small, (mutant for mutant in mutants(small) if str(mutant) in far))
    for game, found in DistinguishingSearch(small, soon, Budget(effort), seed).run():
        for path in _loops(model, game, max(far[str(mutant)] for mutant in found) - bounds.tallies):
            if any(str(mutant) in map(str, judge.left) for mutant in found):
                yield path


def count(model: Model, mutant: Mutant) -> int:
    """Return how often something must have happened for a row of this mutant, or 0 if no guard
    counts.
    """
    machine = own(model, mutant.machine)
    tests = [
        machine.fact(t.fact).test
        for id in mutant.rows
        for t in machine.transition(id).guard
        if t.value
    ]
    return max((int(test[2]) for test in tests if test[:1] == ("tallied",)), default=0)


def _loops(model: Model, game: Path, often: int) -> Iterator[Path]:
    """Yield the game with the answers between two counts repeated, beginning with the last two
    counts.
    """
    counted = list(_counted(game))
    for start, end in reversed(list(pairwise(counted))):
        before, loop, after = game.answers[:start], game.answers[start:end], game.answers[end:]
        plain = tuple(replace(answer, orders=()) for answer in loop)
        for again in (plain, loop):  # orders given a thousand times are more than an agenda holds
            yield _played(Path(model, game.start, (*before, *loop, *again * often, *after)))


def _counted(game: Path) -> Iterator[int]:
    """Yield the numbers of answers after which the game counts something."""
    number = 0
    for entry in game.trace.entries:
        if isinstance(entry, Answer):
            number += 1
        elif any(action.startswith("tally(") for action in entry.actions):
            yield number


def _played(path: Path) -> Path:
    """Return the path as far as it can be played. A repeated answer may end the game."""
    controller = path.start.controller(path.model)
    for number, answer in enumerate(path.answers):
        try:
            controller.answer(answer)
        except FsmError:
            return Path(path.model, path.start, path.answers[:number])
    return path
