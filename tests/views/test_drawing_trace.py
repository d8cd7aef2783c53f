"""A trace on the picture: the lines taken carry their order, the sum is said, and nothing moves."""

from __future__ import annotations

import re
from typing import Any

import pytest

import fsm
from fsm import draw
from fsm.engine import Record
from fsm.model import Model
from fsm.rulesets import names
from fsm.scenarios import play
from fsm.views.drawing.options import DrawOptions, Taken
from fsm.views.drawing.overlays import with_overlay
from fsm.views.drawing.placed import segments
from fsm.views.drawing.views import place
from support.drawnsvg import collisions, read

MAGIC = fsm.load("magic")
GRAND_ARCHIVE = fsm.load("grand-archive")
every_ruleset = pytest.mark.parametrize(
    "model", [fsm.load(name) for name in names()], ids=lambda m: m.name
)


def records(*given: dict[str, Any], turns: int = 1, ruleset: str = "magic") -> list[Record]:
    data = {
        "id": "t",
        "ruleset": ruleset,
        "players": 2,
        "through_turn": turns,
        "given": list(given),
    }
    [scenario] = fsm.scenarios.load([data], place="t.json")
    return [r for r in play(scenario).records if r.turn <= turns]


def at(turn: int, step: str, do: str, **fields: Any) -> dict[str, Any]:
    return {"when": {"turn": turn, "step": step}, "do": do, **fields}


def pills(svg: str) -> list[str]:
    return [tip.removeprefix("taken: ") for tip in read(svg).groups.get("pill", [])]


def taken(svg: str, layer: str) -> int:
    groups = re.findall(rf'<g id="e\d+" class="edge layer-{layer}">.*?</g>', svg, re.S)
    return sum('stroke-width="2.6"' in group for group in groups)


@every_ruleset
def test_a_quiet_turn_takes_its_lines_in_order(model: Model) -> None:
    drawn = draw(model, trace=records(ruleset=model.name))
    numbers = sorted(int(n) for pill in pills(drawn) for n in pill.split(", "))
    assert numbers == list(range(1, len(numbers) + 1))
    assert len(numbers) > 5
    assert taken(drawn, "jump") == 0


def test_what_is_left_out_is_taken_as_a_skip() -> None:
    drawn = draw(MAGIC, trace=records())
    assert taken(drawn, "skip") == 2, "the first draw step, and combat without attackers"


@every_ruleset
def test_the_sum_is_said(model: Model) -> None:
    run = records(ruleset=model.name)
    known = {t.id for t in model.transitions}
    count = len({r.transition for r in run if r.machine == "turn"} & known)
    assert read(draw(model, trace=run)).says(f"{count} of {len(known)} transitions taken.")
    assert read(draw(model, trace=[])).says(f"0 of {len(known)} transitions taken.")


@every_ruleset
def test_the_window_counts_its_own(model: Model) -> None:
    assert model.window is not None
    run = records(ruleset=model.name)
    count = len({r.transition for r in run if r.machine == "window"})
    said = f"{count} of {len(model.window.transitions)} transitions taken."
    assert read(draw(model, view="window", trace=run)).says(said)


def test_a_phase_inside_another_is_gone_into_and_come_back_from() -> None:
    attack = at(2, "main", "attack")
    quiet, fought = (
        set(pills(draw(GRAND_ARCHIVE, trace=run))) for run in (fight(), fight(attack, attack))
    )
    assert len(fought) == len(quiet) + 4, "into combat, its two steps on, and back"
    assert (
        sum(len(pill.split(", ")) for pill in fought)
        == sum(len(pill.split(", ")) for pill in quiet) + 8
    )


def fight(*given: dict[str, Any]) -> list[Record]:
    return [r for r in records(*given, turns=2, ruleset="grand-archive") if r.turn == 2]


def test_a_way_back_inside_a_step_is_taken() -> None:
    again = {"when": {"turn": 1, "step": "end", "at": "end_clean_up"}, "do": "trigger", "id": "t"}
    assert taken(draw(GRAND_ARCHIVE, trace=records(ruleset="grand-archive")), "extra") == 0
    assert taken(draw(GRAND_ARCHIVE, trace=records(again, ruleset="grand-archive")), "extra") == 1


def test_a_signal_that_changes_nothing_does_not_interrupt_the_way() -> None:
    ended = at(1, "upkeep", "end_phase")
    assert pills(draw(MAGIC, trace=records(ended))) == pills(draw(MAGIC, trace=records()))


def test_first_strike_takes_the_fork() -> None:
    fight = records(at(1, "declare_attackers", "attackers", count=1, first_strike=True))
    quiet, fought = draw(MAGIC, trace=records()), draw(MAGIC, trace=fight)
    assert taken(fought, "skip") == taken(quiet, "skip") - 1
    assert taken(fought, "core") > taken(quiet, "core")


def test_jumps_and_repeats_are_marked() -> None:
    ended = draw(MAGIC, trace=records(at(1, "upkeep", "end_turn")))
    assert taken(ended, "jump") == 1
    again = draw(MAGIC, trace=records(at(1, "cleanup", "trigger", id="t")))
    assert taken(again, "extra") == 1


def test_many_visits_are_counted() -> None:
    drawn = pills(draw(MAGIC, trace=records(turns=5)))
    assert any(re.fullmatch(r"\d+, \d+ … \(5×\)", pill) for pill in drawn)


@every_ruleset
def test_nothing_moves(model: Model) -> None:
    plain, traced = read(draw(model)), read(draw(model, trace=records(ruleset=model.name)))
    rise = traced.boxes[0][1] - plain.boxes[0][1]
    assert [pytest.approx((a, b - rise, c, d - rise)) for a, b, c, d in traced.boxes] == plain.boxes
    assert len(traced.lines) == len(plain.lines)


@every_ruleset
def test_no_pill_meets_a_text_or_another_pill(model: Model) -> None:
    picture = read(draw(model, trace=records(turns=4, ruleset=model.name)))
    assert not [said for said in collisions(picture) if said.count("meets '")]


@every_ruleset
def test_each_pill_sits_on_its_line_or_nearer_to_it_than_to_any_other(model: Model) -> None:
    placed = place(model, "turn")
    taken = Taken(records(turns=4, ruleset=model.name))
    overlay = with_overlay(placed, model, DrawOptions(overlay=taken)).overlay
    assert overlay is not None
    assert len(overlay.pills) > 5
    far = {line.line.id: segments(line.points) for line in placed.lines}
    for pill in overlay.pills:
        apart = {
            id: min((pill.text.area.distance(part) for part in parts), default=99.0)
            for id, parts in far.items()
        }
        assert apart[pill.line] < min(gap for id, gap in apart.items() if id != pill.line) + 0.5, (
            pill.text.lines
        )


def test_a_trace_of_another_model_takes_nothing() -> None:
    foreign = [
        Record(
            "turn",
            "done",
            "here -> there",
            "upkeep_begin",
            "upkeep_window",
            (),
            (),
            1,
            "A",
            False,
            "",
            "",
            1,
        )
    ]
    drawn = draw(MAGIC, trace=foreign)
    assert pills(drawn) == []
    assert read(drawn).says("0 of ")
