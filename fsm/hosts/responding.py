"""How a host is asked: which of its methods a request goes to, and which of its members tell facts.

What a host returns may have to be awaited. So each conversation with a host is a generator: it
yields what the host returned, and is sent the value of it. `settled` runs one for a plain host,
`fsm.aio` for a host that waits.
"""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Collection, Generator, Iterable, Iterator, Mapping
from inspect import isawaitable, iscoroutine, iscoroutinefunction, isfunction
from types import MappingProxyType
from typing import Any, Generic, TypeAlias, TypeGuard, TypeVar
from weakref import WeakKeyDictionary

from fsm.engine.answers import game_facts
from fsm.engine.requests import (
    Answer,
    CheckState,
    Perform,
    PlaceTriggers,
    Priority,
    Request,
    Resolve,
    fact_names_of,
)
from fsm.errors import AnswerError, HostError, near_to, suggest
from fsm.hosts.game import Game
from fsm.model import Model
from fsm.model.model import per_model

_T = TypeVar("_T")
_W = TypeVar("_W", bound="WrappingHost")
Steps: TypeAlias = Generator[Any, Any, _T]
"""A conversation: yields what a host returned, is sent its value, and returns what came of it."""
Way: TypeAlias = Callable[[Any], Any]

KINDS: Mapping[str, type[Any]] = {
    "on_priority": Priority,
    "on_check_state": CheckState,
    "on_place_triggers": PlaceTriggers,
    "on_resolve": Resolve,
}
"""The handlers of requests that are not named after an action."""
_FIXED = frozenset(("on_perform", *KINDS, "on_result", "on_expired", "on_triggered"))
_ABSENT = object()
"""Stands for a member that the host does not have."""


class HostWarning(UserWarning):
    """A host has a member that looks like a misspelt fact, which nobody reads."""


class HandlerHost:
    """A host with `on_...` handlers: `fsm.BaseHost` and `fsm.aio.BaseHost`."""


class WrappingHost(ABC):
    """A host that answers for another host."""

    @abstractmethod
    def responder(self, game: Game) -> Responder:
        """Return what answers for a game."""


class Stopped(Exception):
    """Carries a StopIteration of the host out of a conversation. Python lets none out of a
    generator.
    """

    def __init__(self, error: StopIteration) -> None:
        super().__init__(error)
        self.error = error


def _called(method: Callable[..., _T], *given: object) -> _T:
    """Call a method of the host."""
    try:
        return method(*given)
    except StopIteration as error:
        raise Stopped(error) from None


class Responder(ABC):
    """Answers for one game what its host says.

    Attributes
    ----------
    ways
        What is called with a request of each type. It returns an Answer, or None if nobody decided
        anything.
    hears
        Whether each request needs a whole conversation, also if no duration has ended and nothing
        has triggered.
    """

    ways: Mapping[type[Any], Way] = MappingProxyType({})
    hears: bool = True

    def __init__(self, host: object, game: Game) -> None:
        self.host: object = host
        self.game: Game = game
        self.name: str = type(host).__name__

    def answering(self, request: Request) -> Steps[Answer]:
        """Tell the host what happened, ask it, and complete its answer by the facts that it leaves
        out.
        """
        yield from self.notices(request)
        given = yield from self.asking(request)
        return (yield from self.completing(request, given))

    def finishing(self, request: Request, given: Any) -> Steps[Answer]:
        """Complete what a handler has returned, which may have to be awaited."""
        return (yield from self.completing(request, (yield given)))

    @abstractmethod
    def asking(self, request: Request) -> Steps[Any]:
        """Ask the host, and return what its method returned."""

    @abstractmethod
    def notices(self, request: Request) -> Steps[None]:
        """Tell the host what happened before this request."""

    @abstractmethod
    def completing(self, request: Request, given: Any) -> Steps[Answer]:
        """Complete what a handler returned by the facts that it leaves out."""

    @property
    @abstractmethod
    def waits(self) -> str:
        """A method of the host that has to be awaited, or ""."""


class HandlersResponder(Responder):
    """Asks a `BaseHost`, plain or for asyncio: by its handlers, and by members that have the names
    of facts.
    """

    def __init__(self, host: Any, game: Game) -> None:
        super().__init__(host, game)
        self._acted: object = None
        self._facts = game_facts(game.model)
        kind = type(host)
        self._live = tuple(name for name, fact in self._facts.items() if fact.timing == "live")
        self._of_class = frozenset(name for name in self._facts if hasattr(kind, name))
        self._of_host = vars(host)  # an attribute may be set while the game is played
        self._told_by_all = _own(host, "fact") or hasattr(kind, "__getattr__")
        handlers = _handlers(host, game.model)
        _warn_of_misspelt_facts(host, game.model, handlers)
        self.hears = "on_result" in handlers
        self._by_action = {name[3:]: handlers[name] for name in handlers.keys() - _FIXED}
        perform = handlers.get("on_perform", _nobody)
        kinds = {kind: handlers.get(name, _nobody) for name, kind in KINDS.items()}
        self.ways = {
            Perform: self._performing(perform) if self._by_action else perform,
            **kinds,
        }

    def _performing(self, perform: Way) -> Way:
        by_action = self._by_action

        def performed(request: Perform) -> Any:
            return by_action.get(request.action, perform)(request)

        return performed

    def asking(self, request: Request) -> Steps[Any]:
        """Ask the handler of the request."""
        return (yield _called(self.ways[request.__class__], request))

    def notices(self, request: Request) -> Steps[None]:
        """Tell the host of orders, durations and triggers."""
        host: Any = self.host
        if self.hears:
            for result in self.game.results:
                yield _called(host.on_result, result)
        for id in request.expired:
            yield _called(host.on_expired, id)
        for id in request.triggered:
            yield _called(host.on_triggered, id)

    def completing(self, request: Request, given: Any) -> Steps[Answer]:
        """Tell each missing fact by the member of its name, else by `fact`, else by its quiet
        value.
        """
        missing: tuple[str, ...] = request.facts
        if given is not None:
            if given.__class__ is not Answer:
                return given  # type: ignore[no-any-return]  # the controller refuses it
            missing = tuple([name for name in missing if name not in given.facts])
            if given.word == "acted":
                self._acted = _window(request)
        told = {}
        may_be_read = (
            self._live if given is not None and given.orders else ()
        )  # orders can lead to any guard
        for name in dict.fromkeys((*missing, *may_be_read)):
            if not (self._told_by_all or name in self._of_class or name in self._of_host):
                continue
            value = yield _called(self._tell, name)
            if value is not None:
                told[name] = self._checked(name, value)
        if missing and self._acted is not None:
            self._check_quiet(request, missing, told)
        if given is None:
            return request.quiet(**told)
        if not (missing or may_be_read):
            return given  # type: ignore[no-any-return]
        quiet = {name: self._facts[name].is_quietly for name in may_be_read}
        return _with_facts(given, {**quiet, **fact_names_of(request).quiet, **told})

    def _tell(self, name: str) -> Any:
        host: Any = self.host
        if name in self._of_class or name in self._of_host:
            value = getattr(host, name)  # what a property raises is raised
        else:
            value = getattr(host, name, _ABSENT)
            if value is _ABSENT:
                return host.fact(name)
        return value() if callable(value) else value

    def _checked(self, name: str, value: object) -> bool:
        if value.__class__ is not bool:
            raise HostError(
                f"{self.name}.{name} must be true or false, or a method that returns it, not {value!r}",
                kind="wrong-value",
                place=f"{self.name}.{name}",
                found=value,
            )
        return value

    def _check_quiet(
        self, request: Request, missing: tuple[str, ...], told: Mapping[str, bool]
    ) -> None:
        """A fact that is quietly true ends something: after somebody has acted there, it must be
        told.
        """
        if self._acted != _window(request):
            self._acted = None
            return
        quiet = fact_names_of(request).quiet
        for name in missing:
            if name not in told and quiet[name]:
                raise HostError(
                    f"{self.name} answers 'acted' and does not tell {name!r} ({self._facts[name].doc}): write a member "
                    f"{name}, which is true or false or a method, or derive the host from fsm.hosts.StackHost"
                )

    @property
    def waits(self) -> str:
        """A handler that is a coroutine function, or ""."""
        names = (*_handlers(self.host, self.game.model), "fact", *self._facts, "resolve")
        kind, own = (
            type(self.host),
            vars(self.host),
        )  # not the host itself: that would run its properties
        return next(
            (
                name
                for name in names
                if iscoroutinefunction(own.get(name) or getattr(kind, name, None))
            ),
            "",
        )


class WrappingResponder(Responder, Generic[_W]):
    """Asks the host that another host wraps."""

    def __init__(self, wrapping: _W, host: object, game: Game) -> None:
        super().__init__(host, game)
        self.wrapping: _W = wrapping
        self.inner: Responder = responder_of(host, game)

    def notices(self, request: Request) -> Steps[None]:
        """Tell the host what happened."""
        return self.inner.notices(request)

    def asking(self, request: Request) -> Steps[Any]:
        """Ask the host."""
        return self.inner.asking(request)

    def completing(self, request: Request, given: Any) -> Steps[Answer]:
        """Complete what the host returned."""
        return self.inner.completing(request, given)

    @property
    def waits(self) -> str:
        """A method of the host that has to be awaited, or ""."""
        return self.inner.waits


def responder_of(host: object, game: Game) -> Responder:
    """Return what answers for a game as this host says.

    Raises
    ------
    HostError
        If the host has a handler that the model never asks, or is no host.
    """
    if isinstance(host, type):
        raise HostError(f"{host.__name__} is a class: give {host.__name__}(), an object of it")
    if not hasattr(game, "answer"):
        raise HostError(
            f"a {type(game).__name__} is no game: give a TurnController, and then the host"
        )
    if isinstance(host, WrappingHost):
        return host.responder(game)
    if not isinstance(host, HandlerHost):
        raise HostError(f"{type(host).__name__} is no host: derive it from fsm.BaseHost")
    return HandlersResponder(host, game)


_PLAIN = frozenset((type(None), bool, dict, Answer))
"""What hosts usually return. It takes long to ask whether something else is to be awaited."""


def is_awaited(value: object) -> TypeGuard[Awaitable[Any]]:
    """Say whether a value has to be awaited."""
    return value.__class__ not in _PLAIN and isawaitable(value)


def settled(steps: Steps[_T], responder: Responder) -> _T:
    """Run a conversation with a host that does not wait."""
    value = None
    try:
        while True:
            value = steps.send(value)
            if is_awaited(value):
                if iscoroutine(value):
                    value.close()  # or Python warns that nobody has awaited it
                raise waits(responder)
    except StopIteration as end:
        return end.value  # type: ignore[no-any-return]
    except Stopped as carried:
        raise carried.error from None


def waits(responder: Responder) -> HostError:
    """Return the error for a host that has to be awaited."""
    method = responder.waits
    which = f"{responder.name}.{method}" if method else f"a method of {responder.name}"
    return HostError(
        f"{which} has to be awaited: drive this host with `await fsm.aio.drive(game, host)`",
        kind="must-be-awaited",
    )


def went_on() -> AnswerError:
    """Return the error for a request that was answered by something else while the host was asked."""
    return AnswerError(
        "the game went on while its host was asked: a host returns its answer, it does not give it"
    )


def over() -> AnswerError:
    """Return the error for a question when the game is over."""
    return AnswerError("the game is over: there is nothing to answer", kind="game-over")


def _own(host: object, name: str) -> bool:
    """Say whether a host has more than the default of this method."""
    method = getattr(host, name)
    return not getattr(getattr(method, "__func__", method), "is_default", False)


def default(method: _T) -> _T:
    """Mark the default of a handler. It is never called: nobody decides anything."""
    method.is_default = True  # type: ignore[attr-defined]
    return method


@per_model
def _known(model: Model) -> frozenset[str]:
    """Return the names of all handlers that a host for this model may have."""
    return _FIXED | {
        f"on_{leaf.action}"
        for machine in model.machines.values()
        for leaf in machine.leaves
        if leaf.asks == "perform" and leaf.action
    }


def _unknown(name: str, model: Model) -> str:
    """Say what is wrong with a handler that the model never asks."""
    kind = next(
        (s.kind for s in model.states if s.name == name[3:] and s.kind in ("step", "phase")), None
    )
    if kind is not None:
        return f"{name[3:]} is a {kind}, not an action; fsm.hosts.entering tells that it begins"
    return f"{model.name} asks for no such thing{suggest(name, _known(model))}"


CLOSE = 0.8
"""How like a fact, from 0 to 1, a name is that is taken for a misspelt one."""


def _warn_of_misspelt_facts(host: object, model: Model, handlers: Collection[str]) -> None:
    """Warn of members that could tell a fact if they had its name: true or false, properties, and
    plain methods.

    A member is left alone if its name begins with an underscore, or if the host also has the fact
    that it resembles.
    """
    kind: type = type(host)
    own = [
        *_members(kind),
        *(name for name, value in vars(host).items() if value.__class__ is bool),
    ]
    for name, fact in _misspelt(model, own):
        if name not in handlers and fact not in own:
            text = f"{kind.__name__}.{name}: {model.name} has no such fact; did you mean {fact!r}? If not, write _{name}"
            warnings.warn(text, HostWarning, stacklevel=5)  # where the game is driven


_MEMBERS: WeakKeyDictionary[type, tuple[str, ...]] = WeakKeyDictionary()


def _members(kind: type) -> tuple[str, ...]:
    """Return the members of a host's classes that could tell a fact. Those of this package are left
    out.
    """
    if kind not in _MEMBERS:
        found = {
            name: value
            for base in kind.__mro__[::-1]
            if not _is_ours(base)
            for name, value in vars(base).items()
        }
        _MEMBERS[kind] = tuple(
            name
            for name, value in found.items()
            if isinstance(value, bool | property) or _takes_nothing(value)
        )
    return _MEMBERS[kind]


def _is_ours(kind: type) -> bool:
    return kind is object or kind.__module__.partition(".")[0] in ("fsm", "typing", "abc")


def _takes_nothing(value: object) -> bool:
    return (
        isfunction(value)
        and value.__code__.co_argcount == 1
        and not value.__code__.co_kwonlyargcount
    )


@per_model
def _facts_by_member(model: Model) -> dict[str, str]:
    """Return the fact that each member looked at so far resembles, or ""."""
    return {}


def _misspelt(model: Model, names: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield each name that is like that of a fact, with the fact."""
    known, facts = _facts_by_member(model), game_facts(model)
    for name in names:
        if name not in known:
            known[name] = (
                ""
                if name.startswith(("_", "on_")) or name in facts
                else near_to(name, facts, cutoff=CLOSE)
            )
        if known[name]:
            yield name, known[name]


@per_model
def _of_classes(model: Model) -> WeakKeyDictionary[type, tuple[str, ...]]:
    """Return the handlers of classes that were checked. A class may be collected all the same."""
    return WeakKeyDictionary()


def _handlers(host: object, model: Model) -> dict[str, Way]:
    """Return the handlers of a host that are more than a default.

    Raises
    ------
    HostError
        If the model never asks for one, or if one cannot be called.
    """
    classes, kind = _of_classes(model), type(host)
    names = classes.get(kind)
    if names is None:
        names = classes[kind] = tuple(_checked_names(kind, dir(kind), kind, model))
    return {
        name: getattr(host, name)
        for name in (*names, *_checked_names(host, vars(host), kind, model))
    }


def _checked_names(owner: object, names: Iterable[str], kind: type, model: Model) -> Iterator[str]:
    for name in names:
        if not name.startswith("on_"):
            continue
        if not callable(getattr(owner, name)):
            raise HostError(f"{kind.__name__}.{name} must be a method")
        if not _own(owner, name):
            continue
        if name not in _known(model):
            raise HostError(f"{kind.__name__}.{name}: {_unknown(name, model)}")
        yield name


def _window(request: Request) -> tuple[object, ...]:
    """Return the window in which a request is made, as far as it can be told."""
    at = request.at
    return (at.turn, at.phase, at.step, at.iteration, at.stage)


def _with_facts(answer: Answer, facts: Mapping[str, bool]) -> Answer:
    """Return the answer with these facts added. The answer's own facts prevail."""
    return Answer(
        answer.word, {**facts, **answer.facts}, answer.orders, answer.signal, answer.automatic
    )


def _nobody(request: object) -> None:
    """Answer for a host that has nothing to say."""
