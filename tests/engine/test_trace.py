"""Traces: JSON Lines and back, a replay that checks itself, and what has been tampered with."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

import fsm
from fsm import (
    AddPhase,
    AddStep,
    AddTurn,
    Answer,
    CheckState,
    ControlNextTurn,
    DelayedTrigger,
    Effect,
    SkipPhase,
    SkipStep,
    SkipTurn,
    StandingTrigger,
    Trace,
    TurnController,
)
from fsm.engine import Record
from fsm.errors import TraceError
from fsm.model import Model
from fsm.orders import Order
from support.playing import attack, leaves, quiet, resolving, signal, started, through, to

EVERY_ORDER: tuple[Order, ...] = (
    AddTurn("A", 2),
    SkipTurn("B"),
    ControlNextTurn("B", "A", True),
    AddPhase(("combat", "main"), count=2, player="A", you_get=True),
    AddPhase(("combat",), after="combat", nth=2),
    AddStep("upkeep", "current_phase", count=2),
    AddStep("upkeep", before="end"),
    SkipPhase("combat", "C"),
    SkipStep("draw", "B", "all_next_turn"),
    DelayedTrigger("d", "end", "B", "your_next_turn"),
    StandingTrigger("s", "upkeep", "B", True),
    Effect("l", "A", "your_next_turn"),
)


def eventful(model: Model) -> TurnController:
    """A game with every kind of order, every signal, extra turns, and somebody leaving."""
    game = started(
        model, "ABC", settings={"first_draw_skipped": True}, orders=[SkipStep("upkeep", "A")]
    )
    attack(game)
    resolving(game, "combat_damage", *EVERY_ORDER, signal=signal("end_phase"))
    to(game, "postcombat_main")
    game.answer(quiet(game.request, signal=signal("end_turn")))
    to(game, "draw", turn=2)
    game.answer(quiet(game.request, signal=leaves("C")))
    return through(game, 5)


@pytest.fixture(scope="module")
def played(magic: Model) -> TurnController:
    return eventful(magic)


@pytest.fixture
def lines(played: TurnController) -> list[str]:
    return list(played.trace.lines())


def test_a_trace_comes_back_equal(played: TurnController, lines: list[str]) -> None:
    again = Trace.read(lines)
    assert again == played.trace
    assert list(again.lines()) == lines


def test_each_line_is_one_json_object(lines: list[str]) -> None:
    assert all("\n" not in line and isinstance(json.loads(line), dict) for line in lines)
    assert json.loads(lines[0])["is"] == "GameHeader"


def test_a_replay_leads_to_the_same_game(
    magic: Model, played: TurnController, lines: list[str]
) -> None:
    again = Trace.read(lines).replay(magic)
    assert again.snapshot() == played.snapshot()
    assert again.request == played.request
    assert again.trace == played.trace


def test_a_trace_cut_between_answers_is_a_shorter_run(magic: Model, lines: list[str]) -> None:
    at = [i for i, line in enumerate(lines) if json.loads(line)["is"] == "Answer"][40]
    assert len(Trace.read(lines[:at]).replay(magic).trace.answers) == 40


def test_records_say_where_the_run_stood(played: TurnController) -> None:
    first = played.trace.records[0]
    assert (first.machine, first.source, first.event, first.turn) == ("turn", "turn_hub", "done", 0)
    begun = next(r for r in played.trace.records if r.target == "combat_damage_begin")
    assert (begun.turn, begun.active, begun.phase, begun.step, begun.iteration) == (
        1,
        "A",
        "combat",
        "combat_damage",
        1,
    )
    assert begun.extra is False


def test_records_tell_the_guards_consulted_and_the_actions_applied(
    played: TurnController, magic: Model
) -> None:
    for record in played.trace.records:
        model = magic if record.machine == "turn" else magic.window
        assert model is not None
        row = model.transition(record.transition)
        told = dict(record.guards)
        assert all(told[term.fact] == term.value for term in row.guard)
        assert record.actions == tuple(map(str, row.actions))
        assert record.target == (row.target or record.source)


def test_an_extra_turn_phase_and_step_are_marked(magic: Model) -> None:
    game = started(magic)
    resolving(game, "precombat_main", AddPhase(("combat",)), AddStep("upkeep"), AddTurn("A"))
    records = through(game, 2).trace.records
    upkeep = next(r for r in records if r.target == "upkeep_begin" and r.iteration == 2)
    assert (upkeep.extra_step, upkeep.extra_phase, upkeep.extra) == (True, False, False)
    combat = [r for r in records if r.turn == 1 and r.target == "combat_phase_begin"]
    assert [r.extra_phase for r in combat] == [True, False]
    assert all(r.extra for r in records if r.turn == 2 and r.phase)


@pytest.mark.parametrize("ruleset", ["magic", "magic-2010", "magic-classic"])
def test_a_cleanup_step_that_repeats_an_extra_one_is_extra_too(ruleset: str) -> None:
    """514.3a (314.3): the turn's own cleanup step is still to come."""
    game = started(fsm.load(ruleset))
    end = "end_of_turn" if ruleset == "magic-classic" else "end"
    resolving(game, "upkeep", AddStep("cleanup", before=end))
    to(game, "cleanup", CheckState)
    game.answer(quiet(game.request, {"sba_performed": True}))
    through(game, 1)
    begun = [r for r in game.trace.records if r.target == "cleanup_begin"]
    assert [(r.iteration, r.extra_step) for r in begun] == [(1, True), (2, True), (3, False)]


def test_a_cleanup_step_that_repeats_the_turns_own_is_none(magic: Model) -> None:
    game = started(magic)
    to(game, "cleanup", CheckState)
    game.answer(quiet(game.request, {"sba_performed": True}))
    through(game, 1)
    begun = [r for r in game.trace.records if r.target == "cleanup_begin"]
    assert [(r.iteration, r.extra_step) for r in begun] == [(1, False), (2, False)]


# tampered with ------------------------------------------------------------------------------------


def edit(lines: list[str], number: int, **changes: object) -> list[str]:
    """The lines with fields of one of them (from 1) changed."""
    data = json.loads(lines[number - 1])
    data.update(changes)
    return [*lines[: number - 1], json.dumps(data), *lines[number:]]


def first(lines: list[str], fits: Callable[[dict[str, Any]], bool]) -> int:
    return next(i for i, line in enumerate(lines, 1) if fits(json.loads(line)))


def is_record(data: dict[str, Any]) -> bool:
    return bool(data["is"] == "Record")


def is_answer(data: dict[str, Any]) -> bool:
    return bool(data["is"] == "Answer")


UNREADABLE: list[tuple[str, str, str]] = [
    ("cut", '{"is":"Record","mach', ""),
    ("no object", "3", "a int cannot stand here"),
    ("no JSON", "hello", ""),
    ("nothing known", '{"is":"Thing"}', "'Thing' is not one of"),
    ("no class", "{}", "a dict cannot stand here"),
    (
        "second head",
        '{"is":"GameHeader","model":"magic","fingerprint":"x","players":["A"]}',
        "a GameHeader cannot stand here",
    ),
    ("order alone", '{"is":"AddTurn","player":"A"}', "a AddTurn cannot stand here"),
    ("unknown field", '{"is":"Answer","wrod":"done"}', "Answer has no field 'wrod'"),
    ("missing field", '{"is":"Record"}', "Record: "),
    ("wrong type", '{"is":"Answer","word":5}', "Answer.word cannot be 5"),
    (
        "wrong order",
        '{"is":"Answer","orders":[{"is":"AddTurn","player":"A","count":"x"}]}',
        "AddTurn.count cannot be 'x'",
    ),
    (
        "wrong fact",
        '{"is":"Answer","facts":{"stack_empty":1}}',
        "Answer.facts cannot be {'stack_empty': 1}",
    ),
    (
        "truth for a number",
        '{"is":"Answer","orders":[{"is":"AddTurn","player":"A","count":true}]}',
        "AddTurn.count",
    ),
    ("deep", "[" * 100_000, ""),
]


@pytest.mark.parametrize(
    ("line", "message"), [u[1:] for u in UNREADABLE], ids=[u[0] for u in UNREADABLE]
)
def test_an_unreadable_line_is_named(lines: list[str], line: str, message: str) -> None:
    with pytest.raises(TraceError) as refused:
        Trace.read([*lines[:6], line, *lines[7:]])
    assert str(refused.value).startswith("trace line 7: ") and refused.value.line == 7
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    "head", ["{}", "[]", '{"is":"Answer"}', '{"is":"GameHeader","players":["A"]}']
)
def test_a_trace_without_its_head_is_refused(lines: list[str], head: str) -> None:
    with pytest.raises(TraceError, match=r"^trace line 1: "):
        Trace.read([head, *lines[1:]])


def test_a_trace_of_another_version_is_refused(lines: list[str]) -> None:
    with pytest.raises(
        TraceError, match="trace line 1: a trace starts with a GameHeader of format 'fsm-trace-1'"
    ):
        Trace.read(edit(lines, 1, format="fsm-trace-0"))


def test_an_empty_trace_is_refused() -> None:
    with pytest.raises(TraceError, match="trace is empty: its first line must be a GameHeader"):
        Trace.read(["", "  "])


def test_a_trace_of_another_model_is_refused(lines: list[str]) -> None:
    other = fsm.load("magic?extra_draw_on_first_turn=false")
    with pytest.raises(
        TraceError,
        match=r"the trace was recorded with magic [0-9a-f]{16}, not with magic [0-9a-f]{16}",
    ):
        Trace.read(lines).replay(other)


@pytest.mark.parametrize(
    "change",
    [
        {"transition": "elsewhere"},
        {"target": "elsewhere"},
        {"turn": 9},
        {"active": "Z"},
        {"guards": []},
        {"actions": ["x"]},
    ],
    ids=lambda c: str(next(iter(c))),
)
def test_a_record_that_was_changed_is_named(
    magic: Model, lines: list[str], change: dict[str, object]
) -> None:
    number = first(lines, lambda d: is_record(d) and d["guards"] and d["turn"] == 2)
    with pytest.raises(
        TraceError, match=f"^trace line {number} differs from its replay: "
    ) as refused:
        Trace.read(edit(lines, number, **change)).replay(magic)
    assert refused.value.line == number


@pytest.mark.parametrize("kind", [is_record, is_answer], ids=["record", "answer"])
@pytest.mark.parametrize("place", [0.1, 0.5, 0.9])
def test_a_line_that_was_taken_out_is_noticed_there(
    magic: Model, lines: list[str], kind: Callable[[dict[str, Any]], bool], place: float
) -> None:
    start = int(len(lines) * place)
    number = start + first(lines[start:], kind)
    with pytest.raises(TraceError, match=f"^trace line {number} differs"):
        Trace.read(lines[: number - 1] + lines[number:]).replay(magic)


@pytest.mark.parametrize("kind", [is_record, is_answer], ids=["record", "answer"])
def test_a_line_that_was_doubled_is_noticed(
    magic: Model, lines: list[str], kind: Callable[[dict[str, Any]], bool]
) -> None:
    number = 20 + first(lines[20:], kind)
    doubled = [*lines[:number], lines[number - 1], *lines[number:]]
    with pytest.raises(TraceError, match=r"^trace line \d+(:| differs)"):
        Trace.read(doubled).replay(magic)


WRONG_RUNS: list[tuple[str, dict[str, Any], str]] = [
    ("answer not asked for", {"word": "acted"}, "not 'acted'"),
    ("unknown fact", {"facts": {"rain": True}}, "fact 'rain'"),
    (
        "order for nobody",
        {"orders": [{"is": "AddTurn", "player": "Z"}]},
        "player 'Z' is not in this game",
    ),
    ("unknown signal", {"signal": {"is": "Signal", "event": "end_world"}}, "'end_world'"),
]


@pytest.mark.parametrize(
    ("change", "message"), [w[1:] for w in WRONG_RUNS], ids=[w[0] for w in WRONG_RUNS]
)
def test_an_answer_that_does_not_fit_is_named(
    magic: Model, lines: list[str], change: dict[str, Any], message: str
) -> None:
    number = 100 + first(lines[100:], lambda d: is_answer(d) and d.get("word", "done") == "done")
    with pytest.raises(TraceError, match=f"^trace line {number}: ") as refused:
        Trace.read(edit(lines, number, **change)).replay(magic)
    assert message in str(refused.value)


def test_another_answer_is_noticed_at_the_first_firing_that_differs(
    magic: Model, lines: list[str]
) -> None:
    declared = first(lines, lambda d: is_answer(d) and d.get("facts", {}).get("attackers_declared"))
    changed = edit(lines, declared, facts={"attackers_declared": False})
    with pytest.raises(
        TraceError, match=r"^trace line (\d+) differs from its replay: recorded '.*', replayed '.*'"
    ) as refused:
        Trace.read(changed).replay(magic)
    assert int(str(refused.value).split()[2]) > declared


@pytest.mark.parametrize("change", [{"players": ["B", "A", "C"]}, {"settings": {}}, {"orders": []}])
def test_a_head_of_another_game_does_not_replay(
    magic: Model, lines: list[str], change: dict[str, Any]
) -> None:
    with pytest.raises(TraceError, match=r"^trace line \d+ differs"):
        Trace.read(edit(lines, 1, **change)).replay(magic)


@pytest.mark.parametrize(
    "change",
    [{"players": ["A", "A"]}, {"settings": {"rain": True}}, {"teams": [["A", "Z"]]}],
    ids=lambda c: str(next(iter(c))),
)
def test_a_head_of_no_game_is_refused(
    magic: Model, lines: list[str], change: dict[str, Any]
) -> None:
    with pytest.raises(TraceError, match=r"^trace line 1: "):
        Trace.read(edit(lines, 1, **change)).replay(magic)


def test_records_after_the_end_are_noticed(magic: Model, lines: list[str]) -> None:
    record = next(line for line in lines if is_record(json.loads(line)))
    with pytest.raises(
        TraceError, match=f"^trace line {len(lines) + 1} differs .*replayed nothing more"
    ):
        Trace.read([*lines, record]).replay(magic)


def test_a_missing_last_record_is_noticed(magic: Model, lines: list[str]) -> None:
    with pytest.raises(
        TraceError, match=f"^trace line {len(lines)} differs .*recorded nothing more"
    ):
        Trace.read(lines[:-1]).replay(magic)


def test_a_part_of_a_run_does_not_replay(magic: Model, played: TurnController) -> None:
    part = TurnController.restore(magic, played.snapshot())
    through(part, 7)
    assert all(isinstance(e, (Answer, Record)) for e in part.trace.entries)
    for trace in (part.trace, Trace.read(part.trace.lines())):
        assert not trace.complete
        with pytest.raises(
            TraceError, match="the trace is a part of a run: only one that starts with its game"
        ):
            trace.replay(magic)
