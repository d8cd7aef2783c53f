"""`fsm rulesets`"""

from __future__ import annotations

import json

import click

from fsm.cli.options import output_format


@click.command()
@click.argument("ruleset", required=False)
@output_format
def rulesets(ruleset: str | None, output: str) -> None:
    """List the rulesets that come with the program; of RULESET, the words its scenarios use and its options.

    \b
    Examples:
      fsm rulesets
      fsm rulesets magic-classic
      fsm draw 'magic-classic?edition=2007-10' -o turn.svg
    """
    if ruleset is not None:
        _reference(ruleset, output)
    else:
        _list(output)


def _reference(ruleset: str, output: str) -> None:
    from fsm.cli.show import say, table
    from fsm.views.reference import reference_of

    sections = reference_of(ruleset)
    if output == "json":
        named = {s.title: [dict(zip(s.head, row, strict=True)) for row in s.rows] for s in sections}
        click.echo(json.dumps(named, indent=2, ensure_ascii=False))
        return
    for number, section in enumerate(sections):
        if number:
            say("")
        say(section.title.upper())
        table([word.replace("`", "") for word in section.head], section.rows)


def _list(output: str) -> None:
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
            "options": {option: of.default for option, of in library.options(name).items()},
            "fingerprint": model.fingerprint,
            "behaviour_fingerprint": model.behaviour_fingerprint,
        }

    found = [facts(name, library.load(name)) for name in library.names()]
    if output == "json":
        click.echo(json.dumps(found, indent=2))
        return
    table(("name", "edition", "states", "transitions", "window"), [_row(one) for one in found])
    say("")
    say("fsm rulesets NAME shows the stages, scenario words and options of one of them.")


def _row(one: dict[str, object]) -> tuple[str, ...]:
    window = f"{one['window_states']} states, {one['window_transitions']} transitions"
    return (
        str(one["name"]),
        str(one["edition"]),
        str(one["states"]),
        str(one["transitions"]),
        window,
    )
