"""`fsm paths`"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from fsm.paths import PathSet


@click.command()
@click.argument("ruleset")
@click.option("--criterion", metavar="C", default="transitions", help="What the paths take (default: transitions).")
@click.option(
    "--format",
    "output",
    type=click.Choice(["text", "json", "pytest"]),
    default="text",
    help="For people, for programs, or as a file of tests.",
)
@click.option("-o", "--output", "file", metavar="FILE", default="-", help="Where to write (default: the terminal).")
@click.option("--tour", is_flag=True, help="As few games as possible, one after the other.")
@click.option("--to", "state", metavar="STATE", help="Only the shortest path to this state.")
@click.option("--walk", type=click.IntRange(min=1), metavar="N", help="Instead, one random game of N answers.")
@click.option("--seed", type=int, default=1, metavar="S", help="The seed of that game (default: 1).")
def paths(
    ruleset: str, criterion: str, output: str, file: str, tour: bool, state: str | None, walk: int | None, seed: int
) -> None:
    """Make paths through RULESET that take all of a coverage criterion, with the answers that open every guard.

    What could not be reached is listed as open. Ends with 0 when nothing is open, 1 when something is.

    \b
    Examples:
      fsm paths grand-archive --criterion transitions
      fsm paths magic --criterion states --format pytest -o test_magic.py
      fsm paths magic --to cleanup_again_end
    """
    import fsm
    from fsm.cli.files import write_files
    from fsm.paths.generating import path_to, random_path
    from fsm.paths.generating import paths as generated
    from fsm.paths.telling import as_json, as_pytest, as_text

    model = fsm.load(ruleset)
    found: PathSet
    if state is not None:
        found = path_to(model, state)
    elif walk is not None:
        found = random_path(model, walk, seed)
    else:
        found = generated(model, criterion, tour=tour)
    text = as_pytest(found, ruleset) if output == "pytest" else as_json(found) if output == "json" else as_text(found)
    write_files({file: text})
    only = state is not None or walk is not None
    raise click.exceptions.Exit(1 if found.open and not only else 0)
