"""The options and the output of `fsm check --play`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from fsm.cli.options import with_options

if TYPE_CHECKING:
    from fsm.engine.requests import Answer
    from fsm.testing.randomgames import Failure

play_options = with_options(
    click.option(
        "--play",
        type=click.IntRange(min=1),
        metavar="N",
        help="Play N random games, and hold what is true of every game.",
    ),
    click.option(
        "--seed",
        type=int,
        default=0,
        show_default=True,
        help="With --play: equal seeds give equal games.",
    ),
)
"""The options of `fsm check` for random games."""


def print_games(rulesets: Sequence[str], output: str, count: int, seed: int) -> bool:
    """Play random games of each ruleset and print the smallest that fails. Return whether none
    does.
    """
    from hypothesis.configuration import set_hypothesis_home_dir

    import fsm
    from fsm.cli.show import say
    from fsm.testing.randomgames import play  # says so if Hypothesis is not installed

    values = list[dict[str, object]]()
    with TemporaryDirectory() as folder:
        set_hypothesis_home_dir(folder)  # it would write into the folder of the user
        for ruleset in rulesets:
            failure = play(fsm.load(ruleset), count, seed=seed)
            wrong, text = (failure.what, game_text(failure, ruleset)) if failure else ("", "")
            values.append({"ruleset": ruleset, "seed": seed, "wrong": wrong, "game": text})
            if output == "text":
                say(f"{ruleset}, {count} random games, seed {seed}: {wrong or 'nothing is wrong'}")
                for line in text.splitlines():
                    say(line)
    if output == "json":
        click.echo(json.dumps(values if len(values) > 1 else values[0], indent=2))
    return not any(one["wrong"] for one in values)


def game_text(failure: Failure, ruleset: str) -> str:
    """Return the game as a scenario that breaks an invariant too, or else as a script."""
    from fsm.checks.witness import scenario_text
    from fsm.testing.invariants import broken

    game = failure.game

    def breaks(answers: Sequence[Answer] | None) -> bool:
        return answers is None or bool(broken(replace(game, answers=tuple(answers))))

    try:
        new = game.start.controller(game.model, trace=True)
        text = scenario_text(new, ruleset, "random-game", failure.what, game.answers, breaks)
    except Exception:  # the game may fail in any way
        text = ""
    start = f"fsm.load({ruleset!r}), {game.start.players}, teams={game.start.teams}"
    head = ("import fsm", "from fsm import Answer, StartAt", "from fsm.orders import *", "")
    begin = f"game = fsm.TurnController({start}, settings={dict(game.start.settings)}, start={game.start.at})"
    given = [f"game.answer({answer})" for answer in game.answers]
    return text or "\n".join((*head, begin, *given, f"# {failure.what}"))
