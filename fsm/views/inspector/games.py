"""The story of a game: of one that goes on, or of one that was recorded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from time import monotonic

from fsm.engine.controller import TurnController
from fsm.engine.options import Option, request_words
from fsm.engine.requests import Answer, Over
from fsm.engine.retelling import Retelling
from fsm.engine.trace import Record, Trace
from fsm.engine.watching import Answered
from fsm.errors import FsmError
from fsm.hosts.history import History
from fsm.hosts.preview import next_turn
from fsm.model import Model, Term
from fsm.model.model import per_model
from fsm.state.calendar import Calendar
from fsm.views.inspector.stories import (
    Possible,
    Refused,
    Row,
    Standing,
    Story,
    Terms,
    TurnStart,
    step_of,
)
from fsm.views.inspector.words import asked, uncited
from fsm.views.standing import now_of
from fsm.wording import blanks, few, plain, plain_words, upper_first

RECENT, FACTS = 40, 8
"""The conditions of so many answers are looked at, and so many of them are shown."""
WAITS = 10.0
"""After so many seconds without an answer, the list says how long the game has waited."""


class GameStory(Story):
    """A game that is told again from its answers.

    Parameters
    ----------
    name
        What the list calls it.
    first
        The game at its beginning.
    answers
        The answers, if all are known.
    """

    def __init__(self, name: str, first: TurnController, answers: Sequence[Answer] = ()) -> None:
        super().__init__(name, first.model)
        self.told = Retelling(first)
        for answer in answers:
            self.told.give(answer)

    @classmethod
    def of_trace(cls, name: str, trace: Trace, model: Model) -> GameStory:
        """Return the story of a trace. Raises TraceError if it was recorded with another model."""
        end = trace.replay(model)
        return cls(name, end.beginning(), trace.answers)

    @property
    def count(self) -> int:
        """How many answers are known."""
        return self.told.count

    @property
    def version(self) -> int:
        """How many answers were taken, also those that were undone."""
        return self.told.given

    @property
    def turns(self) -> Sequence[TurnStart]:
        """The turns."""
        return [TurnStart(*turn) for turn in self.told.turns]

    @property
    def tag(self) -> tuple[str, str]:
        """Whether it is over."""
        return ("over", "ended") if isinstance(self.told.last.request, Over) else ("", "")

    def game(self, at: int) -> TurnController:
        """Return the game after so many answers."""
        return self.told.at(at)

    def place(self, at: int) -> tuple[str, str]:
        """Return the turn, the player and the step, and the state."""
        game = self.told.last if at == self.count else self.told.at(at)
        where = game.position
        if isinstance(game.request, Over):
            return f"Turn {where.turn}, ended: {plain(game.request.outcome)}", game.run.state
        return f"Turn {where.turn}, {where.active}: {step_of(self.model, where.stage)}", where.stage

    def standing(self, at: int) -> Standing:
        """Return where it stands: what is possible is tried on forks."""
        game = self.told.at(at)
        where, request = game.position, game.request
        turn = f"Turn {where.turn}, {where.active}{', an extra turn' if where.extra else ''}."
        asks = asked(request_words(request, where.step))
        found = Standing(
            step_of(self.model, where.stage), f"{turn} {upper_first(asks)}.", now_of(game)
        )
        for option in game.possible():
            if option.refusal is None:
                found.possible.append(self._possible(game, option))
            else:
                refused = Refused(_said(option), uncited(option.why), plain(option.refusal.rule))
                found.refused.append(refused)
        found.agenda, found.calendar = agenda_terms(game), calendar_terms(game.calendar)
        found.facts = self._facts(at)
        return found

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

    def _possible(self, game: TurnController, option: Option) -> Possible:
        rows = self.model.rows(game.run.state, option.name)
        rule = (
            game.waiting.rule if option.kind == "answer" else next((row.rule for row in rows), "")
        )
        word = option.name if option.kind == "answer" else ""
        return Possible(
            _said(option), few([asked(to) for to in option.leads_to], 3, " or "), plain(rule), word
        )

    def rows(self, first: int, end: int) -> list[Row]:
        """Return who answered what, and what was asked then."""
        told = self.told.told(first, end)
        after = [*(answered.request for answered in told), self.told.at(end).request][1:]
        rules = rules_of(self.model)
        pairs = enumerate(zip(told, after, strict=True), first + 1)
        return [
            _row(number, answered, request_words(then, answered.request.at.step), rules)
            for number, (answered, then) in pairs
        ]

    def records(self, first: int, end: int) -> Iterator[tuple[int, Sequence[Record]]]:
        """Yield what each answer made fire."""
        if not first:
            yield 0, [entry for entry in self.told.at(0).trace.entries if isinstance(entry, Record)]
        for number, answered in enumerate(self.told.told(first, end), first + 1):
            yield number, answered.records


class LiveStory(GameStory):
    """A game that goes on in its own thread. Only its log is read."""

    live = True

    def __init__(self, name: str, game: TurnController | History) -> None:
        controller = game.controller if isinstance(game, History) else game
        super().__init__(name, controller.beginning())
        self.watched, self._controller, self._origin = game, controller, controller.origin
        self._given, self._since = -1, monotonic()

    @property
    def given(self) -> int:
        """How many answers were given."""
        return max(self._given, self.count)

    def update(self, seconds: float | None = None) -> None:
        """Take in the answers that were given since."""
        game = self._controller
        origin, log = game.origin, game.answers_given()
        if not _same(origin, game.origin):
            return  # it is becoming another game
        if not _same(origin, self._origin):
            self.told, self._origin = Retelling(game.beginning(), self.told.given + 1), origin
        if log.count != self._given:
            self._given, self._since = log.count, monotonic()
        with suppress(
            FsmError
        ):  # an answer that needs what only the program has: what is known stays
            self.told.take(log, seconds)

    @property
    def tag(self) -> tuple[str, str]:
        """Whether it is over, or has waited for long."""
        kind, words = super().tag
        waited = monotonic() - self._since
        if kind or waited < WAITS:
            return kind, words
        return "waits", f"{waited:.0f} s" if waited < 120 else f"{waited / 60:.0f} min"


def _said(option: Option) -> str:
    """Return what an option is: "Ann passes", or "Ann: draw card"."""
    text, _, done = option.text.rpartition(": done")
    return upper_first(asked(text or done)) if not done else upper_first(plain(option.text))


def _same(one: tuple[object, object], other: tuple[object, object]) -> bool:
    """Say whether games with these origins began alike."""
    return one[0] is other[0] and one[1] is other[1]


@per_model
def rules_of(model: Model) -> dict[str, str]:
    """Return the rule of each transition of the turn and of its window."""
    machines = (model, model.window) if model.window is not None else (model,)
    return {row.id: row.rule for machine in machines for row in machine.transitions}


def _row(number: int, answered: Answered, came: str, rules: Mapping[str, str]) -> Row:
    answer, records = answered.answer, answered.records
    orders = [type(order).__name__ for order in answer.orders] + (
        [answer.signal.event] if answer.signal else []
    )
    facts = [blanks(name) for name, value in answer.facts.items() if value]
    words = ", ".join([answer.word or "order", *map(blanks, orders), *facts])
    who = few(list(answered.request.by), 2)
    cited = next(
        (rules[id] for id in (record.transition for record in records) if rules.get(id)), ""
    )
    return Row(number, who, plain(words), asked(came), plain(cited))


# agenda and calendar ------------------------------------------------------------------------------


def agenda_terms(game: TurnController) -> Terms:
    """Return what is scheduled, as terms with words: when, and what."""
    agenda, found = game.agenda, Terms()
    found += [("this turn", _extra(entry)) for entry in agenda.extras]
    found += [
        (f"skipped {one.level}", f"{blanks(one.what or one.level)}{_whose(one.side)}")
        for one in agenda.skips
    ]
    later = agenda.turns
    with suppress(FsmError):
        coming = next_turn(game)
        if coming is not None:
            found.append(
                ("next turn", f"{coming.active}{', an extra turn' if coming.extra else ''}")
            )
            later = later[1:] if coming.extra else later
    found += [("extra turn", turn.side) for turn in later]
    found += [
        ("control", f"{control.by} decides for {control.player}") for control in agenda.controls
    ]
    found += [
        ("interrupted", blanks(entry.state))
        for entry in (*agenda.returns_phase, *agenda.returns_step)
    ]
    found += [("has left", player) for player in agenda.left]
    return [(plain(term), plain(words)) for term, words in found]


def _extra(entry: object) -> str:
    what, only, anchor, before = (
        getattr(entry, name) for name in ("what", "only", "anchor", "before")
    )
    place = f", {'before' if before else 'after'} {blanks(anchor)}" if anchor else ""
    return f"1 extra {blanks(what)}{f' with {blanks(only)} only' if only else ''}{place}"


def _whose(side: str) -> str:
    return f" of {side}" if side else ""


def calendar_terms(calendar: Calendar) -> Terms:
    """Return durations and triggers that are waited for, as terms with words."""
    found = [
        (blanks(one.step), f"{one.id}: delayed trigger{_whose(one.side)}")
        for one in calendar.delayed
    ]
    found += [
        (f"until {blanks(one.until)}", f"{one.id}: effect{_whose(one.side)}")
        for one in calendar.lasting
    ]
    found += [(f"each {blanks(one.step)}", f"{one.id}: trigger") for one in calendar.standing]
    return [(plain(term), plain(words)) for term, words in found]
