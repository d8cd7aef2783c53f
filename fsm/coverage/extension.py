"""The extension interface of coverage. An extension adds games, proofs, rulesets and pictures."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Protocol, TypeGuard

from fsm.adapters import model_of
from fsm.adapters.naming import machine_behind, named
from fsm.coverage.feasibility import Feasibility
from fsm.errors import CoverageError

if TYPE_CHECKING:
    from fsm.coverage.data import Data, OpenWalk, Passage, Refused
    from fsm.coverage.target import Result, Target
    from fsm.model import Model
    from fsm.model.graph import Arc, Graph


class Recorder(Protocol):
    """Takes what an instrument records, as a `Buffer` does.

    `listening` says whether it is to `hear` the firings of games one by one.
    """

    listening: bool

    def hear(self, of: tuple[int, ...], firings: Iterable[tuple[str, str, str]]) -> None:
        """Hear what fired in a game, in order: machine, transition and state."""

    def took(self, walk: OpenWalk, passages: Sequence[Passage], context: str | None = None) -> None:
        """Record what fired in a walk, in a context, or in the current one."""

    def walked(
        self, walk: OpenWalk, whole: Mapping[tuple[Passage, ...], int], context: str | None = None
    ) -> None:
        """Record whole walks like this one, and how many there were of each."""

    def refused(self, walk: OpenWalk, refused: Refused) -> None:
        """Record that an event was tried where it is not possible."""

    def ended(self, walk: OpenWalk) -> None:
        """End the walk."""


class Instrument:
    """Records one kind of machine in this process."""

    def watch(self) -> None:
        """Begin to record."""

    def stop(self) -> None:
        """Stop recording, and restore everything."""

    def settle(self) -> None:
        """Pass on what is pending."""

    def after_fork(self) -> None:
        """Begin anew in a forked child. The parent passes on what is pending."""


class Recording(Protocol):
    """A recorded game, such as a `Trace`: its firings and answers, in order."""

    @property
    def entries(self) -> Sequence[object]:
        """The firings and answers."""


class Standing(Protocol):
    """The position of a game."""

    @property
    def stage(self) -> str:
        """The state in which the turn is."""


class Game(Protocol):
    """A running game."""

    @property
    def model(self) -> Model:
        """Its Model."""

    @property
    def position(self) -> Standing:
        """Its position."""


@dataclass(frozen=True, slots=True)
class Format:
    """A kind of report: the file it goes to by default, and the function that makes the texts of
    its files, by path.
    """

    file: str
    written: Callable[[Sequence[Result], str], Mapping[str, str]]


class Extension:
    """The base class of extensions of coverage. It adds nothing."""

    game_class = ""
    """The name of the class of games, for messages, or "" if the extension does not know games."""

    def is_game(self, watched: object) -> TypeGuard[Game]:
        """Say whether an object is a game that the instruments record."""
        return False

    @property
    def version(self) -> str:
        """The version of the proofs, as another one may prove something else. It is "" if nothing
        can be proved.
        """
        return ""

    def instruments(self, buffers: Sequence[Recorder]) -> Sequence[Instrument]:
        """Return the instruments besides the one for machines of the `transitions` library."""
        return ()

    def data_of(self, model: Model, game: Recording, context: str) -> Data:
        """Return the data of a recorded game. Raises CoverageError if the extension does not know
        games.
        """
        raise CoverageError("recorded games cannot be read without turn-fsm")

    def feasibility(self, graph: Graph) -> Feasibility:
        """Return what is known about the parts that no run can take."""
        return Feasibility(graph)

    def way_to(self, model: Model, criterion: str, target: Target) -> tuple[Arc, ...]:
        """Return the firings of a run that takes a target, or () if none is found quickly."""
        return ()

    def built_in(self, name: str) -> Model | None:
        """Return the built-in model of this name with options, or None. Data need not contain
        built-in models.
        """
        return None

    def check(self, spec: str) -> None:
        """Check a name as far as possible before the tests are imported. Raises FsmError if it is
        wrong.
        """
        if ":" not in spec:
            raise CoverageError(f"{spec!r} names no machine: write module:attribute")

    def machine(self, spec: str) -> Any:
        """Return the machine that `module:attribute` names, or a Model. Raises FsmError if there is
        none.
        """
        self.check(spec)
        found = named(spec, "machine", CoverageError)
        machine = machine_behind(found)
        if machine is None:
            raise CoverageError(
                f"machine {spec!r} is a {type(found).__name__}, but must be a machine of the transitions library, an "
                "object that one drives, or a class or function that makes one of them"
            )
        return machine

    def named(self, spec: str) -> Model:
        """Return the model of a name, a `module:attribute` or a file. Raises FsmError if there is
        none.
        """
        return model_of(self.machine(spec))

    def formats(self) -> Mapping[str, Format]:
        """Return more kinds of reports, by name."""
        return {}


_proving: ContextVar[bool] = ContextVar("fsm_coverage_proving", default=True)


@contextmanager
def unproved() -> Iterator[None]:
    """Prove nothing while the block runs: everything counts as possible."""
    token = _proving.set(False)
    try:
        yield
    finally:
        _proving.reset(token)


def feasibility_of(graph: Graph) -> Feasibility:
    """Return what is known about the parts that no run can take."""
    return extension().feasibility(graph) if _proving.get() else Feasibility(graph)


@cache
def extension() -> Extension:
    """Return the extension that adds games, proofs, rulesets and pictures."""
    from fsm.testing.coverage import GamesExtension

    return GamesExtension()
