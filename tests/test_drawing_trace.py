"""A trace on the picture: the lines taken carry their order, the sum is said, and nothing moves."""

from __future__ import annotations

import re
from typing import Any

from drawnsvg import collisions, read

import fsm
from fsm.drawing import draw
from fsm.play import play
from fsm.scenario import parse_scenarios
from fsm.trace import Record

MAGIC = fsm.load("magic")


def records(*given: dict[str, Any], turns: int = 1) -> list[Record]:
    [scenario] = parse_scenarios([{"id": "t", "players": 2, "through_turn": turns, "given": list(given)}], "t.json")
    return [r for r in play(scenario).records if r.turn <= turns]


def at(turn: int, step: str, do: str, **fields: Any) -> dict[str, Any]:
    return {"when": {"turn": turn, "step": step}, "do": do, **fields}


def pills(svg: str) -> list[str]:
    return [tip.removeprefix("taken: ") for tip in read(svg).groups.get("pill", [])]


def taken(svg: str, layer: str) -> int:
    groups = re.findall(rf'<g id="e\d+" class="edge layer-{layer}">.*?</g>', svg, re.S)
    return sum('stroke-width="2.6"' in group for group in groups)


def test_a_quiet_turn_takes_its_lines_in_order() -> None:
    drawn = draw(MAGIC, trace=records())
    numbers = sorted(int(n) for pill in pills(drawn) for n in pill.split(", "))
    assert numbers == list(range(1, len(numbers) + 1))
    assert taken(drawn, "skip") == 2, "the first draw step, and combat without attackers"
    assert taken(drawn, "jump") == 0


def test_the_sum_is_said() -> None:
    run = records()
    known = {t.id for t in MAGIC.transitions}
    count = len({r.transition for r in run if r.machine == "turn"} & known)
    assert read(draw(MAGIC, trace=run)).says(f"{count} of {len(known)} transitions taken.")
    assert read(draw(MAGIC, trace=[])).says(f"0 of {len(known)} transitions taken.")


def test_the_window_counts_its_own() -> None:
    assert MAGIC.window is not None
    run = records()
    count = len({r.transition for r in run if r.machine == "window"})
    said = f"{count} of {len(MAGIC.window.transitions)} transitions taken."
    assert read(draw(MAGIC, view="window", trace=run)).says(said)


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


def test_nothing_moves() -> None:
    plain, traced = read(draw(MAGIC)), read(draw(MAGIC, trace=records()))
    rise = traced.boxes[0][1] - plain.boxes[0][1]
    assert [(a, b - rise, c, d - rise) for a, b, c, d in traced.boxes] == [
        tuple(map(float, box)) for box in plain.boxes
    ]
    assert len(traced.lines) == len(plain.lines)


def test_no_pill_meets_a_text_or_another_pill() -> None:
    picture = read(draw(MAGIC, trace=records(turns=4)))
    assert not [said for said in collisions(picture) if said.count("meets '")]


def test_a_trace_of_another_model_takes_nothing() -> None:
    foreign = [
        Record("turn", "done", "here -> there", "upkeep_begin", "upkeep_window", (), (), 1, "A", False, "", "", 1)
    ]
    drawn = draw(MAGIC, trace=foreign)
    assert pills(drawn) == []
    assert read(drawn).says("0 of ")
