"""Mermaid: what stands in the text. Its parser and a browser judge it in the thorough tests."""

from __future__ import annotations

import re

import pytest

import fsm
from fsm.views.drawing.mermaid import mermaid
from fsm.views.drawing.mermaidtext import escaped
from fsm.views.drawing.options import DrawOptions
from fsm.wording import plain
from support.hostilemodels import HOSTILE
from support.manyviews import OVERLAYS

MAGIC = fsm.load("magic")


def test_a_text_is_the_same_each_time() -> None:
    assert mermaid(MAGIC, DrawOptions()) == mermaid(fsm.load("magic"), DrawOptions())


def test_a_trace_is_told_by_numbers_and_thick_lines() -> None:
    text = mermaid(MAGIC, OVERLAYS["taken"])
    assert re.search(r'n_untap_step -->\|"<b>\d</b>"\| n_upkeep_step', text)
    assert "transitions taken." in text
    assert "stroke-width:3.2px" in text
    assert "stroke-width:3.2px" not in mermaid(MAGIC, DrawOptions())


def test_the_current_state_is_told_by_its_class_and_a_word() -> None:
    text = mermaid(MAGIC, OVERLAYS["now"])
    assert "class n_upkeep_step here" in text
    assert 'n_upkeep_step("<b>● Upkeep</b><br>(now)")' in text
    assert "(now)" in mermaid(MAGIC, OVERLAYS["now in the window"])


def test_counts_are_told_in_labels_and_never_by_the_word() -> None:
    text = mermaid(MAGIC, OVERLAYS["counts"])
    assert "<b>1×</b>" in text
    assert "<b>never</b>" in text
    assert "n_first_strike_damage_step" in next(
        line for line in text.split("\n") if line.endswith(" never")
    )


def test_a_difference_is_told_by_signs() -> None:
    text = mermaid(MAGIC, OVERLAYS["against"])
    assert '|"#43; ' in text
    assert '|"\N{MINUS SIGN} ' in text
    assert 'n_untap_step("<b>#126; Untap</b>' in text
    assert "n_untap_step" in next(line for line in text.split("\n") if line.endswith(" changed"))


# drawn by a browser -------------------------------------------------------------------------------


@pytest.mark.parametrize("word", HOSTILE)
def test_nothing_of_a_hostile_name_ends_its_quotes(word: str) -> None:
    assert not set(escaped(plain(word))) & set('"<>`')
