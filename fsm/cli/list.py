"""`fsm list`"""

from __future__ import annotations

import json
from typing import Any

import click

from fsm.cli.options import json_option
from fsm.cli.show import say, table


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
    if name is None:
        _list_all(as_json)
    else:
        _describe(name, as_json)


def _describe(ruleset: str, as_json: bool) -> None:
    from fsm.views.reference import reference_of

    sections = reference_of(ruleset)
    if as_json:
        named = {s.title: [dict(zip(s.head, row, strict=True)) for row in s.rows] for s in sections}
        click.echo(json.dumps(named, indent=2, ensure_ascii=False))
        return
    for number, section in enumerate(sections):
        if number:
            say("")
        say(section.title.upper())
        table([word.replace("`", "") for word in section.head], section.rows)


def _list_all(as_json: bool) -> None:
    from fsm import rulesets

    found: Any = []
    for name in rulesets.names():
        model = rulesets.load(name)
        window = model.window
        about = {
            "name": name,
            "title": model.title,
            "edition": model.edition,
            "states": len(model.states),
            "transitions": len(model.transitions),
            "window_states": len(window.states) if window else 0,
            "window_transitions": len(window.transitions) if window else 0,
            "options": {option: of.default for option, of in rulesets.options(name).items()},
            "fingerprint": model.fingerprint,
            "behaviour_fingerprint": model.behaviour_fingerprint,
        }
        found.append(about)
    if as_json:
        click.echo(json.dumps(found, indent=2))
        return
    rows = []
    for about in found:
        window_size = f"{about['window_states']} states, {about['window_transitions']} transitions"
        counts = (str(about["states"]), str(about["transitions"]))
        rows.append((about["name"], about["edition"], *counts, window_size))
    table(("name", "edition", "states", "transitions", "window"), rows)
    say("")
    say("fsm list NAME shows the stages, scenario words and options of one of them.")
