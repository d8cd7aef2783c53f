"""Disney Lorcana, Comprehensive Rules 4 (August 2025). Unofficial."""

from fsm.rulesets import Act, During, Phase, Step, Table, Then, Window

TRIGGERS = Window(by="nobody")
"""What has triggered is handled; nobody acts."""
CHALLENGE = Phase("challenge",
    Step("declare", Act("declare_challenge"), TRIGGERS, Act("still_there", decides="broken_off"),
        then=Then("challenge_ends", "broken_off")),
    Step("challenge_damage", Act("deal_damage"), TRIGGERS),
    Step("challenge_ends", Act("end_challenge", ends="this_challenge")))
LORCANA = Table("lorcana",
    Phase("beginning",
        Step("ready", Act("ready_cards"), Act("turn_starts", ends="your_next_turn"), rule="4.2.1"),
        Step("set", Act("characters_dry"), Act("gain_location_lore"), TRIGGERS, rule="4.2.2"),
        Step("draw", Act("draw_card"), TRIGGERS, unless="first_turn", rule="4.2.3")),
    Phase("main", Window(during=During("challenge", CHALLENGE, rule="4.3.6")), rule="4.3"),
    Phase("end", TRIGGERS, Act("turn_effects_end", ends="end_of_turn"),
        Window(name="last_bag", by="nobody"), rule="4.4"),
    window="solo", title="Disney Lorcana", lacks="extra_phase, extra_step, skip_phase")
