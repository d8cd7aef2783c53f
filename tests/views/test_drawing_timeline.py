"""The drawn timeline: its cells are the visits, in order and in place; skips, extras and jumps are
there to see.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from click.testing import CliRunner

import fsm
from fsm import scenarios
from fsm.cli import cli
from fsm.engine import Record
from fsm.errors import DrawError
from fsm.model import Model
from fsm.model.stepcodes import step_codes
from fsm.rulesets import names
from fsm.runs.turns import Cell, Turn, read_turns
from fsm.runs.visits import visits_of
from fsm.scenarios import Outcome, play
from fsm.views.drawing.timeline import Section, timeline, timelines
from support import drawnsvg, processes
from support.amounts import sample
from support.arenalogs import ATTACK, FIRST, FIRST_STRIKE, QUIET, in_turn, log
from support.drawnsvg import collisions
from support.folders import SCENARIOS
from support.inventedgames import STEPS, Builder, framed, nested, random_game, towns

SVG = "{http://www.w3.org/2000/svg}"
MAGIC = fsm.load("magic")
HOSTILE = "<script>alert(1)</script>\"'&]]> \u202eright to left עברית\nnext\x00line " + "x" * 10_000
every_ruleset = pytest.mark.parametrize(
    "model", [fsm.load(name) for name in sample(names(), 2)], ids=lambda m: m.name
)


@dataclass(frozen=True)
class Drawn:
    """A cell read back: the turn it stands in, its classes, its texts, its box and borders, and its
    tooltip.
    """

    turn: str
    kinds: frozenset[str]
    texts: tuple[str, ...]
    x: float
    y: float
    width: float
    borders: int
    dashed: bool
    tip: str


def cells(svg: str) -> list[Drawn]:
    return [cell for turn in groups(ET.fromstring(svg), "turn") for cell in _cells(turn)]


def _cells(turn: ET.Element) -> Iterator[Drawn]:
    number = next(t.text or "" for side in groups(turn, "side") for t in side.iter(f"{SVG}text"))
    for group in groups(turn, "cell"):
        texts = tuple(t.text or "" for t in group.iter(f"{SVG}text"))
        boxes = list(group.iter(f"{SVG}rect"))
        box, dashed = boxes[-1], "stroke-dasharray" in boxes[-1].attrib
        x, y, width = (float(box.get(name, "nan")) for name in ("x", "y", "width"))
        kinds = frozenset(group.get("class", "").split())
        yield Drawn(
            number,
            kinds,
            texts,
            x,
            y,
            width,
            len(boxes),
            dashed,
            group.findtext(f"{SVG}title") or "",
        )


def groups(root: ET.Element, kind: str) -> list[ET.Element]:
    return [g for g in root.iter(f"{SVG}g") if kind in g.get("class", "").split()]


def read(svg: str) -> drawnsvg.Picture:
    """The picture without its lines."""
    root = ET.fromstring(svg)
    for holder in list(root.iter()):
        for path in holder.findall(f"{SVG}path"):
            holder.remove(path)
    return drawnsvg.read(ET.tostring(root, encoding="unicode"))


def records(*given: dict[str, Any], turns: int = 1, **more: Any) -> list[Record]:
    data = {"id": "t", "players": 2, "through_turn": turns, "given": list(given), **more}
    [scenario] = fsm.scenarios.load(json.loads(json.dumps(data)), place="t.json")
    return [r for r in play(scenario).records if r.turn <= turns]


def at(turn: int, step: str, do: str, /, **fields: Any) -> dict[str, Any]:
    return {"when": {"turn": turn, "step": step}, "do": do, **fields}


@cache
def cases(ruleset: str) -> Sequence[Outcome]:
    """The rulebook's worked cases, played; every third, to be quick."""
    paths = sorted((SCENARIOS / ruleset).glob("*.json"))[::3]
    return [play(scenario) for path in paths for scenario in scenarios.load(path)]


def told(cell: Drawn, model: Model) -> str:
    """The code in a cell, whatever count stands beside it."""
    return next(text for text in cell.texts if text in step_codes(model).values())


# what was played is what is drawn -----------------------------------------------------------------


@every_ruleset
def test_the_cells_are_the_visits_in_order(model: Model) -> None:
    assert len(cases(model.name)) > 5
    for outcome in sample(cases(model.name), 4):
        codes = {
            outcome.model.state(id).name: code for id, code in step_codes(outcome.model).items()
        }
        drawn = cells(timeline(outcome.model, outcome.records))
        fresh = [
            (c.turn, told(c, outcome.model)) for c in drawn if not c.kinds & {"skipped", "back"}
        ]
        assert fresh == [
            (str(v.turn), codes[v.step]) for v in visits_of(outcome.records, outcome.model)
        ]


@every_ruleset
def test_every_line_goes_right_and_a_new_one_starts_only_where_it_must(model: Model) -> None:
    for outcome in cases(model.name):
        drawn = cells(timeline(outcome.model, outcome.records))
        for _, turn in groupby(drawn, lambda c: c.turn):
            for one, other in pairwise(turn):
                assert (other.y == one.y) == (other.x > one.x)
                assert other.y >= one.y


@every_ruleset
def test_what_the_records_call_extra_has_a_double_border(model: Model) -> None:
    found = 0
    for outcome in cases(model.name):
        codes = {
            outcome.model.state(id).name: code for id, code in step_codes(outcome.model).items()
        }
        drawn = cells(timeline(outcome.model, outcome.records))
        extra = {
            (str(r.turn), codes[r.step])
            for r in outcome.records
            if (r.extra_phase or r.extra_step) and r.step
        }
        visited = {(str(v.turn), codes[v.step]) for v in visits_of(outcome.records, outcome.model)}
        doubled = {(c.turn, told(c, outcome.model)) for c in drawn if c.borders == 2}
        assert all((c.borders == 2) == bool(c.kinds & {"extra", "again"}) for c in drawn)
        assert extra & visited <= doubled
        assert {(c.turn, told(c, outcome.model)) for c in drawn if "extra" in c.kinds} <= extra
        found += len(doubled)
    assert found or model.name == "grand-archive"


@every_ruleset
def test_every_skip_that_was_taken_stands_there_with_its_rule(model: Model) -> None:
    found = 0
    for outcome in cases(model.name):
        rows = {t.id: t for t in outcome.model.transitions if t.layer == "skip" and not t.generic}
        drawn = cells(timeline(outcome.model, outcome.records))
        assert all(c.dashed == ("skipped" in c.kinds) for c in drawn)
        for record in outcome.records:
            row = rows.get(record.transition)
            if row is not None and outcome.model.enclosing(row.source, "step"):
                assert any(
                    row.rule in c.tip
                    for c in drawn
                    if c.turn == str(record.turn) and "skipped" in c.kinds
                )
                found += 1
    assert found or model.name == "grand-archive"


def test_a_quiet_first_turn() -> None:
    drawn = cells(timeline(MAGIC, records()))
    assert [c.texts[0] for c in drawn] == [
        "UN",
        "UP",
        "103.8a",
        "M1",
        "BC",
        "DA",
        "508.8",
        "EC",
        "M2",
        "EN",
        "CL",
    ]
    assert [c.texts[0] for c in drawn if "skipped" in c.kinds] == ["103.8a", "508.8"]
    draw, gap = (c for c in drawn if "skipped" in c.kinds)
    assert gap.width > 2 * draw.width, "three steps are left out as one"
    assert gap.tip.startswith(
        "skipped: Declare blockers, First-strike damage, Combat damage\nturn 1, A"
    )


def test_a_turn_ended_in_combat_jumps() -> None:
    drawn = timeline(MAGIC, records(at(1, "beginning_of_combat", "end_turn")))
    cut = next(c for c in cells(drawn) if "cut" in c.kinds)
    assert (cut.texts[0], cells(drawn)[-1].texts[0]) == ("BC", "CL")
    assert "cut short by end turn (723.1)" in cut.tip
    assert len(_jumps(drawn)) == 1
    assert read(drawn).says("end turn")
    assert not _jumps(timeline(MAGIC, records()))


def test_a_jump_to_the_left_goes_down_to_its_target() -> None:
    run = records(
        at(1, "precombat_main", "add_phase", phases=["combat"]),
        at(1, "declare_attackers", "end_phase"),
    )
    drawn = timeline(MAGIC, run)
    [jump] = _jumps(drawn)
    cut = next(c for c in cells(drawn) if "cut" in c.kinds)
    after = cells(drawn)[cells(drawn).index(cut) + 1]
    assert after.y > cut.y
    assert f"H{after.x + after.width / 2:.2f}V" in jump


def _jumps(svg: str) -> list[str]:
    return [
        p.get("d", "") for p in ET.fromstring(svg).iter(f"{SVG}path") if p.get("class") == "jump"
    ]


def test_an_extra_combat_has_double_borders_and_the_normal_one_has_not() -> None:
    drawn = cells(timeline(MAGIC, records(at(1, "precombat_main", "add_phase", phases=["combat"]))))
    assert ["extra" in c.kinds for c in drawn if c.texts[0] == "BC"] == [True, False]


def test_counts_and_answers_stand_in_cell_and_tooltip() -> None:
    run = records(at(1, "upkeep", "trigger", id="a"), at(1, "upkeep", "trigger", id="b"))
    upkeep = next(c for c in cells(timeline(MAGIC, run)) if c.texts[0] == "UP")
    resolved = sum(r.source == "resolve_top" for r in run if r.step == "upkeep")
    passes = sum(r.event == "passed" for r in run if r.step == "upkeep")
    assert upkeep.texts[1:] == ((str(resolved),) if resolved else ())
    assert f"passed {passes} times" in upkeep.tip
    assert upkeep.tip.splitlines()[-1] == "CR 2026-01, 503"


def test_what_was_done_stands_in_the_tooltip() -> None:
    draw = next(c for c in cells(timeline(MAGIC, records(turns=2))) if c.texts[0] == "DR")
    assert "done: " in draw.tip
    assert MAGIC.state("draw_draw_card").label in draw.tip


def test_cleanup_once_more() -> None:
    trigger = {"when": {"turn": 1, "step": "cleanup", "at": "begin"}, "do": "trigger", "id": "x"}
    *_, first, again = cells(timeline(MAGIC, records(trigger)))
    assert (first.texts, again.texts) == (("CL", "1"), ("CL",))
    assert "again" in again.kinds
    assert "2nd time this turn" in again.tip
    assert "because something happened" in first.tip


def test_a_phase_inside_another_and_back() -> None:
    model = fsm.load("grand-archive")
    drawn = timeline(model, records(at(2, "main", "attack"), turns=2, ruleset="grand-archive"))
    fight = [c for c in cells(drawn) if c.turn == "2"]
    assert [c.texts[0] for c in fight][-6:] == ["MN", "RT", "DA", "EC", "MN", "EN"]
    assert [c.texts[0] for c in fight if "back" in c.kinds] == ["MN"]
    assert read(drawn).says("back where it waited")


def test_extra_and_skipped_turns() -> None:
    run = records(
        at(1, "upkeep", "add_turn", player="A"), at(1, "upkeep", "skip_turn", player="B"), turns=3
    )
    drawn = timeline(MAGIC, run)
    assert read(drawn).says("a turn skipped 614.10")
    sides = [[t.text for t in g.iter(f"{SVG}text")] for g in groups(ET.fromstring(drawn), "side")]
    assert sides == [["1", "A"], ["2", "A", "extra turn"], ["–"], ["3", "A"]]


def test_a_player_who_leaves_is_noted() -> None:
    run = records(at(2, "upkeep", "player_leaves", player="B"), turns=3, players=3)
    assert read(timeline(MAGIC, run)).says("player left")


def test_many_lines_alike_are_drawn_once() -> None:
    endless = {
        "id": "endless",
        "players": 2,
        "through_turn": 1,
        "given": [{"do": "standing_trigger", "id": "t", "step": "cleanup"}],
    }
    outcome = play(fsm.scenarios.load(endless, place="endless")[0], max_steps=60)
    drawn = timeline(outcome.model, outcome.records)
    assert len(cells(drawn)) < 16
    assert any("more lines like it" in word for word in read(drawn).words)


# how it looks -------------------------------------------------------------------------------------


@every_ruleset
def test_no_two_texts_meet_and_nothing_is_cut_off(model: Model) -> None:
    runs: dict[str, list[Section]] = {}
    models: dict[str, Model] = {}
    for outcome in cases(model.name):
        models[outcome.model.fingerprint] = outcome.model
        section = Section(list(read_turns(outcome.records, outcome.model)), outcome.scenario.id)
        runs.setdefault(outcome.model.fingerprint, []).append(section)
    for fingerprint, sections in runs.items():
        for section in sections:
            picture = read(timelines(models[fingerprint], [section], title=section.heading))
            assert picture.size[0] <= 810
            assert collisions(picture) == []


@every_ruleset
def test_texts_stay_inside_their_cells(model: Model) -> None:
    for outcome in cases(model.name):
        assert outside(timeline(outcome.model, outcome.records)) == []


def outside(svg: str) -> list[str]:
    """The texts that reach over the border of their cell."""
    found = []
    for turn in groups(ET.fromstring(svg), "turn"):
        for group in groups(turn, "cell"):
            box = list(group.iter(f"{SVG}rect"))[-1]
            left, right = (
                float(box.get("x", "0")),
                float(box.get("x", "0")) + float(box.get("width", "0")),
            )
            alone = read(f'<svg xmlns="{SVG[1:-1]}">{ET.tostring(group, encoding="unicode")}</svg>')
            found += [
                text for text, area in alone.texts if not (left < area[0] and area[2] < right)
            ]
    return found


def test_a_long_game_has_its_header_again_and_again() -> None:
    ten = records(turns=10)
    run = [replace(r, turn=r.turn + 10 * i) for i in range(20) for r in ten]
    root = ET.fromstring(timeline(MAGIC, run))
    staves = groups(root, "stave")
    assert len(groups(root, "turn")) == 200
    assert len(staves) > 8
    for stave in staves:
        assert len(groups(stave, "step")) == len(MAGIC.of_kind("step"))
        assert len(groups(stave, "turn")) <= 25
    assert float(root.get("width", "0")) <= 810


def test_light_and_dark_differ_in_paint_only() -> None:
    run = records(turns=2)
    light, dark = read(timeline(MAGIC, run)), read(timeline(MAGIC, run, theme="dark"))
    assert light.texts == dark.texts
    assert "#0D1117" in timeline(MAGIC, run, theme="dark")
    with pytest.raises(DrawError, match="theme 'drak' is unknown; did you mean 'dark'"):
        timeline(MAGIC, run, theme="drak")


def test_the_legend_tells_what_occurs_and_only_that() -> None:
    quiet = read(timeline(MAGIC, records()))
    assert quiet.says("players could act")
    assert quiet.says("skipped, with the rule")
    assert not quiet.says("extra")
    assert not quiet.says("cut short")


def test_games_below_each_other_with_their_own_names() -> None:
    turns = list(read_turns(records(turns=2), MAGIC))
    drawn = timelines(
        MAGIC,
        [Section(turns, "game 1", {"A": "Ann, Bea"}), Section(turns, "game 2")],
        title="Friday",
    )
    assert [w for w in read(drawn).words if w in ("Friday", "game 1", "game 2")] == [
        "Friday",
        "game 1",
        "game 2",
    ]
    assert "turn 1, Ann, Bea" in drawn
    assert len(groups(ET.fromstring(drawn), "stave")) == 2


def test_a_run_without_turns_is_still_a_picture() -> None:
    picture = read(timeline(MAGIC, []))
    assert picture.says("0 turns")
    assert picture.says("Upkeep")


# models of other people ---------------------------------------------------------------------------


def long_turn(steps: int) -> Model:
    """A game with one phase of so many steps, all with two-word names."""
    b = Builder()
    names = [f"step_{i}" for i in range(steps)]
    b.state("phase", "phase", "Morning council", parent="turn", rule="1")
    for i, name in enumerate(names):
        b.state(name, "step", f"{STEPS[i % len(STEPS)]} {i}", parent="phase", rule=f"1.{i}")
    framed(b, [("phase", names)])
    return b.model()


def anything(model: Model, seed: int) -> list[Turn]:
    """Turns with every sign on some cell."""
    rng, steps = random.Random(seed), [s.id for s in model.of_kind("step")]
    turns = []
    for number in range(1, 5):
        cells = [
            _anything(rng, steps, i)
            for i in range(len(steps))
            for _ in range(rng.choice([0, 1, 1, 1, 2]))
        ]
        turns.append(
            Turn(
                number, f"Player {number}", extra=rng.random() < 0.3, cells=cells, signals=["storm"]
            )
        )
    return turns


def _anything(rng: random.Random, steps: Sequence[str], i: int) -> Cell:
    through = steps[min(len(steps) - 1, i + rng.choice([0, 0, 3]))]
    if rng.random() < 0.2:
        rule = rng.choice(["", "1.2", "The longest rule of them all 7"])
        return Cell(steps[i], skipped=True, through=through, rule=rule)
    return Cell(
        steps[i],
        extra=rng.random() < 0.25,
        again=rng.random() < 0.25,
        back=rng.random() < 0.25,
        cut=rng.random() < 0.25,
        conditional=rng.random() < 0.25,
        resolved=rng.choice([0, 0, 3, 27]),
        loops=rng.choice([0, 0, 0, 1, 14]),
        priority=rng.random() < 0.7,
    )


OWN = [towns(), *map(random_game, range(8)), *map(nested, range(8)), *map(long_turn, (1, 9, 40))]


@pytest.mark.parametrize("model", OWN, ids=range(len(OWN)))
def test_any_model_with_any_signs(model: Model) -> None:
    turns = anything(model, 7)
    drawn = timelines(model, [Section(turns)])
    codes = step_codes(model)
    shown = [c for c in cells(drawn) if "skipped" not in c.kinds]
    assert [codes[c.step] for t in turns for c in t.cells if not c.skipped] == [
        next((text for text in c.texts if text in codes.values()), "") for c in shown
    ]
    assert collisions(read(drawn)) == []
    assert outside(drawn) == []
    assert read(drawn).size[0] <= max(810, 130 + 60 * len(codes))


def test_hostile_names_are_inert_everywhere() -> None:
    states = tuple(
        replace(s, label=HOSTILE if s.label else "", rule=HOSTILE, doc=HOSTILE)
        for s in MAGIC.states
    )
    rows = tuple(
        replace(t, rule=HOSTILE if t.layer in ("skip", "jump") else t.rule)
        for t in MAGIC.transitions
    )
    model = replace(MAGIC, states=states, transitions=rows, title=HOSTILE, edition=HOSTILE)
    run = [replace(r, active=HOSTILE) for r in records(at(1, "upkeep", "end_turn"), turns=2)]
    turns = list(read_turns(run, model))
    turns[0].note = HOSTILE
    drawn = timelines(model, [Section(turns, HOSTILE, {HOSTILE: HOSTILE})], title=HOSTILE)
    root = ET.fromstring(drawn)
    assert {e.tag.removeprefix(SVG) for e in root.iter()} <= {
        "svg",
        "g",
        "title",
        "rect",
        "circle",
        "desc",
        "path",
        "text",
    }
    assert "\x00" not in drawn
    assert len(drawn) < 200_000
    picture = read(drawn)
    assert picture.size[0] <= 810
    assert collisions(picture) == []
    assert picture.says("<script>")


def test_records_of_another_model_are_passed_over() -> None:
    assert cells(timeline(towns(), records(turns=2))) == []


# on the command line ------------------------------------------------------------------------------


def test_run_draws_what_it_played(tmp_path: Path) -> None:
    path = tmp_path / "game.svg"
    done = CliRunner().invoke(cli, ["run", "--timeline", str(path), "--theme", "dark"])
    assert (done.exit_code, done.stderr) == (0, "")
    assert f"written: {path}" in done.output
    drawn = path.read_text(encoding="utf-8")
    assert "#0D1117" in drawn
    assert {c.turn for c in cells(drawn)} == set("1234567")
    assert read(drawn).says("a quiet turn")


def played(folder: Path, **scenario: Any) -> drawnsvg.Picture:
    """What `fsm run --timeline` draws of a scenario."""
    (folder / "game.json").write_text(json.dumps({"id": "game", **scenario}), encoding="utf-8")
    done = CliRunner().invoke(
        cli, ["run", str(folder / "game.json"), "--timeline", str(folder / "t.svg")]
    )
    assert done.exit_code == 0, done.output
    return read((folder / "t.svg").read_text(encoding="utf-8"))


def test_who_decides_for_another_player_is_noted(tmp_path: Path) -> None:
    control = at(1, "upkeep", "control_next_turn", player="B", by="A")
    picture = played(tmp_path, players=2, through_turn=2, given=[control])
    assert [word for word in picture.words if "decides" in word] == ["A decides"]


def test_a_team_is_named_by_its_players(tmp_path: Path) -> None:
    picture = played(tmp_path, players=4, teams=[["A", "B"], ["C", "D"]], through_turn=2, given=[])
    assert picture.says("A, B")
    assert any(tip.startswith("turn 2, C, D") for tip in picture.tooltips)


def test_several_scenarios_stand_below_each_other(tmp_path: Path) -> None:
    paths = [str(path) for path in sorted((SCENARIOS / "magic").glob("case-0[12]*.json"))]
    done = CliRunner().invoke(cli, ["run", *paths, "--timeline", str(tmp_path / "t.svg")])
    assert done.exit_code == 0
    drawn = read((tmp_path / "t.svg").read_text(encoding="utf-8"))
    assert drawn.says("case-01-plain-turn")
    assert drawn.says("case-02-no-attackers")


@pytest.mark.parametrize("other", ["--trace", "--svg"])
def test_one_file_for_two_outputs_is_refused(tmp_path: Path, other: str) -> None:
    path = str(tmp_path / "one.svg")
    done = CliRunner().invoke(cli, ["run", "--timeline", path, other, path])
    assert done.exit_code == 2
    assert "name another" in done.stderr
    assert not Path(path).exists()


def test_two_models_are_refused(tmp_path: Path) -> None:
    paths = [
        str(next((SCENARIOS / name).glob("case-01*.json"))) for name in ("magic", "grand-archive")
    ]
    done = CliRunner().invoke(cli, ["run", *paths, "--timeline", str(tmp_path / "t.svg")])
    assert done.exit_code == 2
    assert "--timeline" in done.stderr


@pytest.mark.parametrize("output", ["text", "json"])
def test_a_conformed_log_is_drawn(tmp_path: Path, output: str) -> None:
    game = tmp_path / "game.log"
    game.write_text("".join(log(in_turn(FIRST, ATTACK, FIRST_STRIKE, QUIET))), encoding="utf-8")
    path = tmp_path / "t.svg"
    done = CliRunner().invoke(
        cli, ["conform", str(game), "--timeline", str(path), "--format", output]
    )
    assert (done.exit_code, done.stderr) == (0, "")
    drawn = path.read_text(encoding="utf-8")
    wanted = [
        (str(n), step)
        for n, steps in enumerate((FIRST, ATTACK, FIRST_STRIKE, QUIET), 1)
        for step in steps
    ]
    codes = {MAGIC.state(id).name: code for id, code in step_codes(MAGIC).items()}
    visited = [(c.turn, c.texts[0]) for c in cells(drawn) if "skipped" not in c.kinds]
    assert visited == [(number, codes[step]) for number, step in wanted]
    assert read(drawn).words[0] == "game.log"
    assert ("written:" in done.output) == (output == "text")


def test_a_log_that_is_refused_is_drawn_up_to_there(tmp_path: Path) -> None:
    game = tmp_path / "game.log"
    game.write_text("".join(log(in_turn(FIRST, ["untap", "draw"]))), encoding="utf-8")
    done = CliRunner().invoke(cli, ["conform", str(game), "--timeline", str(tmp_path / "t.svg")])
    assert done.exit_code == 1
    assert {c.turn for c in cells((tmp_path / "t.svg").read_text(encoding="utf-8"))} >= {"1"}


@pytest.mark.no_fsm_cov
def test_drawing_it_needs_no_controller() -> None:
    code = "import sys, fsm.views.drawing.timeline.sheet; print(*(m for m in sys.modules if m.startswith('fsm.')))"
    home = Path(fsm.__file__).resolve().parents[1]
    done = processes.run([sys.executable, "-c", code], check=True, cwd=home)
    loaded = done.stdout.split()
    assert "fsm.runs.turns" in loaded
    assert not {"fsm.engine.controller", "fsm.engine.machine", "fsm.scenarios.player"} & set(loaded)


def test_who_does_not_see_a_game_hears_its_turns() -> None:
    [told] = [
        e.text or "" for e in ET.fromstring(timeline(MAGIC, records(turns=2))).iter(f"{SVG}desc")
    ]
    assert told.startswith("Turn 1, A: Untap, Upkeep, (skipped: Draw), Precombat main,")
    assert " Turn 2, B: Untap, Upkeep, Draw," in told
