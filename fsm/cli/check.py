"""`fsm check`

Each kind of check is an option, with a function that returns what it found as a `Checked`. The
default is the check of the structure.
"""

from __future__ import annotations

import gc
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import click

from fsm.cli.options import json_option, workers
from fsm.cli.show import progress_bar, say, say_written, show, table
from fsm.errors import RulesetError
from fsm.wording import number_of

if TYPE_CHECKING:
    from fsm.checks.finding import Report
    from fsm.checks.notes import RulebookNotes
    from fsm.checks.proof import Proof
    from fsm.checks.surroundings import Bounds
    from fsm.engine.requests import Answer
    from fsm.model import Model
    from fsm.testing.randomgames import Failure


@click.command()
@click.argument("rulesets", metavar="RULESET...", nargs=-1, required=True)
@click.option(
    "--rules",
    is_flag=True,
    help="List which rules are cited, left out on purpose, or missing.",
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
@click.option(
    "--prove",
    is_flag=True,
    help="Explore every game within bounds, and prove the properties.",
)
@click.option(
    "--players",
    type=click.IntRange(min=1),
    default=2,
    show_default=True,
    metavar="N",
    help="With --prove: how many play.",
)
@click.option(
    "--turns",
    type=click.IntRange(min=1),
    default=2,
    show_default=True,
    metavar="N",
    help="With --prove: how many turns begin.",
)
@click.option(
    "--witnesses",
    default=".",
    show_default=True,
    metavar="FOLDER",
    help="With --prove: where to write the shortest way to what is wrong.",
)
@click.option(
    "--play",
    type=click.IntRange(min=1),
    metavar="N",
    help="Play N random games, and hold what is true of every game.",
)
@workers
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
    jobs: int,
    cluster: str,
    as_json: bool,
) -> None:
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
      fsm check magic magic-2010 --prove --jobs 2
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
    if (jobs > 1 or cluster) and not prove:
        raise click.UsageError("--jobs and --cluster go with --prove; every other check is quick")
    checked: Iterator[Checked]
    if prove:
        from fsm.checks.surroundings import Bounds

        checked = _proofs(rulesets, Bounds(turns, players), witnesses, jobs, cluster)
    elif play:
        checked = (_random_games(ruleset, play) for ruleset in rulesets)
    else:
        checked = (_known(ruleset, notes, against, rules=rules) for ruleset in rulesets)
    found = list[Checked]()
    try:
        found.extend(checked)
    except KeyboardInterrupt:
        if not found:
            raise
    _print(found, len(rulesets), as_json)
    raise click.exceptions.Exit(0 if all(each.good for each in found) else 1)


@dataclass(frozen=True)
class Checked:
    """The result of one check: as values for programs, and as a function that prints it for people."""

    good: bool
    values: Mapping[str, Any]
    show: Callable[[], None]


def _print(found: Sequence[Checked], wanted: int, as_json: bool) -> None:

    if as_json:
        values = [each.values for each in found]
        click.echo(json.dumps(values if wanted > 1 else values[0], indent=2))
    else:
        for number, each in enumerate(found):
            if number:
                say("")
            each.show()
    if len(found) < wanted:
        raise click.Abort(f"interrupted after {len(found)} of {wanted} rulesets")


# what is known without a game ---------------------------------------------------------------------


def _known(ruleset: str, notes: str | None, against: str | None, *, rules: bool) -> Checked:
    from fsm.checks.checking import cannot_start
    from fsm.checks.finding import Report
    from fsm.checks.notes import notes_of, read_notes
    from fsm.rulesets import load, machine_of

    try:
        model = load(ruleset, machines=True)
    except RulesetError as error:
        if not error.problems:
            raise
        return _reported(Report(tuple(map(cannot_start, error.problems))), ruleset)
    beside = read_notes(Path(notes)) if notes is not None else notes_of(ruleset)
    if against is not None:
        return _against(ruleset, model, beside, against)
    if rules:
        return _rules(ruleset, model, beside)
    return _structure(ruleset, model, beside, machine_of(ruleset))


def _structure(ruleset: str, model: Model, beside: RulebookNotes, machine: Any) -> Checked:
    from fsm.checks.checking import report
    from fsm.checks.plain import remarks

    found = report(model, beside.allowances(model), machine=machine)
    return _reported(found, ruleset, model, () if model.played else remarks(model, machine))


def _reported(
    found: Report, ruleset: str, model: Model | None = None, remarks: Sequence[str] = ()
) -> Checked:
    """Return how a report is printed. Without a model, it says why no machine can be built."""
    from fsm.checks.reporting import as_json, lines

    def print_it() -> None:
        if model is not None:
            edition = f" ({model.edition})" if model.edition else ""
            show([[(f"{ruleset}{edition}: {_size(model, found)}", "head")], []])
        show(lines(found, plain=model is None or not model.played))
        for text in remarks:
            say(text)

    edition = {"edition": model.edition} if model is not None else {}
    values = {"ruleset": ruleset, **edition, **as_json(found), "remarks": list(remarks)}
    return Checked(found.good, values, print_it)


def _size(model: Model, found: Report) -> str:
    """Count the parts of each machine, as coverage does. A Model lacks transitions that name no state."""
    from fsm.model.graph import graphs_of

    lost = sum(finding.kind == "no such state" for finding in found.findings)
    sizes = []
    for graph in graphs_of(model):
        counted = (
            number_of(len(graph.states), "state"),
            number_of(len(graph.rows) + lost, "transition"),
        )
        words = "fact" if model.played else "condition"
        sizes.append(f"{', '.join(counted)}, {number_of(len(graph.model.facts), words)}")
    return "; its window: ".join(sizes)


def _rules(ruleset: str, model: Model, notes: RulebookNotes) -> Checked:
    """Compare the citations with the rules. All is well if every rule is cited or explained."""
    from fsm.checks.notes import CheckError
    from fsm.checks.reporting import rule_lines, rules_as_json, rules_summary
    from fsm.checks.rulebook import rule_coverage

    if not notes.rules:
        raise CheckError(
            f"ruleset {ruleset!r} brings no list of rules; write them under [rules] in a file NAME.check.toml beside "
            f"it, or name one with --notes"
        )
    found = rule_coverage(model, notes)

    def print_it() -> None:
        table(("rule", "is", "about", "by, or why not"), list(rule_lines(found)))
        say("")
        for finding in found.findings:
            say(f"{finding.severity} {finding}")
        say(f"{ruleset}: {rules_summary(found)}")
        if found.sections:
            say(f"sections modelled: {found.sections}")

    values = {"ruleset": ruleset, **rules_as_json(found)}
    return Checked(not found.findings, values, print_it)


def _against(ruleset: str, model: Model, notes: RulebookNotes, file: str) -> Checked:
    """Compare the cited numbers with a rulebook. All is well if the file has each of them."""
    from fsm.checks.against import compare_numbers

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


# proofs -------------------------------------------------------------------------------------------


def _proofs(
    rulesets: Sequence[str], bounds: Bounds, witnesses: str, jobs: int, cluster: str
) -> Iterator[Checked]:
    """Prove each ruleset. One progress bar counts the rulesets, or the positions of a single one."""
    import fsm
    from fsm.files import check_writable
    from fsm.parallel import spread

    folder = Path(witnesses)
    folder.mkdir(parents=True, exist_ok=True)
    check_writable([str(folder / "proof")])
    for ruleset in rulesets:
        fsm.load(ruleset)  # a wrong name is said before anything is proved
    if len(rulesets) == 1 and not cluster:
        with progress_bar("places explored") as progress:
            proof = _prove(bounds, rulesets[0], progress)
        yield _proved(proof, folder, "proof-")
        return
    work = partial(_prove, bounds)
    with (
        progress_bar("rulesets proved") as progress,
        spread(work, rulesets, jobs=jobs, cluster=cluster) as proofs,
    ):
        for number, proof in enumerate(proofs, start=1):
            progress(number, len(rulesets))
            named = re.sub(r"[^\w.-]+", "-", proof.ruleset).strip("-")
            yield _proved(proof, folder, f"proof-{named}-")


def _prove(
    bounds: Bounds, ruleset: str, progress: Callable[[int, int], None] | None = None
) -> Proof:
    """Prove a ruleset. It is loaded where the work is done, with the properties beside it."""
    from fsm.checks.proof import prove

    gc.disable()  # a proof makes no cycles, and looking for them takes much of its time
    try:
        return prove(ruleset, bounds, spec=ruleset, progress=progress)
    finally:
        gc.enable()


def _proved(proof: Proof, folder: Path, prefix: str) -> Checked:
    """Write the witnesses of a proof, and return how it is printed."""
    from fsm.files import write_files

    files = {}
    for witness in proof.witnesses:
        files[str(folder / f"{prefix}{witness.name}{witness.file.ending}")] = witness.file.text
    write_files(files)

    def print_it() -> None:
        for line in _proof_lines(proof):
            say(line)
        for path in files:
            say_written(path)

    return Checked(proof.ok, {**proof.as_dict(), "files": list(files)}, print_it)


def _proof_lines(proof: Proof) -> Iterator[str]:
    explored, judged = proof.seconds
    size = f"{number_of(proof.positions, 'position')}, {number_of(proof.transitions, 'transition')}"
    took = f"{explored:.0f} s to explore, {judged:.0f} s to judge"
    yield f"{proof.ruleset}, within {proof.bounds}: {size}; {took}"
    for trouble in proof.troubles:
        yield f"{trouble.kind}: {trouble.what}"
    loops = {witness.name: witness.loop for witness in proof.witnesses}
    for verdict in proof.verdicts:
        stated = verdict.property
        if not verdict.holds:
            loop = loops.get(stated.name)
            ever = f"; its last {loop} answers can be given for ever" if loop else ""
            yield f"broken: {stated.name}: {stated.says} ({stated.rule}){ever}"
    idle = [verdict.property.name for verdict in proof.verdicts if not verdict.armed]
    if idle:
        yield f"never came up: {', '.join(idle)}"
    held = sum(verdict.holds for verdict in proof.verdicts)
    said = (
        f"{held} of {len(proof.verdicts)} properties hold"
        if proof.verdicts
        else "it states no properties"
    )
    yield said + ("" if proof.troubles else "; no position is stuck or ambiguous")


# random games -------------------------------------------------------------------------------------


def _random_games(ruleset: str, count: int) -> Checked:
    """Play random games, and keep the smallest that fails."""
    import fsm
    from fsm.testing.randomgames import play  # says so if Hypothesis is not installed

    with TemporaryDirectory() as folder:
        from hypothesis.configuration import set_hypothesis_home_dir

        set_hypothesis_home_dir(folder)  # it would write into the folder of the user
        failure = play(fsm.load(ruleset), count)
    wrong = failure.what if failure else ""
    text = _game_text(failure, ruleset) if failure else ""

    def print_it() -> None:
        say(f"{ruleset}, {count} random games: {wrong or 'nothing is wrong'}")
        for line in text.splitlines():
            say(line)

    return Checked(not wrong, {"ruleset": ruleset, "wrong": wrong, "game": text}, print_it)


def _game_text(failure: Failure, ruleset: str) -> str:
    """Return the game as a scenario that breaks an invariant too, or else as a script."""
    from fsm.checks.witness import scenario_text
    from fsm.testing.invariants import broken

    game = failure.game

    def breaks(answers: Sequence[Answer] | None) -> bool:
        return answers is None or bool(broken(replace(game, answers=tuple(answers))))

    try:
        new = game.start.controller(game.model, trace=True)
        text = scenario_text(new, ruleset, "random-game", failure.what, game.answers, breaks)
    except Exception:  # the game may fail in any way
        text = ""
    start = f"fsm.load({ruleset!r}), {game.start.players}, teams={game.start.teams}"
    head = ("import fsm", "from fsm import Answer, StartAt", "from fsm.orders import *", "")
    begin = f"game = fsm.TurnController({start}, settings={dict(game.start.settings)}, start={game.start.at})"
    given = [f"game.answer({answer})" for answer in game.answers]
    return text or "\n".join((*head, begin, *given, f"# {failure.what}"))
