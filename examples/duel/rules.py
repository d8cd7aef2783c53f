"""The turn of the duel, as its rulebook has it. `fsm draw duel.rules:DUEL -o duel.svg` draws it."""

from fsm.model import Duration, Event, Fact, State
from fsm.rulesets import (
    Absent,
    Act,
    FrameRules,
    Phase,
    Step,
    Table,
    Then,
    Window,
    priority_window,
    row,
)

DUEL = Table(
    name="duel",
    title="Duel",
    edition="first edition",
    phases=(
        Phase("dawn", "Dawn", "1", (
            Step("ready", "Ready", "1.1", (Act("ready", "Creatures and crystals are ready again", "1.1a"),)),
            Step("draw", "Draw", "1.2", (Act("draw_card", "Draw a card", "1.2a"),), absent=(
                Absent("first_turn", "1.2b", "whoever begins does not draw on the very first turn"),
            )),
        )),
        Phase("main", "Main", "2", (Step("main", "Main", "2.1", (Window("2.1a"),)),)),
        Phase("combat", "Combat", "3", (
            Step("attack", "Attack", "3.1", (
                Act("attack", "Choose who attacks", "3.1a", decides=("attacked",)),
                Window("3.1b", when="attacked"),
            ), then=(Then("block", "attacked", "3.1c"), Then("retreat", "", "3.1d", "skip", "nobody attacks"))),
            Step("block", "Block", "3.2", (Act("block", "Choose who blocks", "3.2a", by="defending"), Window("3.2b"))),
            Step("damage", "Damage", "3.3", (
                Act("fight", "Everybody fights at once", "3.3a"),
                Window("3.3b", "conditional"),
            )),
            Step("retreat", "Retreat", "3.4", (Act("retreat", "Attackers and blockers go home", "3.4a"),)),
        ), clears="combat"),
        Phase("dusk", "Dusk", "4", (
            Step("rest", "Rest", "4.1", (Act("rest", "Wounds heal", "4.1a", ends="dusk"),)),
        )),
    ),
    rules=FrameRules(turn="0.1", begin="0.2", end="0.3", skip="0.4", extra_phase="0.5"),
    window=priority_window("duel", edition="first edition"),
    facts=(
        Fact("first_turn", "this is the very first turn", "1.2b", "controller", test=("starters_turn_is", "1")),
        Fact("attacked", "somebody attacks", "3.1a", timing="latched", scope="combat"),
    ),
    durations=(Duration("dusk", "mark", "dusk", rule="4.1a", doc="until dusk"),),
    events=(Event("player_left", "somebody has lost"),),
    states=(State("game_over", "final", "", "The duel is over", role="end", rule="0.8"),),
    transitions=(row("turn", "game_over", event="player_left", rule="0.8", layer="jump", doc="the other has won"),),
)
