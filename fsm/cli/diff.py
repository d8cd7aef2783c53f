"""`fsm diff`"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from fsm.cli.options import json_option
from fsm.cli.show import say, say_written, show

if TYPE_CHECKING:
    from fsm.runs.timeline import Span
    from fsm.views.diff import Difference
    from fsm.views.difftext import Line

_PLAYS_THE_SAME = "They play the same, and each restores the games of the other: only numbers of rules or words differ."
STYLES = {"+": "good", "-": "bad", "~": "extra"}


@click.command()
@click.argument("a")
@click.argument("b")
@click.option(
    "-o",
    "--output",
    "picture",
    metavar="FILE",
    help="Draw both in one picture: FILE ends in .svg.",
)
@click.option(
    "--rules", is_flag=True, help="List every changed citation, label and documentation, too."
)
@click.option("--exit-code", is_flag=True, help="End with 1 if they differ.")
@json_option
def diff(a: str, b: str, picture: str | None, rules: bool, exit_code: bool, as_json: bool) -> None:
    """Say what changed from ruleset A to ruleset B: + came, - went, ~ changed.

    Each is a built-in name, module:attribute, or a model's JSON file. Ends with 0 whether they differ or not, unless
    --exit-code is given.

    \b
    Examples:
      fsm diff magic 'magic?stated_attacker_counts=true'
      fsm diff magic house.json -o both.svg
      fsm diff magic house.json --json
    """
    from fsm import rulesets
    from fsm.files import check_writable, write_files
    from fsm.views.diff import as_json as values_of
    from fsm.views.diff import diff as difference_of
    from fsm.views.draw import Shown, drawn

    if picture and not picture.lower().endswith(".svg"):
        raise click.BadParameter(f"{picture!r} does not end in .svg", param_hint="-o")
    check_writable([picture])
    old, new = rulesets.load(a), rulesets.load(b)
    if picture:
        shown = Shown(against=old, names=(a, b))
        write_files({picture: drawn(new, shown, "svg")})
    difference = difference_of(old, new)
    if as_json:
        click.echo(json.dumps(values_of(difference), indent=2))
    else:
        _print(difference, (a, b), rules=rules)
        if picture:
            say_written(picture)
    if exit_code and not difference.empty:
        raise click.exceptions.Exit(1)


def _print(difference: Difference, names: tuple[str, str], *, rules: bool) -> None:
    from fsm.views.difftext import lines_of

    a, b = difference.a, difference.b
    if difference.empty:
        but = "" if a.fingerprint == b.fingerprint else " but the name"
        say(f"{names[0]} and {names[1]}: nothing differs{but}")
        return
    titled = zip(names, (a, b), strict=True)
    title = [name + (f" ({model.edition})" if model.edition else "") for name, model in titled]
    lines: list[Sequence[Span]] = [[(" -> ".join(title), "head")]]
    if a.behaviour_fingerprint == b.behaviour_fingerprint:
        lines.append([(_PLAYS_THE_SAME, "")])
    lines += map(_spans, lines_of(difference, rules=rules))
    show(lines)


def _spans(line: Line) -> Sequence[Span]:
    """Return a line with its sign in the margin, and more about it below, indented."""
    inset = "  " * line.level
    if line.sign == "head":
        return [(inset + line.text, "head")]
    if not line.sign:
        return [(f"    {inset}{line.text}", "muted")]
    return [(line.sign, STYLES[line.sign]), (f" {inset}{line.text}", "")]
