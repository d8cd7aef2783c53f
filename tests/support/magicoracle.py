"""An independent account of Magic's turn: a plain list of what is still to come.

Insert at index + 1 to add, delete to skip. It is written from the rules (CR 2026-01) and knows
nothing of the model. The only words it shares with the package are the orders that a game gives.

Where the rules leave something open it follows the documented defaults of the ruleset, and these
readings: of several skips that apply the oldest is used up, and a step that was added before
another one comes also if that one is skipped; what waits for a step or phase waits
for this turn only; steps added after a cleanup step come before the cleanup step that 514.3a adds,
and that one cannot be skipped; only the damage step that belongs to its combat phase is doubled
(510.4), an extra one is not, and that is decided as the turn comes to it, before any step added in
front of the damage step.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from fsm import (
    AddPhase,
    AddStep,
    AddTurn,
    ControlNextTurn,
    EndPhase,
    EndTurn,
    Leave,
    Order,
    ReverseTurnOrder,
    SkipPhase,
    SkipStep,
    SkipTurn,
    Withdraw,
)
from fsm.hosts import Position
from support.oraclegame import Moment, Sides

STEPS = {
    "beginning": ("untap", "upkeep", "draw"),
    "main": ("main",),
    "combat": (
        "beginning_of_combat",
        "declare_attackers",
        "declare_blockers",
        "combat_damage",
        "end_of_combat",
    ),
    "ending": ("end", "cleanup"),
}
TURN = ("beginning", "main", "combat", "main", "ending")
NEEDS_ATTACKERS = ("declare_blockers", "first_strike_damage", "combat_damage")  # 508.8


@dataclass(eq=False)
class Phase:
    """One phase, to come, under way or over. `name` is known once it begins (505.1a).

    `label`: the id of the order that added it.
    """

    family: str
    label: str = ""
    name: str = ""
    over: bool = False
    attackers: bool = False


@dataclass(eq=False)
class Entry:
    """One thing on the list: a phase opens, a step, a phase closes.

    `own`: the step belongs to the phase by the rules. `forced`: nothing can stop it. `after`: the
    cleanup step that this one repeats, if players received priority in it.
    """

    kind: Literal["open", "step", "close"]
    phase: Phase
    step: str = ""
    own: bool = False
    forced: bool = False
    after: Entry | None = None
    opened: bool = False
    label: str = ""


@dataclass(eq=False)
class WaitingPhases:
    """Phases to be added after the `nth` phase of this name, which has not begun yet."""

    anchor: str
    nth: int
    entries: list[Entry]

    def is_for(self, begun: Sequence[Phase]) -> bool:
        """Has the phase that it waits for just begun?"""
        return len(begun) == self.nth

    @property
    def label(self) -> str:
        """The id of the order."""
        return self.entries[0].phase.label


@dataclass(eq=False)
class WaitingStep:
    """A step to be added next to the next step called `anchor`."""

    step: str
    anchor: str
    before: bool
    label: str


@dataclass(eq=False)
class Skipping:
    """A skip in force. `turn`: the only turn it applies to; 0 when it is not bound to one."""

    what: str
    side: str
    scope: str
    label: str
    turn: int = 0
    within: str = ""
    extra: bool = False


@dataclass(eq=False)
class Turn:
    """A turn to come: an extra one, or the natural one. `after`: the label of the turn it awaits."""

    side: str
    extra: bool = True
    label: str = ""
    after: str = ""


Waiting: TypeAlias = WaitingPhases | WaitingStep


def phase_entries(family: str, only: str = "", label: str = "") -> list[Entry]:
    """A phase with its steps, or with only one of them (500.10)."""
    phase = Phase(family, label)
    steps = [Entry("step", phase, step, own=True) for step in STEPS[family] if only in ("", step)]
    return [Entry("open", phase), *steps, Entry("close", phase)]


def home(step: str) -> str:
    """The phase that normally holds this step; the first of two damage steps is combat's (510.4)."""
    return next((family for family, steps in STEPS.items() if step in steps), "combat")


def words(at: Position) -> str:
    """One line for a visit of a step, so that a difference can be read."""
    turn = f"turn {at.turn} {at.active}{'+' if at.extra else ''} by {at.controller}"
    return f"{turn}: {at.phase}/{at.step} {at.iteration}"


class MagicOracle:
    """Reads the moments of a game and says which step each must be in."""

    def __init__(self, sides: Sides, orders: Sequence[Order], moments: Sequence[Moment]) -> None:
        self.sides = sides
        self.moments = list(moments)
        self.order = [side[0] for side in sides]
        self.left: set[str] = set()
        self.coming: list[Turn] = []
        self.awaiting: list[Turn] = []
        self.direction, self.seat = 1, -1
        self.number = 0
        self.started = self.strikes = False
        self.active = self.controller = self.label = ""
        self.extra = False
        self.controls: list[ControlNextTurn] = []
        self.skips: list[Skipping] = []
        self.line: list[Entry] = []
        self.index = 0
        self.waiting: list[Waiting] = []
        self.begun: list[Phase] = []
        self.seen: list[str] = []
        self.times: list[str] = []
        for order in orders:
            self._order(order)

    def follow(self) -> None:
        """Say where each moment must be, until there are no more."""
        while self.moments and not self.over:
            self._turn()

    @property
    def over(self) -> bool:
        """Is at most one side left in the game?"""
        return len(self._living()) < 2

    # turns ---------------------------------------------------------------------------------------

    def _turn(self) -> None:
        if not self.coming:
            self.seat = (self.seat + self.direction) % len(self.order) if self.seat >= 0 else 0
            self.coming.append(Turn(self.order[self.seat], extra=False))
        turn = self.coming.pop(0)
        if turn.side not in self._living() or self._skipped("turn", turn.side, extra=turn.extra):
            return
        self._begin(turn)
        while self.index < len(self.line) and self.moments and not self.over:
            self._entry(self.line[self.index])
        self._forget()

    def _begin(self, turn: Turn) -> None:
        side, label = turn.side, turn.label
        self.number += 1
        self.active, self.extra, self.label = side, turn.extra, label
        self.coming[:0] = [one for one in self.awaiting if one.after == label]
        self.awaiting = [one for one in self.awaiting if one.after != label]
        self._take_control(side)
        for skip in self._skips_of(side, label):
            if skip.scope == "all_next_turn" and not skip.turn:
                skip.turn = self.number
        self.line = [entry for family in TURN for entry in phase_entries(family)]
        self.index, self.waiting, self.begun, self.times = 0, [], [], []
        if side == self.order[0] and not self.started:
            self.started = True
            if [len(each) for each in self.sides] in ([1, 1], [2, 2]):  # 103.8a-c
                self.line = [entry for entry in self.line if entry.step != "draw"]

    def _take_control(self, side: str) -> None:
        """The newest effect decides who controls the turn; all of them are used up."""
        due = [
            one
            for one in self.controls
            if self._side(one.player) == side and one.within in ("", self.label)
        ]
        by = due[-1].by if due else side
        self.controller = side if by in self.left else by
        self.coming[:0] = [Turn(side) for one in due if one.extra_turn_after]
        self.controls = [one for one in self.controls if one not in due]

    def _forget(self) -> None:
        """What was for this turn is over, and so is what hangs on a turn that does not come."""
        known = {turn.label for turn in (*self.coming, *self.awaiting) if turn.label}
        self.awaiting = [turn for turn in self.awaiting if turn.after in known]
        known.add("")
        self.skips = [s for s in self.skips if s.turn != self.number and s.within in known]
        self.controls = [one for one in self.controls if one.within in known]

    # the list ------------------------------------------------------------------------------------

    def _entry(self, entry: Entry) -> None:
        if entry.kind == "open":
            self._open(entry)
        elif entry.kind == "close":
            entry.phase.over = True
            self.index += 1
        else:
            self._step(entry)

    def _open(self, entry: Entry) -> None:
        phase = entry.phase
        if not entry.forced and self._skipped(phase.family, self.active, phase.label):
            self.line = [other for other in self.line if other.phase is not phase]
            return
        phase.name = phase.family
        if phase.family == "main":
            first = all(other.family != "main" for other in self.begun)
            phase.name = "precombat_main" if first else "postcombat_main"
        self.begun.append(phase)
        for waiting in list(self.waiting):
            if isinstance(waiting, WaitingPhases) and waiting.is_for(self._phases(waiting.anchor)):
                self.waiting.remove(waiting)
                self._insert_after(phase, waiting.entries)
        self.index += 1

    def _step(self, entry: Entry) -> None:
        if self._absent(entry):
            del self.line[self.index]
            return
        if entry.step == "main":
            entry.step = entry.phase.name
        if not entry.forced:
            if self._doubled(entry):
                return
            if self._comes_before(entry):
                return
            if self._skipped(entry.step, self.active, entry.phase.label, entry.label):
                del self.line[self.index]
                return
        self._visit(entry)

    def _absent(self, entry: Entry) -> bool:
        if entry.after is not None:
            return not entry.after.opened
        return entry.step in NEEDS_ATTACKERS and not entry.phase.attackers

    def _doubled(self, entry: Entry) -> bool:
        """Decide once whether a damage step comes in front of the combat's own."""
        if entry.step != "combat_damage" or not entry.own:
            return False
        entry.own = False
        if self.strikes:
            self.line.insert(self.index, Entry("step", entry.phase, "first_strike_damage"))
        return self.strikes

    def _comes_before(self, entry: Entry) -> bool:
        """Put the newest step that waits to come before this one onto the list."""
        for waiting in reversed(self._waiting_steps(entry.step, before=True)):
            self.waiting.remove(waiting)
            added = Entry("step", entry.phase, waiting.step, label=waiting.label)
            self.line.insert(self.index, added)
            return True
        return False

    def _waiting_steps(self, anchor: str, *, before: bool) -> list[WaitingStep]:
        steps = [one for one in self.waiting if isinstance(one, WaitingStep)]
        return [one for one in steps if (one.anchor, one.before) == (anchor, before)]

    def _visit(self, entry: Entry) -> None:
        here = self.index
        self.times.append(entry.step)
        self._compare(entry)
        if entry.step == "cleanup":
            again = Entry("step", entry.phase, "cleanup", forced=True, after=entry)
            self.line.insert(here + 1, again)
        for waiting in self._waiting_steps(entry.step, before=False):
            self.waiting.remove(waiting)
            added = Entry("step", entry.phase, waiting.step, label=waiting.label)
            self.line.insert(here + 1, added)
        self._happen(entry)
        self.index = here + 1

    # what happens in a step -----------------------------------------------------------------------

    def _compare(self, entry: Entry) -> None:
        """The next moment is in this step, which has just begun."""
        turn = self.number, self._present(self.active), self._present(self.controller), self.extra
        times = self.times.count(entry.step)
        here = words(Position(*turn, entry.phase.name, entry.step, times, ""))
        self.seen.append(here)
        found, before = words(self.moments[0].at), "\n".join(self.seen[-12:-1])
        assert found == here, f"after\n{before}\nthe oracle has\n{here}\nthe machine\n{found}"

    def _happen(self, entry: Entry) -> None:
        """Everything that happens in this visit of the step."""
        combat = entry.phase.family == "combat"
        self.strikes = False
        for moment in self._moments_here():
            facts = moment.facts
            if entry.step == "declare_attackers" and facts["attackers_declared"]:
                entry.phase.attackers = combat
            for order in moment.answer.orders:
                self._order(order)
            entry.phase.attackers |= combat and facts["put_in_attacking"]
            self.strikes = facts["first_strike_in_combat"]
            if moment.asked.startswith("check_state"):  # 514.3a
                entry.opened |= facts["sba_performed"] or facts["triggers_waiting"]
            if moment.ends(EndTurn):
                self._end_turn(entry)
            elif moment.ends(EndPhase):
                self._end_combat(entry)

    def _moments_here(self) -> Iterator[Moment]:
        """The moments until the next step begins. A phase that ends is in no step."""
        first = self.moments[0].at
        visit = (first.turn, first.step, first.iteration)
        while self.moments:
            at = self.moments[0].at
            if at.step and (at.turn, at.step, at.iteration) != visit:
                return
            yield self.moments.pop(0)

    def _end_turn(self, entry: Entry) -> None:
        """723.1: straight to a new cleanup step, in a new ending phase unless this is one."""
        self.waiting = []
        del self.line[self.index + 1 :]
        if entry.phase.family == "ending":
            again = Entry("step", entry.phase, "cleanup", forced=True)
            self.line += [again, Entry("close", entry.phase)]
            return
        entry.phase.over = True
        for added in phase_entries("ending", "cleanup"):
            added.forced = True
            self.line.append(added)

    def _end_combat(self, entry: Entry) -> None:
        """723.2: the rest of the combat phase is off the list; outside combat nothing happens."""
        if entry.phase.family == "combat":
            done, rest = self.line[: self.index + 1], self.line[self.index + 1 :]
            kept = [one for one in rest if one.phase is not entry.phase or one.kind == "close"]
            self.line = done + kept

    # orders ---------------------------------------------------------------------------------------

    def _order(self, order: Order) -> None:
        match order:
            case AddTurn():
                self._add_turns(order)
            case SkipTurn(scope=scope, id=label, extra=extra):
                for side in (self._named(order) or self._living()) * order.count:
                    self.skips.append(Skipping("turn", side, scope, label, extra=extra))
            case SkipPhase(phase=what) | SkipStep(step=what):
                turn = self.number if order.scope == "this_turn" else 0
                for side in self._named(order) or self._living():
                    skip = Skipping(what, side, order.scope, order.id, turn, order.within)
                    self.skips.append(skip)
            case ReverseTurnOrder():
                self.direction = -self.direction
            case Withdraw():
                self._withdraw(order.id)
            case ControlNextTurn() if order.by not in self.left:  # 800.4a
                self.controls.append(order)
            case AddPhase() | AddStep():
                if not order.you_get or self._side(order.player) == self.active:  # 500.10a
                    self._add(order)
            case Leave():
                self.left.update(order.players)
                if self.controller in self.left:
                    self.controller = self.active

    def _add_turns(self, order: AddTurn) -> None:
        for side in [side for side in self._round() if side in self._named(order)]:
            turns = [Turn(side, label=order.id, after=order.after)] * order.count
            if order.after in ("", self.label):
                self.coming[:0] = turns
            else:
                self.awaiting[:0] = turns

    def _withdraw(self, label: str) -> None:
        self.coming = [turn for turn in self.coming if turn.label != label]
        self.awaiting = [turn for turn in self.awaiting if turn.label != label]
        self.controls = [one for one in self.controls if one.id != label]
        self.skips = [skip for skip in self.skips if skip.label != label]
        self.waiting = [one for one in self.waiting if one.label != label]
        for entry in self.line[self.index + 1 :]:
            not_begun = entry.phase.label == label and entry.phase not in self.begun
            if entry.label == label or not_begun:
                self.line.remove(entry)

    def _add(self, order: AddPhase | AddStep) -> None:
        here = self.line[self.index]
        for _ in range(order.count):
            if isinstance(order, AddPhase):
                self._add_phases(order, here.phase)
            elif order.before:
                self.waiting.append(WaitingStep(order.step, order.before, True, order.id))
            elif order.after == "current_phase":
                entries = phase_entries(home(order.step), order.step, order.id)
                self._insert_after(here.phase, entries)
            elif order.after in ("current_step", here.step):
                added = Entry("step", here.phase, order.step, label=order.id)
                self.line.insert(self.index + 1, added)
            else:
                self.waiting.append(WaitingStep(order.step, order.after, False, order.id))

    def _add_phases(self, order: AddPhase, here: Phase) -> None:
        entries = []
        for family in order.phases:
            entries += phase_entries(family, label=order.id)
        found = self._phases(order.after) if order.after else [here]
        if len(found) < order.nth:
            self.waiting.append(WaitingPhases(order.after, order.nth, entries))
        elif not found[order.nth - 1].over:
            self._insert_after(found[order.nth - 1], entries)

    def _insert_after(self, phase: Phase, entries: Sequence[Entry]) -> None:
        closing = [entry for entry in self.line if entry.phase is phase and entry.kind == "close"]
        end = self.line.index(closing[0])
        self.line[end + 1 : end + 1] = entries

    # looking things up ----------------------------------------------------------------------------

    def _phases(self, name: str) -> list[Phase]:
        return [phase for phase in self.begun if name in (phase.family, phase.name)]

    def _side(self, player: str) -> str:
        return next(side[0] for side in self.sides if player in side)

    def _present(self, player: str) -> str:
        """The player, or who of the team is still in the game."""
        team = next(side for side in self.sides if player in side)
        return next((one for one in (player, *team) if one not in self.left), player)

    def _named(self, order: AddTurn | SkipTurn | SkipPhase | SkipStep) -> list[str]:
        names = order.players or ((order.player,) if order.player else ())
        return list(dict.fromkeys(map(self._side, names)))

    def _round(self) -> list[str]:
        """The sides in turn order, from the active one."""
        order = self.order[:: self.direction]
        start = order.index(self.active or self.order[0])
        return order[start:] + order[:start]

    def _living(self) -> list[str]:
        return [side[0] for side in self.sides if not self.left.issuperset(side)]

    def _skips_of(self, side: str, *labels: str) -> list[Skipping]:
        return [s for s in self.skips if s.side == side and s.within in ("", *labels)]

    def _skipped(self, what: str, side: str, *labels: str, extra: bool = True) -> bool:
        """Is the next such thing of this side passed over? The effect is used up if it is for one
        (614.10a). `labels`: its own, and that of its phase.
        """
        if labels:
            labels = (*labels, self.label)
        for skip in self._skips_of(side, *labels):
            in_force = skip.scope in ("next", "each") or skip.turn == self.number
            if skip.what == what and in_force and (extra or not skip.extra):
                if skip.scope == "next":
                    self.skips.remove(skip)
                return True
        return False
