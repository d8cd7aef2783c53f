"""The words Grand Archive's table uses: the facts its guards read, durations, and settings of a
game.
"""

from __future__ import annotations

from fsm.model import Duration, Fact, Setting
from fsm.rulesets.frame.rows import agenda_fact, controller_fact, game_fact

PHASES = ("wake_up", "materialize", "recollection", "draw", "main", "combat", "end")
CLEAN_UPS = 1000
"""Repeats of the clean-up in one turn after which the loop is reported. No rule bounds them (U-24).
"""


def facts(*, current: bool, pantheon: bool, turn_ending: bool) -> tuple[Fact, ...]:
    """The facts of Grand Archive's table: those that this edition and these options read."""
    read = {
        "draw_begun": not current,
        "pantheon": pantheon,
        "turn_ending": turn_ending,
        "last_in_cycle": current,
    }
    return tuple(fact for fact in _FACTS if read.get(fact.name, True))


def _latched(name: str, doc: str, rule: str, scope: str) -> Fact:
    return Fact(name, doc, rule, "controller", "latched", scope, "this turn")


_FACTS = (
    game_fact("attack_declared", "the attack was declared, and nothing made it fail", "Attack Declaration 2",
              says="an attack is declared", denies="the attack fails"),
    game_fact("several_retaliators", "at least two units retaliate", "Damage Step GR2", "latched", "combat",
              says="several units retaliate", denies="at most one unit retaliates"),
    game_fact("sba_performed", "the state-based check changed something", "State-based Checks GR1", about="the game",
              says="something happened by itself", denies="nothing happened by itself"),
    game_fact("stack_empty", "the Effects Stack is empty", "Effects Stack GR2", about="the game",
              says="the Effects Stack is empty", denies="something is on the Effects Stack"),
    game_fact("time_distorted", "time is distorted", "Special Continuous Effects 1", about="time",
              says="time is distorted", denies="time is not distorted"),
    agenda_fact("combat_under_way", "the game is in combat", "Ending Phases GR2", "phase_under_way", "combat",
                says="the game is in combat", denies="the game is not in combat"),
    agenda_fact("ending_under_way", "the game is in an end phase", "Ending Phases GR2", "phase_under_way", "end",
                says="the turn is in its End phase", denies="the turn is not in its End phase"),
    agenda_fact("draw_begun", "this turn has had a draw phase", "Turn One 1", "begun", "phase", "draw"),
    agenda_fact("turn_player_lost", "the turn player has lost the game", "Ending the Game GR8", "active_left",
                says="the turn player has lost", denies="the turn player is still in the game"),
    controller_fact("starting_player", "it is the turn of the player who plays first", "Turn One 1", "starter_active"),
    controller_fact("several_sides_left", "at least two players are left", "Ending the Game GR2", "more_sides_than",
                    "1", says="several players are left", denies="one side is left"),
    controller_fact("first_draw_skipped", "the first player skips the first draw phase", "Turn Order GR1.1", "setting",
                    "first_draw_skipped"),
    controller_fact("pantheon", "the game is played by the rules of Pantheon", "Pantheon Turn One 1", "setting",
                    "pantheon"),
    _latched("materialize_moved", "this turn's materialize phase comes after main", "Special Continuous Effects 1",
             "turn"),
    _latched("turn_ending", "an effect has ended this turn", "Ending Phases GR2", "turn"),
    _latched("sba_acted", "a state-based check changed something in this window", "State-based Checks GR1",
             "window"),
    _latched("trigger_placed", "a trigger was put on the Effects Stack in this window", "Triggered Abilities GR10",
             "window"),
    controller_fact("first_turn", "this is the player's first turn", "Turn One 1", "own_turn_is", "1",
                    says="a player's first turn", denies="a later turn"),
    # the last of those who are still in the game (U-21)
    controller_fact("last_in_cycle", "the turn player is the last of the turn cycle", "Turn One 1.1",
                    "active_sits_last", "living"),
    agenda_fact("clean_up_endless", f"the clean-up was repeated {CLEAN_UPS} times", "no rule (U-24)", "tallied",
                "clean_up", str(CLEAN_UPS)),
)

DURATIONS = (
    Duration("end_of_turn", "mark", "end_of_turn", rule="End Phase GR3", doc="this turn, until end of turn"),
    *(
        Duration(f"end_of_{phase}", "end", phase, rule="Turn Order GR5",
                 doc=f"until end of the {phase.replace('_', ' ')} phase")
        for phase in PHASES
    ),
    Duration("your_next_turn", "begin", "turn", "yours", rule="Turn Order GR1", doc="until your next turn begins"),
)

SETTINGS = (
    Setting("first_draw_skipped", "the first player skips the first draw phase", "Turn Order GR1.1", players=2),
    Setting("pantheon", "Pantheon instead of Standard: nobody skips the first draw phase", "Pantheon Turn One 1"),
)
