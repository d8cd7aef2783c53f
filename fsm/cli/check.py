"""`fsm check`

Each kind of check is an option with a function that returns a `Checked`. The default is the check
of the structure.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fsm.cli.options import output_format, workers
from fsm.cli.play import play_options, print_games
from fsm.cli.proof import print_proofs, proof_options
from fsm.errors import RulesetError

if TYPE_CHECKING:
    from fsm.checks.notes import RulebookNotes
    from fsm.checks.rulebook import RuleCoverage
    from fsm.model import Model


@click.command()
@click.argument("rulesets", metavar="RULESET...", nargs=-1, required=True)
@click.option(
    "--rules",
    is_flag=True,
    help="Rulebook coverage: which rules are cited, left out on purpose, missing.",
)
@click.option(
    "--against",
    metavar="FILE",
    help="Compare the cited rule numbers with those in this rulebook, a plain text of yours.",
)
@click.option(
    "--notes",
    metavar="FILE",
    help="The rulebook and the findings that are meant; default: RULESET's own.",
)
@proof_options
@play_options
@workers
@output_format
def check(
    rulesets: tuple[str, ...],
    rules: bool,
    against: str | None,
    notes: str | None,
    output: str,
    prove: bool,
    play: int | None,
    seed: int,
    **bounds: Any,
) -> None:
    """Say what can be known of each RULESET before it is played: where a run stops, what never happens, what is idle.

    RULESET is a built-in name, module:attribute, a model's JSON file, or any `transitions` machine. A finding that is
    meant is allowed in a file beside it (NAME.check.toml), with the reason. Ends with 0 when nothing is wrong, 1 when
    something is wrong with any of them. As JSON, several RULESETs are a list.

    \b
    Examples:
      fsm check magic
      fsm check house.json --format json
      fsm check magic --rules
      fsm check magic --against rules.txt
      fsm check magic --prove --turns 1
      fsm check magic magic-2010 --prove --jobs 2
      fsm check house.json --play 200 --seed 7
      fsm check mymodule:machine othermodule:machine
    """
    rulesets = tuple(dict.fromkeys(rulesets))
    if len(rulesets) > 1 and notes:
        raise click.UsageError("--notes takes one RULESET; name each in a command of its own")
    if prove:
        raise click.exceptions.Exit(0 if print_proofs(rulesets, output, **bounds) else 1)
    if play is not None:
        raise click.exceptions.Exit(0 if print_games(rulesets, output, play, seed) else 1)
    if bounds["jobs"] > 1 or bounds["cluster"]:
        raise click.UsageError("--jobs and --cluster go with --prove; every other check is quick")
    checked = [_checked(ruleset, notes, against, rules=rules) for ruleset in rulesets]
    _print(checked, output)
    raise click.exceptions.Exit(0 if all(each.good for each in checked) else 1)


@dataclass(frozen=True)
class Checked:
    """The result of one check: as values for programs, and as a function that prints it for people."""

    good: bool
    values: Mapping[str, Any]
    show: Callable[[], None]


def _checked(ruleset: str, notes: str | None, against: str | None, *, rules: bool) -> Checked:
    from fsm.rulesets import load, machine_of

    try:
        model = load(ruleset, machines=True)
    except RulesetError as error:
        if not error.problems:
            raise
        return _cannot_start(ruleset, error.problems)
    beside = _notes(ruleset, notes)
    if against is not None:
        return _against(ruleset, model, beside, against)
    return (
        _of_rules(ruleset, model, beside)
        if rules
        else _of_structure(ruleset, model, beside, machine_of(ruleset))
    )


def _notes(ruleset: str, path: str | None) -> RulebookNotes:
    from fsm.checks.notes import notes_of, read_notes

    return read_notes(Path(path)) if path is not None else notes_of(ruleset)


def _print(checked: Sequence[Checked], output: str) -> None:
    from fsm.cli.show import say

    if output == "json":
        values = [each.values for each in checked]
        click.echo(json.dumps(values if len(values) > 1 else values[0], indent=2))
        return
    for number, each in enumerate(checked):
        if number:
            say("")
        each.show()


def _of_structure(ruleset: str, model: Model, beside: RulebookNotes, machine: Any) -> Checked:
    from fsm.checks.checking import report
    from fsm.checks.plain import remarks
    from fsm.checks.reporting import as_json, lines
    from fsm.cli.show import say, show

    found = report(model, beside.allowances(model), machine=machine)
    said = () if model.played else remarks(model, machine)

    def print_it() -> None:
        show([[(_title(ruleset, model), "head")], []])
        show(lines(found, plain=not model.played))
        for text in said:
            say(text)

    values = {"ruleset": ruleset, "edition": model.edition, **as_json(found), "remarks": list(said)}
    return Checked(found.good, values, print_it)


def _cannot_start(ruleset: str, problems: Sequence[str]) -> Checked:
    """Say why no machine can be built."""
    from fsm.checks.allowing import Report
    from fsm.checks.checking import cannot_start
    from fsm.checks.reporting import as_json, lines
    from fsm.cli.show import show

    found = Report(tuple(map(cannot_start, problems)))
    values = {"ruleset": ruleset, **as_json(found), "remarks": []}
    return Checked(found.good, values, lambda: show(lines(found, plain=True)))


def _title(ruleset: str, model: Model) -> str:
    edition = f" ({model.edition})" if model.edition else ""
    window = f"; its window: {_size(model.window)}" if model.window is not None else ""
    return f"{ruleset}{edition}: {_size(model)}{window}"


def _size(model: Model) -> str:
    return f"{len(model.states)} states, {len(model.transitions)} transitions, {len(model.facts)} facts"


def _of_rules(ruleset: str, model: Model, notes: RulebookNotes) -> Checked:
    """Compare the citations with the rules. All is well if every rule is cited or explained."""
    from fsm.checks.notes import CheckError
    from fsm.checks.reporting import finding_as_json, rules_as_json
    from fsm.checks.rulebook import rule_coverage

    if not notes.rules:
        raise CheckError(
            f"ruleset {ruleset!r} brings no list of rules; write them under [rules] in a file NAME.check.toml beside "
            f"it, or name one with --notes"
        )
    found = rule_coverage(model, notes)
    problems = list(map(finding_as_json, found.findings))
    values = {"ruleset": ruleset, **rules_as_json(found), "findings": problems}
    return Checked(not found.findings, values, lambda: _show_rules(ruleset, found))


def _against(ruleset: str, model: Model, notes: RulebookNotes, file: str) -> Checked:
    """Compare the cited numbers with a rulebook. All is well if the file has each of them."""
    from fsm.checks.against import compare_numbers
    from fsm.cli.show import say

    found = compare_numbers(model, notes, Path(file))

    def print_it() -> None:
        there = found.cited - len(found.missing)
        say(f"{ruleset}: {there} of {found.cited} cited rule numbers are in {file}")
        for number, near in found.missing.items():
            say(f"  not there: {number}" + (f"; did you mean {near}?" if near else ""))
        if found.uncited:
            say("in the modelled sections, and neither cited nor on the ruleset's list of rules:")
            say(f"  {', '.join(found.uncited)}")

    values = {"ruleset": ruleset, "edition": model.edition, "file": file, **asdict(found)}
    return Checked(not found.missing, values, print_it)


def _show_rules(ruleset: str, found: RuleCoverage) -> None:
    from fsm.checks.reporting import rule_lines, rules_summary
    from fsm.cli.show import say, table

    table(("rule", "is", "about", "by, or why not"), list(rule_lines(found)))
    say("")
    for finding in found.findings:
        say(f"{finding.severity} {finding}")
    say(f"{ruleset}: {rules_summary(found)}")
    if found.sections:
        say(f"sections modelled: {found.sections}")
