"""The explorer page in a browser: a game is played by clicks and keys, and told why not."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import fsm
from fsm.scenarios import load, play
from fsm.views import explore
from support.drawings import BUILT_IN
from support.explorerpage import DESKTOP, LAPTOP, PHONE, Visitor, violations
from support.folders import SCENARIOS
from support.hostile import NASTY

CLICKS = ["Untap", "Upkeep", "Precombat main", "Beginning of combat", "Declare attackers"]
CLICKS += ["End of combat", "Postcombat main", "End step", "Cleanup", "Untap"]


CUT = """() => {
  const svg = document.querySelector("svg[data-view=turn]"), room = svg.getBoundingClientRect();
  const legend = document.getElementById("legend").getBoundingClientRect();
  const right = legend.width ? legend.left : room.right;
  return [...svg.querySelectorAll("text")].filter((one) => {
    const box = one.getBoundingClientRect();
    return box.width && (box.left < room.left || box.right > right || box.bottom > room.bottom);
  }).map((one) => one.textContent);
}"""
"""The texts of the map that are not in sight."""
CARD = """(number) => {
  const infos = [...board.current.infos], [part, info] = infos[number * 3 % infos.length];
  const group = board.current.parts.get(part);
  showCard(session, { ...info, part, group }, { go() {}, close() {} });
}"""
"""Show the card of one of the parts of the map."""
SAID = """() => [...document.body.querySelectorAll("*:not(script)")].flatMap((one) => [
  one.title, one.getAttribute("aria-label"), ...[...one.childNodes].map((node) => node.nodeType === 3 && node.data),
]).filter((words) => words && words.trim())"""
MODEL_WORDS = re.compile(
    r"\w_\w|\bsba\b|\b(is|are) (true|false)\b|\[\w|\bsettle\b|\bguards?\b", re.I
)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The pages of all rulesets."""
    folder = tmp_path_factory.mktemp("pages")
    for name in BUILT_IN:
        (folder / f"{name}.html").write_text(explore(name), encoding="utf-8")
    return {name: folder / f"{name}.html" for name in BUILT_IN}


@pytest.fixture
def newcomer(browser: Any, files: dict[str, Path]) -> Iterator[Visitor]:
    here = Visitor(browser, files["magic"], **LAPTOP)
    yield here
    here.close()


@pytest.fixture
def expert(browser: Any, files: dict[str, Path]) -> Iterator[Visitor]:
    here = Visitor(browser, files["magic"], level="expert")
    yield here
    here.close()


# a newcomer's first level -------------------------------------------------------------------------


def test_a_turn_takes_nine_clicks_and_undo_takes_each_back(newcomer: Visitor) -> None:
    seen = [newcomer.place]
    while len(seen) < len(CLICKS):
        newcomer.press("step")
        seen.append(newcomer.place)
    assert seen == CLICKS
    assert "Turn 2" in newcomer.now
    for expected in reversed(CLICKS[:-1]):
        newcomer.press("undo")
        assert newcomer.place == expected


def test_what_is_decided_is_a_way_each_and_a_closed_one_says_why(newcomer: Visitor) -> None:
    newcomer.until("Declare attackers")
    assert newcomer.ways == [
        "Nobody attacks: End of combat",
        "A creature attacks: Declare blockers",
    ]
    newcomer.way("A creature attacks")
    assert newcomer.place == "Declare blockers"
    assert newcomer.closed == [
        "First-strike damage Closed because no creature has first or double strike. Try it anyway"
    ]
    newcomer.page.get_by_role("button", name="Try First-strike damage all the same").click()
    assert newcomer.place == "First-strike damage"


def test_an_effect_ends_the_turn(newcomer: Visitor) -> None:
    newcomer.until("Upkeep")
    newcomer.page.click("#effectsheld > summary")
    newcomer.page.locator("#byeffects .move").click()
    assert newcomer.place == "Cleanup"


def test_the_map_takes_one_to_a_step_that_passing_never_comes_to(newcomer: Visitor) -> None:
    newcomer.until("Upkeep")
    card = newcomer.page.get_by_role("button", name=re.compile("^First-strike damage"))
    card.and_(newcomer.page.locator("svg .card")).click()
    newcomer.press("goto")
    assert newcomer.place == "First-strike damage" and "Turn 1" in newcomer.now


@pytest.mark.parametrize("ruleset", BUILT_IN)
def test_three_tours_lead_to_their_ends(browser: Any, files: dict[str, Path], ruleset: str) -> None:
    here = Visitor(browser, files[ruleset], **LAPTOP)
    following = here.page.locator("#tour").get_by_role("button", name="Next")
    for number in range(3):
        here.page.locator("#tour .offered button").nth(number).click()
        said = {here.text("#tour .say")}
        while following.is_visible() and following.is_enabled():
            following.click()
            said.add(here.text("#tour .say"))
        assert len(said) > 3
        here.page.locator("#tour").get_by_role("button", name="Leave").or_(
            here.page.locator("#tour").get_by_role("button", name="End")
        ).first.click()
    here.close()


def test_before_the_first_turn_the_map_shows_where_the_game_stands(
    browser: Any, files: dict[str, Path]
) -> None:
    here = Visitor(browser, files["grand-archive"], **LAPTOP)
    assert "The first turn has not begun." in here.now
    assert here.page.locator("svg [data-part=start].now").is_visible()
    assert here.page.locator("[data-view=turn] .card.open").count() == 1
    here.press("step")
    assert here.page.locator("[data-view=turn] .card.now").count() == 1
    assert here.page.locator("svg [data-part=start].now").count() == 0
    here.close()


# experts ------------------------------------------------------------------------------------------


def test_a_fact_opens_another_way_and_closes_one(expert: Visitor) -> None:
    expert.until("Declare attackers")
    expert.page.get_by_role("switch", name="A creature attacks").click()
    expert.press("step")
    assert "If all pass: Declare blockers" in expert.moves[0]
    assert any("Closed because a creature attacks" in words for words in expert.closed)
    expert.until("Declare blockers")


def test_a_turn_with_keys_alone_and_said_aloud(expert: Visitor) -> None:
    keyboard = expert.page.keyboard
    for _ in range(60):
        if "Turn 2" not in expert.now:
            keyboard.press("ArrowRight")
    assert "Turn 2" in expert.now
    spoken = expert.page.locator("[role=status][aria-live=polite]").text_content() or ""
    assert "Bob" in spoken
    keyboard.press("ArrowLeft")
    assert "Turn 1" in expert.now
    keyboard.press("Home")
    assert "Untap" in expert.now
    keyboard.press("?")
    assert expert.page.get_by_role("dialog").is_visible()


@pytest.mark.parametrize("ruleset", BUILT_IN)
def test_all_of_the_map_is_seen_whatever_is_beside_it(
    browser: Any, files: dict[str, Path], ruleset: str
) -> None:
    here = Visitor(browser, files[ruleset], **LAPTOP)
    assert here.page.evaluate(CUT) == []
    here.page.click("[name=level][value=expert]")
    here.page.wait_for_function(f"({CUT})().length === 0")
    for _ in range(2):
        here.press("tablebutton")
        here.page.wait_for_function(f"({CUT})().length === 0")
    here.press("legendbutton")
    here.page.wait_for_function(f"({CUT})().length === 0")
    here.close()


def test_after_the_choice_of_a_level_the_arrow_keys_play(newcomer: Visitor) -> None:
    newcomer.page.click("[name=level][value=expert]")
    before = newcomer.now
    newcomer.page.keyboard.press("ArrowRight")
    assert newcomer.page.locator("[name=level][value=expert]").is_checked()
    assert newcomer.now != before
    newcomer.page.keyboard.press("ArrowLeft")
    assert newcomer.now == before


@pytest.mark.parametrize("game", [*BUILT_IN, "games.netrunner:NETRUNNER", "games.fab:FAB"])
def test_no_word_of_the_model_is_on_the_page(browser: Any, tmp_path: Path, game: str) -> None:
    file = tmp_path / "page.html"
    file.write_text(explore(fsm.load(game)), encoding="utf-8")
    for level, steps in (("newcomer", 6), ("expert", 16)):
        here = Visitor(browser, file, level=level)
        here.page.evaluate("document.querySelectorAll('details').forEach((one) => one.open = true)")
        said = set[str]()
        for number in range(steps):
            if number == 10:
                here.press("every")
            here.page.evaluate(CARD, number)
            said |= {*here.page.evaluate(SAID)}
            here.page.evaluate("step()")
        assert [words for words in said if MODEL_WORDS.search(words)] == []
        here.close()


# games that were played before --------------------------------------------------------------------


@pytest.mark.parametrize("ruleset", BUILT_IN)
def test_the_page_plays_worked_cases_and_what_it_copies_plays_again(
    browser: Any, tmp_path: Path, ruleset: str
) -> None:
    file = tmp_path / "game.html"
    for path in sorted((SCENARIOS / ruleset).glob("*.json"))[::4]:
        case = load(path)[0]
        trace = play(case).trace
        file.write_text(explore(case.model, players=case.players, trace=trace), encoding="utf-8")
        here = Visitor(browser, file, level="expert")
        here.page.evaluate("go(session.given.length)")
        end = trace.replay(case.model).position
        place = here.page.evaluate("Object.values(session.game.request.at)")
        assert place[:2] + place[-1:] == [end.turn, end.active, end.stage], case.id
        copied = json.loads(here.page.evaluate("scenarioOf(session)"))
        assert copied["expect"]
        assert play(load(copied, place="copied")[0]).failures == [], case.id
        here.close()


# everybody ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("device", "scheme"), [(DESKTOP, "light"), (PHONE, "dark")], ids=["desktop", "phone"]
)
def test_axe_finds_nothing(
    browser: Any, files: dict[str, Path], scheme: str, device: dict[str, Any]
) -> None:
    found = []
    for level in ("newcomer", "expert"):
        here = Visitor(browser, files["magic"], level=level, **device, color_scheme=scheme)
        here.until("Declare attackers")
        here.page.evaluate("document.querySelectorAll('details').forEach((one) => one.open = true)")
        found += violations(here.page)
        here.close()
    assert found == []


def test_hostile_names_are_inert(browser: Any, tmp_path: Path) -> None:
    model = fsm.load("magic")
    words = [word for word in NASTY if len(word) < 100]
    data: Any = model.to_json()
    for number, state in enumerate(data["states"]):
        state.update(label=words[number % len(words)], doc=words[(number + 7) % len(words)])
    file = tmp_path / "hostile.html"
    hostile = fsm.Model.from_json(data)
    file.write_text(explore(hostile, players=words[:2]), encoding="utf-8")
    here = Visitor(browser, file, level="expert")
    for _ in range(25):
        here.press("step")
    assert here.page.evaluate("document.scripts.length") == 2
    assert here.page.evaluate("document.querySelectorAll('img,iframe,object,link').length") == 0
    here.close()
