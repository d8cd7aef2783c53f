"""The page's interpreter against the Python machine: the same requests, states and records after
every answer.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import fsm
from fsm import Trace, scenarios
from fsm.model import Model
from fsm.scenarios import Scenario, play
from fsm.state.primitives import ACTIONS, TESTS
from fsm.views import explore
from fsm.views.explorer.parts import machine_script, part
from support import processes
from support.explorergames import PLAY, Game, covering, moments, wire
from support.explorerpage import Visitor, chromium
from support.folders import SCENARIOS
from support.tools import tool
from support.wanderer import loop_brought_near

RULESETS = ("magic", "magic-2010", "magic-classic", "grand-archive")


@cache
def games(ruleset: str) -> list[Trace]:
    """Games that take every transition of a ruleset."""
    return covering(loaded(ruleset))


def loaded(ruleset: str) -> Model:
    return loop_brought_near(ruleset)


def node(script: str, lines: Sequence[object], folder: Path) -> list[Any]:
    """What a script prints under Node, which calls `each(value)` for each of these values."""
    file = folder / "explorer.js"
    loop = 'for (const line of require("fs").readFileSync(0, "utf8").split("\\n").filter(Boolean))'
    file.write_text(
        f"{script}\n{loop} console.log(JSON.stringify(each(JSON.parse(line))));", encoding="utf-8"
    )
    given = "\n".join(map(json.dumps, lines))
    done = processes.run([tool("node", "nodejs"), str(file)], given=given)
    assert done.returncode == 0, done.stderr[-2000:]
    return [json.loads(line) for line in done.stdout.splitlines()]


def model_of(ruleset: str) -> str:
    return f"const MODEL = {json.dumps(loaded(ruleset).to_json())};"


@cache
def expected(ruleset: str) -> list[list[str]]:
    """What the Python machine comes to in these games."""
    return [moments(loaded(ruleset), trace) for trace in games(ruleset)]


def compare(where: str, ruleset: str, played: Sequence[list[str]]) -> None:
    """Fail at the first moment at which the two differ; else say how many were compared."""
    compared = 0
    for number, (ours, theirs) in enumerate(zip(expected(ruleset), played, strict=True)):
        for i, (mine, other) in enumerate(zip(ours, theirs, strict=True)):
            assert json.loads(other) == json.loads(mine), f"game {number}, after {i} answers"
            compared += 1
    records = sum(len(trace.records) for trace in games(ruleset))
    print(
        f"{ruleset} in {where}: {len(played)} games, {compared} moments, {records} records, none differs"
    )
    assert records > 3_000


@pytest.mark.parametrize("ruleset", RULESETS)
def test_node_comes_to_the_same_after_every_answer(ruleset: str, tmp_path: Path) -> None:
    traces = games(ruleset)
    script = f"{machine_script()}\n{model_of(ruleset)}\n{PLAY}\nconst each = play;"
    compare("Node", ruleset, node(script, [wire(t) for t in traces], tmp_path))


def test_a_row_taken_away_is_noticed(tmp_path: Path) -> None:
    traces = games("magic")[:1]
    model = fsm.load("magic")
    taken = [record.transition for record in traces[0].records if record.machine == "turn"][40:]
    only = [
        row.id for row in model.transitions if len(model.rows(row.source)) == 1
    ]  # nothing else can fire instead
    gone = model.without(next(row for row in taken if row in only)).to_json()
    script = f"{machine_script()}\nconst MODEL = {json.dumps(gone)};\n{PLAY}"
    script += "\nconst each = (game) => { try { return play(game); } catch (error) { return [error.kind]; } };"
    assert node(script, [wire(traces[0])], tmp_path) == [["StuckError"]]


def test_the_closed_set_of_primitives_is_there(tmp_path: Path) -> None:
    script = f"{machine_script()}\nconst each = () => [[...TESTS.keys()].sort(), [...ACTIONS.keys()].sort()];"
    assert node(script, [0], tmp_path) == [[sorted(TESTS), sorted(ACTIONS)]]


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        ({"word": "perhaps"}, "AnswerError"),
        ({"facts": {"no such fact": True}}, "AnswerError"),
        ({"facts": {"stack_empty": 1}}, "AnswerError"),
        ({"signal": {"event": "sing"}}, "AnswerError"),
        ({"signal": {"event": "player_left", "player": "Z"}}, "AnswerError"),
        ({"orders": [{"is": "AddTurn", "player": "Z"}]}, "OrderError"),
        ({"orders": [{"is": "AddTurn", "player": "A", "count": 0}]}, "OrderError"),
        ({"orders": [{"is": "AddPhase", "phases": ["lunch"]}]}, "OrderError"),
        ({"orders": [{"is": "AddStep", "step": "upkep"}]}, "OrderError"),
        ({"orders": [{"is": "Effect", "id": "x", "player": "A", "until": "noon"}]}, "OrderError"),
        ({"orders": [{"is": "Dance"}]}, "OrderError"),
    ],
)
def test_what_does_not_fit_is_refused_and_changes_nothing(
    answer: Game, kind: str, tmp_path: Path
) -> None:
    script = f"""{machine_script()}\n{model_of("magic")}
    function each(answer) {{
      const game = new Controller(new Model(MODEL), {{ players: ["A", "B"] }});
      const told = () => JSON.stringify([game.state, game.request]), before = told();
      try {{ game.answer(answer); }} catch (error) {{ return [error.kind, before === told()]; }}
      return ["taken"];
    }}"""
    assert node(script, [answer], tmp_path) == [[kind, True]]


# scenarios on the page ----------------------------------------------------------------------------


@pytest.mark.parametrize("ruleset", RULESETS)
def test_scenarios_go_the_same_way_on_the_page(ruleset: str, tmp_path: Path) -> None:
    """Those that the page does not refuse by name fire the same transitions; every third file is
    tried.
    """
    cases = [
        s for f in sorted((SCENARIOS / ruleset).glob("*.json"))[::3] for s in scenarios.load(f)
    ][:60]
    cases = [case for case in cases if case.model.fingerprint == fsm.load(ruleset).fingerprint]
    told = node(_player(ruleset), [case.data for case in cases], tmp_path)
    played = [(case, ids) for case, ids in zip(cases, told, strict=True) if isinstance(ids, list)]
    refused = [words for words in told if isinstance(words, str)]
    print(f"{ruleset}: {len(played)} scenarios played, {len(refused)} refused")
    assert all("the page cannot play" in words or "day and night" in words for words in refused), (
        refused
    )
    assert len(played) >= 4
    assert [case.id for case, ids in played if ids != _ids(case)] == []


def test_first_strike_outside_combat_has_no_effect_on_the_page_either(tmp_path: Path) -> None:
    attack = {"when": {"turn": 1, "step": "declare_attackers"}, "do": "attackers"}
    early = {"when": {"turn": 1, "step": "upkeep"}, "do": "first_strike"}
    leaves = {"when": {"turn": 1, "step": "upkeep"}, "do": "player_leaves", "player": "A"}
    joins = {
        "when": {"turn": 1, "step": "declare_attackers", "at": "priority"},
        "do": "put_attacking",
    }
    cases = fsm.scenarios.load(
        [
            {"id": "given in the upkeep", "given": [early, attack]},
            {
                "id": "declared by nobody",
                "players": 3,
                "given": [leaves, attack | {"first_strike": True}, joins],
            },
        ],
        place="cases.json",
    )
    assert node(_player("magic"), [case.data for case in cases], tmp_path) == [
        _ids(case) for case in cases
    ]


def _player(ruleset: str) -> str:
    model = f"const MODEL = {json.dumps(fsm.load(ruleset).to_json())};"
    scripts = [
        machine_script(),
        *(part(f"page/{name}.js") for name in ("words", "scenario", "verbs")),
        model,
    ]
    return (
        "\n".join(scripts)
        + """
    const model = new Model(MODEL);
    function each(data) {
      try {
        const { head, answers } = playScenario(model, data), game = new Controller(model, head);
        const fired = [...game.records];
        for (const answer of answers) { game.answer(answer); fired.push(...game.records); }
        return fired.map((record) => record.transition);
      } catch (error) {
        return String(error.kind ? error.message : error.stack);
      }
    }"""
    )


def _ids(case: Scenario) -> list[str]:
    return [record.transition for record in play(case).trace.records]


# in a browser -------------------------------------------------------------------------------------


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_browser_comes_to_the_same_after_every_answer(ruleset: str, tmp_path: Path) -> None:
    """The same games as under Node, on the page itself: its scripts and its own copy of the model."""
    traces, file = games(ruleset), tmp_path / "page.html"
    file.write_text(explore(loaded(ruleset)), encoding="utf-8")
    with chromium() as browser:
        visitor = Visitor(browser, file)
        run = f"(games) => {{ const MODEL = unpacked(PAGE.model); {PLAY} return games.map(play); }}"
        played = visitor.page.evaluate(run, [wire(t) for t in traces])
        visitor.close()
    compare("Chromium", ruleset, played)
