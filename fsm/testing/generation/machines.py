"""Generates paths for plain machines of the `transitions` library: sequences of events that take
every transition.

A condition of such a machine is code and cannot be solved. So the sequences are planned on the
graph and run on copies of the machine. If a condition prevents a firing, the result says which
conditions would have to hold.
"""

from __future__ import annotations

import asyncio
import copy
import inspect
import itertools
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from fsm.adapters import model_of
from fsm.coverage.shortest import shortest_ways
from fsm.errors import ModelError
from fsm.model import Model
from fsm.model.elements import guard_text
from fsm.model.graph import Arc, graphs_of
from fsm.views.machinestanding import state_of

MOST_COPIES = 400
"""At most this many copies of a machine are kept, to try in their states what was prevented
elsewhere.
"""
PATIENCE = 5.0
"""The number of seconds that a coroutine may take. A longer one prevents its transition from
firing.
"""


@dataclass(frozen=True, slots=True)
class Sequence:
    """Events for a fresh machine, and the transitions that they take, one each."""

    arcs: tuple[Arc, ...]

    @property
    def events(self) -> tuple[str, ...]:
        """The names of the triggers, in order."""
        return tuple(arc.row.event for arc in self.arcs)


@dataclass(frozen=True)
class Sequences:
    """The sequences that take the transitions of a machine.

    `held` are the transitions that conditions kept from firing. `apart` are those that no possible
    way reaches.
    """

    model: Model
    found: tuple[Sequence, ...]
    held: tuple[Arc, ...] = ()
    apart: tuple[Arc, ...] = ()

    def __iter__(self) -> Iterator[Sequence]:
        return iter(self.found)

    def __len__(self) -> int:
        return len(self.found)

    @property
    def taken(self) -> int:
        """The number of different arcs (a transition in a state) that are taken."""
        return len({id(arc) for sequence in self.found for arc in sequence.arcs})

    def __str__(self) -> str:
        events = sum(len(sequence.arcs) for sequence in self.found)
        every = self.taken + len(self.held) + len(self.apart)
        return (
            f"transitions of {self.model.name}: {every} in all states together, {self.taken} taken, "
            f"{len(self.held)} held back by conditions, {len(self.apart)} out of reach; "
            f"{len(self.found)} sequences, {events} events"
        )


def machine_sequences(machine: Any) -> Sequences:
    """Return sequences for a machine, each run on a copy of it. The machine and its models do not
    change.

    Raises ModelError if the machine cannot be copied or has no model.
    """
    model = model_of(machine)
    if not machine.models:
        raise ModelError(f"machine {model.name!r} drives no object: give it one with add_model()")
    [graph, *_] = graphs_of(model)
    return _Planner(machine, model, graph.arcs).run()


@dataclass
class _Planner:
    machine: Any
    model: Model
    arcs: tuple[Arc, ...]
    taken: set[int] = field(default_factory=set)
    held: set[int] = field(default_factory=set)
    found: list[Sequence] = field(default_factory=list)
    visited: list[tuple[tuple[Arc, ...], Any]] = field(default_factory=list)

    def run(self) -> Sequences:
        """Plan and play sequences until no other transition can be taken."""
        initial = self._state(self._fresh())
        while True:
            while way := self._way(initial):
                self._play(self._fresh(), [], way)
            if not self._open():
                break
        held = tuple(arc for arc in self.arcs if id(arc) in self.held)
        apart = tuple(arc for arc in self.arcs if id(arc) not in self.held | self.taken)
        return Sequences(self.model, tuple(self.found), held, apart)

    def _way(self, state: str) -> list[Arc]:
        """Return the shortest way from a state to a transition that has been neither taken nor
        held.
        """
        first = {(arc.at, arc.to): arc for arc in reversed(self.arcs) if id(arc) not in self.held}
        far = shortest_ways(first, state)
        open = [a for a in self.arcs if id(a) not in self.taken | self.held and a.at in far]
        if not open:
            return []
        best = min(open, key=lambda arc: len(far[arc.at]))
        states = far[best.at]
        return [*(first[a, b] for a, b in itertools.pairwise(states)), best]

    def _open(self) -> bool:
        """Try the held transitions again in the kept copies, where their conditions may hold."""
        for arc in [arc for arc in self.arcs if id(arc) in self.held]:
            for done, machine in [(d, m) for d, m in self.visited if self._state(m) == arc.at]:
                if self._fires(copy.deepcopy(machine), arc):
                    self.held.discard(id(arc))
                    self._play(copy.deepcopy(machine), list(done), [arc])
                    return True
        return False

    def _play(self, machine: Any, done: list[Arc], way: list[Arc]) -> None:
        """Run this copy as long as the planned transitions fire and a new one can be planned."""
        while way:
            arc = way.pop(0)
            if not self._fires(machine, arc):
                self.held.add(id(arc))
                break
            done.append(arc)
            self.taken.add(id(arc))
            if len(self.visited) < MOST_COPIES and (kept := _copied(machine)) is not None:
                self.visited.append((tuple(done), kept))
            way = way or self._way(arc.to)
        while done and id(done[-1]) in {id(a) for s in self.found for a in s.arcs} | {
            id(a) for a in done[:-1]
        }:
            done.pop()
        if done:
            self.found.append(Sequence(tuple(done)))

    def _fresh(self) -> Any:
        try:
            return copy.deepcopy(self.machine)
        except Exception as error:
            raise ModelError(
                f"machine {self.model.name!r} cannot be copied ({error}); name a function that makes one"
            ) from None

    def _fires(self, machine: Any, arc: Arc) -> bool:
        """Whether the event takes this copy to the target of the transition. An error in a callback
        counts as no.
        """
        try:
            done = getattr(machine.models[0], arc.row.event)()
            if inspect.isawaitable(done):
                done = asyncio.run(_waited(done))
        except (Exception, SystemExit):
            return False
        return bool(done) and self._state(machine) == arc.to

    def _state(self, machine: Any) -> str:
        return state_of(machine, self.model, 0)


def _copied(machine: Any) -> Any:
    """Return a copy, or None if the machine cannot be copied now, for instance while one of its
    timers runs.
    """
    try:
        return copy.deepcopy(machine)
    except Exception:
        return None


async def _waited(done: Any) -> Any:
    return await asyncio.wait_for(done, PATIENCE)


# formats ------------------------------------------------------------------------------------------


def machine_text(found: Sequences) -> str:
    """Return the sequences as text."""
    lines = [str(found), ""]
    for number, sequence in enumerate(found, 1):
        lines += [
            f"sequence {number}:",
            *(f"  {a.row.event:20} {a.at} -> {a.to}" for a in sequence.arcs),
            "",
        ]
    lines += [f"held back: {arc.row.id} in {arc.at}: needs {_needs(arc)}" for arc in found.held]
    lines += [f"out of reach: {arc.row.id} in {arc.at}" for arc in found.apart]
    return "\n".join(lines).rstrip() + "\n"


def machine_json(found: Sequences) -> str:
    """Return the sequences as JSON."""
    data = {
        "machine": found.model.name,
        "sequences": [
            [{"event": a.row.event, "from": a.at, "to": a.to} for a in s.arcs] for s in found
        ],
        "held": [{"transition": a.row.id, "in": a.at, "needs": _needs(a)} for a in found.held],
        "apart": [{"transition": a.row.id, "in": a.at} for a in found.apart],
    }
    return json.dumps(data, indent=1) + "\n"


def _needs(arc: Arc) -> str:
    return (
        guard_text(arc.row.guard)
        or "that no transition above it fires, or what its callbacks allow"
    )
