"""What cards say about the turn, played as scenarios: "that turn", "that combat", what is withdrawn."""

from __future__ import annotations

from pathlib import Path

import pytest

from fsm.model import Model
from fsm.scenarios import load, play

CARDS = sorted((Path(__file__).parent / "cards").glob("*.json"))


@pytest.mark.parametrize("file", CARDS, ids=lambda file: file.stem)
def test_the_turn_goes_as_the_card_says(magic: Model, file: Path) -> None:
    for scenario in load(file, magic):
        outcome = play(scenario)
        assert outcome.ok and not outcome.warnings, (
            scenario.id,
            outcome.failures,
            outcome.warnings,
        )
