"""`traversed` records the path of a machine or a game, so that a test can make assertions about
it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from operator import contains
from typing import Any, NoReturn

from fsm.adapters import machine_behind
from fsm.coverage.criteria import covered
from fsm.coverage.data import Data
from fsm.coverage.machines import ReadMachine
from fsm.coverage.recording import Buffer, Passage, Walk
from fsm.coverage.sessions import listening
from fsm.engine.controller import TurnController
from fsm.errors import CoverageError, suggest
from fsm.model import Model, Transition
from fsm.model.graph import graphs_of
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
        self._start, self._end = self._look(), ""

    def _look(self) -> str:
        """Read the machine, and return the state of its only object, or "" if there are several."""
        machine, watched = self._machine, self._watched
        if machine is None:
            self.model: Model = watched.model
            standing = str(watched.position.stage)
        else:
            reading = ReadMachine(machine)
            self.model = reading.model
            first, *others = machine.models if watched is machine else [watched]
            standing = "" if others else reading.leaf(getattr(first, machine.model_attribute))
        self._models = {graph.name: graph.model for graph in graphs_of(self.model)}
        self._turn = next(iter(self._models))
        self._rows = dict[str, Transition]()
        for model in self._models.values():
            self._rows |= {row.id: row for row in model.transitions}
        return standing

    def over(self) -> None:
        """End the recording. The machine may have changed in the meantime."""
        self._end = self._look()

    # the way --------------------------------------------------------------------------------------

    @property
    def path(self) -> list[str]:
        """The states that were visited, beginning with the initial one. For a game, these are the
        names of the steps.

        A step is listed again when it continues after other steps were inserted in it.

        Raises
        ------
        CoverageError
            If several objects went through the machine. Give `traversed` one of them instead.
        """
        if not self.model.of_kind("step"):
            return self._states(self._turn)
        steps = [self.model.enclosing(id, "step") for id in self._begun()]
        return [step.name for step in steps if step is not None]

    @property
    def transitions(self) -> list[str]:
        """The ids of the transitions that were taken in the turn and its windows, in order."""
        return [id for _, id, _ in self._listener.firings]

    def _states(self, machine: str) -> list[str]:
        """Return the states that were visited in one machine."""
        if len(self._listener.objects) > 1:
            name = self.model.name
            text = f"several objects went through {name}: give traversed() one of them instead"
            raise CoverageError(text)
        start, end = (self._start, self._end) if machine == self._turn else ("", "")
        found = [start] if start else []
        for fired, id, at in self._listener.firings:
            if fired == machine and id in self._rows:
                target = self._rows[id].target
                found += [at] if found[-1:] != [at] else []
                found += [target] if target is not None else []
        return [*found, end] if end not in ("", *found[-1:]) else found

    def _begun(self) -> list[str]:
        """Return a state of each step as it began."""
        found, last = list[str](), ""
        for id in self._states(self._turn):
            step, state = self.model.enclosing(id, "step"), self.model.state(id)
            if step is not None:
                begins = state.role == "begin" and state.parent == step.id
                waits = state.kind in ("action", "window") or not found
                if begins or (waits and last != step.name):
                    found.append(id)
                    last = step.name
        return found

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
        rows = self._means(way)
        names = [name.strip() for name in way.split("->")]
        places = [self._leaves(name) for name in names]
        if not rows and set() in places:
            self._refuse(names[places.index(set())])
        times = sum(id in rows for id in self.transitions) or self._times(places)
        if times:
            return Verdict(times, f"{way!r} was taken {times} times")
        return Verdict(0, f"{way!r} was not taken; {self._instead(names[0], places[0])}")

    def took_all(self) -> Verdict:
        """Say whether all transitions that a run can take were taken.

        Returns
        -------
        Verdict
            True if all were taken. Its repr lists those that are missing.
        """
        self._listener.flush()
        coverage = covered(self.model, "transitions", self._listener.data)
        missing = [target.id for target in coverage.missing]
        why = f"{coverage}; not taken: {few(missing, MOST, '; ')}" if missing else str(coverage)
        return Verdict(not missing, why)

    def _means(self, way: str) -> set[str]:
        """Return the transitions of this id, with or without its guard, or of this event."""
        found = set[str]()
        for id, row in self._rows.items():
            if way in (id, id.partition(" [")[0]) or _same(row.event) == _same(way):
                found.add(id)
        return found

    def _leaves(self, name: str) -> set[str]:
        """Return the leaves in turn and window of this id, or else of this name or label. A phase
        or step stands for all leaves inside it.
        """
        wanted, found = _same(name), set[str]()
        for model in self._models.values():
            named = [s for s in model.states if wanted in map(_same, (s.id, s.name, s.label))]
            exact = [state for state in named if _same(state.id) == wanted]
            means = {state.id for state in exact or named}
            for leaf in model.leaves:
                if any(state.id in means for state in model.path(leaf.id)):
                    found.add(leaf.id)
        return found

    def _refuse(self, name: str) -> NoReturn:
        known = list[str]()
        for model in self._models.values():
            known += [event.name for event in model.events]
            for state in model.states:
                known += [state.id, state.name, state.label]
        said = f"{name!r} is no state, step, phase or event of {self.model.name}"
        raise CoverageError(said + suggest(name, known))

    def _times(self, places: Sequence[set[str]]) -> int:
        """Count how often the walk went through these places, from step to step or, if never, from
        state to state.
        """
        for walk in (self._begun(), *map(self._states, self._models)):
            count = 0
            for i in range(len(walk) - len(places) + 1):
                count += all(map(contains, places, walk[i:]))
            if count:
                return count
        return 0

    def _instead(self, source: str, inside: set[str]) -> str:
        """Return what was taken instead, from this source or at all."""
        from_there = dict.fromkeys(id for _, id, at in self._listener.firings if at in inside)
        if from_there:
            return f"from {source} it took {few([*from_there], MOST, '; ')}"
        return f"it took {few(self.path, MOST, '; ')}"


def _same(text: str) -> str:
    """Return the form of a text in which names are compared."""
    return re.sub(r"[\s_\-]+", " ", text).strip().casefold()
