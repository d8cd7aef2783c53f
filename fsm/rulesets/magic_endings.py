"""How a turn of Magic ends early: ending the turn (723.1), ending combat (723.2), players who leave (800.4)."""

from __future__ import annotations

from collections.abc import Iterable

from fsm.model import Event, State, Transition
from fsm.rulesets.rows import row

EVENTS = (
    Event("end_turn", "an effect ends the turn"),
    Event("end_phase", "an effect ends the combat phase"),
    Event("player_left", "somebody left the game"),
)


def _act(id: str, label: str, rule: str, action: str, doc: str) -> State:
    return State(id, "action", id, label, "turn", "procedure", rule, doc, asks="perform", action=action)


def _check(id: str, rule: str) -> State:
    doc = "nobody gets priority, no triggers are placed"
    return State(id, "action", id, "State-based actions", "turn", "procedure", rule, doc, asks="check")


def _jump(
    source: str,
    target: str | None,
    rule: str,
    when: str = "",
    do: Iterable[str] = (),
    *,
    on: str = "done",
    doc: str = "",
) -> Transition:
    return row(source, target, when, do, event=on, rule=rule, layer="jump", doc=doc)


ENDING_STATES = (
    # 723.1, end the turn
    _act("end_turn_triggers", "Waiting triggers cease", "723.1a", "cease_triggers", "those not yet on the stack"),
    _act("end_turn_stack", "Exile the stack", "723.1b", "exile_stack", "every object, the resolving one too"),
    _check("end_turn_sba", "723.1c"),
    _act("end_turn_combat", "Leave combat", "723.1d", "remove_from_combat", "all creatures and planeswalkers"),
    _act("end_turn_leave", "Phase and step end", "723.1d", "empty_mana", "what lies before cleanup is skipped"),
    # 723.2, end the combat phase
    _act("end_combat_triggers", "Waiting triggers cease", "723.2a", "cease_triggers", "those not yet on the stack"),
    _act("end_combat_stack", "Exile the stack", "723.2b", "exile_stack", "every object, the resolving one too"),
    _check("end_combat_sba", "723.2c"),
    _act("end_combat_combat", "Leave combat", "723.2d", "remove_from_combat", "all creatures and planeswalkers"),
    _act("end_combat_leave", "Combat phase ends", "723.2d", "empty_mana", "its other steps are skipped"),
    State("game_over", "final", "", "Game over", role="end", rule="104.1"),
)

COMBAT_ENDS = ("end(step)", "end(phase)", "clear(combat)")
CLEANUP = "begin(step, cleanup, cleanup)"
ENDING_PHASE = ("end(phase)", "drop(turn)", "begin(phase, ending, ending)")

ENDINGS: tuple[Transition, ...] = (
    _jump("turn", "end_turn_triggers", "723.1", on="end_turn", doc="an effect ends the turn"),
    _jump("end_turn_triggers", "end_turn_stack", "723.1b"),
    _jump("end_turn_stack", "end_turn_sba", "723.1c"),
    _jump("end_turn_sba", "end_turn_sba", "704.3", "sba_performed", doc="until none applies"),
    _jump("end_turn_sba", "end_turn_combat", "723.1d", "combat_under_way", doc="if this happens during combat"),
    _jump("end_turn_sba", "end_turn_leave", "723.1d", do=["end(step)"]),
    _jump("end_turn_combat", "end_turn_leave", "723.1d", do=COMBAT_ENDS),
    _jump("end_turn_leave", "cleanup_begin", "723.1d", "ending_under_way", ["drop(turn)", CLEANUP],
          doc="a new cleanup step, even from cleanup"),
    _jump("end_turn_leave", "cleanup_begin", "723.1d", do=[*ENDING_PHASE, CLEANUP],
          doc="straight to cleanup; there is no end step (723.1e)"),
    _jump("combat_phase", "end_combat_triggers", "723.2", "combat_under_way", on="end_phase",
          doc="an effect ends the combat phase"),
    _jump("turn", "end_combat_triggers", "723.2", "combat_under_way", on="end_phase",
          doc="also from a step of another kind that was added to combat"),
    _jump("turn", None, "723.2g", on="end_phase", doc="it is no combat phase: nothing happens"),
    _jump("end_combat_triggers", "end_combat_stack", "723.2b"),
    _jump("end_combat_stack", "end_combat_sba", "723.2c"),
    _jump("end_combat_sba", "end_combat_sba", "704.3", "sba_performed", doc="until none applies"),
    _jump("end_combat_sba", "end_combat_combat", "723.2d"),
    _jump("end_combat_combat", "end_combat_leave", "723.2d", do=[*COMBAT_ENDS, "drop(phase)"]),
    _jump("end_combat_leave", "combat_phase_after", "723.2d", doc="the next phase, whatever it is"),
    _jump("turn", None, "800.4j", "several_sides_left", on="player_left",
          doc="the turn goes on, without an active player if need be"),
    _jump("turn", "game_over", "104.2a", on="player_left", doc="only one is left: the game is over"),
)
