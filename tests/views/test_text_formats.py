"""Mermaid and DOT: every step, way, condition and rule stands in the text, in its own words."""

from __future__ import annotations

import re

import pytest

from support.drawings import BUILT_IN, LANTERNS, drawn, loaded, made

every_game = pytest.mark.parametrize("ruleset", [*BUILT_IN, LANTERNS])


@every_game
@pytest.mark.parametrize("format", ["mermaid", "dot"])
def test_every_step_and_every_way_with_words_is_told(format: str, ruleset: str) -> None:
    model = loaded(ruleset)
    text = re.sub(r"<br>|\\n|\\l|\s+", " ", drawn(ruleset, format=format)).casefold()
    labels = [s.label for s in model.of_kind("step")]
    assert [label for label in labels if label.casefold() not in text] == []
    ways = {t.says for t in model.transitions if t.says and not t.generic and t.layer != "jump"}
    plain = re.sub(r"[^a-z ]", "", text)
    words = [re.sub(r"[^a-z ]", "", way.casefold()) for way in ways]
    assert sum(way in plain for way in words) >= 0.9 * len(words)


@pytest.mark.parametrize("told", ["a creature attacks", "508.8", "510.4", "514.3a", "FIRST MAIN"])
@pytest.mark.parametrize("format", ["mermaid", "dot"])
def test_it_has_conditions_and_rules(format: str, told: str) -> None:
    assert told.casefold() in re.sub(r"<br>|\\n", " ", drawn("magic", format=format)).casefold()


def test_the_mark_says_where_players_may_act() -> None:
    text = drawn("magic", format="mermaid")
    assert "<b>● Upkeep</b>" in text
    assert "<b>○ Cleanup</b>" in text
    assert "<b>Untap</b>" in text
    assert 'label="● Upkeep"' in drawn("magic", format="dot")


def test_kinds_of_ways_are_told_apart_by_their_lines() -> None:
    text = drawn("magic", format="mermaid")
    assert 'n_cleanup_step ==>|"if something happened' in text
    assert 'n_draw_before -.->|"first turn of the one who starts' in text
    assert "n_untap_step --> n_upkeep_step" in text


def test_boxes_lie_in_boxes() -> None:
    text = drawn("grand-archive", format="mermaid")
    main, combat = text.index("subgraph b_main_phase"), text.index("subgraph b_combat_phase")
    assert main < combat
    assert "\n  end\n" not in text[main:combat]


def test_a_difference_is_told_by_signs() -> None:
    text = made("draw", "magic", "--against", "magic-2010", ending="mmd")
    assert 'n_untap_step("<b>#126; Untap</b>' in text
    assert '|"#43; ' in text
    dot = made("diff", "magic", "magic?stated_attacker_counts=true", ending="dot")
    assert 'label="~ ' in dot


@pytest.mark.parametrize("view", ["window", "phase:combat_phase", "ending:end_turn"])
def test_other_views_are_written_too(view: str) -> None:
    text = drawn("magic", view, "dot")
    assert text.startswith("digraph")
    assert text.count(" -> ") >= 9
    assert {"window": "704.3", "phase:combat_phase": "508.8"}.get(view, "723.1") in text
