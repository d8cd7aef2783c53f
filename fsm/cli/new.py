"""`fsm new`"""

from __future__ import annotations

import keyword
from pathlib import Path

import click

TEMPLATE = '''"""{title}: a game of my own. Change what you like, and see what `fsm check {name}:GAME` says."""

from __future__ import annotations

import fsm
from fsm.rulesets import Act, Again, During, Phase, Step, Table, Window

# The table. Each phase has steps, and each step has parts: an Act is performed, a Window lets the players act.

# A phase inside a phase: the event "insult" leads from the hall to the glove, and into the duel if it is accepted.
DUEL = Phase(
    "duel",
    Step("salute", Act("draw_swords")),
    Step("bout", Act("strike", by="everyone"), Window()),
)
INSULT = During("insult", Act("throw_glove", decides="accepted"), DUEL, when="accepted")

GAME = Table(
    "{name}",
    Phase(
        "morning",
        Step("rise", Act("untap")),
        Step("draw", Act("draw_card"), Window(), unless="first_turn"),  # nobody draws on the very first turn
    ),
    Phase("day", Step("hall", Window(during=INSULT))),
    Phase(
        "night",
        # "end_of_turn" is a duration that ends here. If players could act, the step is held once more.
        Step("sleep", Act("discard", ends="end_of_turn"), Window(opens="conditional"), Again("window_opened")),
    ),
)


class Host(fsm.BaseHost):
    """Answers what the turn asks. A method on_<action> is called for that action; members tell the facts."""

    accepted = True  # whoever is insulted accepts
    stack_empty = True  # nothing waits to be resolved
    life = 3

    def on_draw_card(self, request: fsm.Perform) -> None:
        print(f"turn {{request.at.turn}}: {{request.player}} draws a card")

    def on_priority(self, request: fsm.Priority) -> fsm.Answer | None:
        if request.at.step == "hall" and request.at.turn > 2 and not self.insulted(request.at.turn):
            return request.acted(fsm.Signal("insult"))
        return None  # None passes

    def on_strike(self, request: fsm.Perform) -> fsm.Answer | None:
        self.life -= 1
        print(f"turn {{request.at.turn}}: the swords clash")
        return request.done(fsm.Leave(request.by[-1])) if self.life == 0 else None  # that player leaves the game

    last = 0

    def insulted(self, turn: int) -> bool:
        """Was somebody insulted in this turn already?"""
        before, self.last = self.last, turn
        return before == turn


# Tests: `pytest {name}.py`


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
def new(file: str) -> None:
    """Write FILE, a game to start from: a table, a host and a test, with comments.

    \b
    Examples:
      fsm new mygame.py
      python mygame.py
      fsm check mygame:GAME
      pytest mygame.py
    """
    from fsm.files import write_files

    path = Path(file)
    name = path.stem
    if path.suffix != ".py" or not name.isidentifier() or keyword.iskeyword(name):
        raise click.BadParameter(
            f"{path.name!r} is no Python module; write a name of letters, digits and underscores such as mygame.py",
            param_hint="FILE",
        )
    if path.exists():
        raise click.BadParameter(f"{file} is there already; name another file", param_hint="FILE")
    write_files({file: TEMPLATE.format(name=name, title=name.replace("_", " ").capitalize())})
    click.echo(f"written: {file}")
    click.echo(
        f"next: python {file}; fsm check {name}:GAME; fsm draw {name}:GAME -o {name}.svg; pytest {file}"
    )
