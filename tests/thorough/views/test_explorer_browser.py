"""The explorer page, used as people use it: with a mouse, with keys alone, on a phone, by a screen
reader's rules.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest

import fsm
from fsm.model import Action, Fact, Model, State, Term, Transition
from fsm.scenarios import play
from fsm.views import explore
from support.explorerpage import DESKTOP, PHONE, Visitor, chromium
from support.tools import package

FIGHT = {
    "when": {"turn": 1, "step": "declare_attackers"},
    "do": "attackers",
    "count": 1,
    "first_strike": True,
}

QUIET_TURN = (
    *("Turn 1, Alice", "Untap", "Upkeep", "skipped: Draw", "Precombat main"),
    *("Beginning of combat", "Declare attackers"),
    *(
        "skipped: Declare blockers",
        "skipped: First-strike damage",
        "skipped: Combat damage",
        "End of combat",
    ),
    *("Postcombat main", "End step", "Cleanup"),
)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as running:
        yield running


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of Magic, as a file."""
    return written(fsm.load("magic"), tmp_path_factory.mktemp("explorer"))


@pytest.fixture
def visitor(browser: Any, file: Path) -> Iterator[Visitor]:
    """An expert at a desk."""
    here = Visitor(browser, file, level="expert")
    yield here
    here.close()


def written(model: Model, folder: Path, **more: Any) -> Path:
    path = folder / "turn of a game.html"
    path.write_text(explore(model, **more), encoding="utf-8")
    return path


def test_a_quiet_turn_is_clicked_through(visitor: Visitor) -> None:
    while "Turn 2" not in visitor.now:
        visitor.press("step")
    assert tuple(visitor.path[: len(QUIET_TURN)]) == QUIET_TURN
    assert visitor.path[len(QUIET_TURN)] == "Turn 2, Bob"


def test_a_fact_opens_another_way(visitor: Visitor) -> None:
    visitor.until("Declare attackers")
    assert any(
        "if all pass: End of combat" in words or "to Alice may act" in words
        for words in visitor.moves
    )
    visitor.page.get_by_role("switch", name="attackers declared").click()
    visitor.press("step")
    assert "if all pass: Declare blockers" in visitor.moves[0]
    assert any(
        "to End of combat" in words and "attackers declared is true" in words
        for words in visitor.closed
    )
    visitor.until("Declare blockers")
    assert visitor.path[-1] == "Declare blockers"


def test_the_turn_ends_by_a_signal_and_with_an_extra_turn(visitor: Visitor) -> None:
    visitor.until("Upkeep")
    visitor.page.click("#effects > summary")
    visitor.page.select_option("#kind", "Extra turn")
    visitor.page.select_option("#fields select[name=player]", "Bob")
    visitor.press("add")
    assert visitor.text("#orders") == "Extra turn (Bob)"
    visitor.page.locator(".move", has_text="End turn").click()
    assert visitor.page.locator("svg[data-view='ending:end_turn'] .now").is_visible()
    assert visitor.text("#scheduled") == "Extra turn of Bob"
    visitor.until("Cleanup")
    assert visitor.page.locator("svg[data-view=turn] .now").is_visible()
    while "Extra turn 2, Bob" not in visitor.now:
        visitor.press("step")
    assert "End turn" in visitor.path


def test_an_impossible_effect_is_not_offered(browser: Any, tmp_path: Path) -> None:
    here = Visitor(browser, written(fsm.load("grand-archive"), tmp_path), level="expert")
    here.page.click("#effects > summary")
    here.page.locator("#kind option").first.wait_for(state="attached")
    offered = here.page.locator("#kind option").all_text_contents()
    assert "Extra turn" in offered and "Extra step" not in offered
    here.close()


def test_somebody_leaves(visitor: Visitor) -> None:
    visitor.page.click("#effects > summary")
    visitor.page.get_by_role("button", name="Bob leaves the game").click()
    assert "The game is over" in visitor.now
    assert visitor.page.locator("#step").is_disabled()


def test_undo_redo_and_restart(visitor: Visitor) -> None:
    seen = [visitor.now]
    for _ in range(6):
        visitor.press("step")
        seen.append(visitor.now)
    for expected in reversed(seen[:-1]):
        visitor.press("undo")
        assert visitor.now == expected
    for expected in seen[1:]:
        visitor.press("redo")
        assert visitor.now == expected
    visitor.press("restart")
    assert visitor.now == seen[0]
    assert visitor.page.locator("#undo").is_disabled()


def test_it_plays_by_itself_until_it_is_paused(visitor: Visitor) -> None:
    visitor.press("play")
    visitor.page.locator("#path button").nth(2).wait_for(state="attached")
    visitor.press("play")
    assert visitor.text("#play") == "Play slowly"


def test_small_steps_stop_at_state_based_actions(visitor: Visitor) -> None:
    visitor.until("Upkeep")
    assert not any("State-based" in words for words in visitor.moves)
    visitor.press("every")
    visitor.press("step")
    assert "State-based actions" in visitor.now


def test_the_map_marks_the_place_and_takes_one_elsewhere(visitor: Visitor) -> None:
    visitor.until("Upkeep")
    assert "Upkeep" in (
        visitor.page.locator("svg[data-view=turn] .now").get_attribute("aria-label") or ""
    )
    visitor.page.get_by_role("button", name=re.compile("^End step")).click()
    assert "513" in visitor.text("#about")
    visitor.page.get_by_role("button", name="Take me there").click()
    assert visitor.place == "End step"


def test_layers_and_views(visitor: Visitor) -> None:
    skip = visitor.page.locator("svg[data-view=turn] .layer-skip").first
    assert skip.is_visible()
    visitor.page.click("[data-layer=skip]")
    assert not skip.is_visible()
    visitor.until("Upkeep")
    visitor.page.click("[data-look=window]")
    assert visitor.page.locator("svg[data-view=window] .now").is_visible()
    visitor.press("phase")
    assert (
        visitor.page.locator("svg[data-view=turn]").get_attribute("viewBox")
        != "-12 -610.6 754.136 622.6"
    )


def test_a_turn_with_keys_alone(visitor: Visitor) -> None:
    keyboard = visitor.page.keyboard
    for _ in range(60):
        if visitor.place == "Declare attackers":
            break
        keyboard.press("ArrowRight")
    _tab_to(visitor, "attackers declared")
    keyboard.press("Space")
    assert visitor.page.evaluate("document.activeElement.getAttribute('aria-checked')") == "true"
    assert visitor.page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    keyboard.press("1")
    for _ in range(60):
        if "Turn 2" in visitor.now:
            break
        keyboard.press("ArrowRight")
    assert "Combat damage" in visitor.path and "Turn 2, Bob" in visitor.path
    keyboard.press("ArrowLeft")
    assert "Turn 1" in visitor.now
    keyboard.press("Home")
    assert "Untap" in visitor.now
    keyboard.press("?")
    assert visitor.page.get_by_role("dialog").is_visible()
    keyboard.press("Escape")
    _tab_to(visitor, "Untap", "svg")
    keyboard.press("ArrowDown")
    keyboard.press("Enter")
    assert visitor.text("#card-head").startswith("Upkeep")


def _tab_to(visitor: Visitor, name: str, inside: str = "body", most: int = 80) -> None:
    """Press Tab until this has the focus."""
    name_of = f"(a) => a.closest('{inside}') ? (a.getAttribute('aria-label') || a.textContent) : ''"
    here = f"({name_of})(document.activeElement)"
    for _ in range(most):
        visitor.page.keyboard.press("Tab")
        if visitor.page.evaluate(here).startswith(name):
            return
    raise AssertionError(f"Tab never comes to {name!r}")


def test_changes_are_said_aloud(visitor: Visitor) -> None:
    live = visitor.page.locator("[role=status][aria-live=polite]")
    visitor.until("Upkeep")
    assert live.text_content() is not None
    assert "Upkeep" in (live.text_content() or "") and "Alice" in (live.text_content() or "")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("device", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("level", ["newcomer", "expert"])
def test_axe_finds_nothing(
    browser: Any, file: Path, scheme: str, device: dict[str, Any], level: str
) -> None:
    here = Visitor(browser, file, level=level, **device, color_scheme=scheme)
    here.until("Declare attackers")
    found = _violations(here)
    if device is PHONE:
        here.press("menu")
    here.page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")
    here.page.evaluate("[toggleInside(), tours.start(1)]")
    found += _violations(here)
    here.page.evaluate("table()")
    found += _violations(here)
    here.page.evaluate("document.getElementById('help').showModal()")
    found += _violations(here)
    here.close()
    assert found == []


def _violations(here: Visitor) -> list[Any]:
    violations = (
        package("axe_playwright_python.sync_playwright").Axe().run(here.page).response["violations"]
    )
    return [
        (one["id"], [node["html"][:200] + node["failureSummary"] for node in one["nodes"]])
        for one in violations
    ]


def test_a_phone_scrolls_down_only_and_has_room_for_fingers(browser: Any, file: Path) -> None:
    here = Visitor(browser, file, level="expert", **PHONE)
    here.until("Declare attackers")
    here.press("menu")
    assert here.page.evaluate("document.documentElement.scrollWidth") <= 390
    small = """[...document.querySelectorAll('button,select,summary,input:not(.unseen)')]
      .filter((one) => one.checkVisibility()).map((one) => [one.textContent || one.id, one.getBoundingClientRect()])
      .filter(([, box]) => box.width && (box.width < 43.9 || box.height < 43.9))
      .map(([name, box]) => `${name} ${box.width}x${box.height}`)"""
    assert here.page.evaluate(small) == []
    here.close()


def test_dark_and_light(browser: Any, file: Path) -> None:
    paper = "getComputedStyle(document.body).backgroundColor"
    here = Visitor(browser, file, **DESKTOP, color_scheme="dark")
    assert here.page.evaluate(paper) == "rgb(13, 17, 23)"
    here.press("theme")
    assert here.page.evaluate(paper) == "rgb(255, 255, 255)"
    here.close()


def test_a_link_comes_to_the_same_position(browser: Any, file: Path, visitor: Visitor) -> None:
    visitor.until("Beginning of combat")
    visitor.page.locator(".move", has_text="Act").first.click()
    visitor.press("share")
    link = visitor.page.input_value("#link")
    there = Visitor(browser, file, hash="#" + link.partition("#")[2], level="expert")
    assert there.now == visitor.now and there.path == visitor.path
    there.press("undo")
    there.close()


@pytest.mark.parametrize(
    "hash", ["#nonsense", "#1~0000000000000000~e30~p", "#1~{}~!!~p", "#1~{}~e30~zz.x!"]
)
def test_a_damaged_link_is_said_to_be_one(browser: Any, file: Path, hash: str) -> None:
    there = Visitor(browser, file, hash=hash.replace("{}", fsm.load("magic").fingerprint))
    assert there.problem
    assert "Untap" in there.now
    there.close()


def test_a_trace_is_loaded_and_walked(visitor: Visitor) -> None:
    outcome = play(fsm.scenarios.load({"given": [FIGHT], "through_turn": 1}, place="case")[0])
    visitor.load("game.jsonl", "\n".join(outcome.trace.lines()))
    assert "Untap" in visitor.now
    while visitor.text("#step") == "Next":
        visitor.press("step")
    assert "First-strike damage" in visitor.path
    steps = [visit.step for visit in outcome.visits]
    assert len(
        [words for words in visitor.path if "skipped" not in words and "Turn" not in words]
    ) >= len(steps)


def test_a_trace_can_come_with_the_page(browser: Any, tmp_path: Path) -> None:
    outcome = play(
        fsm.scenarios.load(
            {"given": [FIGHT], "through_turn": 1, "turn_order": ["Ann", "Ben"]}, place="case"
        )[0]
    )
    here = Visitor(browser, written(outcome.model, tmp_path, trace=outcome.trace), level="expert")
    assert "Ann" in here.now and here.text("#step") == "Next"
    here.close()


def test_a_scenario_is_loaded_and_walked(visitor: Visitor) -> None:
    skip = {"do": "skip_step", "step": "upkeep", "scope": "next"}
    visitor.load("case.json", json.dumps({"given": [FIGHT, skip], "through_turn": 1}))
    for _ in range(60):
        if visitor.text("#step") != "Next":
            break
        visitor.press("step")
    assert "First-strike damage" in visitor.path and "skipped: Upkeep" in visitor.path


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a.json", "{", "neither a trace nor a scenario"),
        ("a.json", "[]", "neither a trace nor a scenario"),
        ("a.json", '{"given": 3}', "not formed as it should be"),
        ("a.json", '{"given": [{"do": "dance"}]}', "given[0]: the page cannot play “dance”"),
        (
            "a.json",
            '{"given": [{"do": "add_turn", "player": "Z"}]}',
            "player “Z” is not in this game",
        ),
        ("a.json", '{"ruleset": "grand-archive", "given": []}', "for “grand-archive”"),
        (
            "a.jsonl",
            '{"is": "GameHeader", "model": "x", "fingerprint": "0", "players": ["A"]}',
            "recorded with x 0",
        ),
        ("a.jsonl", '{"is": "GameHeader", "format": "fsm-trace-9"}', "“fsm-trace-9”"),
        (
            "a.jsonl",
            '{"is": "GameHeader", "fingerprint": "FP", "players": ["A"]}\n{"is": "Song"}',
            "line 2",
        ),
        (
            "a.jsonl",
            '{"is": "GameHeader", "fingerprint": "FP", "players": ["A"]}\n{',
            "line 2 of the trace is not JSON",
        ),
        (
            "a.jsonl",
            '{"is": "GameHeader", "fingerprint": "FP", "players": []}',
            "one or more different names",
        ),
        (
            "a.jsonl",
            '{"is": "GameHeader", "fingerprint": "FP", "players": ["A"]}\n{"is": "Record", "transition": "x"}',
            "line 2 of the trace was recorded as “x”",
        ),
    ],
)
def test_a_wrong_file_is_refused_in_one_sentence(
    visitor: Visitor, name: str, text: str, said: str
) -> None:
    visitor.press("step")
    before = visitor.now
    visitor.load(name, text.replace("FP", fsm.load("magic").fingerprint))
    assert said.lower() in visitor.problem.lower()
    assert visitor.now == before


HOSTILE = (
    *(
        "<script>alert(1)</script>",
        "</script><script>alert(2)</script>",
        "<img src=x onerror=alert(3)>",
    ),
    *("]]>", "&lt;b&gt;"),
    *("\"'`${alert(4)}", "__proto__", "constructor", "line\nbreak", "\u202eright to left"),
    "</style><svg onload=alert(5)>",
)


def hostile(model: Model) -> Model:
    """The same machine: labels, docs and citations are hostile, and so are the names of its game's
    facts.
    """
    words = cycle(HOSTILE)
    names = {f.name: f"{next(words)} {i}" for i, f in enumerate(_game_facts(model))}
    names |= dict(zip(list(names)[:2], ("__proto__", "constructor"), strict=True))
    window = None if model.window is None else _spoilt(model.window, names, words)
    return replace(
        _spoilt(model, names, words), window=window, title=next(words), edition=next(words)
    )


def _game_facts(model: Model) -> list[Fact]:
    return [f for m in (model, model.window) if m for f in m.facts if f.owner == "game"]


def _spoilt(model: Model, names: dict[str, str], words: Iterator[str]) -> Model:
    def other(name: str) -> str:
        return names.get(name, name)

    def row(t: Transition) -> Transition:
        actions = tuple(Action(a.name, tuple(map(other, a.args))) for a in t.actions)
        guard = tuple(Term(other(term.fact), term.value) for term in t.guard)
        return replace(t, guard=guard, actions=actions, rule=next(words), doc=next(words))

    def state(s: State) -> State:
        return replace(
            s,
            label=next(words),
            doc=next(words),
            rule=next(words),
            tells=tuple(map(other, s.tells)),
        )

    facts = tuple(
        replace(f, name=other(f.name), doc=next(words), rule=next(words)) for f in model.facts
    )
    rows = tuple(map(row, model.transitions))
    return replace(model, states=tuple(map(state, model.states)), facts=facts, transitions=rows)


def test_a_hostile_model_is_inert(browser: Any, tmp_path: Path) -> None:
    here = Visitor(browser, written(hostile(fsm.load("magic")), tmp_path), level="expert")
    scripts = here.page.evaluate("document.scripts.length")
    for _ in range(25):
        if here.page.locator("#step").is_disabled():
            break
        here.press("step")
    here.page.click("#effects > summary")
    here.page.locator("svg[data-view=turn] [role=button]").first.click(force=True)
    assert here.page.evaluate("document.scripts.length") == scripts == 2
    assert (
        here.page.evaluate(
            "document.querySelectorAll('img,iframe,object,embed,script[src],link').length"
        )
        == 0
    )
    here.close()


def test_a_machine_without_phases(browser: Any, tmp_path: Path) -> None:
    lamp = State("lamp", "action", label="Lamp <off>", asks="perform", action="wait")
    states = (lamp, State("dark", "final", label="Dark"))
    fact = Fact("switched", "somebody pressed it")
    rows = (Transition("lamp", "dark", guard=(Term("switched"),)), Transition("lamp", "lamp"))
    here = Visitor(
        browser,
        written(Model("lamps", "lamp", states, rows, facts=(fact,)), tmp_path),
        level="expert",
    )
    assert here.place == "Lamp <off>"
    assert "Lamp <off>" in (here.page.locator(".now").get_attribute("aria-label") or "")
    here.page.get_by_role("switch", name="switched").click()
    here.press("step")
    assert "The game is over" in here.now
    here.close()
