"""The conversation between a game and its host. `drive` and `fsm.aio.drive` run the same one.

What a host returns may have to be awaited. So a conversation is a generator: it yields what is to
be awaited, and is sent the value.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from functools import cached_property, lru_cache
from inspect import isawaitable, iscoroutine, iscoroutinefunction
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from fsm.engine.requests import (
    Answer,
    CheckState,
    Over,
    Perform,
    PlaceTriggers,
    Position,
    Priority,
    Request,
    Resolve,
)
from fsm.errors import AnswerError, HostError, suggest
from fsm.hosts.endless import LIMIT, Watch
from fsm.hosts.host import BaseHost, HandlerHost
from fsm.model import Model
from fsm.model.model import per_model

if TYPE_CHECKING:
    from fsm.hosts.history import Game

_T = TypeVar("_T")
Steps: TypeAlias = Generator[Any, Any, _T]
"""A part of a conversation: it yields what is to be awaited, and is sent the value of that."""
Until: TypeAlias = Callable[[Request], bool] | None
Handler: TypeAlias = Callable[[Any], Any]

KINDS: Mapping[str, type[Any]] = {
    "on_perform": Perform,
    "on_priority": Priority,
    "on_check_state": CheckState,
    "on_place_triggers": PlaceTriggers,
    "on_resolve": Resolve,
}
NOTICES = ("on_result", "on_expired", "on_triggered")
_FIXED = frozenset((*KINDS, *NOTICES))
_PLAIN = frozenset((type(None), bool, Answer))
"""What hosts usually return. It takes long to ask whether something else is to be awaited."""


class Changed(Exception):
    """Thrown into a conversation: the request has changed while the host was waited for."""


class WrappingHost:
    """A host that answers for another host, in `host`. It may wrap one that wraps another."""

    host: Any

    def instead(self, request: Request) -> Answer | None:
        """Return an answer for which the host is not asked, or None to ask it."""
        return None

    def waiting(self, request: Request, awaitable: Any) -> Any:
        """Return what is awaited in place of what the host returned."""
        return awaitable

    def heard(self, request: Request, answer: Answer) -> None:
        """Hear an answer, right before it is given to the game."""

    def save(self) -> Any:
        """Return what this host remembers itself, as plain JSON values."""
        return None

    def load(self, saved: Any) -> None:
        """Remember what `save` returned."""


def unwrapped(host: Any) -> tuple[list[WrappingHost], Any]:
    """Return the hosts that wrap others, the outermost first, and the one inside."""
    wrappers = list[WrappingHost]()
    while isinstance(host, WrappingHost):
        wrappers.append(host)
        host = host.host
    return wrappers, host


class Conversation:
    """What one host is told and asked in one game. `awaits`: by a loop that waits for it.

    Raises HostError if it is no host, or has a handler that the model never asks.
    """

    def __init__(self, game: Game, host: Any, *, awaits: bool = False) -> None:
        self.game, self.awaits = game, awaits
        self.wrappers, self.host = unwrapped(host)
        _check(self.host)
        self.name, self.kind = type(self.host).__name__, type(self.host)
        self.handlers = handlers_of(self.host, game.model)
        self.ways = {kind: self.handlers.get(name, _nobody) for name, kind in KINDS.items()}
        by_action = {n[3:]: handler for n, handler in self.handlers.items() if n not in _FIXED}
        if by_action:
            perform = self.ways[Perform]
            self.ways[Perform] = lambda request: by_action.get(request.action, perform)(request)
        before = self.host.before_asking
        self.before = None if _is_default("before_asking", before) else before
        self.facts = game.semantics.facts
        self.of_class = frozenset(name for name in self.facts if hasattr(self.kind, name))
        self.of_host = vars(self.host)  # an attribute may be set while the game is played
        self.any_fact = not _is_default("fact", self.host.fact)
        self.acted: object = None

    # the whole of it -----------------------------------------------------------------------------

    def run(self, until: Until, limit: int) -> Steps[Request | Over]:
        """Let the host answer until the game is over, or a function of the request says so."""
        game, ways, plain = self.game, self.ways, not self.wrappers and self.before is None
        watch, left, request = Watch(game, limit), limit, game.request
        while type(request) is not Over and not (until is not None and until(request)):
            try:
                if plain and not (request.orders or request.expired or request.triggered):
                    answer = ways[request.__class__](request)  # usually it needs no more than this
                    if not _is_whole(request, answer):
                        answer = yield from self._completed(request, answer)
                else:
                    answer = yield from self.answer(request)
            except Changed:
                request = game.request
                continue
            left -= 1
            if not left:
                left = watch.look(request, answer)
            if game.request is not request:
                self._check_same(request)
            request = game.answer(answer)
        return request

    def once(self) -> Steps[Request | Over]:
        """Let the host answer one request."""
        while True:
            request = self.game.request
            if isinstance(request, Over):
                raise AnswerError("the game is over: there is nothing to answer", kind="game-over")
            try:
                answer = yield from self.answer(request)
            except Changed:
                continue
            self._check_same(request)
            return self.game.answer(answer)

    def _check_same(self, request: Request) -> None:
        """Raise AnswerError if something else has answered the request."""
        if not same(self.game.request, request):
            raise AnswerError(
                "the game went on while its host was asked: a host returns its answer, it does not "
                "give it"
            )

    def answer(self, request: Request) -> Steps[Answer]:
        """Tell the host what happened, ask it, and complete its answer."""
        if request.orders or request.expired or request.triggered:
            for notice in self._notices(request):
                yield from _value(notice)
        given: Any = None
        for wrapper in self.wrappers:
            given = given if given is not None else wrapper.instead(request)
        if given is None:
            if self.before is not None:
                yield from _value(self.before(request))
            given = self.ways[request.__class__](request)
            if self.awaits and given.__class__ not in _PLAIN and isawaitable(given):
                for wrapper in reversed(self.wrappers):
                    given = wrapper.waiting(request, given)
        given = yield from self._completed(request, given)
        for wrapper in self.wrappers:
            wrapper.heard(request, given)
        return given  # type: ignore[no-any-return]

    def _notices(self, request: Request) -> Iterator[Any]:
        """Tell the host of orders, durations and triggers. Yield what its methods return."""
        news = zip(NOTICES, (request.orders, request.expired, request.triggered), strict=True)
        for name, told in news:
            for one in told if name in self.handlers else ():
                yield self.handlers[name](one)

    # facts ---------------------------------------------------------------------------------------

    def _completed(self, request: Request, given: Any) -> Steps[Any]:
        """Return the answer with the facts that it leaves out, each as its member tells it, else as
        `fact` does, else at its quiet value.
        """
        if given.__class__ not in _PLAIN and isawaitable(given):
            given = yield given
        if given is None:
            told = yield from self._facts(request.facts)
            if self.acted is not None:
                self._check_quiet(request, told)
            return request.quiet(**told)
        if given.__class__ is not Answer or _is_whole(request, given):
            return given  # if it is no answer, the game refuses it
        # orders can lead to any guard
        names = {**self._live, **request.facts} if given.orders else request.facts
        told = yield from self._facts([name for name in names if name not in given.facts])
        told.update(given.facts)
        if given.word == "acted":
            self.acted = _visit(request.at)
        if self.acted is not None:
            self._check_quiet(request, told)
        return Answer(given.word, {**names, **told}, given.orders, given.automatic)

    @cached_property
    def _live(self) -> dict[str, bool]:
        """The facts that orders may make matter, with their quiet values."""
        live = (fact for fact in self.facts.values() if fact.timing == "live")
        return {fact.name: fact.is_quietly for fact in live}

    def _facts(self, names: Iterable[str]) -> Steps[dict[str, bool]]:
        """Return what the host tells of these facts. What a property raises is raised."""
        told = dict[str, bool]()
        for name in names:
            if name in self.of_class or name in self.of_host:
                member = getattr(self.host, name)
                value: Any = member() if callable(member) else member
            elif self.any_fact:
                value = self.host.fact(name)
            else:
                continue
            if value.__class__ is not bool:
                value = yield from self._checked(name, value)
            if value is not None:
                told[name] = value
        return told

    def _checked(self, name: str, value: Any) -> Steps[bool | None]:
        """Return what was told of a fact, which may have to be awaited."""
        value = yield from _value(value)
        if value is None or isinstance(value, bool):
            return value
        place = f"{self.name}.{name}"
        raise HostError(
            f"{place} must be true or false, or a method that returns it, not {value!r}",
            kind="wrong-value",
            place=place,
            found=value,
        )

    def _check_quiet(self, request: Request, told: Mapping[str, bool]) -> None:
        """A fact that is quietly true ends something: after somebody has acted, it must be told."""
        if self.acted != _visit(request.at):
            self.acted = None
            return
        for name, quiet in request.facts.items():
            if quiet and name not in told:
                raise HostError(
                    f"{self.name} answers 'acted' and does not tell {name!r} "
                    f"({self.facts[name].doc}): write a member {name}, which is true or false or a "
                    f"method, or derive the host from fsm.hosts.StackHost"
                )

    # hosts that wait -----------------------------------------------------------------------------

    @property
    def waits(self) -> str:
        """A method of the host that is a coroutine function, or ""."""
        for name in (*self.handlers, "resolve", "before_asking", "fact", *self.of_class):
            # not of the host itself: that would run its properties
            member = self.of_host.get(name) or getattr(self.kind, name, None)
            if iscoroutinefunction(member):
                return name
        return ""

    def must_wait(self) -> HostError:
        """Return the error for a host that has to be awaited."""
        which = f"{self.name}.{self.waits}" if self.waits else f"a method of {self.name}"
        return HostError(
            f"{which} has to be awaited: drive this host with `await fsm.aio.drive(game, host)`",
            kind="must-be-awaited",
        )


def drive(
    game: Game, host: BaseHost | WrappingHost, *, until: Until = None, limit: int = LIMIT
) -> Request | Over:
    """Let a host answer until the game is over.

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
        A host is stopped if it gives more than this many answers in the same step of a turn, and
        nobody acts.

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
    talk = Conversation(game, host)
    return _settled(talk, talk.run(until, limit))


def ask(game: Game, host: BaseHost | WrappingHost) -> Request | Over:
    """Let a host answer one request.

    Parameters
    ----------
    game
        The controller of the game, or a `History` of it.
    host
        The host that answers.

    Returns
    -------
    Request or Over
        The next request.

    Raises
    ------
    AnswerError
        If the game is over, or if something else answered the request while the host was asked.
    HostError
        As `drive` does.
    """
    talk = Conversation(game, host)
    return _settled(talk, talk.once())


def _settled(talk: Conversation, steps: Steps[_T]) -> _T:
    """Run a conversation with a host that does not wait."""
    if talk.waits:
        raise talk.must_wait()
    try:
        awaitable = next(steps)
    except StopIteration as end:
        return end.value  # type: ignore[no-any-return]
    except RuntimeError as error:
        if isinstance(error.__cause__, StopIteration):  # Python lets none out of a generator
            raise error.__cause__ from None
        raise
    if iscoroutine(awaitable):
        awaitable.close()  # or Python warns that nobody has awaited it
    raise talk.must_wait()


def same(now: Request | Over, request: Request | Over) -> bool:
    """Say whether a request is still the same after an order that was given meanwhile."""
    alike = (now.at, now.state, now.by) == (request.at, request.state, request.by)
    return type(now) is type(request) and alike


# handlers ----------------------------------------------------------------------------------------


def handlers_of(host: Any, model: Model) -> dict[str, Handler]:
    """Return the handlers of a host that are more than a default, by name.

    Raises HostError if the model never asks for one, or if one cannot be called.
    """
    known, found = _known(model), dict[str, Handler]()
    own = [name for name in vars(host) if name.startswith("on_")]
    for name in (*_handler_names(type(host)), *own):  # type: ignore[arg-type]
        handler = getattr(host, name)
        place = f"{type(host).__name__}.{name}"
        if not callable(handler):
            raise HostError(f"{place} must be a method", place=place)
        if _is_default(name, handler):
            continue
        if name in known:
            found[name] = handler
        elif not handler.__module__.startswith("fsm.hosts."):
            raise HostError(f"{place}: {_unknown(name, model)}", place=place)
    return found


@lru_cache(64)  # for the bar "turn"
def _handler_names(kind: type) -> tuple[str, ...]:
    return tuple(name for name in dir(kind) if name.startswith("on_"))


@per_model  # for the bar "turn"
def _known(model: Model) -> set[str]:
    """Return the names of all handlers that a host for this model may have."""
    known = {*_FIXED}
    for machine in model.machines.values():
        actions = [leaf.action for leaf in machine.leaves if leaf.asks == "perform"]
        known.update(f"on_{action}" for action in actions)
    return known


def _unknown(name: str, model: Model) -> str:
    """Say what is wrong with a handler that the model never asks."""
    for state in model.states:
        if state.name == name[3:] and state.kind in ("step", "phase"):
            return (
                f"{state.name} is a {state.kind}, not an action; fsm.hosts.entering tells that it "
                f"begins"
            )
    return f"{model.name} asks for no such thing{suggest(name, _known(model))}"


def _check(host: object) -> None:
    """Raise HostError unless this is a host."""
    if isinstance(host, type):
        raise HostError(f"{host.__name__} is a class: give {host.__name__}(), an object of it")
    if not isinstance(host, HandlerHost):
        raise HostError(f"{type(host).__name__} is no host: derive it from fsm.BaseHost")


def _is_default(name: str, handler: Any) -> bool:
    return getattr(handler, "__func__", handler) is vars(HandlerHost).get(name)


def _nobody(request: object) -> None:
    """Answer for a host that has nothing to say."""


def _value(found: Any) -> Steps[Any]:
    """Return a value, which may have to be awaited."""
    if found.__class__ not in _PLAIN and isawaitable(found):
        found = yield found
    return found


def _is_whole(request: Request, given: Any) -> bool:
    """Whether an answer tells all that it may have to tell."""
    if given.__class__ is not Answer or given.word == "acted" or given.orders:
        return False
    told = given.facts
    for name in request.quietly.facts:  # noqa: SIM110 -- `all` of a generator takes three times as long
        if name not in told:
            return False
    return True


def _visit(at: Position) -> tuple[object, ...]:
    """Return the window in which a request is made, as far as it can be told."""
    return at.turn, at.phase, at.step, at.iteration, at.stage
