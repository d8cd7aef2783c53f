"""What is true of every run of Grand Archive; citations are page and rule."""

from __future__ import annotations

from fsm.rulesets.properties import (
    Property,
    acts,
    after,
    begins,
    checks,
    ends,
    followed,
    only,
    performs,
    priority,
    reaches,
    resolves,
    responds,
    skipped,
)

CUT = reaches(
    "wake_up_cut",
    "materialize_cut",
    "recollection_cut",
    "draw_cut",
    "main_cut",
    "combat_cut",
    "end_of_combat_cut",
    "end_turn_stack",
)
TURN_ENDED = reaches("end_turn_stack")
CLEARED = reaches("end_turn_combat", "lost_combat")

ARCHIVE: tuple[Property, ...] = (
    Property(
        "end_is_last",
        "the end phase is the last of a turn",
        "Turn Order GR1",
        after(begins("step", "end"), begins("step", besides=("end",)), begins("turn")),
    ),
    Property(
        "clean_up_comes",
        "every turn has its clean-up, unless an effect skips or ends the end phase",
        "End Phase GR3",
        followed(begins("turn"), performs("clean_up") | skipped("phase", "end"), ends("turn")),
    ),
    Property(
        "wake_before_opportunity",
        "objects wake before anybody receives Opportunity in that phase",
        "Wake Up GR2, GR3",
        only(priority("wake_up"), performs("wake"), begins("step", "wake_up")),
    ),
    Property(
        "draw_before_opportunity",
        "the card is drawn before anybody receives Opportunity in that phase",
        "Draw GR2, GR3",
        only(priority("draw"), performs("draw_card"), begins("step", "draw")),
    ),
    Property(
        "opportunity_before_recollecting",
        "players may act before memory returns to hand",
        "Recollection GR2, GR3",
        only(performs("recollect"), priority("recollection_window"), begins("step", "recollection")),
    ),
    Property(
        "opportunity_before_retaliation",
        "players may act before retaliation is declared",
        "Retaliation Step GR2, GR3",
        only(performs("declare_retaliation"), priority("retaliation_window"), begins("step", "retaliation")),
    ),
    Property(
        "opportunity_before_damage",
        "players may act before damage is dealt",
        "Damage Step GR1, GR3",
        only(performs("deal_combat_damage"), priority("damage_window"), begins("step", "damage")),
    ),
    Property(
        "retaliation_before_damage",
        "damage is dealt only after retaliation was declared",
        "Retaliation Step GR3",
        only(performs("deal_combat_damage"), performs("declare_retaliation"), begins("phase", "combat")),
    ),
    Property(
        "combat_has_its_end",
        "combat always has its end of combat step, unless the turn is ended",
        "Ending Phases GR1.2",
        followed(begins("phase", "combat"), begins("step", "end_of_combat") | CLEARED, ends("phase", "combat")),
    ),
    Property(
        "roles_come_off",
        "nobody attacks or defends any more as combat ends",
        "End of Combat GR1",
        followed(
            begins("step", "retaliation"),
            performs("remove_roles") | reaches("end_of_combat_cut") | CLEARED,
            ends("phase", "combat"),
        ),
    ),
    Property(
        "declared_before_combat",
        "combat begins only after an attack was declared",
        "Attack Declaration 2",
        only(begins("phase", "combat"), performs("declare_attack"), ends("phase", "combat") | begins("turn")),
    ),
    Property(
        "no_attack_on_the_first_turn",
        "the first player attacks nobody in the first turn",
        "Turn One 1.1",
        only(begins("phase", "combat"), ends("turn")),
    ),
    Property(
        "no_waking_on_the_first_turn",
        "there is no wake up phase in a player's first turn",
        "Turn Order GR1",
        only(begins("phase", "wake_up", "materialize", "recollection"), ends("turn")),
    ),
    Property(
        "opportunity_before_the_end",
        "players may act before the clean-up, or the turn was ended",
        "End Phase GR2",
        only(performs("clean_up"), priority("end_window") | CUT, reaches("end_begin")),
    ),
    Property(
        "ended_turn_is_silent",
        "when the turn is ended nobody may act before the clean-up",
        "Ending Phases GR2",
        after(TURN_ENDED, priority(), performs("clean_up")),
    ),
    Property(
        "ended_turn_has_no_phases",
        "when the turn is ended only its end phase is left",
        "Ending Phases GR2",
        after(TURN_ENDED, begins("phase", besides=("end",)), begins("turn")),
    ),
    Property(
        "changed_clean_up_again",
        "when players act after the clean-up, it is done again",
        "End Phase GR4",
        followed(priority("end_recheck"), performs("clean_up") | reaches("clean_up_loop") | CUT, ends("turn")),
    ),
    Property(
        "skipped_phase_never_was",
        "a skipped draw phase does not begin",
        "Skipping Phases GR1",
        after(skipped("phase", "draw"), begins("phase", "draw"), reaches("draw_phase_before")),
    ),
    Property(
        "skipped_turn_never_was",
        "a skipped turn does not begin",
        "Skipping Phases GR1",
        after(skipped("turn"), begins("turn"), reaches("turn_before")),
    ),
    Property(
        "main_once",
        "a turn has one main phase, which combat does not end",
        "Turn Order GR5",
        after(ends("phase", "main"), begins("phase", "main"), begins("turn")),
    ),
    Property(
        "checked_before_opportunity",
        "the state is checked after whatever happened, before Opportunity",
        "Opportunity 9",
        after(acts() | resolves(), priority(), checks()),
    ),
    Property(
        "turn_ends",
        "a turn in which finitely many things happen ends",
        "Opportunity 11",
        responds(begins("turn"), ends("turn") | reaches("clean_up_loop")),
    ),
)
