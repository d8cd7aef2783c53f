"""The options and the output of `fsm diff --behaviour`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from fsm.cli.options import bound, with_options
from fsm.cli.proof import bounds_of

if TYPE_CHECKING:
    from fsm.model import Model

behaviour_options = with_options(
    click.option(
        "--behaviour",
        is_flag=True,
        help="Play both in step instead, until what can be seen differs.",
    ),
    click.option(
        "--scenario",
        metavar="FILE",
        help="With --behaviour: write the scenario that tells them apart.",
    ),
    bound("players", 2, "With --behaviour: players."),
    bound("turns", 1, "With --behaviour: turns."),
    bound("stack", 1, "With --behaviour: objects on the stack at most.", least=0),
    bound(
        "together",
        1,
        "With --behaviour: extra or skipped turns, phases, steps pending at the same time.",
        least=0,
    ),
)
"""The options of `fsm diff` for the comparison of behaviour."""


def print_behaviour(
    models: tuple[Model, Model],
    names: tuple[str, str],
    output: str,
    scenario: str | None,
    together: int,
    **bounds: int,
) -> None:
    """Compare the behaviour, and write and print the result. `bounds` are options of `Bounds`."""
    from fsm.analysis.modelchecking.boundedequivalence import compare_behaviour
    from fsm.analysis.modelchecking.distinguishing import distinguishing_scenario
    from fsm.outputfiles import write_files

    within = bounds_of(**bounds, pending=together, together=str(together))
    found = compare_behaviour(*models, within)
    data = None
    if found.difference is not None:
        data = distinguishing_scenario(*models, found.difference, names[0], within.names)
    if data is not None and scenario:
        write_files({scenario: json.dumps(data, indent=2, ensure_ascii=False) + "\n"})
    if output == "json":
        click.echo(json.dumps(_as_dict(found, data), indent=2, ensure_ascii=False))
    else:
        _print(found, data, names, str(within), scenario)


def _as_dict(found: Any, data: Any) -> dict[str, Any]:
    differs = found.difference
    saw = (
        {"a": differs.a, "b": differs.b, "answers": len(differs.answers), "scenario": data}
        if differs
        else None
    )
    return {"alike": differs is None, "positions": found.positions, "difference": saw}


def _print(found: Any, data: Any, names: tuple[str, str], within: str, path: str | None) -> None:
    from fsm.cli.show import say

    differs = found.difference
    if differs is None:
        say(
            f"{names[0]} and {names[1]} behave alike, whatever happens: {found.positions:,} positions ({within})"
        )
        return
    count = len(differs.answers)
    say(f"{names[0]} and {names[1]} behave differently after {count} answer{'s' * (count != 1)}")
    width = max(map(len, names))
    for name, said in zip(names, (differs.a, differs.b), strict=True):
        say(f"  {name:<{width}}  {said}")
    if data is None:
        say("scenarios have no words for how to come there")
    elif path:
        say(f"written: {path}")
    else:
        say("a scenario that holds of the first and not of the second (--scenario FILE writes it):")
        say(json.dumps(data, ensure_ascii=False))
