"""One Piece, Comprehensive Rules 6 and 7. Unofficial."""

from fsm.rulesets import Act, During, Fact, Phase, Step, Table, Then, Window

TRIGGERS = Window(by="nobody")
"""What has triggered is handled; nobody acts."""
def fought(name: str, *parts: Act | Window) -> Step:
    return Step(name, *parts, Act("still_there", decides="broken_off"),
        then=Then("battle_ends", "broken_off"))
BATTLE = Phase("battle",
    fought("attack_step", Act("declare_attack", rule="7-1-1"), TRIGGERS),
    fought("block_step", Act("block", rule="7-1-2", by="defending"), TRIGGERS),
    fought("counter_step", Window("7-1-3", by="defending")),
    Step("damage_step", Act("compare_power", rule="7-1-4"), Act("deal_damage"), TRIGGERS),
    Step("battle_ends", TRIGGERS, Act("end_battle", rule="7-1-5", ends="this_battle")))
ONEPIECE = Table("onepiece",
    Phase("refresh", TRIGGERS, Act("return_don"), Act("set_active"), rule="6-2"),
    Phase("draw", Act("draw_card"), unless="first_turn", rule="6-3"),
    Phase("don", Act("place_one", when="first_turn"), Act("place_two", when="not first_turn"),
        rule="6-4"),
    Phase("main", Window(during=During("attack", BATTLE, unless="first_own_turn")), rule="6-5"),
    Phase("end", TRIGGERS, Act("turn_ends", ends="end_of_turn"), rule="6-6"),
    facts=Fact("broken_off", says="the battle breaks off", denies="the battle goes on"),
    window="solo", title="One Piece", lacks="extra_phase, extra_step")
