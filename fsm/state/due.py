"""What is due: the skip, the extra turn, phase or step that applies next (CR 500.7-9, 614.10)."""

from __future__ import annotations

from typing import TypeVar

from fsm.model import Model
from fsm.state.run import EXTRA_TURN, Extra, ExtraTurn, Run, Skip

_E = TypeVar("_E", ExtraTurn, Extra, Skip)


def due_skip(run: Run, level: str, family: str) -> Skip | None:
    """Return the oldest skip that applies to what is about to begin (CR 614.10)."""
    names = [family]
    if level == "turn" and run.next_turn.extra:
        names.append(EXTRA_TURN)
    side = run.next_side if level == "turn" else run.active
    for skip in run.skips:
        order = skip.order
        if skip.level != level or skip.what not in names or skip.side != side:
            continue
        if order.scope == "all_next_turn" and not skip.bound:
            continue
        if not order.within or order.within in _labels_of_next(run, level):
            return skip
    return None


def _labels_of_next(run: Run, level: str) -> tuple[str, ...]:
    """Return the labels of what comes next on this level, and of what it is in."""
    around = [occurrence.label for occurrence in run.under_way if occurrence.under_way]
    return (getattr(run, level).candidate.label, *around)


def taking_part(run: Run, model: Model) -> tuple[int, ...]:
    """Return the sides of those who take part in the window under way, or act first in it."""
    by = model.state(run.state).by
    seats = run.performers(by, model.role(by))
    return tuple(dict.fromkeys(run.side_of(seat) for seat in seats))


def due_turn(run: Run) -> ExtraTurn | None:
    """Return the newest extra turn, but for those after one that is still to come (CR 500.7)."""
    return next((turn for turn in run.turns if not turn.after_label), None)


def due_extra(run: Run, level: str) -> Extra | None:
    """Return the newest extra phase or step that is due after the one just left (CR 500.8-9)."""
    cursor = getattr(run, level).cursor
    for extra in run.extras if cursor else ():
        if extra.level == level and extra.after_id == cursor:
            return extra
    return None


def due_before(run: Run, step: str) -> Extra | None:
    """Return the newest extra step that is due directly before this step."""
    return next((extra for extra in run.extras if extra.before and extra.anchor == step), None)


def without(entries: tuple[_E, ...], gone: _E) -> tuple[_E, ...]:
    """Return the entries but for the first that equals this one."""
    kept = list(entries)
    kept.remove(gone)
    return tuple(kept)
