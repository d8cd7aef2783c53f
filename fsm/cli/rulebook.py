"""`fsm rulebook`"""

from __future__ import annotations

import json
from collections.abc import Mapping
from os.path import basename
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fsm.cli.completing import FILE, RULESET, VIEW
from fsm.cli.options import output_format, picture_format, theme_of_pictures

if TYPE_CHECKING:
    from fsm.analysis.rulebook import RulebookComparison, RulebookReport
    from fsm.model import Model
    from fsm.views.drawing.options import CitedRules, RuleTrouble


@click.command()
@click.argument("file", type=FILE)
@click.argument("file2", type=FILE, required=False)
@click.option(
    "--ruleset",
    type=RULESET,
    metavar="TEXT",
    default="magic",
    show_default=True,
    help="The ruleset that cites the rules.",
)
@click.option("--notes", type=FILE, help="The rules that are explained; default: RULESET's own.")
@click.option("-o", "picture", type=FILE, help="Draw what is concerned: .svg, .png or .pdf.")
@click.option(
    "--view", default="turn", show_default=True, type=VIEW, help="The view that is drawn."
)
@theme_of_pictures
@output_format
def rulebook(
    file: str,
    file2: str | None,
    ruleset: str,
    notes: str | None,
    picture: str | None,
    view: str,
    theme: str,
    output: str,
) -> None:
    """Hold a rulebook that you have, as plain text, against the rules that a ruleset cites.

    Of FILE: which cited rules are not in it, and which rules of the modelled sections nobody cites or explains.

    Of FILE and FILE2, a newer edition: which rules kept their words under a new number, which changed, came and went,
    and what cites them. The ruleset cites the numbers of FILE.

    Ends with 0 if all is as it should be, with 1 if the ruleset is concerned. Nothing of a rulebook comes with the
    program.

    \b
    Examples:
      fsm rulebook rules.txt
      fsm rulebook rules.txt newer-rules.txt -o concerned.svg
      fsm rulebook pages.txt --ruleset grand-archive --json
    """
    from fsm import rulesets
    from fsm.analysis.checks.notes import notes_of, read_notes
    from fsm.analysis.rulebook import compare, report
    from fsm.analysis.rulebook.reporting import (
        comparison_as_json,
        comparison_lines,
        report_as_json,
        report_lines,
    )
    from fsm.cli.show import say_written, show
    from fsm.outputfiles import check_writable, write_files
    from fsm.views.drawing import check_view

    form = picture_format(picture, "-o") if picture is not None else ""
    check_writable([picture])
    model = rulesets.load(ruleset)
    check_view(model, view)
    beside = read_notes(Path(notes)) if notes is not None else notes_of(ruleset)
    if file2 is None:
        found = report(model, file, beside)
        good, values, lines, marked = (
            found.good,
            report_as_json(found),
            report_lines(ruleset, found),
            _missing(found),
        )
    else:
        both = compare(model, file, file2, beside)
        good, values, lines = both.good, comparison_as_json(both), comparison_lines(ruleset, both)
        marked = _concerned(both)
    if output == "json":
        click.echo(json.dumps({"ruleset": ruleset, **values}, indent=2))
    else:
        show(lines)
    if picture is not None:
        write_files({picture: _drawn(model, view, theme, form, marked)})
        if output != "json":
            say_written(picture)
    raise click.exceptions.Exit(0 if good else 1)


def _missing(found: RulebookReport) -> CitedRules:
    """Return the missing rules. Of a file that has only a part of the rulebook, the missing
    sections are not marked.
    """
    from fsm.views.drawing.options import CitedRules

    away = [use for uses in found.sections.values() for use in uses]
    part = 2 * len(away) > found.cited
    name = basename(found.book.name)
    about = (
        f"{name} has only a part of the cited sections: others are not marked."
        if part
        else f"The rules in {name}."
    )
    every = found.absent if part else (*found.absent, *away)
    return CitedRules({use.number: ("missing", f"not in {name}") for use in every}, about)


def _concerned(found: RulebookComparison) -> CitedRules:
    from fsm.views.drawing.options import CitedRules

    trouble: Mapping[str, RuleTrouble] = {"went": "missing", "renumbered": "renumbered"}
    name, words = (
        basename(found.new.name),
        {"went": "not in", "renumbered": "{} in", "changed": "changed in"},
    )
    rules: dict[str, tuple[RuleTrouble, str]] = {}
    for change in (one.change for one in found.concerned if one.use.by):
        said = words.get(change.kind, "changed, and {} in").format(change.new)
        rules[change.old] = (trouble.get(change.kind, "changed"), f"{said} {name}")
    return CitedRules(rules, f"From {basename(found.old.name)} to {name}.")


def _drawn(model: Model, view: str, theme: str, form: str, marked: CitedRules) -> str | bytes:
    from fsm.model import LAYERS
    from fsm.views.drawing import drawn, paper
    from fsm.views.drawing.options import DrawOptions

    return drawn(model, DrawOptions(view, paper(theme), LAYERS, marked), form, {})
