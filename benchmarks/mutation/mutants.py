"""Makes every small change of a model: it removes a transition, negates a literal, or swaps two
neighbours.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property

from fsm.model import Model, Term, Transition

KINDS = ("removed", "flipped", "swapped")


@dataclass(frozen=True)
class Mutant:
    """A change of one machine ("turn" or "window") of a model. Equal changes of a model are equal
    mutants.

    `what` has the ids of the rows, or the id of a row and its negated literal. `of` is the
    unchanged model, and `transitions` are the changed transitions of the machine.
    """

    kind: str
    machine: str
    what: tuple[str, ...]
    of: Model = field(repr=False, compare=False)
    transitions: tuple[Transition, ...] = field(repr=False, compare=False)

    def __str__(self) -> str:
        return f"{self.kind} in {self.machine}: {' / '.join(self.what)}"

    @cached_property
    def model(self) -> Model:
        """The changed model. Raises ModelError if two of its rows have become the same."""
        changed = replace(own(self.of, self.machine), transitions=self.transitions)
        return changed if self.machine == "turn" else replace(self.of, window=changed)

    @property
    def rows(self) -> tuple[str, ...]:
        """The ids of the rows that were changed or moved."""
        return self.what if self.kind == "swapped" else self.what[:1]

    def firing_points(self) -> Iterator[tuple[str, str, tuple[Transition, ...]]]:
        """Yield the states and events where another row may fire, each with the changed rows there
        in order.
        """
        machine = own(self.of, self.machine)
        row = machine.transition(self.rows[0])
        for leaf in machine.leaves:
            path = [state.id for state in machine.path(leaf.id)]
            if row.source in path:
                found = [t for t in self.transitions if t.event == row.event and t.source in path]
                yield leaf.id, row.event, tuple(sorted(found, key=lambda t: path.index(t.source)))


def own(model: Model, machine: str) -> Model:
    """Return the machine of this name."""
    found = model if machine == "turn" else model.window
    assert found is not None
    return found


def mutants(model: Model) -> Iterator[Mutant]:
    """Yield all mutants of a model in its order, except those in which two rows would be the same."""
    for machine, part in (("turn", model), ("window", model.window)):
        if part is None:
            continue
        for kind, what, rows in (*_removed(part), *_flipped(part), *_swapped(part)):
            if len({row.id for row in rows}) == len(rows):
                yield Mutant(kind, machine, what, model, rows)


_Change = tuple[str, tuple[str, ...], tuple[Transition, ...]]


def _removed(model: Model) -> Iterator[_Change]:
    for row in model.transitions:
        yield "removed", (row.id,), tuple(t for t in model.transitions if t is not row)


def _flipped(model: Model) -> Iterator[_Change]:
    for row in model.transitions:
        for number, term in enumerate(row.guard):
            guard = (*row.guard[:number], Term(term.fact, not term.value), *row.guard[number + 1 :])
            rows = tuple(replace(t, guard=guard) if t is row else t for t in model.transitions)
            yield "flipped", (row.id, str(term)), rows


def _swapped(model: Model) -> Iterator[_Change]:
    """Swap neighbours: two rows of one source and event without a third between them."""
    last: dict[tuple[str, str], int] = {}
    for number, row in enumerate(model.transitions):
        before = last.get((row.source, row.event))
        last[row.source, row.event] = number
        if before is not None:
            rows = list(model.transitions)
            rows[before], rows[number] = rows[number], rows[before]
            yield "swapped", (model.transitions[before].id, row.id), tuple(rows)
