"""`fsm diff`"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from shutil import get_terminal_size
from textwrap import wrap
from typing import TYPE_CHECKING

import click

from fsm.cli.options import output_format

if TYPE_CHECKING:
    from fsm.model import Model
    from fsm.runs.timeline import Span
    from fsm.views.diff import Difference, Field
    from fsm.views.diff.entries import DiffEntry
    from fsm.views.diff.text import DiffSection

PICTURE_SUFFIXES = {".svg": "svg", ".dot": "dot"}
_UNRELATED = (
    "They have hardly anything in common: this is all that the one lacks and the other has."
)
_PLAYS_THE_SAME = "They play the same, and each restores the games of the other: only numbers of rules or words differ."
STYLES = {"+": "good", "-": "bad", "~": "extra"}


@click.command()
@click.argument("a")
@click.argument("b")
@click.option(
    "-o", "picture", metavar="FILE", help="Draw both in one picture: FILE ends in .svg or .dot."
)
@click.option(
    "--rules", is_flag=True, help="List every changed citation, label and documentation, too."
)
@output_format
def diff(
    a: str,
    b: str,
    picture: str | None,
    rules: bool,
    output: str,
) -> None:
    """Say what changed from ruleset A to ruleset B: + came, - went, ~ changed.

    Each is a built-in name, module:attribute, or a model's JSON file. Ends with 0 whether they differ or not, 2 when a
    name is wrong.

    \b
    Examples:
      fsm diff magic 'magic?stated_attacker_counts=true'
      fsm diff magic house.json -o both.svg
      fsm diff magic house.json --json
    """
    from fsm import rulesets
    from fsm.files import check_writable
    from fsm.views.diff import diff
    from fsm.views.diff.asjson import as_json

    form = _form_of(picture) if picture else ""
    check_writable([picture])
    old, new = rulesets.load(a), rulesets.load(b)
    if picture:
        _draw(old, new, (a, b), picture, form)
    difference = diff(old, new)
    if output == "json":
        click.echo(json.dumps(as_json(difference), indent=2))
    else:
        _print(difference, (a, b), rules=rules, written=picture)


def _form_of(path: str) -> str:
    """Return the format for the file's suffix. Raises BadParameter."""
    ending = "." + path.rpartition(".")[2].lower() if "." in path else ""
    if ending not in PICTURE_SUFFIXES:
        raise click.BadParameter(
            f"{path!r} does not end in {' or '.join(PICTURE_SUFFIXES)}", param_hint="-o"
        )
    return PICTURE_SUFFIXES[ending]


def _draw(old: Model, new: Model, names: tuple[str, str], path: str, form: str) -> None:
    from fsm.files import write_files
    from fsm.views.drawing import draw
    from fsm.views.drawing.options import Against

    write_files({path: draw(new, format=form, against=Against(old, names))})


def _print(
    difference: Difference, names: tuple[str, str], *, rules: bool, written: str | None
) -> None:
    from fsm.cli.show import say, show
    from fsm.views.diff.text import unrelated

    if difference.empty:
        say(f"{names[0]} and {names[1]}: nothing differs" + _differing_texts(difference))
    else:
        same = difference.a.behaviour_fingerprint == difference.b.behaviour_fingerprint
        said = (
            [[(_PLAYS_THE_SAME, "")]]
            if same
            else [[(_UNRELATED, "")]]
            if unrelated(difference)
            else []
        )
        show([[(_title(difference, names), "head")], *said, *_whole(difference, rules=rules)])
    if written:
        say(f"written: {written}")


def _differing_texts(difference: Difference) -> str:
    """Return in which texts equal rules differ."""
    if difference.a.fingerprint == difference.b.fingerprint:
        return ""
    return " but the name" if difference.head else " but the order in which they are written"


def _title(difference: Difference, names: tuple[str, str]) -> str:
    models = zip(names, (difference.a, difference.b), strict=True)
    return " -> ".join(
        name + (f" ({model.edition})" if model.edition else "") for name, model in models
    )


def _whole(difference: Difference, *, rules: bool) -> Iterator[Sequence[Span]]:
    """Yield the lines for a difference, then those for the window's."""
    yield from _lines(difference, rules=rules)
    if difference.window and _any(difference.window):
        title = difference.b.window.title if difference.b.window else ""
        yield []
        yield [(f"Inside each window: {title}".removesuffix(": "), "head")]
        yield from _lines(difference.window, rules=rules)
    yield []
    yield [(_totals(difference), "head")]


def _any(difference: Difference) -> bool:
    """Say whether there is anything to list, and not only the name of the edition."""
    own = (difference.renames, difference.changes, difference.orders, difference.texts)
    return any(own) or any(field.name == "initial" for field in difference.head)


def _lines(difference: Difference, *, rules: bool) -> Iterator[Sequence[Span]]:
    from fsm.views.diff.entries import model_entries, rename_entry
    from fsm.views.diff.text import sections_of

    for entry in (*model_entries(difference), *map(rename_entry, difference.renames)):
        yield from _entry(entry, 0)
    for section in sections_of(difference):
        yield []
        yield from _section(section)
    if difference.texts:
        yield []
        yield from _texts(difference, rules=rules)


def _section(section: DiffSection) -> Iterator[Sequence[Span]]:
    yield [("  " * section.level + section.title, "head")]
    for one in section.entries:
        yield from _entry(one, section.level)
    if section.follows:
        yield [(f"{'  ' * section.level}    ({section.note})", "muted")]


def _entry(entry: DiffEntry, level: int) -> Iterator[Sequence[Span]]:
    """Yield the lines of an entry, with the sign in the margin and details below."""
    inset = " " * (2 * level + 1)
    first, *rest = _fitted(entry.text, len(inset) + 3)
    yield [(entry.sign, STYLES[entry.sign]), (f"{inset}{first}", "")]
    yield from ([(f"{inset}   {line}", "")] for line in rest)
    for text in entry.more:
        first, *rest = _fitted(text, len(inset) + 5)
        yield [(f"{inset}   {first}", "muted")]
        yield from ([(f"{inset}     {line}", "muted")] for line in rest)


def _fitted(text: str, indent: int) -> list[str]:
    """Wrap the text to the width of the terminal. Other outputs get one line."""
    if not sys.stdout.isatty():
        return [text]
    return wrap(text, max(40, get_terminal_size().columns - indent), break_long_words=False) or [
        text
    ]


def _texts(difference: Difference, *, rules: bool) -> Iterator[Sequence[Span]]:
    counts = Counter(_counted(field) for change in difference.texts for field in change.fields)
    said = [
        f"{n} {word}{'s' * (n > 1)}{more}"
        for (word, more) in TEXTS_COUNTED
        if (n := counts[word, more])
    ]
    yield [
        ("~ ", STYLES["~"]),
        (f"only in words: {', '.join(said)}" + ("" if rules else " (--rules lists them)"), ""),
    ]
    for change in difference.texts if rules else ():
        for field in change.fields:
            yield [
                (
                    f"    {change.what} {change.id}: {field.name} {field.a or 'none'} -> {field.b or 'none'}",
                    "muted",
                )
            ]


TEXTS_COUNTED = (
    ("citation", ""),
    ("citation", " in only one of them"),
    ("label", ""),
    ("documented meaning", ""),
)


def _counted(field: Field) -> tuple[str, str]:
    """Return as what a field that is only text is counted; plain words are not counted."""
    if field.name == "rule":
        return "citation", "" if field.a and field.b else " in only one of them"
    names = {"label": "label", "doc": "documented meaning", "about": "documented meaning"}
    return names.get(field.name, ""), ""


def _totals(difference: Difference) -> str:
    """Return the totals of the turn and the window."""
    from fsm.views.diff.text import totals

    inside = difference.window
    return totals(difference) + (
        f"; in the window {totals(inside)}" if inside and _any(inside) else ""
    )
