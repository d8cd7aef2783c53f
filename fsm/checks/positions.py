"""When two runs stand at one position: what no guard reads makes no difference."""

from __future__ import annotations

from collections.abc import Hashable

from fsm.model import Model
from fsm.state.primitives import TESTS
from fsm.state.run import Candidate, Extra, Occurrence, Progress, Run


class Positions:
    """Makes keys of one Model's runs. Runs with equal keys go on in the same ways, but for what is
    inside their windows, and for the facts that stay true.
    """

    def __init__(self, model: Model) -> None:
        tests = [f.test for m in model.machines.values() for f in m.facts if f.test]
        self.begun = tuple(dict.fromkeys(test[1:] for test in tests if test[0] == "begun"))
        self.tallied: dict[str, int] = {}
        for _, tally, number in (test for test in tests if test[0] == "tallied"):
            self.tallied[tally] = max(int(number), self.tallied.get(tally, 0))
        counts = (TESTS[test[0]].counts for test in tests)
        self.counts = tuple(dict.fromkeys(name for name in counts if name))

    def key(self, run: Run) -> Hashable:
        """Return everything in the run that can make a difference later."""
        number = _Numbers()
        suspended = [sequence for pair in run.suspended for sequence in pair]
        return (
            run.state,
            (run.turns_begun, run.active, run.natural, run.reversed, run.left),
            run.current is not None and (run.current.extra, run.current.label),
            number.sequence(run.phase),
            number.sequence(run.step),
            tuple(map(number.sequence, suspended)),
            (run.interrupted, run.appointed, run.heard),
            tuple(map(number.extra, run.extras)),
            tuple(len(run.visits(e.level, e.anchor)) for e in run.extras if e.nth),
            (run.turns, run.controls, run.skips),
            tuple(bool(run.visits(*what)) for what in self.begun),
            tuple(min(run.tallies.count(name), most) for name, most in self.tallied.items()),
            tuple(getattr(run, name) for name in self.counts),
        )


class _Numbers(dict[int, int]):
    """Numbers the phases and steps of a turn anew, in the order in which they are seen."""

    def __init__(self) -> None:
        super().__init__({0: 0})

    def __missing__(self, id: int) -> int:
        self[id] = len(self)
        return self[id]

    def sequence(self, sequence: Progress) -> Hashable:
        returns = tuple(
            (r.state, self[r.cursor], _candidate(r.candidate)) for r in sequence.returns
        )
        current = self.occurrence(sequence.current)
        return current, self[sequence.cursor], _candidate(sequence.candidate), returns

    def extra(self, e: Extra) -> Hashable:
        place = (self[e.after_id], e.anchor, e.nth, e.before)
        return e.level, e.what, e.only, e.order.id, place

    def occurrence(self, o: Occurrence | None) -> Hashable:
        if o is None:
            return None
        return self[o.id], o.name, o.family, o.extra, o.only, o.under_way, o.label


def _candidate(candidate: Candidate) -> Hashable:
    return candidate.what, candidate.only, candidate.label, candidate.extra


def live_facts(model: Model) -> dict[tuple[str, str], frozenset[str]]:
    """Return, for every machine and state of it, the latched facts that a run may read before they
    are cleared.
    """
    facts = [f for machine in model.machines.values() for f in machine.facts]
    scopes = {fact.name: fact.scope for fact in facts if fact.timing == "latched"}
    places = [(name, leaf.id) for name, m in model.machines.items() for leaf in m.leaves]
    live = dict.fromkeys(places, frozenset[str]())
    changed = True
    while changed:
        changed = False
        for place in reversed(places):
            read = live[place] | _read_after(model, live, scopes, *place)
            if read != live[place]:
                live[place] = read
                changed = True
    return live


def _read_after(
    model: Model,
    live: dict[tuple[str, str], frozenset[str]],
    scopes: dict[str, str],
    name: str,
    state: str,
) -> set[str]:
    """Return the latched facts that are read by a transition from this state, or live after it."""
    read = set[str]()
    machine = model.machines[name]
    window = model.window
    for event in machine.events_at(state):
        for row in machine.rows(state, event):
            cleared = {action.args[0] for action in row.actions if action.name == "clear"}
            after = live[name, row.target or state]
            read.update(fact for fact in after if scopes[fact] not in cleared)
            read.update(term.fact for term in row.guard if term.fact in scopes)
    if machine is window:
        for stage in model.of_kind("window"):
            read |= live["turn", stage.id]
    elif window is not None and machine.state(state).kind == "window":
        read |= live["window", window.initial]
    return read
