"""What is possible now, and why not: answers to the request, and events that an answer can raise;
and how a game can go on when nobody says what it reports.

Everything is tried on copies of the run, once for each combination of the facts that are read.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from contextlib import suppress
from copy import copy
from itertools import islice, product
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from msgspec.structs import replace

from fsm.engine.automaton import automaton_of
from fsm.engine.requests import Answer
from fsm.engine.semantics import (
    MOST_TRIED,
    TURN,
    WINDOW,
    Choices,
    Fired,
    NothingFires,
    Semantics,
    every_choice,
)
from fsm.errors import AnswerError, FsmError
from fsm.state.orders import EndPhase, EndTurn, Leave, Order, Signal
from fsm.state.run import Run
from fsm.wording import blanks, citation, listed

if TYPE_CHECKING:
    from fsm.engine.controller import TurnController

OVER = "the game is over"


class Option(NamedTuple):
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
    why
        Why it is not possible, in one clause with the rules that it cites, or "" if it is.
    rule
        The rule of the last reason, or "".
    """

    name: str
    kind: Literal["answer", "order"]
    text: str
    facts: tuple[str, ...] = ()
    leads_to: tuple[str, ...] = ()
    why: str = ""
    rule: str = ""

    @property
    def possible(self) -> bool:
        """Whether an answer with it is accepted and changes something."""
        return not self.why


# what the controller offers -----------------------------------------------------------------------


def possible(game: TurnController) -> tuple[Option, ...]:
    """Return what can be answered and ordered now, and what cannot, with the reason."""
    return tuple(_tried(game, name) for name in (*game.waiting.words, *game.model.signals))


def why_not(game: TurnController, asked: str | type[Order]) -> str:
    """Return why something is not possible now, or "" exactly if `possible` says that it is."""
    events = {EndTurn: EndTurn.event, EndPhase: EndPhase.event, Leave: game.model.leaving}
    name = asked if isinstance(asked, str) else events.get(asked, "")
    if game.over:
        return OVER
    if not name:
        return ""
    known = {event for _, _, event in game.semantics.rows}
    AnswerError.known_name("event", name, known, game.model.name)
    reasons = {option.name: option.why for option in possible(game)}
    why = reasons.get(name, "it is not asked for")
    can = ", ".join(other for other, reason in reasons.items() if not reason) or "nothing"
    here = f"{name!r} is not possible in {game.request.state!r}: {why}; possible here: {can}"
    return here if why else ""


# trying -------------------------------------------------------------------------------------------


def _tried(game: TurnController, name: str) -> Option:
    """Try an option in all ways."""
    facts = dict[str, None]()
    leads_to = dict[str, None]()
    reasons = list[tuple[str, str]]()
    for answer in _answers(game, name):
        for choices in islice(every_choice(), MOST_TRIED):
            try:
                leads_to[_next_asked(game, answer, choices)] = None
            except FsmError as error:
                reasons.append((getattr(error, "why", str(error)), error.rule))
            facts |= dict.fromkeys(choices)
    why, rule = ("", "") if leads_to else [*reasons, (OVER, "")][0]
    kind: Any = "answer" if name in game.waiting.words else "order"
    return Option(name, kind, _text(game, name), tuple(facts), tuple(leads_to), why, rule)


def _next_asked(game: TurnController, answer: Answer, choices: Choices) -> str:
    """Return what is asked next, in words. Raises FsmError if the answer is refused, or if what it
    orders comes to nothing.
    """
    run = replace(game.run, results=())
    game.semantics.answer(run, answer, choices, game.players, game.calendar)
    for result in run.results:
        if result.state == "nothing" and result.order in answer.orders:
            raise FsmError(result.why + citation(result.rule), rule=result.rule)
    edge = automaton_of(game.model).edge(run)
    request = edge.node.ask((*game.players, ""), game.turn + edge.turns)
    step = request.at.step
    return request.asks + (f" in {step}" if step not in ("", game.position.step) else "")


def _answers(game: TurnController, name: str) -> Iterator[Answer]:
    """Yield the answers with an option: with every word, and for every player who may leave."""
    words: Any = game.waiting.words
    orders: list[tuple[Order, ...]] = [(Signal(name),)]
    if name in words:
        words = (name,)
        orders = [()]
    elif name == game.model.leaving:
        seats = enumerate(game.players)
        orders = [(Leave(who),) for seat, who in seats if seat not in game.run.left]
    for word, given in product(words, orders):
        yield Answer(word, {}, given)


def _text(game: TurnController, name: str) -> str:
    if name not in game.waiting.words:
        docs = {event.name: event.doc for event in game.model.events}
        return docs.get(name) or blanks(name)
    if name == "done":
        return f"{game.request.asks}: done"
    return f"{listed(game.request.by)} {'acts' if name == 'acted' else 'passes'}"


# going on -----------------------------------------------------------------------------------------


class Way(NamedTuple):
    """One way a run can go on: where it leads, and what fires."""

    run: Run
    fired: tuple[Fired, ...] = ()


def ways_onward(semantics: Semantics, run: Run, *, jumps: bool = False) -> Iterator[Way]:
    """Yield all that one transition of the turn can make of a run that stands in no window. It is
    the last that fires.

    With `jumps`, effects may end what is under way where players can act.
    """
    model = semantics.model
    kind = model.state(run.state).kind
    if kind == "window":
        for through in _through_window(semantics, run):
            yield from _fired(semantics, through, TURN, "closed")
        for event in model.signals if jumps else ():
            if model.rows(run.state, event):
                yield from _fired(semantics, Way(run), TURN, event)
    elif kind != "final":
        yield from _fired(semantics, Way(run), TURN, "done")


def _fired(semantics: Semantics, way: Way, machine: str, event: str) -> Iterator[Way]:
    """Yield how a way goes on with an event, for each combination of the facts that are read."""
    for choices in every_choice():
        twin = copy(way.run)
        fired = list[Fired]()
        with suppress(NothingFires):
            semantics.microstep(twin, machine, event, choices, fired)
            twin.moments = twin.results = ()
            yield Way(twin, (*way.fired, *fired))


def _through_window(semantics: Semantics, run: Run) -> Iterator[Way]:
    """Yield the shortest way to each outcome of a window, breadth first: what is latched of the
    turn's facts.
    """
    window = semantics.model.window
    assert window is not None
    first = copy(run)
    first.frame = window.initial
    of_turn = {fact.name for fact in semantics.model.facts}
    signals = semantics.model.signals
    outcomes = dict[frozenset[str], tuple[Fired, ...]]()
    known = set[Hashable]()
    queue = [Way(first)]
    for here in queue:
        state = window.state(here.run.frame)
        if state.kind == "final":
            outcomes.setdefault(here.run.latched & of_turn, here.fired)
        events = [event for event in window.events_at(state.id) if event not in signals]
        for event in events:
            for way in _fired(semantics, here, WINDOW, event):
                if way.run.key not in known:
                    known.add(way.run.key)
                    queue.append(way)
    for latched, fired in outcomes.items():
        after = copy(run)
        after.latched = latched
        yield Way(after, fired)
