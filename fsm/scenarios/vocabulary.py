"""The words of the scenario format, once: schema, checks, documentation and game all read them here.

A verb or a field that not every ruleset knows says what it `needs` of the Model ("fact:NAME",
"action:NAME", "event:NAME" or "test:NAME"); a model that lacks it refuses the word.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

At = Literal["either", "begin", "priority"]


class Absent:
    """The default of a field that has none: the file must give it."""

    def __repr__(self) -> str:
        return "required"


REQUIRED: Final = Absent()
ACTIVE: Final = "the active player"
CURRENT: Final = "the current one"
EVERYONE: Final = "everyone"

SCOPES = ("next", "each", "this_turn", "all_next_turn")
PERSISTS = ("none", "until_end_of_turn")
DESIGNATIONS = ("day", "night", "neither")
CHANGE = "day_night_change"


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a verb. `kind` names a row of `fsm.scenarios.schema.KINDS`."""

    name: str
    kind: str
    default: object = REQUIRED
    needs: str = ""

    @property
    def required(self) -> bool:
        """Must the file give it?"""
        return self.default is REQUIRED


@dataclass(frozen=True, slots=True)
class Verb:
    """One verb of `given`. `at`: when it may happen; `opening`: may it stand without a `when`?

    `nested`: may it stand in a `then` list? `added`: it is this project's, not the format's.
    """

    name: str
    fields: tuple[Field, ...]
    doc: str
    needs: tuple[str, ...] = ()
    at: At = "either"
    opening: bool = True
    nested: bool = True
    added: bool = False

    def field(self, name: str) -> Field | None:
        """The field with this name, if the verb has it."""
        return next((f for f in self.fields if f.name == name), None)


_PLAYER = Field("player", "player", ACTIVE)
_COUNT = Field("count", "count", 1)
_GET = Field("you_get", "flag", False, needs="test:only_another")
_DURING = Field("triggers_during", "ids", ())
_THEN = Field("then", "then", ())

VERBS: dict[str, Verb] = {
    verb.name: verb
    for verb in (
        Verb(
            "add_turn", (_PLAYER, _COUNT), "extra turns, one at a time, directly after the current turn; latest first"
        ),
        Verb(
            "skip_turn",
            (_PLAYER, _COUNT),
            "each takes away the next turn that player would begin, natural or extra",
        ),
        Verb(
            "control_next_turn",
            (Field("player", "player"), Field("by", "player"), Field("extra_turn_after", "flag", False)),
            "`by` decides for `player` in the next turn that player really takes; then perhaps an extra turn for them",
        ),
        Verb(
            "add_phase",
            (Field("phases", "phases"), Field("after", "phase_anchor", "current_phase"), _COUNT, _PLAYER, _GET),
            "the phases, as one block, directly after that phase occurrence; later insertions come first",
        ),
        Verb(
            "add_step",
            (
                Field("step", "step"),
                Field("after", "step_anchor", CURRENT),
                Field("before", "step", ""),
                _COUNT,
                _PLAYER,
                _GET,
            ),
            "extra steps after the current step, after or before a named one, or after the current phase: "
            "then as phases that hold only that step",
        ),
        Verb(
            "skip_step",
            (Field("step", "step"), Field("player", "player", EVERYONE), Field("scope", "scope", "next")),
            "the step is passed over as though it did not exist",
        ),
        Verb(
            "skip_phase",
            (Field("phase", "phase"), Field("player", "player", EVERYONE), Field("scope", "scope", "next")),
            "the phase is passed over as though it did not exist",
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
        Verb(
            "attackers",
            (Field("count", "number", 1), Field("first_strike", "flag", False)),
            "declared at that declaration; flag: some attacker or blocker has first or double strike",
            needs=("action:declare_attackers",),
            at="begin",
            opening=False,
            nested=False,
        ),
        Verb(
            "put_attacking",
            (Field("count", "number", 1),),
            "put onto the battlefield attacking now; outside combat nothing attacks",
            needs=("fact:put_in_attacking",),
            opening=False,
        ),
        Verb(
            "state_attacking",
            (Field("count", "number", 1),),
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
            (Field("value", "flag", True),),
            "from now on some / no creature in this combat has first or double strike",
            needs=("action:declare_attackers",),
        ),
        Verb(
            "hand_size",
            (Field("cards", "number"), Field("max", "number", 7)),
            "the active player's hand as that cleanup starts",
            needs=("action:discard_to_hand_size",),
            at="begin",
            opening=False,
            nested=False,
        ),
        Verb("trigger", (Field("id", "id"),), "an ability triggers now and waits"),
        Verb("sba", (), "a state-based action applies now"),
        Verb(
            "delayed_trigger",
            (Field("id", "id"), Field("step", "step"), _PLAYER, Field("on", "on", "next"), _THEN),
            "triggers once, at the next such step that begins after it was made; `your_next_turn`: only in that "
            "player's next turn, lost if that turn lacks the step",
        ),
        Verb(
            "standing_trigger",
            (
                Field("id", "id"),
                Field("step", "step_or_change", ""),
                Field(CHANGE, "yes", False, needs="action:day_night"),
                Field("whose", "whose", "each"),
                Field("limit", "limit", ""),
                _THEN,
            ),
            "triggers at the beginning of each such step, or (`day_night_change`) as day becomes night or night day",
        ),
        Verb(
            "effect",
            (Field("id", "id"), _PLAYER, Field("until", "until", "end_of_turn")),
            "an effect with a duration, to track",
        ),
        Verb(
            "player_leaves",
            (Field("player", "player"),),
            "leaves the game now; when one player is left the game is over",
            needs=("event:player_left",),
            opening=False,
        ),
        Verb(
            "rollback",
            (Field("to_turn", "turn"),),
            "restore the start of that turn and play it again (this item happens once, the others again)",
            opening=False,
        ),
        Verb(
            "day_night",
            (Field("value", "designation"),),
            "set the designation",
            needs=("action:day_night",),
        ),
        Verb(
            "spells_cast",
            (Field("count", "number"),),
            "how many spells the active player has cast this turn",
            needs=("action:day_night",),
        ),
        Verb(
            "saga",
            (Field("id", "id"), _PLAYER),
            "that player controls a Saga from now on",
            needs=("action:add_lore_counters",),
        ),
        Verb(
            "add_mana",
            (_PLAYER, Field("amount", "number", 1), Field("persists", "persists", "none")),
            "mana into the player's pool; `until_end_of_turn`: it does not empty before the turn's effects end",
            needs=("action:empty_mana",),
        ),
        Verb(
            "spend_mana",
            (_PLAYER, Field("amount", "number", 1)),
            "mana from the player's pool, first what would be lost first",
            needs=("action:empty_mana",),
        ),
        Verb(
            "cast",
            (_PLAYER, Field("id", "id", ""), Field("responds", "flag", False)),
            "that player puts an object on the stack when they have priority with an empty stack (`responds`: while "
            "the previous object of this visit is on the stack); it does nothing as it resolves",
            at="priority",
            opening=False,
            nested=False,
            added=True,
        ),
    )
}
