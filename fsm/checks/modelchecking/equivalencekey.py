"""The state equivalence key: two runs with equal keys can continue in the same ways.

Ids are renumbered, and what no guard reads is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable

from fsm.model import Model
from fsm.state.agenda import Agenda
from fsm.state.entries import Occurrence

COUNTED = {
    "starters_turn_is": "turns_taken",
    "own_turn_is": "own_turns",
}


class EquivalenceKey:
    """Makes keys of the agendas of one Model's runs. Equal keys mean that the runs can continue in
    the same ways.
    """

    def __init__(self, model: Model) -> None:
        tests = [f.test for m in model.machines.values() for f in m.facts if f.test]
        self.begun = tuple(dict.fromkeys(t[1:] for t in tests if t[0] == "begun"))
        self.missed = tuple(dict.fromkeys(t[1] for t in tests if t[0] == "missed"))
        self.most = 1 + max((int(t[1]) for t in tests if t[0] in COUNTED), default=-1)
        self.counted = tuple(dict.fromkeys(COUNTED[t[0]] for t in tests if t[0] in COUNTED))

    def key(self, agenda: Agenda) -> Hashable:
        """Return everything in the agenda that can make a difference later."""
        a = agenda
        number = _Numbers()
        phase, step = _occurrence(a.current_phase, number), _occurrence(a.current_step, number)
        busy: Hashable = ()
        if not a.idle or a.suspended or a.candidate_phase.what or a.candidate_step.what:
            busy = (
                a.turns,
                a.controls,
                a.skips,
                a.left,
                tuple(
                    (e.level, e.what, e.only, number(e.after), e.anchor, e.nth, e.before, e.label)
                    for e in a.extras
                ),
                tuple((r.state, number(r.cursor), r.candidate) for r in a.returns_phase),
                tuple((r.state, number(r.cursor), r.candidate) for r in a.returns_step),
                tuple(
                    (
                        _occurrence(s.phase, number),
                        _occurrence(s.step, number),
                        number(s.cursor_phase),
                        number(s.cursor_step),
                    )
                    for s in a.suspended
                ),
                a.candidate_phase,
                a.candidate_step,
            )
        return (
            a.turn,
            a.active,
            a.natural,
            a.reversed,
            a.current_turn is not None and (a.current_turn.extra, a.current_turn.label),
            phase,
            step,
            number(a.cursor_phase),
            number(a.cursor_step),
            busy,
            tuple(
                any(o.level == level and label in (o.name, o.family) for o in a.begun)
                for level, label in self.begun
            ),
            tuple(name for name in self.missed if name in a.missed),
            tuple(sorted(a.tallies.items())) if a.tallies else None,
            tuple(tuple(min(n, self.most) for n in getattr(a, c)) for c in self.counted),
        )


class _Numbers(dict[int, int]):
    """Numbers ids in the order in which they are seen."""

    def __call__(self, id: int) -> int:
        return self.setdefault(id, len(self) + 1) if id else 0


def _occurrence(o: Occurrence | None, number: Callable[[int], int]) -> Hashable:
    return (
        None
        if o is None
        else (number(o.id), o.name, o.family, o.extra, o.only, o.under_way, o.label)
    )
