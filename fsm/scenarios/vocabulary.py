"""The words of the scenario format. Schema, parser, documentation and game all read this list."""

from __future__ import annotations

from fsm.model.elements import LEAVING
from fsm.scenarios.gameparts import placed
from fsm.scenarios.games import GAMES
from fsm.scenarios.verbparts import (
    ACTIVE,
    CHANGE,
    COUNT,
    CURRENT,
    DURING,
    EVERYONE,
    PLAYER,
    SCOPES,
    THEN,
    Verb,
    VerbField,
)

__all__ = ["ACTIVE", "CHANGE", "CURRENT", "EVERYONE", "SCOPES", "VERBS", "Verb", "VerbField"]

_GET = VerbField("you_get", "flag", False, needs="test:only_another")

_GENERAL = (
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
        (DURING,),
        "the end-the-turn procedure; listed triggers are raised by the procedure itself",
        needs=("event:end_turn",),
        at="priority",
        opening=False,
    ),
    Verb(
        "end_phase",
        (DURING,),
        "the end-the-phase procedure, in a phase for which the ruleset has one; elsewhere it does nothing",
        needs=("event:end_phase",),
        at="priority",
        opening=False,
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
        (VerbField("player", "player", ""), VerbField("players", "players", ())),
        "leaves the game now, or all these at the same time; when one player is left the game is over",
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
        by_player=True,
        at="priority",
        opening=False,
        nested=False,
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
VERBS: dict[str, Verb] = placed(_GENERAL, (game.verbs for game in GAMES))
