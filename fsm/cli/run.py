"""`fsm run`"""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib.resources import as_file, files
from typing import TYPE_CHECKING

import click

from fsm.cli.options import json_option
from fsm.cli.show import layout_of, say, say_written, show

if TYPE_CHECKING:
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
@click.option(
    "--verbose", is_flag=True, help="Say how many transitions were taken, and name the others."
)
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

    Without any: quiet turns of RULESET, or else the showcase, a few turns of Magic that show what the machine can do. A
    file names a built-in ruleset or a model file beside it; with --ruleset, its "ruleset" and "options" are not read.
    Ends with 0 when every expectation holds, 1 when one fails, 2 when a file is wrong.

    \b
    Examples:
      fsm run --svg turn.svg
      fsm run --ruleset mygame:MODEL
      fsm run --ruleset mygame:MODEL my-scenario.json
      fsm run my-scenario.json --strict --timeline game.svg
      fsm run tests/scenarios/*.json --json > visits.jsonl
    """
    from fsm.files import check_writable, write_files
    from fsm.scenarios import play

    check_writable([svg, timeline, trace])
    wanted = _load(scenarios, ruleset)
    models = {scenario.model.fingerprint for scenario in wanted}
    for option, file in {"--svg": svg, "--timeline": timeline}.items():
        if file and len(models) > 1:
            words = "the scenarios play by different models: draw them one at a time"
            raise click.BadParameter(words, param_hint=option)
    if trace and len(wanted) > 1:
        words = f"a trace is of one run, but here are {len(wanted)} scenarios"
        raise click.BadParameter(words, param_hint="--trace")
    outcomes = []
    layouts: dict[str, Timeline] = {}
    for scenario in wanted:
        outcomes.append(play(scenario, strict=strict))
        if as_json:
            _print_values(outcomes[-1])
        else:
            _print_turns(outcomes[-1], layouts)
    texts = {}
    if svg:
        texts[svg] = _picture(outcomes, theme)
    if timeline:
        texts[timeline] = _timeline(outcomes, theme)
    if trace:
        texts[trace] = "".join(f"{line}\n" for line in outcomes[0].trace.lines())
    write_files(texts)
    good = sum(outcome.ok for outcome in outcomes)
    if not as_json:
        _print_sums(outcomes, layouts, verbose=verbose)
    if as_json or len(outcomes) > 1:
        say(f"{good} of {len(outcomes)} scenarios hold", err=as_json)
    for file in () if as_json else texts:
        say_written(file)
    raise click.exceptions.Exit(0 if good == len(outcomes) else 1)


def _load(paths: Sequence[str], ruleset: str | None) -> list[Scenario]:
    """Return the scenarios of all files, which are read before any is played. Without files, return
    quiet turns of the ruleset, or the showcase.
    """
    from fsm.rulesets import load
    from fsm.scenarios import load as read

    model = load(ruleset) if ruleset is not None else None
    if paths:
        return [scenario for path in paths for scenario in read(path, model)]
    if model is not None:
        return read({"id": f"quiet turns of {model.name}", "through_turn": 2}, model)
    with as_file(files("fsm") / "showcase" / "two-players.json") as path:
        return read(path)


def _picture(outcomes: Sequence[Outcome], theme: Theme) -> str:
    from fsm.views.draw import draw

    records = [record for outcome in outcomes for record in outcome.records]
    return draw(outcomes[0].model, view="turn", format="svg", theme=theme, trace=records)


def _timeline(outcomes: Sequence[Outcome], theme: Theme) -> str:
    from fsm.views.timelines import Section, timelines

    alone, sections = len(outcomes) == 1, []
    for outcome in outcomes:
        scenario = outcome.scenario
        names = {team[0]: ", ".join(team) for team in scenario.teams}
        sections.append(Section(_turns(outcome), "" if alone else scenario.id, names))
    title = outcomes[0].scenario.id if alone else ""
    return timelines(outcomes[0].model, sections, theme=theme, title=title)


def _turns(outcome: Outcome) -> list[Turn]:
    """Return the turns with the scenario's notes, or else with who decides for another player."""
    from fsm.runs.turns import read_turns

    turns = list(read_turns(outcome.records, outcome.model))
    notes = outcome.scenario.data.get("note")
    said = notes if isinstance(notes, dict) else {}
    others = [taken for taken in outcome.turns if taken.controller != taken.active]
    decides = {taken.turn: f"{taken.controller} decides" for taken in others}
    for turn in turns:
        turn.note = str(said.get(str(turn.number), decides.get(turn.number, "")))
    return turns


def _verdict(outcome: Outcome) -> list[str]:
    """Return the verdict in one line, then one line for each failure and warning."""
    id, expected = outcome.scenario.id, len(outcome.scenario.expect)
    holds = f"{expected} expectation{'s hold' if expected > 1 else ' holds'}"
    head = f"ok   {id}: {holds if expected else 'nothing was expected'}"
    failures = [f"     {text}" for text in outcome.failures]
    warnings = [f"     warning: {text}" for text in outcome.warnings]
    return [head if outcome.ok else f"FAIL {id}", *failures, *warnings]


def _print_values(outcome: Outcome) -> None:
    """Print visits to standard output and the verdict to standard error."""
    for visit in outcome.visits:
        say(json.dumps({"scenario": outcome.scenario.id, **visit.as_dict()}))
    for line in _verdict(outcome):
        say(line, err=True)


def _print_turns(outcome: Outcome, layouts: dict[str, Timeline]) -> None:
    """Print a timeline for each turn, and the verdict. `layouts` are those of the models so far."""
    layout = layouts.get(outcome.model.fingerprint)
    if layout is None:
        layout = layouts[outcome.model.fingerprint] = layout_of(outcome.model)
        show([[], *layout.key(), [], *layout.header()], layout.families)
    for turn in _turns(outcome):
        show(layout.turn(turn), layout.families)
    show([[(line, "good" if outcome.ok else "bad")] for line in _verdict(outcome)])


def _print_sums(
    outcomes: Sequence[Outcome], layouts: dict[str, Timeline], *, verbose: bool
) -> None:
    """Print the legends, and if verbose, how much of each model was taken."""
    for layout in layouts.values():
        show([[], *layout.legend(), []])
    for layout in layouts.values() if verbose else ():
        taken = set[tuple[str, str]]()
        for outcome in outcomes:
            if outcome.model.fingerprint == layout.model.fingerprint:
                taken.update((record.machine, record.transition) for record in outcome.records)
        machines = layout.model.machines.items()
        known = [(name, row.id) for name, machine in machines for row in machine.transitions]
        say(f"{len(taken)} of {len(known)} transitions of the model taken")
        for name, id in known:
            if (name, id) not in taken:
                say(f"  not taken: {id}")
