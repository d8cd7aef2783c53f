"""`fsm new`"""

from __future__ import annotations

import keyword
from pathlib import Path

import click

from fsm.cli.frame import option, say, write

PLAIN = {
    "imports": "from fsm.rulesets import Act, Phase, Table",
    "base": "fsm.BaseHost",
    "middle": """
    # The answer to "attack" tells whether it hits.
    Phase("main", Act("play_cards"), Act("attack", decides="hits")),""",
    "spell": "",
}
STACK = {
    "imports": "from fsm.hosts import StackHost\nfrom fsm.rulesets import Act, Phase, Table, Window",
    "base": "StackHost",
    "middle": """
    Phase("main", Window()),  # players have priority in turn, until all pass and the stack is empty
    # The answer to "attack" tells whether it hits.
    Phase("fight", Act("attack", decides="hits"), Window()),""",
    "spell": """    bolts = 1

    def on_priority(self, request: fsm.Priority) -> fsm.Answer | None:
        if self.bolts == 0:
            return None  # the player passes
        self.bolts -= 1
        self.stack.append("bolt")
        return request.acted()

    def resolve(self, top: str, request: fsm.Resolve) -> None:
        print(f"turn {request.at.turn}: {top} resolves")
""",
}
TEMPLATE = '''"""{title}: a game of my own. Change what you like, and see what `fsm check {name}:GAME` says."""

import fsm
{imports}

GAME = Table(
    "{name}",
    Phase("draw", Act("draw_card"), unless="first_turn"),  # nobody draws on the very first turn{middle}
    Phase("damage", Act("lose_life", by="opponents"), unless="not hits"),
    Phase("end", Act("discard", ends="end_of_turn")),
)


class Host({base}):
    """Answers what the turn asks: `on_ACTION` is called for an action, and members tell the facts."""

    hits = True
    life = 3
{spell}
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
@option("--stack", "Write a game with a stack, a spell, and priority that goes round.")
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
    game = STACK if stack else PLAIN
    write({file: TEMPLATE.format(name=name, title=title, **game)})
    say(f"next: python {file}; fsm check {name}:GAME; fsm draw {name}:GAME; pytest {file}")
