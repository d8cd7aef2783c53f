"""The conversation between a game and its host. `drive` and `fsm.aio.drive` run the same one.

What a host returns may have to be awaited. So a conversation is a generator: it yields what is to
be awaited, and is sent the value.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence, Set
from contextlib import ExitStack
from functools import lru_cache
from inspect import getattr_static, isawaitable, iscoroutine
from types import FunctionType
from typing import Any, TypeAlias, TypeVar

from msgspec.structs import replace

from fsm.engine.controller import TurnController
from fsm.engine.requests import (
    Answer,
    CheckState,
    Over,
    Perform,
    PlaceTriggers,
    Priority,
    Request,
    Resolve,
    answer_of,
)
from fsm.engine.trace import Answered, Record
from fsm.errors import AnswerError, HostError, shown, suggest
from fsm.hosts.history import History
from fsm.hosts.host import BaseHost, StackHost, WrappingHost, unwrapped
from fsm.model import Model
from fsm.model.elements import values_text
from fsm.model.model import per_model

_T = TypeVar("_T")
Steps: TypeAlias = Generator[tuple[Any, Sequence["WrappingHost"]], Any, _T]
"""A part of a conversation. It yields what is to be awaited and the hosts that may limit the wait,
and is sent the value.
"""
Host: TypeAlias = "BaseHost | WrappingHost"
Until: TypeAlias = Callable[[Request], bool] | None
Handler: TypeAlias = Callable[[Any], Any]

LIMIT = 10_000
LOOKED_AT = 20
"""So many of the answers of a host that is stopped are looked at, for what they tell."""
KINDS: Mapping[str, type[Any]] = {
    "on_perform": Perform,
    "on_priority": Priority,
    "on_check_state": CheckState,
    "on_place_triggers": PlaceTriggers,
    "on_resolve": Resolve,
}
_USUAL = {*dir(StackHost)}
_TELLING = bool, property, FunctionType
NOTICES = ("on_result", "on_expired", "on_triggered")
_PLAIN = frozenset((type(None), Answer))
"""What hosts usually return. It takes long to ask whether something else is to be awaited."""


class Changed(Exception):
    """The request has changed while the host was asked or waited for. The new one is asked."""


class Conversation:
    """What one host is told and asked in one game.

    Raises HostError if it is no host, or has a handler that the model never asks.
    """

    def __init__(self, game: TurnController, host: Any) -> None:
        self.game = game
        self.wrappers, self.host = unwrapped(host)
        self.name = type(self.host).__name__
        if not isinstance(self.host, BaseHost):
            raise HostError(
                f"{shown(self.host)} is no host: give an object of a class of fsm.BaseHost"
            )
        handlers = handlers_of(self.host, game.model)
        self.notices = [handlers.pop(name) for name in NOTICES]
        self.ways = {kind: handlers.pop(name) for name, kind in KINDS.items()}
        if handlers:
            perform = self.ways[Perform]
            self.ways[Perform] = lambda asked: handlers.get(f"on_{asked.action}", perform)(asked)
        before = self.host.before_asking
        is_default = getattr(before, "__func__", None) is BaseHost.before_asking
        self.before = None if is_default else before
        self.place, self.told = "", list[Set[tuple[str, bool]]]()

    def run(self, until: Until, limit: int) -> Steps[Request | Over]:
        """Let the host answer until the game is over, or a function of the request says so."""
        game, ways, wrappers = self.game, self.ways, self.wrappers
        prepares = bool(wrappers) or self.before is not None
        left, request, moves = limit, game.request, game.moves
        while type(request) is not Over and not (until is not None and until(request)):
            try:
                if prepares or request.orders or request.expired or request.triggered:
                    given = yield from self._asked(request)
                else:
                    given = ways[request.__class__](request)
                if given.__class__ is not Answer or given.orders or given.word == "acted":
                    given = yield from self._completed(request, given)
                else:
                    told = given.facts  # in place: the bar "turn" of benchmarks/bars.py
                    for name in request.quietly.facts:
                        if name not in told:
                            given = yield from self._completed(request, given)
                            break
                if game.request is not request:
                    self._check_same(request, moves)
            except Changed:
                request, moves = game.request, game.moves
                continue
            for wrapper in wrappers:
                wrapper.heard(request, given)
            left -= 1
            if not left:
                left = self._looked(request, given, limit)
            request = game.answer(given)
        return request

    def _looked(self, request: Request, answer: Answer, limit: int) -> int:
        """Return after how many answers to look again. Raise HostError if the turn stays where it
        was when the host was looked at before.
        """
        at = str(request.at)
        if at != self.place:
            self.place, self.told = at, []
            return limit
        self.told.append(answer.facts.items() - request.facts.items())
        if len(self.told) > LOOKED_AT:
            facts = values_text(set().union(*self.told))
            why = f"; the host tells that {facts}" if facts else ""
            raise HostError(f"{at}: more than {limit:,} answers{why}", kind="endless")
        return 1

    def _check_same(self, request: Request, moves: int) -> None:
        """Raise Changed if the game went back or forth while the host was asked, and AnswerError if
        something else has answered the request.
        """
        if self.game.moves != moves:
            if isinstance(self.game, History):
                self.game.undo(0)  # what the host has done since then is dropped with its answer
            raise Changed
        if not same(self.game.request, request):
            raise AnswerError(
                "the game went on while its host was asked: a host returns its answer, it does not "
                "give it"
            )

    def _asked(self, request: Request) -> Steps[Any]:
        """Tell the host what happened, and ask it, unless one that wraps it answers instead."""
        news = request.orders, request.expired, request.triggered
        for tell, told in zip(self.notices, news, strict=True):
            for one in told:
                yield from _done(tell(one))
        for wrapper in self.wrappers:
            answer = wrapper.instead(request)
            if answer is not None:
                return answer
        if self.before is not None:
            yield from _done(self.before(request))
        return self.ways[request.__class__](request)

    def _completed(self, request: Request, given: Any) -> Steps[Answer]:
        """Wait for the answer if need be. Return it with all facts that it may have to tell."""
        if given.__class__ not in _PLAIN and isawaitable(given):
            given = yield given, self.wrappers
            now = self.game.request
            if not isinstance(now, Over) and same(now, request):
                request = now  # somebody who left meanwhile may change what is read
        if given.__class__ not in _PLAIN:
            word = "acted" if type(request) is Priority else "done"
            text = f"{self.name} answers {shown(given)} to {request}, which is no answer"
            raise HostError(f"{text}; return request.{word}(...)")
        answer, told = (given, given.facts) if given else (request.quietly, {})
        facts = self._left_out(request, answer, told)
        if not given and facts == request.facts:
            return answer  # nobody has told anything
        facts |= told
        if answer.player:
            return replace(answer, facts=facts)
        return answer_of(answer.word, answer.orders, facts, automatic=answer.automatic)

    def _left_out(
        self, request: Request, answer: Answer, told: Mapping[str, bool]
    ) -> dict[str, bool]:
        """Return the facts that an answer leaves out, as the host tells them, or as they quietly
        are.
        """
        asked, found = {**request.quietly.facts}, dict[str, bool]()
        semantics = self.game.semantics
        for name in semantics.live:  # orders can lead to any guard, and what was done is no end
            if answer.orders or (answer.word == "acted" and semantics.quiet[name]):
                asked.setdefault(name, semantics.quiet[name])
        for name, quiet in asked.items():
            if name in told:
                continue
            value = self._told(name)
            if value is None and quiet and answer.word == "acted":  # it ends something
                raise HostError(
                    f"{self.name} answers 'acted' and does not tell {name!r}: write a member of "
                    f"this name, or derive the host from fsm.hosts.StackHost"
                )
            found[name] = quiet if value is None else value
        return found

    def _told(self, name: str) -> Any:
        """Return a fact as the member of its name tells it, else as `fact` does. What a property
        raises is raised.
        """
        host = self.host
        if name in vars(host) or hasattr(type(host), name):
            value = getattr(host, name)
            return value() if callable(value) else value
        return host.fact(name)


def _done(found: Any) -> Steps[None]:
    """Wait for what a method without an answer returns, if need be."""
    if found is not None and isawaitable(found):
        yield found, ()


def drive(
    game: TurnController, host: Host, *, until: Until = None, limit: int = LIMIT
) -> Request | Over:
    """Let a host answer until the game is over.

    A method of the host may undo answers of a `History`. What it changes of its state afterwards
    and what it returns are then dropped, and the new request is asked.

    Parameters
    ----------
    game
        The controller of the game, or a `History` of it.
    host
        The host that answers.
    until
        A function that gets each request before it is answered. If it returns True, `drive` stops
        there. What is to be done before each request belongs into `BaseHost.before_asking`.
    limit
        A host is stopped if it gives many more answers than this in the same step of a turn.

    Returns
    -------
    Request or Over
        The request that was not answered, or how the game ended.

    Raises
    ------
    HostError
        If the host has a method that the model never asks for, if it has to be awaited, if it does
        not tell what is needed, or if it passes the limit. The message says what would be right.
    AnswerError
        If something else answered the request while the host was asked.

    An error of the host is passed on. The game then still has the request that the host was asked.
    """
    steps = Conversation(game, host).run(until, limit)
    try:
        awaitable, _ = next(steps)
    except StopIteration as end:
        return end.value  # type: ignore[no-any-return]
    if iscoroutine(awaitable):
        awaitable.close()  # or Python warns that nobody has awaited it
    raise HostError(
        f"{game.request}: {shown(awaitable)} has to be awaited: drive this host with "
        f"`await fsm.aio.drive(game, host)`",
        kind="must-be-awaited",
    )


def same(now: Request | Over, request: Request | Over) -> bool:
    """Say whether a request is still the same after an order that was given meanwhile."""
    return now.at == request.at and now.asks == request.asks


# handlers ----------------------------------------------------------------------------------------


def handlers_of(host: Any, model: Model) -> dict[str, Handler]:
    """Return the handlers of a host, by name. Raises HostError if the model never asks for one, or
    if another member is misspelt.
    """
    known, names = _known(model), {*dir(host)}
    resolves = getattr(type(host), "resolve", None) is not StackHost.resolve
    for name in names - known - _USUAL:
        right, wrong = _right(name, model), ""
        if name.startswith("on_"):
            wrong = f"{model.name} asks for no such thing{suggest(name, known, limit=0)}"
        elif resolves if right == "resolve" else right in names:
            continue
        elif isinstance(getattr_static(host, name), _TELLING):
            wrong = f"did you mean {right!r}? If not, begin the name with an underscore"
        if wrong:
            raise HostError(f"{type(host).__name__}.{name}: {wrong}")
    return {name: getattr(host, name) for name in names & known}


@per_model  # see the bar "turn" of benchmarks/bars.py
def _known(model: Model) -> set[str]:
    """Return the names of all handlers that a host for this model may have."""
    known = {*KINDS, *NOTICES}
    for machine in model.machines.values():
        known.update(f"on_{leaf.action}" for leaf in machine.leaves if leaf.asks == "perform")
    return known


@lru_cache(maxsize=4096)
def _right(name: str, model: Model) -> str:
    """Return the fact of which a name is a misspelling, or "resolve", or the name itself."""
    from difflib import get_close_matches  # as in fsm.errors.suggest

    facts = [fact.name for machine in model.machines.values() for fact in machine.facts]
    rights = [] if name.startswith("_") else [*facts, "resolve"]
    near = get_close_matches(name, rights, 1, 0.85)
    return "".join(near) or name


# subscriptions -----------------------------------------------------------------------------------


def entering(game: TurnController, place: str, call: Callable[[Record], object]) -> ExitStack:
    """Call a function each time a part of the turn is entered.

    Parameters
    ----------
    game
        The controller of the game, or a `History` of it.
    place
        What is entered: "turn", the name or id of a phase or step, or the id of a state of the turn
        or its window.
    call
        The function to call. It gets the record of the transition that enters the place.

    Returns
    -------
    ExitStack
        Close it to end the subscription, or use it in a `with` statement.

    Raises
    ------
    AnswerError
        If the model has no such place.
    """
    model, targets = game.model, set[tuple[str, str]]()
    for name, machine in model.machines.items():
        targets.update((name, state) for state in machine.beginnings(place))
    if not targets:
        known = {state.name or state.id for state in model.states}
        AnswerError.known_name("place", place, known, model.name)

    def watcher(answered: Answered) -> None:
        for record in answered.records:
            if record.source != record.target and (record.machine, record.target) in targets:
                call(record)

    return game.watch(watcher)
