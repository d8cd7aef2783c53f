"""`fsm list`"""

from __future__ import annotations

import builtins
import json
from operator import itemgetter
from typing import Any

import click

from fsm.cli.options import json_option
from fsm.cli.show import Line, show, table

COLUMNS = ("name", "edition", "states", "transitions")
about = itemgetter(*COLUMNS)
"""Returns what people are told of a ruleset."""


@click.command()
@click.argument("name", required=False)
@json_option
def list(name: str | None, as_json: bool) -> None:
    """List the rulesets that come with the program; of NAME, its stages, the words of its scenarios and its options.

    \b
    Examples:
      fsm list
      fsm list magic-classic
      fsm draw 'magic-classic?edition=2007-10' -o turn.svg
    """
    from fsm.rulesets import names
    from fsm.views.reference import reference_of

    found: Any
    lines: builtins.list[Line] = []
    if name is None:
        found = [_about(one) for one in names()]
        rows = [tuple(map(str, about(one))) for one in found]
        lines += [*table(COLUMNS, rows), ""]
        lines.append("fsm list NAME shows the stages, scenario words and options of one of them.")
    else:
        found = {}
        for part in reference_of(name):
            found[part.title] = [dict(zip(part.head, row, strict=True)) for row in part.rows]
            head = [word.replace("`", "") for word in part.head]
            lines += [*([""] if lines else []), part.title.upper(), *table(head, part.rows)]
    if as_json:
        click.echo(json.dumps(found, indent=2, ensure_ascii=False))
    else:
        show(lines)


def _about(name: str) -> dict[str, Any]:
    """Return what there is to know of a ruleset that comes with the program."""
    from fsm.rulesets import load, options

    model = load(name)
    window = model.window
    return {
        "name": name,
        "title": model.title,
        "edition": model.edition,
        "states": len(model.states),
        "transitions": len(model.transitions),
        "window_states": len(window.states) if window else 0,
        "window_transitions": len(window.transitions) if window else 0,
        "options": {option: of.default for option, of in options(name).items()},
        "fingerprint": model.fingerprint,
        "behaviour_fingerprint": model.behaviour_fingerprint,
    }
