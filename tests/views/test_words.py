"""No picture, table, timeline or page of coverage has a word of the model or a slip of the pen."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from fsm import coverage
from support.amounts import sample
from support.commandline import command
from support.drawings import BUILT_IN, GAMES, OWN, drawn, loaded, timelines, views
from support.drawnsvg import read

every_game = pytest.mark.parametrize("game", [*sample(BUILT_IN, 1), *sample([*OWN, *GAMES], 1)])
NOBODY_SAYS = [
    *("_", r"(?<!something )\belse\b", r"\bSettle\b", r"\bsba\b", "by this rule", "acts again"),
    *("nobody has acted", "first guard", r"\bacted\b(?! \d)", r"\S  +\S", r"\(s\)"),
    r"\b1 (?:game|player|round|state|step|time|transition|turn|way)s\b",
]
TAG = re.compile(r"(?s)<(style|script|code)\b.*?</\1>|<[^>]*>")
WAY_THERE = re.compile(r"(?s)<td>(?:(?!<td>).)*</td></tr>")
"""The last column of the page of coverage names transitions, for those who write tests."""


SEPARATORS = {"md": r" ?\| ?", "txt": "  +", "html": TAG.pattern}
"""What stands between the texts of a table, by its format."""


def slips(game: str, texts: Iterator[str]) -> list[str]:
    """The texts that nobody would say, and those that deny a fact by its name."""
    denied = [
        rf"\bnot {fact.name.replace('_', ' ')}\b"
        for machine in loaded(game).machines.values()
        for fact in machine.facts
    ]
    wrong = re.compile("|".join([*NOBODY_SAYS, *denied]))
    lines = (line.strip() for text in texts for line in text.splitlines())
    return [line for line in lines if wrong.search(line)]


def pictured(svg: str) -> Iterator[str]:
    shown = read(svg)
    yield from (*shown.words, *shown.tooltips, shown.title, shown.description)


@every_game
def test_a_picture_is_in_players_words(game: str) -> None:
    for view in views(game):
        assert slips(game, pictured(drawn(game, view))) == [], view


@every_game
def test_so_is_a_timeline(game: str) -> None:
    assert [slip for svg in timelines(game) for slip in slips(game, pictured(svg))] == []


@every_game
@pytest.mark.parametrize("format", SEPARATORS)
def test_so_is_a_table(game: str, format: str) -> None:
    text = re.sub(SEPARATORS[format], "\n", drawn(game, format=format))
    assert slips(game, iter([text])) == []


@every_game
def test_so_is_the_page_of_coverage(game: str, tmp_path: Path) -> None:
    with coverage.collecting() as session:
        next(timelines(game))
    coverage.save(session.data, tmp_path / "data")
    asked = ("--criteria", "states,transitions", "--report", f"html:{tmp_path / 'page.html'}")
    command("cover", "report", tmp_path / "data", *asked)
    page = (tmp_path / "page.html").read_text("utf-8")
    assert slips(game, iter([TAG.sub("\n", WAY_THERE.sub("", page))])) == []
