"""`fsm run`"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from importlib.resources import as_file, files
from typing import TYPE_CHECKING

import click

from fsm.cli.options import json_option

if TYPE_CHECKING:
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
    from fsm.cli.report import JsonReport, RunReport, TextReport
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
    report: RunReport = JsonReport() if as_json else TextReport(verbose=verbose)
    outcomes = []
    for scenario in wanted:
        outcomes.append(play(scenario, strict=strict))
        report.add(outcomes[-1])
    write_files(
        {
            **_picture(svg, outcomes, theme),
            **_timeline(timeline, outcomes, theme),
            **_trace(trace, outcomes),
        }
    )
    report.close(outcomes, written=[path for path in files.values() if path])
    raise click.exceptions.Exit(1 if any(o.failures for o in outcomes) else 0)


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


def _picture(path: str | None, outcomes: Sequence[Outcome], theme: Theme) -> dict[str, str]:
    if path is None:
        return {}
    from fsm.cli.report import records_of
    from fsm.views.draw import draw

    records = [record for outcome in outcomes for record in records_of(outcome)]
    return {path: draw(outcomes[0].model, view="turn", format="svg", theme=theme, trace=records)}


def _timeline(path: str | None, outcomes: Sequence[Outcome], theme: Theme) -> dict[str, str]:
    if path is None:
        return {}
    from fsm.cli.report import section_of
    from fsm.views.timelines import timelines

    alone = len(outcomes) == 1
    sections = [
        section_of(outcome, heading="" if alone else outcome.scenario.id) for outcome in outcomes
    ]
    title = outcomes[0].scenario.id if alone else ""
    return {path: timelines(outcomes[0].model, sections, theme=theme, title=title)}


def _trace(path: str | None, outcomes: Sequence[Outcome]) -> dict[str, str]:
    if path is None:
        return {}
    return {path: "".join(f"{line}\n" for outcome in outcomes for line in outcome.trace.lines())}
