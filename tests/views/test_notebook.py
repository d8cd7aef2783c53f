"""In a notebook models, games, traces and what they took show themselves."""

from __future__ import annotations

import os
import sys

import fsm
from fsm import Trace
from fsm.model import State
from fsm.runs.taken import taken
from support import processes
from support.drawnsvg import read
from support.playing import started, through

MAGIC = fsm.load("magic")


def test_each_shows_its_picture_and_its_text() -> None:
    game = through(started(MAGIC), 1)
    said = [
        (MAGIC, "a turn at a glance"),
        (game, "Now: "),
        (game.trace, "transitions taken."),
        (taken(MAGIC, game.trace.records), "States "),
    ]
    for value, words in said:
        shown = value._repr_mimebundle_()
        assert shown["text/plain"] == str(value)
        assert read(shown["image/svg+xml"]).says(words), words


def test_without_a_picture_there_is_the_text() -> None:
    back = Trace.read(through(started(MAGIC), 1).trace.lines())
    assert back._repr_mimebundle_() == {"text/plain": str(back)}
    wrong = MAGIC.with_(states=[State("<start>", "stage")])
    assert "(not drawn: state '<start>'" in wrong._repr_mimebundle_()["text/plain"]


def test_nothing_is_drawn_or_imported_before_it_is_shown() -> None:
    code = (
        "import sys, fsm; model = fsm.load('magic'); fsm.TurnController(model, ['A', 'B']); import fsm.runs.taken\n"
        "pictures = ('fsm.views.drawing', 'fsm.views.notebook', 'graphviz')\n"
        "print(sorted(name for name in sys.modules if name.startswith(pictures)))"
    )
    done = processes.run(
        [sys.executable, "-c", code], env={"PYTHONPATH": os.pathsep.join(sys.path)}
    )
    assert done.stdout.strip() == "[]", done.stderr
