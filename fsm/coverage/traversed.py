"""`traversed` records the path of a machine or a game, so that a test can make assertions about it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple

from fsm.adapters import machine_behind
from fsm.coverage.criteria import covered
from fsm.coverage.data import Data
from fsm.coverage.machines import ReadMachine
from fsm.coverage.recording import Buffer, Passage, Walk
from fsm.coverage.sessions import listening
from fsm.coverage.target import Coverage
from fsm.engine.controller import TurnController
from fsm.errors import CoverageError, suggest
from fsm.model import Model, Transition
from fsm.model.graph import graphs_of
from fsm.wording import few

MOST = 6
"""At most this many names are written in one line."""
_ARROW = re.compile(r"\s*(?:-+>|=+>|→)\s*")


@dataclass(frozen=True, slots=True)
class Verdict:
    """A truth value that explains itself: its repr says how often something was taken, or why it
    was not.
    """

    times: int
    why: str

    def __bool__(self) -> bool:
        return self.times > 0

    def __repr__(self) -> str:
        return self.why


class Move(NamedTuple):
    """One firing: the transition, and the states before and after it."""

    row: Transition
    at: str
    to: str


class Listener(Buffer):
    """A buffer that records only one machine, object or game.

    `firings` have machine, transition and state, in order. `objects` are the ids of the objects
    that took them.
    """

    def __init__(self, watched: Any) -> None:
        self.data = Data()
        super().__init__(self.data.update)
        machine = machine_behind(watched)
        if machine is None and not isinstance(watched, TurnController):
            raise CoverageError(
                "traversed() takes a machine of the transitions library, one of its models, or a "
                f"TurnController, not a {type(watched).__name__}"
            )
        owners = [watched] if machine in (None, watched) else [machine, watched]
        self._of = tuple(map(id, owners))
        self.firings = list[tuple[str, ...]]()
        self.objects = set[int]()

    def took(self, walk: Walk, passage: Passage) -> None:
        if walk.of[: len(self._of)] != self._of:
            return
        for table, *what, vector in passage.added:
            if table == "taken" and "0" not in vector:
                self.objects.add(walk.of[-1])
                self.firings.append(tuple(what))
        super().took(walk, passage)


@contextmanager
def traversed(watched: object) -> Iterator[Traversal]:
    """Record the path of a machine or a game inside a `with` block::

        with traversed(machine) as t:
            matter.melt()
        assert t.took("solid -> liquid")
        assert t.path == ["solid", "liquid"]

    Parameters
    ----------
    watched
        A machine of the `transitions` library, one of the objects that it drives, or a
        TurnController.

    Yields
    ------
    Traversal
        The path. You can use it inside the block and afterwards.

    Raises
    ------
    CoverageError
        If `watched` is anything else.
    ModelError
        If the machine cannot be read.
    """
    traversal = Traversal(watched)
    try:
        with listening(traversal._listener):  # noqa: SLF001 -- the two are one
            yield traversal
    finally:
        traversal.over()


class Traversal:
    """The path that a machine or a game took. Use `traversed` to record one.

    `took` and `took_all` return values that are true or false, and whose repr explains why.

    Parameters
    ----------
    watched
        A machine of the `transitions` library, one of the objects that it drives, or a
        TurnController.
    """

    def __init__(self, watched: Any) -> None:
        self._listener = Listener(watched)
        self._watched, self._machine = watched, machine_behind(watched)
        self._read()
        self._start, self._end = self._standing(), ""

    def _read(self) -> None:
        """Read the machine, again if it was changed in the meantime."""
        self._reading = None if self._machine is None else ReadMachine(self._machine)
        self.model: Model = (self._reading or self._watched).model
        self._models = {graph.name: graph.model for graph in graphs_of(self.model)}
        self._turn = next(iter(self._models))

    def _standing(self) -> str:
        """Return the state of the machine's only model, or "" if there are several models."""
        machine, watched = self._machine, self._watched
        if machine is None or self._reading is None:
            return str(watched.position.stage)
        models = list(machine.models) if watched is machine else [watched]
        if len(models) != 1:
            return ""
        return self._reading.leaf(getattr(models[0], machine.model_attribute))

    def over(self) -> None:
        """End the recording."""
        self._read()
        self._end = self._standing()

    def __repr__(self) -> str:
        return f"<traversal of {self.model.name}: {' -> '.join(self.states[-MOST:])}>"

    # the way --------------------------------------------------------------------------------------

    @property
    def states(self) -> list[str]:
        """The states that were visited, beginning with the initial one. For a game, these are the
        states of the turn.

        Raises
        ------
        CoverageError
            If several objects went through the machine. Give `traversed` one of them instead.
        """
        if len(self._listener.objects) > 1:
            name = self.model.name
            text = f"several objects went through {name}: give traversed() one of them instead"
            raise CoverageError(text)
        found = [self._start] if self._start else []
        for move in self._moves(self._turn):
            found += [move.at] if found[-1:] != [move.at] else []
            found += [move.to] if move.row.target is not None else []
        return [*found, self._end] if found and self._end not in ("", found[-1]) else found

    @property
    def path(self) -> list[str]:
        """The names of the steps that were visited, beginning with the initial one. Without steps,
        these are states.

        A step is listed again when it continues after other steps were inserted in it.

        Raises
        ------
        CoverageError
            If several objects went through the machine.
        """
        if not self.model.of_kind("step"):
            return self.states
        found = list[str]()
        for id in self.states:
            step, state = self.model.enclosing(id, "step"), self.model.state(id)
            if step is not None:
                begins = state.role == "begin" and state.parent == step.id
                waits = state.kind in ("action", "window") or not found
                if begins or (waits and found[-1:] != [step.name]):
                    found.append(step.name)
        return found

    @property
    def transitions(self) -> list[str]:
        """The ids of the transitions that were taken in the turn and its windows, in order."""
        return [id for _, id, _ in self._listener.firings]

    def covered(self, criterion: str) -> Coverage:
        """Measure the coverage of what was recorded.

        Parameters
        ----------
        criterion
            The name of a criterion. See `fsm.coverage.criteria`.

        Returns
        -------
        Coverage
            The targets and how often each was taken.

        Raises
        ------
        CoverageError
            If the criterion is unknown or has too many targets.
        """
        self._listener.flush()
        return covered(self.model, criterion, self._listener.data)

    # assertions -----------------------------------------------------------------------------------

    def took(self, way: str) -> Verdict:
        """Say whether a path was taken.

        Parameters
        ----------
        way
            A path ("solid -> liquid", "a -> b -> c"), an event, a state, or the id of a transition
            ("a -> b on event [guard]", whose guard may be left out). States, steps and phases are
            named by id, name or label. Case, blanks and dashes do not matter.

        Returns
        -------
        Verdict
            True if the path was taken. Its repr says how often, or what was taken instead.

        Raises
        ------
        CoverageError
            If a name is unknown. The message suggests similar names.
        """
        names, source = _ARROW.split(way.strip()), set[str]()
        rows = [id for id in self._rows if id == way or id.startswith(f"{way} [")]
        if rows and (" on " in way or way in rows):
            times = sum(id in rows for id in self.transitions)
        elif len(names) == 1:
            times = self._visits(way.strip())
        else:
            source, *_ = [self._check(name, self._named(name)) for name in names]
            times = self._times(names)
        if times:
            return Verdict(times, f"{way!r} was taken {times} times")
        return Verdict(0, f"{way!r} was not taken; {self._instead(names[0], source)}")

    def took_all(self) -> Verdict:
        """Say whether all transitions that a run can take were taken.

        Returns
        -------
        Verdict
            True if all were taken. Its repr lists those that are missing.
        """
        coverage = self.covered("transitions")
        missing = [target.id for target in coverage.missing]
        why = f"{coverage}; not taken: {_listed(missing)}" if missing else str(coverage)
        return Verdict(not missing, why)

    # looking --------------------------------------------------------------------------------------

    @property
    def _rows(self) -> dict[str, Transition]:
        return {row.id: row for model in self._models.values() for row in model.transitions}

    def _moves(self, *machines: str) -> Iterator[Move]:
        """Yield the firings of these machines that are known."""
        rows = self._rows
        for machine, id, at in self._listener.firings:
            if id in rows and machine in machines:
                yield Move(rows[id], at, rows[id].target or at)

    def _named(self, name: str) -> set[str]:
        """Return the leaves that a name means in turn and window."""
        return set[str]().union(*(_leaves(model, name) for model in self._models.values()))

    def _check(self, name: str, found: set[str]) -> set[str]:
        """Raise CoverageError with a similar name if nothing was found for a name."""
        if not found:
            known = {event.name for model in self._models.values() for event in model.events}
            for model in self._models.values():
                for state in model.states:
                    known |= {state.id, state.name, state.label} - {""}
            said = f"{name!r} is no state, step, phase or event of {self.model.name}"
            raise CoverageError(said + suggest(name, sorted(known)))
        return found

    def _visits(self, name: str) -> int:
        """Count how often an event fired, or a state was visited."""
        events, states = set[str](), self._named(name)
        for model in self._models.values():
            events |= {event.name for event in model.events if _same(event.name) == _same(name)}
        self._check(name, events or states)
        fired = sum(move.row.event in events for move in self._moves(*self._models))
        return fired or sum(state in states for state in self.states)

    def _times(self, names: Sequence[str]) -> int:
        """Count how often the path was taken from state to state, or, if never, from step to step."""
        count = 0
        for machine, model in self._models.items():
            ends = [_leaves(model, name) for name in names]
            moves = [*self._moves(machine)]
            if len(names) > 2:
                moves = [move for move in moves if move.row.target is not None]
            for i in range(len(moves) - len(names) + 2):
                count += all(map(_leads, moves[i:], ends, ends[1:]))
        path, wanted = list(map(_same, self.path)), list(map(_same, names))
        return count or sum(path[i : i + len(wanted)] == wanted for i in range(len(path)))

    def _instead(self, source: str, inside: set[str]) -> str:
        """Return what was taken instead, from this source or at all."""
        from_there = Counter(m.row.id for m in self._moves(*self._models) if m.at in inside)
        possible = [row.id for row in self._rows.values() if row.source in inside]
        if from_there:
            return f"from {source} it took {_listed(from_there)}"
        if possible:
            return f"nothing was taken from {source}, where there is {_listed(possible)}"
        return f"it took {_listed(self.states) or 'nothing'}"


def _same(text: str) -> str:
    """Return the form of a text in which names are compared."""
    return re.sub(r"[\s_\-]+", " ", text).strip().casefold()


def _leaves(model: Model, name: str) -> set[str]:
    """Return the leaves of this id, name or label. A phase or step stands for all leaves inside it."""
    wanted = _same(name)
    named = {s.id for s in model.states if wanted in map(_same, (s.id, s.name, s.label))}
    exact = {leaf.id for leaf in model.leaves if _same(leaf.id) == wanted}
    means = exact or named
    return {leaf.id for leaf in model.leaves if any(s.id in means for s in model.path(leaf.id))}


def _leads(move: Move, source: set[str], target: set[str]) -> bool:
    """Whether a transition leads from one of these states to one of those, not within one step."""
    leads = move.at in source and move.to in target
    return leads and (source != target or len(source) == 1)


def _listed(names: Iterable[str]) -> str:
    return few(list(names), MOST, "; ")
