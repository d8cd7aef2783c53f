"""`fsm run`"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from importlib.resources import as_file, files
from typing import TYPE_CHECKING

import click

from fsm.cli.options import json_option
from fsm.cli.show import layout_of, say, say_written, show

if TYPE_CHECKING:
    from fsm.engine.records import Record
    from fsm.runs.timeline import Timeline
    from fsm.runs.turns import Turn
    from fsm.scenarios import Outcome, Scenario
    from fsm.views.svg import Theme


@click.command()
@click.argument("scenarios", nargs=-1, metavar="[SCENARIO]...")
@click.option(
    "--ruleset",
    metavar="RULESET",
    help="Play all by this one, not by what they name.",
)
@click.option("--svg", metavar="FILE", help="Draw the turn with the way taken on it.")
@click.option(
    "--timeline", metavar="FILE", help="Draw what was played as SVG: steps across, turns down."
)
@click.option(
    "--theme",
    type=click.Choice(["auto", "light", "dark"]),
    default="auto",
    help="Colours of the pictures; auto follows the reader's screen.",
)
@click.option(
    "--strict", is_flag=True, help="A 'when' that never comes up is a failure, not a warning."
)
@click.option(
    "--trace", metavar="FILE", help="Write the answers and firings of the run, as JSON Lines."
)
@click.option("--verbose", is_flag=True, help="Name the transitions that were not taken.")
@json_option
def run(
    scenarios: tuple[str, ...],
    ruleset: str | None,
    svg: str | None,
    timeline: str | None,
    theme: Theme,
    strict: bool,
    trace: str | None,
    verbose: bool,
    as_json: bool,
) -> None:
    """Play each SCENARIO (a JSON or TOML file, or several in one) and check what it expects.

    Without any: the showcase, a few turns that show what the machine can do. A file names a built-in ruleset or a
    model file beside it; with --ruleset, its "ruleset" and "options" are not read. Ends with 0 when every expectation
    holds, 1 when one fails, 2 when a file is wrong.

    \b
    Examples:
      fsm run --svg turn.svg
      fsm run --ruleset mygame:MODEL my-scenario.json
      fsm run my-scenario.json --strict --timeline game.svg
      fsm run tests/scenarios/*.json --json > visits.jsonl
    """
    from fsm.files import check_writable, write_files
    from fsm.scenarios import play

    files = {"--svg": svg, "--timeline": timeline, "--trace": trace}
    _all_different(files)
    check_writable(files.values())
    wanted = _load(scenarios, ruleset)
    for option in [name for name in ("--svg", "--timeline") if files[name]]:
        _one_model(wanted, option)
    if trace and len(wanted) > 1:
        raise click.BadParameter(
            f"a trace is of one run, but here are {len(wanted)} scenarios", param_hint="--trace"
        )
    outcomes = []
    text = TextReport(verbose=verbose)
    for scenario in wanted:
        outcome = play(scenario, strict=strict)
        outcomes.append(outcome)
        if as_json:
            _print_values(outcome)
        else:
            text.add(outcome)
    texts = {}
    if svg:
        texts[svg] = _picture(outcomes, theme)
    if timeline:
        texts[timeline] = _timeline(outcomes, theme)
    if trace:
        texts[trace] = "".join(f"{line}\n" for line in outcomes[0].trace.lines())
    write_files(texts)
    good = sum(not outcome.failures for outcome in outcomes)
    if not as_json:
        text.close()
    if as_json or len(outcomes) > 1:
        say(f"{good} of {len(outcomes)} scenarios hold", err=as_json)
    for path in () if as_json else texts:
        say_written(path)
    raise click.exceptions.Exit(0 if good == len(outcomes) else 1)


def _load(paths: Sequence[str], ruleset: str | None) -> list[Scenario]:
    """Return the scenarios of all files, which are read before any is played. Without files, return
    the showcase.
    """
    from fsm.rulesets import load
    from fsm.scenarios import load as read

    model = load(ruleset) if ruleset is not None else None
    if paths:
        return [scenario for path in paths for scenario in read(path, model)]
    with as_file(files("fsm") / "showcase" / "two-players.json") as path:
        return read(path, model)


def _all_different(files: Mapping[str, str | None]) -> None:
    """Raise BadParameter if two options name the same file."""
    seen: dict[str, str] = {}
    for option, path in files.items():
        if path and os.path.realpath(path) in seen:
            words = f"it is the file of {seen[os.path.realpath(path)]} too; name another"
            raise click.BadParameter(words, param_hint=option)
        seen[os.path.realpath(path or "")] = option


def _one_model(scenarios: Sequence[Scenario], option: str) -> None:
    """Raise BadParameter if the scenarios use several models, because a picture shows one."""
    first = scenarios[0]
    for other in scenarios[1:]:
        if other.model.fingerprint != first.model.fingerprint:
            words = (
                f"{first.id!r} and {other.id!r} play by different models: draw them one at a time"
            )
            raise click.BadParameter(words, param_hint=option)


def _picture(outcomes: Sequence[Outcome], theme: Theme) -> str:
    from fsm.views.draw import draw

    records = [record for outcome in outcomes for record in _records(outcome)]
    return draw(outcomes[0].model, view="turn", format="svg", theme=theme, trace=records)


def _timeline(outcomes: Sequence[Outcome], theme: Theme) -> str:
    from fsm.views.timelines import Section, timelines

    alone, sections = len(outcomes) == 1, []
    for outcome in outcomes:
        scenario = outcome.scenario
        names = {team[0]: ", ".join(team) for team in scenario.teams if team}
        sections.append(Section(_turns(outcome), "" if alone else scenario.id, names))
    title = outcomes[0].scenario.id if alone else ""
    return timelines(outcomes[0].model, sections, theme=theme, title=title)


def _records(outcome: Outcome) -> list[Record]:
    """Return the firings of the turns that were to be played, without the beginning of the next
    turn.
    """
    return [r for r in outcome.records if r.turn <= outcome.scenario.through_turn]


def _turns(outcome: Outcome) -> list[Turn]:
    """Return the turns with the scenario's notes, or else with who decides for another player."""
    from fsm.runs.turns import read_turns

    turns = list(read_turns(_records(outcome), outcome.model))
    notes = outcome.scenario.data.get("note")
    said = {
        turn.turn: f"{turn.controller} decides"
        for turn in outcome.turns
        if turn.controller != turn.active
    }
    for turn in turns:
        words = notes.get(str(turn.number)) if isinstance(notes, dict) else None
        turn.note = words if isinstance(words, str) else said.get(turn.number, "")
    return turns


def _verdict(outcome: Outcome) -> list[str]:
    """Return the verdict in one line, then one line for each failure and warning."""
    id, expected = outcome.scenario.id, len(outcome.scenario.expect)
    holds = "nothing was expected"
    if expected:
        holds = f"{expected} expectation{'s hold' if expected != 1 else ' holds'}"
    head = f"FAIL {id}" if outcome.failures else f"ok   {id}: {holds}"
    failures = [f"     {text}" for text in outcome.failures]
    return [head, *failures, *(f"     warning: {text}" for text in outcome.warnings)]


def _print_values(outcome: Outcome) -> None:
    """Print visits to standard output and the verdict to standard error."""
    for visit in outcome.visits:
        say(json.dumps({"scenario": outcome.scenario.id, **visit.as_dict()}))
    for line in _verdict(outcome):
        say(line, err=True)


class TextReport:
    """Prints a timeline for each turn, the verdicts, and which transitions were taken."""

    def __init__(self, *, verbose: bool) -> None:
        self.verbose = verbose
        self.layouts: dict[str, Timeline] = {}
        self.taken: dict[str, set[tuple[str, str]]] = {}

    def add(self, outcome: Outcome) -> None:
        """Print the turns and the verdict of one scenario."""
        model = outcome.model
        layout = self.layouts.get(model.fingerprint)
        if layout is None:
            layout = self.layouts[model.fingerprint] = layout_of(model)
            show([[], *layout.header()], layout.families)
        for turn in _turns(outcome):
            show(layout.turn(turn), layout.families)
        colour = "bad" if outcome.failures else "good"
        show([[(line, colour)] for line in _verdict(outcome)])
        taken = self.taken.setdefault(model.fingerprint, set())
        taken.update((record.machine, record.transition) for record in _records(outcome))

    def close(self) -> None:
        """Print the legends, and how much of each model was taken."""
        for layout in self.layouts.values():
            show([[], *layout.legend(), []])
        for fingerprint, layout in self.layouts.items():
            taken, machines = self.taken[fingerprint], layout.model.machines.items()
            known = [(name, row.id) for name, machine in machines for row in machine.transitions]
            say(f"{len(taken)} of {len(known)} transitions of the model taken")
            if self.verbose:
                for name, id in known:
                    if (name, id) not in taken:
                        say(f"  not taken: {id}")
