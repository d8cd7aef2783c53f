"""`fsm rulesets`"""

from __future__ import annotations

import json

import click

from fsm.cli.options import output_format


@click.command()
@output_format
def rulesets(output: str) -> None:
    """List the rulesets that come with the program.

    \b
    Example:
      fsm rulesets
      fsm run my-scenario.json          with "ruleset": "magic" in the file
      fsm draw 'magic?NAME=VALUE' -o turn.svg
    """
    from fsm import rulesets as library
    from fsm.cli.show import say, table
    from fsm.model import Model

    def facts(name: str, model: Model) -> dict[str, object]:
        window = model.window
        return {
            "name": name,
            "title": model.title,
            "edition": model.edition,
            "states": len(model.states),
            "transitions": len(model.transitions),
            "window_states": len(window.states) if window else 0,
            "window_transitions": len(window.transitions) if window else 0,
            "options": dict(library.option_names(name)),
            "fingerprint": model.fingerprint,
        }

    found = [facts(name, library.load(name)) for name in library.names()]
    if output == "json":
        click.echo(json.dumps(found, indent=2))
        return
    table(("name", "edition", "states", "transitions", "window"), [_row(one) for one in found])
    for one in found:
        say("")
        say(f"options of {one['name']}, with their defaults (write {one['name']}?option=value):")
        for name, value in library.option_names(str(one["name"])).items():
            say(f"  {name}={str(value).lower()}")


def _row(one: dict[str, object]) -> tuple[str, ...]:
    window = f"{one['window_states']} states, {one['window_transitions']} transitions"
    return (str(one["name"]), str(one["edition"]), str(one["states"]), str(one["transitions"]), window)
