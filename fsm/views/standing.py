"""Finds where a game stands and what can happen next, for a picture. Every answer is tried on
copies of the run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice

from fsm.engine.answers import latches, take_facts
from fsm.engine.controller import TurnController
from fsm.engine.records import record_of
from fsm.engine.requests import Answer, Signal, Word
from fsm.engine.semantics import Fired, Note, Read, Semantics, every_choice, semantics_of, waiting
from fsm.engine.snapshot import load
from fsm.engine.trace import Record
from fsm.errors import FsmError
from fsm.model import Fact, Model, Transition
from fsm.state.run import Run
from fsm.views.drawing.options import Now
from fsm.wording import blanks, guard_in_brackets, value_words

MOST_TRIES = 512
"""How many combinations of facts are tried for one answer."""
MOST_STOPS = 256
"""How many wait points are visited on the way to where the game can go."""
_SEEN = frozenset({"", "action", "window"})
Play = Callable[[Run, Mapping[str, bool], Read, Note], None]
"""Plays on with a run. The facts are those that the answer must tell; all others are read."""


def now_of(controller: TurnController) -> Now:
    """Where a game stands, which transitions can fire from there, and why the others cannot.

    Facts that the answer tells are tried both ways, all others are as they stand. While a window is
    open, it is also tried to close it at once. The game is left as it is.
    """
    run, _ = load(controller.model, controller.snapshot())
    return _Looking(controller.model, run).now()


class _Looking:
    """Tries what can come after a run; `seen` comes before anything else is asked, `later` after
    that.
    """

    def __init__(self, model: Model, run: Run) -> None:
        self.model, self.run = model, run
        self.semantics = semantics_of(model)
        self.seen, self.later = _Seen(model), _Seen(model)

    def now(self) -> Now:
        stops = (
            [*self._next(), *self._onward(self.run, self.seen)]
            if self.run.frame
            else [*self._next()]
        )
        self._go_on(stops)
        reached = tuple(t for t in self.later.open if t not in self.seen.open)
        closed = {t: why for t, why in self.later.closed().items() if t not in self.seen.open}
        closed |= {t: why for t, why in self.seen.closed().items() if t not in self.later.open}
        return Now(self.run.state, self.run.frame, tuple(self.seen.open), closed, reached)

    def _next(self) -> Iterator[Run]:
        """The game as each answer leaves it."""
        for word, signal in _answers(self.run):
            for copy, records in self._tried(self.run, _answering(self.semantics, word, signal)):
                self.seen.add(_until_closed(records) if self.run.frame else records)
                yield copy

    def _onward(self, run: Run, seen: _Seen) -> Iterator[Run]:
        """The game as it goes on when nobody does anything: what is asked is done, a window closes."""
        play = (
            _closing(self.semantics)
            if run.frame
            else _answering(self.semantics, _words(run)[-1], None)
        )
        for copy, records in self._tried(run, play):
            seen.add(record for record in records if record.machine == "turn")
            yield copy

    def _go_on(self, stops: list[Run]) -> None:
        """Through what pictures do not show, and to the end of the step, or whatever else the game
        stands in.
        """
        known = set[tuple[object, ...]]()
        for copy in stops:
            key = (
                copy.state,
                bool(copy.frame),
                copy.latched,
                copy.agenda.returns_phase,
                copy.agenda.returns_step,
            )
            if key not in known and len(known) < MOST_STOPS and self._passed(copy):
                known.add(key)
                stops += self._onward(copy, self.later)

    def _passed(self, run: Run) -> bool:
        state = self.model.state(run.state)
        here = state.parent and state.parent == self.model.state(self.run.state).parent
        return bool(waiting(run).words) and (bool(here) or state.role not in _SEEN)

    def _tried(self, run: Run, play: Play) -> Iterator[tuple[Run, list[Record]]]:
        """Yield copies on which it was played, one for each combination of values of the facts that
        are read.
        """
        for choices in islice(every_choice(dict[str, bool]()), MOST_TRIES):
            copy, records = run.copy(), list[Record]()

            def read(copy: Run, fact: Fact, choose: Callable[[str], bool] = choices.choose) -> bool:
                return fact.name in copy.latched if fact.timing == "latched" else choose(fact.name)

            def note(fired: Fired, copy: Run = copy, records: list[Record] = records) -> None:
                records.append(record_of(copy, fired))

            with suppress(FsmError):  # a hole in the model: what fired before it counts
                play(copy, {name: choices.choose(name) for name in waiting(run).tells}, read, note)
            yield copy, records


def _answers(run: Run) -> Iterator[tuple[Word, Signal | None]]:
    """Every word that is an answer here, then every signal; a player may leave, whoever still
    plays.
    """
    words = _words(run)
    yield from ((word, None) for word in words)
    for event in run.model.signals if words else ():
        if run.model.rows(run.state, event):
            players = [p for side in run.agenda.living for p in run.agenda.members(side)]
            yield from (
                (words[-1], Signal(event, p))
                for p in (players if event == run.model.leaving else [""])
            )


def _words(run: Run) -> tuple[Word, ...]:
    """What may be answered here."""
    return waiting(run).words  # type: ignore[return-value]


def _answering(semantics: Semantics, word: Word, signal: Signal | None) -> Play:
    def play(run: Run, facts: Mapping[str, bool], read: Read, note: Note) -> None:
        semantics.answer(run, Answer(word, facts, signal=signal), read, note)

    return play


def _closing(semantics: Semantics) -> Play:
    def play(run: Run, facts: Mapping[str, bool], read: Read, note: Note) -> None:
        window = semantics.model.window
        take_facts(run, facts, latches(facts, semantics.latched))
        run.frame = (
            next((s.id for s in window.states if s.kind == "final"), run.frame) if window else ""
        )
        semantics.macrostep(run, read, note)

    return play


def _until_closed(records: Iterable[Record]) -> Iterator[Record]:
    """Without what happens in the next window."""
    left = False
    for record in records:
        left = left or record.machine == "turn"
        if not left or record.machine == "turn":
            yield record


@dataclass(slots=True)
class _Seen:
    """What fired on copies, and which facts were read there."""

    model: Model
    open: dict[str, None] = field(default_factory=dict)
    fired: dict[tuple[str, str, str], list[Record]] = field(default_factory=dict)

    def add(self, records: Iterable[Record]) -> None:
        """Take in what fired on one copy."""
        for record in records:
            self.open[record.transition] = None
            self.fired.setdefault((record.machine, record.source, record.event), []).append(record)

    def closed(self) -> dict[str, str]:
        """The transitions of the same states and events that never fired, each with the reason in
        words.
        """
        found: dict[str, str] = {}
        for (machine, source, event), records in self.fired.items():
            model = (
                self.model if machine == "turn" or self.model.window is None else self.model.window
            )
            rows = model.rows(source, event)
            for row in rows:
                if row.id not in self.open:
                    found[row.id] = " or ".join(
                        dict.fromkeys(_reason(row, record, rows) for record in records)
                    )
        return found


def _reason(row: Transition, record: Record, rows: Sequence[Transition]) -> str:
    """The first fact that stood in the way; else what stands above it and fired."""
    read = dict(record.guards)
    for term in row.guard:
        if read.get(term.fact, term.value) != term.value:
            return value_words(blanks(term.fact), not term.value)
    first = next(above for above in rows if above.id == record.transition)
    return f"{guard_in_brackets(first.guard) or 'another'} comes first"
