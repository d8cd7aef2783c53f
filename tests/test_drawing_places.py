"""Places: no two texts meet, no text and line meet; of Magic, of invented games, and of games with a hole."""

from __future__ import annotations

from dataclasses import replace

import pytest
from drawnsvg import collisions, read
from inventedgames import random_game, tangle, tiny, towns

import fsm
from fsm.drawing import draw
from fsm.model import Model

MAGIC = fsm.load("magic")


@pytest.mark.parametrize("view", ["turn", "window"])
def test_nothing_meets_in_magic(view: str) -> None:
    assert collisions(read(draw(MAGIC, view=view))) == []


@pytest.mark.parametrize("model", [towns(), tiny(), tangle(4)], ids=lambda m: f"{m.name}-{len(m.states)}")
def test_nothing_meets_in_small_games(model: Model) -> None:
    assert collisions(read(draw(model))) == []


@pytest.mark.parametrize("seed", range(24))
def test_nothing_meets_in_random_games(seed: int) -> None:
    assert collisions(read(draw(random_game(seed)))) == []


@pytest.mark.parametrize("number", range(0, len(MAGIC.transitions), 17))
def test_nothing_meets_when_a_transition_is_gone(number: int) -> None:
    assert collisions(read(draw(MAGIC.without(MAGIC.transitions[number].id)))) == []


def test_nothing_meets_when_a_transition_of_the_window_is_gone() -> None:
    assert MAGIC.window is not None
    for t in MAGIC.window.transitions:
        broken = replace(MAGIC, window=MAGIC.window.without(t.id))
        assert collisions(read(draw(broken, view="window"))) == [], t.id


@pytest.mark.parametrize("layers", [(), ("core",), ("skip",), ("core", "skip"), ("extra", "jump")], ids="-".join)
def test_nothing_meets_with_fewer_layers(layers: tuple[str, ...]) -> None:
    assert collisions(read(draw(MAGIC, layers=layers))) == []


def test_cards_do_not_overlap() -> None:
    for seed in range(6):
        shapes = read(draw(random_game(seed))).shapes
        for i, a in enumerate(shapes):
            for b in shapes[i + 1 :]:
                inside = a[0] <= b[0] and a[1] <= b[1] and a[2] >= b[2] and a[3] >= b[3]
                nested = inside or (b[0] <= a[0] and b[1] <= a[1] and b[2] >= a[2] and b[3] >= a[3])
                assert nested or a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]


def test_steps_of_a_phase_stand_in_their_order() -> None:
    picture = read(draw(MAGIC))
    where = {text.lstrip("●○"): area for text, area in picture.texts}
    combat = [where[s.label] for s in MAGIC.children("combat_phase") if s.kind == "step"]
    assert combat == sorted(combat, key=lambda area: area[1])
    assert where["Upkeep"][2] < where["Declare attackers"][0] < where["Declare attackers"][2] < where["End step"][0]
