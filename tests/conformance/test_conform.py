"""Following a recorded game through a Model: what is a run of it, and what is refused, where and
why.
"""

from __future__ import annotations

import re
import tracemalloc
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, cycle, islice

import pytest

from fsm import conform
from fsm.conformance.following import Conformance, Follower
from fsm.conformance.observations import Observation
from fsm.conformance.recordings.client import ArenaLog
from fsm.errors import FsmError
from fsm.model import Model
from fsm.views import timeline
from support.amounts import amount
from support.arenalogs import (
    ATTACK,
    BEGINNING,
    ENDING,
    FIRST,
    FIRST_STRIKE,
    QUIET,
    Turn,
    in_turn,
    line,
    log,
    messages,
    start,
    state,
)

NOISE = "[Client]12:00 a line that means nothing here\n"


def followed(
    model: Model,
    turns: list[Turn],
    *,
    allow: tuple[str, ...] = (),
    annotated: bool = True,
    seats: int = 2,
) -> Conformance:
    return conform(model, ArenaLog(log(turns, annotated=annotated, seats=seats)), allow=allow)


def less(steps: list[str], *gone: str) -> list[str]:
    return [step for step in steps if step not in gone]


def more(steps: list[str], after: str, *extra: str) -> list[str]:
    at = steps.index(after) + 1
    return [*steps[:at], *extra, *steps[at:]]


# a run of the model -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "turn",
    [QUIET, ATTACK, FIRST_STRIKE, [*QUIET, "cleanup"], [*ATTACK, "cleanup", "cleanup"]],
    ids=["quiet", "attack", "first strike", "cleanup twice", "cleanup thrice"],
)
def test_a_turn_by_the_rules_is_a_run_of_the_model(magic: Model, turn: list[str]) -> None:
    result = followed(magic, in_turn(FIRST, turn, QUIET))
    assert result.ok, result.refusal
    assert [visit.step for visit in result.visits if visit.turn == 2] == turn
    assert (result.turns, result.games, result.skipped_lines) == (3, 1, 0)


def test_a_visit_tells_what_a_scenarios_visit_tells(magic: Model) -> None:
    visits = followed(magic, in_turn(FIRST, [*QUIET, "cleanup"], QUIET)).visits
    upkeep, again, last = (
        visits[len(FIRST) + 1],
        visits[len(FIRST) + len(QUIET) - 1],
        visits[len(FIRST) + len(QUIET)],
    )
    assert (upkeep.turn, upkeep.active, upkeep.extra) == (2, "seat 2", False)
    assert (upkeep.phase, upkeep.step) == ("beginning", "upkeep")
    assert [visit.iteration for visit in (upkeep, again, last)] == [1, 1, 2]
    assert [visit.priority for visit in (upkeep, again, last)] == [True, True, False]


def test_the_firings_print_as_the_timeline_of_any_run(magic: Model) -> None:
    lines = timeline(followed(magic, in_turn(FIRST, ATTACK)).records, magic)
    assert re.match(
        r" +1 +seat 1 +UN─+UP•─+\(103\.8a\)╌M1•─+BC•─+DA•─+\(508\.8\)╌+EC•─+M2•─+EN•─+CL", lines[2]
    )
    assert re.match(
        r" +2 +seat 2 +UN─+UP•─+DR•─+M1•─+BC•─+DA•─+DB•─+CD•─+EC•─+M2•─+EN•─+CL", lines[3]
    )


def test_a_game_may_stop_anywhere(magic: Model) -> None:
    lines = log(in_turn(FIRST, FIRST_STRIKE))
    assert all(conform(magic, ArenaLog(lines[:end])).ok for end in range(2, len(lines)))


def test_three_players_take_turns_in_seat_order_and_all_draw(magic: Model) -> None:
    assert followed(magic, in_turn(QUIET, ATTACK, QUIET, QUIET, seats=3), seats=3).ok
    assert not followed(magic, in_turn(QUIET, ATTACK, QUIET, QUIET), seats=3).ok
    assert not followed(magic, in_turn(FIRST, QUIET, seats=3), seats=3).ok


def test_any_seat_may_take_the_first_turn(magic: Model) -> None:
    assert followed(magic, [(1, 2, FIRST), (2, 1, QUIET), (3, 2, QUIET)]).ok


def test_games_are_followed_one_by_one(magic: Model) -> None:
    result = conform(
        magic, ArenaLog(log(in_turn(FIRST, QUIET)) + log([(1, 2, FIRST), (2, 1, ATTACK)]))
    )
    assert (result.ok, result.games, result.turns) == (True, 2, 4)
    follower = Follower(magic)
    games = follower.by_game(ArenaLog(log(in_turn(FIRST[:4])) + log(in_turn(FIRST, QUIET))))
    turns = [(game, {record.turn for record in records if record.step}) for game, records in games]
    assert turns == [(1, {1}), (2, {1, 2})]


# refused ------------------------------------------------------------------------------------------

SWAPPED = [*FIRST[:3], "declare_attackers", "beginning_of_combat", *FIRST[5:]]
REFUSED: dict[str, tuple[list[Turn], str, str]] = {
    "a step out of order": (
        in_turn(SWAPPED),
        "declare_attackers in turn 1",
        "beginning_of_combat in turn 1",
    ),
    "a step left out": (
        in_turn(FIRST, less(QUIET, "draw")),
        "precombat_main in turn 2",
        "draw in turn 2 of seat 2",
    ),
    "untap left out": (
        in_turn(FIRST, less(QUIET, "untap")),
        "upkeep in turn 2 of seat 2",
        "untap in turn 2",
    ),
    "cleanup left out": (
        in_turn(FIRST[:-1], QUIET),
        "the beginning of turn 2 of seat 2",
        "cleanup in turn 1",
    ),
    "a step that comes back": (
        in_turn(FIRST, more(QUIET, "draw", "upkeep")),
        "upkeep in turn 2",
        "precombat_main",
    ),
    "a draw on the first turn": (
        in_turn(QUIET),
        "draw in turn 1 of seat 1",
        "precombat_main in turn 1 of seat 1",
    ),
    "damage without blocks": (
        in_turn(FIRST, less(ATTACK, "declare_blockers")),
        "combat_damage",
        "declare_blockers",
    ),
    "blocks without damage": (
        in_turn(FIRST, less(ATTACK, "combat_damage")),
        "end_of_combat",
        "combat_damage",
    ),
    "one damage of two": (
        in_turn(FIRST, less(FIRST_STRIKE, "combat_damage")),
        "end_of_combat",
        "combat_damage",
    ),
    "the wrong player": (
        [(1, 1, FIRST), (2, 1, QUIET)],
        "the beginning of turn 2 of seat 1",
        "the beginning of turn",
    ),
    "a turn number that jumps": (
        [(1, 1, FIRST), (3, 2, QUIET)],
        "the beginning of turn 3",
        "the beginning of turn 2",
    ),
    "a turn number that stays": (
        [(1, 1, FIRST), (1, 2, QUIET)],
        "the beginning of turn 1",
        "the beginning of turn 2",
    ),
    "a turn cut short": (
        [(1, 1, FIRST[:4]), (2, 2, QUIET)],
        "the beginning of turn 2",
        "declare_attackers in turn 1",
    ),
}


@pytest.mark.parametrize(("turns", "seen", "expected"), REFUSED.values(), ids=REFUSED.keys())
def test_what_is_no_run_is_refused(
    magic: Model, turns: list[Turn], seen: str, expected: str
) -> None:
    refusal = followed(magic, turns).refusal
    assert refusal is not None
    assert refusal.seen.startswith(seen)
    assert any(phrase.startswith(expected) for phrase in refusal.expected), refusal.expected


def test_a_refusal_names_the_line(magic: Model) -> None:
    lines = log(in_turn(FIRST, QUIET))
    gone = next(i for i, text in enumerate(lines) if "Step_Draw" in text)
    lines[gone : gone + 2] = [NOISE]
    refusal = conform(magic, ArenaLog(lines)).refusal
    assert refusal is not None
    assert refusal.line == gone + 2
    assert str(refusal) == (
        f"line {gone + 2}: seen precombat_main in turn 2 of seat 2; could have come: draw in turn 2 of seat 2 "
        "(a skipped draw step (layer 'skip') or an extra precombat_main step (layer 'extra') would explain it)"
    )


def test_what_both_ways_of_a_choice_lead_to_is_expected(magic: Model) -> None:
    refusal = followed(magic, in_turn(FIRST, [*BEGINNING, "end"])).refusal
    assert refusal is not None
    assert {phrase.split()[0] for phrase in refusal.expected} == {
        "declare_blockers",
        "end_of_combat",
    }


def test_turn_and_player_are_checked_in_what_the_client_states_too(magic: Model) -> None:
    lines = log(in_turn(FIRST, QUIET))
    for wrong in (state(2, 1, "upkeep"), state(4, 2, "upkeep")):
        at = next(i for i, text in enumerate(lines) if '"turnNumber": 2' in text) + 1
        result = conform(magic, ArenaLog([*lines[:at], line(wrong), *lines[at:]]))
        assert result.refusal is not None and result.refusal.line == at + 1


def test_following_stops_at_the_first_refusal(magic: Model) -> None:
    result = followed(magic, in_turn(FIRST, less(QUIET, "draw"), less(QUIET, "upkeep")))
    assert [visit.step for visit in result.visits if visit.turn == 2] == ["untap", "upkeep"]
    assert not any(visit.turn == 3 for visit in result.visits)


def test_an_unknown_word_is_refused_as_it_is(magic: Model) -> None:
    told = state(1, 1)
    told["gameStateMessage"]["turnInfo"] |= {"phase": "Phase_Combat", "step": "Step_Parley"}
    refusal = conform(magic, ArenaLog([*log(in_turn(FIRST[:3])), line(told)])).refusal
    assert refusal is not None
    assert "Step_Parley" in refusal.seen
    assert refusal.hint == "'Phase_Combat Step_Parley' is no step of magic"


def legal(turns: list[str]) -> bool:
    """The rules once more, as a regular expression over one letter a step; the last turn may be cut
    short.
    """
    letters = "u k d? m b a (l f? g)? e n x c+".replace(" ", "")
    whole = all(
        re.fullmatch(letters, turn) and ("d" in turn) == bool(number)
        for number, turn in enumerate(turns[:-1])
    )
    ways = [f"uk{'d' if len(turns) > 1 else ''}mba{combat}enx" for combat in ("", "lg", "lfg")]
    body = turns[-1].rstrip("c")
    return whole and (
        body in ways or (body == turns[-1] and any(way.startswith(body) for way in ways))
    )


LETTERS = dict(zip(FIRST_STRIKE, "ukdmbalfgenxc", strict=True))


@pytest.mark.parametrize("at", range(len(FIRST) + len(FIRST_STRIKE)))
def test_every_single_change_of_a_game_is_judged_as_an_independent_oracle_judges_it(
    magic: Model, at: int
) -> None:
    game = [(1, step) for step in FIRST] + [(2, step) for step in FIRST_STRIKE]
    turn, step = game[at]
    changes = [[], [(turn, step)] * 2, *([(turn, other)] for other in LETTERS)]
    for change in changes:
        changed = [*game[:at], *change, *game[at + 1 :]]
        turns = [[step for number, step in changed if number == wanted] for wanted in (1, 2)]
        words = ["".join(LETTERS[step] for step in steps) for steps in turns]
        observations = [
            Observation(n, turn, turn, step=step) for n, (turn, step) in enumerate(changed)
        ]
        result = conform(magic, observations, explain=False)
        assert result.ok == legal(words), (words, result.refusal)


# steps that pass unseen ---------------------------------------------------------------------------


def test_a_log_without_annotations_may_leave_out_the_steps_in_which_nobody_acts(
    magic: Model,
) -> None:
    result = followed(magic, in_turn(FIRST, ATTACK, QUIET), annotated=False)
    assert result.ok, result.refusal
    assert [visit.step for visit in result.visits if visit.turn == 2] == ATTACK


@pytest.mark.parametrize("gone", less(QUIET, "untap", "cleanup"))
def test_a_log_without_annotations_may_leave_out_no_other_step(magic: Model, gone: str) -> None:
    assert not followed(magic, in_turn(FIRST, less(QUIET, gone), QUIET), annotated=False).ok


def test_steps_may_pass_in_a_damaged_line_but_only_as_the_model_lets_them(magic: Model) -> None:
    lines = log(in_turn(FIRST, ATTACK))
    blocks = next(i for i, text in enumerate(lines) if "Step_DeclareBlock" in text)
    cut = [*lines[:blocks], lines[blocks][:200], *lines[blocks + 2 :]]
    result = conform(magic, ArenaLog(cut))
    assert (result.ok, result.skipped_lines) == (True, 1)
    assert [visit.step for visit in result.visits if visit.turn == 2] == ATTACK
    backwards = [*cut[: blocks + 1], line(state(2, 2, "upkeep"))]
    assert not conform(magic, ArenaLog(backwards)).ok
    far = [*cut[: blocks + 1], line(state(900, 2, "upkeep"))]
    assert not conform(magic, ArenaLog(far)).ok


@pytest.mark.parametrize(("turn", "seat", "ok"), [(5, 1, True), (6, 2, False)])
def test_no_more_than_four_turns_pass_in_a_damaged_line(
    magic: Model, turn: int, seat: int, ok: bool
) -> None:
    lines = log(in_turn(FIRST))
    found = conform(
        magic, ArenaLog([*lines, lines[-1][:200], line(state(turn, seat, "upkeep"))]), explain=False
    )
    assert (found.ok, found.skipped_lines) == (ok, 1)


def test_a_log_may_begin_in_the_middle_of_a_game(magic: Model) -> None:
    lines = [line(told) for told in messages([(6, 2, QUIET[4:]), (7, 1, QUIET)])]
    lines = [text for text in lines if "NewTurnStarted" not in text or '"turnNumber": 7' in text]
    result = conform(magic, ArenaLog(lines))
    assert (result.ok, result.joined, result.turns) == (True, True, 2), result.refusal
    assert result.visits[0].step == "beginning_of_combat"
    assert not conform(magic, ArenaLog([*lines[:4], *lines[8:]])).ok


def test_a_log_that_shows_its_start_may_not(magic: Model) -> None:
    assert not followed(magic, [(6, 2, QUIET), (7, 1, QUIET)]).ok


# effects ------------------------------------------------------------------------------------------

COMBAT = less(ATTACK, *BEGINNING[:4], *ENDING[1:])
ENDS = "an effect that ends the turn or a phase"
EFFECTS = {
    "an extra turn": (
        "extra",
        [(1, 1, FIRST), (2, 1, QUIET), (3, 2, QUIET)],
        "an extra turn of seat 1",
    ),
    "an extra upkeep": (
        "extra",
        in_turn(FIRST, more(QUIET, "upkeep", "upkeep")),
        "an extra upkeep step",
    ),
    "an extra combat": (
        "extra",
        in_turn(FIRST, more(ATTACK, "end_of_combat", *COMBAT)),
        "an extra combat phase",
    ),
    "upkeep after combat": (
        "extra",
        in_turn(FIRST, more(ATTACK, "end_of_combat", "upkeep")),
        "an extra upkeep step",
    ),
    "a skipped draw": ("skip", in_turn(FIRST, less(QUIET, "draw")), "a skipped draw step"),
    "a skipped combat": ("skip", in_turn(FIRST, less(QUIET, *COMBAT)), "a skipped combat phase"),
    "a skipped turn": ("skip", [(1, 1, FIRST), (2, 1, QUIET)], "a skipped turn of seat 2"),
    "the turn ended": ("jump", in_turn(FIRST, [*QUIET[:4], "cleanup"]), ENDS),
    "the combat ended": (
        "jump",
        in_turn(FIRST, less(ATTACK, "combat_damage", "end_of_combat")),
        ENDS,
    ),
}


@pytest.mark.parametrize(("layer", "turns", "hint"), EFFECTS.values(), ids=EFFECTS.keys())
def test_an_effect_is_a_run_only_where_its_layer_is_allowed(
    magic: Model, layer: str, turns: list[Turn], hint: str
) -> None:
    refused = followed(magic, turns).refusal
    assert refused is not None
    assert f"{hint} (layer {layer!r})" in refused.hint
    allowed = followed(magic, turns, allow=(layer,))
    assert allowed.ok, allowed.refusal
    assert [visit.step for visit in allowed.visits if visit.turn == 2] == turns[1][2]


def test_several_effects_at_once_are_a_run_where_they_are_allowed(magic: Model) -> None:
    turns = in_turn(FIRST, less(QUIET, "untap", "upkeep", "draw"), QUIET)
    assert followed(magic, turns, allow=("skip",)).ok
    assert not followed(magic, turns, allow=("jump",)).ok
    after_skipped_untap = [(1, 1, FIRST), (2, 1, less(QUIET, "untap")), (3, 2, QUIET)]
    assert followed(magic, after_skipped_untap, allow=("skip", "extra")).ok


def test_no_more_than_three_effects_happen_between_two_observations(magic: Model) -> None:
    """A step and two phases are skipped; then one phase more."""
    three = ["untap", "upkeep", "postcombat_main", "end", "cleanup"]
    assert followed(magic, in_turn(FIRST, three, QUIET), allow=("skip",)).ok
    assert not followed(
        magic, in_turn(FIRST, less(three, "postcombat_main"), QUIET), allow=("skip",)
    ).ok


def test_an_effect_that_is_used_up_explains_nothing_more(magic: Model) -> None:
    turns = in_turn(FIRST, less(QUIET, "draw"), QUIET, QUIET, QUIET)
    result = followed(magic, turns, allow=("skip",))
    assert result.ok and [visit.turn for visit in result.visits if visit.step == "draw"] == [
        3,
        4,
        5,
    ]


def test_an_extra_turn_is_marked_as_extra(magic: Model) -> None:
    visits = followed(magic, [(1, 1, FIRST), (2, 1, QUIET), (3, 2, QUIET)], allow=("extra",)).visits
    assert {visit.turn: visit.extra for visit in visits} == {1: False, 2: True, 3: False}


def test_a_layer_that_does_not_exist_cannot_be_allowed(magic: Model) -> None:
    with pytest.raises(FsmError, match="did you mean 'extra'"):
        Follower(magic, allow=("exta",))


# the Model alone decides --------------------------------------------------------------------------


def test_a_model_without_the_transition_refuses_what_took_it(magic: Model) -> None:
    row = next(
        t for t in magic.transitions if t.target == "first_strike_damage_before" and not t.generic
    )
    turns = in_turn(FIRST, FIRST_STRIKE)
    assert followed(magic, turns).ok
    refusal = followed(magic.without(row.id), turns).refusal
    assert refusal is not None and refusal.seen.startswith("first_strike_damage in turn 2")
    assert followed(magic.without(row.id), in_turn(FIRST, ATTACK)).ok


def test_another_edition_of_the_rules_judges_otherwise(magic: Model) -> None:
    settings = tuple(replace(setting, sides=3) for setting in magic.settings)
    everybody_draws = replace(magic, settings=settings)
    assert followed(everybody_draws, in_turn(QUIET, QUIET)).ok
    assert not followed(everybody_draws, in_turn(FIRST, QUIET)).ok


# memory -------------------------------------------------------------------------------------------


def endless() -> Iterator[str]:
    """A game without end, most of whose lines mean nothing."""
    yield line(start())
    turns = (
        (n, (n - 1) % 2 + 1, steps)
        for n, steps in enumerate(chain([FIRST], cycle([QUIET, ATTACK])), 1)
    )
    for told in messages(turns):
        yield from [NOISE] * 100
        yield line(told)


def test_a_log_of_any_length_is_followed_in_flat_memory(magic: Model) -> None:
    follower = Follower(magic)
    length = amount(60_000, 200_000)
    records = follower.follow(ArenaLog(islice(endless(), length)))
    for _ in islice(records, 2_000):
        pass
    tracemalloc.start()
    try:
        count = sum(1 for _ in records)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert follower.result.ok and follower.result.read == length
    assert follower.result.turns > length / 2_500 and count > length / 14
    assert peak < 3_000_000


def test_in_the_middle_of_a_game_nobody_takes_the_first_turn(magic: Model) -> None:
    """Who goes on from turn 5 has drawn before: the draw step is not skipped as in a first turn."""
    lines = [
        text
        for text in log([(5, 1, QUIET), (6, 2, ATTACK), (7, 1, QUIET)])
        if "GameStage_Start" not in text
    ]
    found = conform(magic, ArenaLog(lines))
    assert found.joined and found.ok, found.refusal
    lines = [text for text in log([(5, 1, FIRST)]) if "GameStage_Start" not in text]
    refusal = conform(magic, ArenaLog(lines)).refusal
    assert refusal is not None and refusal.expected[0].startswith("draw in turn 5")


def test_who_joins_in_turn_two_sees_the_second_player_draw(magic: Model) -> None:
    """Only the first player's first draw step is skipped (103.8a)."""
    lines = [text for text in log([(2, 2, QUIET), (3, 1, QUIET)]) if "GameStage_Start" not in text]
    found = conform(magic, ArenaLog(lines))
    assert found.joined and found.ok, found.refusal
