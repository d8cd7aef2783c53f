"""Mermaid and DOT: every step, way, condition and rule stands in the text, in its own words."""

from __future__ import annotations

import re
from html import unescape

import pytest
from transitions.extensions import HierarchicalMachine

import fsm
from fsm.views import read
from support.drawings import BUILT_IN, LANTERNS, drawn, loaded

every_game = pytest.mark.parametrize("ruleset", [*BUILT_IN, LANTERNS])
both = pytest.mark.parametrize("format", ["mermaid", "dot"])


def told(ruleset: str, format: str) -> str:
    """The words of a text, without what its language needs."""
    text = drawn(ruleset, format=format)
    text = re.sub(r"#(\d+);", lambda found: chr(int(found[1])), text)
    return " ".join(unescape(re.sub(r"</?(?:br?|font)\b[^>]*>", " ", text)).split())


@every_game
@both
def test_every_step_and_every_way_is_told(format: str, ruleset: str) -> None:
    turn, text = read(loaded(ruleset)), told(ruleset, format)
    assert [step.title for step in turn.steps if step.title not in text] == []
    words = [way.words for way in turn.ways] + [r.words for p in turn.parts for r in p.left_out]
    assert [one for one in words if one not in text] == []


@pytest.mark.parametrize("part", ["a creature attacks", "508.8", "● Upkeep", "○ Cleanup", "Combat"])
@both
def test_it_has_conditions_rules_and_who_may_act(format: str, part: str) -> None:
    assert part in told("magic", format)


def test_phases_lie_in_phases() -> None:
    text = drawn("grand-archive", format="mermaid")
    main, combat = text.index('state "Main"'), text.index('state "Combat"')
    assert main < combat and "\n    }\n" not in text[main:combat]


def test_kinds_of_ways_are_told_apart_by_their_lines() -> None:
    styles = re.findall(r"style=(\w+)", drawn("magic", format="dot"))
    assert {"solid", "dashed", "dotted"} <= set(styles)


def test_the_name_of_a_frame_is_no_html_for_graphviz() -> None:
    frame = {"name": "<b>on</b>", "children": ["low", "high"], "initial": "low"}
    machine = HierarchicalMachine(states=["off", frame], initial="off")
    assert 'label="<b>on</b>"' in fsm.draw(machine, format="dot")
