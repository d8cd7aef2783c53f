"""Pokemon, Advanced Players' Rulebook 2.2, A-01. Unofficial."""

from fsm.rulesets import Act, Duration, Fact, Phase, Step, Table, Then, Window

POKEMON = Table("pokemon",
    Phase("draw", Act("draw_card")),
    Phase("main", Window()),
    Phase("attack",
        Step("announce", Act("announce_attack", decides="attacks"),
            then=Then("end_of_phase", "not attacks")),
        Step("attempt", Act("check_effects_and_confusion", decides="fails"),
            then=Then("end_of_phase", "fails")),
        Step("carry_out", Act("before_damage"), Act("put_damage"), Act("other_effects")),
        Step("knock_outs", Act("knock_out", asks="check"), Act("take_prizes", by="everyone"),
            Act("new_active", by="everyone")),
        unless="first_turn"),
    Phase("turn_ends", Window(by="nobody"), Act("turn_ends", ends="end_of_turn")),
    Phase("checkup",
        Step("conditions", Act("poison", by="everyone"), Act("burn", by="everyone"),
            Act("asleep", by="everyone"), Act("paralysis", ends="paralysis")),
        Step("between_turns", Act("other_checkup_effects", by="everyone")),
        Step("checkup_knock_outs", Act("knock_out", asks="check"),
            Act("take_prizes", by="everyone"), Act("new_active", by="everyone"))),
    durations=(Duration("end_of_turn", "mark", "end_of_turn"),
        Duration("end_of_your_next_turn", "mark", "end_of_turn", "yours", "next"),
        Duration("paralysis", "mark", "paralysis", "yours", "next")),
    facts=(Fact("attacks", says="an attack", denies="no attack"),
        Fact("fails", says="the attack fails", denies="the attack succeeds")),
    window="solo", title="Pokémon", lacks="extra_phase, extra_step, skip_step")
