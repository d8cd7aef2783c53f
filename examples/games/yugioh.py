"""Yu-Gi-Oh!, rulebook, phases and steps by name. Unofficial."""

from fsm.rulesets import Absent, Act, Again, Cut, During, Fact, Phase, Step, Table, Then, Window

BATTLE = Phase("battle",
    Step("start_step", Window()),
    Step("battle_step", Window(during=During("attack", Act("declare_attack"), Then("response"))),
        then=Then("end_step")),
    Step("response", Window(), Act("check_replay", decides="replay"),
        then=(Then("battle_step", "replay"), Then("damage_step", "not replay"))),
    Step("damage_step",
        Act("start_of_damage_step"), Window(name="start_window"),
        Act("before_calculation"), Window(name="before_window"),
        Act("calculate_damage"), Window(name="calculation_window"),
        Act("after_calculation"), Window(name="after_window"),
        Act("send_destroyed", ends="damage_step"), Window(name="end_window"),
        then=Then("battle_step")),
    Step("end_step", Window()),
    unless="not battles", ends="battle_phase", cut=Cut("end_battle", says="an effect ends the battle"))
YUGIOH = Table("yugioh",
    Phase("draw", Act("draw_card", when="not first_turn"), Window()),
    Phase("standby", Window()),
    Phase("main_1", Window()),
    Phase("choice", Act("choose_phase", "Battle Phase or End Phase", decides="battles"),
        unless="first_turn"),
    BATTLE,
    Phase("main_2", Window(), unless=Absent("not battle_begun", says="no battle")),
    # that the End Phase goes on if somebody acted after the discard is not confirmed
    Phase("end", Act("end_phase_begins", ends="end_phase"), Window(), Act("discard"),
        Window(name="after_discard"), Again("window_acted", says="somebody acts"),
        Act("turn_ends", ends="end_of_turn")),
    facts=(Fact("battles", says="the Battle Phase is chosen", denies="the End Phase is chosen"),
        Fact("replay", says="a replay", denies="no replay")),
    window="alternating", stack="all", title="Yu-Gi-Oh!", lacks="extra_step")
