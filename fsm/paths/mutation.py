"""Do the paths of a set notice when the model is changed? Every small change is tried: a mutation run.

A transition is removed, a literal of a guard flipped, or two neighbouring rows of one state and event swapped. A path
notices when its run is not the same any more, firing by firing. DeMillo, Lipton and Sayward, "Hints on test data
selection" (1978). What no path notices survives.

    python -m fsm.paths.mutation RULESET [--criterion C] [--sample N] [--seed S]
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

import fsm
from fsm.coverage import Target, targets
from fsm.errors import FsmError
from fsm.model import Model, Term, Transition
from fsm.paths.generating import paths
from fsm.paths.path import Path

Firing = tuple[str, str, str, tuple[str, ...]]


@dataclass(frozen=True)
class Mutant:
    """A changed model: what was done to which machine ("turn" or "window"), and to which transitions."""

    kind: str
    machine: str
    what: tuple[str, ...]
    model: Model

    def __str__(self) -> str:
        return f"{self.kind} in {self.machine}: {' / '.join(self.what)}"


def mutants(model: Model) -> Iterator[Mutant]:
    """All of a model's mutants, in its order; those that could not even be built are none."""
    for machine, own in (("turn", model), ("window", model.window)):
        if own is None:
            continue
        for kind, what, rows in (*_removed(own), *_flipped(own), *_swapped(own)):
            try:
                changed = replace(own, transitions=rows)
                yield Mutant(kind, machine, what, changed if own is model else replace(model, window=changed))
            except FsmError:
                continue


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
    """Neighbours are two rows of one source and event with no third between."""
    last: dict[tuple[str, str], int] = {}
    for number, row in enumerate(model.transitions):
        before = last.get((row.source, row.event))
        last[row.source, row.event] = number
        if before is not None:
            rows = list(model.transitions)
            rows[before], rows[number] = rows[number], rows[before]
            yield "swapped", (model.transitions[before].id, row.id), tuple(rows)


def notices(path: Path, mutant: Mutant) -> bool:
    """Does this path run otherwise on the mutant? The names of flipped transitions themselves do not count."""
    try:
        fired = [_firing(r) for r in path.run(mutant.model).trace.records]
    except Exception:  # whatever a changed model makes of it, a test of it fails
        return True
    return fired != [_firing(r) for r in path.trace.records]


def _firing(record: fsm.trace.Record) -> Firing:
    return record.machine, record.source, record.target, record.actions


def suspects(path: Path, mutant: Mutant) -> bool:
    """Can it notice at all: does it come where the mutant differs?"""
    own = path.model if mutant.machine == "turn" else path.model.window
    assert own is not None
    row = own.transition(mutant.what[0])
    leaves = {s.id for s in own.leaves if any(x.id == row.source for x in own.path(s.id))}
    return any(r.machine == mutant.machine and r.source in leaves and r.event == row.event for r in path.trace.records)


def survivors(found: Sequence[Path], tried: Sequence[Mutant]) -> list[Mutant]:
    """The mutants that no path notices."""
    ordered = sorted(found, key=lambda path: len(path.answers))
    return [m for m in tried if not any(suspects(path, m) and notices(path, m) for path in ordered)]


def why_equivalent(model: Model, mutant: Mutant) -> str:
    """Why no run can tell this mutant from the model, if that is proved; "" when it is not.

    A transition proved never to fire may be missing. Two rows may change places when they can never both hold, or
    when they do the same.
    """
    infeasible: dict[tuple[str, str], Target] = {t.key: t for t in targets(model, "transitions") if t.infeasible}
    why = infeasible.get((mutant.machine, mutant.what[0]))
    if mutant.kind == "removed":
        return f"it never fires: {why.infeasible}" if why else ""
    if mutant.kind != "swapped":
        return ""
    own = model if mutant.machine == "turn" else model.window
    assert own is not None
    first, second = (own.transition(id) for id in mutant.what)
    if (first.target, first.actions) == (second.target, second.actions):
        return "both rows do the same"
    for a in first.guard:
        for b in second.guard:
            if a.fact == b.fact and a.value != b.value:
                return f"never do both hold: {a} and {b}"
            if a.value and b.value and a.fact != b.fact and _apart(own, a.fact, b.fact):
                return f"never do both hold: {a.fact} and {b.fact} say different things of one"
    return ""


def _apart(model: Model, one: str, other: str) -> bool:
    """Do two facts ask whether one and the same thing is this or that?"""
    a, b = model.fact(one), model.fact(other)
    if a.group and a.group == b.group:
        return True
    named = ("candidate_is", "returns_to")
    return bool(a.test) and bool(b.test) and a.test[:2] == b.test[:2] and a.test[0] in named and a.test != b.test


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m fsm.paths.mutation", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("ruleset")
    parser.add_argument("--criterion", default="transitions", help="one, or several with commas between")
    parser.add_argument("--sample", type=int, default=0, help="so many mutants, chosen by the seed; 0 for all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--effort", type=int, default=0, help="so many answers are tried for the paths; 0: as usual")
    asked = parser.parse_args()
    model = fsm.load(asked.ruleset)
    sets = [paths(model, criterion, effort=asked.effort) for criterion in asked.criterion.split(",")]
    print(*sets, sep="\n")
    found = [path for each in sets for path in each]
    open = {t.key: each.why_open(t) for each in sets if each.criterion == "transitions" for t in each.open}
    every = list(mutants(model))
    chosen = Random(asked.seed).sample(every, min(asked.sample, len(every))) if asked.sample else every
    left = survivors(found, chosen)
    print(f"{len(chosen)} mutants, {len(chosen) - len(left)} noticed, {len(left)} survive")
    for mutant in left:
        untaken = next((open[mutant.machine, id] for id in mutant.what if (mutant.machine, id) in open), "")
        why = why_equivalent(model, mutant) or (f"no path takes it: {untaken}" if untaken else "NOT EXPLAINED")
        print(f"  {mutant}: {why}")


if __name__ == "__main__":
    main()
