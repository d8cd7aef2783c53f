"""`fsm list`"""

from __future__ import annotations

import builtins
from operator import itemgetter
from typing import Any

import click

from fsm.cli.options import json_option
from fsm.cli.show import Line, Result, present, table

COLUMNS = ("name", "edition", "states", "transitions")
about = itemgetter(*COLUMNS)
"""Returns what people are told of a ruleset."""


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
    return present([_every() if name is None else _reference(name)], as_json)


def _every() -> Result:
    from fsm.rulesets import names

    found = [_about(name) for name in names()]
    lines = [*table(COLUMNS, [tuple(map(str, about(ruleset))) for ruleset in found]), ""]
    lines.append("fsm list NAME shows the stages, scenario words and options of one of them.")
    return Result(found, lines)


def _about(name: str) -> dict[str, Any]:
    """Return what there is to know of a ruleset that comes with the program."""
    from fsm.model.graph import size_of
    from fsm.rulesets import load, options

    model = load(name)
    states, transitions = size_of(model)
    return {
        "name": name,
        "title": model.title,
        "edition": model.edition,
        "states": states,
        "transitions": transitions,
        "options": {option: of.default for option, of in options(name).items()},
        "fingerprint": model.fingerprint,
    }


def _reference(name: str) -> Result:
    from fsm.views.reference import reference_of

    found = dict[str, Any]()
    lines: builtins.list[Line] = []
    for part in reference_of(name):
        found[part.title] = [dict(zip(part.head, row, strict=True)) for row in part.rows]
        head = [word.replace("`", "") for word in part.head]
        lines += [part.title.upper(), *table(head, part.rows), ""]
    return Result(found, lines[:-1])
