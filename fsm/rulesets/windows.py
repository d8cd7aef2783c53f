"""The window: the loop that runs wherever players may act, and a Model with one loop for each kind.

The loops differ in few rows. `Window.kind` says who acts in each.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from fsm.model import Event, Fact, Model, State
from fsm.model.elements import FOR_GOOD, LEAVING, TAKING_PART
from fsm.rulesets.parts import Stack
from fsm.rulesets.rows import DONE, Template, filled, jump, row


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
ACTED = {
    "priority": ("note_action", ""),
    "alternating": ("note_action", "priority_to_next"),
    "solo": ("", ""),
    "once": ("note_pass", "priority_onward"),
    NOBODY: ("", ""),
}
"""What happens when a player acts in a window of this kind."""


@dataclass(frozen=True, slots=True)
class Loop:
    """One loop of a window's model.

    Attributes
    ----------
    kind
        The kind of its windows, or NOBODY.
    name
        Its name, if there are several loops.
    prefix
        What stands before the ids of its states.
    stack
        How the stack resolves.
    active_first
        Whether the active player always receives priority first.
    more
        What else its windows need: "several" (there are several loops), "last" (this is the last of
        them), "conditional" (some open only if something happened), "for_good"
        (players may pass for good), "nests" (a phase may run inside), "leaving" (players can leave
        the game), "in_turn" (several players act, one after the other), and the facts of the
        window that somebody reads.
    """

    kind: str = "priority"
    name: str = ""
    prefix: str = ""
    stack: Stack = "top"
    active_first: bool = True
    more: frozenset[str] = frozenset(
        ("conditional", "leaving", "something_happened", "window_opened")
    )

    @property
    def needs(self) -> frozenset[str]:
        """All that its windows need."""
        needs = set(self.more)
        if self.kind != NOBODY:
            limited = self.kind in ("solo", "once")
            needs |= {"acting", "limited" if limited else "succession"}
            if not limited or not self.active_first:
                needs.add("in_turn")  # else only the active side takes part, and it stays active
        if self.stack != "none":
            needs |= {"stack", f"stack_{self.stack}"}
        return frozenset(needs)

    def words(self, rules: PriorityRules) -> dict[str, str]:
        """What the texts in braces stand for in this loop."""
        needs, acting = self.needs, self.kind != NOBODY
        act, onward = ACTED[self.kind]
        closes = "all passed in succession" if acting else "nothing is left"
        first, comes, then = "priority_to_first", "", "then who is first"
        if self.active_first:
            first, comes = "priority_to_active", "the active player comes first"
            then = "then the active player"
        latches = {fact: f"latch({fact})" if fact in needs else "" for fact in OF_WINDOWS}
        return {
            **asdict(rules),
            **latches,
            "p": self.prefix,
            "name": self.name,
            "of": "" if "last" in needs else f"window_is_{self.name}",
            "Checks": f"{rules.check.capitalize()}s",
            "clear": "clear(window)" if any(latches.values()) else "",
            "all_in": "all_in" if "for_good" in needs else "",
            "manner": FOR_GOOD if "for_good" in needs else TAKING_PART * ("limited" in needs),
            "to_first": first if acting else "",
            "anew": first if self.kind == "priority" else "",
            "comes": comes if acting else "",
            "who": "the active player first" if self.active_first else "one first",
            "then": then if acting else "",
            "act": act,
            "onward": onward,
            "same": "the next player" if onward else "the same player again",
            "next": "priority_onward" if "limited" in needs else "priority_to_next",
            "passed": "everyone_done" if "limited" in needs else "everyone_passed",
            "over": f"{self.prefix}all_passed" if acting else f"{self.prefix}gate",
            "closing": f"{closes} on an empty stack" if acting and "stack" in needs else closes,
        }


ENTERS: tuple[Template, ...] = (
    ("several", State("window", "stage", "", "Which kind of window is it?", "", "begin",
                      "{first}")),
)  # fmt: skip
ENTERING: tuple[Template, ...] = (("several", row("window", "{p}open", "{first}", "{of}")),)
CLOSES: tuple[Template, ...] = (
    ("", State("closed", "final", "", "the window closes", "", "end", "{closes}")),
)
STATES: tuple[Template, ...] = (
    ("", State("{p}open", "stage", "", "Window opens", "", "begin", "{first}")),
    ("", State("{p}settle", "phase", "{p}settle", "Settle", rule="{settle}",
               doc="before anybody receives priority")),
    ("", State("{p}sba", "action", "sba", "{Checks}", "{p}settle", "action", "{checks}",
               "all that apply, as one event", asks="check")),
    ("", State("{p}sba_done", "choice", "", "Did anything happen?", "{p}settle", "after",
               "{checks}")),
    ("", State("{p}place_triggers", "action", "place_triggers", "Place waiting triggers",
               "{p}settle", "action", "{places}", "{placing_doc}", asks="place",
               manner="{placing}")),
    ("", State("{p}gate", "choice", "", "Does the window open?", "", "after", "{settle}")),
    ("acting", State("{p}priority", "action", "priority", "A player has priority", "", "window",
                     "{holds}", "{who}, then each in turn order", asks="priority",
                     manner="{manner}")),
    ("acting", State("{p}all_passed", "choice", "", "Has everyone passed?", "", "after",
                     "{all_passed}")),
    ("stack", State("{p}resolve_top", "action", "resolve_top", "Resolve the top", "", "action",
                    "{all_passed}", "nobody has priority", asks="resolve")),
)  # fmt: skip


def _leaves(need: str, source: str, doc: str, *do: str, target: str | None = None) -> Template:
    when = "holder_left" if do else ""
    return f"leaving, {need}", jump(source, target, "{leaves}", when, do, event=LEAVING, doc=doc)


ROWS: tuple[Template, ...] = (
    # the window opens, and all that happens by itself is handled
    ("nests", row("{p}open", "{p}sba", "{first}", "window_waits",
                  ["{clear}", "resume_window", "{anew}", "{window_acted}"],
                  doc="the window goes on after what came out of it")),
    ("", row("{p}open", "{p}sba", "{first}", do=["{clear}", "{all_in}", "{to_first}"],
             doc="{comes}")),
    ("", row("{p}sba", "{p}sba_done", "{checks}")),
    ("", row("{p}sba_done", "{p}sba", "{checks}", "sba_performed", ["{something_happened}"],
             doc="until none applies")),
    ("", row("{p}sba_done", "{p}place_triggers", "{places}", "triggers_waiting")),
    ("", row("{p}sba_done", "{p}gate", "{settle}")),
    ("", row("{p}place_triggers", "{p}sba", "{places}", do=["{something_happened}"],
             doc="then check once more")),
    ("conditional", row("{p}gate", "closed", "{opens_if}",
                        "window_conditional, not something_happened", layer="skip",
                        doc="nothing happened: nobody receives priority")),
    # players act and pass, until the stack resolves or the window closes
    ("limited", row("{p}gate", "{over}", "{all_passed}", "{passed}")),
    ("acting", row("{p}gate", "{p}priority", "{holds}", do=["{window_opened}"])),
    ("acting", row("{p}priority", "{p}sba", "{acts}",
                   do=["{act}", "{onward}", "{window_acted}"], event="acted", doc="{same}")),
    ("acting", row("{p}priority", "{over}", "{passes}", do=["note_pass"], event="passed")),
    ("for_good", row("{p}priority", "{over}", "{passes}", do=["note_out"], event="out")),
    ("in_turn", row("{over}", "{p}sba", "{passes}", "not {passed}", ["{next}"],
                    doc="the next player")),
    ("stack", row("{over}", "{p}resolve_top", "{all_passed}", "not stack_empty")),
    ("", row("{over}", "closed", "{closes}", doc="{closing}")),
    ("stack_all", row("{p}resolve_top", "{p}resolve_top", "{resolves}", "not stack_empty")),
    ("stack", row("{p}resolve_top", "{p}sba", "{resolves}", do=["{to_first}"], doc="{then}")),
    # a player leaves: the window goes on, with the next player if need be
    _leaves("not acting", "{p}settle", "the window goes on"),
    _leaves("acting", "{p}settle", "who comes next receives priority instead", "{next}"),
    _leaves("acting", "{p}settle", "priority stays where it is"),
    _leaves("acting", "{p}priority", "who comes next receives priority", "{next}",
            target="{p}sba"),
    _leaves("acting", "{p}priority", "priority stays where it is, and nobody's pass is undone"),
    _leaves("acting", "{p}all_passed", "priority goes on to the next player all the same"),
    _leaves("stack_all", "{p}resolve_top", "what is there resolves all the same"),
)  # fmt: skip
EVENTS: tuple[tuple[str, Event], ...] = (
    ("", DONE),
    ("acting", Event("acted", "the player with priority did something")),
    ("acting", Event("passed", "the player with priority passed")),
    ("for_good", Event("out", "the player passed for the rest of the window")),
    ("leaving", Event(LEAVING, "somebody left the game")),
)


def _latched(name: str, doc: str, says: str = "", denies: str = "") -> Template:
    return name, Fact(
        name, doc, "{opens_if}", "controller", "latched", "window", says=says, denies=denies
    )


def _tested(need: str, name: str, doc: str, rule: str, *test: str) -> Template:
    return need, Fact(name, doc, rule, "controller", test=test)


FACTS: tuple[Template, ...] = (
    ("", Fact("sba_performed", "a {check} was performed", "{checks}", about="{check}s",
              says="something happened by itself", denies="nothing happened by itself")),
    ("", Fact("triggers_waiting", "a triggered ability waits to be put on the stack", "{places}",
              about="triggers", says="an ability has triggered",
              denies="no ability has triggered")),
    ("stack", Fact("stack_empty", "the stack is empty", "{all_passed}", about="stack",
                   says="the stack is empty", denies="something is on the stack")),
    _latched("something_happened",
             "a {check} was performed or an ability triggered since the window opened"),
    _latched("window_opened", "somebody received priority in this window",
             "something happened", "nothing happened"),
    _latched("window_acted", "somebody acted in the last window"),
    _tested("conditional", "window_conditional", "this window opens only if something happened",
            "{opens_if}", "window_opens", "conditional"),
    _tested("succession", "everyone_passed", "all players have passed in succession",
            "{all_passed}", "everyone_passed"),
    _tested("limited", "everyone_done", "all who take part in this window have passed",
            "{all_passed}", "everyone_done"),
    _tested("acting, leaving", "holder_left", "the player with priority has left the game",
            "{leaves}", "holder_left"),
)  # fmt: skip
NESTS = (
    _tested("nests", "window_waits", "a phase that ran inside this window is over", "{first}",
            "window_waits"),
)  # fmt: skip
KIND = (
    _tested("several, not last", "{of}", "the players act in this window in the way {name!r}",
            "{first}", "window_enters", "{p}open"),
)  # fmt: skip


def priority_window(ruleset: str, *, edition: str = "", rules: PriorityRules = UNCITED) -> Model:
    """Return the model of a window in which priority goes round, as in Magic.

    Parameters
    ----------
    ruleset
        The name of the ruleset.
    edition
        The edition of the rulebook.
    rules
        The rules that the model cites. The default cites none.

    Returns
    -------
    Model
        The model of the window.
    """
    return window_model(ruleset, edition, (Loop(),), rules)


def window_model(
    ruleset: str, edition: str, loops: tuple[Loop, ...], rules: PriorityRules = UNCITED
) -> Model:
    """Return the model of windows with these loops."""
    words, every = loops[0].words(rules), frozenset[str]().union(*(loop.needs for loop in loops))

    def each(templates: tuple[Template, ...]) -> Iterator[Any]:
        for loop in loops:
            yield from filled(templates, loop.words(rules), loop.needs)

    states = (*filled(ENTERS, words, every), *each(STATES), *filled(CLOSES, words))
    priority = [loop.kind for loop in loops] == ["priority"]
    return Model(
        name=f"{ruleset}-window",
        title="The priority window" if priority else "The windows",
        edition=edition,
        initial=states[0].id,
        states=states,
        transitions=(*each(ENTERING), *each(ROWS)),
        events=tuple(filled(EVENTS, words, every)),
        facts=(*filled(FACTS, words, every), *each(KIND), *filled(NESTS, words, every)),
    )
