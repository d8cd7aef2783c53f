"""What is possible now, and why not: answers to the request, and events that an answer can raise.

Everything is tried on copies of the run, once for each combination of the facts that are read.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal

from fsm.engine.automaton import Node
from fsm.engine.requests import Answer, Over, Priority, Request
from fsm.engine.semantics import TURN, WINDOW, Choices, NothingFires, Told, every_choice
from fsm.errors import AnswerError, FsmError
from fsm.model import Model
from fsm.state.orders import EndPhase, EndTurn, Leave, Order, Signal
from fsm.state.run import Run
from fsm.wording import blanks, citation, listed, value_words

if TYPE_CHECKING:
    from fsm.engine.controller import TurnController
    from fsm.engine.semantics import Row, Semantics

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
    options = list[Option]()
    for trial in trials:
        kind: Any = "answer" if trial.name in game.waiting.words else "order"
        text = _order_words(game.model, trial.name)
        if kind == "answer":
            text = _answer_words(game.request, trial.name)
        refusal = None if trial.leads_to else _refusal(game, trial, names)
        facts = tuple(trial.facts)
        leads_to = tuple(trial.leads_to)
        options.append(Option(trial.name, kind, text, facts, leads_to, refusal))
    return tuple(options)


def _order_words(model: Model, event: str) -> str:
    docs = {one.name: one.doc for one in model.events}
    return docs.get(event) or blanks(event)


def _answer_words(request: Request | Over, word: str) -> str:
    if isinstance(request, Priority):
        return f"{listed(request.by)} {'acts' if word == 'acted' else 'passes'}"
    return f"{request.asks}: done"


def why_not(game: TurnController, asked: str | type[Order]) -> Refusal | None:
    """Return why something is not possible now, or None exactly if `possible` says that it is."""
    options = {option.name: option for option in possible(game)}
    events = {EndTurn: EndTurn.event, EndPhase: EndPhase.event, Leave: game.model.leaving}
    name = asked if isinstance(asked, str) else events.get(asked, "")
    if name in options:
        return options[name].refusal
    if isinstance(asked, str):
        _check_event(game.semantics, asked)
    elif not name and game.over is None:
        return None
    names = tuple(option.name for option in options.values() if option.possible)
    return _refusal(game, _Trial(name or str(asked)), names)


def _check_event(semantics: Semantics, name: str) -> None:
    """Raise AnswerError unless the model has an event of this name."""
    known = {event for _, _, event in semantics.rows}
    if name not in known:
        text = f"{semantics.model.name} has no event {name!r}"
        raise AnswerError(text, kind="unknown-event", found=name, known=known)


def request_words(request: Request | Over, step: str = "") -> str:
    """Return what a request asks, in words: "Priority of Ben". Its step is named if it is not this
    one.
    """
    if isinstance(request, Over):
        return OVER
    return request.asks + (f" in {request.at.step}" if request.at.step not in ("", step) else "")


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
    orders: list[tuple[Order, ...]] = [(Signal(name),)]
    if name in words:
        words = [name]
        orders = [()]
    elif name == game.model.leaving:
        there = [who for seat, who in enumerate(game.players) if seat not in game.run.left]
        orders = [(Leave(who),) for who in there]
    for word in words:
        for given in orders:
            yield Answer(word, {}, given)


def _try(game: TurnController, answer: Answer, choices: Choices, trial: _Trial) -> None:
    run = copy(game.run)
    semantics = game.semantics
    leaving = game.model.leaving
    try:
        fired, _ = semantics.answer(run, answer, choices, game.players, game.calendar)
        request = Node(semantics, run).ask((*game.players, ""), game.turn + run.turns_begun)
    except FsmError as error:
        trial.error = trial.error or error
        return
    trial.facts |= dict.fromkeys(choices)
    rows = [one.row.transition for one in fired if (one.machine, one.event) == (TURN, trial.name)]
    changes = any(row.actions or row.target is not None for row in rows)
    if not answer.orders or trial.name == leaving or changes:
        trial.leads_to[request_words(request, game.position.step)] = None


# refusals -----------------------------------------------------------------------------------------


def _refusal(game: TurnController, trial: _Trial, names: tuple[str, ...]) -> Refusal:
    run = game.run
    name = trial.name
    hole = trial.error
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
    model = semantics.model.machines[machine]
    reasons = list[str]()
    rule = ""
    for row in semantics.rows.get((machine, state, event), ()):
        transition = row.transition
        closed = _closed(row, run)
        if closed is None and transition.target is not None:
            return None
        if closed is not None:
            rule = model.fact(closed[0]).rule or transition.rule
            reasons.append(value_words(*closed) + citation(rule))
            continue
        rule, guard = transition.rule, transition.guard  # it says that nothing happens
        reasons += [value_words(term.fact, term.value) + citation(rule) for term in guard]
        if not guard:
            reasons = [transition.doc + citation(rule)]
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


class _Unknown(Told):
    """Facts that nobody has told."""

    def __missing__(self, name: str) -> Any:
        return None


_UNKNOWN = _Unknown()
