"""The words of the scenario format. Schema, parser, documentation and game all read this list."""

from __future__ import annotations

from fsm.model.elements import LEAVING
from fsm.scenarios.combatvocabulary import COMBAT_VERBS
from fsm.scenarios.verbparts import (
    ACTIVE,
    CHANGE,
    COUNT,
    CURRENT,
    DESIGNATIONS,
    EVERYONE,
    PERSISTS,
    PLAYER,
    SCOPES,
    THEN,
    Verb,
    VerbField,
)

__all__ = [
    "ACTIVE",
    "CHANGE",
    "CURRENT",
    "DESIGNATIONS",
    "EVERYONE",
    "PERSISTS",
    "SCOPES",
    "VERBS",
    "Verb",
    "VerbField",
]

_GET = VerbField("you_get", "flag", False, needs="test:only_another")
_DURING = VerbField("triggers_during", "ids", ())

VERBS: dict[str, Verb] = {
    verb.name: verb
    for verb in (
        Verb(
            "add_turn",
            (PLAYER, COUNT),
            "extra turns, one at a time, directly after the current turn; latest first",
            needs=("test:extra_due:turn",),
        ),
        Verb(
            "skip_turn",
            (PLAYER, COUNT),
            "each takes away the next turn that player would begin, natural or extra",
            needs=("test:skip_due:turn",),
        ),
        Verb(
            "control_next_turn",
            (VerbField("player", "player"), VerbField("by", "player"), VerbField("extra_turn_after", "flag", False)),
            "`by` decides for `player` in the next turn that player really takes; then perhaps an extra turn for them",
        ),
        Verb(
            "add_phase",
            (
                VerbField("phases", "added_phases"),
                VerbField("after", "phase_anchor", "current_phase"),
                COUNT,
                PLAYER,
                _GET,
            ),
            "the phases, as one block, directly after that phase occurrence; later insertions come first",
            needs=("test:extra_due:phase",),
        ),
        Verb(
            "add_step",
            (
                VerbField("step", "added_step"),
                VerbField("after", "step_anchor", CURRENT),
                VerbField("before", "step", ""),
                COUNT,
                PLAYER,
                _GET,
            ),
            "extra steps after the current step, after or before a named one, or after the current phase: "
            "then as phases that hold only that step",
            needs=("test:extra_due:step",),
        ),
        Verb(
            "skip_step",
            (
                VerbField("step", "skipped_step"),
                VerbField("player", "player", EVERYONE),
                VerbField("scope", "scope", "next"),
            ),
            "the step is passed over as though it did not exist",
            needs=("test:skip_due:step",),
        ),
        Verb(
            "skip_phase",
            (
                VerbField("phase", "skipped_phase"),
                VerbField("player", "player", EVERYONE),
                VerbField("scope", "scope", "next"),
            ),
            "the phase is passed over as though it did not exist",
            needs=("test:skip_due:phase",),
        ),
        Verb(
            "end_turn",
            (_DURING,),
            "the end-the-turn procedure; listed triggers are raised by the procedure itself",
            needs=("event:end_turn",),
            at="priority",
            opening=False,
        ),
        Verb(
            "end_combat",
            (_DURING,),
            "the end-the-combat-phase procedure; outside combat it does nothing",
            needs=("event:end_phase", "action:declare_attackers"),
            at="priority",
            opening=False,
        ),
        Verb(
            "end_phase",
            (_DURING,),
            "the end-the-phase procedure, in a phase for which the ruleset has one; elsewhere it does nothing",
            needs=("event:end_phase",),
            at="priority",
            opening=False,
        ),
        *COMBAT_VERBS,
        Verb(
            "hand_size",
            (VerbField("cards", "number"), VerbField("max", "number", 7)),
            "the active player's hand as that cleanup starts",
            needs=("action:discard_to_hand_size",),
            home="discard_to_hand_size",
            at="begin",
            opening=False,
            nested=False,
        ),
        Verb("trigger", (VerbField("id", "id"),), "an ability triggers now and waits"),
        Verb("sba", (), "a state-based action applies now"),
        Verb(
            "delayed_trigger",
            (VerbField("id", "id"), VerbField("step", "step"), PLAYER, VerbField("on", "on", "next"), THEN),
            "triggers once, at the next such step that begins after it was made; `your_next_turn`: only in that "
            "player's next turn, lost if that turn lacks the step",
        ),
        Verb(
            "standing_trigger",
            (
                VerbField("id", "id"),
                VerbField("step", "step_or_change", ""),
                VerbField(CHANGE, "yes", False, needs="action:day_night"),
                VerbField("whose", "whose", "each"),
                VerbField("limit", "limit", ""),
                THEN,
            ),
            "triggers at the beginning of each such step, or (`day_night_change`) as day becomes night or night day",
        ),
        Verb(
            "effect",
            (VerbField("id", "id"), PLAYER, VerbField("until", "until", "end_of_turn")),
            "an effect with a duration, to track",
        ),
        Verb(
            "player_leaves",
            (VerbField("player", "player"),),
            "leaves the game now; when one player is left the game is over",
            needs=(f"event:{LEAVING}",),
            opening=False,
        ),
        Verb(
            "rollback",
            (VerbField("to_turn", "turn"),),
            "restore the start of that turn and play it again (this item happens once, the others again)",
            opening=False,
        ),
        Verb(
            "day_night",
            (VerbField("value", "designation"),),
            "set the designation",
            needs=("action:day_night",),
        ),
        Verb(
            "spells_cast",
            (VerbField("count", "number"),),
            "how many spells the active player has cast this turn",
            needs=("action:day_night",),
        ),
        Verb(
            "saga",
            (VerbField("id", "id"), PLAYER),
            "that player controls a Saga from now on",
            needs=("action:add_lore_counters",),
        ),
        Verb(
            "add_mana",
            (PLAYER, VerbField("amount", "number", 1), VerbField("persists", "persists", "none")),
            "mana into the player's pool; `until_end_of_turn`: it does not empty before the turn's effects end",
            needs=("action:empty_mana|action:lose_mana",),
        ),
        Verb(
            "spend_mana",
            (PLAYER, VerbField("amount", "number", 1)),
            "mana from the player's pool, first what would be lost first",
            needs=("action:empty_mana|action:lose_mana",),
        ),
        Verb(
            "cast",
            (
                PLAYER,
                VerbField("id", "id", ""),
                VerbField("responds", "flag", False),
                VerbField("interdiction", "flag", False, needs="fact:interdiction_on_stack"),
                THEN,
            ),
            "that player puts an object on the stack when they have priority with an empty stack (`responds`: while "
            "the previous object of this visit is on the stack); as it resolves, `then` is carried out "
            "(`interdiction`: nobody may act before it has resolved)",
            at="priority",
            opening=False,
            nested=False,
            added=True,
        ),
        Verb(
            "materialize",
            (VerbField("id", "id", ""), THEN),
            "the turn player does materialize as that is asked: an object goes on the stack; as it resolves, `then` "
            "is carried out",
            needs=("action:materialize",),
            home="materialize",
            at="begin",
            opening=False,
            nested=False,
            added=True,
        ),
        Verb(
            "time_distorted",
            (VerbField("value", "flag", True),),
            "from now on time is distorted, or no longer",
            needs=("fact:time_distorted",),
            added=True,
        ),
        Verb(
            "tell",
            (VerbField("fact", "fact"), VerbField("value", "flag", True)),
            "in this visit the game tells this fact so, until the model has read it: any fact that the game tells",
            opening=False,
            added=True,
        ),
        Verb(
            "signal",
            (VerbField("event", "event"),),
            "the game sends this event: any that breaks the ordinary course of a turn; where nothing comes of it, "
            "it is not heard",
            at="priority",
            opening=False,
            added=True,
        ),
    )
}
