"""The extension interface of coverage. An extension adds games, proofs, rulesets and pictures.

`fsm.extensions` says where the extension is, so that this folder imports nothing above it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Protocol

from fsm.coverage.feasibility import Feasibility
from fsm.errors import CoverageError
from fsm.extensions import coverage_extension

if TYPE_CHECKING:
    from fsm.coverage.data import Data, FiringKey, Literal, OpenWalk, Refused
    from fsm.coverage.target import Result, Target
    from fsm.model import Model
    from fsm.model.graph import Arc, Graph


class Recorder(Protocol):
    """Takes what an instrument records, as a `Buffer` does."""

    def fired(self, walk: OpenWalk, step: FiringKey, literals: Iterable[Literal] = ()) -> None:
        """Record that a transition fired and that these literals decided."""

    def refused(self, walk: OpenWalk, refused: Refused) -> None:
        """Record that an event was tried where it is not possible."""

    def ended(self, walk: OpenWalk) -> None:
        """End the walk."""


class Instrument(Protocol):
    """Records one kind of machine in this process."""

    def watch(self) -> None:
        """Begin to record."""

    def stop(self) -> None:
        """Stop recording, and restore everything."""


class Recording(Protocol):
    """A recorded game, such as a `Trace`: its firings and answers, in order."""

    @property
    def entries(self) -> Sequence[object]:
        """The firings and answers."""


@dataclass(frozen=True, slots=True)
class Format:
    """A kind of report: the file it goes to by default, and the function that makes the texts of its files, by path."""

    file: str
    written: Callable[[Sequence[Result], str], Mapping[str, str]]


class Extension:
    """The base class of extensions of coverage. It adds nothing."""

    def instruments(self, buffers: Sequence[Recorder]) -> Sequence[Instrument]:
        """Return the instruments besides the one for machines of the `transitions` library."""
        return ()

    def data_of(self, model: Model, game: Recording, context: str) -> Data:
        """Return the data of a recorded game. Raises CoverageError if the extension does not know games."""
        raise CoverageError("recorded games cannot be read without turn-fsm")

    def feasibility(self, graph: Graph) -> Feasibility:
        """Return what is known about the parts that no run can take."""
        return Feasibility(graph)

    def way_to(self, model: Model, criterion: str, target: Target) -> tuple[Arc, ...]:
        """Return the firings of a run that takes a target, or () if none is found quickly."""
        return ()

    def built_in(self, name: str) -> Model | None:
        """Return the built-in model of this name with options, or None. Data need not contain built-in models."""
        return None

    def named(self, spec: str) -> Model:
        """Return the model of a name, a `module:attribute` or a file. Raises FsmError if there is none."""
        raise CoverageError(f"no model is named {spec!r}")

    def formats(self) -> Mapping[str, Format]:
        """Return more kinds of reports, by name."""
        return {}


@cache
def extension() -> Extension:
    """Return the installed extension, or one that adds nothing."""
    found = coverage_extension()
    return found if isinstance(found, Extension) else Extension()
