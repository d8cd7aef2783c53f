"""`fsm paths`"""

from __future__ import annotations

import json

import click

from fsm.cli.frame import Text, option, progress_bar, say, write
from fsm.coverage import combine, covered
from fsm.rulesets import load
from fsm.testing import formats, generating, machineways
from fsm.testing.generating import PathSet


@click.command()
@click.argument("ruleset")
@option(
    "--criterion states|transitions|literals|rules", "What the paths take.", default="transitions"
)
@option(
    "--format text|scenario|pytest",
    "For people, for `fsm run`, or as a file of tests.",
    "output",
    default="text",
)
@option("-o, --output FILE", "Where to write; '-' is standard output.", "file", default="-")
@option("--seconds SECONDS", "Search about this long at most.", default=120)
@option("--to STATE", "Only the shortest path to this state.", "state")
@option("--missing DATA", "Only what this recorded coverage lacks: a directory or a file.")
@option(
    "--callbacks real|stub",
    "Of a plain machine: run its callbacks, or none of them.",
    default="real",
)
def paths(
    ruleset: str,
    criterion: str,
    output: str,
    file: str,
    seconds: float,
    state: Text,
    missing: Text,
    callbacks: machineways.Callbacks,
) -> int:
    """Make paths through RULESET that take all of a coverage criterion, with the answers that open every guard.

    RULESET may also be a machine of the transitions library, module:machine, or module:function that makes one. Then it
    is the events that lead to each transition, with what conditions must say. As pytest, it is one test for each. What
    could not be reached is listed as open. Ends with 0 when nothing is open, 1 when something is.

    \b
    Examples:
      fsm paths grand-archive --criterion rules
      fsm paths magic --format pytest -o test_magic.py
      fsm paths magic --missing .fsm-coverage --format pytest -o test_more.py
      fsm paths magic --format scenario -o paths.json
      fsm paths magic --to cleanup_again_end
      fsm paths mymodule:machine --format pytest -o test_machine.py
      fsm paths mymodule:Door --callbacks stub --format pytest -o test_door.py
    """
    model = load(ruleset, machines=True)
    if not model.played:
        text, reasons = _of_machine(ruleset, callbacks, output)
    else:
        if state:
            found = generating.path_to(model, state)
        else:
            taken = frozenset(
                covered(model, criterion, combine([missing])).taken if missing else ()
            )
            with progress_bar("answers tried") as progress:
                found = generating.paths(
                    model, criterion, taken=taken, seconds=seconds, progress=progress
                )
        text = _formatted(found, ruleset, output)
        reasons = [f"{way.machine}: {way.id}: {found.why_open(way)}" for way in found.open]
    write({file: text})
    for reason in reasons:
        say(f"open: {reason}", err=True)
    return 1 if reasons else 0


def _formatted(found: PathSet, ruleset: str, output: str) -> str:
    if output == "text":
        return formats.as_text(found)
    say(str(found), err=True)
    if output == "pytest":
        return formats.as_pytest(found, ruleset)
    told = [*formats.scenarios(found, ruleset)]
    if len(told) < len(found):
        note = "paths written: scenarios have no words for the others"
        say(f"{len(told)} of {len(found)} {note}", err=True)
    return json.dumps(told, indent=1, ensure_ascii=False) + "\n"


def _of_machine(spec: str, callbacks: machineways.Callbacks, output: str) -> tuple[str, list[str]]:
    """Return a way to each transition of a plain machine, and why some have none."""
    if output == "scenario":
        raise click.UsageError("a machine has no scenarios: choose --format text or pytest")
    source = machineways.source_of(spec)
    ways = machineways.ways_of(source.fresh, callbacks)
    reasons = [f"{row.id}: {why}" for row, why in ways.missing]
    if output == "text":
        return formats.ways_text(ways, spec), reasons
    return formats.tests_of(ways, source), reasons
