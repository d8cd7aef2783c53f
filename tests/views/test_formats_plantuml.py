"""PlantUML: what stands in the text. PlantUML itself judges it in the thorough tests."""

from __future__ import annotations

import pytest

import fsm
from fsm.views.drawing.options import DrawOptions
from fsm.views.drawing.plantuml import escaped, plantuml
from fsm.wording import plain
from support.hostilemodels import HOSTILE
from support.manyviews import OVERLAYS

MAGIC = fsm.load("magic")


@pytest.mark.parametrize("word", HOSTILE)
def test_nothing_of_a_hostile_name_is_obeyed(word: str) -> None:
    assert not set(escaped(plain(word)).replace("<U+", "")) & set('<"\\%$@~*_/-|{};:#`')


def test_layers_are_told_by_their_lines() -> None:
    text = plantuml(MAGIC, DrawOptions())
    assert "-[#0B6A94,dashed,thickness=1]->" in text
    assert "-[#8A5A00,bold,thickness=3]->" in text
    assert "-[#B3261E,dotted,thickness=2]->" in text
    assert plantuml(MAGIC, DrawOptions(layers=("core",))).count("dashed") == 0


def test_overlays_are_told_by_words_and_looks() -> None:
    assert "<b>2</b>" in plantuml(MAGIC, OVERLAYS["taken"])
    assert "\\n(now)" in plantuml(MAGIC, OVERLAYS["now"])
    assert "<b>never</b>" in plantuml(MAGIC, OVERLAYS["counts"])
    assert " : <U+002B> " in plantuml(MAGIC, OVERLAYS["against"])
