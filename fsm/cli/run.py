"""`fsm run`"""

from __future__ import annotations

import os
from collections.abc import Sequence
from importlib.resources import as_file, files
from typing import TYPE_CHECKING

import click

from fsm.cli.options import output_format

if TYPE_CHECKING:
    from fsm.model import Model
    from fsm.play import Outcome
    from fsm.scenario import Scenario


@click.command()
@click.argument("scenarios", nargs=-1, metavar="[SCENARIO]...")
@click.option("--svg", metavar="FILE", help="Draw the turn with the way taken on it.")
@click.option("--strict", is_flag=True, help="A 'when' that never comes up is a failure, not a warning.")
@click.option(
    "--max-steps",
    type=click.IntRange(min=1),
    metavar="N",
    help="Stop a scenario after N visited steps, and say so (default: 2000).",
)
@click.option("--trace", metavar="FILE", help="Write the answers and firings of the run, as JSON Lines.")
@click.option("--verbose", is_flag=True, help="Name the transitions that were not taken.")
@output_format
def run(
    scenarios: tuple[str, ...],
    svg: str | None,
    strict: bool,
    max_steps: int | None,
    trace: str | None,
    verbose: bool,
    output: str,
) -> None:
    """Play each SCENARIO (a JSON or TOML file, or several in one) and check what it expects.

    Without any: the showcase, a few turns that show what the machine can do. Ends with 0 when every expectation
    holds, 1 when one fails, 2 when a file is wrong.

    \b
    Examples:
      fsm run --svg turn.svg
      fsm run my-scenario.json --strict
      fsm run tests/scenarios/*.json --json > visits.jsonl
    """
    from fsm.cli.files import write_files
    from fsm.cli.report import report_of
    from fsm.play import MAX_STEPS, play

    if svg and trace and os.path.realpath(svg) == os.path.realpath(trace):
        raise click.BadParameter("it is the file of --svg too; name another", param_hint="--trace")
    wanted = _load(scenarios)
    model = _one_model(wanted) if svg else None
    if trace and len(wanted) > 1:
        raise click.BadParameter(f"a trace is of one run, but here are {len(wanted)} scenarios", param_hint="--trace")
    report = report_of(output, verbose=verbose)
    outcomes = []
    for scenario in wanted:
        outcomes.append(play(scenario, max_steps=max_steps or MAX_STEPS, strict=strict))
        report.add(outcomes[-1])
    write_files({**_picture(svg, model, outcomes), **_trace(trace, outcomes)})
    report.close(outcomes, written=[path for path in (svg, trace) if path])
    raise click.exceptions.Exit(1 if any(o.failures for o in outcomes) else 0)


def _load(paths: Sequence[str]) -> list[Scenario]:
    """The scenarios of all files, read before any is played; the showcase when there are none."""
    from fsm.scenario import load_scenarios

    if paths:
        return [scenario for path in paths for scenario in load_scenarios(path)]
    with as_file(files("fsm") / "showcase" / "two-players.json") as path:
        return load_scenarios(path)


def _one_model(scenarios: Sequence[Scenario]) -> Model:
    """The model they all use, for one picture. Raises UsageError when there are several."""
    first = scenarios[0]
    for other in scenarios[1:]:
        if other.model.fingerprint != first.model.fingerprint:
            words = f"{first.id!r} and {other.id!r} play by different models: draw them one at a time"
            raise click.BadParameter(words, param_hint="--svg")
    return first.model


def _picture(path: str | None, model: Model | None, outcomes: Sequence[Outcome]) -> dict[str, str]:
    if path is None or model is None:
        return {}
    from fsm.cli.report import records_of
    from fsm.drawing import draw

    records = [record for outcome in outcomes for record in records_of(outcome)]
    return {path: draw(model, view="turn", format="svg", trace=records)}


def _trace(path: str | None, outcomes: Sequence[Outcome]) -> dict[str, str]:
    if path is None:
        return {}
    return {path: "".join(f"{line}\n" for outcome in outcomes for line in outcome.trace.lines())}
