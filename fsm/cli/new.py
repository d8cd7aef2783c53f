"""`fsm new`"""

from __future__ import annotations

import keyword
from pathlib import Path

import click

from fsm.cli.options import option
from fsm.cli.show import say, write

TABLE = """GAME = Table(
    "{name}",
    Phase("draw", Act("draw_card"), unless="first_turn"),  # nobody draws on the very first turn
    # The answer to "attack" tells whether it hits.
    Phase("main", Act("play_cards"), Act("attack", decides="hits")),
    Phase("damage", Act("lose_life", by="opponents"), unless="not hits"),
    Phase("end", Act("discard", ends="end_of_turn")),
)
"""
STACK = """GAME = Table(
    "{name}",
    Phase("draw", Act("draw_card"), unless="first_turn"),  # nobody draws on the very first turn
    Phase("main", Window()),  # players have priority in turn, until all pass and the stack is empty
    Phase("fight", Act("attack", decides="hits"), Window()),
    Phase("damage", Act("lose_life", by="opponents"), unless="not hits"),
    Phase("end", Act("discard", ends="end_of_turn")),
)
"""
TEMPLATE = '''"""{title}: a game of my own. Change what you like, and see what `fsm check {name}:GAME` says."""

import fsm
from fsm.rulesets import Act, Phase, Table{imports}

{table}

class Host(fsm.BaseHost):
    """Answers what the turn asks: `on_ACTION` is called for an action, and members tell the facts."""

    hits = True
    life = 3

    def on_draw_card(self, request: fsm.Perform) -> None:
        print(f"turn {{request.at.turn}}: {{request.player}} draws a card")

    def on_lose_life(self, request: fsm.Perform) -> fsm.Answer | None:
        self.life -= 1
        if self.life == 0:
            return request.done(fsm.Leave(request.player))  # that player is out
        return None


def test_nothing_is_wrong_with_the_table() -> None:
    assert fsm.check(GAME) == []


def test_the_game_ends() -> None:
    end = fsm.drive(fsm.TurnController(GAME, ["Ann", "Ben"]), Host())
    assert isinstance(end, fsm.Over)
    assert len(end.winners) == 1


if __name__ == "__main__":
    print(fsm.drive(fsm.TurnController(GAME, ["Ann", "Ben"]), Host()))
'''


@click.command()
@click.argument("file")
@option("--stack", "Write a game with a stack, in which priority goes round.")
def new(file: str, *, stack: bool) -> None:
    """Write FILE, a game to start from: a table, a host and a test, with comments.

    \b
    Examples:
      fsm new mygame.py
      python mygame.py
      fsm check mygame:GAME
      pytest mygame.py
    """
    path = Path(file)
    name = path.stem
    if path.suffix != ".py" or not name.isidentifier() or keyword.iskeyword(name):
        remedy = "write a name of letters, digits and underscores such as mygame.py"
        raise click.UsageError(f"{path.name!r} is no Python module; {remedy}")
    if path.exists():
        raise click.UsageError(f"{file} is there already; name another file")
    title = name.replace("_", " ").capitalize()
    table = (STACK if stack else TABLE).format(name=name)
    imports = ", Window" if stack else ""
    write({file: TEMPLATE.format(name=name, title=title, imports=imports, table=table)})
    say(f"next: python {file}; fsm check {name}:GAME; fsm draw {name}:GAME; pytest {file}")
