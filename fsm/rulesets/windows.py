"""The window: the loop that runs wherever players may act, and a Model with one loop for each kind.

The loops differ in few rows. `Window.kind` says who acts in each.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from fsm.errors import RulesetError
from fsm.model import Event, Fact, Model, Opens, State, Transition
from fsm.model.elements import FOR_GOOD, LEAVING
from fsm.model.likeness import ModelLike, as_model
from fsm.rulesets.parts import Stack
from fsm.rulesets.rows import CLOSED, DONE, row


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
ACTED = {
    "priority": ("note_action",),
    "alternating": ("note_action", "priority_to_next"),
    "solo": (),
    "once": ("note_pass", "priority_onward"),
    NOBODY: (),
}
"""What happens when a player acts in a window of this kind."""
SAME = {"priority": "the same player again", "solo": "the same player again"}


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
    first
        The primitive by which the first player receives priority.
    conditional
        Whether some of its windows open only if something happened.
    for_good
        Whether players may pass for good.
    nests
        Whether a phase may run inside one of its windows.
    latches
        The facts of the window that somebody reads.
    leaving
        Whether players can leave the game.
    """

    kind: str = "priority"
    name: str = ""
    prefix: str = ""
    stack: Stack = "top"
    first: str = "priority_to_active"
    conditional: bool = True
    for_good: bool = False
    nests: bool = False
    latches: tuple[str, ...] = ("something_happened", "window_opened")
    leaving: bool = True

    @property
    def limited(self) -> bool:
        """Whether only those of a role take part."""
        return self.kind in ("solo", "once")

    @property
    def acting(self) -> bool:
        """Whether anybody acts in it."""
        return self.kind != NOBODY

    @property
    def passed(self) -> str:
        """The fact that all have passed."""
        return "everyone_done" if self.limited else "everyone_passed"

    @property
    def next(self) -> str:
        """The primitive by which the next player receives priority."""
        return "priority_onward" if self.limited else "priority_to_next"

    @property
    def clear(self) -> tuple[str, ...]:
        """What is forgotten as a window opens."""
        return ("clear(window)",) if self.latches else ()

    def latch(self, fact: str) -> tuple[str, ...]:
        """The action that latches a fact, if somebody reads it."""
        return (f"latch({fact})",) if fact in self.latches else ()


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
    states = [state for loop in loops for state in _states(rules, loop)]
    rows = [t for loop in loops for t in _rows(rules, loop)]
    if len(loops) > 1:
        label = "Which kind of window is it?"
        states.insert(0, State("window", "stage", label=label, role="begin", rule=rules.first))
        rows = [*_entering(rules, loops), *rows]
    states.append(
        State("closed", "final", label="the window closes", role="end", rule=rules.closes)
    )
    priority = len(loops) == 1 and loops[0].kind == "priority"
    return Model(
        name=f"{ruleset}-window",
        title="The priority window" if priority else "The windows",
        edition=edition,
        initial=states[0].id,
        states=tuple(states),
        transitions=tuple(rows),
        events=tuple(_events(loops)),
        facts=tuple(_facts(rules, loops)),
    )


def _entering(r: PriorityRules, loops: tuple[Loop, ...]) -> Iterator[Transition]:
    """Into the loop of each kind of window."""
    for loop in loops:
        of = f"window_is_{loop.name}" if loop is not loops[-1] else ""
        yield row("window", f"{loop.prefix}open", of, rule=r.first)


def _events(loops: Iterable[Loop]) -> Iterator[Event]:
    yield DONE
    if any(loop.acting for loop in loops):
        yield Event("acted", "the player with priority did something")
        yield Event("passed", "the player with priority passed")
    if any(loop.for_good for loop in loops):
        yield Event("out", "the player passed for the rest of the window")
    if any(loop.leaving for loop in loops):
        yield Event(LEAVING, "somebody left the game")


def _facts(r: PriorityRules, loops: tuple[Loop, ...]) -> Iterator[Fact]:
    yield Fact("sba_performed", f"a {r.check} was performed", r.checks, about=f"{r.check}s",
               says="something happened by itself", denies="nothing happened by itself")  # fmt: skip
    yield Fact("triggers_waiting", "a triggered ability waits to be put on the stack", r.places, about="triggers",
               says="an ability has triggered", denies="no ability has triggered")  # fmt: skip
    if any(loop.stack != "none" for loop in loops):
        yield Fact("stack_empty", "the stack is empty", r.all_passed, about="stack",
                   says="the stack is empty", denies="something is on the stack")  # fmt: skip
    happened = f"a {r.check} was performed or an ability triggered since the window opened"
    docs = {
        "something_happened": happened,
        "window_opened": "somebody received priority in this window",
        "window_acted": "somebody acted in the last window",
    }
    for name, doc in docs.items():
        if any(name in loop.latches for loop in loops):
            said = {"window_opened": ("something happened", "nothing happened")}
            says, denies = said.get(name, ("", ""))
            yield Fact(
                name, doc, r.opens_if, "controller", "latched", "window", says=says, denies=denies
            )
    if any(loop.conditional for loop in loops):
        doc = "this window opens only if something happened"
        yield _test("window_conditional", doc, r.opens_if, "window_opens", "conditional")
    acting = [loop for loop in loops if loop.acting]
    if any(not loop.limited for loop in acting):
        doc = "all players have passed in succession"
        yield _test("everyone_passed", doc, r.all_passed, "everyone_passed")
    if any(loop.limited for loop in acting):
        doc = "all who take part in this window have passed"
        yield _test("everyone_done", doc, r.all_passed, "everyone_done")
    if any(loop.leaving for loop in acting):
        doc = "the player with priority has left the game"
        yield _test("holder_left", doc, r.leaves, "holder_left")
    for loop in loops[:-1]:
        doc = f"the players act in this window in the way {loop.name!r}"
        enters = "window_enters", f"{loop.prefix}open"
        yield _test(f"window_is_{loop.name}", doc, r.first, *enters)
    if any(loop.nests for loop in loops):
        doc = "a phase that ran inside this window is over"
        yield _test("window_waits", doc, r.first, "window_waits")


def _test(name: str, doc: str, rule: str, *test: str) -> Fact:
    return Fact(name, doc, rule, "controller", test=test)


def _states(r: PriorityRules, loop: Loop) -> Iterator[State]:
    p, checks = loop.prefix, f"{r.check.capitalize()}s"
    yield State(f"{p}open", "stage", label="Window opens", role="begin", rule=r.first)
    doc = "before anybody receives priority"
    yield State(f"{p}settle", "phase", f"{p}settle", "Settle", rule=r.settle, doc=doc)
    doc = "all that apply, as one event"
    yield State(
        f"{p}sba", "action", "sba", checks, f"{p}settle", "action", r.checks, doc, asks="check"
    )
    label = "Did anything happen?"
    yield State(f"{p}sba_done", "choice", "", label, f"{p}settle", "after", r.checks)
    label = "Place waiting triggers"
    yield State(f"{p}place_triggers", "action", "place_triggers", label, f"{p}settle", "action",
                r.places, r.placing_doc, asks="place", manner=r.placing)  # fmt: skip
    yield State(f"{p}gate", "choice", label="Does the window open?", role="after", rule=r.settle)
    if loop.acting:
        first = "the active player first" if loop.first == "priority_to_active" else "one first"
        yield State(f"{p}priority", "action", "priority", "A player has priority", role="window", rule=r.holds,
                    doc=f"{first}, then each in turn order", asks="priority",
                    manner=FOR_GOOD if loop.for_good else "")  # fmt: skip
        label = "Has everyone passed?"
        yield State(f"{p}all_passed", "choice", label=label, role="after", rule=r.all_passed)
    if loop.stack != "none":
        yield State(f"{p}resolve_top", "action", "resolve_top", "Resolve the top", role="action", rule=r.all_passed,
                    doc="nobody has priority", asks="resolve")  # fmt: skip


def _rows(r: PriorityRules, loop: Loop) -> Iterator[Transition]:
    yield from _settling(r, loop)
    yield from _going_round(r, loop)
    yield from _leaving_rows(r, loop)


def _settling(r: PriorityRules, loop: Loop) -> Iterator[Transition]:
    """The window opens, and all that happens by itself is handled."""
    p, happened = loop.prefix, loop.latch("something_happened")
    first = [loop.first] if loop.acting else []
    if loop.nests:
        anew = first if loop.kind == "priority" else []
        again = [*loop.clear, "resume_window", *anew, *loop.latch("window_acted")]
        doc = "the window goes on after what came out of it"
        yield row(f"{p}open", f"{p}sba", "window_waits", again, rule=r.first, doc=doc)
    fresh = [*loop.clear, *(["all_in"] if loop.for_good else []), *first]
    doc = "the active player comes first" if loop.first == "priority_to_active" else ""
    yield row(f"{p}open", f"{p}sba", do=fresh, rule=r.first, doc=doc if loop.acting else "")
    yield row(f"{p}sba", f"{p}sba_done", rule=r.checks)
    doc = "until none applies"
    yield row(f"{p}sba_done", f"{p}sba", "sba_performed", happened, rule=r.checks, doc=doc)
    yield row(f"{p}sba_done", f"{p}place_triggers", "triggers_waiting", rule=r.places)
    yield row(f"{p}sba_done", f"{p}gate", rule=r.settle)
    doc = "then check once more"
    yield row(f"{p}place_triggers", f"{p}sba", do=happened, rule=r.places, doc=doc)
    if loop.conditional:
        yield row(f"{p}gate", "closed", "window_conditional, not something_happened", rule=r.opens_if, layer="skip",
                  doc="nothing happened: nobody receives priority")  # fmt: skip


def _going_round(r: PriorityRules, loop: Loop) -> Iterator[Transition]:
    """Players act and pass, until the stack resolves or the window closes."""
    p, acted = loop.prefix, [*ACTED[loop.kind], *loop.latch("window_acted")]
    over = f"{p}all_passed" if loop.acting else f"{p}gate"
    if loop.acting:
        if loop.limited:
            yield row(f"{p}gate", over, loop.passed, rule=r.all_passed)
        yield row(f"{p}gate", f"{p}priority", do=loop.latch("window_opened"), rule=r.holds)
        doc = SAME.get(loop.kind, "the next player")
        yield row(f"{p}priority", f"{p}sba", event="acted", do=acted, rule=r.acts, doc=doc)
        yield row(f"{p}priority", over, event="passed", do=["note_pass"], rule=r.passes)
        if loop.for_good:
            yield row(f"{p}priority", over, event="out", do=["note_out"], rule=r.passes)
        doc = "the next player"
        yield row(over, f"{p}sba", f"not {loop.passed}", [loop.next], rule=r.passes, doc=doc)
    doc = "all passed in succession"
    if loop.stack != "none":
        yield row(over, f"{p}resolve_top", "not stack_empty", rule=r.all_passed)
        doc = "all passed in succession on an empty stack"
    yield row(over, "closed", rule=r.closes, doc=doc if loop.acting else "nothing is left")
    if loop.stack == "all":
        yield row(f"{p}resolve_top", f"{p}resolve_top", "not stack_empty", rule=r.resolves)
    if loop.stack != "none":
        doc = (
            "then the active player" if loop.first == "priority_to_active" else "then who is first"
        )
        first = [loop.first] if loop.acting else []
        yield row(f"{p}resolve_top", f"{p}sba", do=first, rule=r.resolves, doc=doc if first else "")


def _leaving_rows(r: PriorityRules, loop: Loop) -> Iterator[Transition]:
    """A player leaves: the window goes on, with the next player if need be."""
    if not loop.leaving:
        return
    p = loop.prefix
    stays = "priority stays where it is"
    if not loop.acting:
        yield _left(r, f"{p}settle", "the window goes on")
    else:
        text = "who comes next receives priority instead"
        yield _left(r, f"{p}settle", text, loop.next)
        yield _left(r, f"{p}settle", stays)
        yield row(f"{p}priority", f"{p}sba", "holder_left", [loop.next], event=LEAVING, rule=r.leaves, layer="jump",
                  doc="who comes next receives priority")  # fmt: skip
        yield _left(r, f"{p}priority", f"{stays}, and nobody's pass is undone")
        text = "priority goes on to the next player all the same"
        yield _left(r, f"{p}all_passed", text)
    if loop.stack == "all":
        yield _left(r, f"{p}resolve_top", "what is there resolves all the same")


def _left(r: PriorityRules, source: str, doc: str, next: str = "") -> Transition:
    when, do = ("holder_left", [next]) if next else ("", [])
    return row(source, None, when, do, event=LEAVING, rule=r.leaves, layer="jump", doc=doc)


def window_alone(model: ModelLike, opens: Opens = "natural") -> Model:
    """Return a Model whose whole game is one window of another Model. The game is over when the
    window closes.

    The game has one step, `window`, and the first player is the active one. Whoever leaves is
    treated as in the window, but no procedure of the turn follows.

    Parameters
    ----------
    model
        The Model that has the window.
    opens
        When the window opens: a word that its rulebook's windows have.

    Returns
    -------
    Model
        The Model of the window alone.

    Raises
    ------
    RulesetError
        If the Model has no window, or no window that opens like this.
    """
    model = as_model(model)
    windows = {state.opens: state for state in reversed(model.of_kind("window"))}
    if model.window is None or not windows:
        raise RulesetError(f"{model.name} has no window")
    if opens not in windows:
        known = " and ".join(map(repr, windows))
        raise RulesetError(f"no window of {model.name} opens {opens!r}; there is {known}")
    rule, leaving = model.window.state(model.window.initial).rule, tuple(_leaving_turn(model))
    read = {term.fact for transition in leaving for term in transition.guard}
    ends = {transition.target for transition in leaving}
    of = windows[opens]
    return Model(
        name=f"{model.name}-window-alone",
        title=f"{model.title}: a window alone",
        edition=model.edition,
        initial="turn_before",
        states=(
            State("turn", "turn", "turn", "Turn", rule=rule),
            State("turn_before", "choice", "", "Before the window", "turn", "before", rule),
            State("turn_begin", "stage", "", "The first player is active", "turn", "begin", rule),
            State("step", "step", "window", "The window", "turn", rule=rule, family="window"),
            State("step_begin", "stage", "", "The window comes", "step", "begin", rule),
            State("window", "window", "", of.label, "step", "window", rule, opens=opens,
                  enters=of.enters, by=of.by),
            State("window_closed", "final", "", "The window has closed", role="end", rule=rule),
            *(state for state in model.of_kind("final") if state.id in ends),
        ),
        transitions=(
            row("turn_before", "turn_begin", do=["next_player", "begin_turn"], rule=rule),
            row("turn_begin", "step_begin", do=["begin(step, window, window)"], rule=rule),
            row("step_begin", "window", rule=rule),
            row("window", "window_closed", event="closed", rule=rule),
            *leaving,
        ),
        events=(DONE, CLOSED, *(event for event in model.events if event.name == model.leaving)),
        facts=tuple(fact for fact in model.facts if fact.name in read),
        window=model.window,
        roles=model.roles,
    )  # fmt: skip


def _leaving_turn(model: Model) -> Iterator[Transition]:
    """Yield what happens in any turn when a player leaves, but for the procedures that follow."""
    for transition in model.transitions:
        ends = transition.target is None or model.state(transition.target).kind == "final"
        if (
            transition.event == model.leaving
            and model.state(transition.source).kind == "turn"
            and ends
        ):
            yield transition
