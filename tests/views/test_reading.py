"""The reading of a turn tells everything once, in players' words, as plain values."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

import msgspec
import pytest
from msgspec.structs import replace

from fsm.errors import DrawError
from fsm.model import Model, State, Transition
from fsm.rulesets import Act, Back, Phase, Step, Table, Window
from fsm.views import END, HOLE, Turn, Way, read
from support.amounts import sample
from support.drawings import BUILT_IN, GAMES, LANTERNS, loaded

every_game = pytest.mark.parametrize("game", [*BUILT_IN, LANTERNS, *sample(GAMES, 3)])


def told(turn: Turn) -> Iterator[str]:
    """Every transition that the reading tells, as often as it does."""
    for step in (*turn.steps, *turn.endings):
        for line in step.lines:
            yield from line.tells
    for part in turn.parts:
        for reason in part.left_out:
            yield from reason.tells
    for way in turn.ways:
        yield from way.tells
    for note in (*turn.notes, turn.after, turn.extra):
        yield from note.tells if note else ()


def noticed(model: Model) -> Iterator[Transition]:
    """The transitions of steps that depend on something, but for what the rulebook leaves open.

    What leaves out several steps alike is told by the way around them.
    """
    for row in model.transitions:
        inside = model.enclosing(row.source, "step")
        rare = row.generic or row.rule.startswith("no rule") or row.event == model.leaving
        if inside and row.guard and row.target and not rare and row.layer != "skip":
            yield row


@every_game
def test_what_a_player_can_notice_is_told_exactly_once(game: str) -> None:
    counts = Counter(told(read(loaded(game))))
    assert [id for id, times in counts.items() if times > 1] == []
    assert [row.id for row in noticed(loaded(game)) if row.id not in counts] == []


@every_game
def test_so_is_what_happens_in_a_window(game: str) -> None:
    turn, window = read(loaded(game)), loaded(game).window
    counts = Counter(id for step in turn.windows for line in step.lines for id in line.tells)
    assert [id for id, times in counts.items() if times > 1] == []
    asked = {fact.name for fact in window.facts if fact.owner == "game"} if window else set()
    rows = window.transitions if window else ()
    asking = [row for row in rows if row.target and {term.fact for term in row.guard} & asked]
    assert [row.id for row in asking if not row.generic and row.id not in counts] == []


@every_game
def test_a_way_is_a_whole_path_of_transitions(game: str) -> None:
    model, turn = loaded(game), read(loaded(game))
    for way in turn.ways:
        for path in way.paths:
            rows = [model.transition(id) for id in path]
            for before, after in pairwise(rows):
                assert before.target in {s.id for s in model.states}
                assert after.source in {s.id for s in model.path(before.target or "")}
            assert set(way.tells) <= {id for path in way.paths for id in path}
        assert way.target in turn.names or turn.phase_of(way.target)


@every_game
def test_there_are_no_words_of_the_model(game: str) -> None:
    texts = re.findall(r'"(?:text|words|detail|title|rule)":"([^"]*)"', as_json(game))
    assert [text for text in texts if re.search(r"[\[\]_]|U-\d|[.]$", text)] == []


def as_json(game: str) -> str:
    return msgspec.json.encode(read(loaded(game))).decode()


@every_game
def test_nothing_is_denied_by_the_name_of_a_fact(game: str) -> None:
    turn = read(loaded(game))
    said = [way.words for way in turn.ways]
    said += [reason.words for part in turn.parts for reason in part.left_out]
    assert [words for words in said if words.startswith("not ")] == []


@every_game
def test_it_can_be_read_back_from_json(game: str) -> None:
    assert msgspec.json.decode(as_json(game), type=Turn) == read(loaded(game))


def way(turn: Turn, source: str, target: str) -> Way:
    [found] = [way for way in turn.ways if (way.source, way.target) == (source, target)]
    return found


def test_a_fork_has_the_words_and_the_rule_of_both_its_ways() -> None:
    """Rule 508.8."""
    turn = read(loaded("magic"))
    attacked = way(turn, "declare_attackers_step", "declare_blockers_step")
    quiet = way(turn, "declare_attackers_step", "end_of_combat_step")
    assert (attacked.kind, attacked.words, attacked.rule) == ("next", "a creature attacks", "508.8")
    assert (quiet.kind, quiet.words, quiet.rule) == ("left out", "nobody attacks", "508.8")
    assert way(turn, "cleanup_step", END).kind == "next"


def test_a_step_has_its_lines_and_the_reasons_to_leave_it_out() -> None:
    """Rules 103.8a and 504."""
    [draw] = [step for step in read(loaded("magic")).steps if step.id == "draw_step"]
    assert [(line.number, line.text, line.mark) for line in draw.lines] == [
        (1, "Draw a card", ""),
        (2, "Players get priority", "full"),
    ]
    assert "103.8a" in draw.left_out[0].rule


def test_a_phase_inside_another_stands_after_the_step_that_leads_to_it() -> None:
    turn = read(loaded("grand-archive"))
    main = turn.phase_of("main_step")
    assert main is not None
    assert [part.id for part in main.parts] == ["main_step", "combat_phase"]
    assert turn.place("retaliation_step") == "Combat"


def test_going_back_within_a_step_is_told() -> None:
    roll = (Act("roll", "Roll the dice", decides="tied"), Window(), Back("roll", "tied"))
    turn = read(Table("dice", Phase("day", Step("game", *roll), Step("night", Act("sleep")))))
    told = [(line.number, line.text) for line in turn.steps[0].lines]
    assert told == [(1, "Roll the dice"), (2, "Players may act"), (0, "Tied: back to 1")]


def test_a_place_without_a_way_on_is_told() -> None:
    gone = next(row.id for row in loaded("magic").transitions if row.source == "upkeep_begin")
    holed = read(loaded("magic").without(gone))
    assert [way.source for way in holed.ways if way.target == HOLE] == ["upkeep_step"]


def test_a_window_with_a_gap_is_read() -> None:
    model = loaded("magic")
    assert model.window is not None
    gone = next(row.id for row in model.window.transitions if row.source == "place_triggers")
    turn = read(replace(model, window=model.window.without(gone)))
    lines = turn.windows[0].lines
    assert [line.number for line in lines if line.number] == [1, 2, 3, 4, 5]
    assert "NO WAY ON from here" in [line.text for line in lines]


def test_a_gap_after_a_stage_of_a_step_is_told_after_its_line() -> None:
    model = loaded("magic")
    gone = [row.id for row in model.transitions if row.source == "draw_draw_card"]
    [draw] = [step for step in read(model.without(*gone)).steps if step.id == "draw_step"]
    assert [line.text for line in draw.lines][:2] == ["Draw a card", "NO WAY ON from here"]


def test_a_line_of_an_ending_that_always_comes_has_no_condition() -> None:
    """Rule 712.1c of 2010: with or without combat, the phase and the step end."""
    [ending] = read(loaded("magic-2010")).endings
    details = {line.text: line.detail for line in ending.lines}
    assert details["Leave combat"].startswith("if the game is in combat")
    assert details["Phase and step end"] == "what lies before cleanup is skipped"


def test_what_an_ending_passes_over_is_told() -> None:
    """Rule 509.1c of 2004: if the turn is ending already, no phase and step end once more."""
    [ending] = read(loaded("magic-classic")).endings
    assert [(line.number, line.text) for line in ending.lines][-4:] == [
        (0, "Something happened by itself, such as a creature dying: once more"),
        (0, "The turn is ending: on with 5"),
        (4, "Phase and step end"),
        (5, "The turn goes on with Cleanup"),
    ]


WATCH = Step("watch", Act("wake"), Window(by="nobody"))
BAZAAR = Step("bazaar", Window(kind="once"), Window(name="haggling", kind="solo"))


def test_where_nobody_acts_no_mark_says_that_players_may() -> None:
    turn = read(Table("town", Phase("day", WATCH, BAZAAR)))
    watch, bazaar = turn.steps
    assert (watch.mark, bazaar.mark) == ("", "full")
    assert (watch.lines[1].text, watch.lines[1].mark) == ("What has triggered is handled", "")


def test_each_kind_of_window_has_a_list_of_its_own() -> None:
    town = Table("town", Phase("day", WATCH, BAZAAR, Step("night", Window(kind="once")))).build()
    turn = read(town)
    assert [window.title for window in turn.windows] == [
        "Each time that what has triggered is handled",
        "Each time that players may act in Bazaar, Night",
        "Each time that players may act in Bazaar",
    ]
    assert [window.mark for window in turn.windows] == ["", "full", "full"]
    for window in turn.windows:
        numbers = [line.number for line in window.lines if line.number]
        assert numbers == [*range(1, len(numbers) + 1)]
        assert window.lines[-1].state == "closed"
    told = [id for window in turn.windows for line in window.lines for id in line.tells]
    assert len(told) == len(set(told))


def test_a_machine_that_is_no_turn_is_refused() -> None:
    states = State("off", "stage"), State("on", "stage")
    lamp = Model("lamp", "off", states, (Transition("off", "on"), Transition("on", "off")))
    with pytest.raises(DrawError, match="no turn to read"):
        read(lamp)


@pytest.mark.parametrize("game", BUILT_IN)
def test_every_condition_of_a_rulebook_has_words(game: str) -> None:
    model = loaded(game)
    lacking = []
    for id in told(read(model)):
        row = model.transition(id)
        facts = [model.fact(term.fact) for term in row.guard]
        worded = all(fact.says and fact.denies for fact in facts)
        if row.guard and not (row.says or row.doc or worded):
            lacking.append(id)
    assert lacking == []
