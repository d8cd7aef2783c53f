"""The combat words of the scenario format."""

from __future__ import annotations

from fsm.scenarios.verbparts import Verb, VerbField

COMBAT_VERBS: tuple[Verb, ...] = (
    Verb(
        "attackers",
        (VerbField("count", "number", 1), VerbField("first_strike", "flag", False)),
        "declared at that declaration; flag: some attacker or blocker has first or double strike",
        needs=("action:declare_attackers",),
        home="declare_attackers",
        at="begin",
        opening=False,
        nested=False,
    ),
    Verb(
        "put_attacking",
        (VerbField("count", "number", 1),),
        "put onto the battlefield attacking now; outside combat nothing attacks",
        needs=("fact:put_in_attacking",),
        opening=False,
    ),
    Verb(
        "state_attacking",
        (VerbField("count", "number", 1),),
        "an effect states that creatures already there are attacking; outside combat nothing attacks",
        needs=("action:declare_attackers",),
        opening=False,
        added=True,
    ),
    Verb(
        "remove_attackers",
        (),
        "no attacker is left in combat from now on, and first strike goes with them",
        needs=("action:declare_attackers",),
        opening=False,
    ),
    Verb(
        "first_strike",
        (VerbField("value", "flag", True),),
        "from now on some / no creature in this combat has first or double strike; outside combat it has no effect",
        needs=("action:declare_attackers",),
        opening=False,
    ),
    Verb(
        "combatant",
        (
            VerbField("id", "id"),
            VerbField("side", "side"),
            VerbField("power", "power", 1),
            VerbField("first_strike", "flag", False),
            VerbField("double_strike", "flag", False),
            VerbField("blocks", "id", ""),
        ),
        "a creature in combat from now on: declared with the declaration of attackers or blockers, at another "
        "time put in attacking or blocking; `blocks`: the attacker it blocks",
        needs=("action:declare_attackers", "action:assign_*"),
        opening=False,
        added=True,
    ),
    Verb(
        "change_combatant",
        (
            VerbField("id", "id"),
            VerbField("power", "power", None),
            VerbField("first_strike", "flag", None),
            VerbField("double_strike", "flag", None),
            VerbField("blocked", "flag", None),
        ),
        "that creature is so from now on; a `blocked` attacker assigns damage only while something blocks it",
        needs=("action:declare_attackers", "action:assign_*"),
        opening=False,
        added=True,
    ),
    Verb(
        "remove_combatant",
        (VerbField("id", "id"),),
        "that creature is in combat no longer; damage it has assigned is dealt all the same",
        needs=("action:declare_attackers", "action:assign_*"),
        opening=False,
        added=True,
    ),
    Verb(
        "made_to_block",
        (),
        "an effect makes a creature block",
        needs=("event:made_to_block",),
        at="priority",
        opening=False,
        added=True,
    ),
    Verb(
        "put_in_blocking",
        (),
        "a creature is put in blocking",
        needs=("event:put_in_blocking",),
        at="priority",
        opening=False,
        added=True,
    ),
    Verb(
        "attack",
        (VerbField("card", "flag", False), VerbField("legal", "flag", True)),
        "the active player declares an attack with priority and an empty stack, or (`card`) as an object put on "
        "the stack resolves; not `legal`: the declaration is undone",
        needs=("event:attack",),
        heard="attack",
        at="priority",
        opening=False,
        added=True,
    ),
    Verb(
        "must_attack",
        (),
        "the active player may not go on without having tried to attack: they pass once and are refused, then "
        "the `attack` that is given comes",
        needs=("fact:attack_required",),
        opening=False,
        added=True,
    ),
    Verb(
        "retaliators",
        (VerbField("count", "number", 1),),
        "so many retaliate as that is declared",
        needs=("action:order_retaliators|fact:several_retaliators",),
        home="declare_retaliation",
        at="begin",
        opening=False,
        nested=False,
        added=True,
    ),
)
