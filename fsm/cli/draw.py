"""`fsm draw`"""

from __future__ import annotations

from collections import Counter
from typing import Any

import click
from msgspec.structs import replace

from fsm.cli.frame import Text, default_file, option, show, table, write
from fsm.model import Model
from fsm.rulesets import load
from fsm.views.draw import FORMATS, draw as drawn, format_named, titles_of
from fsm.views.overlays import Counts, Now


@click.command()
@click.argument("ruleset")
@option("-o, --output FILE", "Where to write (default: NAME.svg); '-' is standard output.")
@option("--view NAME", "What to show; --views lists them.", default="turn")
@option("--views", "List the views of RULESET and draw nothing.")
@option(
    "--format NAME",
    "svg, png, dot, mermaid, json, md, html or txt, if FILE's ending does not say so.",
    "form",
)
@option(
    "--theme NAME",
    "Colours: light, dark, or auto, which follows the reader's screen.",
    default="auto",
)
@option("--trace PATH", "Show the way of the last turn of a recorded run (from fsm run --trace).")
@option("--coverage PATH", "Show how often a recorded run took everything, and what never.")
@option("--at STATE", "Show this state as the current one; STATE/STATE in an open window.")
@option("--against OTHER", "Show what differs from this ruleset, in one picture of both.")
def draw(
    ruleset: str,
    output: Text,
    view: str,
    views: bool,
    form: Text,
    theme: str,
    trace: Text,
    coverage: Text,
    at: Text,
    against: Text,
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
    model = load(ruleset, machines=True)
    if views:
        show(table(titles_of(model).items()))
        return
    form = form or (_form_of(output) if output else "svg")
    output = output or default_file(ruleset, format_named(form).endings[0])
    if not model.title:  # a machine without a name is called what the user calls it
        model = replace(model, title=ruleset.rpartition(":")[2])
    records: Any = ()
    if path := trace or coverage:
        from fsm.conformance.recordings import read_trace  # which takes as long as a picture

        records = read_trace(path, model).records
    picture = drawn(
        model,
        format=form,
        view=view,
        theme=theme,
        trace=records if trace else None,
        counts=_counts(records) if coverage else None,
        now=_standing(at, model) if at else None,
        against=load(against, machines=True) if against else None,
    )
    write({output: picture})


def _form_of(output: str) -> str:
    for form in FORMATS.values():
        if output.lower().endswith(form.endings):
            return form.name
    raise click.UsageError(
        f"{output!r} does not end as a format does; add --format ({', '.join(FORMATS)})"
    )


def _counts(records: Any) -> Counts:
    """Return how often a run took each transition."""
    found = {"turn": Counter[str](), "window": Counter[str]()}
    for record in records:
        found[record.machine][record.transition] += 1
    return Counts(**found)


def _standing(at: str, model: Model) -> Now:
    """Return a state of the turn or, after a slash, of its window: "upkeep_window/priority"."""
    state, _, frame = at.partition("/")
    if frame and model.window:
        model.window.state(frame)
    return Now(model.state(state).id, frame)
