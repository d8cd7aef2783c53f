"""What is possible now, in words and as data: answers to the request, and events that an answer can
raise.

Everything is tried: each answer is given to a fork of the game, once for each combination of the
facts that are read after it. So an option is possible exactly if the controller takes an answer
with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Literal, Protocol

from fsm.engine.refusals import Refusal, refusal_of
from fsm.engine.requests import Answer, Over, Position, Priority, Request
from fsm.engine.semantics import (
    TURN,
    WINDOW,
    Fired,
    NothingFires,
    chosen_by,
    every_choice,
    semantics_of,
)
from fsm.errors import AnswerError, FsmError
from fsm.model import Model, State
from fsm.state.orders import EndPhase, EndTurn, Leave, Order, Signal
from fsm.state.run import Run
from fsm.wording import blanks, listed

MOST = 512
"""At most this many combinations of facts are tried for one option."""
OVER = "the game is over"


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
    possible
        Whether an answer with it is accepted and changes something.
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
    possible: bool
    facts: tuple[str, ...] = ()
    leads_to: tuple[str, ...] = ()
    refusal: Refusal | None = None

    @property
    def why(self) -> str:
        """Why it is not possible, in one clause, or ""."""
        return "" if self.refusal is None else self.refusal.decisive


class Asked(Protocol):
    """A game that waits for an answer. A `TurnController` is one."""

    @property
    def model(self) -> Model:
        """The Model whose turns it runs."""

    @property
    def run(self) -> Run:
        """All that the run remembers."""

    @property
    def waiting(self) -> State:
        """The state that waits for the answer."""

    def fork(self) -> Asked:
        """Return an independent game at the same request."""

    def answer(self, answer: Answer) -> Request | Over:
        """Process an answer."""

    @property
    def position(self) -> Position:
        """Where the game stands."""

    request: Request | Over


@dataclass(slots=True)
class _Tried:
    """What came of an option in all ways of trying it."""

    facts: dict[str, None] = field(default_factory=dict)
    leads_to: dict[str, None] = field(default_factory=dict)
    hole: NothingFires | None = None
    note: str = ""


def possible(game: Asked) -> tuple[Option, ...]:
    """Return what can be answered and ordered now, and what cannot with the reason."""
    model, state = game.model, game.waiting
    tried = {name: _tried(game, name) for name in (*state.words, *model.signals)}
    names = tuple(name for name, found in tried.items() if found.leads_to)
    return tuple(_option(game, name, found, names) for name, found in tried.items())


def why_not(game: Asked, asked: str | type[Order]) -> Refusal | None:
    """Return why something is not possible now, or None exactly if `possible` says that it is."""
    options = {option.name: option for option in possible(game)}
    name = asked if isinstance(asked, str) else event_of(game.model, asked)
    if name in options:
        return options[name].refusal
    names = tuple(option.name for option in options.values() if option.possible)
    if not isinstance(asked, str):
        return _of_order(game, asked, name, names)
    events = {event.name for model in game.model.machines.values() for event in model.events}
    if name not in events:
        raise AnswerError(
            f"{game.model.name} has no event {name!r}",
            kind="unknown-event",
            found=name,
            known=events,
        )
    return _refusal(game, name, _Tried(), names)


def event_of(model: Model, order: type[Order]) -> str:
    """Return the name of the event that an order of this class raises, or "" if it raises none."""
    if order in (EndTurn, EndPhase):
        return str(order.event)
    return model.leaving if order is Leave else ""


def _of_order(game: Asked, order: type[Order], name: str, names: tuple[str, ...]) -> Refusal | None:
    """Return the refusal of an order that raises no event of this model."""
    if game.waiting.kind == "final":
        return Refusal(game.run.state, order.__name__, (), names, OVER)
    return (
        Refusal(game.run.state, name, (), names, f"{game.model.name} has no event {name!r}")
        if name
        else None
    )


def _option(game: Asked, name: str, tried: _Tried, names: tuple[str, ...]) -> Option:
    kind: Literal["answer", "order"] = "answer" if name in game.waiting.words else "order"
    text, leads_to = _text(game, name), tuple(tried.leads_to)
    refusal = None if leads_to else _refusal(game, name, tried, names)
    return Option(name, kind, text, bool(leads_to), tuple(tried.facts), leads_to, refusal)


def _refusal(game: Asked, name: str, tried: _Tried, names: tuple[str, ...]) -> Refusal:
    model, run = game.model, game.run
    inside = model.window if run.frame and name not in model.signals else model
    assert inside is not None
    state = run.state if inside is model else run.frame
    if game.waiting.kind == "final":
        return Refusal(state, name, (), names, OVER)
    refusal = refusal_of(inside, run, state, name)
    if tried.hole is not None and refusal is None:  # it can fire, but then the game could not go on
        hole = model.window if tried.hole.machine == WINDOW and model.window is not None else model
        refusal = refusal_of(hole, run, tried.hole.state, tried.hole.event)
    if refusal is None:
        return Refusal(state, name, (), names, tried.note)
    return replace(refusal, possible=names, note=tried.note)


def _tried(game: Asked, name: str) -> _Tried:
    """Try an option with every word that can be answered, for every player whom it may be about."""
    model, words = game.model, game.waiting.words
    found = _Tried()
    if name in words:
        _try(game, name, Answer(name), found)  # type: ignore[arg-type]
        return found
    players: Sequence[str] = game.run.agenda.living if name == model.leaving else ("",)
    for word in words:
        for player in players:
            _try(game, name, Answer(word, orders=(_order(model, name, player),)), found)  # type: ignore[arg-type]
    return found


def _try(game: Asked, name: str, answer: Answer, found: _Tried) -> None:
    for facts, fired in islice(_ways(game, answer, found), MOST):
        found.facts.update(dict.fromkeys(facts))
        told = dict.fromkeys(game.waiting.tells, False) | dict(facts)
        try:
            request = game.fork().answer(replace(answer, facts=told))
        except FsmError as error:
            found.note = found.note or str(error)
        else:
            if not answer.orders or _changes(game.model, name, fired):
                found.leads_to[request_words(request, game.position.step)] = None


def _ways(
    game: Asked, answer: Answer, found: _Tried
) -> Iterator[tuple[Mapping[str, bool], list[Fired]]]:
    """Yield each combination of the facts that are read after this answer, with what fires."""
    semantics = semantics_of(game.model)
    for choices in every_choice(dict[str, bool]()):
        run, fired = game.run.copy(), list[Fired]()
        try:
            semantics.answer(run, answer, chosen_by(choices), fired.append)
        except NothingFires as hole:
            found.hole = found.hole or hole
        except FsmError as error:
            found.note = found.note or str(error)
        else:
            yield choices, fired


def _changes(model: Model, event: str, fired: Sequence[Fired]) -> bool:
    """Say whether an event did something. That somebody leaves always does."""
    rows = [one.row for one in fired if one.machine == TURN and one.event == event]
    return event == model.leaving or any(
        row.actions or row.transition.target is not None for row in rows
    )


def _order(model: Model, event: str, player: str) -> Order:
    return Leave(player) if event == model.leaving else Signal(event)


# in words -----------------------------------------------------------------------------------------


def request_words(request: Request | Over, step: str = "") -> str:
    """Return what a request asks, in words: "Priority of Ben". Its step is named if it is not this
    one.
    """
    where = f" in {request.at.step}" if request.at.step not in ("", step) else ""
    return OVER if isinstance(request, Over) else f"{request.asks}{where}"


def _text(game: Asked, name: str) -> str:
    request = game.request
    if name not in game.waiting.words:
        return next((event.doc for event in game.model.events if event.name == name), "") or blanks(
            name
        )
    if isinstance(request, Priority):
        return f"{listed(request.by)} {'acts' if name == 'acted' else 'passes'}"
    return f"{request.asks}: done"
