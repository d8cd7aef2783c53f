"""The checks that entries of `expect` make of the outcome of a scenario. Each failure is one
sentence.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from operator import itemgetter
from typing import TYPE_CHECKING

from fsm.runs.visits import passes_of
from fsm.runs.where import Where
from fsm.scenarios.discrepancies import (
    Discrepancy,
    ExpectEntry,
    Missing,
    at_visit,
    occurs,
    of_turn,
    where_of,
)
from fsm.scenarios.games import GAMES
from fsm.scenarios.jsonshapes import (
    EVENT,
    FIRST,
    FLAG,
    NUMBER,
    WHERE,
    WORD,
    list_of,
    object_of,
    words_of,
)
from fsm.scenarios.verbparts import ExpectCheck, Words, placed

if TYPE_CHECKING:
    from fsm.runs.visits import Visit
    from fsm.scenarios.outcome import Outcome

LONGEST = 40
"""A message shows at most this many entries of a list."""

_WORDS = Words()


def check(outcome: Outcome) -> list[str]:
    """Return the failures. Each one names the scenario, the expectation, what was wanted and what
    was found.
    """
    return [
        f"{outcome.scenario.id}: {expectation.place}.{name}: {what}: wanted {_show(wanted)}, got {_show(got)}"
        for expectation in outcome.scenario.expect
        for name in expectation.entry
        if name in CHECKS
        for what, wanted, got in CHECKS[name].checker(outcome, expectation.entry)
        if wanted != got
    ]


def _show(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | tuple) and not isinstance(value, Where):
        shown = [_show(part) for part in value[:LONGEST]]
        return (
            f"[{', '.join(shown)}{f', ... ({len(value)} in all)' if len(value) > LONGEST else ''}]"
        )
    if isinstance(value, dict):
        return f"{{{', '.join(f'{key}: {_show(part)}' for key, part in value.items())}}}"
    return str(value)


# turns --------------------------------------------------------------------------------------------


@_WORDS.check(schema=words_of(minItems=1))
def turn_order(outcome: Outcome, entry: ExpectEntry) -> Iterator[Discrepancy]:
    """These are the active players of turns 1 to n."""
    wanted = list(entry["turn_order"])
    yield "active players from turn 1", wanted, [t.active for t in outcome.turns][: len(wanted)]


def _of_turn(outcome: Outcome, entry: ExpectEntry, name: str) -> Iterator[Discrepancy]:
    number = entry["turn"]
    taken = next((t for t in outcome.turns if t.turn == number), None)
    yield f"turn {number}", entry[name], getattr(taken, name) if taken else Missing("no such turn")


@_WORDS.check("turn", schema=WORD)
def active(outcome: Outcome, entry: ExpectEntry) -> Iterator[Discrepancy]:
    """That turn's player."""
    return _of_turn(outcome, entry, "active")


@_WORDS.check("turn", schema=FLAG)
def extra(outcome: Outcome, entry: ExpectEntry) -> Iterator[Discrepancy]:
    """Whether that turn is an extra one."""
    return _of_turn(outcome, entry, "extra")


@_WORDS.check("turn", schema=WORD)
def controller(outcome: Outcome, entry: ExpectEntry) -> Iterator[Discrepancy]:
    """Who decides in that turn."""
    return _of_turn(outcome, entry, "controller")


# steps and phases ---------------------------------------------------------------------------------


def _listed(outcome: Outcome, entry: ExpectEntry, pick: Callable[[list[Visit]], object]) -> object:
    """Return what `pick` finds in the visits of the entry's turn."""
    return of_turn(outcome, entry, lambda turn: pick([v for v in outcome.visits if v.turn == turn]))


@_WORDS.check("turn", schema=words_of())
def steps(outcome: Outcome, entry: ExpectEntry) -> Iterator[Discrepancy]:
    """Exactly these steps, in order."""
    got = _listed(outcome, entry, lambda visits: [v.step for v in visits])
    yield f"steps of turn {entry['turn']}", list(entry["steps"]), got


@_WORDS.check("turn", schema=words_of(minItems=1))
def contains(outcome: Outcome, entry: ExpectEntry) -> Iterator[Discrepancy]:
    """This contiguous run of steps occurs."""
    run = list(entry["contains"])
    got = _listed(outcome, entry, lambda visits: [v.step for v in visits])
    if not isinstance(got, list) or not occurs(run, got):
        yield f"a run of steps in turn {entry['turn']}", run, got


@_WORDS.check("turn", schema={"type": "object", "additionalProperties": NUMBER, "minProperties": 1})
def visits(outcome: Outcome, entry: ExpectEntry) -> Iterator[Discrepancy]:
    """Exact counts of visits, by step."""

    def counts(found: list[Visit]) -> dict[str, int]:
        counter = Counter(v.step for v in found)
        return {step: counter[step] for step in entry["visits"]}

    yield f"visits in turn {entry['turn']}", dict(entry["visits"]), _listed(outcome, entry, counts)


@_WORDS.check("turn", schema=words_of())
def phases(outcome: Outcome, entry: ExpectEntry) -> Iterator[Discrepancy]:
    """Exactly these phases, in order of occurrence; one all of whose steps were skipped does not
    show.
    """
    got = _listed(outcome, entry, lambda found: list({v.phase_id: v.phase for v in found}.values()))
    yield f"phases of turn {entry['turn']}", list(entry["phases"]), got


@_WORDS.check("turn", schema=object_of(("step", "given"), step=WORD, iteration=FIRST, given=FLAG))
def priority(outcome: Outcome, entry: ExpectEntry) -> Iterator[Discrepancy]:
    """Whether anybody got priority in that visit."""
    claim = entry["priority"]
    where = where_of(claim, turn=entry["turn"])
    yield (
        f"somebody gets priority in {where}",
        claim["given"],
        at_visit(outcome, where, lambda v: v.priority),
    )


# effects, triggers --------------------------------------------------------------------------------


@_WORDS.check(
    "effect", schema=list_of(object_of(("turn", "step", "value"), **WHERE, value=FLAG), minItems=1)
)
def active_at(outcome: Outcome, entry: ExpectEntry) -> Iterator[Discrepancy]:
    """Whether the effect is on while players have priority there (in a step without priority: as it
    ends); one made in that visit counts as on.
    """
    id = entry["effect"]
    for claim in entry["active_at"]:
        where = where_of(claim)
        got = at_visit(outcome, where, lambda v: _on(outcome, v.where, id))
        yield f"effect {id} on in {where}", claim["value"], got


def _on(outcome: Outcome, where: Where, id: str) -> bool:
    seen = outcome.log.visit(where)
    return id in seen.made or id in (seen.on or ())


@_WORDS.check("trigger", schema=list_of(EVENT))
def fires(outcome: Outcome, entry: ExpectEntry) -> Iterator[Discrepancy]:
    """The complete list of its trigger events."""
    return _events(outcome, entry, "fires")


@_WORDS.check("trigger", schema=list_of(EVENT))
def put_on_stack(outcome: Outcome, entry: ExpectEntry) -> Iterator[Discrepancy]:
    """The complete list of where it reached the stack."""
    return _events(outcome, entry, "put_on_stack")


def _events(outcome: Outcome, entry: ExpectEntry, kind: str) -> Iterator[Discrepancy]:
    wanted: list[ExpectEntry] = list(entry[kind])
    numbered = any("iteration" in claim for claim in wanted)
    got = [e.where for e in outcome.log.triggers if e.kind == kind and e.id == entry["trigger"]]
    shown = [where_of(claim) for claim in wanted]
    if not numbered:
        got = [Where(w.turn, w.step) for w in got]
    yield f"trigger {entry['trigger']} {kind.replace('_', ' ')}", shown, got


# actions, windows, the stack ----------------------------------------------------------------------


@_WORDS.visit_check(schema=words_of())
def tba_order(outcome: Outcome, entry: ExpectEntry) -> Iterator[Discrepancy]:
    """The turn-based actions of that step, in order; not those that end its phase after its last
    window.
    """
    where = where_of(entry)
    yield (
        f"turn-based actions of {where}",
        list(entry["tba_order"]),
        at_visit(outcome, where, lambda v: v.actions),
    )


@_WORDS.visit_check(schema=object_of(("action", "players"), action=WORD, players=list_of(WORD)))
def performs(outcome: Outcome, entry: ExpectEntry) -> Iterator[Discrepancy]:
    """Who was asked to perform that turn-based action there, in order."""
    where, (action, players) = where_of(entry), itemgetter("action", "players")(entry["performs"])

    def asked(visit: Visit) -> object:
        found = [who for name, who in outcome.log.visit(visit.where).performed if name == action]
        return [player for who in found for player in who] if found else Missing("nobody was asked")

    yield f"who performs {action} in {where}", list(players), at_visit(outcome, where, asked)


@_WORDS.check("turn", schema=words_of(minItems=1))
def stages(outcome: Outcome, entry: ExpectEntry) -> Iterator[Discrepancy]:
    """This contiguous run occurs among the actions that were performed and the windows in which
    somebody received priority.
    """
    run = list(entry["stages"])
    got = of_turn(outcome, entry, lambda turn: [s.state for s in outcome.stages if s.turn == turn])
    if not isinstance(got, list) or not occurs(run, got):
        yield f"a run of stages in turn {entry['turn']}", run, got


@_WORDS.check("turn", schema=NUMBER)
def windows(outcome: Outcome, entry: ExpectEntry) -> Iterator[Discrepancy]:
    """In how many windows somebody received priority."""
    got = of_turn(
        outcome, entry, lambda turn: sum(s.window for s in outcome.stages if s.turn == turn)
    )
    yield f"windows in turn {entry['turn']}", entry["windows"], got


@_WORDS.check("turn", schema=NUMBER)
def passes(outcome: Outcome, entry: ExpectEntry) -> Iterator[Discrepancy]:
    """How often somebody passed."""
    got = of_turn(
        outcome, entry, lambda turn: list(passes_of(outcome.records, outcome.model)).count(turn)
    )
    yield f"passes in turn {entry['turn']}", entry["passes"], got


@_WORDS.visit_check(schema=words_of(), lists="object")
def resolves(outcome: Outcome, entry: ExpectEntry) -> Iterator[Discrepancy]:
    """Exactly what resolved in that visit, in order."""
    where = where_of(entry)
    got = at_visit(outcome, where, lambda visit: list(outcome.log.visit(where).resolved))
    yield f"what resolves in {where}", list(entry["resolves"]), got


@_WORDS.visit_check(schema=words_of())
def priority_order(outcome: Outcome, entry: ExpectEntry) -> Iterator[Discrepancy]:
    """Who received priority in that window, in order."""
    where = where_of(entry)
    got = at_visit(outcome, where, lambda v: list(outcome.log.visit(where).priority))
    yield f"who receives priority in {where}", list(entry["priority_order"]), got


@_WORDS.check(schema=FLAG)
def over(outcome: Outcome, entry: ExpectEntry) -> Iterator[Discrepancy]:
    """Whether the game has ended."""
    yield "the game is over", entry["over"], outcome.over


@_WORDS.check("over", schema={"enum": ["draw"]})
def result(outcome: Outcome, entry: ExpectEntry) -> Iterator[Discrepancy]:
    """How the game has ended: nobody has won."""
    got = Missing(f"{' and '.join(outcome.winners)} won") if outcome.winners else "draw"
    yield "how the game has ended", entry["result"], got if outcome.over else Missing("no end")


@_WORDS.check(schema=words_of(minItems=1, uniqueItems=True))
def winner(outcome: Outcome, entry: ExpectEntry) -> Iterator[Discrepancy]:
    """Who has won: the players of the one side that is left, in any order."""
    wanted = sorted(entry["winner"])
    yield (
        "who has won",
        wanted,
        sorted(outcome.winners) or Missing("a draw" if outcome.over else "no end"),
    )


CHECKS: dict[str, ExpectCheck] = placed(
    _WORDS.checks, (check for game in GAMES for check in game.words.checks)
)
"""All checks. Schema, parser and documentation read this list."""
MAKERS: dict[str, tuple[str, ...]] = {
    "effect": ("effect",),
    "trigger": ("trigger", "delayed_trigger", "standing_trigger"),
    **{key: verbs for game in GAMES for key, verbs in game.contexts.items()},
}
"""The keys that name something, with the verbs that make it."""
CONTEXT = ("turn", "step", "iteration", *MAKERS)
