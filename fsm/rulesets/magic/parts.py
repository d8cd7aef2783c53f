"""Actions of Magic's turn that consist of parts: short, as one action, or in full, part by part in
the rules' order.

An illegal declaration or assignment goes back to its first part (732.1). The part by which
permanents untap, attack or block has the name of the short action.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from fsm.rulesets.frame.parts import Act, Back, Part

Detail: TypeAlias = Literal["short", "full"]

UNTAP_SAYS = "phasing, day or night, untap permanents"
ATTACKERS_SAYS = "the active player attacks"
BLOCKERS_SAYS = "the defending player blocks"


def untap(full: bool) -> tuple[Part, ...]:
    """The permanents of the active player untap."""
    untaps = Act("untap_permanents", "Untap permanents", "502.3", doc="the active player's, all at once")
    determine = Act("determine_untap", "Determine what untaps", "502.3", doc="the active player does")
    return (determine, untaps) if full else (untaps,)


def attackers(full: bool) -> tuple[Part, ...]:
    """The active player declares attackers."""
    if not full:
        return (
            Act("declare_attackers", "Declare attackers", "508.1", doc="the active player does",
                decides=("attackers_declared",), says=ATTACKERS_SAYS),
        )
    return (
        Act("choose_attackers", "Choose attackers", "508.1a",
            doc="untapped, and with haste or controlled since the turn began"),
        Act("check_attackers", "Check requirements", "508.1d", decides=("declaration_illegal",),
            doc="what attacks if able must attack"),
        _illegal("choose_attackers", "508.1, 732.1"),
        Act("tap_attackers", "Attackers tap", "508.1f", doc="before costs are paid"),
        Act("pay_to_attack", "Pay costs", "508.1g, 508.1h, 508.1i, 508.1j", decides=("declaration_illegal",),
            doc="those of attacking, if there are any"),
        _illegal("choose_attackers", "508.1, 732.1"),
        Act("declare_attackers", "Creatures become attackers", "508.1k", decides=("attackers_declared",),
            doc="those chosen that the active player still controls", says=ATTACKERS_SAYS),
        Act("trigger_on_attackers", "Abilities trigger", "508.1m", doc="those on attackers being declared"),
    )


def blockers(full: bool) -> tuple[Part, ...]:
    """The defending players declare blockers."""
    if not full:
        return (Act("declare_blockers", "Declare blockers", "509.1", by="defending", says=BLOCKERS_SAYS),)
    return (
        Act("choose_blockers", "Choose blockers", "509.1a", by="defending", doc="which creatures block, and what"),
        Act("check_blockers", "Check requirements", "509.1c", decides=("declaration_illegal",),
            doc="what blocks if able must block"),
        _illegal("choose_blockers", "509.1, 732.1"),
        Act("declare_blockers", "Attackers become blocked", "509.1h", by="defending",
            doc="they stay blocked, even when all blockers are gone", says=BLOCKERS_SAYS),
        Act("trigger_on_blockers", "Abilities trigger", "509.1i", doc="those on blockers being declared"),
    )


def assignment(full: bool, manner: str, who: str) -> tuple[Part, ...]:
    """The players assign the combat damage of some creatures: the active player, then the defending
    players.
    """
    if not full:
        return (
            Act("assign_combat_damage", "Assign damage", "510.1", doc=who, manner=manner, by="active_and_defending"),
        )
    return (
        Act("assign_attackers", "Attackers assign damage", "510.1, 510.1a, 510.1b, 510.1c", doc=who, manner=manner),
        Act("check_attackers_damage", "Check attackers' damage", "510.1e", decides=("assignment_illegal",)),
        _assigned_illegally("assign_attackers"),
        Act("assign_blockers", "Blockers assign damage", "510.1, 510.1d", doc=who, manner=manner, by="defending"),
        Act("check_blockers_damage", "Check blockers' damage", "510.1e", decides=("assignment_illegal",)),
        _assigned_illegally("assign_blockers"),
    )


def _illegal(first: str, rule: str) -> Back:
    return Back(first, "declaration_illegal", rule, "the declaration is undone and begins again",
                says="illegal: declare again")


def _assigned_illegally(first: str) -> Back:
    return Back(first, "assignment_illegal", "510.1e, 732.1", "the damage is assigned again",
                says="illegal: assign again")
