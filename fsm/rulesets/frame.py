"""The frame of which every turn, phase and step of a table consists, as data: its states, its rows,
and the facts that these read.

A text in braces stands for a name, a label or a rule of what is at hand. A part with a need is
there only if effects can do it.
"""

from __future__ import annotations

from functools import partial

from fsm.model import Duration, Fact, State
from fsm.model.elements import LEAVING as LEFT_GAME
from fsm.rulesets.rows import Template, agenda_fact, controller_fact, jump, row, tested


def _extra(
    level: str, source: str, target: str, when: str, *do: str, doc: str = "", event: str = "done"
) -> Template:
    rule = f"{{extra_{level}}}"
    extra = row(source, target, rule, when, do, event=event, layer="extra", generic=True, doc=doc)
    return f"extra_{level}", extra


_skip = partial(row, layer="skip", generic=True)
_fact = partial(tested, "agenda", about="what is scheduled")


# the turn -----------------------------------------------------------------------------------------

BEFORE_GAME = (
    State("before_game_over", "stage", "", "The game begins", "turn", "procedure", "{turn}"),
)
TURN_STATES = (
    State("turn_hub", "choice", "", "Next {name}", "", "hub", "{hub}",
          "extra turns first, newest first"),
    State("turn_before", "choice", "", "Before the {name}", "turn", "before", "{skips}"),
    State("turn_begin", "stage", "", "{text} begins", "turn", "begin", "{turn}"),
)  # fmt: skip
TURN_ROWS = (
    ("extra_turn", row("turn_hub", "turn_before", "{extra_turn}", "extra_turn_due",
                       ["take_turn"], layer="extra", doc="the newest extra turn first")),
    row("turn_hub", "turn_before", "{turn}", do=["{next}"], doc="{comes}"),
    ("absent", row("turn_before", "turn_hub", "{no_turn}", "candidate_left", ["miss_turn"],
                   layer="skip", doc="a player who left takes no turn")),
    ("skip_turn", _skip("turn_before", "turn_hub", "{skip}", "skip_turn",
                        ["consume_skip(turn, turn)"], doc="an effect skips the turn")),
    row("turn_before", "turn_begin", "{turn}", do=["begin_turn", "{clear}"]),
    row("turn_begin", "{first}_phase_before", "{turn}"),
    row("turn_end", "turn_hub", "{turn}", do=["{late}", "end_turn"]),
)  # fmt: skip
TURN_FACTS = (
    _fact("skip_turn", "an effect skips this turn", "{skip}",
          "skip_due", "turn", "turn"),
    _fact("candidate_left", "the player whose turn it would be has left the game",
          "{no_turn}", "left", "next_side"),
    _fact("extra_turn_due", "an extra turn comes next", "{extra_turn}",
          "extra_due", "turn"),
    _fact("extra_phase_due", "an extra phase comes next", "{extra_phase}",
          "extra_due", "phase"),
    _fact("extra_step_due", "an extra step comes next", "{extra_step}",
          "extra_due", "step"),
    _fact("inside_extra_phase", "this phase was extra: resume where it came in",
          "{extra_phase}", "inside_extra", "phase"),
    _fact("inside_extra_step", "this step was extra: resume where it came in",
          "{extra_step}", "inside_extra", "step"),
)  # fmt: skip
KNOWN = (
    controller_fact("first_turn", "this is the first turn of the side that plays first", "{turn}",
                    "starters_turn_is", "1"),
    controller_fact("first_round", "this is the first round of the game", "{turn}",
                    "turn_is", "1"),
    controller_fact("first_own_turn", "this is the first turn of its side in turn order", "{turn}",
                    "own_turn_is", "1"),
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
LEAVING = (
    jump("turn", None, "{no_turn}", "{goes_on}", event=LEFT_GAME,
         doc="the {word} goes on, without an active player if need be"),
    jump("turn", "game_over", "{no_turn}", event=LEFT_GAME,
         doc="{left} is left: the game is over"),
)  # fmt: skip
GAME_OVER = (State("game_over", "final", "", "Game over", role="end", rule="{no_turn}"),)
HUBS = (
    ("extra_phase", State("phase_hub", "choice", "", "Extra phase", "turn", "hub", "{extra_phase}",
                          "newest first, then go on")),
    ("extra_phase", State("phase_resume", "choice", "", "After an extra phase", "turn", "resume",
                          "{extra_phase}")),
    ("extra_step", State("step_hub", "choice", "", "Extra step", "turn", "hub", "{extra_step}",
                         "newest first, then go on")),
    ("extra_step", State("step_resume", "choice", "", "After an extra step", "turn", "resume",
                         "{extra_step}")),
)  # fmt: skip

# a phase ------------------------------------------------------------------------------------------

PHASE_STATES = (
    State("{p}_phase", "phase", "{p}", "{text}", "{parent}", rule="{rule}", family="{kin}"),
    State("{p}_phase_before", "choice", "", "Before the {name} phase", "{p}_phase", "before",
          "{skips}"),
    State("{p}_phase_begin", "stage", "", "{text} phase begins", "{p}_phase", "begin",
          "{begin}"),
)  # fmt: skip
PHASE_LEFT = (
    State("{p}_phase_after", "choice", "", "After the {name} phase", "{p}_phase", "after",
          "{adds}"),
)  # fmt: skip
PHASE_SKIPPED = (
    ("skip_phase", _skip("{p}_phase_before", "{p}_phase_after", "{skip}", "skip_{kin}_phase",
                         ["consume_skip(phase, {kin})", "{noted}"],
                         doc="an effect skips the phase")),
)  # fmt: skip
PHASE_BEGINS = (
    row("{p}_phase_before", "{p}_phase_begin", "{rule}",
        do=["{clear}", "{forget}", "begin(phase, {p}, {kin})"]),
    row("{p}_phase_begin", "{first}_before", "{rule}"),
)  # fmt: skip
PHASE_ENDED = (
    _extra("phase", "{p}_phase_after", "phase_hub", "extra_phase_due",
           "push_return(phase, {p}_phase_after)", "take_extra(phase)",
           doc="an extra phase comes directly after this one"),
    _extra("phase", "{p}_phase_after", "phase_resume", "inside_extra_phase",
           doc="this phase was extra: go on where it came in"),
)  # fmt: skip
PHASE_FACTS = (
    _fact("skip_{kin}_phase", "an effect skips this {kin} phase", "{skip}",
          "skip_due", "phase", "{kin}"),
    _fact("extra_phase_is_{kin}", "the extra phase is a {kin} phase",
          "{extra_phase}", "candidate_is", "phase", "{kin}", group="extra phase"),
)  # fmt: skip
PHASE_LASTS = (Duration("end_of_{p}", "end", "{p}", doc="until the end of the {name} phase"),)
PHASE_BEGUN = (
    agenda_fact("{p}_begun", "this phase has begun this turn", "{turn}", "begun", "phase", "{p}"),
)
PHASE_RETURNS = (
    _fact("phase_returns_to_{p}_phase_after",
          "the turn goes on after the {name} phase", "{extra_phase}",
          "returns_to", "phase", "{p}_phase_after", group="phase return"),
)  # fmt: skip
PHASE_HUB = (_extra("phase", "phase_hub", "{p}_phase_before", "extra_phase_is_{kin}"),)
PHASE_RESUMED = (
    _extra("phase", "phase_resume", "{p}_phase_after", "phase_returns_to_{p}_phase_after",
           "pop_return(phase)"),
)  # fmt: skip

# a step -------------------------------------------------------------------------------------------

STEP_STATES = (
    State("{s}_step", "step", "{s}", "{text}", "{parent}", "", "{rule}", "", "{s}",
          says="{says}"),
    State("{s}_before", "choice", "", "Before {name}", "{s}_step", "before", "{skips}"),
    State("{s}_begin", "stage", "", "{text} begins", "{s}_step", "begin", "{begin}"),
)  # fmt: skip
STEP_LEFT = (State("{here}_after", "choice", "", "After {name}", "{s}_step", "after", "{left}"),)
STEP_LACKS = (
    _skip("{s}_before", "{s}_after", "{step_after_phase}", "phase_lacks_{s}", ["pass_over(step)"],
          doc="the phase holds only another step"),
)  # fmt: skip
STEP_BEGINS = (
    _extra("step", "{s}_before", "step_hub", "extra_before_{s}", "push_return(step, {s}_before)",
           "take_before({s})", doc="an extra step comes directly before this one"),
    ("skip_step", _skip("{s}_before", "{s}_after", "{skip}", "skip_{s}",
                        ["consume_skip(step, {s})"], doc="an effect skips the step")),
    row("{s}_before", "{s}_begin", "{rule}", do=["begin(step, {s}, {s})"]),
)  # fmt: skip
STEP_ENDED = (
    row("{here}_end", "{here}_after", "{end}"),
    _extra("step", "{here}_after", "step_hub", "extra_step_due",
           "push_return(step, {here}_after)", "take_extra(step)",
           doc="an extra step comes directly after this one"),
)  # fmt: skip
STEP_WAS_EXTRA = (
    _extra("step", "{s}_after", "step_resume", "inside_extra_step",
           doc="this step was extra: go on where it came in"),
)  # fmt: skip
STEP_AGAIN = (
    row("{s}_again_after", "{s}_begin", "{again}", do=["begin(step, {s}, {s})"],
        layer="extra", doc="{why}"),
)  # fmt: skip
STEP_ENDS_ALONE = tuple(
    _extra("step", "{here}", "{s}_end", fact, "end(step)", event="{event}", doc="the phase goes on")
    for fact in ("extra_step_due", "inside_extra_step")
)
"""The last step of a phase ends alone if a step was added after it, or if it was added."""
STEP_FACTS = (
    _fact("skip_{s}", "an effect skips this step ({name})", "{skip}",
          "skip_due", "step", "{s}"),
    _fact("phase_lacks_{s}", "the phase holds only another step than {name}",
          "{step_after_phase}", "only_another", "{s}"),
    _fact("extra_before_{s}", "an extra step comes directly before {name}",
          "{extra_step}", "extra_before", "{s}"),
    _fact("extra_step_is_{s}", "the extra step is: {name}", "{extra_step}",
          "candidate_is", "step", "{s}", group="extra step"),
)  # fmt: skip
STEP_BEGUN = (
    agenda_fact("{s}_begun", "this step has begun this turn", "{turn}", "begun", "step", "{s}"),
)
STEP_RETURNS = (
    _fact("step_returns_to_{place}", "the phase goes on at {words}", "{extra_step}",
          "returns_to", "step", "{place}", group="step return"),
)  # fmt: skip
CAME = (
    _fact("{phase}_from_{place}", "{words} came out of this window", "{rule}",
          "waits_in", "{place}"),
)  # fmt: skip
LEFT = (
    Fact("{place}", "the event {event!r} has ended this step", "{rule}", "controller",
         "latched", "{place}", "this turn"),
)  # fmt: skip
WAITS = (_fact("{p}_waits", "the {name} phase waits for this one", "", "phase_waits", "{p}"),)
STEP_HUB = (_extra("step", "step_hub", "{s}_before", "extra_step_is_{s}"),)
STEP_RESUMED = (
    _extra("step", "step_resume", "{place}", "step_returns_to_{place}", "pop_return(step)"),
)
