"""`fsm diff`"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import click

from fsm.cli.options import json_option
from fsm.cli.show import say, say_written, show

if TYPE_CHECKING:
    from fsm.runs.timeline import Span
    from fsm.views.diff import Difference
    from fsm.views.difftext import Entry

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

    a, b = difference.a, difference.b
    if difference.empty:
        but = "" if a.fingerprint == b.fingerprint else " but the name or the order"
        say(f"{names[0]} and {names[1]}: nothing differs{but}")
        return
    titled = zip(names, (a, b), strict=True)
    title = [name + (f" ({model.edition})" if model.edition else "") for name, model in titled]
    lines: list[Sequence[Span]] = [[(" -> ".join(title), "head")]]
    if a.behaviour_fingerprint == b.behaviour_fingerprint:
        lines.append([(_PLAYS_THE_SAME, "")])
    show([*lines, *_whole(difference, rules=rules)])


def _whole(difference: Difference, *, rules: bool) -> Iterator[Sequence[Span]]:
    """Yield the lines for a difference, then those for the window's, then the totals."""
    from fsm.views.difftext import totals

    yield from _lines(difference, rules=rules)
    said, inside = totals(difference), difference.window
    if inside and inside.listed:
        yield []
        yield [(f"Inside each window: {inside.b.title or inside.b.name}", "head")]
        yield from _lines(inside, rules=rules)
        said += f"; in the window {totals(inside)}"
    yield []
    yield [(said, "head")]


def _lines(difference: Difference, *, rules: bool) -> Iterator[Sequence[Span]]:
    from fsm.views.difftext import opening, sections_of, texts_of

    for entry in opening(difference):
        yield from _entry(entry, 0)
    for section in sections_of(difference):
        yield []
        yield [("  " * section.level + section.title, "head")]
        for entry in section.entries:
            yield from _entry(entry, section.level)
        if section.more:
            inset = "  " * section.level
            yield [(f"{inset}    (and {section.more} more that go with it)", "muted")]
    if texts := texts_of(difference):
        more = "" if rules else " (--rules lists them)"
        yield []
        yield [("~ ", STYLES["~"]), (f"only in words: {len(texts)}{more}", "")]
        for text in texts if rules else ():
            yield [(f"    {text}", "muted")]


def _entry(entry: Entry, level: int) -> Iterator[Sequence[Span]]:
    """Yield the lines of an entry, with the sign in the margin and details below."""
    inset = " " * (2 * level + 1)
    yield [(entry.sign, STYLES[entry.sign]), (f"{inset}{entry.text}", "")]
    for text in entry.more:
        yield [(f"{inset}   {text}", "muted")]
