"""`fsm check`

Each kind of check is an option, with a function that returns what it found as a `Checked`. The
default is the check of the structure.
"""

from __future__ import annotations

import gc
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import click

from fsm.cli.options import json_option, option
from fsm.cli.show import Line, progress_bar, show, table, write
from fsm.errors import RulesetError
from fsm.wording import many

if TYPE_CHECKING:
    from fsm.checks.finding import Report
    from fsm.checks.notes import RulebookNotes
    from fsm.checks.proof import Proof
    from fsm.checks.surroundings import Bounds
    from fsm.model import Model
    from fsm.testing.randomgames import Failure


@click.command()
@click.argument("rulesets", metavar="RULESET...", nargs=-1, required=True)
@option("--rules", "List which rules are cited, left out on purpose, or missing.")
@option(
    "--against FILE",
    "Compare the cited rule numbers with those in this rulebook, a plain text of yours.",
)
@option("--notes FILE", "The rulebook and the findings that are meant; default: RULESET's own.")
@option("--prove", "Explore every game within bounds, and prove the properties.")
@option("--players N", "With --prove: how many play.", default=2)
@option("--turns N", "With --prove: how many turns begin.", default=2)
@option(
    "--witnesses FOLDER",
    "With --prove: where to write the shortest way to what is wrong.",
    default=".",
)
@option("--play N", "Play N random games, and hold what is true of every game.")
@json_option
def check(
    rulesets: tuple[str, ...],
    rules: bool,
    against: str | None,
    notes: str | None,
    prove: bool,
    players: int,
    turns: int,
    witnesses: str,
    play: int | None,
    as_json: bool,
) -> int:
    """Find what is wrong with each RULESET before it is played: where a run stops, what never happens, what is unused.

    RULESET is a built-in name, module:attribute, a model's JSON file, or any `transitions` machine. A finding that is
    meant is allowed in a file beside it (NAME.check.toml), with the reason. Ends with 0 when nothing is wrong, 1 when
    something is wrong with any of them. As JSON, several RULESETs are a list.

    \b
    Examples:
      fsm check magic
      fsm check house.json --json
      fsm check magic --rules
      fsm check magic --against rules.txt
      fsm check magic --prove --turns 1
      fsm check house.json --play 200
      fsm check mymodule:machine othermodule:machine
    """
    kinds = {"--rules": rules, "--against": against, "--prove": prove, "--play": play}
    named = [option for option, given in kinds.items() if given]
    if len(named) > 1:
        raise click.UsageError(f"{' and '.join(named)} are different checks; give one of them")
    rulesets = tuple(dict.fromkeys(rulesets))
    if len(rulesets) > 1 and notes:
        raise click.UsageError("--notes takes one RULESET; name each in a command of its own")
    if prove:
        from fsm.checks.surroundings import Bounds

        checked = _proofs(rulesets, Bounds(turns, players), Path(witnesses))
    elif play:
        checked = map(partial(_random_games, play), rulesets)
    else:
        checked = (_known(ruleset, notes, against, rules=rules) for ruleset in rulesets)
    found = list[Checked]()
    for one in checked:
        if not as_json:
            show([""] if found else [])
            show(one.lines)
        found.append(one)
    if as_json:
        values = [one.values for one in found]
        click.echo(json.dumps(values if len(values) > 1 else values[0], indent=2))
    return 0 if all(one.good for one in found) else 1


@dataclass(frozen=True)
class Checked:
    """The result of one check: as values for programs, and as lines for people."""

    good: bool
    values: Mapping[str, Any]
    lines: Iterable[Line]


# what is known without a game ---------------------------------------------------------------------


def _known(ruleset: str, notes: str | None, against: str | None, *, rules: bool) -> Checked:
    from fsm.checks.checking import cannot_start, report
    from fsm.checks.finding import Report
    from fsm.checks.notes import notes_of, read_notes
    from fsm.checks.plain import remarks
    from fsm.rulesets import load, machine_of

    try:
        model = load(ruleset, machines=True)
    except RulesetError as error:
        if not error.problems:
            raise
        return _structure(Report(tuple(map(cannot_start, error.problems))), ruleset)
    beside = read_notes(Path(notes)) if notes is not None else notes_of(ruleset)
    if against is not None:
        return _against(ruleset, model, beside, against)
    if rules:
        return _rules(ruleset, model, beside)
    machine = machine_of(ruleset)
    found = report(model, beside.allowances(model), machine=machine)
    return _structure(found, ruleset, model, [] if model.played else remarks(model, machine))


def _structure(
    found: Report, ruleset: str, model: Model | None = None, remarks: Sequence[str] = ()
) -> Checked:
    """Return a report. Without a model, it says why no machine can be built."""
    from fsm.checks.reporting import as_json, lines

    values = {"ruleset": ruleset, **as_json(found), "remarks": list(remarks)}
    title = list[Line]()
    if model is not None:
        values["edition"] = model.edition
        title = [[(f"{_named(ruleset, model)}: {_size(model, found)}", "head")], ""]
    told = lines(found, plain=model is None or not model.played)
    return Checked(found.good, values, [*title, *told, *remarks])


def _named(ruleset: str, model: Model) -> str:
    return f"{ruleset} ({model.edition})" if model.edition else ruleset


def _size(model: Model, found: Report) -> str:
    """Count the parts of each machine, as coverage does. A Model lacks transitions that name no state."""
    from fsm.model.graph import graphs_of

    lost = sum(finding.kind == "no such state" for finding in found.findings)
    sizes = []
    for graph in graphs_of(model):
        states = many(len(graph.states), "state")
        rows = many(len(graph.rows) + lost, "transition")
        facts = many(len(graph.model.facts), "fact" if model.played else "condition")
        sizes.append(f"{states}, {rows}, {facts}")
    return "; its window: ".join(sizes)


def _rules(ruleset: str, model: Model, notes: RulebookNotes) -> Checked:
    """Compare the citations with the rules. All is well if every rule is cited or explained."""
    from fsm.checks.notes import CheckError
    from fsm.checks.reporting import rule_lines, rules_as_json, rules_summary
    from fsm.checks.rulebook import rule_coverage

    if not notes.rules:
        remedy = (
            "write them under [rules] in a file NAME.check.toml beside it, or name one with --notes"
        )
        raise CheckError(f"ruleset {ruleset!r} brings no list of rules", remedy=remedy)
    found = rule_coverage(model, notes)
    lines = [*table(("rule", "is", "about", "by, or why not"), rule_lines(found)), ""]
    lines += [f"{finding.severity} {finding}" for finding in found.findings]
    lines.append(f"{ruleset}: {rules_summary(found)}")
    if found.sections:
        lines.append(f"sections modelled: {found.sections}")
    return Checked(not found.findings, {"ruleset": ruleset, **rules_as_json(found)}, lines)


def _against(ruleset: str, model: Model, notes: RulebookNotes, file: str) -> Checked:
    """Compare the cited numbers with a rulebook. All is well if the file has each of them."""
    from fsm.checks.against import compare_numbers

    found = compare_numbers(model, notes, Path(file))
    there = found.cited - len(found.missing)
    lines: list[Line] = [f"{ruleset}: {there} of {found.cited} cited rule numbers are in {file}"]
    for number, near in found.missing.items():
        lines.append(f"  not there: {number}" + (f"; did you mean {near}?" if near else ""))
    if found.uncited:
        lines.append(
            "in the modelled sections, and neither cited nor on the ruleset's list of rules:"
        )
        lines.append(f"  {', '.join(found.uncited)}")
    values = {"ruleset": ruleset, "edition": model.edition, "file": file, **asdict(found)}
    return Checked(not found.missing, values, lines)


# proofs -------------------------------------------------------------------------------------------


def _proofs(rulesets: Sequence[str], bounds: Bounds, folder: Path) -> Iterator[Checked]:
    """Prove each ruleset, with the properties that stand beside it."""
    from fsm.checks.proof import prove
    from fsm.files import check_writable
    from fsm.rulesets import load

    folder.mkdir(parents=True, exist_ok=True)
    check_writable([str(folder / "proof")])
    for ruleset in rulesets:
        load(ruleset)  # a wrong name is said before anything is proved
    for ruleset in rulesets:
        gc.disable()  # a proof makes no cycles, and looking for them takes much of its time
        try:
            with progress_bar("places explored") as progress:
                proof = prove(ruleset, bounds, spec=ruleset, progress=progress)
        finally:
            gc.enable()
        own = re.sub(r"[^\w.-]+", "-", f"proof-{ruleset}-") if len(rulesets) > 1 else "proof-"
        files = {
            str(folder / f"{own}{witness.name}{witness.file.ending}"): witness.file.text
            for witness in proof.witnesses
        }
        write(files, quiet=True)
        written = [f"written: {path}" for path in files]
        values = {**proof.as_dict(), "files": list(files)}
        yield Checked(proof.ok, values, [*_proof_lines(proof), *written])


def _proof_lines(proof: Proof) -> Iterator[str]:
    explored, judged = proof.seconds
    size = many(proof.positions, "position")
    took = f"{explored:.0f} s to explore, {judged:.0f} s to judge"
    yield f"{proof.ruleset}, within {proof.bounds}: {size}; {took}"
    for what in proof.stuck:
        yield f"stuck: {what}"
    loops = {witness.name: witness.loop for witness in proof.witnesses}
    broken = [verdict.property for verdict in proof.verdicts if not verdict.holds]
    for stated in broken:
        loop = loops.get(stated.name)
        ever = f"; its last {loop} answers can be given for ever" if loop else ""
        yield f"broken: {stated.name}: {stated.says} ({stated.rule}){ever}"
    idle = [verdict.property.name for verdict in proof.verdicts if not verdict.armed]
    if idle:
        yield f"never came up: {', '.join(idle)}"
    stated_in_all = len(proof.verdicts)
    held = f"{stated_in_all - len(broken)} of {stated_in_all} properties hold"
    said = held if stated_in_all else "it states no properties"
    yield said + ("" if proof.stuck else "; no game gets stuck")


# random games -------------------------------------------------------------------------------------


def _random_games(count: int, ruleset: str) -> Checked:
    """Play random games, and keep the smallest that fails."""
    from fsm.rulesets import load
    from fsm.testing.randomgames import play  # says so if Hypothesis is not installed

    with TemporaryDirectory() as folder:
        from hypothesis.configuration import set_hypothesis_home_dir

        set_hypothesis_home_dir(folder)  # it would write into the folder of the user
        failure = play(load(ruleset), count)
    wrong = failure.what if failure else ""
    script = _script(failure, ruleset) if failure else []
    said = f"{ruleset}, {count} random games: {wrong or 'nothing is wrong'}"
    values = {"ruleset": ruleset, "wrong": wrong, "game": "\n".join(script)}
    return Checked(not wrong, values, [said, *script])


def _script(failure: Failure, ruleset: str) -> list[str]:
    """Return a script that plays the game again."""
    game = failure.game
    start = f"fsm.load({ruleset!r}), {game.start.players}, teams={game.start.teams}"
    start += f", settings={dict(game.start.settings)}, start={game.start.at}"
    lines = ["import fsm", "from fsm import Answer, StartAt", "from fsm.orders import *", ""]
    lines.append(f"game = fsm.TurnController({start})")
    lines += [f"game.answer({answer})" for answer in game.answers]
    return [*lines, f"# {failure.what}"]
