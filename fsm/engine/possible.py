"""What is possible now, and why not: answers to the request, and events that an answer can raise.

Everything is tried on copies of the run, once for each combination of the facts that are read.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal

from fsm.engine.automaton import asker
from fsm.engine.requests import Answer, Over, Priority, Request
from fsm.engine.semantics import TURN, WINDOW, Choices, NothingFires, every_choice
from fsm.errors import AnswerError, FsmError
from fsm.state.orders import EndPhase, EndTurn, Leave, Order, Signal
from fsm.state.run import Run
from fsm.wording import blanks, citation, listed, value_words

if TYPE_CHECKING:
    from fsm.engine.controller import TurnController
    from fsm.engine.semantics import Fired, Row, Semantics

MOST = 512
"""At most this many combinations of facts are tried for one option."""
OVER = "the game is over"


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why an event is not possible now. `str` of it is a sentence.

    Attributes
    ----------
    state
        The id of the state that the run is in.
    event
        The name of the event.
    why
        The reasons in one clause, with the rules that they cite.
    rule
        The rule of the last reason, or "".
    possible
        The names of the events that are possible instead.
    """

    state: str
    event: str
    why: str
    rule: str = ""
    possible: tuple[str, ...] = ()

    def __str__(self) -> str:
        can = ", ".join(self.possible) or "nothing"
        return f"{self.event!r} cannot fire in {self.state!r}: {self.why}; possible here: {can}"


@dataclass(frozen=True, slots=True)
class Option:
    """Something that can be answered or ordered now, or cannot.

    Attributes
    ----------
    name
        The word of the answer, or the name of the event.
    kind
        "answer", or "order" for an event that comes with an answer.
    text
        What it is, in words.
    facts
        The names of the facts on which it depends where it leads.
    leads_to
        What may be asked next, in words: once for each outcome.
    refusal
        Why it is not possible, or None if it is.
    """

    name: str
    kind: Literal["answer", "order"]
    text: str
    facts: tuple[str, ...] = ()
    leads_to: tuple[str, ...] = ()
    refusal: Refusal | None = None

    @property
    def possible(self) -> bool:
        """Whether an answer with it is accepted and changes something."""
        return self.refusal is None

    @property
    def why(self) -> str:
        """Why it is not possible, in one clause, or ""."""
        return "" if self.refusal is None else self.refusal.why


# what the controller offers -----------------------------------------------------------------------


def possible(game: TurnController) -> tuple[Option, ...]:
    """Return what can be answered and ordered now, and what cannot, with the reason."""
    trials = [_tried(game, name) for name in (*game.waiting.words, *game.model.signals)]
    names = tuple(trial.name for trial in trials if trial.leads_to)
    return tuple(_option(game, trial, names) for trial in trials)


def why_not(game: TurnController, asked: str | type[Order]) -> Refusal | None:
    """Return why something is not possible now, or None exactly if `possible` says that it is."""
    options, model = possible(game), game.model
    name = asked if isinstance(asked, str) else _event_of(game, asked)
    for option in options:
        if option.name == name:
            return option.refusal
    names = tuple(option.name for option in options if option.possible)
    unknown = f"{model.name} has no event {name!r}"
    if isinstance(asked, str):
        events = {event for _, _, event in game.semantics.rows}
        if name not in events:
            raise AnswerError(unknown, kind="unknown-event", found=name, known=events)
        return _refusal(game, _Trial(name), names)
    if game.over is not None:
        return Refusal(game.run.state, asked.__name__, OVER)
    return Refusal(game.run.state, name, unknown, "", names) if name else None


def _event_of(game: TurnController, order: type[Order]) -> str:
    """Return the name of the event that an order of this class raises, or "" if it raises none."""
    if order is EndTurn or order is EndPhase:
        return order.event
    return game.model.leaving if order is Leave else ""


def _option(game: TurnController, trial: _Trial, names: tuple[str, ...]) -> Option:
    kind: Literal["answer", "order"] = "answer" if trial.name in game.waiting.words else "order"
    refusal = None if trial.leads_to else _refusal(game, trial, names)
    text = _text(game, trial.name)
    return Option(trial.name, kind, text, (*trial.facts,), (*trial.leads_to,), refusal)


def _text(game: TurnController, name: str) -> str:
    request = game.request
    if name not in game.waiting.words:
        docs = {event.name: event.doc for event in game.model.events}
        return docs.get(name) or blanks(name)
    if isinstance(request, Priority):
        return f"{listed(request.by)} {'acts' if name == 'acted' else 'passes'}"
    return f"{request.asks}: done"


def request_words(request: Request | Over, step: str = "") -> str:
    """Return what a request asks, in words: "Priority of Ben". Its step is named if it is not this
    one.
    """
    if isinstance(request, Over):
        return OVER
    where = f" in {request.at.step}" if request.at.step not in ("", step) else ""
    return f"{request.asks}{where}"


# trying -------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Trial:
    """What came of an option in all ways of trying it."""

    name: str
    facts: dict[str, None] = field(default_factory=dict)
    leads_to: dict[str, None] = field(default_factory=dict)
    error: FsmError | None = None


def _tried(game: TurnController, name: str) -> _Trial:
    trial = _Trial(name)
    for answer in _answers(game, name):
        for choices in islice(every_choice(), MOST):
            _try(game, answer, choices, trial)
    return trial


def _answers(game: TurnController, name: str) -> Iterator[Answer]:
    """Yield the answers with an option: with every word, and for every player who may leave."""
    words: Any = game.waiting.words
    if name in words:
        yield Answer(name)  # type: ignore[arg-type]
        return
    orders: list[Order] = [Signal(name)]
    if name == game.model.leaving:
        orders = [Leave(who) for seat, who in enumerate(game.players) if seat not in game.run.left]
    for word in words:
        for order in orders:
            yield Answer(word, {}, (order,))


def _try(game: TurnController, answer: Answer, choices: Choices, trial: _Trial) -> None:
    run, semantics = copy(game.run), game.semantics
    try:
        fired, _ = semantics.answer(run, answer, choices, game.players, game.calendar)
        request = asker(semantics, run)((*game.players, ""), game.turn + run.turns_begun)
    except FsmError as error:
        trial.error = trial.error or error
        return
    trial.facts |= dict.fromkeys(choices)
    leaves = trial.name == game.model.leaving
    if not answer.orders or leaves or _changes(trial.name, fired):
        trial.leads_to[request_words(request, game.position.step)] = None


def _changes(event: str, fired: list[Fired]) -> bool:
    """Say whether an event did something in the turn."""
    rows = [one.row.transition for one in fired if (one.machine, one.event) == (TURN, event)]
    return any(row.actions or row.target is not None for row in rows)


# refusals -----------------------------------------------------------------------------------------


def _refusal(game: TurnController, trial: _Trial, names: tuple[str, ...]) -> Refusal:
    run, name, hole = game.run, trial.name, trial.error
    inside = bool(run.frame) and name not in game.model.signals
    machine, state = (WINDOW, run.frame) if inside else (TURN, run.state)
    if game.over is not None:
        return Refusal(state, name, OVER, "", names)
    if hole is not None and not isinstance(hole, NothingFires):
        return Refusal(state, name, str(hole), "", names)
    refusal = refusal_of(game.semantics, machine, run, state, name)
    if refusal is None and hole is not None:  # it can fire, but then the game could not go on
        refusal = refusal_of(game.semantics, hole.machine, hole.run, hole.state, hole.event)
    return replace(refusal or Refusal(state, name, "nothing changes"), possible=names)


def refusal_of(
    semantics: Semantics, machine: str, run: Run, state: str, event: str
) -> Refusal | None:
    """Return why an event cannot fire in a state of this machine, or None if it can."""
    model, reasons, rule = semantics.model.machines[machine], list[str](), ""
    for row in semantics.rows.get((machine, state, event), ()):
        transition, closed = row.transition, _closed(row, run)
        if closed is not None:
            name, value = closed
            rule = model.fact(name).rule or transition.rule
            reasons.append(value_words(name, value) + citation(rule))
        elif transition.target is not None:
            return None
        else:  # it says that nothing happens
            rule, guard = transition.rule, transition.guard
            reasons += [value_words(term.fact, term.value) + citation(rule) for term in guard]
            reasons = reasons if guard else [transition.doc + citation(rule)]
            break
    why = "; ".join(reasons) or "no transition is there for it"
    others = tuple(other for other in model.events_at(state) if other != event)
    return Refusal(state, event, why, rule, others)


def _closed(row: Row, run: Run) -> tuple[str, bool | None] | None:
    """Return the first fact that prevents a transition from firing, and its value."""
    for name, read, wanted in row.terms:
        value: bool | None = read(run, _UNKNOWN)
        if value is not wanted:
            return name, value
    return None


class _Unknown(dict[str, None]):
    """Facts that nobody has told."""

    def __missing__(self, name: str) -> None:
        return None

    def latched(self, run: Run, name: str) -> bool:
        return name in run.latched


_UNKNOWN: Any = _Unknown()
