"""The checks that entries of `expect` make of the outcome of a scenario. Each failure is one
sentence.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

from msgspec import Meta

from fsm.runs.visits import Visit, passes_of
from fsm.runs.where import Where
from fsm.scenarios.scenario import First, Name, Names, Number, Shape, SomeNames
from fsm.scenarios.words import words_of

if TYPE_CHECKING:
    from fsm.scenarios.playing import Outcome

LONGEST = 40
"""A message shows at most so many entries of a list."""
Entry: TypeAlias = Mapping[str, Any]
Discrepancy: TypeAlias = tuple[str, object, object]
"""What was checked, what was wanted, and what was found."""


class Missing(str):
    """Stands for something that is missing, such as a visit that did not take place."""

    __slots__ = ()


@dataclass(frozen=True)
class Check:
    """A check that an entry of `expect` can make.

    Attributes
    ----------
    doc
        What must hold.
    kind
        The type of its value.
    find
        Yields what was wanted and what was found. It gets the outcome, the key and the entry.
    beside, may
        The keys that stand beside it, and those that may.
    needs
        What the model must have. See `Words.lacks`.
    """

    doc: str
    kind: Any
    find: Callable[[Outcome, str, Entry], Iterator[Discrepancy]]
    beside: tuple[str, ...] = ()
    may: tuple[str, ...] = ()
    needs: str = ""


MAKERS: Mapping[str, tuple[str, ...]] = {
    "effect": ("effect",),
    "trigger": ("trigger", "delayed_trigger", "standing_trigger"),
    "lore": ("saga",),
}
"""The keys that name something, with the verbs that make it."""
CONTEXT: Mapping[str, Any] = {
    "turn": First,
    "step": Name,
    "iteration": First,
    **dict.fromkeys(MAKERS, Name),
}
"""The keys that stand beside others, with the types of their values."""


def failures_of(outcome: Outcome) -> Iterator[str]:
    """Yield the failures. Each one names the scenario, the expectation, what was wanted and what
    was found.
    """
    for expectation in outcome.scenario.expect:
        for name in expectation.entry:
            if name in CHECKS:
                for what, wanted, got in CHECKS[name].find(outcome, name, expectation.entry):
                    if wanted != got:
                        place = f"{outcome.scenario.id}: {expectation.place}.{name}"
                        yield f"{place}: {what}: wanted {_show(wanted)}, got {_show(got)}"


def _show(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        shown = [_show(part) for part in value[:LONGEST]]
        if len(value) > LONGEST:
            shown.append(f"... ({len(value)} in all)")
        return f"[{', '.join(shown)}]"
    if isinstance(value, dict):
        parts = [f"{key}: {_show(part)}" for key, part in value.items()]
        return f"{{{', '.join(parts)}}}"
    return str(value)


# the families of checks ---------------------------------------------------------------------------


def _of_turn(
    doc: str, kind: Any, look: Callable[[Outcome, int, Any], object], says: str = "turn {}"
) -> Check:
    """Return the check of what a function finds in a turn. It gets what is wanted, too."""

    def find(outcome: Outcome, name: str, entry: Entry) -> Iterator[Discrepancy]:
        turn, wanted = entry["turn"], _plain(entry[name])
        began = any(taken.turn == turn for taken in outcome.turns)
        got = look(outcome, turn, wanted) if began else Missing("no such turn")
        yield says.format(turn), wanted, got

    return Check(doc, kind, find, ("turn",))


OfVisit: TypeAlias = Callable[["Outcome", Visit], object]


def _of_visit(doc: str, kind: Any, look: OfVisit, says: str, needs: str = "") -> Check:
    """Return the check of what a function finds in a visit."""

    def find(outcome: Outcome, name: str, entry: Entry) -> Iterator[Discrepancy]:
        where = Where(entry["turn"], entry["step"], entry.get("iteration", 1))
        yield says.format(where), _plain(entry[name]), _at(outcome, where, look)

    return Check(doc, kind, find, ("turn", "step"), ("iteration",), needs)


def _at(outcome: Outcome, where: Where, look: OfVisit) -> object:
    """Return what a function finds in a visit, or that there is no such visit."""
    visit = next((visit for visit in outcome.visits if visit.where == where), None)
    return Missing("no such visit") if visit is None else look(outcome, visit)


def _plain(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value


def _run_in(run: Any, all: Sequence[str]) -> object:
    """Return the run if it occurs, one after another, else everything that is there."""
    starts = range(len(all) - len(run) + 1)
    occurs = any(list(all[start : start + len(run)]) == run for start in starts)
    return run if occurs else list(all)


# the shapes of values -----------------------------------------------------------------------------


class At(Shape):
    """A visit of a step."""

    turn: First
    step: Name
    iteration: First = 1

    @property
    def where(self) -> Where:
        """The visit."""
        return Where(self.turn, self.step, self.iteration)


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
    iteration: First = 1


# checks of their own ------------------------------------------------------------------------------


def _turn_order(outcome: Outcome, name: str, entry: Entry) -> Iterator[Discrepancy]:
    wanted = list(entry[name])
    yield "active players from turn 1", wanted, [t.active for t in outcome.turns][: len(wanted)]


def _visits(outcome: Outcome, turn: int, wanted: Any) -> object:
    counts = Counter(visit.step for visit in outcome.visits_in(turn))
    return {step: counts[step] for step in wanted}


def _priority(outcome: Outcome, name: str, entry: Entry) -> Iterator[Discrepancy]:
    claim = entry[name]
    where = Where(entry["turn"], claim.step, claim.iteration)
    got = _at(outcome, where, lambda outcome, visit: visit.priority)
    yield f"somebody gets priority in {where}", claim.given, got


def _active_at(outcome: Outcome, name: str, entry: Entry) -> Iterator[Discrepancy]:
    id = entry["effect"]

    def is_on(outcome: Outcome, visit: Visit) -> bool:
        seen = outcome.game.visits[visit.where]
        return id in seen.made or id in (seen.on or ())

    for claim in entry[name]:
        yield f"effect {id} on in {claim.where}", claim.value, _at(outcome, claim.where, is_on)


def _events(outcome: Outcome, name: str, entry: Entry) -> Iterator[Discrepancy]:
    """Compare events. Iterations count only if some entry of the list has one."""
    id, claims = entry["trigger"], entry[name]
    got = [event.where for event in outcome.game.triggers if event[:2] == (name, id)]
    if not any(claim.iteration for claim in claims):
        got = [where._replace(iteration=1) for where in got]
    wanted = [Where(claim.turn, claim.step, claim.iteration or 1) for claim in claims]
    yield f"trigger {id} {name.replace('_', ' ')}", wanted, got


def _performs(outcome: Outcome, name: str, entry: Entry) -> Iterator[Discrepancy]:
    where, claim = Where(entry["turn"], entry["step"], entry.get("iteration", 1)), entry[name]

    def asked(outcome: Outcome, visit: Visit) -> object:
        performed = outcome.game.visits[visit.where].performed
        groups = [list(players) for action, players in performed if action == claim.action]
        return sum(groups, list[str]()) if groups else Missing("nobody was asked")

    got = _at(outcome, where, asked)
    yield f"who performs {claim.action} in {where}", list(claim.players), got


def _over(outcome: Outcome, name: str, entry: Entry) -> Iterator[Discrepancy]:
    yield "the game is over", entry[name], outcome.over


def _result(outcome: Outcome, name: str, entry: Entry) -> Iterator[Discrepancy]:
    won = Missing(f"{' and '.join(outcome.winners)} won") if outcome.winners else "draw"
    yield "how the game has ended", entry[name], won if outcome.over else Missing("no end")


def _winner(outcome: Outcome, name: str, entry: Entry) -> Iterator[Discrepancy]:
    nobody = Missing("a draw" if outcome.over else "no end")
    yield "who has won", sorted(entry[name]), sorted(outcome.winners) or nobody


def _discards(outcome: Outcome, name: str, entry: Entry) -> Iterator[Discrepancy]:
    claim, discards = entry[name], outcome.game.magic.discards
    for step in sorted(words_of(outcome.model).actions["discard_to_hand_size"]):
        where = Where(entry["turn"], step, claim.iteration)
        got = _at(outcome, where, lambda outcome, visit: discards.get(visit.where, 0))
        yield f"discards in {where}", claim.count, got


def _on_turns(outcome: Outcome, name: str, entry: Entry) -> Iterator[Discrepancy]:
    id = entry["lore"]
    got = [turn for saga, turn in outcome.game.magic.lore if saga == id]
    yield f"turns in which Saga {id} gets a lore counter", list(entry[name]), got


def _mana_at(outcome: Outcome, name: str, entry: Entry) -> Iterator[Discrepancy]:
    claim = entry[name]
    amounts = outcome.game.magic.mana.get(claim.where, {})
    got = _at(outcome, claim.where, lambda outcome, visit: amounts.get(claim.player, 0))
    yield f"mana of {claim.player} in {claim.where}", claim.amount, got


def _burn(outcome: Outcome, name: str, entry: Entry) -> Iterator[Discrepancy]:
    claim = entry[name]
    visits = [visit for visit in outcome.visits_in(claim.turn) if visit.phase == claim.phase]
    ids = list(dict.fromkeys(visit.phase_id for visit in visits))
    got: object = Missing("no such phase")
    if len(ids) >= claim.iteration:
        phase = claim.turn, ids[claim.iteration - 1]
        burns = outcome.game.magic.burns
        got = sum(burn[2] for burn in burns if burn[:2] == (phase, claim.player))
    where = Where(claim.turn, claim.phase, claim.iteration)
    yield f"life that {claim.player} loses by mana in {where}", claim.amount, got


# the table ----------------------------------------------------------------------------------------

_STEPS = Annotated[dict[Name, Number], Meta(min_length=1)]
_TIMES = Annotated[tuple[ActiveAt, ...], Meta(min_length=1)]
_HAND = "the action discard_to_hand_size"
_SAGAS = "the action add_lore_counters"
_MANA = "the action empty_mana or the action lose_mana"
_DAMAGE = "an action that assigns damage"
CHECKS: Mapping[str, Check] = {
    "turn_order": Check("these are the active players of turns 1 to n", SomeNames, _turn_order),
    "active": _of_turn(
        "that turn's player", Name, lambda outcome, turn, wanted: outcome.taken(turn).active
    ),
    "extra": _of_turn(
        "whether that turn is an extra one",
        bool,
        lambda outcome, turn, wanted: outcome.taken(turn).extra,
    ),
    "controller": _of_turn(
        "who decides in that turn",
        Name,
        lambda outcome, turn, wanted: outcome.taken(turn).controller,
    ),
    "steps": _of_turn(
        "exactly these steps, in order",
        Names,
        lambda outcome, turn, wanted: outcome.steps_in(turn),
        "steps of turn {}",
    ),
    "contains": _of_turn(
        "this contiguous run of steps occurs",
        SomeNames,
        lambda outcome, turn, wanted: _run_in(wanted, outcome.steps_in(turn)),
        "a run of steps in turn {}",
    ),
    "visits": _of_turn("exact counts of visits, by step", _STEPS, _visits, "visits in turn {}"),
    "phases": _of_turn(
        "exactly these phases, in order of occurrence; one all of whose steps were skipped does "
        "not show",
        Names,
        lambda outcome, turn, wanted: list(
            {visit.phase_id: visit.phase for visit in outcome.visits_in(turn)}.values()
        ),
        "phases of turn {}",
    ),
    "priority": Check("whether anybody got priority in that visit", Given, _priority, ("turn",)),
    "active_at": Check(
        "whether the effect is on while players have priority there (in a step without priority: "
        "as it ends); one made in that visit counts as on",
        _TIMES,
        _active_at,
        ("effect",),
    ),
    "fires": Check(
        "the complete list of its trigger events", tuple[Event, ...], _events, ("trigger",)
    ),
    "put_on_stack": Check(
        "the complete list of where it reached the stack",
        tuple[Event, ...],
        _events,
        ("trigger",),
    ),
    "tba_order": _of_visit(
        "the turn-based actions of that step, in order; not those that end its phase after its "
        "last window",
        Names,
        lambda outcome, visit: visit.actions,
        "turn-based actions of {}",
    ),
    "performs": Check(
        "who was asked to perform that turn-based action there, in order",
        Performs,
        _performs,
        ("turn", "step"),
        ("iteration",),
    ),
    "stages": _of_turn(
        "this contiguous run occurs among the actions that were performed and the windows in "
        "which somebody received priority",
        SomeNames,
        lambda outcome, turn, wanted: _run_in(
            wanted, [stage.state for stage in outcome.stages if stage.turn == turn]
        ),
        "a run of stages in turn {}",
    ),
    "windows": _of_turn(
        "in how many windows somebody received priority",
        Number,
        lambda outcome, turn, wanted: sum(
            stage.window for stage in outcome.stages if stage.turn == turn
        ),
        "windows in turn {}",
    ),
    "passes": _of_turn(
        "how often somebody passed",
        Number,
        lambda outcome, turn, wanted: [*passes_of(outcome.records, outcome.model)].count(turn),
        "passes in turn {}",
    ),
    "resolves": _of_visit(
        "exactly what resolved in that visit, in order",
        Names,
        lambda outcome, visit: outcome.game.visits[visit.where].resolved,
        "what resolves in {}",
    ),
    "priority_order": _of_visit(
        "who received priority in that window, in order",
        Names,
        lambda outcome, visit: outcome.game.visits[visit.where].priority,
        "who receives priority in {}",
    ),
    "over": Check("whether the game has ended", bool, _over),
    "result": Check("how the game has ended: nobody has won", Literal["draw"], _result, ("over",)),
    "winner": Check(
        "who has won: the players of the one side that is left, in any order", SomeNames, _winner
    ),
    "discards": Check(
        "how many cards were discarded to hand size in that cleanup",
        Discards,
        _discards,
        ("turn",),
        needs=_HAND,
    ),
    "designation": _of_visit(
        "day or night there, as that visit ends",
        Literal["day", "night", "neither"],
        lambda outcome, visit: outcome.game.magic.designations.get(visit.where, ""),
        "day or night in {}",
        "the action day_night",
    ),
    "on_turns": Check(
        "turns in which that Saga got a turn-based lore counter",
        tuple[First, ...],
        _on_turns,
        ("lore",),
        needs=_SAGAS,
    ),
    "mana_at": Check(
        "unspent mana while that step is under way: what is there just before it empties",
        ManaAt,
        _mana_at,
        needs=_MANA,
    ),
    "burn": Check(
        "how much life that player loses by unspent mana as that phase ends",
        Burn,
        _burn,
        needs="the action lose_mana",
    ),
    "assigns": _of_visit(
        "exactly who assigned damage in that visit: attackers first, then blockers, each as they "
        "came",
        Names,
        lambda outcome, visit: outcome.game.magic.assigned.get(visit.where, []),
        "who assigns damage in {}",
        _DAMAGE,
    ),
    "dealt": _of_visit(
        "exactly whose damage was dealt in that visit",
        Names,
        lambda outcome, visit: outcome.game.magic.dealt.get(visit.where, []),
        "whose damage is dealt in {}",
        _DAMAGE,
    ),
}
"""All checks. Reading, the schema and the documentation use this table."""
