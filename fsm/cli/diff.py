"""`fsm diff`"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from fsm.cli.options import json_option, option
from fsm.cli.show import Line, Result, present

if TYPE_CHECKING:
    from fsm.views.diff import Difference

STYLES = {"head": "head", "+": "good", "-": "bad", "~": "extra"}


@click.command()
@click.argument("a")
@click.argument("b")
@option("--rules", "List every changed citation, label and documentation, too.")
@option("--exit-code", "End with 1 if they differ.")
@json_option
def diff(a: str, b: str, rules: bool, exit_code: bool, as_json: bool) -> int:
    """Say what changed from ruleset A to ruleset B: + came, - went, ~ changed.

    Each is a built-in name, module:attribute, or a model's JSON file. Ends with 0 whether they differ or not, unless
    --exit-code is given. 'fsm draw B --against A' draws both in one picture.

    \b
    Examples:
      fsm diff magic 'magic?stated_attacker_counts=true'
      fsm diff magic house.json --rules
      fsm diff magic house.json --json
    """
    from fsm.rulesets import load
    from fsm.views.diff import as_json as values_of, diff as difference_of

    difference = difference_of(load(a), load(b))
    same = difference.empty or not exit_code
    result = Result(values_of(difference), _lines(difference, (a, b), rules=rules), same)
    return present([result], as_json)


def _lines(difference: Difference, names: tuple[str, str], *, rules: bool) -> Iterator[Line]:
    from fsm.views.diff import lines_of

    a, b = difference.a, difference.b
    if difference.empty:
        but = "" if a.fingerprint == b.fingerprint else " but the name"
        yield f"{names[0]} and {names[1]}: nothing differs{but}"
        return
    titled = zip(names, (a, b), strict=True)
    title = [name + (f" ({model.edition})" if model.edition else "") for name, model in titled]
    yield [(" -> ".join(title), "head")]
    if a.behaviour_fingerprint == b.behaviour_fingerprint:
        yield "They play the same, and each restores the games of the other: only numbers of rules or words differ."
    for line in lines_of(difference, rules=rules):
        margin = "" if line.sign == "head" else f"{line.sign} "
        yield [(f"{margin}{'  ' * line.level}{line.text}", STYLES[line.sign])]
