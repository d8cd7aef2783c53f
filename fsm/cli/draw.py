"""`fsm draw`"""

from __future__ import annotations

import sys
from dataclasses import replace
from shutil import get_terminal_size
from typing import TYPE_CHECKING

import click

from fsm.views.drawing.formats import FORMATS, Format, format_named, format_of

if TYPE_CHECKING:
    from fsm.model import Model

TABLES = ("md", "html", "txt")
WIDTH = 100
_ENDINGS = ", ".join(ending for one in FORMATS.values() for ending in one.endings)


@click.command()
@click.argument("ruleset")
@click.option("-o", "--output", metavar="FILE", help="Where to write; '-' is standard output.")
@click.option(
    "--view",
    default="turn",
    show_default=True,
    metavar="NAME",
    help="What to show; --views lists them.",
)
@click.option("--views", is_flag=True, help="List the views of RULESET and draw nothing.")
@click.option(
    "--format",
    "form",
    metavar="|".join(FORMATS),
    help="Instead of the format that FILE's ending names.",
)
@click.option(
    "--theme",
    metavar="light|dark",
    help="Colours for which paper: of pictures (light if not given), of html (what its reader's screen uses).",
)
@click.option(
    "--trace", metavar="FILE", help="Show the way that a recorded run took (from fsm run --trace)."
)
@click.option(
    "--coverage",
    metavar="FILE",
    help="Show how often a recorded run took everything, and what never.",
)
@click.option(
    "--at",
    metavar="STATE",
    help="Show this state as the current one; STATE/STATE in an open window.",
)
@click.option(
    "--against",
    metavar="OTHER",
    help="Show what differs from this ruleset, in one picture of both.",
)
@click.option(
    "--link",
    default="",
    metavar="URL",
    help="Link citations to this address, with {rule} for the number.",
)
def draw(
    ruleset: str,
    output: str | None,
    view: str,
    views: bool,
    form: str | None,
    theme: str | None,
    trace: str | None,
    coverage: str | None,
    at: str | None,
    against: str | None,
    link: str,
) -> None:
    """Draw RULESET: a built-in name, module:attribute, a model's JSON file, or any `transitions` machine.

    \b
    Examples:
      fsm draw magic -o turn.svg
      fsm draw magic -o combat.png --view phase:combat_phase --theme dark
      fsm draw magic -o window.mmd --view window
      fsm draw magic -o - --format dot
      fsm draw magic -o both.svg --against magic-2010
      fsm draw magic -o turn.html             the turn as a table
      fsm draw magic -o - --format txt        the same, on the terminal
      fsm draw mymodule:machine -o machine.svg
    """
    from fsm import rulesets
    from fsm.cli.overlaid import check_one_overlay, overlay_of
    from fsm.cli.show import say_written
    from fsm.files import check_writable, write_files
    from fsm.views.drawing import check_options, check_view, drawn, paper
    from fsm.views.drawing.options import DrawOptions

    if views:
        _list(rulesets.load(ruleset, machines=True))
        return
    if output is None:
        raise click.UsageError(
            "Missing option '-o' / '--output': where to write; '-' is standard output."
        )
    one = format_named(form) if form else _form_of(output)
    options = DrawOptions(view, paper(theme or "light"), None, link)
    overlay = {"trace": trace, "coverage": coverage, "at": at, "against": against}
    check_one_overlay(**overlay)
    check_options(
        options,
        one,
        theme=theme is not None,
        overlay=any(value is not None for value in overlay.values()),
    )
    one.check()
    check_writable([output])
    model = rulesets.load(ruleset, machines=True)
    check_view(model, view)
    options = replace(options, overlay=overlay_of(ruleset, model, **overlay))
    text = (
        _table(model, output, view, one.name, theme)
        if one.name in TABLES
        else drawn(model, options, one.name)
    )
    write_files({output: text})
    say_written(output)


def _list(model: Model) -> None:
    """Print the names of the views, with the title of each picture."""
    from fsm.cli.show import say
    from fsm.views.drawing import views_of
    from fsm.views.drawing.views import diagram_of

    names = views_of(model)
    width = max(map(len, names)) + 2
    for name in names:
        say(f"{name:{width}}{diagram_of(model, name).title}")


def _table(model: Model, output: str, view: str, form: str, theme: str | None) -> str:
    from fsm.cli.show import coloured, marks
    from fsm.runs.timeline import ASCII
    from fsm.views.tables import tabulate

    if output != "-":
        return tabulate(model, view=view, format=form, theme=theme or "", width=WIDTH)
    width = get_terminal_size().columns if sys.stdout.isatty() else WIDTH
    ascii = marks() is ASCII
    return tabulate(
        model,
        view=view,
        format=form,
        theme=theme or "",
        width=width,
        colour=coloured(),
        ascii=ascii,
    )


def _form_of(output: str) -> Format:
    found = format_of(output)
    if found is None:
        raise click.BadParameter(
            f"{output!r} does not end in {_ENDINGS}: add --format", param_hint="--output"
        )
    return found
