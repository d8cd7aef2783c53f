"""The duel is played to its end by a script on standard input, and its turn is sound."""

from __future__ import annotations

import io
import sys

import pytest
from duel.__main__ import main
from duel.rules import DUEL

import fsm


@pytest.mark.parametrize(
    ("lines", "errors", "shown"),
    [
        ("9\nx\nhelp\n1 B\n1\nconcede\n", 3, "Alice plays Fox 2/1."),
        ("\n" * 500, 0, "Rook attacks with"),
    ],
    ids=["typing errors", "nothing done"],
)
def test_a_script_plays_to_the_end(
    lines: str,
    errors: int,
    shown: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(sys, "argv", ["duel", "--seed", "1"])
    monkeypatch.setattr(sys, "stdin", io.StringIO(lines))
    main()
    printed = capsys.readouterr().out
    assert printed.count("Play one of") == errors
    assert shown in printed
    assert printed.rstrip().splitlines()[-1].startswith("Rook wins in turn")


def test_its_turn_is_sound_and_a_hole_in_it_is_found() -> None:
    model = DUEL.build()
    assert fsm.check(model) == []
    assert fsm.check(model.without("attack_after -> block_before [attacked]")) != []
