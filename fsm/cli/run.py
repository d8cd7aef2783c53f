"""`fsm run`"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from importlib.resources import as_file, files
from itertools import chain
from typing import TYPE_CHECKING

import click

from fsm.cli.options import json_option, option
from fsm.cli.show import layout_of, say, show, write

if TYPE_CHECKING:
    from fsm.runs.timeline import Timeline
    from fsm.runs.turns import Turn
    from fsm.scenarios import Outcome, Scenario
    from fsm.views.svg import Theme


@click.command()
@click.argument("scenarios", nargs=-1, metavar="[SCENARIO]...")
@option("--ruleset RULESET", "Play all by this one, not by what they name.")
@option("--svg FILE", "Draw the turn with the way taken on it.")
@option("--timeline FILE", "Draw what was played as SVG: steps across, turns down.")
@option(
    "--theme auto|light|dark",
    "Colours of the pictures; auto follows the reader's screen.",
    default="auto",
)
@option("--strict", "A 'when' that never comes up is a failure, not a warning.")
@option("--trace FILE", "Write the answers and firings of the run, as JSON Lines.")
@json_option
def run(
    scenarios: tuple[str, ...],
    ruleset: str | None,
    svg: str | None,
    timeline: str | None,
    theme: Theme,
    strict: bool,
    trace: str | None,
    as_json: bool,
) -> int:
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
    from fsm.files import check_writable
    from fsm.scenarios import play

    check_writable([svg, timeline, trace])
    wanted = _load(scenarios, ruleset)
    if (svg or timeline) and len({scenario.model.fingerprint for scenario in wanted}) > 1:
        raise click.UsageError(
            "--svg and --timeline: the scenarios play by different models; draw them one at a time"
        )
    if trace and len(wanted) > 1:
        raise click.UsageError(f"--trace is of one run, but here are {len(wanted)} scenarios")
    outcomes: list[Outcome] = []
    layouts: dict[str, Timeline] = {}
    for scenario in wanted:
        outcomes.append(play(scenario, strict=strict))
        if as_json:
            _print_values(outcomes[-1])
        else:
            _print_turns(outcomes[-1], layouts)
    texts = dict[str, str]()
    if svg:
        texts[svg] = _picture(outcomes, theme)
    if timeline:
        texts[timeline] = _timeline(outcomes, theme)
    if trace:
        texts[trace] = "".join(f"{line}\n" for line in outcomes[0].trace.lines())
    for layout in layouts.values():
        show(["", *layout.legend(), ""])
    good = sum(outcome.ok for outcome in outcomes)
    if as_json or len(outcomes) > 1:
        say(f"{good} of {len(outcomes)} scenarios hold", err=as_json)
    write(texts, quiet=as_json)
    return 0 if good == len(outcomes) else 1


def _load(paths: Sequence[str], ruleset: str | None) -> list[Scenario]:
    """Return the scenarios of all files, which are read before any is played. Without files, return
    quiet turns of the ruleset, or the showcase.
    """
    from fsm.rulesets import load
    from fsm.scenarios import load as read

    model = load(ruleset) if ruleset is not None else None
    if paths:
        return [*chain.from_iterable(read(path, model) for path in paths)]
    if model is not None:
        return read({"id": f"quiet turns of {model.name}", "through_turn": 2}, model)
    with as_file(files("fsm") / "showcase" / "two-players.json") as path:
        return read(path)


def _picture(outcomes: Sequence[Outcome], theme: Theme) -> str:
    from fsm.views.draw import draw

    records = [*chain.from_iterable(outcome.records for outcome in outcomes)]
    return draw(outcomes[0].model, view="turn", format="svg", theme=theme, trace=records)


def _timeline(outcomes: Sequence[Outcome], theme: Theme) -> str:
    from fsm.views.timelines import Section, timelines

    sections = list[Section]()
    for outcome in outcomes:
        teams = {team[0]: ", ".join(team) for team in outcome.scenario.teams}
        sections.append(Section(_turns(outcome), outcome.scenario.id, teams))
    return timelines(outcomes[0].model, sections, theme=theme)


def _turns(outcome: Outcome) -> list[Turn]:
    """Return the turns with the scenario's notes, or else with who decides for another player."""
    from fsm.runs.turns import read_turns

    notes = outcome.scenario.data.get("note")
    said = dict(notes) if isinstance(notes, dict) else {}
    for taken in outcome.turns:
        decider = outcome.deciders.get(taken.turn, taken.active)
        if decider != taken.active:
            said.setdefault(str(taken.turn), f"{decider} decides")
    turns = list(read_turns(outcome.records, outcome.model))
    for turn in turns:
        turn.note = str(said.get(str(turn.number), ""))
    return turns


def _verdict(outcome: Outcome) -> Iterator[str]:
    """Yield the verdict in one line, then one line for each failure and warning."""
    id, expected = outcome.scenario.id, len(outcome.scenario.expect)
    holds = f"{expected} expectation{'s hold' if expected > 1 else ' holds'}"
    good = f"ok   {id}: {holds if expected else 'nothing was expected'}"
    yield good if outcome.ok else f"FAIL {id}"
    yield from (f"     {text}" for text in outcome.failures)
    yield from (f"     warning: {text}" for text in outcome.warnings)


def _print_values(outcome: Outcome) -> None:
    """Print visits to standard output and the verdict to standard error."""
    for visit in outcome.visits:
        say(json.dumps({"scenario": outcome.scenario.id, **visit.as_dict()}))
    for line in _verdict(outcome):
        say(line, err=True)


def _print_turns(outcome: Outcome, layouts: dict[str, Timeline]) -> None:
    """Print a timeline for each turn, and the verdict. `layouts` are those of the models so far."""
    model = outcome.model
    layout = layouts.get(model.fingerprint) or layout_of(model)
    if model.fingerprint not in layouts:
        layouts[model.fingerprint] = layout
        show(["", *layout.key(), "", *layout.header()], layout.families)
    for turn in _turns(outcome):
        show(layout.turn(turn), layout.families)
    show([[(line, "good" if outcome.ok else "bad")] for line in _verdict(outcome)])
