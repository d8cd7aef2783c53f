"""`fsm draw`"""

from __future__ import annotations

import sys
from shutil import get_terminal_size
from typing import TYPE_CHECKING

import click
from msgspec.structs import replace

from fsm.cli.options import default_file
from fsm.cli.show import say, say_written
from fsm.views.draw import FORMATS, Format, format_named

if TYPE_CHECKING:
    from fsm.model import Model

_ENDINGS = ", ".join(ending for one in FORMATS.values() for ending in one.endings)


@click.command()
@click.argument("ruleset")
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    help="Where to write (default: NAME.svg); '-' is standard output.",
)
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
    metavar="light|dark|auto",
    help="Colours of pictures and pages. By default, they follow the reader's screen.",
)
@click.option(
    "--trace",
    metavar="FILE",
    help="Show the way of the last turn of a recorded run (from fsm run --trace).",
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
) -> None:
    """Draw RULESET: a built-in name, module:attribute, a model's JSON file, or any `transitions` machine.

    \b
    Examples:
      fsm draw magic
      fsm draw magic -o combat.png --view phase:combat_phase --theme dark
      fsm draw magic -o window.mmd --view window
      fsm draw magic -o - --format dot
      fsm draw magic -o both.svg --against magic-2010
      fsm draw magic -o turn.html             the turn as a table
      fsm draw magic -o - --format txt        the same, on the terminal
      fsm draw mymodule:machine -o machine.svg
    """
    from fsm import rulesets
    from fsm.cli.overlaid import check_one_overlay, with_overlay
    from fsm.files import check_writable, write_files
    from fsm.views.draw import Shown, check, check_view, drawn

    if views:
        _list(rulesets.load(ruleset, machines=True))
        return
    if output is None:
        one = format_named(form or "svg")
        output = default_file(ruleset, one.endings[0])
    else:
        one = format_named(form) if form else _form_of(output)
    shown = Shown(view, theme or "auto")
    overlay = {"trace": trace, "coverage": coverage, "at": at, "against": against}
    check_one_overlay(**overlay)
    laid = any(value is not None for value in overlay.values())
    check(shown, one, themed=theme is not None, laid=laid)
    check_writable([output])
    model = rulesets.load(ruleset, machines=True)
    if not model.title:  # a machine without a name is called what the user calls it
        model = replace(model, title=ruleset.rpartition(":")[2])
    check_view(model, view)
    shown = with_overlay(shown, ruleset, model, **overlay)
    table = one.name == "txt" and output == "-" and sys.stdout.isatty()
    write_files({output: _table(model) if table else drawn(model, shown, one.name)})
    say_written(output)


def _list(model: Model) -> None:
    """Print the names of the views, with what each shows."""
    from fsm.views.draw import title_of, views_of

    names = views_of(model)
    width = max(map(len, names)) + 2
    for name in names:
        say(f"{name:{width}}{title_of(model, name)}")


def _table(model: Model) -> str:
    """Return the table as it fits the terminal."""
    from fsm.views.tables import tabulate

    return tabulate(model, format="txt", width=get_terminal_size().columns)


def _form_of(output: str) -> Format:
    named = [form for form in FORMATS.values() if output.lower().endswith(form.endings)]
    if not named:
        raise click.BadParameter(
            f"{output!r} does not end in {_ENDINGS}: add --format", param_hint="--output"
        )
    return named[0]
