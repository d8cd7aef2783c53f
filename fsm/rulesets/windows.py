"""The windows of a table: the loops that run wherever players may act, one for each kind, as a
Model.

The loops differ in few rows. `Window.kind` says who acts in each.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from dataclasses import asdict, dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from fsm.model import Event, Fact, Model, State
from fsm.model.elements import FOR_GOOD, LEAVING, TAKING_PART
from fsm.rulesets.parts import Window, several
from fsm.rulesets.rows import DONE, Template, controller_fact, facts_read, filled, jump, row

if TYPE_CHECKING:
    from fsm.rulesets.table import Table


@dataclass(frozen=True, slots=True)
class PriorityRules:
    """The rules of the priority loop, in the order of the loop, and how it places triggers.

    Attributes
    ----------
    first
        Who has priority first.
    settle
        What happens before anybody receives priority.
    checks
        State-based actions are checked.
    places
        Triggers are placed.
    opens_if
        When a conditional window opens.
    holds
        A player has priority.
    acts
        A player acts.
    passes
        A player passes.
    all_passed
        All players have passed in succession.
    resolves
        Who has priority after something has resolved.
    closes
        The window closes.
    leaves
        A player leaves the game.
    placing
        The model's word for how triggers are placed.
    placing_doc
        How triggers are placed, for people.
    check
        What the rulebook calls a state-based action.
    """

    first: str = ""
    settle: str = ""
    checks: str = ""
    places: str = ""
    opens_if: str = ""
    holds: str = ""
    acts: str = ""
    passes: str = ""
    all_passed: str = ""
    resolves: str = ""
    closes: str = ""
    leaves: str = ""
    placing: str = "one_pass"
    placing_doc: str = "active player first, one pass"
    check: str = "state-based action"


UNCITED = PriorityRules()
"""The rules of a game whose rulebook has no numbers."""
NOBODY = "nobody"
OF_WINDOWS = ("something_happened", "window_opened", "window_acted")
"""Facts of a window that stay true until the next one opens."""
_ALL = {
    "acting": True,
    "act": "note_action",
    "same": "the same player again",
    "next": "priority_to_next",
    "passed": "everyone_passed",
    "over": "all_passed",
    "closing": "all passed in succession",
}
_LIMITED = _ALL | {
    "limited": True,
    "act": "",
    "next": "priority_onward",
    "passed": "everyone_done",
    "manner": TAKING_PART,
}
_NEXT = {"same": "the next player"}
_ALTERNATING = _ALL | _NEXT | {"onward": "priority_to_next"}
KINDS: dict[str, dict[str, Any]] = {
    "priority": _ALL,
    "alternating": _ALTERNATING,
    "alternating_for_good": _ALTERNATING
    | {"for_good": True, "all_in": "all_in", "manner": FOR_GOOD},
    "solo": _LIMITED,
    "once": _LIMITED | _NEXT | {"act": "note_pass", "onward": "priority_onward"},
    NOBODY: {
        "quiet": True,
        "one": NOBODY,
        "over": "gate",
        "closing": "nothing is left",
    },
}
"""What the texts in braces stand for in a loop of this kind, and what it needs."""


def kind_of(table: Table, window: Window) -> str:
    """Return the kind of a window of a table: the name of its loop."""
    default = table.window if isinstance(table.window, str) else "priority"
    good = "_for_good" * bool(window.passing)
    return NOBODY if window.by == NOBODY else (window.kind or default) + good


def first_of(table: Table, window: Window) -> str:
    """Return who acts first in a window, or takes part in it."""
    if window.by in ("", NOBODY):
        return "everyone" if kind_of(table, window) == "once" else "active"
    return window.by


def _words(table: Table, kind: str, windows: list[Window], read: Set[str]) -> dict[str, Any]:
    """What the texts in braces stand for in the loop of these windows, and what it needs."""
    words, acting = KINDS.get(kind, _ALL), kind != NOBODY
    active_first = all(first_of(table, window) == "active" for window in windows)
    first = "priority_to_first" * acting
    moves = kind == "solo" and table.order == "token"  # whoever gets the token acts, too
    conditional = any(window.opens == "conditional" for window in windows)
    latched = {*OF_WINDOWS} & {*read, *["something_happened"] * conditional}
    stack = table.stack or ("none" if table.window in ("alternating", "solo", "once") else "top")
    found = {
        "one": "the active player" if active_first else "whoever has the role",
        "to_first": first,
        "anew": first * (kind == "priority"),
        "clear": "clear(window)" * bool(latched),
        **{fact: f"latch({fact})" for fact in latched},
        "in_turn": acting and (moves or not ("limited" in words and active_first)),
        "conditional": conditional,
        "nests": any(during.phase for of in windows for during in several(of.during)),
        "stack": stack != "none",
        "stack_all": stack == "all",
        "on_empty": " on an empty stack" * (acting and stack != "none"),
    }
    return found | words


ENTERS = (
    State("window", "stage", "", "Which kind of window is it?", "", "begin", "{first}"),
)  # fmt: skip
ENTERING = (row("window", "{p}open", "{first}", "{of}"),)
CLOSES = (State("closed", "final", "", "the turn goes on", "", "end", "{closes}"),)
STATES = (
    State("{p}open", "stage", "", "Window opens", "", "begin", "{first}"),
    State("{p}settle", "phase", "{p}settle", "Before priority", rule="{settle}",
          doc="before anybody receives priority"),
    State("{p}sba", "action", "sba", "{Checks}", "{p}settle", "action", "{checks}",
          "all that apply, as one event", asks="check"),
    State("{p}sba_done", "choice", "", "Did anything happen?", "{p}settle", "after",
          "{checks}"),
    State("{p}place_triggers", "action", "place_triggers", "Place waiting triggers",
          "{p}settle", "action", "{places}", "{placing_doc}", asks="place",
          manner="{placing}"),
    State("{p}gate", "choice", "", "Does anybody get priority?", "", "after", "{settle}"),
    ("acting", State("{p}priority", "action", "priority", "A player has priority", "", "window",
                     "{holds}", "{one} first, then each in turn order", asks="priority",
                     manner="{manner}")),
    ("acting", State("{p}all_passed", "choice", "", "Has everyone passed?", "", "after",
                     "{all_passed}")),
    ("stack", State("{p}resolve_top", "action", "resolve_top", "Resolve the top", "", "action",
                    "{all_passed}", "nobody has priority", asks="resolve")),
)  # fmt: skip


def _leaves(need: str, source: str, doc: str, *do: str, target: str | None = None) -> Template:
    when = "holder_left" if do else ""
    return need, jump(source, target, "{leaves}", when, do, event=LEAVING, doc=doc)


ROWS = (
    # the window opens, and all that happens by itself is handled
    ("nests", row("{p}open", "{p}sba", "{first}", "window_waits",
                  ["{clear}", "resume_window", "{anew}", "{window_acted}"],
                  doc="the window goes on after what came out of it")),
    row("{p}open", "{p}sba", "{first}", do=["{clear}", "{all_in}", "{to_first}"],
        doc="{one} comes first"),
    row("{p}sba", "{p}sba_done", "{checks}"),
    row("{p}sba_done", "{p}sba", "{checks}", "sba_performed", ["{something_happened}"],
        doc="until none applies"),
    row("{p}sba_done", "{p}place_triggers", "{places}", "triggers_waiting"),
    row("{p}sba_done", "{p}gate", "{settle}"),
    row("{p}place_triggers", "{p}sba", "{places}", do=["{something_happened}"],
        doc="then check once more"),
    ("conditional", row("{p}gate", "closed", "{opens_if}",
                        "window_conditional, not something_happened", layer="skip",
                        doc="players act only if something happened, and nothing has")),
    # players act and pass, until the stack resolves or the window closes
    ("limited", row("{p}gate", "{p}{over}", "{all_passed}", "{passed}")),
    ("acting", row("{p}gate", "{p}priority", "{holds}", do=["{window_opened}"])),
    ("acting", row("{p}priority", "{p}sba", "{acts}",
                   do=["{act}", "{onward}", "{window_acted}"], event="acted", doc="{same}")),
    ("acting", row("{p}priority", "{p}{over}", "{passes}", do=["note_pass"], event="passed")),
    ("for_good", row("{p}priority", "{p}{over}", "{passes}", do=["note_out"], event="out")),
    ("in_turn", row("{p}{over}", "{p}sba", "{passes}", "not {passed}", ["{next}"],
                    doc="the next player")),
    ("stack", row("{p}{over}", "{p}resolve_top", "{all_passed}", "not stack_empty")),
    row("{p}{over}", "closed", "{closes}", doc="{closing}{on_empty}"),
    ("stack_all", row("{p}resolve_top", "{p}resolve_top", "{resolves}", "not stack_empty")),
    ("stack", row("{p}resolve_top", "{p}sba", "{resolves}", do=["{to_first}"], doc="then {one}")),
    # a player leaves: the window goes on, with the next player if need be
    _leaves("quiet", "{p}settle", "the window goes on"),
    _leaves("acting", "{p}settle", "who comes next receives priority instead", "{next}"),
    _leaves("acting", "{p}settle", "priority stays where it is"),
    _leaves("acting", "{p}priority", "who comes next receives priority", "{next}",
            target="{p}sba"),
    _leaves("acting", "{p}priority", "priority stays where it is, and nobody's pass is undone"),
    _leaves("acting", "{p}all_passed", "priority goes on to the next player all the same"),
    _leaves("stack_all", "{p}resolve_top", "what is there resolves all the same"),
)  # fmt: skip
EVENTS = (
    DONE,
    Event("acted", "the player with priority did something"),
    Event("passed", "the player with priority passed"),
    Event("out", "the player passed for the rest of the window"),
    Event(LEAVING, "somebody left the game"),
)


_latched = partial(Fact, rule="{opens_if}", owner="controller", timing="latched", scope="window")
FACTS = (
    Fact("sba_performed", "a {check} was performed", "{checks}",
         says="something happened by itself", denies="nothing happened by itself"),
    Fact("triggers_waiting", "a triggered ability waits to be put on the stack", "{places}",
         says="an ability has triggered",
         denies="no ability has triggered"),
    Fact("stack_empty", "the stack is empty", "{all_passed}",
         says="the stack is empty", denies="something is on the stack"),
    _latched("something_happened",
             "a {check} was performed or an ability triggered since the window opened"),
    _latched("window_opened", "somebody received priority in this window",
             says="something happened", denies="nothing happened"),
    _latched("window_acted", "somebody acted in the last window"),
    controller_fact("window_conditional", "this window opens only if something happened",
            "{opens_if}", "window_opens", "conditional"),
    controller_fact("everyone_passed", "all players have passed in succession",
            "{all_passed}", "everyone_passed"),
    controller_fact("everyone_done", "all who take part in this window have passed",
            "{all_passed}", "everyone_done"),
    controller_fact("holder_left", "the player with priority has left the game",
            "{leaves}", "left", "holder"),
    controller_fact("window_waits", "a phase that ran inside this window is over", "{first}",
            "window_waits"),
)  # fmt: skip
KIND = (
    controller_fact("{of}", "the players act in this window in the way {name!r}",
            "{first}", "window_enters", "{p}open"),
)  # fmt: skip


def window_model(table: Table, windows: Iterable[Window], read: Set[str]) -> Model:
    """Return the model of a table's windows. `read` are the facts that its guards read."""
    rules = table.window if isinstance(table.window, PriorityRules) else UNCITED
    loops, ways = dict[str, list[Window]](), list[dict[str, Any]]()
    for window in windows:
        loops.setdefault(kind_of(table, window), []).append(window)
    for name, ours in loops.items():
        of = f"window_is_{name}" * (name != [*loops][-1])
        checks = f"{rules.check.capitalize()}s"
        prefix = f"{name}_" * (len(loops) > 1)
        names = {"p": prefix, "name": name, "of": of, "Checks": checks}
        ways.append(asdict(rules) | names | _words(table, name, ours, read))

    def each(templates: Iterable[Template], last: int | None = None) -> Iterator[Any]:
        for words in ways[:last]:
            yield from filled(templates, words, {name for name in words if words[name]})

    several = len(ways) > 1
    rows = (*each(ENTERING * several), *each(ROWS))
    states = (*each(ENTERS * several, 1), *each(STATES), *each(CLOSES, 1))
    facts = (*each(FACTS, 1), *each(KIND))
    heard = {row.event for row in rows}
    used = facts_read(row.guard for row in rows) | (read & {*OF_WINDOWS})
    return Model(
        name=f"{table.name}-window",
        title="The windows" if several or "priority" not in loops else "The priority window",
        edition=table.edition,
        initial=states[0].id,
        states=states,
        transitions=rows,
        events=tuple(event for event in EVENTS if event.name in heard),
        facts=tuple(fact for fact in facts if fact.name in used),
    )
