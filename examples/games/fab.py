"""Flesh and Blood, Comprehensive Rules 4 and 7. Unofficial."""

from fsm.rulesets import Act, Cut, During, Fact, Phase, Role, Step, Table, Then, Window

TRIGGERS = Window(by="nobody")
"""What has triggered is handled; nobody acts."""
COMBAT = Phase("combat",
    Step("layer_step", Window("7.1.2"), Act("any_attack", rule="7.1.3", decides="no_attack"),
        then=Then("close_step", "no_attack")),
    Step("attack_step", Act("new_chain_link", rule="7.2.2", decides="illegal"),
        Window("7.2.4", when="not illegal"), then=Then("close_step", "illegal")),
    Step("defend_step", Act("declare_defenders", rule="7.3.2", by="defender"),
        Window("7.3.3")),
    Step("reaction_step", Window("7.4.2")),
    Step("damage_step", Act("calculate_damage", rule="7.5.2"), Window("7.5.3")),
    Step("resolution_step", Act("link_resolves", rule="7.6.2"),
        Window("7.6.3", during=During("attack", Then("layer_step"), rule="7.6.3a"))),
    Step("close_step", Act("chain_closes", rule="7.7.3"), TRIGGERS,
        Act("clear_chain", rule="7.7.6", ends="combat_chain")),
    cut=Cut("close_chain", to="close_step", rule="7.7.2", says="an effect closes the chain"))
PROCEDURE = {"allies": "active", "arsenal": "active", "pitch": "everyone", "untap": "active",
    "lose_points": "everyone"}
FAB = Table("fab",
    Phase("start", TRIGGERS, rule="4.2"),
    Phase("action", Act("action_point", rule="4.3.2"),
        Window("4.3.3", during=During("attack", COMBAT, rule="7.0.2a"))),
    Phase("end", Step("end_begins", Window("4.4.2", by="nobody")),
        *[Step(name, Act(name, by=by), TRIGGERS) for name, by in PROCEDURE.items()],
        Step("draw_up", Act("draw", when="not first_turn"),
            Act("all_draw", when="first_turn", by="everyone"), TRIGGERS),
        Step("turn_ends", Act("turn_ends", rule="4.4.4", ends="end_of_turn"))),
    facts=(Fact("no_attack", says="nothing attacks", denies="an attack is there"),
        Fact("illegal", says="the attack is illegal", denies="the attack is legal")),
    roles=Role("defender", "opponents"), title="Flesh and Blood", lacks="extra_step")
