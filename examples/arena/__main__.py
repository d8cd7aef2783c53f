"""python -m arena [--games N] [--seed S]: random play, and who won."""

from __future__ import annotations

import argparse
from collections import Counter

import numpy as np

from . import env


def play(games: int, seed: int) -> Counter[str]:
    """So many games at random; who won how many, "nobody" for those that were cut off."""
    arena, random, won = env(), np.random.default_rng(seed), Counter[str]()
    for number in range(games):
        arena.reset(seed=seed + number)
        rewards: dict[str, float] = {}
        for agent in arena.agent_iter():
            observation, reward, terminated, truncated, _ = arena.last()
            rewards[agent] = reward
            over = terminated or truncated
            arena.step(
                None if over else int(random.choice(np.flatnonzero(observation["action_mask"])))
            )
        won[max(rewards, key=rewards.__getitem__) if any(rewards.values()) else "nobody"] += 1
    return won


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="arena", description="Random players in the arena.")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    for name, count in sorted(play(asked.games, asked.seed).items()):
        print(f"{name:10} won {count}")


if __name__ == "__main__":
    main()
