"""What is due: the skip, the extra turn, phase or step that applies next (CR 500.7 to 500.9,
614.10); and what entries that are not due yet wait for.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from fsm.state.orders import LEFT, TURN_ENDED, SkipTurn, why_missed
from fsm.state.run import Control, Entry, Extra, ExtraTurn, Run, Skip
from fsm.wording import blanks

_E = TypeVar("_E", ExtraTurn, Extra, Skip)


def due_skip(run: Run, level: str, family: str) -> Skip | None:
    """Return the oldest skip that applies to what is about to begin (CR 614.10)."""
    side = run.next_side if level == "turn" else run.active
    for skip in run.skips:
        fits = skip.level == level and skip.what == family and skip.side == side
        if fits and _applies(run, skip):
            return skip
    return None


def _applies(run: Run, skip: Skip) -> bool:
    order = skip.order
    if isinstance(order, SkipTurn):
        return run.next_turn.extra or not order.extra
    if not skip.bound and order.scope not in ("next", "each"):
        return False
    return not order.within or _comes_within(run, skip.level, order.within)


def _comes_within(run: Run, level: str, label: str) -> bool:
    """Say whether what comes next on this level is in something with this label, or has it."""
    if getattr(run, level).candidate.label == label:
        return True
    return any(o.label == label and o.under_way for o in run.under_way)


def due_turn(run: Run) -> ExtraTurn | None:
    """Return the newest extra turn, but for those after one that is still to come (CR 500.7)."""
    return next((turn for turn in run.turns if not turn.after), None)


def due_extra(run: Run, level: str) -> Extra | None:
    """Return the newest extra phase or step that is due after the one just left (CR 500.8-9)."""
    cursor = getattr(run, level).cursor
    for extra in run.extras if cursor else ():
        if extra.level == level and extra.after == cursor:
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


# in words ----------------------------------------------------------------------------------------


def waits_for(entry: Entry, run: Run, players: Sequence[str]) -> str:
    """Return what an entry waits for, in words."""
    match entry:
        case ExtraTurn(after=after):
            return f"for the turn with the id {after!r}" if after else "for the end of this turn"
        case Control():
            return f"for the next turn of {players[entry.seat]}"
        case Skip(level="turn", order=SkipTurn(extra=True)):
            what = "extra turn"
        case Skip():
            what = blanks(entry.what)
        case Extra(anchor=""):
            return f"for the end of this {entry.level}"
        case Extra(nth=nth) if nth > 1:
            return f"for {blanks(entry.anchor)} {nth}"
        case Extra():
            return f"for the next {blanks(entry.anchor)} in this turn"
    return f"for the next {what} of {players[run.head(entry.side)]}"


def why_lost(entry: Entry, run: Run) -> str:
    """Return why an entry has come to nothing when its turn has ended."""
    match entry:
        case Control(seat=seat) if seat in run.left:
            return LEFT
        case Skip(side=side) if not run.members(side):
            return LEFT
        case ExtraTurn():
            return f"no turn with the id {entry.after!r} began"
        case Extra(after=0):
            where = "before" if entry.before else "after"
            there = f"there was no {blanks(entry.anchor)} {where} which it could come"
            return f"the turn ended, and {there}"
        case Extra():
            return TURN_ENDED
        case Control():
            return why_missed("turn", entry.order.within)
        case Skip(order=SkipTurn()):
            return why_missed("turn")
    return why_missed(entry.what, entry.order.within)
