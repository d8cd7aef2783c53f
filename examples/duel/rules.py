"""The turn of the duel, as its rulebook has it. `fsm draw duel.rules:DUEL -o duel.svg` draws it."""

from fsm.rulesets import Act, Phase, Step, Table, Then, Window

DAWN = Phase("dawn",
    Step("ready", Act("ready", "Creatures and crystals are ready again")),
    Step("draw", Act("draw_card", "Draw a card"), unless="first_turn"),
)
COMBAT = Phase("combat",
    Step("attack", Act("attack", "Choose who attacks", decides="attacked"), Window(when="attacked"),
        then=(Then("block", "attacked"), Then("retreat", layer="skip"))),
    Step("block", Act("block", "Choose who blocks", by="defending"), Window()),
    Step("damage", Act("fight", "Everybody fights at once"), Window(opens="conditional")),
    Step("retreat", Act("retreat", "Attackers and blockers go home")),
)
DUSK = Phase("dusk", Step("rest", Act("rest", "Wounds heal", ends="dusk")))
DUEL = Table("duel", DAWN, Phase("main", Step("main", Window())), COMBAT, DUSK)
