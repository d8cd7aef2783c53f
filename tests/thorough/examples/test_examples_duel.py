"""The duel, played as its user plays it: at a terminal, and by a script on stdin, to the end."""

from __future__ import annotations

import os
import re
import select
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from duel.rules import DUEL

import fsm
from support import processes
from support.folders import EXAMPLES

COMMAND = [sys.executable, "-m", "duel", "--seed"]
PROMPT = re.compile(r"(\w+): (play a card|attackers|blocks)[^>]* > $")
TURN = re.compile(r"─ turn (\d+): (\w+) ─")


def by_script(seed: int, lines: str) -> str:
    done = processes.run([*COMMAND, str(seed)], cwd=EXAMPLES, given=lines)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def at_terminal(seed: int, decide: Callable[[str, str], str]) -> str:
    """Play at a pseudo-terminal; `decide` has the prompt's word and the screen since the last one."""
    ours, theirs = os.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "100", "NO_COLOR": "1"}
    streams = {"stdin": theirs, "stdout": theirs, "stderr": theirs}
    with processes.started(
        [*COMMAND, str(seed)], cwd=EXAMPLES, env=environment, **streams
    ) as player:
        os.close(theirs)
        shown, screen = "", ""
        while piece := read(ours):
            shown, screen = shown + piece, screen + piece
            if found := PROMPT.search(screen):
                os.write(ours, decide(found[2], screen).encode() + b"\n")
                screen = ""
        os.close(ours)
        assert player.wait() == 0, shown
    return shown


def read(terminal: int) -> str:
    """What the terminal shows next; "" when the program is gone. Each prompt ends in a space, so
    none is cut.
    """
    data = b""
    while not data or not data.endswith((b" > ", b"\n")):
        assert select.select([terminal], [], [], 60)[0], f"silent after {data!r}"
        try:
            data += os.read(terminal, 1 << 16)
        except OSError:  # how Linux says that the other end is closed
            break
    return re.sub(r"\x1b\[[0-9;]*m", "", data.decode()).replace("\r\n", "\n")


def eager(word: str, screen: str) -> str:
    """Play the first card that can be played, attack with all, never block."""
    if word == "attackers":
        return "all"
    if word == "blocks":
        return ""
    mana = [int(number) for number in re.findall(r"◆ (\d+)/", screen)][-1:] or [0]
    hand = re.findall(r"^ +(\d+) \w+ \d/\d ◆(\d)", screen, re.M)
    return next((number for number, cost in hand if int(cost) <= mana[0]), "")


def test_a_person_at_a_terminal_wins() -> None:
    shown = at_terminal(17, eager)
    assert shown.rstrip().splitlines()[-1].startswith("Alice wins in turn")
    assert "Rook takes" in shown and "Alice attacks with" in shown


def test_who_never_does_anything_loses() -> None:
    shown = by_script(1, "\n" * 500)
    assert shown.rstrip().splitlines()[-1].startswith("Rook wins in turn")
    turns = [int(number) for number, _ in TURN.findall(shown)]
    assert turns == list(range(1, len(turns) + 1))


def test_a_script_that_ends_gives_up() -> None:
    assert by_script(1, "").rstrip().splitlines()[-1].startswith("Rook wins in turn")


def test_typing_errors_are_asked_again() -> None:
    shown = by_script(1, "9\nx\nhelp\n1 B\n1\nconcede\n")
    assert shown.count("Play one of") == 3
    assert "Alice plays Fox 2/1." in shown


def test_the_same_seed_and_script_give_the_same_duel() -> None:
    moves = "1\n\n1\nall\n" * 20
    assert by_script(5, moves) == by_script(5, moves) != by_script(6, moves)


def test_its_turn_is_sound_and_can_be_drawn(tmp_path: Path) -> None:
    model = DUEL.build()
    assert fsm.check(model) == []
    command = ["-m", "fsm", "draw", "duel.rules:DUEL", "-o", str(tmp_path / "duel.svg")]
    processes.run([sys.executable, *command], cwd=EXAMPLES, check=True)
    assert "Everybody fights at once" in (tmp_path / "duel.svg").read_text("utf-8")


@pytest.mark.parametrize(
    "hole", ["attack_after -> block_before [attacked]", "main_phase_after -> combat_phase_before"]
)
def test_its_turn_is_nowhere_but_in_its_rules(hole: str) -> None:
    """What the duel plays by is the model: with a row taken out, the check finds the hole."""
    model = DUEL.build()
    assert hole in [transition.id for transition in model.transitions]
    assert fsm.check(model.without(hole)) != []
