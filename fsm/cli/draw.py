"""`fsm draw`"""

from __future__ import annotations

import click

FORMATS = {".svg": "svg", ".dot": "dot", ".gv": "dot"}


@click.command()
@click.argument("ruleset")
@click.option("-o", "--output", required=True, metavar="FILE", help="Where to write; '-' is standard output.")
@click.option("--view", default="turn", show_default=True, metavar="turn|window", help="What to show.")
@click.option("--format", "form", metavar="svg|dot", help="Instead of the format that FILE's ending names.")
@click.option("--theme", default="light", show_default=True, metavar="light|dark", help="Colours for which paper.")
@click.option("--layers", metavar="LIST", help="Which layers to show: core,skip,extra,jump (some of them).")
def draw(ruleset: str, output: str, view: str, form: str | None, theme: str, layers: str | None) -> None:
    """Draw RULESET: a built-in name, module:attribute, or a model's JSON file.

    \b
    Examples:
      fsm draw magic -o turn.svg
      fsm draw magic -o window.svg --view window --theme dark
      fsm draw magic -o - --format dot --layers core,skip
    """
    from fsm import rulesets
    from fsm.cli.files import write_files
    from fsm.drawing import draw as picture
    from fsm.model import LAYERS

    form = form or _form_of(output)
    wanted = [part.strip() for part in layers.split(",")] if layers is not None else LAYERS
    text = picture(rulesets.load(ruleset), view=view, format=form, theme=theme, layers=wanted)
    write_files({output: text})


def _form_of(output: str) -> str:
    ending = "." + output.rpartition(".")[2].lower() if "." in output else ""
    if ending not in FORMATS:
        known = ", ".join(FORMATS)
        raise click.BadParameter(f"{output!r} does not end in {known}: add --format", param_hint="--output")
    return FORMATS[ending]
