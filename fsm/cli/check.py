"""`fsm check`

Each kind of check is an option, with a function that returns what it found as a `Result`. The
default is the check of the structure.
"""

from __future__ import annotations

import gc
import re
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import click
from msgspec import to_builtins

from fsm.checks import rulebook
from fsm.checks.checking import report
from fsm.checks.finding import lines
from fsm.checks.proof import Proof, prove
from fsm.checks.surroundings import Bounds
from fsm.cli.frame import (
    Result,
    Text,
    json_option,
    option,
    present,
    progress_bar,
    table,
)
from fsm.files import write_file
from fsm.model import Model
from fsm.model.graph import size_of
from fsm.rulesets import load
from fsm.wording import many


@click.command()
@click.argument("rulesets", metavar="RULESET...", nargs=-1, required=True)
@option("--rules", "List which rules are cited, left out on purpose, or missing.")
@option(
    "--against PATH",
    "Compare the cited rule numbers with those in this rulebook, a plain text of yours.",
)
@option("--notes PATH", "The rulebook and the findings that are meant; default: RULESET's own.")
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
    against: Text,
    notes: Text,
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
    if sum(map(bool, (rules, against, prove, play))) > 1:
        text = "--rules, --against, --prove and --play are different checks; give one of them"
        raise click.UsageError(text)

    def found(ruleset: str) -> Result:
        if prove:
            return _proof(ruleset, Bounds(turns, players), Path(witnesses))
        if play:
            return _random_games(ruleset, play)
        if rules:
            return _rules(ruleset, notes)
        if against:
            return _against(ruleset, notes, against)
        return _structure(ruleset, notes)

    return present(map(found, dict.fromkeys(rulesets)), as_json)


def _loaded(ruleset: str, file: Text) -> tuple[Model, rulebook.RulebookNotes]:
    """Return the model, and the notes on it: in this file, or beside it."""
    model = load(ruleset, machines=True)
    notes = rulebook.read_notes(Path(file)) if file else rulebook.notes_of(ruleset)
    return model, notes


# what is known without a game ---------------------------------------------------------------------


def _structure(ruleset: str, notes: Text) -> Result:
    found = report(ruleset, rulebook.read_notes(Path(notes)).allow if notes else None)
    told, edition = [*lines(found)], ""
    if found.model is not None:
        edition = found.model.edition
        name = f"{ruleset} ({edition})" if edition else ruleset
        states, transitions = size_of(found.model)
        told = [[(f"{name}: {states} states, {transitions} transitions", "head")], [], *told]
    return Result({"ruleset": ruleset, "edition": edition, **found.as_dict()}, told, found.good)


def _rules(ruleset: str, notes: Text) -> Result:
    """Compare the citations with the rules. All is well if every rule is cited or explained."""
    model, beside = _loaded(ruleset, notes)
    if not beside.rules:
        remedy = "write them under [rules] in NAME.check.toml beside it, or name a file by --notes"
        raise rulebook.CheckError(f"ruleset {ruleset!r} brings no list of rules", remedy=remedy)
    found = rulebook.rule_coverage(model, beside)
    told = [*table(found.lines()), ""]
    told += [f"{finding.severity} {finding}" for finding in found.findings]
    told.append(f"{ruleset}: {found.summary()}")
    return Result({"ruleset": ruleset, **found.as_dict()}, told, not found.findings)


def _against(ruleset: str, notes: Text, file: str) -> Result:
    """Compare the cited numbers with a rulebook. All is well if the file has each of them."""
    model, beside = _loaded(ruleset, notes)
    found = rulebook.compare_numbers(model, beside, Path(file))
    told = [f"not there: {number}" for number in found.missing]
    told += [f"neither cited nor on the list of rules: {number}" for number in found.uncited]
    told.append(
        f"{ruleset}: {found.cited} rule numbers are cited, {len(found.missing)} not in {file}"
    )
    values = {"ruleset": ruleset, "edition": model.edition, "file": file, **to_builtins(found)}
    return Result(values, told, not found.missing)


# proofs -------------------------------------------------------------------------------------------


def _proof(ruleset: str, bounds: Bounds, folder: Path) -> Result:
    """Prove the properties that stand beside a ruleset, and write a witness of what is wrong."""
    folder.mkdir(parents=True, exist_ok=True)
    gc.disable()  # a proof makes no cycles, and looking for them takes much of its time
    try:
        with progress_bar("places explored") as progress:
            proof = prove(load(ruleset), bounds, spec=ruleset, progress=progress)
    finally:
        gc.enable()
    name, files = re.sub(r"[^\w.-]+", "-", ruleset), list[str]()
    for witness in proof.witnesses:
        files.append(str(folder / f"proof-{name}-{witness.file}"))
        write_file(files[-1], witness.text)
    told = [*_proof_lines(proof), *(f"written: {file}" for file in files)]
    return Result({**proof.as_dict(), "files": files}, told, proof.ok)


def _proof_lines(proof: Proof) -> Iterator[str]:
    took = f"{many(proof.positions, 'position')} in {proof.seconds:.0f} s"
    yield f"{proof.ruleset}, within {proof.bounds}: {took}"
    for witness in proof.witnesses:
        yield f"broken: {witness.name}: {witness.what}"
    idle = [verdict.property.name for verdict in proof.verdicts if not verdict.armed]
    if idle:
        yield f"never came up: {', '.join(idle)}"
    count = len(proof.verdicts)
    stuck = "" if proof.stuck else "; no game gets stuck"
    held = f"{count - len(proof.violated)} of {count} properties hold"
    yield f"{held if count else 'it states no properties'}{stuck}"


# random games -------------------------------------------------------------------------------------

SCRIPT = """\
import fsm
from fsm import *

MODEL = fsm.load({ruleset!r})
START = {{"teams": {start.teams}, "settings": {settings}, "start": {start.at}}}
game = fsm.TurnController(MODEL, {start.players}, **START)
"""


def _random_games(ruleset: str, count: int) -> Result:
    """Play random games. The smallest that fails is a script that plays it again."""
    from fsm.testing.randomgames import play  # says so if Hypothesis is not installed

    with TemporaryDirectory() as folder:
        from hypothesis.configuration import set_hypothesis_home_dir

        set_hypothesis_home_dir(folder)  # it would write into the folder of the user
        failure = play(load(ruleset), count)
    wrong, script = "", list[str]()
    if failure:
        start, wrong = failure.game.start, failure.what
        head = SCRIPT.format(ruleset=ruleset, start=start, settings=dict(start.settings))
        script = [
            *head.splitlines(),
            *(f"game.answer({answer})" for answer in failure.game.answers),
        ]
    said = f"{ruleset}, {count} random games: {wrong or 'nothing is wrong'}"
    values = {"ruleset": ruleset, "wrong": wrong, "game": "\n".join(script)}
    return Result(values, [said, *script], not wrong)
