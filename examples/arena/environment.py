"""The PettingZoo side: agents, observations, masks and rewards, read off the controller's request."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from gymnasium.utils import seeding
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

import fsm
from fsm.embedding import ask
from fsm.engine import Over

from .game import DECK, HAND, LIFE, Game, Move, Side

MOST_TURNS = 40
"""A game that takes longer is cut off, as a draw."""


def env(ruleset: str = "magic", render_mode: str | None = None) -> AECEnv:
    """The environment with PettingZoo's usual wrappers: illegal moves lose, and calls in wrong
    order are errors.
    """
    wrapped = wrappers.TerminateIllegalWrapper(raw_env(ruleset, render_mode), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(wrapped))


class raw_env(AECEnv):  # type: ignore[misc] # PettingZoo has no types
    """Two agents, four moves. An observation tells where the turn stands, and what both players
    have.
    """

    metadata = {"name": "turn_fsm_v0", "render_modes": ["ansi"], "is_parallelizable": False}  # noqa: RUF012

    def __init__(self, ruleset: str = "magic", render_mode: str | None = None) -> None:
        super().__init__()
        self.model, self.render_mode = fsm.load(ruleset), render_mode
        self.steps = list(dict.fromkeys(state.name for state in self.model.of_kind("step")))
        self.possible_agents = ["player_0", "player_1"]
        self._random = seeding.np_random()[0]
        size = len(self.steps) + 7
        shape = Dict(
            {
                "observation": Box(0, 1, (size,), np.float32),
                "action_mask": Box(0, 1, (len(Move),), np.int8),
            }
        )
        self.observation_spaces = dict.fromkeys(self.possible_agents, shape)
        self.action_spaces = {agent: Discrete(len(Move)) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> Dict:
        """The same space for both."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        """The moves."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """A new game, with decks shuffled by the seed."""
        if seed is not None:
            self._random = seeding.np_random(seed)[0]
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.game = Game(
            {agent: Side(self._random.permutation(DECK).tolist()) for agent in self.agents}
        )
        self.turn = fsm.TurnController(self.model, self.agents)
        self._go_on()

    def step(self, action: int) -> None:
        """Carry out the move of the agent whose decision it is, and go on to the next decision."""
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[self.agent_selection] = 0
        self._clear_rewards()
        self.game.move = Move(action)
        ask(self.turn, self.game)
        self._go_on()
        self._accumulate_rewards()

    def _go_on(self) -> None:
        """Let the turn run until somebody has a decision, or it is all over."""
        too_long = MOST_TURNS + 1
        request = fsm.drive(
            self.turn,
            self.game,
            until=lambda request: bool(self.game.decides(request)) or request.at.turn == too_long,
        )
        if isinstance(request, Over):
            winner = self.game.other(self.game.loser)
            self.rewards = {agent: 1 if agent == winner else -1 for agent in self.agents}
            self.terminations = dict.fromkeys(self.agents, True)
        elif request.at.turn == too_long:
            self.truncations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.game.decides(request) or self.agents[0]

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """Where the turn stands as one of the model's steps, and what can be done about it."""
        request, game = self.turn.request, self.game
        mask = np.zeros(len(Move), np.int8)
        if agent == game.decides(request):
            mask[list(game.legal(request))] = 1
        place = np.array([step == request.at.step for step in self.steps], np.float32)
        return {"observation": np.concatenate([place, self._numbers(agent)]), "action_mask": mask}

    def _numbers(self, agent: str) -> np.ndarray:
        game, at = self.game, self.turn.position
        mine, theirs = game.sides[agent], game.sides[game.other(agent)]
        most = HAND + sum(DECK)
        sparks = [
            mine.hand,
            theirs.hand,
            game.stack.count(agent),
            game.stack.count(game.other(agent)),
        ]
        numbers = [
            at.active == agent,
            mine.life / LIFE,
            theirs.life / LIFE,
            *(count / most for count in sparks),
        ]
        return np.array(numbers, np.float32).clip(0, 1)

    def render(self) -> str | None:
        """Where the game stands, in a line."""
        if self.render_mode != "ansi":
            return None
        at, sides = self.turn.position, self.game.sides.items()
        return f"turn {at.turn}, {at.active}, {at.step}: " + ", ".join(
            f"{n} {s.life} life" for n, s in sides
        )

    def close(self) -> None:
        """Nothing is held open."""
