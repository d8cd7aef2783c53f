"""`fsm diff`"""

from __future__ import annotations

from collections.abc import Iterator

import click

from fsm.cli.frame import Line, Result, json_option, option, present
from fsm.rulesets import load
from fsm.views.diff import Difference, as_json as values_of, diff as difference_of, lines_of

STYLES = {"+": "good", "-": "bad", "~": "extra"}


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
    found = difference_of(load(a), load(b))
    lines = _lines(found, f"{a} -> {b}", rules=rules)
    return present([Result(values_of(found), lines, found.empty or not exit_code)], as_json)


def _lines(found: Difference, title: str, *, rules: bool) -> Iterator[Line]:
    if found.empty:
        yield f"{title}: nothing differs"
        return
    yield [(title, "head")]
    if found.a.behaviour_fingerprint == found.b.behaviour_fingerprint:
        yield "They play the same, and each restores the games of the other: only numbers of rules or words differ."
    for line in lines_of(found, rules=rules):
        yield [(line, STYLES.get(line[:1], "head"))]
