"""Legend of the Five Rings, Rules Reference 1.1 to 5.6. Unofficial."""

from fsm.rulesets import Act, Fact, Phase, Role, Step, Table, Then, Window

CONFLICTS = Phase("conflict",
    Step("before", Window("3.1"), Act("count_conflicts", decides="conflict_left"),
        then=Then("favor", "not conflict_left")),
    Step("declare", Act("who_is_next"),  # done(Appoint("attacker", ...), Appoint("defender", ...))
        Act("declare_conflict", rule="3.2", by="attacker", decides="declared"),
        then=Then("before", "not declared")),
    Step("defend", Act("declare_defenders", rule="3.2.1", by="defender"),
        Window("3.2.2", by="defender")),
    Step("resolve", Act("compare_skill", rule="3.2.3"), Act("unopposed", rule="3.2.4"),
        Act("break_province", rule="3.2.5"), Act("ring_effects", rule="3.2.6"),
        Act("claim_ring", rule="3.2.7"), Act("return_home", rule="3.2.8", ends="this_conflict"),
        then=Then("before")),
    Step("favor", Act("count_glory", rule="3.4.1", by="everyone"), Act("claim", rule="3.4.2")))
L5R = Table("l5r",
    Phase("dynasty", Act("reveal", rule="1.2"), Act("collect_fate", rule="1.3", by="everyone"),
        Window("1.4", passing="for_good")),
    Phase("draw", Act("honor_bid", rule="2.2", by="everyone"), Act("reveal_dials", rule="2.3"),
        Act("transfer_honor", rule="2.4"), Act("draw", rule="2.5", by="everyone"), Window()),
    CONFLICTS,
    Phase("fate", Act("discard_characters", rule="4.2", by="everyone"),
        Act("remove_fate", rule="4.3"), Act("fate_on_rings", rule="4.4"), Window()),
    Phase("regroup", Window("5.1"), Act("ready", rule="5.2"),
        Act("discard_provinces", rule="5.3", by="everyone"), Act("return_rings", rule="5.4"),
        Act("pass_token", rule="5.5"), Act("round_ends", rule="5.6", ends="end_of_round")),
    turn="round", order="token", active="the first player", window="alternating",
    roles=(Role("attacker", "nobody"), Role("defender", "nobody")),
    facts=(Fact("conflict_left", says="a conflict is left", denies="no conflict is left"),
        Fact("declared", says="a conflict is declared", denies="no conflict is declared")),
    title="Legend of the Five Rings", lacks="extra_turn, extra_step")
