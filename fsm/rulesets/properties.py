"""Properties that hold for every run of a ruleset, in a small closed language. They are data, each
with its rule.

    Property("untap_is_quiet", "nobody receives priority in untap", "502.4",
    never(priority("untap")))

An event is one firing of the turn or its window, or an order; `+` joins events. Forms are `never`,
`after ... no ... until`, `followed ... by ... before`, `only ... after ... since`, `before`, and
`responds` (under fairness). A ruleset of your own may add properties: `PROPERTIES["my-game"] =
(...)` in the module that makes its Model.

Below are those of the built-in rulesets. Magic's have the same sentences in each of its editions,
each with that edition's rule.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TypeAlias

from fsm.rulesets.editions import MANA, cites


@dataclass(frozen=True, slots=True)
class PropertyEvent:
    """One kind of event.

    `level` is turn, phase or step. `names` limits it to these.
    `inside` is the phase, step or stage in which it happens. `extra` says whether it, or its phase,
    is an extra one.
    """

    kind: str
    level: str = ""
    names: tuple[str, ...] = ()
    inside: tuple[str, ...] = ()
    extra: bool | None = None


Events: TypeAlias = tuple[PropertyEvent, ...]
"""Any of several events."""
NOTHING: Events = ()


@dataclass(frozen=True, slots=True)
class Form:
    """After `arm`, or from the start with `start`, nothing of `no` happens until `until`. If
    nothing is forbidden, `until` must come in the end, unless new things keep happening.
    """

    arm: Events
    no: Events
    until: Events
    start: bool = False


@dataclass(frozen=True, slots=True)
class Property:
    """A property: its name, a sentence in the rulebook's words, the rule, and its form."""

    name: str
    says: str
    rule: str
    form: Form


# events -------------------------------------------------------------------------------------------


def _event(
    kind: str,
    *names: str,
    inside: tuple[str, ...] = (),
    extra: bool | None = None,
) -> Events:
    """Return the event of a kind that is about these names.

    Of `begins`, `ends`, `skipped` and `ordered` the first name is the level, or the kind of order.
    Of what happens in windows, names are the steps or stages in which it happens.
    """
    level = ""
    if kind in ("begins", "ends", "skipped", "ordered"):
        level, names = names[0], names[1:]
    elif kind not in ("reaches", "performs"):
        names, inside = (), names
    return (PropertyEvent(kind, level, names, inside, extra),)


begins = partial(_event, "begins")
"""A turn, phase or step begins. `inside` limits it to those after that phase, step or stage."""
ends = partial(_event, "ends")
"""A turn, phase or step ends."""
skipped = partial(_event, "skipped")
"""An effect skips a turn, phase or step."""
reaches = partial(_event, "reaches")
"""The turn reaches one of these states."""
performs = partial(_event, "performs")
"""The game is asked to perform one of these turn-based actions."""
priority = partial(_event, "priority")
"""A player receives priority (or Opportunity), in one of these steps or stages."""
acts = partial(_event, "acts")
"""The player with priority acts."""
resolves = partial(_event, "resolves")
"""The top of the stack resolves."""
checks = partial(_event, "checks")
"""State-based actions are checked in a window."""
ordered = partial(_event, "ordered")
"""An effect orders this: "extra phase", "extra step", "step before", "step after phase", "skipped
step"...
"""


# forms --------------------------------------------------------------------------------------------


def never(event: Events) -> Form:
    """The event never happens."""
    return Form(NOTHING, event, NOTHING, start=True)


def after(event: Events, no: Events, until: Events) -> Form:
    """After `event`, `no` does not happen until `until`."""
    return Form(event, no, until)


def followed(event: Events, by: Events, before: Events) -> Form:
    """After `event`, `by` happens before `before` does."""
    return Form(event, before, by)


def only(event: Events, after: Events, since: Events = NOTHING) -> Form:
    """`event` happens only after `after` has happened since `since`, or since the start."""
    return Form(since, event, after, start=True)


def before(event: Events, other: Events, *steps: str) -> Form:
    """In these steps, `event` happens before `other` does."""
    return only(other, event, begins("step", *steps))


def responds(event: Events, by: Events) -> Form:
    """After `event`, `by` happens in the end if nothing new happens."""
    return Form(event, NOTHING, by)


# what is stated of several games -----------------------------------------------------------------

TURN_ENDED = reaches("end_turn_triggers", "end_turn_stack")
SKIPPED = after(
    skipped("turn") + skipped("phase", "combat", "draw") + skipped("step", "draw"),
    begins("turn") + begins("phase", "combat", "draw") + begins("step", "draw"),
    reaches("turn_before", "combat_phase_before", "draw_phase_before", "draw_before") + TURN_ENDED,
)
CHECKED = after(acts() + resolves(), priority(), checks())

# Magic --------------------------------------------------------------------------------------------

COMBAT_ENDED = reaches("end_combat_triggers")
BROKEN_OFF = TURN_ENDED + COMBAT_ENDED
LAST = ("ending", "end")
"""The names of the phase with the cleanup step."""
ACTING = ("draw", "declare_attackers", "declare_blockers", "cleanup")
"""The steps in which an action comes before priority."""
END = ("end", "end_of_turn")
"""The name of the end step."""

# Each with its rule in CR 2026-01, in the table of 2010 and in the classic rulebook, or "".
STATED: tuple[tuple[str, str, tuple[str, str, str], Form], ...] = (
    # what belongs to a step, and in which order
    ("untap_is_quiet", "nobody receives priority in untap",
     ("502.4", "502.3", "302.3"), never(priority("untap"))),
    ("actions_in_order",
     "phasing comes before untapping, schemes before lore counters, assigning damage before dealing "
     "it, and discarding before damage and effects wear off",
     ("502.1, 502.3, 505.3, 505.4, 510.1, 510.2, 514.1, 514.2",
      "502.1, 502.2, 510.1, 510.2, 514.1, 514.2", "302.1, 302.2, 310.1, 314.1, 314.2"),
     before(performs("phasing", "set_scheme", "assign_combat_damage", "assign_blockers",
                     "discard_to_hand_size"),
            performs("untap_permanents", "add_lore_counters", "deal_combat_damage",
                     "put_damage_on_stack", "remove_damage_and_end_effects"),
            "untap", "precombat_main", "first_strike_damage", "combat_damage", "cleanup")),
    ("day_before_untap", "it becomes day or night before anything untaps",
     ("502.2, 502.3", "", ""),
     before(performs("day_night"), performs("untap_permanents"), "untap")),
    ("actions_before_priority",
     "the card is drawn, attackers and blockers are declared, and damage and effects wear off before "
     "anybody receives priority in that step",
     ("504.1, 504.2, 508.1, 508.2, 509.1, 509.2, 514.3a",
      "504.1, 504.3, 508.1, 508.3, 509.1, 509.5, 514.3a", "304.1, 308.1, 309.1, 314.3"),
     before(performs("draw_card", "secondary_player_draws", "declare_attackers",
                     "declare_blockers", "remove_damage_and_end_effects"),
            priority(*ACTING), *ACTING)),
    ("orders_before_priority",
     "damage assignment orders are announced before anybody receives priority",
     ("", "509.3, 509.5", ""),
     before(performs("order_attackers"), priority("declare_blockers_window"), "declare_blockers")),
    ("no_response_to_assignment", "nobody receives priority between assignment and damage",
     ("510.2", "510.2", ""),
     after(performs("assign_combat_damage", "assign_attackers"), priority(),
           performs("deal_combat_damage"))),
    ("combat_is_left", "what fought leaves combat before the combat phase is over",
     ("511.3", "511.3", "311.2"),
     followed(begins("step", "declare_attackers", extra=False), performs("remove_from_combat") +
              skipped("step", "end_of_combat"), ends("phase", "combat"))),
    ("cleanup_again",
     "after a cleanup step with priority there is another one, unless an effect skips it",
     ("514.3a", "514.3a", "314.3"),
     followed(priority("cleanup_window"), begins("step", "cleanup") + skipped("step", "cleanup") +
              BROKEN_OFF, ends("turn"))),
    ("first_strike_then_the_others",
     "first-strike damage is followed by combat damage, or the turn or combat was ended",
     ("510.4", "510.5", "310.5"),
     followed(begins("step", "first_strike_damage", extra=False), begins("step", "combat_damage") +
              skipped("step", "combat_damage") + BROKEN_OFF, ends("phase", "combat"))),
    ("damage_after_blocks", "creatures deal combat damage only after blockers could be declared",
     ("506.1", "506.1", "306.1"),
     only(begins("step", "combat_damage", extra=False), begins("step", "declare_blockers") +
          skipped("step", "declare_blockers"), begins("phase", "combat"))),
    ("end_step_before_cleanup", "cleanup comes after the end step, or the turn was ended",
     ("512.1", "512.1", "312.1"),
     only(begins("step", "cleanup", inside=LAST, extra=False), begins("step", *END) +
          skipped("step", *END) + TURN_ENDED, begins("turn"))),
    # the course of a turn, and what is added to it or left out of it
    ("cleanup_is_last",
     "cleanup is the last step of every turn: no natural phase or end step comes after it",
     ("512.1, 514", "512.1, 514", "312.1, 314"),
     after(begins("step", "cleanup", inside=LAST, extra=False),
           begins("phase", extra=False) + begins("step", *END, extra=False), begins("turn") + TURN_ENDED)),
    ("cleanup_comes", "every turn has a cleanup step, unless an effect skips it",
     ("500.1, 514", "500.1, 514", "300.1, 314"),
     followed(begins("turn"), begins("step", "cleanup") + skipped("step", "cleanup") +
              skipped("phase", "ending", "end"), ends("turn"))),
    ("beginning_first", "a turn begins with its beginning phase",
     ("500.1", "500.1", "300.1"),
     only(begins("phase", extra=False), begins("phase", "beginning") +
          skipped("phase", "beginning") + TURN_ENDED, begins("turn"))),
    ("mana_empties", "unspent mana empties after players could act, before the next step begins",
     (MANA, "500.4", ""), after(priority(), begins("step") + ends("turn"), performs("empty_mana"))),
    ("mana_burns", "unspent mana is lost after players could act, before the next phase begins",
     ("", "", "300.3"),
     after(priority(), begins("phase", "precombat_main", "combat", "postcombat_main", extra=False) + ends("turn"),
           performs("lose_mana"))),
    ("skipped_never_was", "what is skipped does not begin: a turn, a combat phase, a draw step",
     ("614.10, 614.10a", "614.10", "300.9, 419.6e"),
     SKIPPED),
    ("extras_at_once",
     "an added combat phase, or an upkeep step added after a step or combat, comes before the next "
     "natural phase and draw step", ("500.8, 500.9, 500.10", "500.8, 500.9", "300.7, 300.8"),
     followed(ordered("extra phase", "combat", inside=("precombat_main", "postcombat_main")) +
              ordered("extra step", "upkeep", inside=("upkeep_window",)) +
              ordered("step after phase", "upkeep", inside=("combat",)),
              begins("phase", "combat", extra=True) + begins("step", "upkeep", extra=True) +
              skipped("phase", "combat", "beginning") + skipped("step", "upkeep") + BROKEN_OFF,
              begins("phase", extra=False) + begins("step", "draw", extra=False) + ends("turn"))),
    ("ending_leads_to_cleanup", "when the turn is ended, cleanup comes next",
     ("723.1d", "712.1c", "509.1c"),
     followed(TURN_ENDED, begins("step", "cleanup"), begins("step") +
              ends("turn"))),
    ("endings_are_silent", "while the turn or combat is being ended nobody receives priority",
     ("723.1c, 723.2c", "712.1b", "509.1b"),
     after(BROKEN_OFF, priority(), begins("step", "cleanup") + begins("phase"))),
    ("fighters_leave_an_ended_turn", "when the turn is ended in combat, what fought leaves combat",
     ("723.1d", "712.1a", "509.1a"),
     followed(reaches("end_turn_triggers", "end_turn_stack", inside=("combat",)),
              performs("remove_from_combat"), begins("step", "cleanup"))),
    ("ended_combat_is_over", "after combat was ended none of its steps comes before the next phase",
     ("723.2d, 723.2e", "", ""),
     after(COMBAT_ENDED, begins("step", "declare_attackers", "declare_blockers", "first_strike_damage", "combat_damage", "end_of_combat"), begins("phase") + ends("turn"))),
    ("checked_before_priority",
     "state-based actions are checked after whatever happened, before priority",
     ("117.5, 704.3", "116.5, 704.3", "408.1b, 420.3"),
     CHECKED),
    ("turn_ends", "a turn in which finitely many things happen ends",
     ("500.1, 500.2", "500.1, 500.2", "300.1, 300.2"), responds(begins("turn"), ends("turn"))),
    ("window_closes", "players who only pass come to the next step",
     ("117.4, 500.2", "116.4, 500.2", "300.2, 413.1"),
     responds(priority("precombat_main"), begins("step") + begins("turn") + skipped("step"))),
)


def _stated(rulebook: int) -> tuple[Property, ...]:
    """Those with a rule in this rulebook."""
    found = []
    for name, says, rules, form in STATED:
        if rules[rulebook]:
            found.append(Property(name, says, rules[rulebook], form))
    return tuple(found)


# Grand Archive; citations are page and rule ------------------------------------------------------

CUT = reaches("wake_up_cut", "materialize_cut", "recollection_cut", "draw_cut", "main_cut", "combat_cut",
              "end_of_combat_cut", "end_turn_stack")
CLEAN_UP = performs("clean_up", "remove_damage")
"""How the clean-up begins, in 2026 and in 2024."""
CLEARED = reaches("end_turn_combat", "lost_combat")

ARCHIVE: tuple[Property, ...] = (
    Property("clean_up_comes", "every turn has its clean-up, unless an effect skips or ends the end phase",
             "End Phase GR3", followed(begins("turn"), CLEAN_UP + skipped("phase", "end"), ends("turn"))),
    Property("actions_before_opportunity", "objects wake, and the card is drawn, before anybody receives Opportunity",
             "Wake Up GR1, Wake Up GR2, Draw GR1, Draw GR2",
             before(performs("wake", "draw_card"), priority("wake_up", "draw"), "wake_up", "draw")),
    Property("opportunity_before_actions",
             "players may act before memory returns to hand, retaliation is declared, and damage is dealt",
             "Recollection GR2, Recollection GR3, Retaliation Step GR2, Retaliation Step GR3, "
             "Damage Step GR1, Damage Step GR3",
             before(priority("recollection_window", "retaliation_window", "damage_window"),
                    performs("recollect", "declare_retaliation", "deal_combat_damage"),
                    "recollection", "retaliation", "damage")),
    Property("retaliation_before_damage", "damage is dealt only after retaliation was declared",
             "Retaliation Step GR3", only(performs("deal_combat_damage"), performs("declare_retaliation"),
                                          begins("phase", "combat"))),
    Property("combat_has_its_end", "combat always has its end of combat step, unless the turn is ended",
             "Ending Phases GR1.2", followed(begins("phase", "combat"), begins("step", "end_of_combat") + CLEARED,
                                             ends("phase", "combat"))),
    Property("roles_come_off", "nobody attacks or defends any more as combat ends", "End of Combat GR1",
             followed(begins("step", "retaliation"),
                      performs("remove_roles") + reaches("end_of_combat_cut") + CLEARED, ends("phase", "combat"))),
    Property("opportunity_before_the_end", "players may act before the clean-up, or the turn was ended",
             "End Phase GR2", only(CLEAN_UP, priority("end_window") + CUT, reaches("end_begin"))),
    Property("ended_turn_is_silent", "when the turn is ended nobody may act before the clean-up", "Ending Phases GR2",
             after(reaches("end_turn_stack"), priority(), CLEAN_UP)),
    Property("changed_clean_up_again", "when players act after the clean-up, it is done again", "End Phase GR4",
             followed(priority("end_recheck"), CLEAN_UP + reaches("clean_up_loop") + CUT, ends("turn"))),
    Property("skipped_never_was", "a skipped turn or draw phase does not begin", "Skipping Phases GR1", SKIPPED),
    Property("checked_before_opportunity", "the state is checked after whatever happened, before Opportunity",
             "Opportunity 9", CHECKED),
    Property("turn_ends", "a turn in which finitely many things happen ends", "Opportunity 11",
             responds(begins("turn"), ends("turn") + reaches("clean_up_loop"))),
)


PROPERTIES: dict[str, tuple[Property, ...]] = {
    "magic": _stated(0),
    "magic-2010": _stated(1),
    "magic-classic": _stated(2),
    "grand-archive": ARCHIVE,
}
"""The properties of each ruleset, by the name of the Model. Add those of your own."""


def properties_of(name: str, edition: str) -> tuple[Property, ...]:
    """Return the properties of the ruleset with this name. A ruleset without properties has none.

    They cite the rules by the numbers of the `edition`, as the Model calls it.
    """
    cite = cites(name, edition)
    return tuple(replace(one, rule=cite(one.rule)) for one in PROPERTIES.get(name, ()))
