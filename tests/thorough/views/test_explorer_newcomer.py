"""The explorer page for newcomers: one click is one move that is seen, tours, the map, finding,
paper.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import fsm
from fsm.views import explore
from support.explorerpage import PHONE, Visitor, chromium

LAPTOP: dict[str, Any] = {"viewport": {"width": 1366, "height": 768}}
CLICKS = [
    "Untap",
    "Upkeep",
    "Precombat main",
    "Beginning of combat",
    "Declare attackers",
    "End of combat",
]
CLICKS += ["Postcombat main", "End step", "Cleanup", "Untap"]
RULESETS = ("magic", "magic-2010", "magic-classic", "grand-archive")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as running:
        yield running


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The pages of all rulesets."""
    folder = tmp_path_factory.mktemp("pages")
    for name in RULESETS:
        (folder / f"{name}.html").write_text(explore(fsm.load(name)), encoding="utf-8")
    return {name: folder / f"{name}.html" for name in RULESETS}


@pytest.fixture
def visitor(browser: Any, files: dict[str, Path]) -> Iterator[Visitor]:
    """A newcomer at a laptop."""
    here = Visitor(browser, files["magic"], **LAPTOP)
    yield here
    here.close()


def card(visitor: Visitor, name: str) -> Any:
    """The card of a step on the map."""
    return visitor.page.get_by_role("button", name=re.compile(f"^{name}")).and_(
        visitor.page.locator("svg .card")
    )


# one click is one visible move --------------------------------------------------------------------


def test_a_turn_takes_nine_clicks_and_each_of_them_moves(visitor: Visitor) -> None:
    seen = [visitor.place]
    while len(seen) < len(CLICKS):
        before = visitor.page.locator("svg[data-view=turn] .now").get_attribute("data-part")
        visitor.press("step")
        assert visitor.page.locator("svg[data-view=turn] .now").get_attribute("data-part") != before
        seen.append(visitor.place)
    assert seen == CLICKS
    assert "Turn 2" in visitor.now


def test_one_undo_takes_back_one_click(visitor: Visitor) -> None:
    for _ in CLICKS[1:]:
        visitor.press("step")
    for expected in reversed(CLICKS[:-1]):
        visitor.press("undo")
        assert visitor.place == expected
    assert visitor.page.locator("#undo").is_disabled()
    for expected in CLICKS[1:]:
        visitor.press("redo")
        assert visitor.place == expected


@pytest.mark.parametrize("ruleset", RULESETS)
def test_two_turns_of_every_ruleset(browser: Any, files: dict[str, Path], ruleset: str) -> None:
    here = Visitor(browser, files[ruleset], **LAPTOP)
    for _ in range(40):
        if "Turn 3" in here.now:
            break
        before = here.now
        here.press("step")
        assert here.now != before
    assert "Turn 3" in here.now
    here.close()


def test_what_is_decided_is_a_way_each(visitor: Visitor) -> None:
    visitor.until("Declare attackers")
    assert visitor.ways == ["Nobody attacks: End of combat", "A creature attacks: Declare blockers"]
    visitor.way("A creature attacks")
    assert visitor.place == "Declare blockers"


def test_a_closed_way_says_why_and_can_be_tried(visitor: Visitor) -> None:
    visitor.until("Declare attackers")
    visitor.way("A creature attacks")
    assert visitor.closed == [
        "First-strike damage Closed because nobody has first or double strike. Try it anyway"
    ]
    visitor.page.get_by_role("button", name="Try First-strike damage all the same").click()
    assert visitor.place == "First-strike damage"
    visitor.press("undo")
    assert visitor.place == "Declare blockers"
    assert visitor.ways[0] == "Both pass: Combat damage"


def test_somebody_acts_first_and_the_game_is_still_there(visitor: Visitor) -> None:
    visitor.until("Upkeep")
    visitor.way("Somebody acts first")
    assert visitor.place == "Upkeep"
    visitor.press("undo")
    assert visitor.place == "Upkeep"
    visitor.press("step")
    assert visitor.place == "Precombat main"


def test_an_effect_ends_the_turn(visitor: Visitor) -> None:
    visitor.until("Upkeep")
    visitor.page.click("#effectsheld > summary")
    visitor.page.locator("#byeffects .move").click()
    assert visitor.place == "Cleanup"


def test_in_grand_archive_an_attack_is_a_way(browser: Any, files: dict[str, Path]) -> None:
    here = Visitor(browser, files["grand-archive"], **LAPTOP)
    while "Turn 2" not in here.now or here.place != "Main":
        here.press("step")
    here.way("An attack is declared")
    assert here.place == "Retaliation"
    here.close()


@pytest.mark.parametrize("size", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_now_and_what_can_happen_never_scroll_away(
    browser: Any, files: dict[str, Path], size: dict[str, Any]
) -> None:
    here = Visitor(browser, files["magic"], **size)
    here.until("Declare attackers")
    here.page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")
    here.page.mouse.wheel(0, 3000)
    for part in ("#now", "#moves .move >> nth=0", "#step", "#undo"):
        box = here.page.locator(part).bounding_box()
        height = size["viewport"]["height"]
        assert box["y"] >= 0 and box["y"] + box["height"] <= height, part
    assert here.page.evaluate("[scrollX, scrollY, document.documentElement.scrollWidth]") == [
        *(0, 0, size["viewport"]["width"])
    ]
    here.close()


def test_facts_and_layers_are_for_experts(visitor: Visitor) -> None:
    hidden = "#facts-section, .layers, .views, #every"
    assert not any(one.is_visible() for one in visitor.page.locator(hidden).all())
    visitor.page.get_by_role("radio", name="Expert").check()
    assert all(one.is_visible() for one in visitor.page.locator(hidden).all())


# taking somebody there ----------------------------------------------------------------------------


@pytest.mark.parametrize("level", ["newcomer", "expert"])
def test_one_is_taken_to_a_step_that_passing_never_comes_to(
    browser: Any, files: dict[str, Path], level: str
) -> None:
    here = Visitor(browser, files["magic"], level=level, **LAPTOP)
    here.until("Upkeep")
    card(here, "First-strike damage").click()
    here.press("goto")
    assert here.place == "First-strike damage" and "Turn 1" in here.now
    here.press("undo")
    assert here.place == "Upkeep"
    here.close()


def test_what_only_an_effect_brings_is_made_to_happen_with_that_effect(visitor: Visitor) -> None:
    visitor.until("Upkeep")
    visitor.page.locator(
        "svg [aria-label^='Line, again or extra: After the beginning phase']"
    ).dispatch_event("click")
    visitor.press("goto")
    orders = visitor.page.evaluate(
        "session.given.flatMap((answer) => answer.orders.map((order) => order.is))"
    )
    assert orders == ["AddPhase"]
    assert visitor.page.evaluate(
        "session.game.records.some((record) => record.transition.includes('extra_phase_due'))"
    )
    visitor.press("undo")
    assert visitor.place == "Upkeep"


def test_where_nothing_leads_nothing_changes_and_the_card_says_why(
    browser: Any, files: dict[str, Path]
) -> None:
    here = Visitor(browser, files["grand-archive"], **LAPTOP)
    here.until("Main")
    before = here.page.evaluate("[session.at, session.given.length]")
    here.page.locator("svg [aria-label='Line, cut short: Turn to Game over']").dispatch_event(
        "click"
    )
    here.press("goto")
    assert "No answers make this happen from here" in here.text("#cardnote")
    assert here.page.evaluate("[session.at, session.given.length]") == before
    assert here.place == "Main"
    here.close()


def test_a_choice_is_no_place_to_wait(visitor: Visitor) -> None:
    visitor.page.locator("svg[data-view=turn] .choice[role=button]").first.dispatch_event("click")
    assert "The game never waits here" in visitor.text("#card")
    assert visitor.page.locator("#goto").count() == 0


def test_every_step_can_be_reached(visitor: Visitor) -> None:
    for name in ("Draw", "Declare blockers", "Combat damage", "End step", "Cleanup"):
        card(visitor, name).first.click()
        visitor.press("goto")
        assert visitor.place == name


def test_a_line_that_is_pressed_happens(visitor: Visitor) -> None:
    visitor.until("Declare attackers")
    visitor.page.get_by_role(
        "button", name=re.compile("Line, left out: After declare attackers")
    ).dispatch_event("click")
    assert visitor.place == "End of combat"
    visitor.press("undo")
    assert visitor.place == "Declare attackers"


# tours --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ruleset", RULESETS)
def test_three_tours_lead_to_their_ends(browser: Any, files: dict[str, Path], ruleset: str) -> None:
    here = Visitor(browser, files[ruleset], **LAPTOP)
    assert here.page.locator("#tour .offered button").count() == 3
    for number in range(3):
        here.page.evaluate(f"tours.start({number})")
        count, said = here.page.evaluate("tours.tour.stops.length"), set()
        for stop in range(count):
            said.add(here.text("#tour .say"))
            assert here.page.get_by_role("img", name=f"stop {stop + 1} of {count}").is_visible()
            if stop + 1 < count:
                here.page.locator("#tour").get_by_role("button", name="Next").click()
        assert len(said) == count
    here.close()


def test_undo_goes_back_one_stop_and_another_way_pauses_the_tour(visitor: Visitor) -> None:
    visitor.page.get_by_role("button", name="Combat with first strike").click()
    following = visitor.page.locator("#tour").get_by_role("button", name="Next")
    for _ in range(3):
        following.click()
    assert visitor.place == "Declare blockers"
    assert visitor.ways[0] == "Both pass: First-strike damage"
    visitor.press("undo")
    assert visitor.page.get_by_role("img", name="stop 3 of 8").is_visible()
    visitor.way("Nobody attacks")
    assert "The tour waits" in visitor.text("#tour .say")
    visitor.page.get_by_role("button", name="Back to the tour").click()
    assert visitor.place == "Declare attackers"
    visitor.page.get_by_role("button", name="Leave the tour").click()
    visitor.page.get_by_role("button", name="Close the tours").click()
    assert not visitor.page.locator("#tour").is_visible()


# the map ------------------------------------------------------------------------------------------


def scale(visitor: Visitor) -> float:
    found: float = visitor.page.evaluate("board.current.map.scale")
    return found


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_whole_map_is_seen_on_a_laptop_and_every_text_is_ten_pixels_high(
    browser: Any, files: dict[str, Path], ruleset: str
) -> None:
    here = Visitor(browser, files[ruleset], **LAPTOP)
    sizes = """[...document.querySelectorAll("svg[data-view=turn] text")].filter((text) => text.checkVisibility())
      .map((text) => parseFloat(text.getAttribute("font-size")) * board.current.map.scale)"""
    assert min(here.page.evaluate(sizes)) >= 9.99
    assert here.page.evaluate("board.current.map.scale <= board.current.map.fitting")
    here.close()


def test_wheel_double_click_and_keys_change_the_size(visitor: Visitor) -> None:
    box = visitor.page.locator("#map").bounding_box()
    visitor.page.mouse.move(box["x"] + 300, box["y"] + 200)
    before = scale(visitor)
    under = "(() => { const m = board.current.map, s = m.scale; return (300 - m.size[0] / 2) / s + m.centre[0]; })()"
    point = visitor.page.evaluate(under)
    visitor.page.mouse.wheel(0, -200)
    visitor.page.wait_for_function(f"board.current.map.scale > {before}")
    assert visitor.page.evaluate(under) == pytest.approx(point, abs=1)
    visitor.page.mouse.wheel(0, -5000)
    visitor.page.wait_for_function("board.current.map.scale === 3")
    visitor.page.mouse.dblclick(box["x"] + 6, box["y"] + box["height"] - 6)
    assert scale(visitor) == pytest.approx(visitor.page.evaluate("board.current.map.fitting"))
    visitor.page.keyboard.press("+")
    assert scale(visitor) > visitor.page.evaluate("board.current.map.fitting")


def test_two_fingers_change_the_size_about_their_middle(
    browser: Any, files: dict[str, Path]
) -> None:
    here = Visitor(browser, files["magic"], **PHONE)
    before = scale(here)
    pinch = """(apart) => {
      const svg = board.current.map.svg, box = svg.getBoundingClientRect(), y = box.top + 80;
      const send = (type, id, x) => svg.dispatchEvent(
        new PointerEvent(type, { pointerId: id, clientX: box.left + x, clientY: y, bubbles: true }));
      send("pointerdown", 1, 150); send("pointerdown", 2, 250);
      send("pointermove", 1, 200 - apart / 2); send("pointermove", 2, 200 + apart / 2);
      send("pointerup", 1, 200 - apart / 2); send("pointerup", 2, 200 + apart / 2);
    }"""
    here.page.evaluate(pinch, 160)
    assert scale(here) == pytest.approx(before * 1.6, rel=0.05)
    here.close()


def test_the_map_cannot_be_dragged_away(visitor: Visitor) -> None:
    box = visitor.page.locator("#map").bounding_box()
    for there in (5_000, -5_000):
        visitor.page.mouse.move(box["x"] + 300, box["y"] + 200)
        visitor.page.mouse.down()
        visitor.page.mouse.move(there, there, steps=3)
        visitor.page.mouse.up()
        seen = """(() => { const { full, svg } = board.current.map;
          const seen = svg.getAttribute("viewBox").split(" ").map(Number);
          return [0, 1].map((i) => (Math.min(full[i] + full[i + 2], seen[i] + seen[i + 2]) - Math.max(full[i], seen[i]))
            / Math.min(full[i + 2], seen[i + 2])); })()"""
        assert min(visitor.page.evaluate(seen)) > 0.25


def test_steps_are_found_by_name_and_by_rule(visitor: Visitor) -> None:
    visitor.page.keyboard.press("/")
    visitor.page.keyboard.type("510.4")
    assert "First-strike damage" in visitor.text("#found")
    visitor.page.fill("#find", "combat")
    assert visitor.text("#found").startswith("1 of ")
    first = visitor.text("#found")
    visitor.page.keyboard.press("ArrowDown")
    assert visitor.text("#found") != first
    assert visitor.page.locator("svg .hit").count() == 1
    visitor.page.keyboard.press("Enter")
    assert visitor.page.locator("#card").is_visible()
    visitor.page.fill("#find", "zzz")
    assert visitor.text("#found") == "Nothing is found"
    visitor.page.locator("#find").press("Escape")
    assert visitor.page.input_value("#find") == ""


def test_an_expert_finds_what_only_another_view_shows(browser: Any, files: dict[str, Path]) -> None:
    here = Visitor(browser, files["magic"], **LAPTOP)
    here.page.fill("#find", "resolve")
    assert here.text("#found") == "Nothing is found"
    here.page.evaluate("document.querySelector('[name=level][value=expert]').click()")
    here.page.fill("#find", "")
    here.page.fill("#find", "resolve")
    assert here.text("#found").endswith(", in Window")
    here.page.locator("#find").press("Enter")
    assert (
        here.page.locator("svg[data-view=window]").is_visible()
        and here.page.locator("#card").is_visible()
    )
    here.press("goto")
    assert here.page.evaluate("session.game.run.frame") == "resolve_top"
    here.close()


def test_the_map_begins_at_its_top_left_and_arrows_go_where_they_point(visitor: Visitor) -> None:
    inside = """(() => { const { full, svg, size, scale } = board.current.map;
      const [left, top] = svg.getAttribute("viewBox").split(" ").map(Number);
      return [left - full[0], top - full[1], full[2] * scale - size[0]]; })()"""
    left, top, hidden = visitor.page.evaluate(inside)
    assert top <= 1 and (left <= 1 or hidden < 0)
    card(visitor, "Untap").focus()
    seen = []
    for key in ("Down", "Down", "Down", "Right", "Up", "Left"):
        visitor.page.keyboard.press(f"Arrow{key}")
        seen.append(visitor.page.evaluate("document.activeElement.getAttribute('aria-label')"))
    names = ["Upkeep", "Draw", "Precombat main", "First-strike damage", "Declare blockers", "Draw"]
    assert all(label.startswith(name) for label, name in zip(seen, names, strict=True)), seen
    visitor.page.keyboard.press("Shift+ArrowDown")
    assert "Line" in visitor.page.evaluate("document.activeElement.getAttribute('aria-label')")


def test_what_is_inside_a_step_is_shown_when_asked(visitor: Visitor) -> None:
    card(visitor, "Untap").click()
    visitor.page.get_by_role("button", name="What happens inside").click()
    assert visitor.page.evaluate("document.activeElement.id") == "lens"
    assert "Phasing" in visitor.text("#lens") and "Untap permanents" in visitor.text("#lens")
    visitor.page.get_by_role("button", name="Close what is inside the step").click()
    assert not visitor.page.locator("#lens").is_visible()


def test_the_table_stands_beside_the_map(visitor: Visitor) -> None:
    visitor.until("Upkeep")
    visitor.page.keyboard.press("t")
    assert visitor.page.locator("#map").is_visible()
    assert visitor.text("#tableheld .now th") == "Upkeep"
    visitor.press("step")
    assert visitor.text("#tableheld .now th") == "First main"


# paper, other rulesets, problems ------------------------------------------------------------------


def test_print_has_map_and_state_on_one_page(visitor: Visitor) -> None:
    visitor.until("Declare attackers")
    visitor.page.evaluate("dispatchEvent(new Event('beforeprint'))")
    visitor.page.emulate_media(media="print")
    assert visitor.page.evaluate(
        "board.current.map.svg.getAttribute('viewBox') === board.current.map.full.join(' ')"
    )
    assert (
        visitor.page.locator("#now").is_visible()
        and visitor.page.locator("#moves .move").first.is_visible()
    )
    assert not visitor.page.locator("footer").is_visible()
    pdf = visitor.page.pdf(prefer_css_page_size=True, print_background=True)
    assert len(re.findall(rb"/Type\s*/Page\b", pdf)) == 1


def test_a_problem_does_not_cover_the_map(visitor: Visitor) -> None:
    visitor.load("a.json", "{")
    problem, held = (
        visitor.page.locator("#problem").bounding_box(),
        visitor.page.locator("#map").bounding_box(),
    )
    assert visitor.problem
    assert problem["y"] + problem["height"] <= held["y"] + 1


def test_the_header_of_a_phone_has_at_most_two_rows(browser: Any, files: dict[str, Path]) -> None:
    here = Visitor(browser, files["magic"], **PHONE)
    assert here.page.locator("header").bounding_box()["height"] <= 56
    here.press("menu")
    assert here.page.locator("header").bounding_box()["height"] <= 110
    here.close()


def test_icons_need_no_font(visitor: Visitor) -> None:
    odd = """[...document.body.querySelectorAll("*:not(script):not(style):not(svg *)")]
      .flatMap((one) => [...one.childNodes])
      .filter((node) => node.nodeType === 3).map((node) => node.textContent)
      .filter((text) => /[\\u2190-\\u27bf\\u2b00-\\u2bff]/.test(text))"""
    visitor.until("Declare attackers")
    assert visitor.page.evaluate(odd) == []
