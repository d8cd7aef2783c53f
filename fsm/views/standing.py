"""Finds where a game stands and what can happen next, for a picture. Every answer is tried on
copies of the run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from copy import copy
from dataclasses import dataclass, field
from itertools import islice

from fsm.engine.controller import TurnController
from fsm.engine.requests import Answer, Word
from fsm.engine.semantics import Choices, Fired, Semantics, Told, every_choice
from fsm.errors import FsmError
from fsm.model import Model, Transition
from fsm.state.orders import Leave, Order, Signal
from fsm.state.run import Run
from fsm.views.overlays import Now
from fsm.wording import blanks, guard_in_brackets, value_words

MOST_TRIES = 512
"""How many combinations of facts are tried for one answer."""
MOST_STOPS = 256
"""How many wait points are visited on the way to where the game can go."""
_SEEN = frozenset({"", "action", "window"})
Play = Callable[[Run, "_Told", list[Fired]], None]
"""Plays on with a run, and notes what fires."""


def now_of(game: TurnController) -> Now:
    """Where a game stands, which transitions can fire from there, and why the others cannot.

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
    """Tries what can come after a run; `seen` comes before anything else is asked, `later` after
    that.
    """

    def __init__(self, game: TurnController) -> None:
        self.model, self.players, self.run = game.model, game.players, game.run
        self.semantics: Semantics = game.semantics
        self.seen, self.later = _Seen(game.model), _Seen(game.model)

    def now(self) -> Now:
        stops = [*self._next()]
        if self.run.frame:
            stops += self._onward(self.run, self.seen)
        self._go_on(stops)
        reached = tuple(t for t in self.later.open if t not in self.seen.open)
        closed = {t: why for t, why in self.later.closed().items() if t not in self.seen.open}
        closed |= {t: why for t, why in self.seen.closed().items() if t not in self.later.open}
        return Now(self.run.state, self.run.frame, tuple(self.seen.open), closed, reached)

    def _next(self) -> Iterator[Run]:
        """The game as each answer leaves it."""
        for word, orders in self._answers():
            for twin, fired in self._tried(self.run, self._answering(word, orders)):
                self.seen.add(_until_closed(fired) if self.run.frame else fired)
                yield twin

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

    def _onward(self, run: Run, seen: _Seen) -> Iterator[Run]:
        """The game as it goes on when nobody acts: what is asked is done, a window closes."""
        play = self._closing if run.frame else self._answering(self._words(run)[-1], ())
        for twin, fired in self._tried(run, play):
            seen.add(one for one in fired if one.machine == "turn")
            yield twin

    def _go_on(self, stops: list[Run]) -> None:
        """Through what pictures do not show, and to the end of the step, or whatever else the game
        stands in.
        """
        known = set[tuple[object, ...]]()
        for run in stops:
            returns = run.phase.returns, run.step.returns
            key = run.state, bool(run.frame), run.latched, returns
            if key not in known and len(known) < MOST_STOPS and self._passed(run):
                known.add(key)
                stops += self._onward(run, self.later)

    def _passed(self, run: Run) -> bool:
        state = self.model.state(run.state)
        here = state.parent and state.parent == self.model.state(self.run.state).parent
        return bool(self._words(run)) and (bool(here) or state.role not in _SEEN)

    def _tried(self, run: Run, play: Play) -> Iterator[tuple[Run, list[Fired]]]:
        """Yield copies on which it was played, one for each combination of values of the facts that
        are read.
        """
        for choices in islice(every_choice(), MOST_TRIES):
            twin, fired = copy(run), list[Fired]()
            with suppress(FsmError):  # a hole in the model
                play(twin, _Told(choices), fired)
            yield twin, fired


def _until_closed(fired: Iterable[Fired]) -> Iterator[Fired]:
    """Without what happens in the next window."""
    left = False
    for one in fired:
        left = left or one.machine == "turn"
        if not left or one.machine == "turn":
            yield one


@dataclass(slots=True)
class _Seen:
    """What fired on copies, and which facts were read there."""

    model: Model
    open: dict[str, None] = field(default_factory=dict)
    fired: dict[tuple[str, str, str], list[Fired]] = field(default_factory=dict)

    def add(self, fired: Iterable[Fired]) -> None:
        """Take in what fired on one copy."""
        for one in fired:
            self.open[one.row.id] = None
            self.fired.setdefault((one.machine, one.source, one.event), []).append(one)

    def closed(self) -> dict[str, str]:
        """The transitions of the same states and events that never fired, each with the reason in
        words.
        """
        found: dict[str, str] = {}
        for (machine, source, event), fired in self.fired.items():
            window = self.model.window if machine == "window" else None
            rows = (window or self.model).rows(source, event)
            for row in rows:
                if row.id not in self.open:
                    reasons = [_reason(row, one, rows) for one in fired]
                    found[row.id] = " or ".join(dict.fromkeys(reasons))
        return found


def _reason(row: Transition, fired: Fired, rows: Sequence[Transition]) -> str:
    """The first fact that stood in the way; else what stands above it and fired."""
    read = dict(fired.guards)
    for term in row.guard:
        if read.get(term.fact, term.value) != term.value:
            return value_words(blanks(term.fact), not term.value)
    first = next(above for above in rows if above.id == fired.row.id)
    return f"{guard_in_brackets(first.guard) or 'another'} comes first"
