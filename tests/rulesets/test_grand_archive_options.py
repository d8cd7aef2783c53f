"""What Grand Archive's rules leave open, value by value, and what the edition of 2024 has
otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest

import fsm
from fsm import rulesets
from fsm.engine.requests import Answer, Over, Perform, Priority
from fsm.errors import RulesetError, ScenarioError
from fsm.rulesets import load
from fsm.rulesets.grand_archive.options import Options
from fsm.scenarios import Outcome, parse_scenarios, play
from fsm.state.orders import Effect
from support.amounts import amount, sample
from support.archivetable import endless, item
from support.playing import quiet, started, until

VALUES = {name: option.values for name, option in rulesets.options("grand-archive").items()}
FULL = ["wake_up", "materialize", "recollection", "draw", "main", "end"]
COMBAT = ["retaliation", "damage", "end_of_combat"]
X1_TO_X4 = [
    f"end_of_combat_{name}" for name in ("place_triggers", "check", "place_new_triggers")
] + [
    *("end_of_combat_remove_roles", "end_of_combat_discard_intent"),
]
Items = tuple[dict[str, Any], ...]


@dataclass(frozen=True)
class Point:
    """One game that tells the values of an option apart: what is expected with each."""

    option: str
    given: Items
    wanted: Mapping[object, Items]
    options: Mapping[str, object] = field(default_factory=dict)
    rest: Mapping[str, Any] = field(default_factory=dict)

    def play(self, value: object, expect: Items) -> Outcome:
        """Play it with this value, expecting this."""
        options = {**self.options, self.option: value}
        data = {
            "ruleset": "grand-archive",
            "options": options,
            "given": list(self.given),
            "expect": list(expect),
        }
        return play(parse_scenarios({**self.rest, **data}, "here")[0])

    def holds(self, value: object, expect: Items) -> bool:
        """Does it go like this with this value? Not if its model does not even have the words."""
        try:
            return not self.play(value, expect).failures
        except ScenarioError as error:
            assert "expect[" in str(error)
            return False

    def __str__(self) -> str:
        return f"{self.option}-{'-'.join(map(str, self.options.values()))}".rstrip("-")


def steps(turn: int, *names: str) -> dict[str, Any]:
    return {"turn": turn, "steps": list(names)}


def stages(turn: int, *ids: str) -> dict[str, Any]:
    return {"turn": turn, "stages": list(ids)}


def actions(turn: int, step: str, *names: str) -> dict[str, Any]:
    return {"turn": turn, "step": step, "tba_order": list(names)}


def order(turn: int, step: str, players: str) -> dict[str, Any]:
    return {"turn": turn, "step": step, "priority_order": list(players)}


def on(effect: str, turn: int, step: str, value: bool) -> dict[str, Any]:
    return {"effect": effect, "active_at": [{"turn": turn, "step": step, "value": value}]}


def coming(step: str) -> dict[str, Any]:
    """A trigger at the beginning of this step of turn 3."""
    return item(
        "delayed_trigger", 2, "main", id=f"at-{step}", step=step, player="A", on="your_next_turn"
    )


ATTACK = item("attack", 3, "main")
STANCE = item("effect", 3, "main", id="stance", until="end_of_main")
BLESSING = item("effect", 3, "main", id="blessing", until="end_of_turn")
DISTORTED = item("time_distorted", 2, "main")
NO_END = item("skip_phase", 3, "main", phase="end", player="A")
END_MAIN, END_TURN = item("end_phase", 3, "main"), item("end_turn", 3, "main")
OLD = {"edition": "OLD"}
SERIES = [f"end_{name}" for name in ("remove_damage", "end_effects", "discard_to_limits")]
"""The clean-up of 2024: a series of actions."""
MOVED = steps(3, "wake_up", "recollection", "draw", "main", "materialize", "end")
LATE = steps(3, *FULL[:5], "materialize", "end")
FIGHT = (ATTACK, item("trigger", 3, "damage", "damage_deal_combat_damage", id="on-hit"))
FLINCH = (
    ATTACK,
    ATTACK,
    item("trigger", 3, "retaliation", "retaliation_declare_retaliation", id="flinch"),
)
CUT = (ATTACK, item("end_phase", 3, "retaliation", triggers_during=["dies"]))
SEVERAL = (ATTACK, item("retaliators", 3, "retaliation", count=2))

POINTS = (
    Point(
        "edition",
        (item("trigger", 3, "recollection", "recollection_recollect", id="recollected"),),
        {
            "CUR": (
                stages(
                    3,
                    "recollection_recollect",
                    "recollection_afterwards",
                    "draw_draw_card",
                    "main_window",
                ),
            ),
            "OLD": (
                stages(
                    3, "recollection_recollect", "recollection_place_triggers", "draw_draw_card"
                ),
            ),
        },
    ),
    Point(
        "begin_triggers_after_tba",
        (coming("draw"), coming("wake_up")),
        {
            True: (
                stages(3, "draw_draw_card", "draw_triggers"),
                stages(3, "wake_up_wake", "wake_up_triggers"),
            ),
            False: (
                stages(3, "draw_first_triggers", "draw_draw_card", "main_window"),
                stages(3, "wake_up_first_triggers", "wake_up_wake", "materialize_materialize"),
            ),
        },
    ),
    Point(
        "charge_before_triggers",
        (coming("recollection"),),
        {
            True: (
                stages(
                    3,
                    "recollection_add_charge_counters",
                    "recollection_triggers",
                    "recollection_window",
                ),
            ),
            False: (
                stages(
                    3,
                    "recollection_triggers",
                    "recollection_add_charge_counters",
                    "recollection_window",
                ),
            ),
        },
    ),
    Point(
        "combat_suspends_main",
        (STANCE, ATTACK),
        {
            True: (
                on("stance", 3, "main", True),
                on("stance", 3, "retaliation", True),
                on("stance", 3, "end", False),
            ),
            False: (on("stance", 3, "main", True), on("stance", 3, "retaliation", False)),
        },
    ),
    Point(
        "window_after_retaliation",
        FLINCH,
        {
            "conditional": (
                stages(
                    3, "retaliation_declare_retaliation", "retaliation_afterwards", "damage_window"
                ),
                stages(3, "retaliation_declare_retaliation", "damage_window"),
            ),
            "natural": (
                order(3, "retaliation", "ABABAB"),
                {**order(3, "retaliation", "ABAB"), "iteration": 2},
            ),
            "none": (
                order(3, "retaliation", "AB"),
                {"turn": 3, "step": "damage", "resolves": ["flinch"]},
            ),
        },
    ),
    Point(
        "retaliator_order",
        SEVERAL,
        {
            "after_window": (
                stages(3, "damage_window", "damage_order_retaliators", "damage_deal_combat_damage"),
            ),
            "before_window": (
                stages(3, "damage_order_retaliators", "damage_window", "damage_deal_combat_damage"),
            ),
        },
    ),
    Point(
        "clear_combat_before_window",
        FIGHT,
        {
            True: (stages(3, *X1_TO_X4, "end_of_combat_triggers", "main_window"),),
            False: (
                stages(3, *X1_TO_X4[:3], "end_of_combat_triggers", *X1_TO_X4[3:], "main_window"),
            ),
        },
    ),
    Point(
        "forced_end_of_combat_window",
        CUT,
        {
            "conditional": (
                stages(3, "combat_cut", *X1_TO_X4, "end_of_combat_triggers", "main_window"),
            ),
            "none": (
                stages(3, "combat_cut", *X1_TO_X4, "main_window"),
                {"turn": 3, "step": "main", "resolves": ["dies"]},
            ),
        },
    ),
    Point(
        "forced_end_of_combat_window",
        (ATTACK, item("end_turn", 3, "retaliation", triggers_during=["dies"])),
        {
            "conditional": (
                stages(3, "end_turn_stack", *X1_TO_X4, "end_of_combat_triggers", "end_clean_up"),
            ),
            "none": (stages(3, "end_turn_stack", *X1_TO_X4, "end_clean_up", "end_recheck"),),
        },
        {"silent_combat_teardown": False},
    ),
    Point(
        "enter_extra_materialize",
        (DISTORTED, END_MAIN),
        {True: (MOVED,), False: (steps(3, "wake_up", "recollection", "draw", "main", "end"),)},
    ),
    Point(
        "ending_end_phase_ends_turn",
        (item("end_phase", 3, "end"), BLESSING),
        {
            True: (
                stages(3, "end_window", "end_turn_stack", "end_clean_up"),
                on("blessing", 4, "recollection", False),
            ),
            False: (
                stages(3, "end_window", "end_cut"),
                actions(3, "end"),
                on("blessing", 4, "recollection", True),
            ),
        },
    ),
    Point(
        "end_turn_target",
        (END_TURN, item("trigger", 3, "main", id="later")),
        {
            "clean_up": (
                stages(3, "end_turn_stack", "end_clean_up", "end_recheck", "end_clean_up"),
            ),
            "recheck": (stages(3, "end_turn_stack", "end_recheck", "end_clean_up"),),
        },
    ),
    Point(
        "silent_combat_teardown",
        (ATTACK, item("end_turn", 3, "damage")),
        {
            True: (stages(3, "end_turn_stack", "end_turn_combat", "end_clean_up"),),
            False: (stages(3, "end_turn_stack", *X1_TO_X4, "end_clean_up"),),
        },
    ),
    Point(
        "skip_spent_by_absent_phase",
        tuple(
            {"do": "skip_phase", "phase": phase, "player": "A"}
            for phase in ("wake_up", "recollection", "draw")
        ),
        {
            True: (steps(3, *FULL),),
            False: (steps(3, "materialize", "main", "end"), steps(5, *FULL)),
        },
    ),
    Point(
        "persist_until_next_clean_up",
        (NO_END, BLESSING),
        {
            True: (
                on("blessing", 4, "recollection", True),
                on("blessing", 5, "recollection", False),
            ),
            False: (on("blessing", 3, "main", True), on("blessing", 4, "recollection", False)),
        },
    ),
    Point(
        "clean_up_change",
        (item("sba", 3, "end", "end_clean_up"),),
        {
            "sba_or_trigger": (stages(3, "end_window", "end_clean_up", "end_clean_up"),),
            "trigger": (actions(3, "end", "clean_up"),),
            "anything": (actions(3, "end", "clean_up", "clean_up"),),
        },
    ),
    Point(
        "clean_up_change",
        (item("trigger", 3, "end", "end_clean_up", id="discarded"),),
        {
            value: (actions(3, "end", "clean_up", "clean_up"),)
            for value in ("sba_or_trigger", "trigger", "anything")
        },
    ),
    Point(
        "round_after_recheck",
        (item("trigger", 3, "end", "end_clean_up", id="discarded"),),
        {True: (order(3, "end", "ABABAB"),), False: (order(3, "end", "ABAB"),)},
    ),
    Point(
        "round_before_materialize",
        (coming("materialize"),),
        {True: (order(3, "materialize", "ABAB"),), False: (order(3, "materialize", "AB"),)},
    ),
    Point(
        "old_clean_up_loops",
        (item("trigger", 3, "end", "end_discard_to_limits", id="discarded"),),
        {
            False: (
                stages(3, "end_window", *SERIES, "end_recheck"),
                {"turn": 3, "windows": 3},
                {"trigger": "discarded", "put_on_stack": [{"turn": 4, "step": "wake_up"}]},
            ),
            True: (
                stages(3, "end_window", *SERIES, "end_recheck", *SERIES),
                {"turn": 3, "windows": 4},
            ),
        },
        OLD,
    ),
    Point(
        "extra_turn_can_be_first",
        (item("add_turn", 1, "main", player="B"),),
        {
            True: (
                {"turn": 2, "active": "B", "extra": True},
                steps(2, "draw", "main", "end"),
                steps(3, *FULL),
            ),
            False: (
                {"turn": 2, "active": "B", "extra": True},
                steps(2, *FULL),
                steps(3, "draw", "main", "end"),
            ),
        },
    ),
    Point(
        "distortion_counts_late",
        (item("time_distorted", 3, "main"),),
        {True: (LATE,), False: (steps(3, *FULL),)},
    ),
    Point(
        "distorted_first_turn_skips",
        ({"do": "time_distorted"},),
        {True: (steps(1, "main", "end"),), False: (steps(1, "main", "materialize", "end"),)},
    ),
    Point(
        "pantheon_first_draw",
        (),
        {True: (steps(1, "draw", "main", "end"),), False: (steps(1, "main", "end"),)},
        rest={"settings": {"pantheon": True}},
    ),
    Point(
        "last_of_cycle",
        (item("player_leaves", 1, "main", player="C"), item("attack", 2, "main")),
        {
            "living": (steps(2, "draw", "main", *COMBAT, "end"),),
            "seated": (steps(2, "draw", "main", "end"),),
        },
        rest={"players": 3},
    ),
    Point(
        "next_player_acts_for_lost",
        (
            item("player_leaves", 4, "main", player="A"),
            {"do": "standing_trigger", "id": "dusk", "step": "end"},
        ),
        {
            True: (stages(4, "main_window", "end_window", "end_clean_up"), order(4, "end", "BCBC")),
            False: (
                stages(4, "main_window", "end_clean_up"),
                {"turn": 4, "priority": {"step": "end", "given": False}},
            ),
        },
        rest={"players": 3},
    ),
    Point(
        "champion_enters_first",
        (item("trigger", 2, "draw", "draw_place_champion", id="enters"),),
        {
            True: (
                stages(
                    2,
                    "draw_place_champion",
                    "draw_champion_enters",
                    "draw_draw_card",
                    "main_window",
                ),
            ),
            False: (
                stages(2, "draw_place_champion", "draw_draw_card", "draw_triggers", "main_window"),
            ),
        },
        OLD,
    ),
    Point(
        "champion_at",
        (),
        {
            "edition": (actions(2, "draw", "draw_card"),),
            "game_start": (actions(2, "draw", "draw_card"), actions(1, "main")),
            "first_turn": (
                actions(2, "draw", "place_champion", "draw_card"),
                actions(1, "main", "place_champion"),
            ),
        },
    ),
    Point(
        "champion_at",
        (),
        {
            "edition": (
                actions(2, "draw", "place_champion", "draw_card"),
                actions(1, "main", "place_champion"),
            ),
            "game_start": (actions(2, "draw", "draw_card"),),
            "first_turn": (actions(2, "draw", "place_champion", "draw_card"),),
        },
        OLD,
    ),
    Point(
        "round_after_materialize",
        (
            item(
                "materialize",
                3,
                "materialize",
                id="relic",
                then=[{"do": "trigger", "id": "enters"}],
            ),
        ),
        {True: (order(3, "materialize", "ABABAB"),), False: (order(3, "materialize", "ABAB"),)},
    ),
)
ELSEWHERE = {"clean_up_limit", "turn_end_effects_once"}
"""Options that no scenario can tell apart; the tests below ask the controller."""
TOLD_APART_BELOW = {("clean_up_change", "anything")}
PLAYED = [(point, value) for point in POINTS for value in point.wanted]


# every option is there, builds and differs --------------------------------------------------------


def choices(option: str) -> tuple[object, ...]:
    return (*VALUES[option], 1, 7) if option == "clean_up_limit" else VALUES[option]


EVERY = [(option, value) for option in VALUES for value in choices(option)]


@pytest.mark.parametrize(
    ("option", "value", "edition"),
    sample([(*one, edition) for one in EVERY for edition in ("CUR", "OLD")], 6),
)
def test_every_value_makes_a_model_without_findings(
    option: str, value: object, edition: str
) -> None:
    assert fsm.check(load("grand-archive", {"edition": edition, option: value})) == []


@pytest.mark.parametrize("seed", range(amount(6, 60)))
def test_options_go_together(seed: int) -> None:
    random = Random(seed)
    options = {option: random.choice(choices(option)) for option in VALUES}
    assert fsm.check(load("grand-archive", options)) == []


def test_every_open_point_is_a_documented_option() -> None:
    named = {int(number) for number in re.findall(r"U-(\d+)", Options.__doc__ or "")}
    assert named == set(range(1, 29))
    documented = re.findall(r"^    ([\w, ]+):", Options.__doc__ or "", flags=re.M)
    assert {name for line in documented for name in line.split(", ")} == set(VALUES)


def test_every_value_of_every_option_is_played() -> None:
    for option in set(VALUES) - ELSEWHERE:
        told = {value for point in POINTS if point.option == option for value in point.wanted}
        assert told == set(VALUES[option]), option


@pytest.mark.parametrize(("point", "value"), sample(PLAYED, 16), ids=str)
def test_a_value_does_what_it_says(point: Point, value: object) -> None:
    outcome = point.play(value, point.wanted[value])
    assert (outcome.failures, outcome.warnings) == ([], [])


@pytest.mark.parametrize("option", sorted(set(VALUES) - ELSEWHERE))
def test_values_are_told_apart(option: str) -> None:
    """For each other value there is a game that does not go as with the default."""
    default, *others = VALUES[option]
    points = [point for point in POINTS if point.option == option]
    for other in others:
        apart = any(not point.holds(other, point.wanted[default]) for point in points)
        assert apart != ((option, other) in TOLD_APART_BELOW)


def test_an_option_that_is_not_there_is_refused() -> None:
    with pytest.raises(RulesetError, match="did you mean 'retaliator_order'"):
        load("grand-archive?retaliators_order=after_window")
    with pytest.raises(RulesetError, match="must be"):
        load("grand-archive?end_turn_target=end")


# what takes more than a scenario ------------------------------------------------------------------


@pytest.mark.parametrize(("once", "manner"), [(True, "effects_once"), (False, "effects_each_time")])
def test_effects_as_the_turn_ends(once: bool, manner: str) -> None:
    """U-26: the clean-up says whether they occur when it repeats."""
    controller = started(load("grand-archive", {"turn_end_effects_once": once}))
    request = until(controller, lambda r: isinstance(r, Perform) and r.action == "clean_up")
    assert isinstance(request, Perform)
    assert request.manner == manner


@pytest.mark.parametrize("limit", [1, 3])
@pytest.mark.parametrize("fact", ["sba_performed", "triggers_waiting"])
def test_an_endless_clean_up_is_reported(fact: str, limit: int) -> None:
    """U-24: so many repeats, then the game says where it is."""
    controller, clean_ups = endless(load("grand-archive", {"clean_up_limit": limit}), fact)
    assert isinstance(controller.request, Over)
    assert (controller.request.state, clean_ups) == ("clean_up_loop", limit + 1)


@pytest.mark.parametrize("changed", [True, False])
def test_the_clean_up_itself_can_be_the_change(changed: bool) -> None:
    """U-14, taken literally: also the removal of damage."""
    tells = item("tell", 3, "end", "end_clean_up", fact="clean_up_changed", value=changed)
    wanted = (actions(3, "end", *["clean_up"] * (1 + changed)),)
    outcome = Point("clean_up_change", (tells,), {"anything": wanted}).play("anything", wanted)
    assert outcome.failures == []


def test_what_the_last_clean_up_changed_is_forgotten() -> None:
    """Ended in its end phase, the turn has one more clean-up; that one changes nothing."""
    model = load("grand-archive", {"clean_up_change": "anything"})
    controller = started(model)
    until(controller, lambda r: r.at.stage == "end_clean_up")
    facts = {**dict.fromkeys(controller.request.facts, False), "clean_up_changed": True}
    controller.answer(Answer("done", facts, (), fsm.Signal("end_turn")))
    found = []
    while controller.request.at.turn == 1:
        found.append(controller.request.at.stage)
        told = {name: name == "stack_empty" for name in controller.request.facts}
        controller.answer(Answer("done", told))
    assert found == ["end_turn_stack", "end_clean_up", "end_recheck"]


@pytest.mark.parametrize("suspends", [True, False])
@pytest.mark.parametrize(
    "ender", [(), (END_MAIN,), (END_TURN,), (ATTACK, item("end_turn", 3, "damage"))]
)
def test_until_end_of_main_phase_ends_however_main_ends(suspends: bool, ender: Items) -> None:
    """U-3 in both readings."""
    given = (STANCE, *ender)
    wanted = (
        on("stance", 3, "main", True),
        on("stance", 3, "end", False),
        on("stance", 4, "recollection", False),
    )
    outcome = Point("combat_suspends_main", given, {suspends: wanted}).play(suspends, wanted)
    assert outcome.failures == []


def test_nobody_stays_in_combat_when_its_last_window_is_ended() -> None:
    """U-6, the other reading: roles and intent go after the window, also if an effect ends combat
    there.
    """
    ender = {"player": "A", "id": "ender", "responds": True, "then": [{"do": "end_phase"}]}
    given = (*FIGHT, item("cast", 3, "end_of_combat", "priority", **ender))
    wanted = (
        stages(3, "end_of_combat_triggers", "end_of_combat_cut", *X1_TO_X4[3:], "main_window"),
    )
    assert (
        Point("clear_combat_before_window", given, {False: wanted}).play(False, wanted).failures
        == []
    )
    wanted = (stages(3, *X1_TO_X4, "end_of_combat_triggers", "end_of_combat_cut", "main_window"),)
    assert (
        Point("clear_combat_before_window", given, {True: wanted}).play(True, wanted).failures == []
    )


# the edition of 2024 ------------------------------------------------------------------------------

EDITIONS: dict[str, tuple[Items, dict[str, Items]]] = {
    "end clean-up": (
        (),
        {
            "CUR": (stages(3, "end_window", "end_clean_up"), order(3, "end", "AB")),
            "OLD": (stages(3, "end_window", *SERIES, "end_recheck"), order(3, "end", "AB")),
        },
    ),
    "triggers caused by recollecting": (
        (item("trigger", 3, "recollection", "recollection_recollect", id="recollected"),),
        {
            "CUR": ({"turn": 3, "step": "recollection", "resolves": ["recollected"]},),
            "OLD": (
                {"turn": 3, "step": "draw", "resolves": ["recollected"]},
                {"trigger": "recollected", "put_on_stack": [{"turn": 3, "step": "recollection"}]},
            ),
        },
    ),
    "main begins": (
        (coming("main"),),
        {
            "CUR": (stages(3, "draw_draw_card", "main_triggers", "main_window"),),
            "OLD": (
                stages(3, "draw_draw_card", "main_window", "end_window"),
                order(3, "main", "ABAB"),
            ),
        },
    ),
    "level-0 champion": (
        (),
        {
            "CUR": (actions(2, "draw", "draw_card"), actions(1, "main")),
            "OLD": (
                actions(2, "draw", "place_champion", "draw_card"),
                actions(1, "main", "place_champion"),
            ),
        },
    ),
    "first-turn attack": (
        (item("attack", 1, "main"),),
        {"CUR": (steps(1, "main", "end"),), "OLD": (steps(1, "main", *COMBAT, "end"),)},
    ),
    "end of combat": (
        (ATTACK,),
        {
            "CUR": (stages(3, "damage_deal_combat_damage", *X1_TO_X4, "main_window"),),
            "OLD": (
                stages(
                    3, "damage_deal_combat_damage", *X1_TO_X4[:2:-1], *X1_TO_X4[:3], "main_window"
                ),
            ),
        },
    ),
    "an attack card over another item": (
        (
            item("cast", 3, "main", player="A", id="below"),
            item(
                "cast",
                3,
                "main",
                player="A",
                id="card",
                responds=True,
                then=[{"do": "signal", "event": "attack"}],
            ),
            item("tell", 3, "main", "main_declare_attack", fact="attack_declared"),
        ),
        {
            "CUR": (steps(3, *FULL), {"turn": 3, "step": "main", "resolves": ["card", "below"]}),
            "OLD": (
                steps(3, *FULL[:5], *COMBAT, "end"),
                {"turn": 3, "step": "main", "resolves": ["card"]},
                {"turn": 3, "step": "retaliation", "resolves": ["below"]},
            ),
        },
    ),
}
"""The rows of the rulebook's table of editions that move the turn."""


@pytest.mark.parametrize("topic", EDITIONS)
@pytest.mark.parametrize("edition", ["CUR", "OLD"])
def test_what_an_edition_says(topic: str, edition: str) -> None:
    given, wanted = EDITIONS[topic]
    outcome = Point("edition", given, {}).play(edition, wanted[edition])
    assert outcome.failures == []
    assert [w for w in outcome.warnings if "tell" not in w] == []


@pytest.mark.parametrize("topic", EDITIONS)
def test_editions_differ(topic: str) -> None:
    given, wanted = EDITIONS[topic]
    assert not Point("edition", given, {}).holds("OLD", wanted["CUR"])


def test_editions_are_named_in_model_and_window() -> None:
    for edition, name in (("CUR", "GA CR 2026-08"), ("OLD", "GA CR 2024")):
        model = load("grand-archive", {"edition": edition})
        assert model.window is not None
        assert (model.edition, model.window.edition) == (name, name)


@pytest.mark.parametrize(
    ("edition", "expired_at", "discards_after"),
    [("CUR", "clean_up", False), ("OLD", "end_effects", True)],
)
def test_a_hand_limit_of_this_turn_is_over_before_the_discard_of_2024(
    edition: str, expired_at: str, discards_after: bool
) -> None:
    """End Phase GR3: in 2024 "this turn" ends before the turn player discards; today both happen at
    once.
    """
    controller = started(load("grand-archive", {"edition": edition}))
    until(controller, lambda r: r.at.stage == "end_window" and isinstance(r, Priority))
    controller.answer(quiet(controller.request, orders=[Effect("hand limit", "A", "end_of_turn")]))
    asked = {}
    while controller.request.at.turn == 1:
        if isinstance(controller.request, Perform):
            asked[controller.request.action] = controller.request.expired
        controller.answer(quiet(controller.request))
    assert asked[expired_at] == ("hand limit",)
    assert (
        "discard_to_limits" in list(asked)[list(asked).index(expired_at) + 1 :]
    ) == discards_after


@pytest.mark.parametrize("ender", [item("end_turn", 3, "main"), item("end_turn", 3, "end")])
def test_a_turn_that_is_ended_has_the_whole_series_of_2024(ender: dict[str, Any]) -> None:
    wanted = (
        stages(3, "end_turn_stack", *SERIES, "end_recheck"),
        on("blessing", 3, "main", True),
        on("blessing", 4, "recollection", False),
    )
    assert Point("edition", (BLESSING, ender), {}).play("OLD", wanted).failures == []


@pytest.mark.parametrize("loops", [False, True])
def test_a_lost_turn_player_has_the_series_of_2024(loops: bool) -> None:
    given = (item("player_leaves", 4, "main", player="A"),)
    wanted = (stages(4, "main_window", *SERIES),)
    rest = {"players": 3}
    options = {**OLD, "next_player_acts_for_lost": False}
    assert Point("old_clean_up_loops", given, {}, options, rest).play(loops, wanted).failures == []


def test_without_a_loop_the_old_clean_up_is_checked_until_nothing_changes() -> None:
    controller = started(load("grand-archive", OLD))
    until(controller, lambda r: r.at.stage == "end_recheck")
    facts = {"sba_performed": True, "stack_empty": True}
    again = controller.answer(
        Answer("done", {name: facts.get(name, False) for name in controller.request.facts})
    )
    assert again.state == "end_recheck"
    assert until(controller, lambda r: r.state != "end_recheck").at.turn == 2
