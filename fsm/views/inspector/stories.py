"""The story of a game: what the page can show of it, after each of its answers.

Where a game stands is a value, so a story is a list of such values. The program's thread adds to
it; the threads of the server read it, one at a time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from threading import RLock
from time import monotonic
from typing import NamedTuple

from fsm.engine.controller import Standing as Stand
from fsm.engine.controller import TurnController
from fsm.engine.possible import Option, request_words
from fsm.engine.records import Record, records_of
from fsm.engine.replay import begin_again
from fsm.engine.requests import Answer, Over, Request
from fsm.engine.semantics import Fired
from fsm.engine.trace import GameHeader, Trace
from fsm.engine.watching import Answered, Watching
from fsm.hosts.history import Game, History
from fsm.model import Model, Term
from fsm.model.model import per_model
from fsm.views.inspector.words import Terms, agenda_terms, asked, calendar_terms, uncited
from fsm.views.overlays import Now
from fsm.views.standing import now_of
from fsm.wording import blanks, few, label_of, plain, plain_words, upper_first

RECENT, FACTS = 40, 8
"""The conditions of so many answers are looked at, and so many of them are shown."""
MOST = 10_000
"""Of a game that goes on, at most so many answers are kept: then the older half is forgotten."""
WAITS = 10.0
"""After so many seconds without an answer, the list says how long the game has waited."""


class Row(NamedTuple):
    """One answer in the list: its number, who gave it, what it was, what came of it, and the rule."""

    number: int
    who: str
    answer: str
    came: str
    rule: str = ""


class Possible(NamedTuple):
    """What can happen now: in words, where it leads, the rule, and the word of the answer if it is
    one.
    """

    text: str
    leads_to: str
    rule: str = ""
    word: str = ""


class Refused(NamedTuple):
    """What cannot happen now, and why."""

    text: str
    why: str
    rule: str = ""


class TurnStart(NamedTuple):
    """After how many answers a turn began, its number, and whose it is."""

    at: int
    turn: int
    player: str


@dataclass(slots=True)
class Standing:
    """Where it stands, in words and on the map.

    `line` says whose turn it is and what is asked, `facts` what the conditions were when they were
    last asked.
    """

    title: str
    line: str
    now: Now
    possible: list[Possible] = field(default_factory=list)
    refused: list[Refused] = field(default_factory=list)
    agenda: Terms = field(default_factory=list)
    calendar: Terms = field(default_factory=list)
    facts: Terms = field(default_factory=list)


class _Told(NamedTuple):
    """One answer, what it answered, what it made fire, and where the game stands after it."""

    request: Request
    answer: Answer
    fired: tuple[Fired, ...]
    after: Stand


class Story:
    """A game that can be looked at after each answer that is known.

    Parameters
    ----------
    name
        What the list calls it.
    start
        The game as it stood before the first of these answers.
    answers
        The answers that are known already.
    head
        How the game started, if it is known.

    Attributes
    ----------
    model
        Its Model, which is drawn.
    count
        How many answers are known.
    version
        A number that grows whenever what is known changes.
    watched
        The game that goes on, or None.
    lock
        Held by the thread of the server that reads it.
    failure
        The error by which it ended, or "".
    """

    def __init__(
        self,
        name: str,
        start: TurnController,
        answers: Iterable[Answer] = (),
        head: GameHeader | None = None,
    ) -> None:
        self.name, self.model, self.head = name, start.model, head or _head_of(start)
        self._start = start.fork()
        self._known = self._start, list[_Told]()
        self.lock, self.failure, self.version = RLock(), "", 0
        self.watched: Game | None = None
        self._watching: Watching | None = None
        self._since = monotonic()
        self._told: Sequence[_Told] = ()
        game = start.fork()
        with game.watch(self._hear):
            for answer in answers:
                game.answer(answer)
        self.update()

    @classmethod
    def of_trace(cls, name: str, trace: Trace, model: Model) -> Story:
        """Return the story of a trace. Raises TraceError if it was recorded with another model."""
        trace.replay(model)
        return cls(name, begin_again(trace.head, model), trace.answers, trace.head)

    @classmethod
    def of_game(cls, name: str, game: Game) -> Story:
        """Return the story of a game that goes on, with the past that it has kept."""
        trace = game.controller.trace if isinstance(game, History) else game.trace
        if trace is not None and trace.complete and len(trace.answers) == game.number:
            story = cls(name, begin_again(trace.head, game.model), trace.answers, trace.head)
        elif isinstance(game, History):
            past = game.branch()
            past.undo(len(past.answers))
            story = cls(name, past.controller, game.answers)
        else:
            story = cls(name, game)
        story.watched, story._watching = game, game.watch(story._hear)
        return story

    def _hear(self, answered: Answered) -> None:
        """Add an answer. It is called by the thread of the program, which never waits here."""
        game, (start, heard) = answered.game, self._known
        before = game.number - 1 - start.number
        if before < len(heard):  # some were undone, which the server may be reading
            heard = heard[: max(0, before)]
        told = _Told(answered.request, answered.answer, answered.fired, game.standing)
        if before < 0:  # to before what is known
            start = game.fork()
        else:
            heard.append(told)
        if len(heard) > MOST and self.watched is not None:
            start = start.fork()
            start.standing = heard[-MOST // 2 - 1].after
            heard = heard[-MOST // 2 :]
        self._known = start, heard
        self._since = monotonic()

    def close(self) -> None:
        """Take in nothing more."""
        if self._watching is not None:
            self._watching()

    def update(self) -> None:
        """Take in what has happened since, for the thread of the server that reads it."""
        start, heard = self._known
        told = heard[:]
        if start is not self._start:
            self._start, self.head = start, None
        if self.watched is not None:
            told = told[: max(0, self.watched.number - self._start.number)]
        if len(told) != len(self._told) or (told and told[-1] is not self._told[-1]):
            self._told = told
            self.version += 1

    @property
    def count(self) -> int:
        """How many answers are known."""
        return len(self._told)

    @property
    def tag(self) -> tuple[str, str]:
        """What the list says besides: of what kind, "over" or "", and the words."""
        if self.game(self.count).over is not None:
            return "over", "ended"
        waited = monotonic() - self._since
        if self.watched is None or waited < WAITS:
            return "", ""
        return "waits", f"{waited:.0f} s" if waited < 120 else f"{waited / 60:.0f} min"

    @property
    def turns(self) -> Sequence[TurnStart]:
        """The turns."""
        at = self._start.position
        found = [TurnStart(0, at.turn, at.active)]
        for number, told in enumerate(self._told, 1):
            at = told.after[-1].at
            if at.turn != found[-1].turn:
                found.append(TurnStart(number, at.turn, at.active))
        return found

    def game(self, at: int) -> TurnController:
        """Return a game that stands where this one stood after so many answers."""
        game = self._start.fork()
        if at:
            game.standing = self._told[at - 1].after
        return game

    def answers(self, at: int) -> list[Answer]:
        """Return the first answers."""
        return [told.answer for told in self._told[:at]]

    def start(self) -> TurnController:
        """Return the game as it stood before the answers."""
        return self._start.fork()

    def place(self, at: int) -> tuple[str, str]:
        """Return the line of the list, and the state, after so many answers."""
        request = self.game(at).request
        where = request.at
        if isinstance(request, Over):
            return (
                f"Turn {where.turn}, ended: {plain(request.asks.removeprefix('Over, '))}",
                where.stage,
            )
        return f"Turn {where.turn}, {where.active}: {step_of(self.model, where.stage)}", where.stage

    def standing(self, at: int) -> Standing:
        """Return where it stands: what is possible is tried."""
        game = self.game(at)
        where, request = game.position, game.request
        turn = f"Turn {where.turn}, {where.active}{', an extra turn' if where.extra else ''}."
        asks = asked(request_words(request, where.step))
        line = f"{turn} {upper_first(asks)}."
        found = Standing(step_of(self.model, where.stage), line, now_of(game))
        for option in game.possible():
            if option.possible:
                found.possible.append(self._possible(game, option))
            else:
                refused = Refused(_said(option), uncited(option.why), plain(option.rule))
                found.refused.append(refused)
        found.agenda, found.calendar = agenda_terms(game), calendar_terms(game)
        found.facts = self._facts(at)
        return found

    def _possible(self, game: TurnController, option: Option) -> Possible:
        is_answer = option.kind == "answer"
        rows = self.model.rows(game.run.state, option.name)
        rule = game.waiting.rule if is_answer else next((row.rule for row in rows), "")
        leads_to = few([asked(to) for to in option.leads_to], 3, " or ")
        return Possible(_said(option), leads_to, plain(rule), option.name if is_answer else "")

    def _facts(self, at: int) -> Terms:
        """Return the conditions that the last answers asked, the latest first: those that have
        plain words.
        """
        machines = {"turn": self.model, "window": self.model.window or self.model}
        values = dict[tuple[str, str], bool]()
        for _, fired in self.records(max(0, at - RECENT), at):
            for record in fired:
                for name, value in record.guards:
                    values.pop((record.machine, name), None)
                    values[record.machine, name] = value
        found = dict[str, str]()
        for (machine, name), value in reversed(values.items()):
            fact = machines[machine].fact(name)
            if fact.says if value else fact.denies:
                found.setdefault(blanks(name), plain_words(machines[machine], Term(name, value)))
        return [*found.items()][:FACTS]

    def rows(self, first: int, end: int) -> list[Row]:
        """Return who answered what, and what was asked then."""
        told = enumerate(self._told[first:end], first + 1)
        return [self._row(number, one) for number, one in told]

    def _row(self, number: int, told: _Told) -> Row:
        answer = told.answer
        orders = [blanks(getattr(one, "event", type(one).__name__)) for one in answer.orders]
        facts = [blanks(name) for name, value in answer.facts.items() if value]
        words = ", ".join([answer.word or "order", *orders, *facts])
        rules = rules_of(self.model)
        cited = next((rules[one.row.id] for one in told.fired if rules.get(one.row.id)), "")
        came = request_words(told.after[-1], told.request.at.step)
        return Row(number, few([*told.request.by], 2), plain(words), asked(came), plain(cited))

    def records(self, first: int, end: int) -> Iterator[tuple[int, Sequence[Record]]]:
        """Yield what each of these answers made fire, with the number of the answer."""
        if not first and self.head is not None and self.head.snapshot is None:
            trace = begin_again(self.head, self.model).trace
            yield 0, trace.records if trace is not None else []
        players = self._start.players
        for number, told in enumerate(self._told[first:end], first + 1):
            yield number, [*records_of(told.fired, players, told.request.at.turn)]


def _head_of(start: TurnController) -> GameHeader | None:
    """Return how a game started, or None if it does not stand where a game begins."""
    model, players, run = start.model, start.players, start.run
    teams = tuple(
        tuple(players[seat] for seat in side) for side in run.teams or run.sides if len(side) > 1
    )
    settings = {one.name: one.name in run.settings for one in model.settings}
    new = TurnController(model, players, teams=teams, settings=settings)
    if start.number or start.calendar or new.run.key != run.key:
        return None
    return GameHeader.of(model, players, teams=teams, settings=settings)


def _said(option: Option) -> str:
    """Return what an option is: "Ann passes", or "Ann: draw card"."""
    text, _, done = option.text.rpartition(": done")
    return upper_first(asked(text or done)) if not done else upper_first(plain(option.text))


@per_model
def rules_of(model: Model) -> dict[str, str]:
    """Return the rule of each transition of the turn and of its window."""
    return {row.id: row.rule for machine in model.machines.values() for row in machine.transitions}


def step_of(model: Model, state: str) -> str:
    """Return the name of the step, else of the phase, else of the state."""
    around = model.enclosing(state, "step") or model.enclosing(state, "phase")
    return label_of(around or model.state(state))
