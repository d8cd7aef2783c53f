"""A memo of positions: where the games of a Model have stood, and where each answer has led from
there.

Most answers are given where many games have stood before. A `Node` is such a position, apart from
who plays and how far the game has come (`Progress`). An `Edge` leads from it to the next one, for
an answer that was given there once. Games that stand at a node need no run of their own: it is made
when somebody asks for it.

Two runs share a node only if no guard and no action of the Model can tell them apart. So only quiet
runs have a node: nothing is scheduled, and no durations and triggers are waited for. In a very long
turn no run has one. Of the turns taken, a node knows as many as the tests of the Model ask for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from operator import add, sub
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from fsm.engine.askers import Players, asker
from fsm.engine.requests import Answer, Over, Priority, Request
from fsm.engine.wait_points import WaitPoint
from fsm.model import Model
from fsm.model.model import per_model
from fsm.state.entries import NO_CANDIDATE, Candidate, Occurrence, Suspended, occurrence_of
from fsm.state.primitives import ACTIONS, TESTS
from fsm.state.run import Run

if TYPE_CHECKING:
    from fsm.engine.answered import Firings

KEPT = 4
"""How many answers a node knows by their identity. Others are found by what they say."""
LONGEST = 100
"""In a turn in which more phases and steps have begun, no position is remembered: each would have
all of them.
"""


@dataclass(frozen=True, slots=True, eq=False)
class Progress:
    """How far a game has come: what its run remembers that makes no difference to what happens
    next.

    `turn` is the number of the turn. Ids of occurrences count from `base`. The rest is as in
    `Agenda`.
    """

    turn: int
    base: int
    turns_taken: tuple[int, ...]
    own_turns: tuple[int, ...]


class GameMoment(NamedTuple):
    """A moment of one game, for its records: who plays, and how far it has come."""

    players: Players
    progress: Progress


progress_of = lru_cache(4096)(Progress)
"""Games that have come as far share their progress."""


def difference(now: Progress, before: Progress) -> Progress | None:
    """Return what has been added to an earlier progress, or None if nothing."""
    if now is before:
        return None
    taken, own = (
        _each(sub, now.turns_taken, before.turns_taken),
        _each(sub, now.own_turns, before.own_turns),
    )
    return progress_of(now.turn - before.turn, now.base - before.base, taken, own)


@lru_cache(4096)
def total(progress: Progress, more: Progress) -> Progress:
    """Return the progress after so much more."""
    taken, own = (
        _each(add, progress.turns_taken, more.turns_taken),
        _each(add, progress.own_turns, more.own_turns),
    )
    return progress_of(progress.turn + more.turn, progress.base + more.base, taken, own)


def _each(
    do: Callable[[int, int], int], counts: tuple[int, ...], others: tuple[int, ...]
) -> tuple[int, ...]:
    """Return the sums or differences of counts, of which there are none before the first turn."""
    return tuple(map(do, counts or (0,) * len(others), others or (0,) * len(counts)))


class Edge:
    """Where an answer leads.

    Attributes
    ----------
    node
        The next position.
    code
        The number of the answer in the log, as a byte.
    later
        What is added to the progress of the game, or None.
    stays
        Whether the `Position` in the next request is that in the last one.
    firings
        What fires; None until somebody asks (`fsm.engine.answered`).
    """

    __slots__ = ("code", "firings", "later", "node", "stays")

    def __init__(self, node: Node, code: int, later: Progress | None, stays: bool) -> None:
        self.node, self.code, self.later, self.stays = node, bytes((code,)), later, stays
        self.firings: Firings | None = None


class Node:
    """One position.

    Attributes
    ----------
    run
        The run of a game that has stood here, with its `progress`.
    point
        The wait point.
    arrive, stay
        Make the request (`fsm.engine.askers`).
    edges
        Where answers lead, by their numbers, by what they say, and by the `id` of answers that are
        `kept`.
    """

    __slots__ = ("arrive", "edges", "kept", "point", "progress", "run", "stay")

    def __init__(self, run: Run, point: WaitPoint, request: Request) -> None:
        self.run, self.progress, self.point = run, progress(run), point
        self.arrive, self.stay = asker(request, run.agenda.players)
        self.edges: dict[object, Edge] = {}
        self.kept: tuple[Answer, ...] = ()

    def edge(self, answer: Answer) -> Edge | None:
        """Return where a plain answer leads, if one that says the same was given here."""
        if answer.__class__ is not Answer or answer.orders or answer.signal is not None:
            return None
        facts = answer.facts
        if facts.__class__ is not MappingProxyType:
            return None
        try:
            found = self.edges.get((answer.word, *facts.items()))
        except TypeError:
            return None
        for value in (
            facts.values() if found is not None else ()
        ):  # the key with 1 equals the key with True
            if value.__class__ is not bool:
                return None
        if found is not None and len(self.kept) < KEPT:
            self.kept = (*self.kept, answer)
            self.edges[id(answer)] = found
        return found

    def learn(self, answer: Answer, edge: Edge) -> None:
        """Remember where a plain answer has led."""
        self.edges[edge.code[0]] = self.edges[answer.word, *answer.facts.items()] = edge

    def firings(self, edge: Edge) -> Firings:
        """Return what fires along an edge that leads from here."""
        if edge.firings is None:
            from fsm.engine.answered import firings_of  # few games are watched

            edge.firings = firings_of(
                self.run,
                self.point.numbered[edge.code[0]].answer,
                self.progress.turn,
                self.progress.base,
            )
        return edge.firings

    def made_run(self, players: Players, progress: Progress) -> Run:
        """Return the run of a game that stands here."""
        run = self.run.copy()
        agenda = run.agenda
        if agenda.players != players:
            run.seat(players)
        come_as_far(run, progress, self.progress)
        return run


def come_as_far(run: Run, now: Progress, before: Progress) -> None:
    """Let the game of a run have come as far as `now`, where it has come as far as `before`."""
    agenda = run.agenda
    agenda.turn, agenda.turns_taken, agenda.own_turns = now.turn, now.turns_taken, now.own_turns
    if now.base != before.base:
        _shift(run, now.base - before.base)


def progress(run: Run) -> Progress:
    """Return how far the game of a run has come."""
    agenda = run.agenda
    return progress_of(agenda.turn, _base(run), agenda.turns_taken, agenda.own_turns)


def _base(run: Run) -> int:
    turn = run.agenda.current_turn
    return turn.id if turn is not None else run.agenda.occurrences


class Positions:
    """The nodes of one Model.

    Attributes
    ----------
    found
        The nodes by position.
    told_apart
        As the function returns it.
    """

    def __init__(self, model: Model) -> None:
        self.found: dict[object, Node] = {}
        self.told_apart = told_apart(model)

    def node(self, run: Run, request: Request | Over, point: WaitPoint, most: int) -> Node | None:
        """Return the node at which a run stands, or None if it has none. There are at most so many
        nodes.
        """
        if (
            self.told_apart is None
            or not most
            or len(run.agenda.begun) > LONGEST
            or not is_quiet(run)
            or isinstance(request, Over)
            or (isinstance(request, Priority) and not request.by)
        ):
            return None
        key = position_key(run, *self.told_apart)
        node = self.found.get(key)
        if node is None:
            if len(self.found) >= most:
                self.clear()
            node = self.found.setdefault(key, Node(run.copy(), point, request))
        return node

    def find(self, run: Run) -> Node | None:
        """Return the node at which a run stands, if it is there already."""
        if self.told_apart is None or not is_quiet(run):
            return None
        return self.found.get(position_key(run, *self.told_apart))

    def clear(self) -> None:
        """Forget all. A game that stands at one of these nodes goes on from its run."""
        for node in tuple(self.found.values()):
            node.edges.clear()
            node.kept = ()
        self.found.clear()


def position_key(run: Run, turn: bool, taken: int | None, own: int | None) -> tuple[object, ...]:
    """Return what no two runs at one position differ in. See `told_apart` for the other parameters."""
    agenda = run.agenda
    seat, base = agenda.players.index, _base(run)
    return (
        run.state,
        run.frame,
        run.latched,
        seat(run.holder) if run.holder else None,
        tuple(map(seat, run.passed)),
        tuple(run.settings.items()),
        len(agenda.players),
        agenda.turn if turn else None,
        at_most(taken, agenda.turns_taken),
        at_most(own, agenda.own_turns),
        seat(agenda.active) if agenda.active else None,
        seat(agenda.decider) if agenda.decider else None,
        seat(agenda.natural) if agenda.natural else None,
        seat(agenda.candidate_turn) if agenda.candidate_turn else None,
        agenda.candidate_turn_extra,
        _apart(agenda.current_turn, base),
        _apart(agenda.current_phase, base),
        _apart(agenda.current_step, base),
        agenda.cursor_phase and (agenda.cursor_phase - base,),
        agenda.cursor_step and (agenda.cursor_step - base,),
        tuple([_suspended_apart(waiting, base) for waiting in agenda.suspended]),
        tuple([_apart(begun, base) for begun in agenda.begun]),
        agenda.missed,
        tuple(agenda.tallies.items()),
        agenda.reversed,
        tuple([(role, seat(side)) for role, side in agenda.appointed]),
        agenda.occurrences - base,
    )


@per_model
def positions_of(model: Model) -> Positions:
    """Return the positions that all games of this model share."""
    return Positions(model)


@per_model
def told_apart(model: Model) -> tuple[bool, int | None, int | None] | None:
    """Return whether the tests of a Model read the turn's number, and how many turns taken, and own
    turns, they count.

    A count is None if it cannot be said. It is None in all if primitives do not say what they read
    or change.
    """
    read, counted = set[str](), {"turns_taken": 0, "own_turns": 0}
    for machine in model.machines.values():
        for row in machine.transitions:
            if any(action.name not in ACTIONS or ACTIONS[action.name].fields_written(action.args) is None
                   for action in row.actions):  # fmt: skip
                return None
        for fact in machine.facts:
            if not fact.test:
                continue
            name, *args = fact.test
            fields = TESTS[name].fields_read(tuple(args)) if name in TESTS else None
            if fields is None:
                return None
            if TESTS[name].scheduled:  # false in every run that has a node
                continue
            counts = TESTS[name].counts
            if counts and args[0].isdecimal():
                counted[counts] = max(counted[counts], int(args[0]))
                fields -= {counts}
            read |= fields
    taken, own = (None if name in read else most + 1 for name, most in counted.items())
    return "turn" in read, taken, own


def is_quiet(run: Run) -> bool:
    """Say whether nothing is scheduled or waited for, and a turn is under way or has been."""
    return bool(run.agenda.active) and nothing_scheduled(run)


def nothing_scheduled(run: Run) -> bool:
    """Say whether nothing is scheduled or waited for."""
    agenda = run.agenda
    return (
        agenda.idle
        and run.calendar.empty
        and not (
            agenda.teams or run.expired or run.triggered or run.told or agenda.candidate_turn_label
        )
        and _is_none(agenda.candidate_phase)
        and _is_none(agenda.candidate_step)
        and not any(o.label for o in _occurrences(run))
    )


def _is_none(candidate: Candidate) -> bool:
    return candidate is NO_CANDIDATE or candidate == NO_CANDIDATE


def _occurrences(run: Run) -> Iterator[Occurrence]:
    agenda = run.agenda
    pairs = ((waiting.phase, waiting.step) for waiting in agenda.suspended)
    every = (
        agenda.current_turn,
        agenda.current_phase,
        agenda.current_step,
        *(o for pair in pairs for o in pair),
    )
    yield from (o for o in every if o is not None)
    yield from agenda.begun


def at_most(most: int | None, counts: tuple[int, ...]) -> tuple[int, ...]:
    """Return counts; those that are too large to be told apart are equal."""
    return counts if most is None else tuple([min(count, most) for count in counts])


def _apart(o: Occurrence | None, base: int) -> object:
    """Return an occurrence, with an id that counts from another one."""
    return (
        None
        if o is None
        else (o.id - base, o.level, o.name, o.family, o.extra, o.only, o.under_way, o.iteration)
    )


def _suspended_apart(waiting: Suspended, base: int) -> object:
    cursors = (
        waiting.cursor_phase and (waiting.cursor_phase - base,),
        waiting.cursor_step and (waiting.cursor_step - base,),
    )
    return _apart(waiting.phase, base), _apart(waiting.step, base), *cursors


def _shift(run: Run, by: int) -> None:
    """Add a number to the ids of all occurrences."""
    agenda = run.agenda

    def later(o: Any) -> Any:
        return o and occurrence_of(
            o.id + by, o.level, o.name, o.family, o.extra, o.only, o.under_way, o.iteration, o.label
        )

    agenda.occurrences += by
    agenda.current_turn, agenda.current_phase = (
        later(agenda.current_turn),
        later(agenda.current_phase),
    )
    agenda.current_step = later(agenda.current_step)
    agenda.cursor_phase = agenda.cursor_phase and agenda.cursor_phase + by
    agenda.cursor_step = agenda.cursor_step and agenda.cursor_step + by
    agenda.begun = tuple(map(later, agenda.begun))
    if agenda.suspended:
        agenda.suspended = tuple(
            Suspended(
                later(w.phase), later(w.step), w.cursor_phase and w.cursor_phase + by,
                w.cursor_step and w.cursor_step + by,
            )
            for w in agenda.suspended
        )  # fmt: skip
