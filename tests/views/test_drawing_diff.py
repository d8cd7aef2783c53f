"""What differs between two models, on one picture: every change has its sign, told apart by more
than colour.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from click.testing import CliRunner

import fsm
from fsm import diff, draw
from fsm.cli import cli
from fsm.errors import DrawError
from fsm.rulesets import Act, Step, Window
from fsm.rulesets.magic.ruleset import table
from fsm.views.diff.combining import combined
from fsm.views.diff.text import sections_of
from fsm.views.drawing.options import Against
from support.amounts import amount, sample
from support.drawnsvg import collisions, read
from support.inventedgames import random_game, tangle, tiny, towns

MAGIC = fsm.load("magic")
STATED = fsm.load("magic?stated_attacker_counts=true")
TABLE = table()
PLANNING = TABLE.with_step(
    Step("planning", "Planning", "house", (Window("house"),)), after="draw", name="house"
).build()
NO_UPKEEP = TABLE.without_step("upkeep", name="hasty").build()
QUIET = TABLE.changed("untap", lambda s: replace(s, does=s.does[:1] + s.does[2:])).build()
BUSY = TABLE.changed(
    "upkeep", lambda s: replace(s, does=(Act("pay", "Pay", "house"), *s.does))
).build()
PAIRS = {
    "option": (MAGIC, STATED),
    "step more": (MAGIC, PLANNING),
    "step less": (MAGIC, NO_UPKEEP),
    "stage more": (QUIET, MAGIC),
    "stage less": (BUSY, MAGIC),
    "two steps": (PLANNING, NO_UPKEEP),
    "2010": (fsm.load("magic-2010"), MAGIC),
    "classic": (fsm.load("magic-classic"), MAGIC),
}
SVG = "{http://www.w3.org/2000/svg}"


def badges(svg: str, kind: str = "") -> list[list[str]]:
    """What each sign says, line by line; of one kind: came, went, changed."""
    groups = read(svg).groups
    return [
        tip.splitlines()
        for name, tips in groups.items()
        for tip in tips
        if re.fullmatch(f"pill {kind or '.*'}", name)
    ]


def said(svg: str) -> set[str]:
    return {line for badge in badges(svg) for line in badge}


def outlines(svg: str) -> dict[str, set[str | None]]:
    """The dashes of the outlines, by what they mean."""
    found: dict[str, set[str | None]] = {}
    for element in ET.fromstring(svg).iter():
        word = element.get("class", "")
        if word.startswith("differs "):
            found.setdefault(word.removeprefix("differs "), set()).add(
                element.get("stroke-dasharray")
            )
    return found


@pytest.mark.parametrize("pair", PAIRS)
def test_every_core_transition_that_came_or_went_has_its_sign(pair: str) -> None:
    old, new = PAIRS[pair]
    both = combined(diff(old, new))
    everywhere = {
        c
        for section in sections_of(both.difference)
        if section.scope
        for one in section.entries
        for c in one.of
    }
    core = [
        t
        for t in both.model.transitions
        if t.layer == "core" and not t.generic and t.id in both.rows
    ]
    wanted = {
        f"{sign} {t.id}"
        for t in core
        for sign, change in [both.rows[t.id]]
        if change not in everywhere
    }
    assert wanted or pair in ("stage more", "stage less")
    assert wanted - said(draw(new, against=old)) == set()


@pytest.mark.parametrize("pair", PAIRS)
def test_every_step_that_came_or_went_has_its_sign(pair: str) -> None:
    old, new = PAIRS[pair]
    drawn = draw(new, against=old)
    for sign, word in (("+", "came"), ("-", "went")):
        steps = {
            c.part.label  # type: ignore[union-attr]
            for c in diff(old, new).states
            if c.what in ("step", "phase") and c.sign == sign
        }
        assert steps <= {
            line[2:].split(" [")[0] for badge in badges(drawn, word) for line in badge[:1]
        }


def test_two_games_with_nothing_in_common_are_not_outlined() -> None:
    drawn = draw(fsm.load("grand-archive"), against=MAGIC)
    assert badges(drawn) == []
    assert outlines(drawn) == {}
    assert read(drawn).says(
        "Magic and Grand Archive have hardly anything in common, so nothing is marked"
    )


def test_the_caption_of_classic_against_today_is_for_players() -> None:
    picture = read(draw(MAGIC, against=fsm.load("magic-classic")))
    caption = " ".join(picture.words[1:8])
    assert picture.words[0] == "Magic, classic → Magic: a turn at a glance"
    assert "In every step: as it ends, unspent mana empties from every pool (500.5)." in caption
    assert "it can be left out if the phase holds only another step than it (500.10)" in caption
    assert not [word for word in ("X", "the game is asked to", "_", "(skip)") if word in caption]


def test_lines_that_came_and_went_are_told_apart_by_more_than_colour() -> None:
    drawn = draw(NO_UPKEEP, against=MAGIC)
    assert outlines(drawn) == {"came": {None}, "went": {"9,5"}}
    assert outlines(draw(STATED, against=MAGIC)) == {"changed": {"0.1,11"}}
    [came] = badges(drawn, "came")
    assert came == ["+ untap_after -> draw_before"]
    assert {lines[0] for lines in badges(drawn, "went")} == {
        "- Upkeep [503]",
        "- untap_after -> upkeep_before",
        "- upkeep_after -> draw_before",
    }


def test_a_changed_guard_says_what_it_was_and_is() -> None:
    told = said(draw(STATED, against=MAGIC))
    assert any(line.strip().startswith("was: unless a creature was declared") for line in told)
    assert any(line.strip().startswith("now: unless a creature was declared") for line in told)


def test_a_stage_that_came_says_so_in_its_card() -> None:
    assert "+day or night" in " ".join(read(draw(MAGIC, against=QUIET)).words)
    assert [lines[0] for lines in badges(draw(MAGIC, against=QUIET), "changed")] == [
        "+ Day and night: it becomes day or night, by the spells of the turn before [502.2]"
    ]


def test_what_is_the_same_in_every_step_is_said_in_the_caption() -> None:
    calm = replace(TABLE, rules=replace(TABLE.rules, end_action=None), name="calm").build()
    drawn = draw(MAGIC, against=calm)
    words = " ".join(read(drawn).words)
    assert "In every step: as it ends, unspent mana empties from every pool (500.5)." in words
    assert not any("Untap ends" in line for line in said(drawn))


@pytest.mark.parametrize("pair", PAIRS)
def test_no_text_is_cut_off(pair: str) -> None:
    old, new = PAIRS[pair]
    assert not [words for words, _ in read(draw(new, against=old)).texts if "…" in words]


@pytest.mark.parametrize(
    ("pair", "theme"), sample([(p, t) for p in PAIRS for t in ("light", "dark")], 6)
)
def test_no_sign_covers_a_text_or_another_sign(pair: str, theme: str) -> None:
    old, new = PAIRS[pair]
    picture = read(draw(new, against=old, theme=theme))
    assert not [said for said in collisions(picture) if "meets '" in said]


def test_the_legend_explains_the_signs_that_occur() -> None:
    both = draw(NO_UPKEEP, against=Against(MAGIC, ("the old", "the new")))
    words = read(both).words
    assert "only in the old" in words
    assert "only in the new" in words
    assert "in both, but changed" not in words
    assert "in both, but changed" in read(draw(STATED, against=MAGIC)).words


def test_what_does_not_differ_has_no_sign() -> None:
    drawn = draw(MAGIC, against=MAGIC)
    assert badges(drawn) == []
    assert "Nothing differs." in " ".join(read(drawn).words)
    assert read(drawn).lines


def test_the_window_likewise() -> None:
    assert MAGIC.window is not None
    less = replace(
        MAGIC, window=MAGIC.window.without("sba_done -> place_triggers [triggers_waiting]")
    )
    assert "- sba_done -> place_triggers [triggers_waiting]" in said(
        draw(less, against=MAGIC, view="window")
    )
    assert badges(draw(less, against=MAGIC)) == []
    with pytest.raises(DrawError, match="not both of magic and magic have a window model"):
        draw(MAGIC, against=replace(MAGIC, window=None), view="window")
    with pytest.raises(DrawError, match="magic has no window model"):
        draw(replace(MAGIC, window=None), against=MAGIC, view="window")


def test_dot_has_the_signs_in_its_labels() -> None:
    source = draw(NO_UPKEEP, against=MAGIC, format="dot")
    assert 'label="\N{MINUS SIGN} ● Upkeep"' in source
    assert 'label="+ "' in source


@pytest.mark.parametrize("seed", range(amount(1, 6)))
def test_any_two_games_can_be_drawn(seed: int) -> None:
    one, other = random_game(seed), random_game(seed + 50)
    ET.fromstring(draw(one, against=other))
    for model in sample((towns(), tiny(), tangle(), MAGIC), 2):
        ET.fromstring(draw(one, against=model))


def test_hostile_names_stay_text() -> None:
    bad = '</title><script>"&\x07'
    states = tuple(replace(s, label=bad) if s.id == "upkeep_step" else s for s in MAGIC.states)
    hostile = replace(MAGIC, states=states, title=bad, name="bad").without(
        "upkeep_begin -> upkeep_window"
    )
    for one, other in ((hostile, MAGIC), (MAGIC, hostile)):
        root = ET.fromstring(draw(one, against=other))
        assert not list(root.iter(f"{SVG}script"))
        draw(one, against=other, format="dot")


def test_a_trace_and_a_difference_are_not_shown_at_once() -> None:
    with pytest.raises(DrawError, match="not both"):
        draw(MAGIC, against=STATED, trace=[])


def run(folder: Path, *arguments: str) -> str:
    done = CliRunner().invoke(cli, [*arguments, "-o", str(folder / "both.svg")], prog_name="fsm")
    assert (done.exit_code, done.stderr) == (0, "")
    return (folder / "both.svg").read_text("utf-8")


def test_both_commands_draw_it(tmp_path: Path) -> None:
    one = run(tmp_path, "diff", "magic-classic", "magic")
    assert read(one).says("Magic, classic → Magic: a turn at a glance")
    other = run(tmp_path, "draw", "magic", "--against", "magic-classic")
    assert other == one


def test_a_table_has_no_room_for_another_ruleset(tmp_path: Path) -> None:
    done = CliRunner().invoke(
        cli,
        ["draw", "magic", "--against", "magic-2010", "-o", str(tmp_path / "t.html")],
        prog_name="fsm",
    )
    assert done.exit_code == 2
    assert "has no overlay: leave it out, or draw a picture" in done.stderr
    assert list(tmp_path.iterdir()) == []
