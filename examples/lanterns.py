"""Lanterns, a game that nobody has printed: light your lanterns, trade, perhaps duel, sleep."""

from fsm.model import Event, Fact
from fsm.rulesets import Absent, Act, Again, FrameRules, Phase, Step, Table, Then, Window, priority_window, row

LANTERNS = Table(
    name="lanterns",
    title="Lanterns",
    edition="first sketch",
    phases=(
        Phase("dusk", "Dusk", "1", (
            Step("kindle", "Kindle", "1.1", (Act("light_lanterns", "Light lanterns", "1.1a"),)),
            Step("forage", "Forage", "1.2", (Act("draw_card", "Draw a card", "1.2a"), Window("1.2b")), absent=(
                Absent("first_turn", "1.2c", "nobody forages on the very first turn"),
            )),
        )),
        Phase("night", "Night", "2", (
            Step("market", "Market", "2.1", (Window("2.1a"),)),
            Step("challenge", "Challenge", "2.2", (
                Act("challenge", "Challenge somebody", "2.2a", tells=("challenged",)),
            ), then=(Then("duel", "challenged", "2.3"), Then("curfew", "", "2.2b", "skip"))),
            Step("duel", "Duel", "2.3", (Act("roll_dice", "Roll the dice", "2.3a"), Window("2.3b"))),
            Step("curfew", "Curfew", "2.4", (
                Act("discard", "Discard", "2.4a", marks="end_of_turn"),
                Window("2.4b", "conditional"),
                Again("window_opened", "2.4c", "a curfew disturbed is held again"),
            )),
        ), clears="night"),
    ),
    rules=FrameRules(turn="0.1", begin="0.2", end="0.3", skip="0.4", extra_turn="0.5", no_turn="0.6"),
    window=priority_window("lanterns", edition="first sketch"),
    facts=(
        Fact("first_turn", "this is the very first turn", "1.2c", "controller", test=("starters_turn_is", "1")),
        Fact("challenged", "somebody was challenged", "2.2a", timing="latched", scope="night"),
        Fact("window_opened", "somebody could act", "2.4c", "controller", "latched", "window"),
    ),
    events=(Event("player_left", "somebody went home"),),
    transitions=(row("turn", None, event="player_left", rule="0.7", layer="jump", doc="the others play on"),),
)
