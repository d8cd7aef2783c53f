"""`traversed` records the path of a machine or a game, so that a test can make assertions about it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise

from fsm.coverage.criteria import covered
from fsm.coverage.instrumentation import listen, stop
from fsm.coverage.instrumentation.identifying import ReadMachine
from fsm.coverage.target import Coverage
from fsm.coverage.traversal.listening import Listener
from fsm.coverage.traversal.naming import ends_of, events_named, fits, same, states_named, unknown
from fsm.errors import CoverageError
from fsm.model import Model, Transition
from fsm.model.graph import Graph, graphs_of
from fsm.wording import few

MOST = 6
"""At most this many names are written in one line."""


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
    session = listen(traversal.listener)
    try:
        yield traversal
    finally:
        stop(session)
        traversal.over()


class Traversal:
    """The path that a machine or a game took. Use `traversed` to record one.

    `took`, `took_all` and `refused` return values that are true or false, and whose repr explains
    why.

    Parameters
    ----------
    watched
        A machine of the `transitions` library, one of the objects that it drives, or a
        TurnController.
    """

    def __init__(self, watched: object) -> None:
        self.listener: Listener = Listener(watched)
        self._start, self._end = self._standing(), ""
        self._read()

    def _read(self) -> None:
        machine = self.listener.machine
        self.model: Model = (
            self.listener.watched.model if machine is None else ReadMachine(machine).model
        )
        self.graphs: tuple[Graph, ...] = graphs_of(self.model)
        self.models: tuple[Model, ...] = tuple(graph.model for graph in self.graphs)
        self._rows = {(g.name, row.id): row for g in self.graphs for row in g.model.transitions}

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
        if len(self.listener.objects) > 1:
            raise CoverageError(
                f"several objects went through {self.model.name}: give traversed() one of them instead"
            )
        found = [self._start] if self._start else []
        for _, row, at in self._of_turn():
            found += [at] if not found or found[-1] != at else []
            found += [row.target] if row.target is not None else []
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
        if not any(state.kind == "step" for state in self.model.states):
            return self.states
        found = list[str]()
        for state in self.states:
            step, leaf = self.model.enclosing(state, "step"), self.model.state(state)
            begins = leaf.role == "begin" and step is not None and leaf.parent == step.id
            comes = leaf.kind in ("action", "window") or not found
            if step is not None and (
                begins or (comes and (not found or found[-1] != (step.name or step.id)))
            ):
                found.append(step.name or step.id)
        return found

    @property
    def refusals(self) -> list[str]:
        """The events that were tried where they are not possible, in order, for instance "melt in
        gas".
        """
        return [f"{event} in {state}" for state, event in self.listener.refusals]

    @property
    def transitions(self) -> list[str]:
        """The ids of the transitions that were taken in the turn and its windows, in order."""
        return [id for _, id, _ in self.listener.firings]

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
        return covered(self.model, criterion, self.listener.data)

    # assertions -----------------------------------------------------------------------------------

    def took(self, way: str) -> Verdict:
        """Say whether a path was taken.

        Parameters
        ----------
        way
            A path ("solid -> liquid", "a -> b -> c", "a -> b on event [guard]"), an event, a state,
            or the id of a transition. States, steps and phases are named by id, name or label.
            Case, blanks and dashes do not matter.

        Returns
        -------
        Found
            True if the path was taken. Its repr says how often, or what was taken instead.

        Raises
        ------
        CoverageError
            If a name is unknown. The message suggests similar names.
        """
        exact = sum(id == way for id in self.transitions)
        if exact or way in {id for _, id in self._rows}:
            return self._found(way, exact)
        names, event, guard = ends_of(way, self.models)
        if len(names) == 1:
            return self._found(way, self._single(names[0]))
        for name in names:
            if not states_named(self.models, name):
                raise unknown(self.models, name)
        if event and not events_named(self.models, event):
            raise unknown(self.models, event)
        return self._found(way, self._times(names, event, guard), names[0])

    def took_all(self, *ways: str) -> Verdict:
        """Say whether all of several paths were taken.

        Parameters
        ----------
        *ways
            The paths, as `took` accepts them. Without any, all transitions that a run can take are
            meant.

        Returns
        -------
        Found
            True if all were taken. Its repr lists those that are missing.

        Raises
        ------
        CoverageError
            If a name is unknown. The message suggests similar names.
        """
        if ways:
            missing = [way for way in ways if not self.took(way)]
            return Verdict(
                not missing,
                f"not taken: {_listed(missing)}" if missing else f"all {len(ways)} were taken",
            )
        coverage = self.covered("transitions")
        ids = [target.id for target in coverage.missing]
        return Verdict(not ids, f"{coverage}; not taken: {_listed(ids)}" if ids else str(coverage))

    def refused(self, event: str, state: str = "") -> Verdict:
        """Say whether an event was tried where it is not possible.

        Parameters
        ----------
        event
            The name of the event.
        state
            The state in which it was tried. With "", any state counts.

        Returns
        -------
        Found
            True if the event was refused. Its repr says how often, or what was refused instead.

        Raises
        ------
        CoverageError
            If a name is unknown. The message suggests similar names.
        """
        events, states = (
            events_named(self.models, event),
            states_named(self.models, state) if state else None,
        )
        if not events or states == set():
            raise unknown(self.models, state if events else event)
        times = sum(
            e in events and (states is None or at in states) for at, e in self.listener.refusals
        )
        said = _listed(self.refusals) or "nothing"
        return Verdict(
            times,
            f"refused {times} times" if times else f"{event!r} was not refused; refused: {said}",
        )

    # looking --------------------------------------------------------------------------------------

    def _standing(self) -> str:
        """Return the state of the machine's only model, or "" if there are several models."""
        machine, watched = self.listener.machine, self.listener.watched
        if machine is None:
            return str(watched.position.stage)
        models = list(machine.models) if watched is machine else [watched]
        return (
            ReadMachine(machine).leaf(getattr(models[0], machine.model_attribute))
            if len(models) == 1
            else ""
        )

    def _of_turn(self) -> Iterator[tuple[str, Transition, str]]:
        """Yield the firings of the first machine. For a game, these are the firings of the turn."""
        return (each for each in self._fired() if each[0] == self.graphs[0].name)

    def _fired(self) -> Iterator[tuple[str, Transition, str]]:
        for machine, id, at in self.listener.firings:
            if (machine, id) in self._rows:
                yield machine, self._rows[machine, id], at

    def _single(self, name: str) -> int:
        events, states = events_named(self.models, name), states_named(self.models, name)
        if not events and not states:
            raise unknown(self.models, name)
        by_event = sum(row.event in events for _, row, _ in self._fired())
        return by_event or sum(state in states for state in self.states)

    def _times(self, names: list[str], event: str, guard: str | None) -> int:
        """Count how often the path was taken from state to state, or, if never, from step to step.

        Steps are tried only if the path names no event and no guard.
        """
        count = 0
        for graph in self.graphs:
            fired = [(at, row) for name, row, at in self._fired() if name == graph.name]
            moves = [(at, row) for at, row in fired if row.target is not None or len(names) == 2]
            ends = [states_named([graph.model], name) for name in names]
            count += sum(
                _follows(moves[i : i + len(ends) - 1], ends, event, guard, self)
                for i in range(len(moves))
            )
        if count or event or guard is not None:
            return count
        path, wanted = list(map(same, self.path)), list(map(same, names))
        return sum(path[i : i + len(wanted)] == wanted for i in range(len(path)))

    def begins(self, state: str) -> bool:
        """Say whether a phase or step begins with this state.

        Parameters
        ----------
        state
            The id of the state.

        Returns
        -------
        bool
            Whether one begins with it.
        """
        return any(
            s.id == state and s.role == "begin" for model in self.models for s in model.states
        )

    def _found(self, way: str, times: int, source: str = "") -> Verdict:
        if times:
            return Verdict(times, f"{way!r} was taken {times} times")
        inside = states_named(self.models, source) if source else set()
        from_there = Counter(row.id for _, row, at in self._fired() if at in inside)
        possible = [row.id for row in self._rows.values() if row.source in inside]
        if from_there:
            return Verdict(0, f"{way!r} was not taken; from {source} it took {_listed(from_there)}")
        said = (
            f"; nothing was taken from {source}, where there is {_listed(possible)}"
            if possible
            else ""
        )
        return Verdict(
            0, f"{way!r} was not taken{said or '; it took ' + (_listed(self.states) or 'nothing')}"
        )


def _follows(
    moves: list[tuple[str, Transition]],
    ends: list[set[str]],
    event: str,
    guard: str | None,
    of: Traversal,
) -> bool:
    """Say whether these firings lead through all of these states, the last one by this event and
    guard.
    """
    if len(moves) != len(ends) - 1 or not fits(moves[-1][1], event, guard):
        return False
    return all(_leads(move, a, b, of) for move, (a, b) in zip(moves, pairwise(ends), strict=True))


def _leads(move: tuple[str, Transition], source: set[str], target: set[str], of: Traversal) -> bool:
    at, to = move[0], move[0] if move[1].target is None else move[1].target
    again = source == target and len(source) > 1  # from a step to itself, it must begin anew
    return at in source and to in target and (not again or of.begins(to))


def _listed(names: Iterable[str]) -> str:
    return few(list(names), MOST, "; ")
