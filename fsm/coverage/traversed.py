"""`traversed` records the path of a machine or a game, so that a test can make assertions about it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple

from fsm.adapters.naming import machine_behind
from fsm.coverage.data import Data
from fsm.coverage.machines import ReadMachine
from fsm.coverage.measuring import covered
from fsm.coverage.recording import Buffer, Passage, Walk
from fsm.coverage.sessions import listen, stop
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
    """One firing: the name of the machine, the transition, and the states before and after it."""

    machine: str
    row: Transition
    at: str
    to: str


class _Listener(Buffer):
    """A buffer that records only one machine, object or game.

    `firings` have machine, transition and state, in order. `objects` are the ids of the objects
    that took them.
    """

    def __init__(self, watched: Any) -> None:
        self.data = Data()
        super().__init__(self.data.update)
        self.watched, self.machine = watched, machine_behind(watched)
        self.firings = list[tuple[str, ...]]()
        self.objects = set[int]()
        if self.machine is None and not isinstance(watched, TurnController):
            raise CoverageError(
                "traversed() takes a machine of the transitions library, one of its models, or a "
                f"TurnController, not a {type(watched).__name__}"
            )

    def took(self, walk: Walk, passage: Passage) -> None:
        if self._is_ours(walk):
            for table, *what, vector in passage.added:
                if table == "taken" and "0" not in vector:
                    self.objects.add(walk.of[-1])
                    self.firings.append(tuple(what))
            super().took(walk, passage)

    def _is_ours(self, walk: Walk) -> bool:
        if self.machine is None or self.watched is self.machine:
            return walk.of[0] == id(self.watched)
        return walk.of == (id(self.machine), id(self.watched))


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
    session = listen(traversal._listener)  # noqa: SLF001 -- the two are one
    try:
        yield traversal
    finally:
        stop(session)
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

    def __init__(self, watched: object) -> None:
        self._listener = _Listener(watched)
        self._start, self._end = self._standing(), ""
        self._read()

    def _read(self) -> None:
        machine = self._listener.machine
        read: Any = self._listener.watched if machine is None else ReadMachine(machine)
        self.model: Model = read.model
        graphs = graphs_of(self.model)
        self._turn = graphs[0].name
        self._models = {graph.name: graph.model for graph in graphs}
        self._both = [*self._models.values()]
        self._rows = {(g.name, row.id): row for g in graphs for row in g.model.transitions}

    def over(self) -> None:
        """End the recording. A machine that was changed in the meantime is read again."""
        self._end = self._standing()
        self._read()

    def __repr__(self) -> str:
        way = " -> ".join(self.states[-MOST:])
        return f"<traversal of {self.model.name}: {way}>"

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
        for move in self._moves:
            if move.machine == self._turn:
                found += [move.at] if not found or found[-1] != move.at else []
                found += [move.to] if move.row.target is not None else []
        return [*found, self._end] if self._end and found and found[-1] != self._end else found

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
            if step is None:
                continue
            name = step.name or step.id
            begins = state.role == "begin" and state.parent == step.id
            waits = state.kind in ("action", "window") or not found
            if begins or (waits and found[-1:] != [name]):
                found.append(name)
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
        rows = {id for _, id in self._rows if id == way or id.startswith(f"{way} [")}
        if rows and (" on " in way or way in rows):
            return self._verdict(way, sum(id in rows for id in self.transitions))
        first, *others = _ARROW.split(way.strip())
        if not others:
            return self._verdict(way, self._visits(first))
        for name in (first, *others):
            self._check(name, _states_named(self._both, name))
        return self._verdict(way, self._times([first, *others]), first)

    def took_all(self, *ways: str) -> Verdict:
        """Say whether all of several paths were taken.

        Parameters
        ----------
        *ways
            The paths, as `took` accepts them. Without any, all transitions that a run can take are
            meant.

        Returns
        -------
        Verdict
            True if all were taken. Its repr lists those that are missing.

        Raises
        ------
        CoverageError
            If a name is unknown. The message suggests similar names.
        """
        if ways:
            missing = [way for way in ways if not self.took(way)]
            why = f"not taken: {_listed(missing)}" if missing else f"all {len(ways)} were taken"
            return Verdict(not missing, why)
        coverage = self.covered("transitions")
        ids = [target.id for target in coverage.missing]
        return Verdict(not ids, f"{coverage}; not taken: {_listed(ids)}" if ids else str(coverage))

    # looking --------------------------------------------------------------------------------------

    def _standing(self) -> str:
        """Return the state of the machine's only model, or "" if there are several models."""
        machine, watched = self._listener.machine, self._listener.watched
        if machine is None:
            return str(watched.position.stage)
        models = list(machine.models) if watched is machine else [watched]
        if len(models) != 1:
            return ""
        return ReadMachine(machine).leaf(getattr(models[0], machine.model_attribute))

    @property
    def _moves(self) -> Iterator[Move]:
        for machine, id, at in self._listener.firings:
            row = self._rows.get((machine, id))
            if row is not None:
                yield Move(machine, row, at, at if row.target is None else row.target)

    def _check(self, name: str, found: object) -> None:
        """Raise CoverageError with a similar name if nothing was found for a name."""
        if found:
            return
        known = {event.name for model in self._both for event in model.events}
        for model in self._both:
            for state in model.states:
                known |= {state.id, state.name, state.label} - {""}
        said = f"{name!r} is no state, step, phase or event of {self.model.name}"
        raise CoverageError(said + suggest(name, sorted(known)))

    def _visits(self, name: str) -> int:
        """Count how often an event fired, or a state was visited."""
        events = {event.name for model in self._both for event in model.events}
        events = {event for event in events if _same(event) == _same(name)}
        states = _states_named(self._both, name)
        self._check(name, events or states)
        fired = sum(move.row.event in events for move in self._moves)
        return fired or sum(state in states for state in self.states)

    def _times(self, names: Sequence[str]) -> int:
        """Count how often the path was taken from state to state, or, if never, from step to step."""
        count = 0
        for machine, model in self._models.items():
            ends = [_states_named([model], name) for name in names]
            moves = [move for move in self._moves if move.machine == machine]
            if len(names) > 2:
                moves = [move for move in moves if move.row.target is not None]
            for i in range(len(moves) - len(names) + 2):
                count += all(map(_leads, moves[i:], ends, ends[1:]))
        path, wanted = list(map(_same, self.path)), list(map(_same, names))
        return count or sum(path[i : i + len(wanted)] == wanted for i in range(len(path)))

    def _verdict(self, way: str, times: int, source: str = "") -> Verdict:
        if times:
            return Verdict(times, f"{way!r} was taken {times} times")
        inside = _states_named(self._both, source) if source else set()
        from_there = Counter(move.row.id for move in self._moves if move.at in inside)
        possible = [row.id for row in self._rows.values() if row.source in inside]
        if from_there:
            said = f"from {source} it took {_listed(from_there)}"
        elif possible:
            said = f"nothing was taken from {source}, where there is {_listed(possible)}"
        else:
            said = f"it took {_listed(self.states) or 'nothing'}"
        return Verdict(0, f"{way!r} was not taken; {said}")


def _same(text: str) -> str:
    """Return the form of a text in which names are compared."""
    return re.sub(r"[\s_\-]+", " ", text).strip().casefold()


def _states_named(models: Iterable[Model], name: str) -> set[str]:
    """Return the leaves of this id, name or label. A phase or step stands for all leaves inside it."""
    wanted, found = _same(name), set[str]()
    for model in models:
        named = {s.id for s in model.states if wanted in map(_same, (s.id, s.name, s.label))}
        exact = {leaf.id for leaf in model.leaves if _same(leaf.id) == wanted}
        for leaf in model.leaves:
            if (exact or named) & {state.id for state in model.path(leaf.id)}:
                found.add(leaf.id)
    return found


def _leads(move: Move, source: set[str], target: set[str]) -> bool:
    """Whether a transition leads from one of these states to one of those, not within one step."""
    leads = move.at in source and move.to in target
    return leads and (source != target or len(source) == 1)


def _listed(names: Iterable[str]) -> str:
    return few(list(names), MOST, "; ")
