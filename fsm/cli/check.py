"""`fsm check`

Each kind of check is an option, with a function that returns what it found as a `Result`. The
default is the check of the structure.
"""

from __future__ import annotations

import gc
import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import click
from msgspec import to_builtins

from fsm.cli.options import json_option, option
from fsm.cli.show import Line, Result, present, progress_bar, table, write
from fsm.wording import many

if TYPE_CHECKING:
    from fsm.checks.proof import Proof
    from fsm.checks.rulebook import RulebookNotes
    from fsm.checks.surroundings import Bounds
    from fsm.model import Model
    from fsm.testing.path import Path as Game


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
    found: Any = partial(_structure, notes)
    if rules:
        found = partial(_rules, notes)
    if against is not None:
        found = partial(_against, notes, against)
    if prove:
        from fsm.checks.surroundings import Bounds

        found = partial(_proof, Bounds(turns, players), _folder(witnesses))
    if play is not None:
        found = partial(_random_games, play)
    return present(map(found, dict.fromkeys(rulesets)), as_json)


def _loaded(ruleset: str, notes: str | None) -> tuple[Model, RulebookNotes]:
    """Return the model, and the notes on it: in this file, or beside it."""
    from fsm.checks.rulebook import notes_of, read_notes
    from fsm.rulesets import load

    model = load(ruleset, machines=True)
    return model, notes_of(ruleset) if notes is None else read_notes(Path(notes))


# what is known without a game ---------------------------------------------------------------------


def _structure(notes: str | None, ruleset: str) -> Result:
    from fsm.checks.checking import report
    from fsm.checks.finding import lines
    from fsm.checks.rulebook import read_notes
    from fsm.model.graph import size_of

    found = report(ruleset, None if notes is None else read_notes(Path(notes)).allow)
    told = [*lines(found)]
    edition = ""
    if found.model is not None:
        edition = found.model.edition
        states, transitions = size_of(found.model)
        lost = sum(one.kind == "no such state" for one in found.findings)  # a Model has none
        name = f"{ruleset} ({edition})" if edition else ruleset
        size = f"{many(states, 'state')}, {many(transitions + lost, 'transition')}"
        told = [[(f"{name}: {size}", "head")], [], *told]
    return Result({"ruleset": ruleset, "edition": edition, **found.as_dict()}, told, found.good)


def _rules(notes: str | None, ruleset: str) -> Result:
    """Compare the citations with the rules. All is well if every rule is cited or explained."""
    from fsm.checks.rulebook import CheckError, rule_coverage

    model, beside = _loaded(ruleset, notes)
    if not beside.rules:
        remedy = "write them under [rules] in NAME.check.toml beside it, or name a file by --notes"
        raise CheckError(f"ruleset {ruleset!r} brings no list of rules", remedy=remedy)
    found = rule_coverage(model, beside)
    lines = [*table(("rule", "is", "about", "by, or why not"), found.lines()), ""]
    lines += [f"{finding.severity} {finding}" for finding in found.findings]
    lines.append(f"{ruleset}: {found.summary()}")
    return Result({"ruleset": ruleset, **found.as_dict()}, lines, not found.findings)


def _against(notes: str | None, file: str, ruleset: str) -> Result:
    """Compare the cited numbers with a rulebook. All is well if the file has each of them."""
    from fsm.checks.rulebook import compare_numbers

    model, beside = _loaded(ruleset, notes)
    found = compare_numbers(model, beside, Path(file))
    there = found.cited - len(found.missing)
    lines: list[Line] = [f"{ruleset}: {there} of {found.cited} cited rule numbers are in {file}"]
    lines += [f"  not there: {number}" for number in found.missing]
    if found.uncited:
        lines.append("in the modelled sections, and neither cited nor on the list of rules:")
        lines.append(f"  {', '.join(found.uncited)}")
    values = {"ruleset": ruleset, "edition": model.edition, "file": file, **to_builtins(found)}
    return Result(values, lines, not found.missing)


# proofs -------------------------------------------------------------------------------------------


def _folder(name: str) -> Path:
    """Return the folder for witnesses, in which a file can be written."""
    from fsm.files import check_writable

    folder = Path(name)
    folder.mkdir(parents=True, exist_ok=True)
    check_writable(str(folder / "proof"))
    return folder


def _proof(bounds: Bounds, folder: Path, ruleset: str) -> Result:
    """Prove the properties that stand beside a ruleset, and write a witness of what is wrong."""
    from fsm.checks.proof import prove

    gc.disable()  # a proof makes no cycles, and looking for them takes much of its time
    try:
        with progress_bar("places explored") as progress:
            proof = prove(ruleset, bounds, spec=ruleset, progress=progress)
    finally:
        gc.enable()
    name, files = re.sub(r"[^\w.-]+", "-", ruleset), dict[str, str]()
    for witness in proof.witnesses:
        path = folder / f"proof-{name}-{witness.file}"
        files[str(path)] = witness.text
    write(files, quiet=True)
    lines = [*_proof_lines(proof), *(f"written: {path}" for path in files)]
    return Result({**proof.as_dict(), "files": [*files]}, lines, proof.ok)


def _proof_lines(proof: Proof) -> Iterator[str]:
    positions, took = many(proof.positions, "position"), proof.seconds
    yield f"{proof.ruleset}, within {proof.bounds}: {positions} in {took:.0f} s"
    for what in proof.stuck:
        yield f"stuck: {what}"
    for stated in [verdict.property for verdict in proof.verdicts if not verdict.holds]:
        yield f"broken: {stated.name}: {stated.says} ({stated.rule})"
    for witness in proof.witnesses:
        if witness.loop:
            yield f"{witness.name}: its last {witness.loop} answers can be given for ever"
    idle = [verdict.property.name for verdict in proof.verdicts if not verdict.armed]
    if idle:
        yield f"never came up: {', '.join(idle)}"
    held = sum(verdict.holds for verdict in proof.verdicts)
    said = f"{held} of {len(proof.verdicts)} properties hold"
    stuck = "" if proof.stuck else "; no game gets stuck"
    yield (said if proof.verdicts else "it states no properties") + stuck


# random games -------------------------------------------------------------------------------------


def _random_games(count: int, ruleset: str) -> Result:
    """Play random games, and keep the smallest that fails."""
    from fsm.rulesets import load
    from fsm.testing.randomgames import play  # says so if Hypothesis is not installed

    with TemporaryDirectory() as folder:
        from hypothesis.configuration import set_hypothesis_home_dir

        set_hypothesis_home_dir(folder)  # it would write into the folder of the user
        failure = play(load(ruleset), count)
    wrong = failure.what if failure else ""
    script = _script(failure.game, ruleset) if failure else ""
    said = f"{ruleset}, {count} random games: {wrong or 'nothing is wrong'}"
    values = {"ruleset": ruleset, "wrong": wrong, "game": script}
    return Result(values, [said, *script.splitlines()], not wrong)


SCRIPT = """\
import fsm
from fsm import *

MODEL = fsm.load({ruleset!r})
START = {{"teams": {start.teams}, "settings": {settings}, "start": {start.at}}}
game = fsm.TurnController(MODEL, {start.players}, **START)
"""


def _script(game: Game, ruleset: str) -> str:
    """Return a script that plays a game again."""
    settings = dict(game.start.settings)
    head = SCRIPT.format(ruleset=ruleset, start=game.start, settings=settings)
    return head + "".join(f"game.answer({answer})\n" for answer in game.answers)
