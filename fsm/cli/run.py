"""`fsm run`"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import click

from fsm.cli.frame import Text, Turns, json_option, option, say, show, write
from fsm.rulesets import load
from fsm.runs.turns import Turn, read_turns
from fsm.scenarios import Outcome, Scenario, load as read, play
from fsm.views.draw import draw
from fsm.views.svg import Theme
from fsm.views.timelines import timelines
from fsm.wording import many

SHOWCASE = Path(__file__).parents[1] / "showcase" / "two-players.json"


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
    ruleset: Text,
    svg: Text,
    timeline: Text,
    theme: Theme,
    strict: bool,
    trace: Text,
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
    wanted = _load(scenarios, ruleset)
    if (svg or timeline or trace) and len(wanted) > 1:
        text = f"--svg, --timeline and --trace are of one scenario, and here are {len(wanted)}"
        raise click.UsageError(text)
    good, printed, texts = 0, Turns(as_json), dict[str, str]()
    for scenario in wanted:
        outcome = play(scenario, strict=strict)
        turns = _turns(outcome)
        _print(outcome, turns, printed)
        good += outcome.ok
        if svg:
            texts[svg] = draw(outcome.model, theme=theme, trace=outcome.records)
        if timeline:
            teams = {team[0]: ", ".join(team) for team in scenario.teams}
            for turn in turns:
                turn.active = teams.get(turn.active, turn.active)
            game = [("", turns)]
            texts[timeline] = timelines(outcome.model, game, theme=theme, title=scenario.id)
        if trace:
            texts[trace] = "".join(f"{line}\n" for line in outcome.trace.lines())
    printed.end()
    if as_json or len(wanted) > 1:
        say(f"{good} of {len(wanted)} scenarios hold", err=as_json)
    write(texts, quiet=as_json)
    return 0 if good == len(wanted) else 1


def _load(paths: Sequence[str], ruleset: Text) -> list[Scenario]:
    """Return the scenarios of all files, which are read before any is played. Without files, return
    quiet turns of the ruleset, or the showcase.
    """
    model = load(ruleset) if ruleset else None
    if paths:
        return [*chain.from_iterable(read(path, model) for path in paths)]
    if model:
        return read({"id": f"quiet turns of {model.title}", "through_turn": 2}, model)
    return read(SHOWCASE)


def _turns(outcome: Outcome) -> list[Turn]:
    """Return the turns with the scenario's notes, or else with who decides for another player."""
    notes: Any = outcome.scenario.data.get("note")
    turns = list(read_turns(outcome.records, outcome.model))
    for turn in turns:
        decider = outcome.deciders.get(turn.number, turn.active)
        if isinstance(notes, dict):
            turn.note = str(notes.get(str(turn.number), ""))
        elif decider != turn.active:
            turn.note = f"{decider} decides"
    return turns


def _print(outcome: Outcome, turns: Sequence[Turn], printed: Turns) -> None:
    """Print what was played, and the verdict. For programs, that is on standard error."""
    id, verdict = outcome.scenario.id, "ok  " if outcome.ok else "FAIL"
    printed.game(outcome.model, id, turns, scenario=id)
    lines = [f"{verdict} {id} ({many(len(outcome.scenario.expect), 'expectation')})"]
    lines += [f"     {text}" for text in outcome.failures]
    lines += [f"     warning: {text}" for text in outcome.warnings]
    for line in lines:
        if printed.as_json:
            say(line, err=True)
        else:
            show([[(line, "good" if outcome.ok else "bad")]])
