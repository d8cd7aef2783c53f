"""Positions are forgotten when there are too many, also while games are played in other threads."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

import fsm
from fsm.engine.automaton import Automaton
from support.amounts import amount
from support.wanderer import Wanderer


def test_games_in_several_threads_go_on_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Automaton, "most", 20)
    magic = fsm.load("magic")

    def play(seed: int) -> object:
        return [game.snapshot() for game in Wanderer(magic, seed).games(amount(150, 5_000))]

    with ThreadPoolExecutor(4) as threads:
        at_once = list(threads.map(play, range(4)))
    assert at_once == list(map(play, range(4)))
