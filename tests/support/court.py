"""The court: a small game in the short spelling, with a phase inside a phase."""

from __future__ import annotations

from fsm.rulesets import Act, Again, During, Phase, Step, Table, Window

DUEL = Phase(
    "duel",
    Step("salute", Window(), Act("draw_swords", decides="swords_drawn")),
    Step("bout", Act("strike", by="everyone"), Window(), unless="not swords_drawn"),
)
INSULT = During("insult", Act("throw_glove", decides="accepted"), DUEL, when="accepted")
NIGHT = Phase(
    "night",
    Step(
        "sleep",
        Act("discard", ends="end_of_turn"),
        Window(opens="conditional"),
        Again("window_opened"),
    ),
)
COURT = Table(
    "court",
    Phase("morning", Step("levee", Act("dress"), Act("draw_card", when="not first_turn"))),
    Phase("audience", Step("hall", Window(during=INSULT))),
    NIGHT,
)
