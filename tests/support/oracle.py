"""An independent account of Magic's turn: a plain list of what is still to come.

Insert at index + 1 to add, delete to skip. It is written from the rules (CR 2026-01) and knows
nothing of the model: the only words it shares with the package are the orders and signals that a
game gives.

Where the rules leave something open it follows the documented defaults of the ruleset, and these
readings: of several skips that apply the oldest is used up; what waits for a step or phase waits
for this turn only; steps added after a cleanup step come before the cleanup step that 514.3a adds,
and that one cannot be skipped; only the damage step that belongs to its combat phase is doubled
(510.4), an extra one is not, and that is decided as the turn comes to it, before any step added in
front of the damage step.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from fsm import (
    AddPhase,
    AddStep,
    AddTurn,
    ControlNextTurn,
    ReverseTurnOrder,
    Signal,
    SkipPhase,
    SkipStep,
    SkipTurn,
    Withdraw,
)
from fsm.orders import Order

STEPS: Mapping[str, tuple[str, ...]] = {
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
Cause: TypeAlias = Literal["", "sba", "trigger"]
Place: TypeAlias = tuple[int, str, int]
NEEDS_ATTACKERS = ("declare_blockers", "first_strike_damage", "combat_damage")  # 508.8


@dataclass(frozen=True)
class Visit:
    """One visit of a step, as both sides report it."""

    turn: int
    active: str
    controller: str
    extra: bool
    phase: str
    step: str
    iteration: int


@dataclass(frozen=True)
class Resolution:
    """Something resolves: orders, perhaps a creature put in attacking, then at most one signal.

    `cause`: what there is to see to after it, "sba" or "trigger".
    """

    orders: tuple[Order, ...] = ()
    put_attacking: bool = False
    signal: Signal | None = None
    cause: Cause = ""


@dataclass(frozen=True)
class Happening:
    """What happens in one visit of a step: as it begins, and while players have priority.

    `cause`: what there is to see to before anybody has priority; in a cleanup step somebody
    receives priority only if there is something (514.3a). `leaves`: a player who leaves the game as
    the step begins,
    `resigns`: one who leaves on passing. `concedes`: one who leaves before
    anybody passes. `acts`: the first who has priority does something first.
    """

    begin: tuple[Order, ...] = ()
    leaves: str = ""
    cause: Cause = ""
    resolutions: tuple[Resolution, ...] = ()
    resigns: str = ""
    acts: bool = False
    concedes: str = ""


NOTHING = Happening()


@dataclass(frozen=True)
class Script:
    """What happens in a game: by number of the visit, counted over the whole game, or by place.

    A place is (turn, step, iteration). `attacks`, `strikes`: whether somebody attacks, and whether
    somebody in combat has first strike, by number of the visit, starting over at the end.
    """

    sides: tuple[tuple[str, ...], ...]
    orders: tuple[Order, ...] = ()
    happenings: Mapping[int | Place, Happening] = field(default_factory=dict)
    attacks: tuple[bool, ...] = (True,)
    strikes: tuple[bool, ...] = (False,)

    def at(self, number: int, visit: Visit) -> Happening:
        """What happens in this visit."""
        place = (visit.turn, visit.step, visit.iteration)
        return self.happenings.get(number) or self.happenings.get(place, NOTHING)

    def attack(self, number: int) -> bool:
        """Are attackers declared in this visit, should it be a declaration?"""
        return self.attacks[number % len(self.attacks)]

    def strike(self, number: int) -> bool:
        """Has anybody in combat first or double strike at the end of this visit?"""
        return self.strikes[number % len(self.strikes)]


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
    cleanup step that this one repeats, if players received priority in it. `label`: the id of the
    order that added it.
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
    """Phases to be added after the `nth` phase called `label`, which has not begun yet."""

    label: str
    nth: int
    entries: list[Entry]


@dataclass(eq=False)
class WaitingStep:
    """A step to be added next to the next step called `anchor`."""

    step: str
    anchor: str
    before: bool
    label: str = ""


Waiting: TypeAlias = WaitingPhases | WaitingStep


@dataclass(eq=False)
class Skipping:
    """A skip in force. `turn`: the only turn it applies to; 0 when it is not bound to one.
    `within`: as in orders.
    """

    what: str
    side: str
    scope: str
    turn: int = 0
    within: str = ""
    label: str = ""
    extra: bool = False


def phase_entries(family: str, only: str = "", label: str = "") -> list[Entry]:
    """A phase with its steps, or with only one of them (500.10)."""
    phase = Phase(family, label)
    steps = [Entry("step", phase, step, own=True) for step in STEPS[family] if only in ("", step)]
    return [Entry("open", phase), *steps, Entry("close", phase)]


def home(step: str) -> str:
    """The phase that normally holds this step; the first of two damage steps is combat's (510.4)."""
    return next((family for family, steps in STEPS.items() if step in steps), "combat")


class Oracle:
    """Plays a script and notes each visit of a step."""

    def __init__(self, script: Script) -> None:
        self.script = script
        self.order = [side[0] for side in script.sides]
        sizes = [len(side) for side in script.sides]
        self.first_draw_skipped = sizes in (
            [1, 1],
            [2, 2],
        )  # two players, two teams of Two-Headed Giant (103.8a-c)
        self.left: set[str] = set()
        self.coming: list[tuple[str, bool, str]] = []
        self.after: list[tuple[str, str, str]] = []
        self.step = 1
        self.seat = -1
        self.turn = 0
        self.started = False
        self.active = ""
        self.controller = ""
        self.extra = False
        self.label = ""
        self.controls: list[ControlNextTurn] = []
        self.skips: list[Skipping] = []
        self.line: list[Entry] = []
        self.index = 0
        self.waiting: list[Waiting] = []
        self.begun: list[Phase] = []
        self.seen: list[Visit] = []
        for order in script.orders:
            self._order(order)

    def play(self, visits: int) -> list[Visit]:
        """The first so many visits of steps, fewer when the game is over before."""
        while len(self.seen) < visits and not self.over:
            self._turn(visits)
        return self.seen

    @property
    def over(self) -> bool:
        """Is at most one side left in the game?"""
        return len(self._living()) < 2

    # turns ---------------------------------------------------------------------------------------

    def _turn(self, visits: int) -> None:
        if not self.coming:
            self.seat = (self.seat + self.step) % len(self.order) if self.seat >= 0 else 0
            self.coming.append((self.order[self.seat], False, ""))
        side, extra, label = self.coming.pop(0)
        if side not in self._living() or self._skipped("turn", side, extra=extra):
            return
        self._begin_turn(side, extra, label)
        while self.index < len(self.line) and len(self.seen) < visits and not self.over:
            self._entry(self.line[self.index])
        self._forget_turns()
        to_come = {
            "",
            *(label for _, _, label in self.coming),
            *(label for _, label, _ in self.after),
        }
        self.skips = [s for s in self.skips if s.turn != self.turn and s.within in to_come]
        self.controls = [c for c in self.controls if c.within in to_come]

    def _forget_turns(self) -> None:
        """Forget turns after turns that do not come."""
        known = {label for _, _, label in self.coming if label}
        for _ in self.after:
            known |= {label for _, label, after in self.after if after in known and label}
        self.after = [turn for turn in self.after if turn[2] in known]

    def _begin_turn(self, side: str, extra: bool, label: str) -> None:
        self.turn += 1
        self.active, self.extra, self.label = side, extra, label
        self.coming[:0] = [(s, True, own) for s, own, after in self.after if after == label]
        self.after = [turn for turn in self.after if turn[2] != label]
        mine = [
            c for c in self.controls if self._side(c.player) == side and c.within in ("", label)
        ]
        by = mine[-1].by if mine else side
        self.controller = side if by in self.left else by
        self.coming[:0] = [(side, True, "") for c in mine if c.extra_turn_after]
        self.controls = [c for c in self.controls if c not in mine]
        for skip in self.skips:
            if (
                skip.scope == "all_next_turn"
                and not skip.turn
                and skip.side == side
                and skip.within in ("", label)
            ):
                skip.turn = self.turn
        self.line = [entry for family in TURN for entry in phase_entries(family)]
        self.index, self.waiting, self.begun = 0, [], []
        if side == self.order[0] and not self.started:
            self.started = True
            if self.first_draw_skipped:
                self.line = [entry for entry in self.line if entry.step != "draw"]

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
        phase, side = entry.phase, self.active
        if not entry.forced and self._skipped(phase.family, side, phase.label):
            self.line = [e for e in self.line if e.phase is not phase]
            return
        if phase.family == "main":
            first = not any(p.family == "main" for p in self.begun)
            phase.name = "precombat_main" if first else "postcombat_main"
        else:
            phase.name = phase.family
        self.begun.append(phase)
        for waiting in list(self.waiting):
            if isinstance(waiting, WaitingPhases) and self._phases(waiting.label)[
                waiting.nth - 1 :
            ] == [phase]:
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
            if self._skipped(entry.step, self.active, entry.phase.label, entry.label):
                del self.line[self.index]
                return
            if self._comes_before(entry):
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
        if self.script.strike(len(self.seen) - 1):
            self.line.insert(self.index, Entry("step", entry.phase, "first_strike_damage"))
            return True
        return False

    def _comes_before(self, entry: Entry) -> bool:
        """Put the newest step that waits to come before this one onto the list."""
        for waiting in reversed(self.waiting):
            if isinstance(waiting, WaitingStep) and waiting.before and waiting.anchor == entry.step:
                self.waiting.remove(waiting)
                self.line.insert(
                    self.index, Entry("step", entry.phase, waiting.step, label=waiting.label)
                )
                return True
        return False

    def _visit(self, entry: Entry) -> None:
        number, here = len(self.seen), self.index
        times = sum(v.turn == self.turn and v.step == entry.step for v in self.seen)
        self.seen.append(
            Visit(
                self.turn,
                self.active,
                self.controller,
                self.extra,
                entry.phase.name,
                entry.step,
                times + 1,
            )
        )
        if entry.step == "cleanup":
            self.line.insert(
                here + 1, Entry("step", entry.phase, "cleanup", forced=True, after=entry)
            )
        for waiting in list(self.waiting):
            if (
                isinstance(waiting, WaitingStep)
                and not waiting.before
                and waiting.anchor == entry.step
            ):
                self.waiting.remove(waiting)
                self.line.insert(
                    here + 1, Entry("step", entry.phase, waiting.step, label=waiting.label)
                )
        self._happen(entry, number)
        self.index = here + 1

    # what happens in a step -----------------------------------------------------------------------

    def _happen(self, entry: Entry, number: int) -> None:
        happening = self.script.at(number, self.seen[number])
        if (
            entry.step == "declare_attackers"
            and entry.phase.family == "combat"
            and self.script.attack(number)
        ):
            entry.phase.attackers = True
        for order in happening.begin:
            self._order(order)
        if happening.leaves:
            self._leave(happening.leaves)
        entry.opened = entry.step != "untap" and (entry.step != "cleanup" or bool(happening.cause))
        for player in (happening.concedes, happening.resigns) if entry.opened else ():
            if player and player not in self.left:
                self._leave(player)
        for resolution in happening.resolutions if entry.opened else ():
            if self.over or self._resolve(entry, resolution):
                return

    def _leave(self, player: str) -> None:
        self.left.add(player)
        if self.controller == player:
            self.controller = self.active

    def _resolve(self, entry: Entry, resolution: Resolution) -> bool:
        """Carry it out; says whether it ended the step."""
        for order in resolution.orders:
            self._order(order)
        if resolution.put_attacking and entry.phase.family == "combat":
            entry.phase.attackers = True
        signal = resolution.signal
        if signal is None:
            return False
        if signal.event == "player_left":
            self._leave(signal.player)
            return False
        return self._end_turn(entry) if signal.event == "end_turn" else self._end_combat(entry)

    def _end_turn(self, entry: Entry) -> bool:
        """723.1: straight to a new cleanup step, in a new ending phase unless this is one."""
        self.waiting = []
        del self.line[self.index + 1 :]
        if entry.phase.family == "ending":
            self.line += [
                Entry("step", entry.phase, "cleanup", forced=True),
                Entry("close", entry.phase),
            ]
            return True
        entry.phase.over = True
        entries = phase_entries("ending", "cleanup")
        for each in entries:
            each.forced = True
        self.line += entries
        return True

    def _end_combat(self, entry: Entry) -> bool:
        """723.2: the rest of the combat phase is off the list; outside combat nothing happens."""
        if entry.phase.family != "combat":
            return False
        done, rest = self.line[: self.index + 1], self.line[self.index + 1 :]
        self.line = done + [e for e in rest if e.phase is not entry.phase or e.kind == "close"]
        return True

    # orders ---------------------------------------------------------------------------------------

    def _order(self, order: Order) -> None:
        match order:
            case AddTurn():
                for side in [s for s in self._round() if s in self._named(order)]:
                    if order.after in ("", self.label):
                        self.coming[:0] = [(side, True, order.id)] * order.count
                    else:
                        self.after[:0] = [(side, order.id, order.after)] * order.count
            case SkipTurn():
                for side in (self._named(order) or self._living()) * order.count:
                    self.skips.append(
                        Skipping("turn", side, order.scope, label=order.id, extra=order.extra)
                    )
            case ReverseTurnOrder():
                self.step = -self.step
            case Withdraw():
                self._withdraw(order.id)
            case ControlNextTurn() if order.by in self.left:
                pass  # who has left controls nobody (800.4a)
            case ControlNextTurn():
                self.controls.append(order)
            case SkipPhase(phase=what) | SkipStep(step=what):
                sides = self._named(order) or self._living()
                turn = self.turn if order.scope == "this_turn" else 0
                self.skips += [
                    Skipping(what, side, order.scope, turn, order.within, order.id)
                    for side in sides
                ]
            case AddPhase() | AddStep():
                if not order.you_get or self._side(order.player) == self.active:  # 500.10a
                    self._add(order)
            case _:
                raise AssertionError(f"{order!r} is beyond this oracle")

    def _withdraw(self, id: str) -> None:
        self.coming = [turn for turn in self.coming if turn[2] != id]
        self.after = [turn for turn in self.after if turn[1] != id]
        self.controls = [c for c in self.controls if c.id != id]
        self.skips = [s for s in self.skips if s.label != id]
        gone = [
            e for e in self.line[self.index + 1 :] if e.label == id or self._not_begun(e.phase, id)
        ]
        self.line = [e for e in self.line if e not in gone]
        self.waiting = [w for w in self.waiting if not self._waits_under(w, id)]

    def _not_begun(self, phase: Phase, label: str) -> bool:
        return phase.label == label and phase not in self.begun

    def _waits_under(self, waiting: Waiting, label: str) -> bool:
        if isinstance(waiting, WaitingPhases):
            return waiting.entries[0].phase.label == label
        return waiting.label == label

    def _add(self, order: AddPhase | AddStep) -> None:
        for _ in range(order.count):
            if isinstance(order, AddPhase):
                self._add_phases(order)
            elif order.before:
                self.waiting.append(
                    WaitingStep(order.step, order.before, before=True, label=order.id)
                )
            elif order.after == "current_phase":
                self._insert_after(
                    self._here().phase, phase_entries(home(order.step), order.step, order.id)
                )
            elif order.after in ("current_step", self._here().step):
                self.line.insert(
                    self.index + 1, Entry("step", self._here().phase, order.step, label=order.id)
                )
            else:
                self.waiting.append(
                    WaitingStep(order.step, order.after, before=False, label=order.id)
                )

    def _add_phases(self, order: AddPhase) -> None:
        entries = [
            entry for family in order.phases for entry in phase_entries(family, label=order.id)
        ]
        found = self._phases(order.after)
        if not order.after:
            self._insert_after(self._here().phase, entries)
        elif len(found) < order.nth:
            self.waiting.append(WaitingPhases(order.after, order.nth, entries))
        elif not found[order.nth - 1].over:
            self._insert_after(found[order.nth - 1], entries)

    def _insert_after(self, phase: Phase, entries: Sequence[Entry]) -> None:
        end = next(i for i, e in enumerate(self.line) if e.phase is phase and e.kind == "close")
        self.line[end + 1 : end + 1] = entries

    # looking things up ----------------------------------------------------------------------------

    def _here(self) -> Entry:
        return self.line[self.index]

    def _phases(self, label: str) -> list[Phase]:
        return [p for p in self.begun if label in (p.family, p.name)]

    def _side(self, player: str) -> str:
        return next(side[0] for side in self.script.sides if player in side)

    def _named(self, order: AddTurn | SkipTurn | SkipPhase | SkipStep) -> list[str]:
        names = order.players or ((order.player,) if order.player else ())
        return list(dict.fromkeys(map(self._side, names)))

    def _round(self) -> list[str]:
        """The sides in turn order, from the active one."""
        order = self.order[:: self.step]
        start = order.index(self.active) if self.active else order.index(self.order[0])
        return order[start:] + order[:start]

    def _living(self) -> list[str]:
        return [side[0] for side in self.script.sides if not self.left.issuperset(side)]

    def _skipped(self, what: str, side: str, *labels: str, extra: bool = True) -> bool:
        """Is the next such thing of this side passed over? The effect is used up if it is for one
        (614.10a).

        `labels`: its own, and that of its phase.
        """
        known = ("", self.label, *labels) if labels else ("",)
        found = (s for s in self.skips if s.what == what and s.side == side and s.within in known)
        skip = next((s for s in found if self._in_force(s) and (extra or not s.extra)), None)
        if skip is not None and skip.scope == "next":
            self.skips.remove(skip)
        return skip is not None

    def _in_force(self, skip: Skipping) -> bool:
        return skip.scope in ("next", "each") or skip.turn == self.turn
