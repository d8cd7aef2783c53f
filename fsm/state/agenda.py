"""The agenda: what is still to come beyond the ordinary course, and what was interrupted (CR 500.7
to 500.11, 614.10).

Extra and skipped turns, phases and steps, the control of a coming turn, and the return stack of
interrupted sequences. It knows no order of steps and no kinds of steps: it compares words that the
model gives it. Every field holds immutable values, so a copy of the object is a snapshot.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from fsm.errors import StuckError
from fsm.model import By
from fsm.state.entries import (
    AGAIN,
    NO_CANDIDATE,
    NOT_BEGUN,
    Candidate,
    Occurrence,
    PendingControl,
    PendingExtra,
    PendingSkip,
    PendingTurn,
    Return,
    Suspended,
    occurrence_of,
)
from fsm.state.sides import following as following_side
from fsm.state.sides import living as living_sides
from fsm.state.sides import one_more, sides_among


@dataclass(slots=True)
class Agenda:
    """What is scheduled in one game, and the occurrences that schedules are anchored to.

    `players` in seat order, `teams` those of them that share turns; `turns_taken` and `own_turns`
    (those in turn order, extra ones not counted) have a number for each side, in turn order, once a
    turn has begun. `appointed` is the one side that has a role, for each role in which somebody has
    been appointed.
    """

    players: tuple[str, ...]
    teams: tuple[tuple[str, ...], ...] = ()
    left: tuple[str, ...] = ()
    turn: int = 0
    turns_taken: tuple[int, ...] = ()
    own_turns: tuple[int, ...] = ()
    active: str = ""
    decider: str = ""
    natural: str = ""
    occurrences: int = 0
    candidate_turn: str = ""
    candidate_turn_extra: bool = False
    candidate_turn_label: str = ""
    candidate_phase: Candidate = NO_CANDIDATE
    candidate_step: Candidate = NO_CANDIDATE
    current_turn: Occurrence | None = None
    current_phase: Occurrence | None = None
    current_step: Occurrence | None = None
    cursor_phase: int = NOT_BEGUN
    cursor_step: int = NOT_BEGUN
    returns_phase: tuple[Return, ...] = ()
    returns_step: tuple[Return, ...] = ()
    suspended: tuple[Suspended, ...] = ()
    begun: tuple[Occurrence, ...] = ()
    missed: tuple[str, ...] = ()
    tallies: Mapping[str, int] = field(default_factory=dict)
    reversed: bool = False
    turns: tuple[PendingTurn, ...] = ()
    controls: tuple[PendingControl, ...] = ()
    skips: tuple[PendingSkip, ...] = ()
    extras: tuple[PendingExtra, ...] = ()
    appointed: tuple[tuple[str, str], ...] = ()

    @property
    def idle(self) -> bool:
        """Is nothing scheduled, skipped or interrupted, and nobody gone?"""
        phase = self.current_phase
        return not (
            self.extras
            or self.skips
            or self.returns_phase
            or self.returns_step
            or self.turns
            or self.controls
            or self.left
            or (phase is not None and phase.only)
        )

    @property
    def pending(self) -> int:
        """How many turns, phases, steps, skips and controls are there."""
        return len(self.turns) + len(self.controls) + len(self.skips) + len(self.extras)

    # sides -------------------------------------------------------------------------------------

    @property
    def sides(self) -> tuple[tuple[str, ...], ...]:
        """The sides in turn order: each player alone, or a team together."""
        return sides_among(self.players, self.teams)

    def side(self, player: str) -> str:
        """The side a player belongs to, named by its first member."""
        return next((team[0] for team in self.teams if player in team), player)

    def members(self, side: str) -> tuple[str, ...]:
        """The players of a side who are still in the game."""
        if not side:
            return ()
        players = (
            next((team for team in self.teams if team[0] == side), (side,))
            if self.teams
            else (side,)
        )
        return tuple(p for p in players if p not in self.left) if self.left else players

    @property
    def living(self) -> tuple[str, ...]:
        """The sides with somebody left, in turn order."""
        return (
            living_sides(self.players, self.teams, self.left)
            if self.left or self.teams
            else self.players
        )

    def following(self, side: str) -> str:
        """The next living side in turn order after this one; "" when there is none."""
        if self.left or self.teams:
            return following_side(self.players, self.teams, self.left, side, self.reversed)
        players, step = self.players, -1 if self.reversed else 1
        return (
            players[(players.index(side) + step) % len(players)] if side in players else players[0]
        )

    def leave(self, *players: str) -> None:
        """These players are out of the game, and decide for nobody any more (CR 800.4a)."""
        self.left = (*self.left, *players)
        if self.decider in players:
            self.decider = self.active
        if self.appointed:
            self.appointed = tuple(one for one in self.appointed if self.members(one[1]))

    def turns_of(self, side: str) -> int:
        """How many turns a side has taken, extra ones too."""
        return self._of(self.turns_taken, side)

    def own_turns_of(self, side: str) -> int:
        """How many turns a side has taken in turn order, extra ones not counted."""
        return self._of(self.own_turns, side)

    def _of(self, counts: tuple[int, ...], side: str) -> int:
        seat = self._seat(side)
        return counts[seat] if counts and seat is not None else 0

    def _seat(self, side: str) -> int | None:
        order = [s[0] for s in self.sides] if self.teams else self.players
        return order.index(side) if side in order else None

    def _one_more(self, counts: tuple[int, ...], side: str) -> tuple[int, ...]:
        seat = self._seat(side)
        return one_more(counts or (0,) * len(self.sides), seat) if seat is not None else counts

    @property
    def first(self) -> str:
        """The active side, or who follows it if it is gone; "" when nobody is left."""
        return self.active if self.active in self.living else self.following(self.active)

    def from_active(self) -> tuple[str, ...]:
        """The living sides in turn order, beginning with the active one or who follows it."""
        living, first = self.living[::-1] if self.reversed else self.living, self.first
        start = living.index(first) if first in living else 0
        return living[start:] + living[:start]

    def appoint(self, role: str, side: str) -> None:
        """Give a role to one side."""
        self.appointed = (*(one for one in self.appointed if one[0] != role), (role, side))

    def performers(self, by: By | str) -> tuple[str, ...]:
        """The players who perform an action, from the active one in turn order (CR 101.4)."""
        if by == "active":
            return self.members(self.active)
        sides = [
            side for side in self.from_active() if by == "everyone" or self._takes_part(side, by)
        ]
        return tuple(player for side in sides for player in self.members(side))

    def _takes_part(self, side: str, by: By | str) -> bool:
        role = "defending" if by == "active_and_defending" else by
        if side == self.active and role != by:
            return True
        appointed = next((one for given, one in self.appointed if given == role), "")
        return side == appointed if appointed else side != self.active

    # turns -------------------------------------------------------------------------------------

    def next_player(self) -> None:
        """Make the next side in turn order the candidate, whether or not it is still there."""
        order = [s[0] for s in self.sides]
        step = -1 if self.reversed else 1
        self.natural = (
            order[(order.index(self.natural) + step) % len(order)] if self.natural else order[0]
        )
        self.candidate_turn, self.candidate_turn_extra, self.candidate_turn_label = (
            self.natural,
            False,
            "",
        )

    def turn_due(self) -> PendingTurn | None:
        """The newest extra turn, if any, but for those after a turn that is still to come (CR
        500.7).
        """
        return next((turn for turn in self.turns if not turn.after), None)

    def take_turn(self) -> None:
        """Make the newest extra turn the candidate (CR 500.7). Raises StuckError when there is
        none.
        """
        turn = self.turn_due()
        if turn is None:
            raise StuckError("no extra turn is scheduled that could be taken")
        position = self.turns.index(turn)
        self.turns = self.turns[:position] + self.turns[position + 1 :]
        self.candidate_turn, self.candidate_turn_extra, self.candidate_turn_label = (
            turn.side,
            True,
            turn.label,
        )

    def begin_turn(self) -> None:
        """The candidate's turn really begins: it is counted, and what waited for it is bound."""
        self.turn += 1
        self.active = self.decider = self.candidate_turn
        self.turns_taken = self._one_more(self.turns_taken, self.active)
        if not self.candidate_turn_extra:
            self.own_turns = self._one_more(self.own_turns, self.active)
        label = self.candidate_turn_label
        candidate = Candidate(extra=self.candidate_turn_extra, label=label)
        self.current_turn = self._occurrence("turn", "turn", "turn", candidate)
        if label:
            after = tuple(replace(t, after="") for t in self.turns if t.after == label)
            self.turns = (*after, *(t for t in self.turns if t.after != label))
        if self.skips:
            self.skips = tuple(
                replace(s, turn=self.turn)
                if s.scope == "all_next_turn"
                and not s.turn
                and s.side == self.active
                and s.within in ("", label)
                else s
                for s in self.skips
            )
        mine = (
            c
            for c in self.controls
            if self.side(c.player) == self.active and c.within in ("", label)
        )
        controls = tuple(mine) if self.controls else ()
        if controls:
            self.decider = controls[-1].by if controls[-1].by not in self.left else self.active
            self.controls = tuple(c for c in self.controls if c not in controls)
            count = sum(c.extra_turn_after for c in controls)
            self.turns = (PendingTurn(self.active),) * count + self.turns

    def end_turn(self) -> None:
        """The turn is over: whatever belonged to it is gone, pending turns stay."""
        self.current_turn = self.current_phase = self.current_step = None
        self.drop_turn()
        self.begun, self.missed, self.appointed = (), (), ()
        if self.tallies:
            self.tallies = {}
        if any(turn.after for turn in self.turns):
            self.turns = _still_to_come(self.turns)
        if self.skips or self.controls:
            coming = ("", *self.coming)
            self.skips = tuple(s for s in self.skips if s.turn != self.turn and s.within in coming)
            self.controls = tuple(c for c in self.controls if c.within in coming)

    # phases and steps --------------------------------------------------------------------------

    def begin(self, level: str, name: str, family: str) -> None:
        """A phase or step really begins. Extras that wait for it are now due after it (CR 500.8,
        500.9).
        """
        if level == "phase":
            occurrence = self._occurrence(level, name, family, self.candidate_phase)
            self.candidate_phase, self.current_phase, self.cursor_phase = (
                NO_CANDIDATE,
                occurrence,
                occurrence.id,
            )
            self.current_step, self.cursor_step = None, NOT_BEGUN
        else:
            candidate = (
                AGAIN
                if self.returns_step and not self.candidate_step.extra
                else self.candidate_step
            )
            occurrence = self._occurrence(level, name, family, candidate)
            self.candidate_step, self.current_step, self.cursor_step = (
                NO_CANDIDATE,
                occurrence,
                occurrence.id,
            )
        self.begun = (*self.begun, occurrence)
        if self.extras:
            self.extras = tuple(self._anchored(extra, level, occurrence) for extra in self.extras)

    def _occurrence(self, level: str, name: str, family: str, candidate: Candidate) -> Occurrence:
        self.occurrences += 1
        iteration = 1
        for o in self.begun:
            iteration += o.name == name and o.level == level
        c = candidate
        return occurrence_of(
            self.occurrences, level, name, family, c.extra, c.only, True, iteration, c.label
        )

    def _anchored(self, extra: PendingExtra, level: str, now: Occurrence) -> PendingExtra:
        waits = extra.level == level and not extra.after and not extra.before
        if not waits or extra.anchor not in (now.name, now.family):
            return extra
        if extra.nth and self.count(level, extra.anchor) != extra.nth:
            return extra
        return replace(extra, after=now.id)

    def end(self, level: str) -> Occurrence | None:
        """The current phase or step ends; returns it, or None when it had ended already."""
        c = self.current_phase if level == "phase" else self.current_step
        if c is None or not c.under_way:
            return None
        ended = occurrence_of(
            c.id, c.level, c.name, c.family, c.extra, c.only, False, c.iteration, c.label
        )
        if level == "phase":
            self.current_phase, self.appointed = ended, ()
        else:
            self.current_step = ended
        return ended

    def is_under_way(self, occurrence: Occurrence) -> bool:
        """Has this phase or step, which has begun this turn, not ended yet?"""
        waiting = ((s.phase, s.step) for s in self.suspended)
        going = (self.current_phase, self.current_step, *(o for pair in waiting for o in pair))
        return any(o is not None and o.id == occurrence.id and o.under_way for o in going)

    @property
    def labelled(self) -> tuple[Occurrence, ...]:
        """Those of the current and the suspended turn, phases and steps that have a label."""
        current = [self.current_turn, self.current_phase, self.current_step]
        for waiting in self.suspended:
            current += waiting.phase, waiting.step
        return tuple([o for o in current if o is not None and o.label])

    @property
    def coming(self) -> tuple[str, ...]:
        """The labels of the extra turns still to come."""
        return tuple(turn.label for turn in self.turns if turn.label)

    def suspend(self) -> None:
        """The current phase and step wait, while another phase runs inside them."""
        waiting = Suspended(
            self.current_phase, self.current_step, self.cursor_phase, self.cursor_step
        )
        self.suspended = (*self.suspended, waiting)

    def resume(self) -> None:
        """The phase and step that waited go on: they are the current ones again. Raises StuckError
        when none waits.
        """
        if not self.suspended:
            raise StuckError("no phase is suspended that could be resumed")
        waiting, self.suspended = self.suspended[-1], self.suspended[:-1]
        self.current_phase, self.current_step = waiting.phase, waiting.step
        self.cursor_phase, self.cursor_step = waiting.cursor_phase, waiting.cursor_step

    def pass_over(self, level: str) -> None:
        """The candidate does not begin. Nothing comes after it, since it does not exist (CR 500.11,
        614.10a).
        """
        setattr(self, f"candidate_{level}", NO_CANDIDATE)
        setattr(self, f"cursor_{level}", NOT_BEGUN)

    def count(self, level: str, label: str) -> int:
        """How many phases (or steps) with this name or family have begun this turn."""
        return sum(o.level == level and label in (o.name, o.family) for o in self.begun)

    # skips -------------------------------------------------------------------------------------

    def skip_due(self, level: str, what: str) -> PendingSkip | None:
        """The oldest skip that applies to the candidate of this level, if any (CR 614.10)."""
        side = self.candidate_turn if level == "turn" else self.active
        return next(
            (
                s
                for s in self.skips
                if s.level == level
                and s.what == what
                and s.side in ("", side)
                and (s.scope in ("next", "each") or s.turn == self.turn)
                and (not s.extra or self.candidate_turn_extra)
                and (not s.within or self._comes_within(level, s.within))
            ),
            None,
        )

    def _comes_within(self, level: str, label: str) -> bool:
        """Is the candidate what has this label, or does it come while something with this label is
        under way?
        """
        candidate = self.candidate_phase if level == "phase" else self.candidate_step
        return candidate.label == label or any(
            o.label == label and o.under_way for o in self.labelled
        )

    def consume_skip(self, level: str, what: str) -> None:
        """The candidate is skipped. A skip of the next occurrence is used up (CR 614.10a)."""
        skip = self.skip_due(level, what)
        if skip is not None and skip.scope == "next":
            position = self.skips.index(skip)
            self.skips = self.skips[:position] + self.skips[position + 1 :]

    def withdraw(self, label: str) -> None:
        """End skips and control with this label, and what was added with it and has
        not begun.

        What something else came before is a candidate already: it is skipped.
        """
        self.turns = tuple(t for t in self.turns if t.label != label)
        self.controls = tuple(c for c in self.controls if c.label != label)
        interrupted = (("phase", self.returns_phase), ("step", self.returns_step))
        chosen = (
            (level, r.candidate.what)
            for level, returns in interrupted
            for r in returns
            if r.candidate.label == label
        )
        gone = (
            PendingSkip(level, what, self.active, "next", self.turn, label)
            for level, what in chosen
        )
        self.skips = (*(s for s in self.skips if s.label != label), *gone)
        self.extras = tuple(e for e in self.extras if e.label != label)

    # extras ------------------------------------------------------------------------------------

    def extra_due(self, level: str) -> PendingExtra | None:
        """The newest extra phase or step that is due after the occurrence just left, if any (CR
        500.8, 500.9).
        """
        cursor: int = getattr(self, f"cursor_{level}")
        return next(
            (e for e in self.extras if e.level == level and e.after == cursor and cursor), None
        )

    def extra_before(self, step: str) -> PendingExtra | None:
        """The newest extra step that is due directly before this step, if any (CR 500.9)."""
        return next((e for e in self.extras if e.before and e.anchor == step), None)

    def take(self, extra: PendingExtra) -> None:
        """Make this extra the candidate of its level."""
        position = self.extras.index(extra)
        self.extras = self.extras[:position] + self.extras[position + 1 :]
        setattr(
            self, f"candidate_{extra.level}", Candidate(extra.what, extra.only, True, extra.label)
        )

    def push_return(self, level: str, state: str) -> None:
        """Remember where the interrupted sequence goes on."""
        stack: tuple[Return, ...] = getattr(self, f"returns_{level}")
        place = Return(state, getattr(self, f"cursor_{level}"), getattr(self, f"candidate_{level}"))
        setattr(self, f"returns_{level}", (*stack, place))

    def pop_return(self, level: str) -> None:
        """Go back: the interrupted occurrence is again the one just left. Raises StuckError if none
        was interrupted.
        """
        stack: tuple[Return, ...] = getattr(self, f"returns_{level}")
        if not stack:
            raise StuckError(f"no sequence of {level}s was interrupted that could go on")
        setattr(self, f"cursor_{level}", stack[-1].cursor)
        setattr(self, f"candidate_{level}", stack[-1].candidate)
        setattr(self, f"returns_{level}", stack[:-1])

    def drop_phase(self) -> None:
        """Forget what hung inside the current phase: its interrupted steps."""
        self.returns_step, self.candidate_step, self.cursor_step = (), NO_CANDIDATE, NOT_BEGUN

    def drop_turn(self) -> None:
        """Forget everything that belongs to this turn; extra turns stay, and the phase still under
        way.
        """
        self.drop_phase()
        phase = self.current_phase
        self.cursor_phase = phase.id if phase is not None and phase.under_way else NOT_BEGUN
        self.returns_phase, self.candidate_phase, self.suspended = (), NO_CANDIDATE, ()
        self.extras = ()


def _still_to_come(turns: tuple[PendingTurn, ...]) -> tuple[PendingTurn, ...]:
    """Those of the extra turns that can come: what is after a label needs a turn with this label
    before it.
    """
    labels, known = {""}, 0
    while len(labels) > known:
        known = len(labels)
        labels.update([turn.label for turn in turns if turn.after in labels])
    return tuple(turn for turn in turns if turn.after in labels)
