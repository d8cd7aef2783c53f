"""`fsm draw`"""

from __future__ import annotations

import sys
from shutil import get_terminal_size
from typing import TYPE_CHECKING, TypeAlias

import click

if TYPE_CHECKING:
    from fsm.model import Model

    Named: TypeAlias = tuple[str, Model]

PICTURES = {".svg": "svg", ".dot": "dot", ".gv": "dot"}
TABLES = {".md": "md", ".html": "html", ".htm": "html", ".txt": "txt"}
FORMATS = {**PICTURES, **TABLES}
WIDTH = 100


@click.command()
@click.argument("ruleset")
@click.option("-o", "--output", required=True, metavar="FILE", help="Where to write; '-' is standard output.")
@click.option("--view", default="turn", show_default=True, metavar="turn|window", help="What to show.")
@click.option(
    "--format",
    "form",
    metavar="svg|dot|md|html|txt",
    help="Instead of the format that FILE's ending names. Pictures: svg, dot. The turn as a table: md, html, txt.",
)
@click.option(
    "--theme",
    metavar="light|dark",
    help="Colours for which paper: of pictures (light if not given), of html (what its reader's screen uses).",
)
@click.option("--layers", metavar="LIST", help="Which layers a picture shows: core,skip,extra,jump (some of them).")
@click.option("--against", metavar="OTHER", help="Show what differs from this ruleset, in one picture of both.")
def draw(
    ruleset: str, output: str, view: str, form: str | None, theme: str | None, layers: str | None, against: str | None
) -> None:
    """Draw RULESET: a built-in name, module:attribute, or a model's JSON file.

    \b
    Examples:
      fsm draw magic -o turn.svg
      fsm draw magic -o window.svg --view window --theme dark
      fsm draw magic -o - --format dot --layers core,skip
      fsm draw magic -o both.svg --against magic-2010
      fsm draw magic -o turn.html             the turn as a table
      fsm draw magic -o - --format txt        the same, on the terminal
    """
    from fsm import rulesets
    from fsm.cli.files import write_files

    form = form or _form_of(output)
    if form in TABLES.values():
        _refuse(form, theme, layers, against)
        text = _table(rulesets.load(ruleset), output, view, form, theme)
    else:
        other = None if against is None else (against, rulesets.load(against))
        text = _picture((ruleset, rulesets.load(ruleset)), view, form, theme, layers, other)
    write_files({output: text})


def _picture(named: Named, view: str, form: str, theme: str | None, layers: str | None, against: Named | None) -> str:
    from fsm.drawing import draw as picture
    from fsm.errors import DrawError, suggest
    from fsm.model import LAYERS

    if form not in PICTURES.values():
        raise DrawError(f"format {form!r} is unknown{suggest(form, FORMATS.values())}")
    wanted = [part.strip() for part in layers.split(",")] if layers is not None else LAYERS
    theme = "light" if theme is None else theme
    if against is None:
        return picture(named[1], view=view, format=form, theme=theme, layers=wanted)
    from fsm.drawing.against import draw_against

    names = against[0], named[0]
    return draw_against(named[1], against[1], view=view, format=form, theme=theme, layers=wanted, names=names)


def _table(model: Model, output: str, view: str, form: str, theme: str | None) -> str:
    from fsm.cli.show import coloured, marks
    from fsm.tabling import tabulate
    from fsm.timeline import ASCII

    if output != "-":
        return tabulate(model, view=view, format=form, theme=theme or "", width=WIDTH)
    width = get_terminal_size().columns if sys.stdout.isatty() else WIDTH
    ascii = marks() is ASCII
    return tabulate(model, view=view, format=form, theme=theme or "", width=width, colour=coloured(), ascii=ascii)


def _refuse(form: str, theme: str | None, layers: str | None, against: str | None) -> None:
    """What cannot matter for a table is not silently left aside."""
    if against is not None:
        raise click.BadParameter("a table shows one ruleset: draw a picture (.svg)", param_hint="--against")
    if layers is not None:
        raise click.BadParameter("a table has no layers: leave it out, or draw a picture (.svg)", param_hint="--layers")
    if theme is not None and form != "html":
        raise click.BadParameter(f"{form} has no colours: leave it out, or write .html", param_hint="--theme")


def _form_of(output: str) -> str:
    ending = "." + output.rpartition(".")[2].lower() if "." in output else ""
    if ending not in FORMATS:
        known = ", ".join(FORMATS)
        raise click.BadParameter(f"{output!r} does not end in {known}: add --format", param_hint="--output")
    return FORMATS[ending]
