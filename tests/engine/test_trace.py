"""Traces: written, read, replayed. A replay notices what was tampered with, and names the line."""

from __future__ import annotations

import json
import pickle
from random import Random

import pytest

import fsm
from fsm import AddPhase, AddStep, AddTurn, EndTurn, Leave, SkipStep, Trace, TurnController
from fsm.errors import TraceError
from fsm.model import Model
from support.amounts import amount
from support.damaged import damage
from support.playing import attack, resolving, started, through, to


@pytest.fixture(scope="module")
def played(magic: Model) -> TurnController:
    """A game with orders, an attack, an ended turn, and somebody who leaves."""
    settings = {"first_draw_skipped": True}
    game = started(magic, "ABC", settings=settings, orders=[SkipStep("upkeep", "A")], trace=True)
    attack(game)
    resolving(game, "combat_damage", AddPhase("combat"), AddTurn("B"), EndTurn())
    to(game, "draw", turn=2)
    game.order(Leave("C"))
    return through(game, 3)


@pytest.fixture(scope="module")
def lines(played: TurnController) -> list[str]:
    assert played.trace is not None
    return list(played.trace.lines())


def test_a_trace_comes_back_equal_and_leads_to_the_same_game(
    magic: Model, played: TurnController, lines: list[str]
) -> None:
    trace = Trace.read(lines)
    assert trace == played.trace == pickle.loads(pickle.dumps(played.trace))
    assert list(trace.lines()) == lines
    again = trace.replay(magic)
    assert (again.request, again.snapshot()) == (played.request, played.snapshot())
    assert again.trace == trace


def test_records_tell_what_fired_where_and_why(magic: Model) -> None:
    game, heard = started(magic), list[fsm.engine.Record]()
    game.watch(lambda answered: heard.extend(answered.records))
    attack(game)
    resolving(game, "combat_damage", AddPhase("combat"), AddStep("upkeep"), AddTurn("A"))
    through(game, 2)
    fight = next(record for record in heard if record.target == "combat_damage_begin")
    row, guards = magic.transition(fight.transition), dict(fight.guards)
    assert all(guards[term.fact] == term.value for term in row.guard)
    assert fight.actions == tuple(map(str, row.actions))
    assert (fight.turn, fight.active, fight.phase, fight.step) == (
        1,
        "A",
        "combat",
        "combat_damage",
    )
    upkeep = next(r for r in heard if r.target == "upkeep_begin" and r.iteration == 2)
    assert (upkeep.extra_step, upkeep.extra_phase, upkeep.extra) == (True, False, False)
    combats = [r.extra_phase for r in heard if r.target == "combat_phase_begin"]
    assert combats == [False, True, False]


# tampered with ------------------------------------------------------------------------------------


def edited(lines: list[str], number: int, **changes: object) -> list[str]:
    """The lines with fields of one of them (from 1) changed."""
    data = json.loads(lines[number - 1]) | changes
    return [*lines[: number - 1], json.dumps(data), *lines[number:]]


def line_of(lines: list[str], kind: str, after: int = 0) -> int:
    """The number of the first line of this kind."""
    return next(i for i, s in enumerate(lines, 1) if i > after and json.loads(s)["is"] == kind)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ('{"is":"Record","mach', ""),
        ("3", "Expected `object`, got `int`"),
        ('{"is":"Thing"}', "Invalid value 'Thing'"),
        ('{"is":"Answer","wrod":"done"}', "unknown field `wrod`"),
        ('{"is":"Answer","word":5}', "Expected `str`, got `int` - at `$.word`"),
        ('{"is":"AddTurn","player":"A"}', "Invalid value 'AddTurn'"),
        ("[" * 100_000, ""),
        ('{"is":"Answer","facts":' + '{"a":' * 5_000 + "1" + "}" * 5_001, ""),
        ('{"is":"Answer","automatic":' + "1" * 5_000 + "}", ""),
        ('{"is":"Answer","word":"\\ud800"}', ""),
        ('{"is":"Answer","word":"\ud800"}', ""),
    ],
    ids=[
        *("cut", "no object", "unknown", "unknown field", "wrong type", "an order alone", "deep"),
        *("deeper", "huge", "surrogate", "a surrogate"),
    ],
)
def test_an_unreadable_line_is_named(lines: list[str], line: str, says: str) -> None:
    with pytest.raises(TraceError) as refused:
        Trace.read([*lines[:6], line, *lines[7:]])
    assert str(refused.value).startswith("trace line 7: ") and refused.value.line == 7
    assert says in str(refused.value) and "\n" not in str(refused.value)


def test_a_trace_begins_with_its_head(lines: list[str]) -> None:
    for wrong in ([], ["{}", *lines[1:]], lines[1:], edited(lines, 1, format="fsm-trace-0")):
        with pytest.raises(TraceError, match="GameHeader"):
            Trace.read(wrong)


def test_a_trace_of_another_model_is_refused(lines: list[str]) -> None:
    with pytest.raises(TraceError, match=r"recorded with magic [0-9a-f]{16}, not with magic-2010"):
        Trace.read(lines).replay("magic-2010")


@pytest.mark.parametrize("kind", ["Record", "Answer"])
def test_a_line_that_was_taken_out_or_doubled_or_added_is_named(
    magic: Model, lines: list[str], kind: str
) -> None:
    number = line_of(lines, kind, after=200)
    with pytest.raises(TraceError, match=f"^trace line {number} differs"):
        Trace.read(lines[: number - 1] + lines[number:]).replay(magic)
    with pytest.raises(TraceError, match=r"^trace line \d+(:| differs)"):
        Trace.read([*lines[:number], *lines[number - 1 :]]).replay(magic)
    with pytest.raises(TraceError, match=f"^trace line {len(lines)} differs"):
        Trace.read(lines[:-1]).replay(magic)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"word": "acted"}, "not 'acted'"),
        ({"facts": {"rain": True}}, "fact 'rain'"),
        ({"orders": [{"is": "AddTurn", "player": "Z"}]}, "player 'Z' is not in this game"),
    ],
)
def test_an_answer_that_does_not_fit_is_named(
    magic: Model, lines: list[str], change: dict[str, object], says: str
) -> None:
    number = line_of(lines, "Answer")
    with pytest.raises(TraceError, match=f"^trace line {number}: .*{says}"):
        Trace.read(edited(lines, number, **change)).replay(magic)


def test_whatever_is_changed_in_a_trace_is_refused_or_replayed(
    magic: Model, lines: list[str]
) -> None:
    random, replayed = Random(3), 0
    part = lines[: line_of(lines, "Answer", after=60) - 1]
    for _ in range(amount(100, 3_000)):
        changed = [json.loads(line) for line in part]
        damage(changed[random.choice((0, 0, random.randrange(len(part))))], random)
        try:
            Trace.read(map(json.dumps, changed)).replay(magic)
            replayed += 1
        except TraceError as error:
            assert str(error).startswith("trace line") or "was recorded with" in str(error)
            assert "\n" not in str(error)
    assert replayed


def test_a_part_of_a_run_begins_with_a_snapshot(magic: Model, played: TurnController) -> None:
    part = TurnController.restore(magic, played.snapshot())
    with Trace.of(part) as trace:
        through(part, 4)
    ends = part.request
    through(part, 5)
    for each in (trace, Trace.read(trace.lines())):
        assert each.head.snapshot is not None
        assert each.replay(magic).request == ends
