"""Recorded games are judged by `fsm conform`, as its user meets it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import pytest

from support.commandline import command


class Judgement(NamedTuple):
    """Turn, active player and step of each visit, and the verdict that follows them."""

    visits: list[tuple[int, str, str]]
    verdict: dict[str, Any]
    error: str
    code: int

    @property
    def ok(self) -> bool:
        return self.code == 0

    @property
    def refusal(self) -> dict[str, Any]:
        return dict(self.verdict["refusal"])

    def steps(self, turn: int) -> list[str]:
        return [step for number, _, step in self.visits if number == turn]


Judge: TypeAlias = Callable[..., Judgement]


@pytest.fixture
def judge(tmp_path: Path) -> Judge:
    """Judge one recorded game: its lines, and options of the command."""

    def judged(lines: list[str] | bytes, *options: str) -> Judgement:
        path = tmp_path / "game.log"
        path.write_bytes(lines if isinstance(lines, bytes) else "".join(lines).encode())
        done = command("conform", path, "--json", *options)
        told = [json.loads(line) for line in done.stdout.splitlines()]
        visits = [(row["turn"], row["active"], row["step"]) for row in told if "turn" in row]
        return Judgement(visits, told[-1] if told else {}, done.stderr, done.exit_code)

    return judged
