"""The parts of Grand Archive's table that its options decide."""

from __future__ import annotations

from collections.abc import Iterator

from fsm.model import Opens, Transition
from fsm.rulesets.frame.parts import Absent, Act, Back, Part, Window
from fsm.rulesets.frame.rows import row
from fsm.rulesets.grand_archive.endings import fresh
from fsm.rulesets.grand_archive.options import Options

CHANGES = {
    "trigger": ("trigger_placed",),
    "sba_or_trigger": ("sba_acted", "trigger_placed"),
    "anything": ("clean_up_changed", "sba_acted", "trigger_placed"),
}
BEGINNING = "beginning-of-phase abilities"
REFUSED = (
    Absent("first_turn, not last_in_cycle", "Turn One 1.1", "nobody attacks on their first turn"),
    Absent("not stack_empty", "Attack Cards GR2.1", "something else is there: the attack card fizzles"),
)


def round_of(wanted: bool) -> Opens:
    """Must all pass once more as this conditional window ends?"""
    return "conditional_round" if wanted else "conditional"


def not_first(
    o: Options, when: str = "first_turn", rule: str = "Turn Order GR1", doc: str = "not on a player's first turn",
    says: str = "a player's first turn",
) -> Absent:
    """A phase that does not happen on a player's first turn, or only then not."""
    return Absent(when, rule, doc, spends=o.skip_spent_by_absent_phase, says=says)


def first_triggers(o: Options) -> tuple[Part, ...]:
    """Beginning-of-phase abilities before the action (U-1)."""
    begins = Window("Turn Order GR6", "conditional", "first_triggers", doc=BEGINNING)
    return () if o.begin_triggers_after_tba else (begins,)


def champion(o: Options, when: str) -> tuple[Part, ...]:
    """The first champion, placed on a player's first turn (U-28), with its abilities (U-23)."""
    if not o.champion_late:
        return ()
    place = Act("place_champion", "Place the champion", "Turn One 1", when, "the turn player's, of level 0")
    enters = Window("Turn One 1", "conditional", "champion_enters", when=when, doc="its On Enter abilities")
    return (place, enters) if o.champion_enters_first else (place,)


def after_materialization(o: Options) -> tuple[Part, ...]:
    """What follows a materialization (U-25)."""
    rule, name = "Materialize GR4", "afterwards"
    if o.round_after_materialize:
        return (Window(rule, name=name, when="trigger_placed", doc="something triggered: all must pass once more"),)
    return (Window(rule, "conditional", name, doc="what has triggered since"),)


def early_attack(o: Options) -> Iterator[Transition]:
    """An attack card that resolves before the main window: in main it is, so there is an attack."""
    if not o.current:
        return
    here, event, rule = "main_triggers", "attack", "Attack Cards GR2.3"
    for refused in REFUSED:
        yield row(here, None, refused.when, event=event, rule=refused.rule, layer="jump", doc=refused.doc)
    yield row(here, "main_declare_attack", event=event, rule=rule, doc="an attack card that resolves",
              says="an attack is declared")  # fmt: skip


def after_retaliation(o: Options) -> tuple[Part, ...]:
    """The window after retaliation was declared (U-4)."""
    if o.window_after_retaliation == "none":
        return ()
    return (Window("Retaliation Step GR4", o.window_after_retaliation, "afterwards", doc="what has triggered since"),)


def end_of_combat(o: Options) -> tuple[Part, ...]:
    """The end of combat step, whose order changed with the edition (U-6, U-7)."""
    checks: tuple[Part, ...] = (
        Act("check", "State-based check", "End of Combat GR1", doc="deaths, weapons without durability", asks="check"),
        Back("check", "sba_performed", "State-based Checks GR1", "until nothing changes"),
        Act("place_new_triggers", "Place new triggers", "End of Combat GR1", doc="on top", asks="place"),
    )
    damage = Act("place_triggers", "Place triggers", "End of Combat GR1", doc="those of the damage step", asks="place")
    roles = Act("remove_roles", "Roles off", "End of Combat GR1", doc="nobody attacks or defends any more",
                says="combat roles end")
    intent = Act("discard_intent", "Intent to graveyard", "End of Combat GR1", doc="ephemeral cards are banished",
                 says="attack card to graveyard")
    forced = "not combat_cut" if o.forced_leaves_window_out else ""
    acts = Window("End of Combat GR2", "conditional", "triggers", when=forced, doc="what is still to be placed")
    if not o.current:
        return (intent, roles, damage, *checks, acts)
    last = (roles, intent, acts) if o.clear_combat_before_window else (acts, roles, intent)
    return (damage, *checks, *last)


def clean_up(o: Options) -> tuple[Part, ...]:
    """The clean-up: one action for everything, or in 2024 a series of them (U-26)."""
    rule, tells = "End Phase GR3", ("clean_up_changed",) if o.clean_up_tells else ()
    manner = "effects_once" if o.turn_end_effects_once else "effects_each_time"
    if o.current:
        doc = "at once: damage off allies, “this turn” ends, discard to imposed limits"
        says = "damage off allies, effects for this turn end"
        return (Act("clean_up", "Clean-up", rule, "", doc, "end_of_turn", tells, manner, says=says),)
    return (
        Act("remove_damage", "Damage off allies", rule, doc="temporary damage, not that of champions", decides=tells),
        Act("end_effects", "“This turn” ends", rule, ends="end_of_turn", doc="and what happens “as the turn ends”",
            manner=manner, decides=tells),
        Act("discard_to_limits", "Discard to limits", rule, doc="the turn player, if a limit is imposed",
            decides=tells),
    )


def recheck(o: Options) -> tuple[Part, ...]:
    """The check after the clean-up, and the way back to it (U-14, U-15, U-16, U-24)."""
    if not o.loops:
        check = Act("recheck", "State-based check", "End Phase GR3", asks="check")
        return (check, Back("recheck", "sba_performed", "State-based Checks GR1", "until nothing changes"))
    rule, doc = o.repeat_rule, "something changed: the clean-up again"
    says = "if something happened: clean-up again"
    again = ("tally(clean_up)", *fresh(o))
    window = Window(rule, round_of(o.round_after_recheck), "recheck", "Check again", doc="what the clean-up has caused")
    changes = CHANGES[o.clean_up_change]
    endless = (Back("clean_up_loop", f"{what}, clean_up_endless", "no rule (U-24)", "no end") for what in changes)
    return (window, *endless, *(Back(o.clean_up_begins, what, rule, doc, "extra", again, says) for what in changes))
