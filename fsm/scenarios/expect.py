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
from fsm.wording import lower_first

if TYPE_CHECKING:
    from fsm.scenarios.playing import Outcome

LONGEST = 40
"""A message shows at most so many entries of a list."""
Entry: TypeAlias = Mapping[str, Any]
Discrepancy: TypeAlias = tuple[str, object, object]
"""What was checked, what was wanted, and what was found."""
Finder: TypeAlias = Callable[["Outcome", Entry], Iterator[Discrepancy]]


class Missing:
    """Stands for something that is missing, such as a visit that did not take place."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Check:
    """A check that an entry of `expect` can make.

    Attributes
    ----------
    name, doc
        The key, and what must hold.
    kind
        The type of its value.
    beside, may
        The keys that stand beside it, and those that may.
    needs
        What the model must have. See `Words.lacks`.
    find
        Yields what was wanted and what was found.
    """

    name: str
    doc: str
    kind: Any
    beside: tuple[str, ...]
    may: tuple[str, ...]
    needs: str
    find: Finder


CHECKS: dict[str, Check] = {}
"""All checks. Reading, the schema and the documentation use this table."""
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
                for what, wanted, got in CHECKS[name].find(outcome, expectation.entry):
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


def _check(
    kind: Any, *beside: str, may: tuple[str, ...] = (), needs: str = ""
) -> Callable[[Finder], Finder]:
    """Register a function as the check of its name. Its docstring is what must hold."""

    def register(find: Finder) -> Finder:
        doc = lower_first(" ".join((find.__doc__ or "").split())).removesuffix(".")
        CHECKS[find.__name__] = Check(find.__name__, doc, kind, beside, may, needs, find)
        return find

    return register


OfTurn: TypeAlias = Callable[["Outcome", int, Any], object]
OfVisit: TypeAlias = Callable[["Outcome", Where, Visit], object]


def _of_turn(kind: Any, says: str = "turn {}") -> Callable[[OfTurn], OfTurn]:
    """Register a function that finds something in a turn. It gets what is wanted, too."""

    def register(look: OfTurn) -> OfTurn:
        def find(outcome: Outcome, entry: Entry) -> Iterator[Discrepancy]:
            turn, wanted = entry["turn"], _plain(entry[look.__name__])
            began = any(taken.turn == turn for taken in outcome.turns)
            got = look(outcome, turn, wanted) if began else Missing("no such turn")
            yield says.format(turn), wanted, got

        find.__name__, find.__doc__ = look.__name__, look.__doc__
        _check(kind, "turn")(find)
        return look

    return register


def _of_visit(kind: Any, says: str, needs: str = "") -> Callable[[OfVisit], OfVisit]:
    """Register a function that finds something in a visit."""

    def register(look: OfVisit) -> OfVisit:
        def find(outcome: Outcome, entry: Entry) -> Iterator[Discrepancy]:
            where = Where(entry["turn"], entry["step"], entry.get("iteration", 1))
            got = _at(outcome, where, look)
            yield says.format(where), _plain(entry[look.__name__]), got

        find.__name__, find.__doc__ = look.__name__, look.__doc__
        _check(kind, "turn", "step", may=("iteration",), needs=needs)(find)
        return look

    return register


def _at(outcome: Outcome, where: Where, look: OfVisit) -> object:
    """Return what a function finds in a visit, or that there is no such visit."""
    visit = next((visit for visit in outcome.visits if visit.where == where), None)
    return Missing("no such visit") if visit is None else look(outcome, where, visit)


def _plain(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value


def _run_in(run: Any, all: Sequence[str]) -> object:
    """Return the run if it occurs, one after another, else everything that is there."""
    starts = range(len(all) - len(run) + 1)
    occurs = any(list(all[start : start + len(run)]) == run for start in starts)
    return run if occurs else list(all)


class At(Shape, frozen=True):
    """A visit of a step, or a phase."""

    turn: First
    step: Name
    iteration: First = 1

    @property
    def where(self) -> Where:
        """The visit."""
        return Where(self.turn, self.step, self.iteration)


# turns --------------------------------------------------------------------------------------------


@_check(SomeNames)
def turn_order(outcome: Outcome, entry: Entry) -> Iterator[Discrepancy]:
    """These are the active players of turns 1 to n."""
    wanted = list(entry["turn_order"])
    yield "active players from turn 1", wanted, [t.active for t in outcome.turns][: len(wanted)]


@_of_turn(Name)
def active(outcome: Outcome, turn: int, wanted: Any) -> object:
    """That turn's player."""
    return outcome.taken(turn).active


@_of_turn(bool)
def extra(outcome: Outcome, turn: int, wanted: Any) -> object:
    """Whether that turn is an extra one."""
    return outcome.taken(turn).extra


@_of_turn(Name)
def controller(outcome: Outcome, turn: int, wanted: Any) -> object:
    """Who decides in that turn."""
    return outcome.taken(turn).controller


# steps and phases ---------------------------------------------------------------------------------


@_of_turn(Names, "steps of turn {}")
def steps(outcome: Outcome, turn: int, wanted: Any) -> object:
    """Exactly these steps, in order."""
    return [visit.step for visit in outcome.visits_in(turn)]


@_of_turn(SomeNames, "a run of steps in turn {}")
def contains(outcome: Outcome, turn: int, wanted: Any) -> object:
    """This contiguous run of steps occurs."""
    return _run_in(wanted, [visit.step for visit in outcome.visits_in(turn)])


@_of_turn(Annotated[dict[Name, Number], Meta(min_length=1)], "visits in turn {}")
def visits(outcome: Outcome, turn: int, wanted: Any) -> object:
    """Exact counts of visits, by step."""
    counts = Counter(visit.step for visit in outcome.visits_in(turn))
    return {step: counts[step] for step in wanted}


@_of_turn(Names, "phases of turn {}")
def phases(outcome: Outcome, turn: int, wanted: Any) -> object:
    """Exactly these phases, in order of occurrence; one all of whose steps were skipped does not
    show.
    """
    return list({visit.phase_id: visit.phase for visit in outcome.visits_in(turn)}.values())


class Given(Shape, frozen=True):
    """Whether anybody got priority in a visit."""

    step: Name
    given: bool
    iteration: First = 1


@_check(Given, "turn")
def priority(outcome: Outcome, entry: Entry) -> Iterator[Discrepancy]:
    """Whether anybody got priority in that visit."""
    claim = entry["priority"]
    where = Where(entry["turn"], claim.step, claim.iteration)
    got = _at(outcome, where, lambda outcome, where, visit: visit.priority)
    yield f"somebody gets priority in {where}", claim.given, got


# effects, triggers --------------------------------------------------------------------------------


class ActiveAt(At, frozen=True, kw_only=True):
    """Whether an effect is on in a visit."""

    value: bool


@_check(Annotated[tuple[ActiveAt, ...], Meta(min_length=1)], "effect")
def active_at(outcome: Outcome, entry: Entry) -> Iterator[Discrepancy]:
    """Whether the effect is on while players have priority there (in a step without priority: as it
    ends); one made in that visit counts as on.
    """
    id = entry["effect"]

    def is_on(outcome: Outcome, where: Where, visit: Visit) -> bool:
        seen = outcome.game.visits[where]
        return id in seen.made or id in (seen.on or ())

    for claim in entry["active_at"]:
        yield f"effect {id} on in {claim.where}", claim.value, _at(outcome, claim.where, is_on)


class Event(Shape, frozen=True):
    """Where an ability triggered, or reached the stack."""

    turn: First
    step: Name
    iteration: First | None = None


@_check(tuple[Event, ...], "trigger")
def fires(outcome: Outcome, entry: Entry) -> Iterator[Discrepancy]:
    """The complete list of its trigger events."""
    return _events(outcome, entry, "fires")


@_check(tuple[Event, ...], "trigger")
def put_on_stack(outcome: Outcome, entry: Entry) -> Iterator[Discrepancy]:
    """The complete list of where it reached the stack."""
    return _events(outcome, entry, "put_on_stack")


def _events(outcome: Outcome, entry: Entry, kind: str) -> Iterator[Discrepancy]:
    """Compare events. Iterations count only if some entry of the list has one."""
    id, claims = entry["trigger"], entry[kind]
    numbered = any(claim.iteration is not None for claim in claims)
    got = [event.where for event in outcome.game.triggers if event[:2] == (kind, id)]
    if not numbered:
        got = [where._replace(iteration=1) for where in got]
    wanted = [Where(claim.turn, claim.step, claim.iteration or 1) for claim in claims]
    yield f"trigger {id} {kind.replace('_', ' ')}", wanted, got


# actions, windows, the stack ----------------------------------------------------------------------


@_of_visit(Names, "turn-based actions of {}")
def tba_order(outcome: Outcome, where: Where, visit: Visit) -> object:
    """The turn-based actions of that step, in order; not those that end its phase after its last
    window.
    """
    return visit.actions


class Performs(Shape, frozen=True):
    """Who was asked to perform an action."""

    action: Name
    players: tuple[Name, ...]


@_check(Performs, "turn", "step", may=("iteration",))
def performs(outcome: Outcome, entry: Entry) -> Iterator[Discrepancy]:
    """Who was asked to perform that turn-based action there, in order."""
    where, claim = Where(entry["turn"], entry["step"], entry.get("iteration", 1)), entry["performs"]

    def asked(outcome: Outcome, where: Where, visit: Visit) -> object:
        performed = outcome.game.visits[where].performed
        groups = [players for action, players in performed if action == claim.action]
        return sum(map(list, groups), list[str]()) if groups else Missing("nobody was asked")

    yield (
        f"who performs {claim.action} in {where}",
        list(claim.players),
        _at(outcome, where, asked),
    )


@_of_turn(SomeNames, "a run of stages in turn {}")
def stages(outcome: Outcome, turn: int, wanted: Any) -> object:
    """This contiguous run occurs among the actions that were performed and the windows in which
    somebody received priority.
    """
    return _run_in(wanted, [stage.state for stage in outcome.stages if stage.turn == turn])


@_of_turn(Number, "windows in turn {}")
def windows(outcome: Outcome, turn: int, wanted: Any) -> object:
    """In how many windows somebody received priority."""
    return sum(stage.window for stage in outcome.stages if stage.turn == turn)


@_of_turn(Number, "passes in turn {}")
def passes(outcome: Outcome, turn: int, wanted: Any) -> object:
    """How often somebody passed."""
    return list(passes_of(outcome.records, outcome.model)).count(turn)


@_of_visit(Names, "what resolves in {}")
def resolves(outcome: Outcome, where: Where, visit: Visit) -> object:
    """Exactly what resolved in that visit, in order."""
    return outcome.game.visits[where].resolved


@_of_visit(Names, "who receives priority in {}")
def priority_order(outcome: Outcome, where: Where, visit: Visit) -> object:
    """Who received priority in that window, in order."""
    return outcome.game.visits[where].priority


# how it ended -------------------------------------------------------------------------------------


@_check(bool)
def over(outcome: Outcome, entry: Entry) -> Iterator[Discrepancy]:
    """Whether the game has ended."""
    yield "the game is over", entry["over"], outcome.over


@_check(Literal["draw"], "over")
def result(outcome: Outcome, entry: Entry) -> Iterator[Discrepancy]:
    """How the game has ended: nobody has won."""
    got: object = Missing(f"{' and '.join(outcome.winners)} won") if outcome.winners else "draw"
    yield "how the game has ended", entry["result"], got if outcome.over else Missing("no end")


@_check(SomeNames)
def winner(outcome: Outcome, entry: Entry) -> Iterator[Discrepancy]:
    """Who has won: the players of the one side that is left, in any order."""
    nobody = Missing("a draw" if outcome.over else "no end")
    yield "who has won", sorted(entry["winner"]), sorted(outcome.winners) or nobody


# what Magic needs ---------------------------------------------------------------------------------


class Discards(Shape, frozen=True):
    """How many cards were discarded."""

    count: Number
    iteration: First = 1


@_check(Discards, "turn", needs="the action discard_to_hand_size")
def discards(outcome: Outcome, entry: Entry) -> Iterator[Discrepancy]:
    """How many cards were discarded to hand size in that cleanup."""
    claim = entry["discards"]

    def count(outcome: Outcome, where: Where, visit: Visit) -> int:
        return outcome.game.magic.discards.get(where, 0)

    for step in sorted(words_of(outcome.model).actions["discard_to_hand_size"]):
        where = Where(entry["turn"], step, claim.iteration)
        yield f"discards in {where}", claim.count, _at(outcome, where, count)


@_of_visit(Literal["day", "night", "neither"], "day or night in {}", "the action day_night")
def designation(outcome: Outcome, where: Where, visit: Visit) -> object:
    """Day or night there, as that visit ends."""
    return outcome.game.magic.designations.get(where, "")


@_check(tuple[First, ...], "lore", needs="the action add_lore_counters")
def on_turns(outcome: Outcome, entry: Entry) -> Iterator[Discrepancy]:
    """Turns in which that Saga got a turn-based lore counter."""
    id = entry["lore"]
    got = [turn for saga, turn in outcome.game.magic.lore if saga == id]
    yield f"turns in which Saga {id} gets a lore counter", list(entry["on_turns"]), got


class ManaAt(At, frozen=True, kw_only=True):
    """How much mana a player has in a visit."""

    player: Name
    amount: Number


@_check(ManaAt, needs="the action empty_mana or the action lose_mana")
def mana_at(outcome: Outcome, entry: Entry) -> Iterator[Discrepancy]:
    """Unspent mana while that step is under way: what is there just before it empties."""
    claim = entry["mana_at"]

    def amount(outcome: Outcome, where: Where, visit: Visit) -> int:
        return outcome.game.magic.mana.get(where, {}).get(claim.player, 0)

    got = _at(outcome, claim.where, amount)
    yield f"mana of {claim.player} in {claim.where}", claim.amount, got


class Burn(Shape, frozen=True):
    """How much life a player loses by mana as a phase ends."""

    turn: First
    phase: Name
    player: Name
    amount: Number
    iteration: First = 1


@_check(Burn, needs="the action lose_mana")
def burn(outcome: Outcome, entry: Entry) -> Iterator[Discrepancy]:
    """How much life that player loses by unspent mana as that phase ends."""
    claim = entry["burn"]
    visits = [visit for visit in outcome.visits_in(claim.turn) if visit.phase == claim.phase]
    ids = list(dict.fromkeys(visit.phase_id for visit in visits))
    got: object = Missing("no such phase")
    if len(ids) >= claim.iteration:
        phase = claim.turn, ids[claim.iteration - 1]
        burns = outcome.game.magic.burns
        got = sum(burn[2] for burn in burns if burn[:2] == (phase, claim.player))
    where = Where(claim.turn, claim.phase, claim.iteration)
    yield f"life that {claim.player} loses by mana in {where}", claim.amount, got


@_of_visit(Names, "who assigns damage in {}", "an action that assigns damage")
def assigns(outcome: Outcome, where: Where, visit: Visit) -> object:
    """Exactly who assigned damage in that visit: attackers first, then blockers, each as they came."""
    return outcome.game.magic.assigned.get(where, [])


@_of_visit(Names, "whose damage is dealt in {}", "an action that assigns damage")
def dealt(outcome: Outcome, where: Where, visit: Visit) -> object:
    """Exactly whose damage was dealt in that visit."""
    return outcome.game.magic.dealt.get(where, [])
