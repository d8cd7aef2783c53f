"""The short way to write transitions, facts and states: guards and actions as text. So the frame
of turns, phases and steps is written, with texts in braces for names, labels and rules.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import partial
from itertools import chain
from typing import Any, TypeAlias

from fsm.model import Action, Duration, Event, Fact, Layer, State, Term, Transition
from fsm.model.elements import LEAVING, Owner
from fsm.rulesets.parts import Absent, Then, guard

DONE = Event("done", "the state is finished", completion=True)
CLOSED = Event("closed", "the window has closed", completion=True)


def row(
    source: str,
    target: str | None,
    rule: str = "",
    when: str = "",
    do: Iterable[str] = (),
    *,
    event: str = "done",
    layer: Layer = "core",
    generic: bool = False,
    doc: str = "",
    says: str = "",
) -> Transition:
    """Return a transition. Its guard and its actions are written as text.

    Parameters
    ----------
    source
        The id of the source.
    target
        The id of the target, or None if nothing happens.
    rule
        The rule that it comes from.
    when
        The guard, for instance "a, not b". "" holds always.
    do
        The actions, for instance "clear(combat)".
    event
        The name of the event.
    layer
        The layer.
    generic
        Whether every step or phase has the same transition.
    doc
        What it means.
    says
        What a player would say if it is taken.

    Returns
    -------
    Transition
        The transition.
    """
    return Transition(
        source,
        target,
        event,
        guard(when),
        tuple(map(Action, filter(None, do))),
        rule,
        layer,
        generic,
        doc,
        says,
    )


def ruled(
    part: Absent | Then,
    source: str,
    target: str | None,
    do: Iterable[str] = (),
    *,
    event: str = "done",
    layer: Layer = "core",
) -> Transition:
    """A row with the guard, the rule and the words of a part of a table."""
    rule, when, doc, says = part.rule, part.when, part.doc, part.says
    return row(source, target, rule, when, do, event=event, layer=layer, doc=doc, says=says)


jump = partial(row, layer="jump")
"""A row that breaks the ordinary course of the turn."""


def perform(id: str, label: str, rule: str, action: str, doc: str) -> State:
    """An action of a procedure, such as ending the turn."""
    return State(
        id, "action", id, label, "turn", "procedure", rule, doc, asks="perform", action=action
    )


def check(id: str, rule: str, label: str = "State-based actions") -> State:
    """The check in a procedure, after which nobody may act."""
    doc = "nobody gets priority, no triggers are placed"
    return State(id, "action", id, label, "turn", "procedure", rule, doc, asks="check")


def tested(owner: Owner, name: str, doc: str, rule: str, *test: str, **words: Any) -> Fact:
    """A fact that a test answers. `words`: what it `says` and `denies`."""
    return Fact(name, doc, rule, owner, test=test, **words)


agenda_fact = partial(tested, "agenda")
"""A fact about this turn: what has begun, what is under way."""
controller_fact = partial(tested, "controller")
"""A fact about the game: who plays, whose turn it is, with which settings."""


# parts with texts in braces -----------------------------------------------------------------------

Part: TypeAlias = State | Transition | Fact | Duration
Template: TypeAlias = Part | tuple[str, Part]
"""A part of a Model with texts in braces, and what it needs, by name."""


def filled(
    templates: Iterable[Template], words: Mapping[str, str], there: Collection[str] = ()
) -> Iterator[Any]:
    """The parts whose needs are there, with these words in them, or none. An action without text
    goes.
    """
    words = defaultdict(str, words)
    for template in templates:
        need, part = template if isinstance(template, tuple) else ("", template)
        if not need or need.format_map(words) in there:
            fields = [_filled(getattr(part, name), words) for name in part.__struct_fields__]
            yield type(part)(*fields)


def _filled(value: Any, words: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        return value.format_map(words)
    if isinstance(value, tuple):
        return tuple(filter(None, [_filled(part, words) for part in value]))
    return value


def facts_read(guards: Iterable[Iterable[Term]]) -> set[str]:
    """The facts that guards read."""
    return {term.fact for term in chain.from_iterable(guards)}


# the frame ----------------------------------------------------------------------------------------

# Every turn, phase and step of a table has these states, rows and facts. L is its level: a "turn",
# a "phase" or a "step". A part with a need is there only if effects can do it.


def _extra(source: str, target: str, when: str, *do: str, doc: str = "") -> Template:
    made = row(source, target, "{extra}", when, do, layer="extra", generic=True, doc=doc)
    return "extra_{L}", made


_skip = partial(row, layer="skip", generic=True)
_LEVEL: Any = "{L}"  # not a kind itself

BEFORE_GAME = (
    State("before_game_over", "stage", "", "The game begins", "turn", "procedure", "{turn}"),
)
TURN_STATES = (
    State("turn_hub", "choice", "", "Next {name}", "", "hub", "{extra_turn}",
          "extra turns first, newest first"),
    State("turn_before", "choice", "", "Before the {name}", "turn", "before", "{skip}"),
    State("turn_begin", "stage", "", "{text} begins", "turn", "begin", "{turn}"),
)  # fmt: skip
TURN_ROWS = (
    ("extra_turn", row("turn_hub", "turn_before", "{extra_turn}", "extra_turn_due",
                       ["take_turn"], layer="extra", doc="the newest extra turn first")),
    ("token", row("turn_hub", "turn_before", "{turn}", do=["same_player"],
                  doc="who has the token")),
    ("alternating", row("turn_hub", "turn_before", "{turn}", do=["next_player"],
                        doc="the next player in turn order")),
    ("absent", row("turn_before", "turn_hub", "{no_turn}", "candidate_left", ["miss_turn"],
                   layer="skip", doc="a player who left takes no turn")),
    ("skip_turn", _skip("turn_before", "turn_hub", "{skip}", "skip_turn",
                        ["consume_skip(turn, turn)"], doc="an effect skips the turn")),
    row("turn_before", "turn_begin", "{turn}", do=["begin_turn", "{clear}"]),
    row("turn_begin", "{first}_phase_before", "{turn}"),
    row("turn_end", "turn_hub", "{turn}", do=["{late}", "end_turn"]),
)  # fmt: skip
TURN_FACTS = (
    agenda_fact("skip_turn", "an effect skips this turn", "{skip}",
          "skip_due", "turn", "turn"),
    agenda_fact("candidate_left", "the player whose turn it would be has left the game",
          "{no_turn}", "left", "next_side"),
)  # fmt: skip
KNOWN = (
    controller_fact("first_turn", "this is the first turn of the side that plays first", "{turn}",
                    "starters_turn_is", "1", denies="this is a later turn"),
    controller_fact("first_round", "this is the first round of the game", "{turn}",
                    "turn_is", "1", denies="this is a later round"),
    controller_fact("first_own_turn", "this is the first turn of its side in turn order", "{turn}",
                    "own_turn_is", "1", denies="this is a later turn"),
    controller_fact("starter_active", "it is the turn of the side that plays first", "{turn}",
                    "starter_active"),
    controller_fact("several_opponents", "there is more than one opponent", "{turn}",
                    "more_sides_than", "2"),
    controller_fact("several_sides_left", "at least two sides are left", "{turn}",
                    "more_sides_than", "1"),
    controller_fact("some_side_left", "at least one side is left", "{turn}",
                    "more_sides_than", "0"),
    controller_fact("team_turns", "the players of a team take their turns together", "{turn}",
                    "shared_turns"),
)  # fmt: skip
"""Facts that a guard can read although the table does not list them."""
DURATIONS = (
    Duration("end_of_{word}", "mark", "end_of_{word}", doc="until end of {word}"),
    Duration("your_next_{word}", "begin", "turn", "yours", doc="until your next {word} begins"),
    Duration("end_of_your_next_{word}", "mark", "end_of_{word}", "yours", "next",
             doc="until the end of your next {word}"),
)  # fmt: skip
PHASE_LASTS = (Duration("end_of_{n}", "end", "{n}", doc="until the end of {called}"),)
LEAVES = (
    jump("turn", None, "{leaves}", "{goes_on}", event=LEAVING,
         doc="the {word} goes on, without an active player if need be"),
    jump("turn", "game_over", "{wins}", event=LEAVING,
         doc="{left} is left: the game is over", says="{side} is left"),
)  # fmt: skip
GAME_OVER = (State("game_over", "final", "", "Game over", role="end", rule="{over}"),)

HUBS = (
    ("extra_{L}", State("{L}_hub", "choice", "", "Extra {L}", "turn", "hub", "{extra}",
                        "newest first, then go on")),
    ("extra_{L}", State("{L}_resume", "choice", "", "After an extra {L}", "turn", "resume",
                        "{extra}")),
)  # fmt: skip
BEGINNING = (
    State("{n}_{L}", _LEVEL, "{n}", "{text}", "{parent}", "", "{rule}", "", "{kin}", says="{says}"),
    State("{id}_before", "choice", "", "Before {called}", "{n}_{L}", "before", "{skip}"),
    State("{id}_begin", "stage", "", "{Called} begins", "{n}_{L}", "begin", "{begin}"),
)  # fmt: skip
LEFT = (State("{id}_after", "choice", "", "After {called}", "{n}_{L}", "after", "{adds}"),)
LACKS = (
    _skip("{id}_before", "{id}_after", "{step_after_phase}", "phase_lacks_{n}",
          ["pass_over(step)"], doc="the phase holds only another step"),
)  # fmt: skip
COMES_FIRST = (
    _extra("{id}_before", "{L}_hub", "extra_before_{n}", "push_return({L}, {id}_before)",
           "take_before({n})", doc="an extra {L} comes directly before this one"),
)  # fmt: skip
SKIPPED = (
    ("skip_{L}", _skip("{id}_before", "{id}_after", "{skip}", "skip_{kin}{of}",
                       ["consume_skip({L}, {kin})", "{noted}"],
                       doc="an effect skips the {L}")),
)  # fmt: skip
BEGINS = (
    row("{id}_before", "{id}_begin", "{rule}",
        do=["{clear}", "{forget}", "begin({L}, {n}, {kin})"]),
)  # fmt: skip
DUE = (
    _extra("{id}_after", "{L}_hub", "extra_{L}_due", "push_return({L}, {id}_after)",
           "take_extra({L})", doc="an extra {L} comes directly after this one"),
)  # fmt: skip
WAS_EXTRA = (
    _extra("{id}_after", "{L}_resume", "inside_extra_{L}",
           doc="this {L} was extra: go on where it came in"),
)  # fmt: skip
ENDS_ALONE = tuple(
    _extra("", "{id}_end", fact, "end(step)", doc="the phase goes on")
    for fact in ("extra_step_due", "inside_extra_step")
)
"""The last step of a phase ends alone if a step was added after it, or if it was added."""
HUB = (_extra("{L}_hub", "{id}_before", "extra_{L}_is_{kin}"),)
RESUMED = (_extra("{L}_resume", "{place}", "{L}_returns_to_{place}", "pop_return({L})"),)

IS_DUE = (agenda_fact("extra_{L}_due", "an extra {L} comes next", "{extra}", "extra_due", "{L}"),)
IS_EXTRA = (
    agenda_fact("inside_extra_{L}", "this {L} was extra: resume where it came in", "{extra}",
          "inside_extra", "{L}"),
)  # fmt: skip
PHASE_FACTS = (
    agenda_fact("skip_{kin}_phase", "an effect skips this {kin} phase", "{skip}",
          "skip_due", "phase", "{kin}"),
    agenda_fact("extra_phase_is_{kin}", "the extra phase is a {kin} phase",
          "{extra_phase}", "candidate_is", "phase", "{kin}", group="extra phase"),
)  # fmt: skip
STEP_FACTS = (
    agenda_fact("skip_{n}", "an effect skips this step ({name})", "{skip}",
          "skip_due", "step", "{n}"),
    agenda_fact("phase_lacks_{n}", "the phase holds only another step than {name}",
          "{step_after_phase}", "only_another", "{n}"),
    agenda_fact("extra_before_{n}", "an extra step comes directly before {name}",
          "{extra}", "extra_before", "{n}"),
    agenda_fact("extra_step_is_{n}", "the extra step is: {name}", "{extra}",
          "candidate_is", "step", "{n}", group="extra step"),
)  # fmt: skip
PHASE_RETURNS = (
    agenda_fact("phase_returns_to_{place}", "the turn goes on after {called}", "{extra}",
          "returns_to", "phase", "{place}", group="phase return"),
)  # fmt: skip
STEP_RETURNS = (
    agenda_fact("step_returns_to_{place}", "the phase goes on at {words}", "{extra}",
          "returns_to", "step", "{place}", group="step return"),
)  # fmt: skip
BEGUN = (agenda_fact("{n}_begun", "this {L} has begun this turn", "{turn}", "begun", "{L}", "{n}"),)
CAME = (
    agenda_fact("{n}_from_{place}", "{name} came out of this window", "{rule}",
          "waits_in", "{place}"),
)  # fmt: skip
ENDED = (
    Fact("{fact}", "an event has ended this step", "{rule}", "controller", "latched", "{fact}"),
)  # fmt: skip
WAITS = (agenda_fact("{n}_waits", "{called} waits for this one", "", "phase_waits", "{n}"),)
