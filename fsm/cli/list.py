"""`fsm list`"""

from __future__ import annotations

import click

from fsm.cli.frame import Result, json_option, present, table
from fsm.model.graph import size_of
from fsm.rulesets import load, names
from fsm.views.reference import reference_of


@click.command()
@click.argument("name", required=False)
@json_option
def list(name: str | None, as_json: bool) -> int:
    """List the rulesets that come with the program; of NAME, its stages, the words of its scenarios and its options.

    \b
    Examples:
      fsm list
      fsm list magic-classic
      fsm draw 'magic-classic?edition=2007-10' -o turn.svg
    """
    return present([_reference(name) if name else _every()], as_json)


def _every() -> Result:
    values = []
    rows = []
    for name in names():
        model = load(name)
        states, transitions = size_of(model)
        about = {"name": name, "edition": model.edition, "fingerprint": model.fingerprint}
        values.append({**about, "states": states, "transitions": transitions})
        rows.append((name, model.edition, f"{states} states", f"{transitions} transitions"))
    hint = "fsm list NAME shows the stages, scenario words and options of one of them."
    return Result(values, (*table(rows), "", hint))


def _reference(name: str) -> Result:
    found = reference_of(name)
    lines = []
    for title, rows in found.items():
        cells = [tuple(row.values()) for row in rows]
        lines += [title.upper(), *table([tuple(rows[0]), *cells]), ""]
    return Result(found, lines)
