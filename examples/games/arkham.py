"""Arkham Horror, Rules Reference: rounds of the investigators. Unofficial."""

from fsm.model import Fact
from fsm.rulesets import Act, Back, Phase, Role, Step, Table, Then, Window

ARKHAM = Table("arkham",
    Phase("mythos", Step("doom", Window("1.1", by="nobody"), Act("place_doom", rule="1.2"),
            Act("check_threshold", rule="1.3")),
        Step("encounters", Act("draw_encounter_cards", rule="1.4", by="everyone"), Window()),
        unless="first_round"),
    Phase("investigation",
        Step("investigation_begins", Window("2.1")),
        Step("next_investigator", Act("choose_investigator", rule="2.2"), Window(by="nobody")),
        Step("actions", Window(),
            Act("take_action", rule="2.2.1", by="investigator", decides="acted"),
            Back("window", "acted")),
        Step("turn_ends", Window("2.2.2", by="nobody"),
            Act("end_own_turn", ends="investigators_turn"),
            Act("who_is_left", decides="somebody_left"),
            then=Then("next_investigator", "somebody_left"))),
    Phase("enemy", Step("hunters", Act("hunters_move", rule="3.2", by="lead")),
        Step("attacks", Window(), Act("who_is_attacked"),
            Act("enemies_attack", rule="3.3", by="investigator", decides="others_left"),
            Back("window", "others_left"), Window(name="after_attacks"))),
    Phase("upkeep", Window("4.1"), Act("reset_actions", rule="4.2", by="everyone"),
        Act("ready_cards", rule="4.3"), Act("draw_and_gain", rule="4.4", by="everyone"),
        Act("hand_size", rule="4.5", by="everyone"),
        Act("round_ends", rule="4.6", ends="end_of_round")),
    turn="round", active="the investigators", stack="none", over="never",
    roles=(Role("investigator", "nobody"), Role("lead", "active", until="game")),
    facts=(Fact("acted", says="an action was taken", denies="no action was taken"),
        Fact("somebody_left", says="somebody is left", denies="nobody is left"),
        Fact("others_left", says="others are left", denies="nobody is left")),
    title="Arkham Horror", lacks="extra_turn, extra_step")
