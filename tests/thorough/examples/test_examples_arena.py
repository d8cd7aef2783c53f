"""The arena, by PettingZoo's own tests, and as its user runs it."""

from __future__ import annotations

import subprocess
import sys
import warnings
from random import Random
from typing import Any

import pytest

from support.folders import EXAMPLES
from support.tools import missing

OWN_WORDS = (
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be",
)
"""What api_test says of every observation that has an action mask beside it; PettingZoo's own card
games get it too.
"""


@pytest.fixture(scope="module")
def arena() -> Any:
    """The example's package; skips the test where a library is missing."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            import arena
            import pettingzoo.test  # noqa: F401
    except ImportError as error:
        missing(f"the Python package {error.name!r}")
    return arena


@pytest.fixture(autouse=True)
def quiet() -> Any:
    """Two warnings are expected; any other is an error."""
    with warnings.catch_warnings():
        for words in OWN_WORDS:
            warnings.filterwarnings("ignore", words, UserWarning)
        yield


@pytest.mark.parametrize("ruleset", ["magic", "magic-2010"])
@pytest.mark.parametrize("form", ["env", "raw_env"])
def test_it_passes_the_api_test(arena: Any, form: str, ruleset: str) -> None:
    from pettingzoo.test import api_test

    api_test(getattr(arena, form)(ruleset), num_cycles=500)


def test_it_passes_the_seed_test(arena: Any) -> None:
    from pettingzoo.test import seed_test

    seed_test(arena.env, num_cycles=500)


def test_the_program_on_its_page_runs(arena: Any) -> None:
    program = (
        (EXAMPLES / "arena" / "README.md")
        .read_text("utf-8")
        .split("```python\n")[1]
        .split("```")[0]
    )
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, cwd=EXAMPLES, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert "Passed API test" in done.stdout


def record(arena: Any, seed: int) -> list[tuple[str, list[int], list[float]]]:
    """One game in which the last legal move is always made: who decided, what was legal, what was
    seen.
    """
    env, seen = arena.env(), []
    env.reset(seed=seed)
    for agent in env.agent_iter():
        observation, _, terminated, truncated, _ = env.last()
        legal = [int(move) for move in observation["action_mask"].nonzero()[0]]
        seen.append((agent, legal, observation["observation"].tolist()))
        env.step(None if terminated or truncated else legal[-1])
    return seen


def test_games_differ_by_seed_only(arena: Any) -> None:
    assert record(arena, 1) == record(arena, 1) != record(arena, 2)


def test_the_mask_says_who_can_do_what(arena: Any) -> None:
    """Only the agent that is asked can do anything, and every move is legal somewhere."""
    env, seen, random = arena.env(), set(), Random(3)
    env.reset(seed=3)
    while not any(env.terminations.values()):
        idle = next(agent for agent in env.agents if agent != env.agent_selection)
        assert not env.observe(idle)["action_mask"].any()
        legal = env.observe(env.agent_selection)["action_mask"].nonzero()[0].tolist()
        assert legal[0] == 0 and len(legal) == 2
        seen.update(legal)
        env.step(random.choices(legal, (0, 1) if legal[1] > 1 else (9, 1))[0])
    assert seen == {0, 1, 2, 3}


def test_an_illegal_move_loses(arena: Any) -> None:
    env = arena.env()
    env.reset(seed=1)
    mover = env.agent_selection
    [illegal, *_] = (env.observe(mover)["action_mask"] == 0).nonzero()[0].tolist()
    env.step(illegal)
    assert env.terminations[mover] and env.rewards[mover] == -1


def test_the_observation_tells_where_the_turn_stands(arena: Any) -> None:
    env, random, seen = arena.raw_env(), Random(4), set()
    env.reset(seed=4)
    while not any(env.terminations.values()):
        observed = env.observe(env.agent_selection)
        places = observed["observation"][: len(env.steps)]
        assert places.sum() == 1
        assert env.steps[int(places.argmax())] == env.turn.position.step
        seen.add(env.turn.position.step)
        env.step(random.choice(observed["action_mask"].nonzero()[0].tolist()))
    assert {"upkeep", "draw", "declare_attackers"} <= seen


@pytest.mark.parametrize(("answer", "life", "sparks"), [(0, 8, 2), (3, 10, 1)])
def test_a_block_costs_a_spark_and_saves_life(
    arena: Any, answer: int, life: int, sparks: int
) -> None:
    env = arena.raw_env()
    env.reset(seed=1)
    for wanted in (2, answer):
        step = "declare_attackers" if wanted == 2 else "declare_blockers"
        while env.turn.position.step != step or env.turn.position.stage.endswith("window"):
            env.step(0)
        env.step(wanted)
    while env.turn.position.step != "end":
        env.step(0)
    defender = env.game.sides["player_1"]
    assert (defender.life, defender.hand) == (life, sparks)


def test_random_players_play_to_the_end(arena: Any) -> None:
    command = [sys.executable, "-m", "arena", "--games", "20", "--seed", "5"]
    done = subprocess.run(command, cwd=EXAMPLES, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    won = dict(line.split(" won ") for line in done.stdout.splitlines())
    assert sum(map(int, won.values())) == 20
    assert {name.strip() for name in won} >= {"player_0", "player_1"}
