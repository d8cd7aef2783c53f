"""An independent account of Magic's turn: a plain list of what is still to come.

Insert at index + 1 to add, delete to skip. It is written from the rules (CR 2026-01) and knows nothing of
the model: the only words it shares with the package are the orders and signals that a game gives.

Where the rules leave something open it follows the documented defaults of the ruleset, and these readings:
of several skips that apply the oldest is used up; what waits for a step or phase waits for this turn only;
steps added after a cleanup step come before the cleanup step that 514.3a adds, and that one cannot be
skipped; only the damage step that belongs to its combat phase is doubled (510.4), an extra one is not, and
that is decided as the turn comes to it, before any step added in front of the damage step.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from fsm.engine.requests import Signal
from fsm.state.orders import AddPhase, AddStep, AddTurn, ControlNextTurn, Order, SkipPhase, SkipStep, SkipTurn

STEPS: Mapping[str, tuple[str, ...]] = {
    "beginning": ("untap", "upkeep", "draw"),
    "main": ("main",),
    "combat": ("beginning_of_combat", "declare_attackers", "declare_blockers", "combat_damage", "end_of_combat"),
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

    `cause`: what there is to see to before anybody has priority; in a cleanup step somebody receives
    priority only if there is something (514.3a). `leaves`: a player who leaves the game as the step begins,
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
    """One phase, to come, under way or over. `name` is known once it begins (505.1a)."""

    family: str
    name: str = ""
    over: bool = False
    attackers: bool = False


@dataclass(eq=False)
class Entry:
    """One thing on the list: a phase opens, a step, a phase closes.

    `own`: the step belongs to the phase by the rules. `forced`: nothing can stop it. `after`: the cleanup
    step that this one repeats, if players received priority in it.
    """

    kind: Literal["open", "step", "close"]
    phase: Phase
    step: str = ""
    own: bool = False
    forced: bool = False
    after: Entry | None = None
    opened: bool = False


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


Waiting: TypeAlias = WaitingPhases | WaitingStep


@dataclass(eq=False)
class Skipping:
    """A skip in force. `turn`: the only turn it applies to; 0 when it is not bound to one."""

    what: str
    side: str
    scope: str
    turn: int = 0


def phase_entries(family: str, only: str = "") -> list[Entry]:
    """A phase with its steps, or with only one of them (500.10)."""
    phase = Phase(family)
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
        self.first_draw_skipped = sizes in ([1, 1], [2, 2])  # two players, two teams of Two-Headed Giant (103.8a-c)
        self.left: set[str] = set()
        self.coming: list[tuple[str, bool]] = []
        self.seat = -1
        self.turn = 0
        self.started = False
        self.active = ""
        self.controller = ""
        self.extra = False
        self.controls: dict[str, str] = {}
        self.turns_after_control: list[str] = []
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
            self.seat = (self.seat + 1) % len(self.order)
            self.coming.append((self.order[self.seat], False))
        side, extra = self.coming.pop(0)
        if side not in self._living() or self._skipped("turn", side):
            return
        self._begin_turn(side, extra)
        while self.index < len(self.line) and len(self.seen) < visits and not self.over:
            self._entry(self.line[self.index])
        self.skips = [s for s in self.skips if s.turn != self.turn]

    def _begin_turn(self, side: str, extra: bool) -> None:
        self.turn += 1
        self.active, self.extra = side, extra
        by = self.controls.pop(side, side)
        self.controller = side if by in self.left else by
        self.coming[:0] = [(s, True) for s in self.turns_after_control if s == side]
        self.turns_after_control = [s for s in self.turns_after_control if s != side]
        for skip in self.skips:
            if skip.scope == "all_next_turn" and not skip.turn and skip.side == side:
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
        phase = entry.phase
        if not entry.forced and self._skipped(phase.family, self.active):
            self.line = [e for e in self.line if e.phase is not phase]
            return
        if phase.family == "main":
            first = not any(p.family == "main" for p in self.begun)
            phase.name = "precombat_main" if first else "postcombat_main"
        else:
            phase.name = phase.family
        self.begun.append(phase)
        for waiting in list(self.waiting):
            if isinstance(waiting, WaitingPhases) and self._phases(waiting.label)[waiting.nth - 1 :] == [phase]:
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
            if self._skipped(entry.step, self.active):
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
                self.line.insert(self.index, Entry("step", entry.phase, waiting.step))
                return True
        return False

    def _visit(self, entry: Entry) -> None:
        number, here = len(self.seen), self.index
        times = sum(v.turn == self.turn and v.step == entry.step for v in self.seen)
        self.seen.append(
            Visit(self.turn, self.active, self.controller, self.extra, entry.phase.name, entry.step, times + 1)
        )
        if entry.step == "cleanup":
            self.line.insert(here + 1, Entry("step", entry.phase, "cleanup", forced=True, after=entry))
        for waiting in list(self.waiting):
            if isinstance(waiting, WaitingStep) and not waiting.before and waiting.anchor == entry.step:
                self.waiting.remove(waiting)
                self.line.insert(here + 1, Entry("step", entry.phase, waiting.step))
        self._happen(entry, number)
        self.index = here + 1

    # what happens in a step ------------------------------------------------------------------------

    def _happen(self, entry: Entry, number: int) -> None:
        happening = self.script.at(number, self.seen[number])
        if entry.step == "declare_attackers" and entry.phase.family == "combat" and self.script.attack(number):
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
        self.controls = {side: side if by == player else by for side, by in self.controls.items()}

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
            self.line += [Entry("step", entry.phase, "cleanup", forced=True), Entry("close", entry.phase)]
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

    # orders ----------------------------------------------------------------------------------------

    def _order(self, order: Order) -> None:
        match order:
            case AddTurn():
                self.coming[:0] = [(self._side(order.player), True)] * order.count
            case SkipTurn():
                self.skips += [Skipping("turn", self._side(order.player), "next") for _ in range(order.count)]
            case ControlNextTurn() if order.by in self.left:
                pass  # who has left controls nobody (800.4a)
            case ControlNextTurn():
                self.controls[self._side(order.player)] = order.by
                if order.extra_turn_after:
                    self.turns_after_control.append(self._side(order.player))
            case SkipPhase(phase=what) | SkipStep(step=what):
                sides = [self._side(order.player)] if order.player else self._living()
                turn = self.turn if order.scope == "this_turn" else 0
                self.skips += [Skipping(what, side, order.scope, turn) for side in sides]
            case AddPhase() | AddStep():
                if not order.you_get or self._side(order.player) == self.active:  # 500.10a
                    self._add(order)
            case _:
                raise AssertionError(f"{order!r} is beyond this oracle")

    def _add(self, order: AddPhase | AddStep) -> None:
        for _ in range(order.count):
            if isinstance(order, AddPhase):
                self._add_phases(order)
            elif order.before:
                self.waiting.append(WaitingStep(order.step, order.before, before=True))
            elif order.after == "current_phase":
                self._insert_after(self._here().phase, phase_entries(home(order.step), order.step))
            elif order.after in ("current_step", self._here().step):
                self.line.insert(self.index + 1, Entry("step", self._here().phase, order.step))
            else:
                self.waiting.append(WaitingStep(order.step, order.after, before=False))

    def _add_phases(self, order: AddPhase) -> None:
        entries = [entry for family in order.phases for entry in phase_entries(family)]
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

    # looking things up -------------------------------------------------------------------------------

    def _here(self) -> Entry:
        return self.line[self.index]

    def _phases(self, label: str) -> list[Phase]:
        return [p for p in self.begun if label in (p.family, p.name)]

    def _side(self, player: str) -> str:
        return next(side[0] for side in self.script.sides if player in side)

    def _living(self) -> list[str]:
        return [side[0] for side in self.script.sides if not self.left.issuperset(side)]

    def _skipped(self, what: str, side: str) -> bool:
        """Is the next such thing of this side passed over? The effect is used up if it is for one (614.10a)."""
        skip = next((s for s in self.skips if s.what == what and s.side == side and self._in_force(s)), None)
        if skip is not None and skip.scope == "next":
            self.skips.remove(skip)
        return skip is not None

    def _in_force(self, skip: Skipping) -> bool:
        return skip.scope in ("next", "each") or skip.turn == self.turn
