"""Finds where a game stands and what can happen next, for a picture. Every answer is tried on
copies of the run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from copy import copy
from itertools import islice

from fsm.engine.controller import TurnController
from fsm.engine.requests import Answer, Word
from fsm.engine.semantics import Choices, Fired, Semantics, Told, every_choice
from fsm.errors import FsmError
from fsm.state.orders import Leave, Order, Signal
from fsm.state.run import Run
from fsm.views.overlays import Now

MOST_TRIES = 512
"""How many combinations of facts are tried for one answer."""
MOST_STOPS = 256
"""How many wait points are visited on the way to where the game can go."""
_SEEN = frozenset({"", "action", "window"})
Play = Callable[[Run, "_Told", list[Fired]], None]
"""Plays on with a run, and notes what fires."""


def now_of(game: TurnController) -> Now:
    """Where a game stands, and which transitions of the turn can fire until it has left the step.

    Facts that the answer tells are tried both ways, all others are as they stand. While a window is
    open, it is also tried to close it at once. The game is left as it is.
    """
    return _Looking(game).now()


class _Told(Told):
    """Facts with chosen values, but for those that are latched."""

    def __init__(self, choices: Choices) -> None:
        self._choices = choices

    def __missing__(self, name: str) -> bool:
        return self._choices[name]


class _Looking:
    """Tries what can come after a run, and notes which transitions of the turn then fire."""

    def __init__(self, game: TurnController) -> None:
        self.model, self.players, self.run = game.model, game.players, game.run
        self.semantics: Semantics = game.semantics
        self.open = dict[str, None]()

    def now(self) -> Now:
        """Also through what pictures do not show, and to the end of the step, or whatever else the
        game stands in.
        """
        stops, known = [*self._next()], set[tuple[object, ...]]()
        for run in stops:
            returns = run.phase.returns, run.step.returns
            key = run.state, bool(run.frame), run.latched, returns
            if key not in known and len(known) < MOST_STOPS and self._passed(run):
                known.add(key)
                idle = self._closing if run.frame else self._answering(self._words(run)[-1], ())
                stops += self._tried(run, idle)
        return Now(self.run.state, self.run.frame, tuple(self.open))

    def _next(self) -> Iterator[Run]:
        """The game as each answer leaves it."""
        for word, orders in self._answers():
            yield from self._tried(self.run, self._answering(word, orders))
        if self.run.frame:
            yield from self._tried(self.run, self._closing)

    def _answers(self) -> Iterator[tuple[Word, tuple[Order, ...]]]:
        """Every word that is an answer here, then every signal; a player may leave, whoever still
        plays.
        """
        run, model, words = self.run, self.model, self._words(self.run)
        for word in words:
            yield word, ()
        for event in model.signals if words else ():
            if not model.rows(run.state, event):
                continue
            if event != model.leaving:
                yield words[-1], (Signal(event),)
                continue
            for side in run.living:
                for seat in run.members(side):
                    yield words[-1], (Leave(self.players[seat]),)

    def _words(self, run: Run) -> tuple[Word, ...]:
        """What may be answered here."""
        return self.semantics.waiting(run).words  # type: ignore[return-value]

    def _answering(self, word: Word, orders: tuple[Order, ...]) -> Play:
        def play(run: Run, told: _Told, fired: list[Fired]) -> None:
            facts = {name: told[name] for name in self.semantics.waiting(run).tells}
            answer = Answer(word, facts, orders)
            fired += self.semantics.answer(run, answer, told, self.players)[0]

        return play

    def _closing(self, run: Run, told: _Told, fired: list[Fired]) -> None:
        """Close the window at once."""
        window, tells = self.model.window, self.semantics.waiting(run).tells
        run.latched |= {name for name in tells if told[name]} & self.semantics.latching
        final = [s.id for s in window.states if s.kind == "final"] if window else []
        run.frame = final[0] if final else run.frame
        self.semantics.macrostep(run, told, fired)

    def _passed(self, run: Run) -> bool:
        state = self.model.state(run.state)
        here = state.parent and state.parent == self.model.state(self.run.state).parent
        return bool(self._words(run)) and (bool(here) or state.role not in _SEEN)

    def _tried(self, run: Run, play: Play) -> Iterator[Run]:
        """Yield copies on which it was played, one for each combination of values of the facts that
        are read.
        """
        for choices in islice(every_choice(), MOST_TRIES):
            twin, fired = copy(run), list[Fired]()
            with suppress(FsmError):  # a hole in the model
                play(twin, _Told(choices), fired)
            self.open |= dict.fromkeys(one.row.id for one in fired if one.machine == "turn")
            yield twin
