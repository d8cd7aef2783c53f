"""`fsm check`

Each kind of check is an option with a function that prints the result and returns whether all is well. The default is
the check of the structure. More kinds join `check` in the same way.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fsm.cli.completing import FILE, RULESET
from fsm.cli.options import output_format
from fsm.cli.proof import print_proof, proof_options
from fsm.errors import RulesetError

if TYPE_CHECKING:
    from fsm.analysis.checks.allowing import Report
    from fsm.analysis.checks.notes import RulebookNotes
    from fsm.analysis.checks.rulebook import RuleCoverage
    from fsm.model import Model


@click.command()
@click.argument("ruleset", type=RULESET)
@click.option("--rules", is_flag=True, help="Rulebook coverage: which rules are cited, left out on purpose, missing.")
@click.option("--notes", type=FILE, help="The rulebook and the findings that are meant; default: RULESET's own.")
@proof_options
@output_format
def check(ruleset: str, rules: bool, notes: str | None, output: str, prove: bool, **bounds: Any) -> None:
    """Say what can be known of RULESET before it is played: where a run stops, what never happens, what is idle.

    RULESET is a built-in name, module:attribute, a model's JSON file, or any `transitions` machine. A finding that is
    meant is allowed in a file beside it (NAME.check.toml), with the reason. Ends with 0 when nothing is wrong, 1 when
    something is.

    \b
    Examples:
      fsm check magic
      fsm check house.json --format json
      fsm check magic --rules
      fsm check magic --prove --turns 1
      fsm check mymodule:machine
    """
    from fsm import rulesets
    from fsm.analysis.checks import report

    if prove:
        raise click.exceptions.Exit(0 if print_proof(ruleset, output, **bounds) else 1)
    try:
        model = rulesets.load(ruleset, machines=True)
    except RulesetError as error:
        if not error.problems:
            raise
        _print_problems(ruleset, error.problems, output)
        raise click.exceptions.Exit(1) from None
    beside = _notes(ruleset, notes)
    if rules:
        good = _print_rules(ruleset, model, beside, output)
    else:
        machine = rulesets.machine_of(ruleset)
        found = report(model, beside.allowances(model), machine=machine)
        _print(ruleset, model, found, machine, output)
        good = not found.findings
    raise click.exceptions.Exit(0 if good else 1)


def _notes(ruleset: str, path: str | None) -> RulebookNotes:
    from fsm.analysis.checks.notes import notes_of, read_notes

    return read_notes(Path(path)) if path is not None else notes_of(ruleset)


def _print(ruleset: str, model: Model, found: Report, machine: Any, output: str) -> None:
    from fsm.analysis.checks.plain import remarks
    from fsm.analysis.checks.reporting import as_json, lines
    from fsm.cli.show import say, show

    said = () if model.played else remarks(model, machine)
    if output == "json":
        values = {"ruleset": ruleset, "edition": model.edition, **as_json(found), "remarks": list(said)}
        click.echo(json.dumps(values, indent=2))
        return
    show([[(_title(ruleset, model), "head")], []])
    show(lines(found, plain=not model.played))
    for text in said:
        say(text)


def _print_problems(ruleset: str, problems: Sequence[str], output: str) -> None:
    """Print why no machine can be built."""
    from fsm.analysis.checks import cannot_start
    from fsm.analysis.checks.allowing import Report
    from fsm.analysis.checks.reporting import as_json, lines
    from fsm.cli.show import show

    found = Report(tuple(map(cannot_start, problems)))
    if output == "json":
        click.echo(json.dumps({"ruleset": ruleset, **as_json(found), "remarks": []}, indent=2))
        return
    show(lines(found, plain=True))


def _title(ruleset: str, model: Model) -> str:
    edition = f" ({model.edition})" if model.edition else ""
    window = f"; its window: {_size(model.window)}" if model.window is not None else ""
    return f"{ruleset}{edition}: {_size(model)}{window}"


def _size(model: Model) -> str:
    return f"{len(model.states)} states, {len(model.transitions)} transitions, {len(model.facts)} facts"


def _print_rules(ruleset: str, model: Model, notes: RulebookNotes, output: str) -> bool:
    """Print the rules. Return whether every rule is cited or explained."""
    from fsm.analysis.checks.notes import CheckError
    from fsm.analysis.checks.rulebook import rule_coverage

    if not notes.rules:
        raise CheckError(
            f"ruleset {ruleset!r} brings no list of rules; write them under [rules] in a file NAME.check.toml beside "
            f"it, or name one with --notes"
        )
    found = rule_coverage(model, notes)
    _show_rules(ruleset, model, found, output)
    return not found.findings


def _show_rules(ruleset: str, model: Model, found: RuleCoverage, output: str) -> None:
    from fsm.analysis.checks.reporting import finding_as_json, rule_lines, rules_as_json, rules_summary
    from fsm.cli.show import say, table

    if output == "json":
        problems = list(map(finding_as_json, found.findings))
        click.echo(json.dumps({"ruleset": ruleset, **rules_as_json(found), "findings": problems}, indent=2))
        return
    table(("rule", "is", "about", "by, or why not"), list(rule_lines(found)))
    say("")
    for finding in found.findings:
        say(f"{finding.severity} {finding}")
    say(f"{ruleset}: {rules_summary(found)}")
    if found.sections:
        say(f"sections modelled: {found.sections}")
