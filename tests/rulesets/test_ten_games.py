"""Ten public games in short tables: nothing is wrong with them, they play, and they do in their
corners what their rulebooks say.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any

import pytest

import fsm
from fsm.orders import Order
from fsm.rulesets import Table
from support.amounts import sample
from support.folders import ROOT

sys.path.insert(0, str(ROOT / "examples" / "games"))
GAMES: dict[str, Table] = {
    name: getattr(import_module(name), name.upper())
    for name in ["yugioh", "pokemon", "lorcana", "onepiece", "fab", "swu", "netrunner", "l5r", "keyforge", "arkham"]
}  # fmt: skip


@pytest.mark.parametrize("name", sample(GAMES, 3))
def test_nothing_is_wrong_with_a_game_and_its_file_is_short(name: str) -> None:
    assert fsm.check(GAMES[name]) == []
    assert len((ROOT / "examples" / "games" / f"{name}.py").read_text("utf-8").splitlines()) <= 40


def walk(name: str, *orders: Order, turns: int = 1, out: str = "", **told: list[Any]) -> list[str]:
    """What two players are asked in these turns: actions, and windows as "STEP?PLAYER".

    `told` has the values of facts, one after another; the last one stays. `signals` are the events
    and orders of windows in which somebody acts, as "STEP EVENT"; `out` who passes for good.
    """
    game = fsm.TurnController(GAMES[name], ["A", "B"], orders=list(orders))
    signals, asked = [*told.pop("signals", [])], list[str]()
    for request in game:
        if request.at.turn > turns:
            break
        facts = dict(request.facts)
        for fact in facts:
            values = told.get(fact, [])
            if values and isinstance(request, fsm.Perform):
                facts[fact] = values.pop(0) if len(values) > 1 else values[0]
        if isinstance(request, fsm.Priority):
            asked.append(f"{request.at.step}?{request.player}")
            step, _, event = signals[0].partition(" ") if signals else ("", "", "")
            if step in (request.at.step, f"{request.at.turn}:{request.at.step}"):
                signals.pop(0)
                game.answer(request.acted(*([fsm.Signal(event)] if event else []), **facts))
            else:
                leaves = request.player in out and "for_good" in request.manner
                game.answer(request.passed(for_good=leaves, **facts))
        elif isinstance(request, fsm.Perform):
            asked.append(request.action)
            game.answer(request.done(*told.get(f"at_{request.action}", []), **facts))
        else:
            game.answer(request.quiet())
    return asked


def test_yugioh_has_main_2_only_after_a_battle_phase() -> None:
    turn = walk("yugioh", turns=2, battles=[False])
    assert "main_2?B" not in turn and turn.count("choose_phase") == 1, "no battle on the first turn"
    turn = walk("yugioh", turns=2, battles=[True], signals=["battle_step attack"])
    assert "calculate_damage" in turn and "main_2?B" in turn
    assert turn.index("calculate_damage") > turn.index("check_replay")
    assert turn.index("end_step?B") > turn.index("send_destroyed"), "back in the battle step"


def test_yugioh_cut_has_no_end_step() -> None:
    turn = walk("yugioh", turns=2, battles=[True], signals=["start_step end_battle"])
    assert "end_step?B" not in turn and "main_2?B" in turn


def test_pokemon_a_failed_attack_ends_the_turn() -> None:
    assert "announce_attack" not in walk("pokemon"), "no attack on the very first turn"
    turn = walk("pokemon", turns=2, attacks=[True], fails=[True])
    assert "before_damage" not in turn and turn.count("poison") == 2
    assert "put_damage" in walk("pokemon", turns=2, attacks=[True], fails=[False])


def test_lorcana_draws_not_first_and_breaks_a_challenge_off() -> None:
    turn = walk("lorcana", signals=["main challenge"], broken_off=[True])
    assert "draw_card" not in turn and "deal_damage" not in turn
    assert turn.index("main?A") < turn.index("end_challenge"), "then main goes on"
    assert turn[turn.index("end_challenge") + 1] == "main?A"
    assert "deal_damage" in walk("lorcana", signals=["main challenge"], broken_off=[False])


def test_onepiece_nobody_battles_on_their_own_first_turn() -> None:
    for turn in (1, 2):
        assert "declare_attack" not in walk("onepiece", turns=turn, signals=["main attack"] * 2)
    asked = walk("onepiece", turns=3, signals=["3:main attack"], broken_off=[False])
    fight = asked[asked.index("declare_attack") :]
    assert fight.index("counter_step?B") < fight.index("deal_damage"), (
        "the attacked player counters"
    )
    broken = walk("onepiece", turns=3, signals=["3:main attack"], broken_off=[True])
    assert "end_battle" in broken and "block" not in broken


def test_fab_attacks_again_only_in_the_resolution_step() -> None:
    again = ["action attack", "resolution_step attack"]
    asked = walk("fab", signals=again, no_attack=[False], illegal=[False])
    assert asked.count("calculate_damage") == 2 and asked.count("chain_closes") == 1
    elsewhere = ["action attack", "reaction_step attack"]
    asked = walk("fab", signals=elsewhere, no_attack=[False], illegal=[False])
    assert asked.count("calculate_damage") == 1
    assert asked[asked.index("clear_chain") + 1] == "action?A", "the action phase goes on"
    closed = walk("fab", signals=["action attack", "attack_step close_chain"])
    assert "calculate_damage" not in closed and "clear_chain" in closed


def test_fab_goes_back_to_each_action_phase_in_which_somebody_attacked() -> None:
    """Combat adds an action phase, in which somebody attacks again."""
    more: dict[str, Any] = {"at_calculate_damage": [fsm.AddPhase("action")]}
    asked = walk("fab", signals=["action attack"] * 2, no_attack=[False], illegal=[False], **more)
    assert (asked.count("action_point"), asked.count("action?A")) == (3, 5)


def test_fab_all_draw_on_the_first_turn() -> None:
    asked = walk("fab", turns=2)
    assert (asked.count("all_draw"), asked.count("draw")) == (1, 1)


def test_swu_who_takes_the_initiative_passes_from_then_on() -> None:
    game = fsm.TurnController(GAMES["swu"], ["A", "B"])
    asked, token = list[str](), fsm.Appoint("active", "B")
    while game.request.at.step in ("action_starts", "actions"):
        request: Any = game.request
        if not isinstance(request, fsm.Priority):
            game.answer(request.quiet())
            continue
        asked.append(request.player)
        if request.player == "B":
            game.answer(request.passed(token, for_good=True, **request.facts))
        elif len(asked) < 4:
            game.answer(request.acted(**request.facts))
        else:
            game.answer(request.passed(**request.facts))
    assert asked == ["A", "B", "A", "A"], "B is out, A goes on alone"
    assert game.request.at.active == "B", "the token has moved at once"


def test_netrunner_a_run_at_the_start_does_not_begin_the_turn_twice() -> None:
    signals = ["runner_turn run"]
    asked = walk("netrunner", turns=2, signals=signals, ice_ahead=[False], jacks_out=[False])
    assert asked.count("gain_four") == 1 and asked.count("announce_server") == 1
    assert asked.index("breach") < asked.index("count_clicks", asked.index("gain_four"))


def test_netrunner_the_corp_has_a_draw_phase() -> None:
    asked = walk("netrunner", turns=2, clicks_left=[True, False, False])
    assert (asked.count("draw_card"), asked.count("gain_four")) == (1, 1)
    assert (asked.count("take_action?A"), asked.count("take_action?B")) == (1, 0)


def test_l5r_the_defender_acts_first_and_a_window_comes_before_each_conflict() -> None:
    roles = [fsm.Appoint("attacker", "A"), fsm.Appoint("defender", "B")]
    told: dict[str, Any] = {"conflict_left": [True, False], "declared": [True]}
    seen = walk("l5r", out="AB", at_who_is_next=roles, **told)
    first = seen.index("declare_defenders")
    assert seen[first + 1] == "defend?B", "the defender acts first"
    assert seen.count("before?A") == 2, "a window before each conflict, and before the last"


def test_keyforge_start_of_turn_effects_come_if_forging_is_skipped() -> None:
    asked = walk("keyforge", fsm.SkipPhase("forge", "A"))
    assert "forge_key" not in asked and "choose_house" in asked


def test_arkham_has_no_mythos_in_round_1_and_goes_back_after_each_action() -> None:
    chosen = [fsm.Appoint("investigator", "B")]
    asked = walk(
        "arkham", at_choose_investigator=chosen, acted=[True, False], somebody_left=[False]
    )
    assert "place_doom" not in asked
    assert asked.count("take_action") == asked.count("actions?A") == 2
    assert "place_doom" in walk("arkham", turns=2)
