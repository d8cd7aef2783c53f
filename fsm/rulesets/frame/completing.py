"""What a table leaves out is added before it is expanded: its window, its facts, durations and
events, and its end.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import pairwise

from fsm.model import Duration, Event, Fact, State, Transition
from fsm.model.elements import LEAVING
from fsm.rulesets.frame.parts import Act, Again, Back, Phase, Step, TableParts
from fsm.rulesets.frame.rows import jump
from fsm.rulesets.frame.tableparts import acts, guards
from fsm.rulesets.frame.windows import priority_window

KNOWN: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "first_turn": (
        "this is the first turn of the side that plays first",
        ("starters_turn_is", "1"),
    ),
    "first_own_turn": ("this is the first turn of its side in turn order", ("own_turn_is", "1")),
    "starter_active": ("it is the turn of the side that plays first", ("starter_active",)),
    "several_opponents": ("there is more than one opponent", ("more_sides_than", "2")),
    "several_sides_left": ("at least two sides are left", ("more_sides_than", "1")),
    "team_turns": ("the players of a team take their turns together", ("shared_turns",)),
}
"""Facts that a guard can read although the table does not list them: what they mean, and their
tests.
"""


def completed(given: TableParts) -> TableParts:
    """Return a table with all that it leaves out."""
    table = _with_scopes(given)
    if table.window is None:
        table = replace(table, window=priority_window(table.name, edition=table.edition))
    rows = (*_refused(table), *_end(table))
    table = replace(
        table,
        states=(*table.states, *_final(table, rows)),
        transitions=(*table.transitions, *rows),
        events=(*table.events, *_events(table)),
        durations=(*table.durations, *_durations(table)),
    )
    return replace(table, facts=(*table.facts, *_facts(table)))


def window_facts(table: TableParts) -> dict[str, Fact]:
    """Return the facts of the window that the turn can read: those that stay true until the next
    window opens.
    """
    window = table.window or priority_window(table.name)
    return {fact.name: fact for fact in window.facts if fact.timing == "latched"}


def _homes(table: TableParts) -> dict[str, list[tuple[Phase, Step, Act]]]:
    """Return where each fact that the table does not list is decided."""
    listed, found = {fact.name for fact in table.facts}, dict[str, list[tuple[Phase, Step, Act]]]()
    for phase, step, act in acts(table):
        for name in act.decides:
            if name not in listed:
                found.setdefault(name, []).append((phase, step, act))
    return found


def _read_once(table: TableParts, name: str) -> bool:
    """Say whether a fact is read only directly after the action that decides it: whether to go
    back, or elsewhere.

    Such a fact is decided anew whenever the action is performed.
    """
    reads = [term for _, guard in guards(table) for term in guard if term.fact == name]
    return len(reads) == 1 and sum(_read_directly(step, name) for step in table.steps) == 1


def _read_directly(step: Step, name: str) -> bool:
    after = [
        (one, other.when) for one, other in pairwise(step.does) if isinstance(other, Again | Back)
    ]
    after += [(during.act, during.when) for during in step.during]
    return any(
        isinstance(act, Act) and name in act.decides and when in (name, f"not {name}")
        for act, when in after
    )


def _with_scopes(table: TableParts) -> TableParts:
    """Give each phase whose actions decide facts of its own a scope in which they are kept."""
    scoped = {
        home[0][0].name for name, home in _homes(table).items() if not _read_once(table, name)
    }

    def phase(old: Phase) -> Phase:
        within = tuple(map(phase, old.inside))
        steps = tuple(map(step, old.steps))
        clears = old.clears or (old.name if old.name in scoped else "")
        return replace(old, clears=clears, inside=within, steps=steps)

    def step(old: Step) -> Step:
        found = tuple(
            replace(d, into=phase(d.nested)) if d.nested is not None else d for d in old.during
        )
        return replace(old, during=found)

    return replace(table, phases=tuple(map(phase, table.phases))) if scoped else table


def _facts(table: TableParts) -> Iterator[Fact]:
    listed = {fact.name for fact in table.facts}
    for name, homes in _homes(table).items():
        phase, _, act = homes[0]
        doc = f"decided by: {act.label.lower()}"
        if _read_once(table, name):
            yield Fact(name, doc, act.rule, "game", "once", about=phase.label.lower())
        else:
            yield Fact(name, doc, act.rule, "game", "latched", phase.clears, phase.label.lower())
    read = {term.fact for _, guard in guards(table) for term in guard} - listed
    from_window = window_facts(table)
    for name in sorted(read):
        if name in from_window:
            yield from_window[name]
        elif name in KNOWN:
            doc, test = KNOWN[name]
            yield Fact(name, doc, table.rules.turn, "controller", about="the game", test=test)


def _durations(table: TableParts) -> Iterator[Duration]:
    listed = {duration.what for duration in table.durations if duration.moment == "mark"}
    if table.durations:
        return  # a table that lists durations lists all
    ends = [(act.ends, act.rule) for _, _, act in acts(table)]
    ends += [(phase.ends, phase.rule) for phase in table.all_phases]
    for name, rule in dict(reversed(ends)).items():
        if name and name not in listed:
            yield Duration(name, "mark", name, rule=rule, doc=f"until {name.replace('_', ' ')}")


def _events(table: TableParts) -> Iterator[Event]:
    listed = {event.name for event in table.events}
    for name, doc in _durings(table).items():
        if name not in listed:
            yield Event(name, doc)
    if table.rules.no_turn and not any(event.is_leaving for event in table.events):
        yield Event(_leaving(table), "somebody left the game")


def _durings(table: TableParts) -> dict[str, str]:
    """Return the events that lead out of windows, each with its meaning."""
    found: dict[str, str] = {}
    for step in table.steps:
        for during in step.during:
            found.setdefault(during.event, during.doc or during.event.replace("_", " "))
    return found


def _refused(table: TableParts) -> Iterator[Transition]:
    """Yield for each event that no row of the table hears that nothing happens where no `During`
    waits for it.
    """
    heard = {transition.event for transition in table.transitions}
    for name in _durings(table):
        if name not in heard:
            where = [
                step.label.lower()
                for step in table.steps
                if any(d.event == name for d in step.during)
            ]
            rule = next(d.rule for step in table.steps for d in step.during if d.event == name)
            yield jump(
                "turn", None, rule, on=name, doc=f"it is possible only in {' or '.join(where)}"
            )


def _leaving(table: TableParts) -> str:
    """Return the event by which a player leaves the game."""
    events = (*table.events, *(table.window.events if table.window is not None else ()))
    return next((event.name for event in events if event.is_leaving), LEAVING)


def _end(table: TableParts) -> Iterator[Transition]:
    """Yield what happens when a player leaves, unless the table says it: the game is over when one
    side is left.
    """
    leaving, rule = _leaving(table), table.rules.no_turn
    if not rule or any(t.event == leaving for t in table.transitions):
        return
    if table.over == "never":
        yield jump(
            "turn",
            None,
            rule,
            on=leaving,
            doc="the turn goes on, without an active player if need be",
        )
        return
    yield jump("turn", None, rule, "several_sides_left", on=leaving,
               doc="the turn goes on, without an active player if need be")  # fmt: skip
    yield jump("turn", "game_over", rule, on=leaving, doc="only one is left: the game is over")


def _final(table: TableParts, ends: tuple[Transition, ...]) -> Iterator[State]:
    if any(t.target == "game_over" for t in ends) and all(
        state.id != "game_over" for state in table.states
    ):
        yield State("game_over", "final", "", "Game over", role="end", rule=table.rules.no_turn)
