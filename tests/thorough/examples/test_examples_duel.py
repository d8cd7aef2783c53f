"""The duel as its user plays it: at a terminal, to the end."""

from __future__ import annotations

import os
import re
import select
import sys

from support import processes
from support.folders import EXAMPLES
from support.tools import package

PROMPT = re.compile(r"(\w+): (play a card|attackers|blocks)[^>]* > $")


def read(terminal: int) -> str:
    """Return what the terminal shows next, or "" when the program has ended."""
    data = b""
    while not data.endswith((b" > ", b"\n")):  # each prompt ends in a space, so none is cut
        assert select.select([terminal], [], [], 60)[0], f"silent after {data!r}"
        try:
            data += os.read(terminal, 1 << 16)
        except OSError:  # how Linux says that the other end is closed
            break
    return re.sub(r"\x1b\[[0-9;]*m", "", data.decode()).replace("\r\n", "\n")


def eager(word: str, screen: str) -> str:
    """Play the first card that can be played, attack with all, never block."""
    if word != "play a card":
        return "all" if word == "attackers" else ""
    mana = [int(number) for number in re.findall(r"◆ (\d+)/", screen)][-1:] or [0]
    hand = re.findall(r"^ +(\d+) \w+ \d/\d ◆(\d)", screen, re.M)
    return next((number for number, cost in hand if int(cost) <= mana[0]), "")


def test_a_person_at_a_terminal_wins() -> None:
    package("rich")
    ours, theirs = os.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "100", "NO_COLOR": "1"}
    streams = {"stdin": theirs, "stdout": theirs, "stderr": theirs}
    command = [sys.executable, "-m", "duel", "--seed", "17"]
    shown = screen = ""
    with processes.started(command, cwd=EXAMPLES, env=environment, **streams) as player:
        os.close(theirs)
        while piece := read(ours):
            shown, screen = shown + piece, screen + piece
            if prompt := PROMPT.search(screen):
                os.write(ours, eager(prompt[2], screen).encode() + b"\n")
                screen = ""
        os.close(ours)
        assert player.wait() == 0, shown
    assert shown.rstrip().splitlines()[-1].startswith("Alice wins in turn")
    assert "Rook takes" in shown
