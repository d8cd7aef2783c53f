"""One Piece, Comprehensive Rules 6 and 7. Unofficial."""

from typing import Any

from fsm.rulesets import Act, During, Phase, Step, Table, Then, Window


def nobody(name: str = "window", **words: Any) -> Window:
    """Nobody acts: what has triggered is handled."""
    return Window(name=name, by="nobody", **words)


def fought(name: str, *parts: Act | Window) -> Step:
    return Step(name, *parts, Act("still_there", decides="broken_off"),
        then=Then("battle_ends", "broken_off"))
BATTLE = Phase("battle",
    fought("attack_step", Act("declare_attack", rule="7-1-1"), nobody()),
    fought("block_step", Act("block", rule="7-1-2", by="defending"), nobody()),
    fought("counter_step", Window(rule="7-1-3", by="defending")),
    Step("damage_step", Act("compare_power", rule="7-1-4"), Act("deal_damage"), nobody()),
    Step("battle_ends", nobody(), Act("end_battle", rule="7-1-5", ends="this_battle")))
ONEPIECE = Table("onepiece",
    Phase("refresh", nobody(), Act("return_don"), Act("set_active"), rule="6-2"),
    Phase("draw", Act("draw_card"), unless="first_turn", rule="6-3"),
    Phase("don", Act("place_one", when="first_turn"), Act("place_two", when="not first_turn"),
        rule="6-4"),
    Phase("main", Window(during=During("attack", BATTLE, unless="first_own_turn")), rule="6-5"),
    Phase("end", nobody(), Act("turn_ends", ends="end_of_turn"), rule="6-6"),
    window="solo", title="One Piece", lacks="extra_phase, extra_step")
