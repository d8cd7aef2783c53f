"""The state of one run: everything that can change while turns are played, as one value.

Nothing in it names a player or counts how long the game has lasted. Players are seats, sides are
numbered in turn order, and the phases and steps that have begun are numbered anew in each turn. So
two games that differ in nothing that matters have equal runs.

A `Run` is changed only between its copy and the next request. All its fields hold immutable values,
so a copy is shallow, and nothing ever needs to be undone: who fails throws the copy away.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import astuple, replace

from fsm.errors import FsmError, shown
from fsm.model import Model, Role
from fsm.model.elements import ONE_BY_ONE
from fsm.state.calendar import Moment
from fsm.state.orders import (
    AddPhase,
    AddStep,
    AddTurn,
    ControlNextTurn,
    Order,
    Result,
    SkipPhase,
    SkipStep,
    SkipTurn,
    with_result,
)

NOBODY = -1
"""No side and no seat."""
EXTRA_TURN = "extra turn"
"""What a skip of extra turns alone skips."""


class Value(Struct, frozen=True, omit_defaults=True):
    """An immutable part of a run."""


class Occurrence(Value, frozen=True):
    """One visit of a turn, phase or step.

    Attributes
    ----------
    level, name, family
        What it is: "turn", "phase" or "step", and its names.
    id
        Its number among the phases and steps that have begun in this turn.
    iteration
        Its number among those of its name.
    extra
        Whether an effect added it.
    only
        The only step that a phase holds, or "".
    label
        The id of the order that added it, or "".
    under_way
        Whether it has not ended yet.
    """

    level: str
    name: str
    family: str
    id: int = 0
    iteration: int = 1
    extra: bool = False
    only: str = ""
    label: str = ""
    under_way: bool = True


NOTHING = Occurrence("", "", "", iteration=0)
"""Stands for the turn, phase or step where none is current."""


class Interrupted(Value, frozen=True):
    """A window that waits while a phase runs inside it: where it is, and who has passed."""

    state: str
    holder: int = NOBODY
    passed: tuple[int, ...] = ()
    out: tuple[int, ...] = ()


class Heard(Value, frozen=True):
    """What one of several players has answered: the facts told true, and orders."""

    seat: int
    facts: tuple[str, ...] = ()
    orders: tuple[Order, ...] = ()


class Added(Value, frozen=True, kw_only=True):
    """What an order may have added."""

    order: AddTurn | AddPhase | AddStep | None = None

    @property
    def label(self) -> str:
        """The id of the order that added it, or ""."""
        return self.order.id if self.order else ""


class Candidate(Added, frozen=True):
    """What is about to begin, before it is known whether it will, and the order that added it."""

    what: str = ""
    only: str = ""
    extra: bool = False


class Return(Value, frozen=True):
    """Where an interrupted sequence goes on: its state, its cursor, and what was about to begin."""

    state: str
    cursor: int
    candidate: Candidate = Candidate()


class Progress(Value, frozen=True):
    """Where the turns, the phases of the turn, or the steps of the phase have come to.

    The cursor is the id of the occurrence just left, after which extras may be due. It is 0 when
    what was next did not begin.
    """

    candidate: Candidate = Candidate()
    current: Occurrence | None = None
    cursor: int = 0
    returns: tuple[Return, ...] = ()

    @property
    def under_way(self) -> Occurrence | None:
        """The current occurrence, if it has not ended."""
        return self.current if self.current is not None and self.current.under_way else None


# What orders have scheduled. An entry says in words what it `waits` for, unless nothing is said of
# it any more.


class ExtraTurn(Added, frozen=True):
    """An extra turn still to come. If it has `after_label`, a turn with this label comes first."""

    side: int
    after_label: str = ""
    waits: str = ""


class Control(Value, frozen=True):
    """A seat decides for another in the next turn that this one really takes. The newest works."""

    seat: int
    by: int
    order: ControlNextTurn
    waits: str


class Skip(Value, frozen=True):
    """A skip in force: of the turn, phase or step with this name or family, or of an EXTRA_TURN.

    If it is bound, it belongs to the turn under way, and ends with it. It waits for nothing when it
    has skipped something, or stands until it is withdrawn.
    """

    level: str
    what: str
    side: int
    order: SkipTurn | SkipPhase | SkipStep
    waits: str = ""
    bound: bool = False


class Extra(Value, frozen=True):
    """An extra phase or step, due right after the `nth` one in this turn with the name or family
    `after`, or right before the next step `before`.

    The action `take_extra` takes it, in the rows of a ruleset with the facts "extra_phase_due" and
    "extra_step_due".
    """

    level: Literal["phase", "step"]
    what: str
    order: AddPhase | AddStep
    only: str = ""
    after: str = ""
    nth: int = 1
    before: str = ""
    waits: str = ""


Entry: TypeAlias = ExtraTurn | Control | Skip | Extra


class Parts(Value, frozen=True):
    """What has become of the things that an order scheduled: of `count`, how many `came`, and why
    others were `lost`.
    """

    order: Order
    count: int = 1
    came: int = 0
    lost: tuple[str, ...] = ()

    @property
    def result(self) -> Result:
        """What has become of the order when nothing of it waits any more."""
        why = ", ".join(dict.fromkeys(self.lost))
        if self.came and self.lost:
            why = f"{len(self.lost)} of {self.count} came to nothing: {why}"
        return Result(self.order, "done" if self.came else "nothing", why)


class Run(Struct, omit_defaults=True):
    """One game's place in its Model, and all that it remembers.

    Attributes
    ----------
    state, frame
        The state of the turn's machine, and that of the window's ("" while none is open).
    sides
        The seats of each side, in turn order.
    teams
        The sides of each team whose members take turns one by one.
    settings, latched
        The settings that are on, and the latched facts that hold.
    holder, passed
        The side that has priority, and those that have passed since the last action.
    left
        The seats of those who have left the game.
    taken, own
        How many turns each side has taken, all and those in turn order, as far as the model asks.
    active, decider
        The side whose turn it is, and the seat that decides in it.
    natural, reversed, next_side
        The side whose turn was the last in turn order, whether that order is reversed, and the side
        whose turn is next.
    turn, phase, step
        Where the turns, phases and steps have come to.
    out
        The sides that have passed for the rest of the window.
    suspended, interrupted
        The phases and steps that wait while another phase runs inside them, and the windows.
    begun, tallies
        The phases and steps that have begun in this turn, and what was counted.
    heard
        What has been answered by those of several players who answer one by one.
    appointed
        Which seat has which role.
    turns, controls, skips, extras
        What orders have scheduled.
    parts
        The orders of which several things come, until all of them have.
    turns_begun, moments, results
        What has happened since the last request: for the number of the turn, the calendar, and the
        host.
    """

    state: str = ""
    frame: str = ""
    sides: tuple[tuple[int, ...], ...] = ()
    teams: tuple[tuple[int, ...], ...] = ()
    settings: frozenset[str] = frozenset()
    latched: frozenset[str] = frozenset()
    holder: int = NOBODY
    passed: tuple[int, ...] = ()
    out: tuple[int, ...] = ()
    left: tuple[int, ...] = ()
    taken: tuple[int, ...] = ()
    own: tuple[int, ...] = ()
    active: int = NOBODY
    decider: int = NOBODY
    natural: int = NOBODY
    reversed: bool = False
    next_side: int = NOBODY
    turn: Progress = Progress()
    phase: Progress = Progress()
    step: Progress = Progress()
    suspended: tuple[tuple[Progress, Progress], ...] = ()
    interrupted: tuple[Interrupted, ...] = ()
    begun: tuple[Occurrence, ...] = ()
    tallies: tuple[str, ...] = ()
    heard: tuple[Heard, ...] = ()
    appointed: tuple[tuple[str, int], ...] = ()
    turns: tuple[ExtraTurn, ...] = ()
    controls: tuple[Control, ...] = ()
    skips: tuple[Skip, ...] = ()
    extras: tuple[Extra, ...] = ()
    parts: tuple[Parts, ...] = ()
    turns_begun: int = 0
    moments: tuple[Moment, ...] = ()
    results: tuple[Result, ...] = ()

    @property
    def key(self) -> Hashable:
        """What no two runs at one position differ in."""
        return astuple(self)

    @property
    def pending(self) -> int:
        """How much stands and waits."""
        entries = self.turns, self.controls, self.skips, self.extras
        return sum(map(len, entries))

    # sides ---------------------------------------------------------------------------------------

    def side_of(self, seat: int) -> int:
        """Return the side of a seat."""
        return next(side for side, members in enumerate(self.sides) if seat in members)

    def members(self, side: int) -> tuple[int, ...]:
        """Return the players of a side who are still in the game."""
        members = self.sides[side] if side != NOBODY else ()
        return tuple(seat for seat in members if seat not in self.left) if self.left else members

    def allies(self, side: int) -> tuple[int, ...]:
        """Return the sides that are no opponents of this one: itself, and those of its team."""
        return next((team for team in self.teams if side in team), (side,))

    def head(self, side: int) -> int:
        """Return the seat that stands for a side: its first player who is still in the game."""
        return NOBODY if side == NOBODY else (self.members(side) or self.sides[side])[0]

    @property
    def living(self) -> tuple[int, ...]:
        """The sides with somebody left, in turn order."""
        return tuple(side for side in range(len(self.sides)) if self.members(side))

    @property
    def opposing(self) -> tuple[int, ...]:
        """The living sides that are opponents of the active one (or of who follows, if gone)."""
        allies = self.allies(self.first)
        return tuple(side for side in self.living if side not in allies)

    def around(self, side: int) -> tuple[int, ...]:
        """Return the living sides in turn order, from this one on."""
        step = -1 if self.reversed else 1
        places = [max(side, 0) + step * distance for distance in range(len(self.sides))]
        sides = [place % len(self.sides) for place in places]
        return tuple(other for other in sides if self.members(other))

    def following(self, side: int) -> int:
        """Return the next living side in turn order after this one."""
        sides = self.around(side)
        others = [other for other in sides if other != side]
        return (*others, *sides, NOBODY)[0]

    @property
    def first(self) -> int:
        """The active side, or who follows it if it is gone."""
        return (*self.around(self.active), NOBODY)[0]

    def performers(self, by: str, role: Role | None = None) -> tuple[int, ...]:
        """Return the seats of those who perform an action, from the active side (CR 101.4).

        Of a role that the model declares, only who is appointed does.
        """
        appointed = dict(self.appointed)
        if role is not None and by in appointed:
            return () if appointed[by] in self.left else (appointed[by],)
        if role is not None:
            return () if role.default == "nobody" else self.performers(role.default)
        sides = self.around(self.active)
        allies = self.allies(self.active)
        others = tuple(side for side in sides if side not in allies)
        if by != "opponents" and "defending" in appointed:
            others = (self.side_of(appointed["defending"]),)
        acting = {
            "active": (self.active,),
            "everyone": sides,
            "active_and_defending": (self.active, *others),
        }.get(by, others)
        return tuple(chain.from_iterable(map(self.members, acting)))

    # what is under way ---------------------------------------------------------------------------

    @property
    def under_way(self) -> tuple[Occurrence, ...]:
        """The current turn, phase and step, and those that wait while a phase runs inside them."""
        levels = [self.turn, self.phase, self.step]
        for pair in self.suspended:
            levels += pair
        return tuple(level.current for level in levels if level.current is not None)

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels of what is current."""
        return tuple(o.label for o in self.under_way if o.label)

    def announce(self, moment: str, *names: str) -> None:
        """Tell the calendar a moment."""
        self.moments += (Moment(moment, names, self.active, self.labels),)

    def visits(self, level: str, name: str) -> list[Occurrence]:
        """Return the phases, or steps, of this name or family that have begun this turn."""
        return [o for o in self.begun if o.level == level and name in (o.name, o.family)]

    def due_after(self, extra: Extra) -> int:
        """Return the id of that after which an extra comes, or 0 if it has not begun yet."""
        visits = self.visits(extra.level, extra.after)[extra.nth - 1 :]
        return visits[0].id if visits else 0

    def set(self, level: str, **changes: object) -> None:
        """Change the sequence of this level."""
        setattr(self, level, replace(getattr(self, level), **changes))

    # what has become of orders -------------------------------------------------------------------

    def tell(self, result: Result) -> None:
        """Tell the host what has become of an order."""
        self.results = with_result(self.results, result)

    def lose(self, why: Callable[[Any], str], *fields: str) -> None:
        """Take the entries out of these fields that come to nothing, and note why."""
        for field in fields:
            kept = list[Entry]()
            for entry in getattr(self, field):
                reason = why(entry)
                if not reason:
                    kept.append(entry)
                elif entry.waits:
                    self.note(entry, reason)
            setattr(self, field, tuple(kept))

    def note(self, entry: Entry | Candidate, lost: str = "") -> None:
        """Note that something has come that an order scheduled, or why it came to nothing. Tell the
        result if nothing of the order waits any more.
        """
        order = entry.order
        if order is None:
            return
        here = next((parts for parts in self.parts if parts.order == order), Parts(order))
        reasons = (*here.lost, lost) if lost else here.lost
        now = replace(here, came=here.came + (not lost), lost=reasons)
        self.parts = tuple(other for other in self.parts if other is not here)
        if now.came + len(reasons) < now.count:
            self.parts += (now,)
        else:
            self.tell(now.result)


# how a game begins --------------------------------------------------------------------------------


Players: TypeAlias = tuple[str, ...]


class StartAt(Struct, frozen=True, omit_defaults=True):
    """Where a game starts that starts in the middle. Nothing happened before but what is told.

    Attributes
    ----------
    step
        The name of the step with whose beginning the game starts. If it is "", the first step of
        the turn.
    turn
        The number of the turn.
    player
        The player whose turn it is. If it is "", the one whose turn it is when turns go round in
        order.
    facts
        What the game told earlier in this turn, by the names of the facts. Any other fact was as in
        a quiet game.
    """

    step: str = ""
    turn: int = 1
    player: str = ""
    facts: Mapping[str, bool] = {}


def checked_players(players: Sequence[str]) -> Players:
    """Return the players. Raises FsmError unless they are different names."""
    names = _names(players)
    if not names or "" in names or len({*names}) != len(names):
        text = "players must be one or more different names, each a string that is not empty"
        raise FsmError(f"{text}, not {shown(players)}; write ['Ann', 'Ben']", place="players")
    return names


def _names(values: object) -> tuple[str, ...]:
    """Return strings that can be written as a tuple, or none if these are no such strings."""
    try:
        names = () if isinstance(values, str) else tuple(values)  # type: ignore[arg-type]
        "".join(names).encode()
    except (TypeError, UnicodeEncodeError):
        return ()
    return names


def first_run(
    model: Model, players: Players, teams: Sequence[Sequence[str]], settings: Mapping[str, bool]
) -> Run:
    """Return the run of a game at its beginning.

    Raises FsmError unless the teams are made of the players, and the settings are the model's.
    """
    sides: tuple[tuple[int, ...], ...] = tuple((seat,) for seat in range(len(players)))
    teamed = dict(enumerate(sides))
    for team in _teams(teams, players):
        teamed |= dict.fromkeys(team, team)
    groups = tuple(dict.fromkeys(teamed.values()))
    run = Run(model.initial, sides=groups)
    run.settings = _settings_on(model, settings, [len(group) for group in groups])
    if any(state.manner == ONE_BY_ONE for state in model.of_kind("turn")):
        run.sides = sides
        run.teams = tuple(group for group in groups if len(group) > 1)
    return run


def _settings_on(
    model: Model, settings: Mapping[str, bool], sizes: Sequence[int]
) -> frozenset[str]:
    """Return the settings that are on, with sides of these sizes. Raises FsmError unless they are
    the model's.
    """
    known = [setting.name for setting in model.settings]
    for name, value in settings.items():
        place = f"settings.{name}"
        FsmError.known_name("setting", name, known, model.name, place)
        if not isinstance(value, bool):
            raise FsmError(f"setting {name!r} must be true or false, not {value!r}", place=place)
    on = [s.name for s in model.settings if settings.get(s.name, s.standing(sizes))]
    return frozenset(on)


def _teams(teams: object, players: Players) -> list[tuple[int, ...]]:
    """Return the seats of teams. Raises FsmError unless they are groups of different players."""
    groups = [_names(team) for team in teams] if isinstance(teams, Iterable) else [()]
    members = list(chain.from_iterable(groups))
    if not all(groups) or len({*members}) != len(members):
        text = f"teams must be groups of different players' names, not {shown(teams)}"
        raise FsmError(f"{text}; write [['A', 'B'], ['C', 'D']]", place="teams")
    for name in members:
        FsmError.known_name("player", name, players, "this game", "teams")
    return [tuple(map(players.index, team)) for team in groups]
