"""What became of orders: which took effect, which wait, and which came to nothing and why.

It is worked out only when somebody asks, by following the game from its beginning. Answering costs
nothing more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from fsm.engine.answer_log import AnswerLog
from fsm.engine.codec import whole
from fsm.engine.follower import Follower
from fsm.engine.requests import Answer
from fsm.engine.semantics import TURN, Fired, semantics_of
from fsm.engine.starting import first_run
from fsm.model import Model
from fsm.state.calendar import DelayedEntry
from fsm.state.entries import PendingControl, PendingExtra, PendingSkip, PendingTurn
from fsm.state.orders import (
    AddPhase,
    AddStep,
    Order,
    SkipPhase,
    SkipStep,
    Withdraw,
    is_interruption,
)
from fsm.state.primitives import holds
from fsm.state.run import Run
from fsm.state.scheduling import apply
from fsm.state.setup import GameHeader

ResultState = Literal["done", "waiting", "nothing"]
Entry: TypeAlias = PendingTurn | PendingControl | PendingSkip | PendingExtra | DelayedEntry
LEFT, SKIPPED, ABSENT = "that player has left the game", "it was skipped", "a rule leaves it out"
UNHEARD = "nothing that it could interrupt was under way"
BEGIN = ("begin", "begin_quietly")


@dataclass(frozen=True, slots=True)
class Result:
    """What became of an order.

    Attributes
    ----------
    order
        The order.
    state
        "done" when what it does has begun or is in force: an added turn, phase or step began, a
        skip was used, a trigger triggered. If it does something several times, the first time
        counts. "waiting" while it is still to come. "nothing" if it has no effect.
    why
        What it waits for, or why it came to nothing.
    rule
        The number of the rule by which it came to nothing, if the model cites one for it, or "".
    """

    order: Order
    state: ResultState
    why: str = ""
    rule: str = ""

    def to_json(self) -> dict[str, object]:
        """Return plain JSON values."""
        return dict(whole(self))


@dataclass(slots=True, eq=False)
class _Given:
    """An order that was given, and how many of its entries are still on agenda and calendar, or
    about to begin.
    """

    order: Order
    left: int = 0
    state: ResultState = "waiting"
    why: str = ""
    rule: str = ""

    @property
    def result(self) -> Result:
        return Result(self.order, self.state, self.why, self.rule)


class OrderResults(Follower):
    """Follows the orders of one game. In a restored game it knows the orders that were given since."""

    def __init__(self, model: Model, head: GameHeader, restored: Run | None = None) -> None:
        super().__init__(
            first_run(model, replace(head, orders=())) if restored is None else restored.copy()
        )
        self.semantics = semantics_of(model)
        self.waiting: dict[Hashable, list[_Given]] = {}
        self.coming: dict[str, list[_Given | None]] = {
            "turn": [None],
            "phase": [None],
            "step": [None],
        }
        self.own, self.settled = list[_Given](), list[_Given]()
        if restored is None:
            self.own = self._order(self.run, head.orders)
            self.before = self.run.copy()
            self.semantics.macrostep(self.run, holds, self._note)

    def upto(self, given: AnswerLog) -> tuple[Result, ...]:
        """Return the results of the last answer: those of its own orders, then those of earlier
        ones settled by it.
        """
        for _ in self.following(given):
            pass
        return tuple(one.result for one in dict.fromkeys((*self.own, *self.settled)))

    def take(self, answer: Answer) -> None:
        """Process an answer."""
        self.settled = []
        self.before = self.run.copy()
        self.own = self._order(self.before, answer.orders) if answer.orders else []
        self.semantics.answer(self.run, answer, holds, self._note)

    # orders --------------------------------------------------------------------------------------

    def _order(self, run: Run, orders: Iterable[Order]) -> list[_Given]:
        """Carry out orders in this run, and note what each adds to agenda and calendar."""
        found = []
        for order in orders:
            before, given = _counted(run), _Given(order)
            earlier = run.copy()
            apply(order, run)
            after = _counted(run)
            found.append(given)
            if isinstance(order, Withdraw):
                self._withdraw(given, earlier, run)
                continue
            if is_interruption(order):
                given.state, given.why = "nothing", UNHEARD
                continue
            for key in (after - before).elements():
                self.waiting.setdefault(key, []).append(given)
                given.left += 1
            if given.left:
                given.why = _waits_for(next(_new(before, run)))
            elif isinstance(order, SkipPhase | SkipStep) and order.scope == "this_turn":
                given.state, given.why = "nothing", "no turn is under way"
            elif isinstance(order, AddPhase | AddStep):
                given.state, given.why = "nothing", _why_nothing_is_added(order, run)
            else:
                given.state = "done"
        return found

    def _withdraw(self, given: _Given, earlier: Run, run: Run) -> None:
        gone = _counted(earlier) - _counted(run)
        for key in gone.elements():
            self._lost(key, "it was withdrawn")
        old, new = earlier.agenda, run.agenda
        changed = gone or run.calendar != earlier.calendar or old.skips != new.skips
        given.state, given.why = "done", ""
        if not changed:
            given.state, given.why = "nothing", f"nothing stands or waits under {given.order.id!r}"  # type: ignore[union-attr]

    # what fires -----------------------------------------------------------------------------------

    def _note(self, fired: Fired) -> None:
        """Look at what a firing has taken off agenda and calendar."""
        self._interrupt(fired)
        gone = list(_gone(self.before, self.run)) if self.waiting else []
        for action in fired.row.transition.actions:
            self._act(action.name, action.args, gone)
        for entry in gone:
            self._lost(_key(entry), self._why_lost(entry))
        if self.waiting:
            self.before = self.run.copy()

    def _interrupt(self, fired: Fired) -> None:
        """Note what became of the first order of the answer that raised this event."""
        for given in self.own if fired.machine == TURN else ():
            if (
                is_interruption(given.order)
                and given.order.event == fired.event
                and given.why == UNHEARD
            ):
                row = fired.row.transition
                given.state, given.why = "done", ""
                if row.target is None and not row.actions:
                    given.state, given.why, given.rule = (
                        "nothing",
                        row.doc or "a rule says so",
                        row.rule,
                    )
                return

    def _act(self, name: str, args: tuple[str, ...], gone: list[Entry]) -> None:
        if name in ("take_turn", "next_player", "miss_turn"):
            self._settle("turn", "nothing", LEFT)
        if name in ("take_turn", "take_extra", "take_before"):
            self._is_next({"take_turn": "turn", "take_before": "step"}.get(name) or args[0], gone)
        elif name == "begin_turn":
            self._settle("turn", "done")
            self._control(gone)
        elif name in BEGIN:
            self._settle(args[0], "done")
            self._trigger(gone)
        elif name == "consume_skip":
            self._skip(args[0], args[1], gone)
        elif name in ("pass_over", "miss"):
            self._settle(args[0], "nothing", ABSENT)
        elif name == "push_return":
            self.coming[args[0]].append(None)
        elif name == "pop_return" and len(self.coming[args[0]]) > 1:
            self.coming[args[0]].pop()
        elif name in ("drop", "end_turn"):
            for level in ("step",) if args == ("phase",) else ("step", "phase"):
                self._drop(level)

    def _is_next(self, level: str, gone: list[Entry]) -> None:
        """What was added is about to begin, but it may still be skipped."""
        kind = PendingTurn if level == "turn" else PendingExtra
        for entry in gone:
            if isinstance(entry, kind):
                gone.remove(entry)
                self.coming[level][-1] = self._taken(_key(entry))
                return

    def _settle(self, level: str, state: ResultState, why: str = "") -> None:
        """What was about to begin has begun, or will not."""
        given, self.coming[level][-1] = self.coming[level][-1], None
        if given is not None:
            self._decide(given, state, why)

    def _drop(self, level: str) -> None:
        for given in self.coming[level]:
            if given is not None:
                self._decide(
                    given, "nothing", f"its {'phase' if level == 'step' else 'turn'} ended first"
                )
        self.coming[level] = [None]

    def _control(self, gone: list[Entry]) -> None:
        controls = [entry for entry in gone if isinstance(entry, PendingControl)]
        for control in controls:
            gone.remove(control)
            works = control is controls[-1] and control.by not in self.run.agenda.left
            if works or control.extra_turn_after:
                self._works(_key(control))
            else:
                self._lost(
                    _key(control),
                    LEFT if control is controls[-1] else "a newer effect controls that turn",
                )

    def _trigger(self, gone: list[Entry]) -> None:
        for entry in [one for one in gone if isinstance(one, DelayedEntry)]:
            if entry.id in self.run.triggered:
                gone.remove(entry)
                self._works(_key(entry))

    def _skip(self, level: str, family: str, gone: list[Entry]) -> None:
        self._settle(level, "nothing", SKIPPED)
        due = self.before.agenda.skip_due(level, family)
        if due is None or _key(due) not in self.waiting:
            return
        if due in gone:
            gone.remove(due)
            self._works(_key(due))
        else:
            self._decide(self.waiting[_key(due)][0], "done", "", uses=0)

    def _works(self, key: Hashable) -> None:
        given = self._taken(key)
        if given is not None:
            self._decide(given, "done")

    def _lost(self, key: Hashable, reason: str) -> None:
        given = self._taken(key)
        if given is not None:
            self._decide(given, "nothing", reason)

    def _taken(self, key: Hashable) -> _Given | None:
        """Return the order of an entry that is no longer scheduled. Of equal ones it is the oldest."""
        found = self.waiting.get(key)
        if not found:
            return None
        given = found.pop(0)
        if not found:
            del self.waiting[key]
        return given

    def _decide(self, given: _Given, state: ResultState, why: str = "", uses: int = 1) -> None:
        """Note what became of one entry of an order. The order came to nothing if each of its
        entries did.
        """
        given.left -= uses
        if given.state == "waiting" and (state == "done" or not given.left):
            given.state, given.why = state, why
            self.settled.append(given)

    def _why_lost(self, entry: Entry) -> str:
        match entry:
            case PendingTurn(after=after):
                return f"no turn with the id {after!r} began"
            case PendingExtra(anchor=anchor, before=before, after=0):
                where = "before" if before else "after"
                return (
                    f"the turn ended, and there was no {_words(anchor)} {where} which it could come"
                )
            case PendingExtra():
                return "the turn ended first"
            case _ if entry.within:
                return f"there was no {_words(_what(entry))} within {entry.within!r}"
            case _:
                return f"that turn had no {_words(_what(entry))}"


def _entries(run: Run) -> Iterator[Entry]:
    """Yield what waits. Skips that stand until they are withdrawn, effects and standing triggers do
    not wait.
    """
    agenda = run.agenda
    yield from agenda.turns
    yield from agenda.controls
    yield from (skip for skip in agenda.skips if skip.scope != "each")
    yield from agenda.extras
    yield from run.calendar.delayed


def _key(entry: Entry) -> Hashable:
    """Return what does not change about an entry while it waits."""
    match entry:
        case PendingTurn():
            return replace(entry, after="")
        case PendingSkip(scope="all_next_turn") | DelayedEntry():
            return replace(entry, turn=0)
        case PendingExtra(anchor=anchor) if anchor:
            return replace(entry, after=0)
        case _:
            return entry


def _counted(run: Run) -> Counter[Hashable]:
    return Counter(map(_key, _entries(run)))


def _new(before: Counter[Hashable], run: Run) -> Iterator[Entry]:
    """Yield the entries of the run that were not there before."""
    now = _counted(run)
    return (entry for entry in _entries(run) if now[_key(entry)] > before[_key(entry)])


def _gone(before: Run, now: Run) -> Iterator[Entry]:
    """Yield the entries that are there no longer."""
    kept = _counted(now)
    for entry in _entries(before):
        key = _key(entry)
        if kept[key]:
            kept[key] -= 1
        else:
            yield entry


def _what(entry: PendingControl | PendingSkip | DelayedEntry) -> str:
    match entry:
        case PendingControl():
            return "turn"
        case PendingSkip():
            return entry.what
        case DelayedEntry():
            return entry.step


def _waits_for(entry: Entry) -> str:
    """Return what an entry waits for."""
    match entry:
        case PendingTurn(after=after):
            return f"for the turn with the id {after!r}" if after else "for the end of this turn"
        case PendingExtra(anchor="", level=level):
            return f"for the end of this {level}"
        case PendingExtra(anchor=anchor, nth=nth):
            return (
                f"for {_words(anchor)} {nth}"
                if nth > 1
                else f"for the next {_words(anchor)} in this turn"
            )
        case PendingControl(player=player):
            return f"for the next turn of {player}"
        case PendingSkip(level="turn", side=side, extra=extra):
            return f"for the next {'extra ' if extra else ''}turn of {side}"
        case PendingSkip(what=what, side=side):
            return f"for the next {_words(what)} of {side}"
        case DelayedEntry(step=step):
            return f"for the next {_words(step)}"


def _why_nothing_is_added(order: AddPhase | AddStep, run: Run) -> str:
    agenda = run.agenda
    if order.you_get and agenda.side(order.player) != agenda.active:
        return f"it is not the turn of {order.player}, who would get it"
    if isinstance(order, AddPhase) and order.after:
        return f"{_words(order.after)} {order.nth} of this turn is over"
    level = "phase" if isinstance(order, AddPhase) or order.after == "current_phase" else "step"
    return f"no {level} is under way that it could come after"


def _words(name: str) -> str:
    return name.replace("_", " ")
