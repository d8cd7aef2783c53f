"""Playing scenarios: each expectation holds or says what came instead; what never comes up, what
never ends, and games and verbs of one's own.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

import fsm
from fsm import scenarios
from fsm.errors import ScenarioError, StuckError
from fsm.model import Model
from fsm.rulesets import Act, During, Phase, Role, Step, Table, Window
from fsm.scenarios import Outcome
from support.court import COURT


def played(text: str, ruleset: Any = None, **how: Any) -> Outcome:
    """The outcome of the scenario that this JSON describes."""
    data = {"id": "it", **json.loads(text)}
    [scenario] = scenarios.load(data, ruleset, place="cases.json")
    return scenarios.play(scenario, **how)


# expectations -------------------------------------------------------------------------------------

STORY = """
{"through_turn": 3, "given": [
  {"do": "day_night", "value": "day"},
  {"do": "saga", "id": "Saga", "player": "B"},
  {"do": "standing_trigger", "id": "Upkeep", "step": "upkeep", "whose": "B"},
  {"do": "control_next_turn", "player": "B", "by": "A"},
  {"when": {"turn": 1, "step": "upkeep"}, "do": "add_mana", "player": "A", "amount": 3},
  {"when": {"turn": 1, "step": "end"}, "do": "add_turn", "player": "A"},
  {"when": {"turn": 1, "step": "end"}, "do": "effect", "id": "Pump"},
  {"when": {"turn": 1, "step": "cleanup"}, "do": "hand_size", "cards": 9},
  {"when": {"turn": 3, "step": "declare_attackers"}, "do": "combatant", "id": "Bear", "side": "attacker"},
  {"when": {"turn": 3, "step": "declare_attackers"}, "do": "combatant", "id": "Ox", "side": "attacker"}],
 "expect": [%s]}
"""
RIGHT = """
{"turn_order": ["A", "A", "B"]}
{"turn": 3, "active": "B", "extra": false, "controller": "A"}
{"turn": 2, "steps": ["untap", "upkeep", "draw", "precombat_main", "beginning_of_combat", "declare_attackers", "end_of_combat", "postcombat_main", "end", "cleanup"]}
{"turn": 1, "contains": ["upkeep", "precombat_main"]}
{"turn": 1, "visits": {"draw": 0, "upkeep": 1}}
{"turn": 1, "phases": ["beginning", "precombat_main", "combat", "postcombat_main", "ending"]}
{"turn": 1, "priority": {"step": "untap", "given": false}}
{"turn": 1, "discards": {"count": 2}}
{"effect": "Pump", "active_at": [{"turn": 1, "step": "end", "value": true}]}
{"trigger": "Upkeep", "fires": [{"turn": 3, "step": "upkeep"}]}
{"trigger": "Upkeep", "put_on_stack": [{"turn": 3, "step": "upkeep"}]}
{"turn": 2, "step": "untap", "designation": "night"}
{"lore": "Saga", "on_turns": [3]}
{"mana_at": {"turn": 1, "step": "upkeep", "player": "A", "amount": 3}}
{"turn": 2, "step": "untap", "tba_order": ["phasing", "day_night", "untap_permanents"]}
{"turn": 2, "step": "draw", "priority_order": ["A", "B"]}
{"turn": 1, "stages": ["upkeep_window", "upkeep_end", "precombat_main_set_scheme"]}
{"turn": 3, "windows": 10, "passes": 22}
{"turn": 1, "step": "end", "resolves": ["Pump"]}
{"turn": 3, "step": "combat_damage", "assigns": ["Bear", "Ox"], "dealt": ["Bear", "Ox"]}
{"turn": 3, "step": "declare_blockers", "performs": {"action": "declare_blockers", "players": ["A"]}}
{"over": false}
"""
WRONG = {
    '{"turn_order": ["A", "B"]}': "wanted [A, B], got [A, A]",
    '{"turn": 3, "active": "A"}': "turn 3: wanted A, got B",
    '{"turn": 3, "extra": true}': "turn 3: wanted true, got false",
    '{"turn": 2, "controller": "B"}': "turn 2: wanted B, got A",
    '{"turn": 3, "steps": ["upkeep", "end"]}': "wanted [upkeep, end], got [untap, upkeep,",
    '{"turn": 3, "contains": ["upkeep", "end"]}': "a run of steps in turn 3: wanted [upkeep, end]",
    '{"turn": 1, "visits": {"draw": 1}}': "wanted {draw: 1}, got {draw: 0}",
    '{"turn": 1, "phases": ["combat"]}': "wanted [combat], got [beginning, precombat_main,",
    '{"turn": 1, "priority": {"step": "upkeep", "given": false}}': (
        "somebody gets priority in turn 1 upkeep: wanted false, got true"
    ),
    '{"turn": 1, "discards": {"iteration": 1, "count": 0}}': "wanted 0, got 2",
    '{"effect": "Pump", "active_at": [{"turn": 1, "step": "cleanup", "value": true}]}': (
        "effect Pump on in turn 1 cleanup: wanted true, got false"
    ),
    '{"trigger": "Upkeep", "fires": []}': "trigger Upkeep fires: wanted [], got [turn 3 upkeep]",
    '{"trigger": "Upkeep", "put_on_stack": [{"turn": 3, "step": "draw"}]}': (
        "wanted [turn 3 draw], got [turn 3 upkeep]"
    ),
    '{"turn": 1, "step": "end", "designation": "night"}': "wanted night, got day",
    '{"lore": "Saga", "on_turns": [1, 3]}': "wanted [1, 3], got [3]",
    '{"mana_at": {"turn": 1, "step": "end", "player": "A", "amount": 3}}': "wanted 3, got 0",
    '{"turn": 2, "step": "draw", "tba_order": []}': (
        "turn-based actions of turn 2 draw: wanted [], got [draw_card]"
    ),
    '{"turn": 2, "step": "draw", "priority_order": ["B", "A"]}': (
        "who receives priority in turn 2 draw: wanted [B, A], got [A, B]"
    ),
    '{"turn": 1, "stages": ["upkeep_window", "draw_window"]}': "a run of stages in turn 1: wanted",
    '{"turn": 3, "windows": 9}': "windows in turn 3: wanted 9, got 10",
    '{"turn": 3, "passes": 21}': "passes in turn 3: wanted 21, got 22",
    '{"turn": 3, "step": "upkeep", "resolves": ["Pump"]}': "wanted [Pump], got [Upkeep]",
    '{"turn": 3, "step": "combat_damage", "assigns": ["Ox"]}': "wanted [Ox], got [Bear, Ox]",
    '{"turn": 3, "step": "combat_damage", "dealt": []}': "wanted [], got [Bear, Ox]",
    '{"turn": 2, "step": "draw", "performs": {"action": "phasing", "players": ["A"]}}': (
        "who performs phasing in turn 2 draw: wanted [A], got nobody was asked"
    ),
    '{"over": true}': "the game is over: wanted true, got false",
    '{"turn": 4, "active": "A"}': "got no such",
    '{"turn": 1, "step": "draw", "priority_order": []}': "got no such",
    '{"mana_at": {"turn": 1, "step": "draw", "player": "A", "amount": 0}}': "got no such",
    '{"turn": 4, "windows": 0}': "got no such",
}


def test_what_is_expected_rightly_holds() -> None:
    outcome = played(STORY % ",".join(RIGHT.strip().splitlines()))
    assert (outcome.failures, outcome.warnings, outcome.ok) == ([], [], True)


def test_each_expectation_that_fails_says_what_came() -> None:
    failures = played(STORY % ",".join(WRONG)).failures
    assert len(failures) == len(WRONG)
    for number, (failure, message) in enumerate(zip(failures, WRONG.values(), strict=True)):
        assert failure.startswith(f"it: expect[{number}].")
        assert message in failure


@pytest.mark.parametrize(
    ("leavers", "wrong", "came"),
    [
        ('["B", "C"]', '{"over": true, "result": "draw"}', "wanted draw, got A won"),
        ('["B", "C"]', '{"winner": ["B"]}', "wanted [B], got [A]"),
        ('["A", "B", "C"]', '{"winner": ["B"]}', "wanted [B], got a draw"),
        ('["A"]', '{"winner": ["B"]}', "wanted [B], got no end"),
    ],
)
def test_a_result_that_fails_says_how_the_game_ended(leavers: str, wrong: str, came: str) -> None:
    """Rules 104.2a and 104.4a."""
    leave = f'"do": "player_leaves", "players": {leavers}'
    given = f'"players": 3, "given": [{{"when": {{"turn": 1, "step": "upkeep"}}, {leave}}}]'
    [failure] = played(f'{{{given}, "expect": [{wrong}]}}').failures
    assert failure.endswith(came)


def test_burn_that_fails_says_what_came() -> None:
    [failure] = played(
        """{"ruleset": "magic-classic", "given": [
              {"when": {"turn": 1, "step": "upkeep"}, "do": "add_mana", "player": "A", "amount": 2}],
            "expect": [{"burn": {"turn": 1, "phase": "beginning", "player": "A", "amount": 0}}]}"""
    ).failures
    assert failure.endswith("life that A loses by mana in beginning of turn 1: wanted 0, got 2")


# warnings and bounds ------------------------------------------------------------------------------

NEVER = """{"given": [{"when": {"turn": 1, "step": "draw"}, "do": "sba"},
                      {"when": {"turn": 1, "step": "upkeep"}, "do": "sba"}]}"""


def test_what_never_comes_up_is_a_warning_or_strictly_a_failure() -> None:
    warning = "given[0]: sba never came up (turn 1 draw, at priority)"
    outcome = played(NEVER)
    assert (outcome.failures, outcome.warnings) == ([], [warning])
    assert played(NEVER, strict=True).failures == [f"it: {warning}"]


def test_a_response_to_nothing_is_a_warning() -> None:
    item = '{"when": {"turn": 1, "step": "upkeep"}, "do": "cast", "player": "A", "responds": true}'
    outcome = played(f'{{"given": [{item}]}}')
    warning = "given[0]: cast never came up (turn 1 upkeep, at priority)"
    assert (outcome.failures, outcome.warnings) == ([], [warning])


def test_an_endless_turn_is_stopped_and_says_so() -> None:
    again = '{"do": "standing_trigger", "id": "Again", "step": "cleanup"}'
    text = f'{{"given": [{again}], "expect": [{{"trigger": "Again", "fires": []}}]}}'
    outcome = played(text, max_answers=900)
    assert outcome.bounded.startswith("stopped after 900 answers, in turn 1 cleanup (visit ")
    assert outcome.bounded.endswith("; name fewer turns by through_turn, or allow more answers")
    assert outcome.failures[1] == f"it: {outcome.bounded}"
    assert played("{}", max_answers=100).bounded == ""


def test_a_hole_in_the_model_stops_the_run(magic: Model) -> None:
    with pytest.raises(StuckError):
        played('{"through_turn": 2}', magic.without("draw_before -> draw_begin"))


def test_an_outcome_can_be_replayed_even_after_a_rollback(magic: Model) -> None:
    outcome = played(
        """{"through_turn": 3, "given": [
              {"when": {"turn": 2, "step": "end"}, "do": "rollback", "to_turn": 1},
              {"when": {"turn": 1, "step": "upkeep"}, "do": "add_turn"}]}"""
    )
    assert outcome.trace.replay(magic).position.turn == 4
    assert [turn.active for turn in outcome.turns] == ["A", "A", "B"]
    first = outcome.visits[0]
    assert (first.where, first.active, first.priority) == ((1, "untap", 1), "A", False)


# games of one's own -------------------------------------------------------------------------------

INSULT = '{"when": {"turn": 1, "step": "hall"}, "do": "signal", "event": "insult"}'
TAKEN = '{"when": {"turn": 1, "step": "hall"}, "do": "tell", "fact": "accepted"}'
DRAWN = '{"when": {"turn": 1, "step": "salute"}, "do": "tell", "fact": "swords_drawn"}'
TOAST = """{"when": {"turn": 1, "step": "hall"}, "do": "cast", "id": "Toast", "player": "A"},
           {"when": {"turn": 1, "step": "hall", "at": "begin"}, "do": "trigger", "id": "Bell"}"""
COURTLY = {
    "nothing happens by default": (
        "",
        '{"turn": 1, "steps": ["levee", "hall", "sleep"], "windows": 1, "passes": 2}',
    ),
    "an event leads into a phase inside": (
        f"{INSULT}, {TAKEN}",
        '{"turn": 1, "steps": ["levee", "hall", "salute", "sleep"]}',
    ),
    "facts of two steps": (
        f"{INSULT}, {TAKEN}, {DRAWN}",
        '{"turn": 1, "contains": ["hall", "salute", "bout", "sleep"]}, '
        '{"turn": 1, "step": "bout", "performs": {"action": "strike", "players": ["A", "B"]}}',
    ),
    "an event without its fact": (INSULT, '{"turn": 1, "visits": {"salute": 0}}'),
    "what is told last counts": (
        f'{INSULT}, {TAKEN}, {TAKEN[:-1]}, "value": false}}',
        '{"turn": 1, "visits": {"salute": 0}}',
    ),
    "what waits goes on after the phase inside": (
        f"{INSULT}, {TAKEN}, {TOAST}",
        '{"turn": 1, "visits": {"hall": 1, "salute": 1}}, '
        '{"turn": 1, "step": "hall", "resolves": ["Bell", "signal", "Toast"]}',
    ),
    "a rollback knows what was still to come": (
        f'{TOAST}, {{"when": {{"turn": 1, "step": "sleep", "at": "begin"}}, '
        '"do": "rollback", "to_turn": 1}',
        '{"turn": 1, "step": "hall", "resolves": ["Bell", "Toast"]}',
    ),
}


@pytest.mark.parametrize("what", COURTLY)
def test_events_and_facts_of_an_own_game_need_no_verb(what: str) -> None:
    given, expect = COURTLY[what]
    outcome = played(f'{{"given": [{given}], "expect": [{expect}]}}', COURT)
    assert (outcome.failures, outcome.warnings) == ([], [])


@pytest.mark.parametrize(
    ("item", "message"),
    [
        (INSULT.replace('"insult"', '"insalt"'), "event 'insalt' is not in court; did you mean"),
        (DRAWN.replace("swords_drawn", "sword_drawn"), "did you mean 'swords_drawn'?"),
        ('{"when": {"turn": 1, "step": "hall", "at": "salute_window"}, "do": "sba"}', "of hall"),
        ('{"when": {"turn": 1, "step": "hall"}, "do": "attackers"}', "not known in court"),
    ],
)
def test_what_an_own_game_does_not_know_is_an_error(item: str, message: str) -> None:
    with pytest.raises(ScenarioError) as error:
        played(f'{{"given": [{item}]}}', COURT)
    assert message in str(error.value)


def test_of_several_events_of_one_moment_none_is_dropped_silently() -> None:
    duel, toast = During("insult", Act("throw_glove")), During("toast", Act("drink"))
    hall = Step("hall", Window(during=(duel, toast)))
    both = INSULT + ", " + INSULT.replace('"insult"', '"toast"')
    outcome = played(f'{{"given": [{both}]}}', Table("two", Phase("day", hall)))
    [answer] = [answer for answer in outcome.trace.answers if answer.orders]
    assert answer.orders == (fsm.Signal("insult"), fsm.Signal("toast"))
    [warning] = outcome.warnings
    assert warning == "given[1]: nothing came of the signal: it is possible only in hall"


BAG = Table(
    "bag",
    Phase("ready", Act("ready_cards"), Window(by="nobody")),
    Phase("main", Window(), Act("vote", by="everyone", decides="party")),
    Phase("party", Act("dance", by="herald"), unless="not party"),
    window="solo",
    order="token",
    lacks="extra_turn",
    roles=Role("herald", "nobody", until="turn"),
)
"""A game without a stack, with a window in which nobody acts, a role, and a token."""


def test_games_without_a_stack_have_scenarios_too() -> None:
    outcome = played(
        """{"players": 3, "through_turn": 2, "given": [
              {"when": {"turn": 1, "step": "ready"}, "do": "trigger", "id": "Bell"},
              {"when": {"turn": 1, "step": "main"}, "do": "appoint", "player": "C", "role": "active"},
              {"when": {"turn": 1, "step": "main"}, "do": "cast", "player": "C", "id": "Song",
               "then": [{"do": "appoint", "role": "herald", "player": "B"}, {"do": "trigger", "id": "Echo"}]},
              {"when": {"turn": 1, "step": "main", "at": "begin"}, "do": "tell", "fact": "party"}],
            "expect": [{"turn_order": ["A", "C"]},
              {"turn": 1, "step": "ready", "resolves": ["Bell"]},
              {"turn": 1, "step": "main", "resolves": ["appoint", "Song", "Echo"]},
              {"turn": 1, "step": "party", "performs": {"action": "dance", "players": ["B"]}}]}""",
        BAG,
    )
    assert (outcome.failures, outcome.warnings) == ([], [])


def test_what_a_rulebook_lacks_cannot_be_ordered() -> None:
    with pytest.raises(ScenarioError, match=r"\(it needs extra turns\); leave it out"):
        played('{"given": [{"do": "add_turn"}]}', BAG)


@pytest.mark.parametrize(("dances", "visits"), [(["B"], 1), ([], 0)])
def test_several_players_answer_one_by_one(dances: list[str], visits: int) -> None:
    when = {"turn": 1, "step": "main", "at": "begin"}
    given = [
        {"when": when, "do": "tell", "fact": "party", "player": player, "value": player in dances}
        for player in "ABC"
    ]
    expect = [
        {"turn": 1, "visits": {"party": visits}},
        {"turn": 1, "step": "main", "performs": {"action": "vote", "players": ["A", "B", "C"]}},
    ]
    outcome = played(json.dumps({"players": 3, "given": given, "expect": expect}), BAG)
    assert (outcome.failures, outcome.warnings) == ([], [])
    assert [answer.player for answer in outcome.trace.answers if answer.player] == ["A", "B", "C"]


def test_players_leave_only_where_the_model_has_the_event(magic: Model) -> None:
    data = json.loads(json.dumps(magic.to_json()).replace('"player_left"', '"conceded"'))
    leaving = """{"players": 3, "given": [
        {"when": {"turn": 1, "step": "upkeep"}, "do": "player_leaves", "player": "B"}]}"""
    with pytest.raises(ScenarioError, match=r"needs the event player_left"):
        played(leaving, Model.from_json(data))
