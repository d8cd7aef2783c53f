"""Lanterns, a game that nobody has printed: light your lanterns, trade, perhaps duel, sleep."""

from fsm.rulesets import Act, Again, Back, During, Phase, Step, Table, Then, Window

# Whoever is dared in the market may accept. Then the market waits until the brawl is over.
BRAWL = Phase("brawl", Step("scuffle", Act("strike", by="everyone"), Window()))
DARE = During("dare", Act("answer_dare", decides="accepted"), BRAWL, when="accepted")

DUSK = Phase("dusk",
    Step("kindle", Act("light_lanterns")),
    Step("forage", Act("draw_card", "Draw a card"), Window(), unless="first_turn"),
)
NIGHT = Phase("night",
    Step("market", Window(during=DARE)),
    Step("challenge", Act("challenge", "Challenge somebody", decides="challenged"),
        then=(Then("duel", "challenged"), Then("curfew", layer="skip"))),
    Step("duel", Act("roll_dice", "Roll the dice", decides="tied"), Back("roll_dice", "tied"), Window()),
    Step("curfew", Act("discard", ends="end_of_turn"), Window(opens="conditional"), Again("window_opened")),
)
LANTERNS = Table("lanterns", DUSK, NIGHT, lacks="extra_phase, extra_step")
