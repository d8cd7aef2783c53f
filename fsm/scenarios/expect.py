"""The checks that entries of `expect` make of the outcome of a scenario. Each failure is one
sentence.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from operator import attrgetter
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

from msgspec import Meta, Struct, defstruct
from msgspec.structs import asdict

from fsm.engine.requests import Where
from fsm.runs.turns import Turn, Visit
from fsm.scenarios.scenario import At, First, Name, Names, Number, Shape, SomeNames

if TYPE_CHECKING:
    from fsm.scenarios.playing import Outcome, VisitLog


# the shapes of values -----------------------------------------------------------------------------


class Given(Shape):
    """Whether anybody got priority in a visit."""

    step: Name
    given: bool
    iteration: First = 1


class ActiveAt(At, kw_only=True):
    """Whether an effect is on in a visit."""

    value: bool


class Event(Shape):
    """Where an ability triggered, or reached the stack."""

    turn: First
    step: Name
    iteration: First | None = None


class Performs(Shape):
    """Who was asked to perform an action."""

    action: Name
    players: tuple[Name, ...]


class Discards(Shape):
    """How many cards were discarded."""

    count: Number
    iteration: First = 1


class ManaAt(At, kw_only=True):
    """How much mana a player has in a visit."""

    player: Name
    amount: Number


class Burn(Shape):
    """How much life a player loses by mana as a phase ends."""

    turn: First
    phase: Name
    player: Name
    amount: Number


# checking -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Sought:
    """What a check looks at.

    Attributes
    ----------
    outcome
        The outcome of the scenario.
    claim
        What is claimed: the value under the key, or one of several.
    words
        The keys beside it and the parts of the claim, by name. "where" is the visit.
    """

    outcome: Outcome
    claim: Any
    words: Mapping[str, Any]

    @property
    def turn(self) -> Turn:
        """The turn that it is about. Raises KeyError if it did not take place, as `visit` does."""
        return {turn.number: turn for turn in self.outcome.turns}[self.words["turn"]]

    @property
    def visits(self) -> list[Visit]:
        """The visits of that turn."""
        return [visit for visit in self.outcome.visits if visit.turn == self.turn.number]

    @property
    def steps(self) -> list[str]:
        """The steps of those visits."""
        return [visit.step for visit in self.visits]

    @property
    def visit(self) -> Visit:
        """The visit that it is about."""
        return {visit.where: visit for visit in self.outcome.visits}[self.words["where"]]

    @property
    def log(self) -> VisitLog:
        """What the game noted of that visit."""
        return self.outcome.logs[self.words["where"]]


Look: TypeAlias = Callable[[Sought], object]


@dataclass(frozen=True)
class Check:
    """A check that an entry of `expect` can make.

    Attributes
    ----------
    doc
        What must hold.
    kind
        The type of its value.
    says
        What is checked, for messages, with the words of `Sought` in braces.
    look
        Returns what is found.
    beside
        The keys that stand beside it. Beside a step, `iteration` may stand too.
    needs
        What the model must have. See `Words.lacks`.
    part
        The part of the value that is compared with what is found, or "" for all of it.
    """

    doc: str
    kind: Any
    says: str
    look: Look
    beside: tuple[str, ...] = ()
    needs: str = ""
    part: str = ""


def failures_of(outcome: Outcome) -> Iterator[str]:
    """Yield the failures. Each one names the scenario, the expectation, what was wanted and what
    was found.
    """
    for number, entry in enumerate(outcome.scenario.expect):
        for name in entry:
            claims = entry[name] if name == "active_at" else (entry[name],)
            for claim in claims if name in CHECKS else ():
                failure = _compared(outcome, CHECKS[name], claim, entry)
                if failure:
                    yield f"{outcome.scenario.id}: expect[{number}].{name}: {failure}"


def _compared(outcome: Outcome, check: Check, claim: Any, entry: Mapping[str, Any]) -> str:
    """Return what is wanted and what is found, or "" if it is the same."""
    words = {"iteration": 1, **entry, **(asdict(claim) if isinstance(claim, Struct) else {})}
    if "{where}" in check.says:
        words["where"] = Where(words["turn"], words["step"], words["iteration"])
    try:
        got = check.look(Sought(outcome, claim, words))
    except KeyError:
        got = "no such visit" if "where" in words else "no such turn"
    wanted = _plain(getattr(claim, check.part) if check.part else claim)
    if wanted == got:
        return ""
    return f"{check.says.format_map(words)}: wanted {_show(wanted)}, got {_show(got)}"


def _plain(value: object) -> object:
    if isinstance(value, Event):
        return str(Where(value.turn, value.step, value.iteration or 1))
    return list(map(_plain, value)) if isinstance(value, tuple) else value


def _show(value: object) -> str:
    return json.dumps(value, ensure_ascii=False).replace('"', "")


# what is found ------------------------------------------------------------------------------------


def _run_in(sought: Sought, all: list[str]) -> list[str]:
    """Return the claimed run if it occurs, one after another, else everything that is there."""
    run = [*sought.claim]
    occurs = any(all[start : start + len(run)] == run for start in range(len(all)))
    return run if occurs else all


def _visits(sought: Sought) -> object:
    counts = Counter(sought.steps)
    return {step: counts[step] for step in sought.claim}


def _phases(sought: Sought) -> object:
    return [*{visit.phase_id: visit.phase for visit in sought.visits}.values()]


def _windows(sought: Sought) -> int:
    state = sought.outcome.model.state
    return sum(state(stage).kind == "window" for stage in sought.turn.stages)


def _events(kind: str) -> Look:
    """Return the look at the events of a trigger. Iterations count only if a claim has one."""

    def look(sought: Sought) -> object:
        got = _visits_with(sought, kind, sought.words["trigger"])
        if not any(claim.iteration for claim in sought.claim):
            got = [where._replace(iteration=1) for where in got]
        return [*map(str, got)]

    return look


def _visits_with(sought: Sought, kind: str, id: str) -> list[Where]:
    """Return the visits that have this id in their notes of this kind, as often as they have it."""
    found = list[Where]()
    for where, log in sought.outcome.logs.items():
        found += [where] * getattr(log, kind).count(id)
    return found


def _performs(sought: Sought) -> object:
    performed = sought.log.performed
    asked = [players for action, players in performed if action == sought.claim.action]
    return [*chain.from_iterable(asked)] if asked else "nobody was asked"


def _result(sought: Sought) -> object:
    outcome = sought.outcome
    won = f"{' and '.join(outcome.winners)} won" if outcome.winners else "draw"
    return won if outcome.over else "no end"


def _winner(sought: Sought) -> object:
    won = sorted(sought.outcome.winners)
    if won == sorted(sought.claim):
        return [*sought.claim]
    return won or ("a draw" if sought.outcome.over else "no end")


def _discards(sought: Sought) -> object:
    where = Where(sought.turn.number, "cleanup", sought.claim.iteration)
    log = sought.outcome.logs.get(where)
    return log.discards if log else "no such visit"


def _on_turns(sought: Sought) -> object:
    return [where.turn for where in _visits_with(sought, "lore", sought.words["lore"])]


def _mana(sought: Sought) -> object:
    return (sought.log.mana or Counter())[sought.claim.player]


def _burn(sought: Sought) -> object:
    claim, logs = sought.claim, sought.outcome.logs
    visits = [visit for visit in sought.visits if visit.phase == claim.phase]
    return sum(logs[visit.where].burned[claim.player] for visit in visits)


# the table ----------------------------------------------------------------------------------------

CONTEXT: Mapping[str, Any] = {
    "turn": First,
    "step": Name,
    "iteration": First,
    "effect": Name,
    "trigger": Name,
    "lore": Name,
}
"""The keys that stand beside others, with the types of their values."""
_TURN, _VISIT = ("turn",), ("turn", "step")
_EVENTS = tuple[Event, ...]
_DAMAGE = "the action assign_combat_damage or the action assign_attackers"
CHECKS: Mapping[str, Check] = {
    "turn_order": Check(
        "these are the active players of turns 1 to n",
        SomeNames,
        "active players from turn 1",
        lambda sought: [turn.active for turn in sought.outcome.turns][: len(sought.claim)],
    ),
    "active": Check("that turn's player", Name, "turn {turn}", attrgetter("turn.active"), _TURN),
    "extra": Check(
        "whether that turn is an extra one",
        bool,
        "turn {turn}",
        attrgetter("turn.extra"),
        _TURN,
    ),
    "controller": Check(
        "who decides in that turn",
        Name,
        "turn {turn}",
        lambda sought: sought.outcome.deciders[sought.words["turn"]],
        _TURN,
    ),
    "steps": Check(
        "exactly these steps, in order",
        Names,
        "steps of turn {turn}",
        attrgetter("steps"),
        _TURN,
    ),
    "contains": Check(
        "this contiguous run of steps occurs",
        SomeNames,
        "a run of steps in turn {turn}",
        lambda sought: _run_in(sought, sought.steps),
        _TURN,
    ),
    "visits": Check(
        "exact counts of visits, by step",
        Annotated[dict[Name, Number], Meta(min_length=1)],
        "visits in turn {turn}",
        _visits,
        _TURN,
    ),
    "phases": Check(
        "exactly these phases, in order of occurrence; one all of whose steps were skipped does "
        "not show",
        Names,
        "phases of turn {turn}",
        _phases,
        _TURN,
    ),
    "priority": Check(
        "whether anybody got priority in that visit",
        Given,
        "somebody gets priority in {where}",
        lambda sought: bool(sought.log.priority),
        _TURN,
        part="given",
    ),
    "active_at": Check(
        "whether the effect is on while players have priority there (in a step without priority: "
        "as it ends); one made in that visit counts as on",
        Annotated[tuple[ActiveAt, ...], Meta(min_length=1)],
        "effect {effect} on in {where}",
        lambda sought: sought.words["effect"] in sought.log.effects,
        ("effect",),
        part="value",
    ),
    "fires": Check(
        "the complete list of its trigger events",
        _EVENTS,
        "trigger {trigger} fires",
        _events("fires"),
        ("trigger",),
    ),
    "put_on_stack": Check(
        "the complete list of where it reached the stack",
        _EVENTS,
        "trigger {trigger} put on stack",
        _events("put_on_stack"),
        ("trigger",),
    ),
    "tba_order": Check(
        "the turn-based actions of that step, in order; not those that end its phase after its "
        "last window",
        Names,
        "turn-based actions of {where}",
        attrgetter("visit.actions"),
        _VISIT,
    ),
    "performs": Check(
        "who was asked to perform that turn-based action there, in order",
        Performs,
        "who performs {action} in {where}",
        _performs,
        _VISIT,
        part="players",
    ),
    "stages": Check(
        "this contiguous run occurs among the actions that were performed and the windows in "
        "which somebody received priority",
        SomeNames,
        "a run of stages in turn {turn}",
        lambda sought: _run_in(sought, sought.turn.stages),
        _TURN,
    ),
    "windows": Check(
        "in how many windows somebody received priority",
        Number,
        "windows in turn {turn}",
        _windows,
        _TURN,
    ),
    "passes": Check(
        "how often somebody passed",
        Number,
        "passes in turn {turn}",
        lambda sought: sum(visit.passes for visit in sought.visits),
        _TURN,
    ),
    "resolves": Check(
        "exactly what resolved in that visit, in order",
        Names,
        "what resolves in {where}",
        attrgetter("log.resolved"),
        _VISIT,
    ),
    "priority_order": Check(
        "who received priority in that window, in order",
        Names,
        "who receives priority in {where}",
        attrgetter("log.priority"),
        _VISIT,
    ),
    "over": Check(
        "whether the game has ended", bool, "the game is over", attrgetter("outcome.over")
    ),
    "result": Check(
        "how the game has ended: nobody has won",
        Literal["draw"],
        "how the game has ended",
        _result,
        ("over",),
    ),
    "winner": Check(
        "who has won: the players of the one side that is left, in any order",
        SomeNames,
        "who has won",
        _winner,
    ),
    "discards": Check(
        "how many cards were discarded to hand size in that cleanup",
        Discards,
        "discards in turn {turn}",
        _discards,
        _TURN,
        needs="the action discard_to_hand_size",
        part="count",
    ),
    "designation": Check(
        "day or night there, as that visit ends",
        Literal["day", "night", "neither"],
        "day or night in {where}",
        attrgetter("log.designation"),
        _VISIT,
        "the action day_night",
    ),
    "on_turns": Check(
        "turns in which that Saga got a turn-based lore counter",
        tuple[First, ...],
        "turns in which Saga {lore} gets a lore counter",
        _on_turns,
        ("lore",),
        needs="the action add_lore_counters",
    ),
    "mana_at": Check(
        "unspent mana while that step is under way: what is there just before it empties",
        ManaAt,
        "mana of {player} in {where}",
        _mana,
        needs="the action empty_mana or the action lose_mana",
        part="amount",
    ),
    "burn": Check(
        "how much life that player loses by unspent mana as phases of that name end in that turn",
        Burn,
        "life that {player} loses by mana in {phase} of turn {turn}",
        _burn,
        needs="the action lose_mana",
        part="amount",
    ),
    "assigns": Check(
        "exactly who assigned damage in that visit: attackers first, then blockers, each as they "
        "came",
        Names,
        "who assigns damage in {where}",
        attrgetter("log.assigned"),
        _VISIT,
        _DAMAGE,
    ),
    "dealt": Check(
        "exactly whose damage was dealt in that visit",
        Names,
        "whose damage is dealt in {where}",
        attrgetter("log.dealt"),
        _VISIT,
        _DAMAGE,
    ),
}
"""All checks. Reading, the schema and the documentation use this table."""
_KINDS = {
    "note": Any,
    **CONTEXT,
    **{name: check.kind for name, check in CHECKS.items()},
}
Entry = defstruct(
    "expect", [(name, kind, None) for name, kind in _KINDS.items()], forbid_unknown_fields=True
)
"""An entry of `expect` in a file."""
