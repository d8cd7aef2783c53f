"""Small logs as a commercial client would write them, made from lists of steps."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

WORDS = {
    "untap": ("Phase_Beginning", "Step_Untap", 1, 1),
    "upkeep": ("Phase_Beginning", "Step_Upkeep", 1, 2),
    "draw": ("Phase_Beginning", "Step_Draw", 1, 3),
    "precombat_main": ("Phase_Main1", "", 2, 0),
    "beginning_of_combat": ("Phase_Combat", "Step_BeginCombat", 3, 0),
    "declare_attackers": ("Phase_Combat", "Step_DeclareAttack", 3, 5),
    "declare_blockers": ("Phase_Combat", "Step_DeclareBlock", 3, 6),
    "first_strike_damage": ("Phase_Combat", "Step_FirstStrikeDamage", 3, 11),
    "combat_damage": ("Phase_Combat", "Step_CombatDamage", 3, 7),
    "end_of_combat": ("Phase_Combat", "Step_EndCombat", 3, 8),
    "postcombat_main": ("Phase_Main2", "", 4, 0),
    "end": ("Phase_Ending", "Step_End", 5, 0),
    "cleanup": ("Phase_Ending", "Step_Cleanup", 5, 10),
}
WITHOUT_PRIORITY = ("untap", "cleanup")

BEGINNING = [
    "untap",
    "upkeep",
    "draw",
    "precombat_main",
    "beginning_of_combat",
    "declare_attackers",
]
ENDING = ["end_of_combat", "postcombat_main", "end", "cleanup"]
QUIET = BEGINNING + ENDING
FIRST = [step for step in QUIET if step != "draw"]
ATTACK = [*BEGINNING, "declare_blockers", "combat_damage", *ENDING]
FIRST_STRIKE = [*BEGINNING, "declare_blockers", "first_strike_damage", "combat_damage", *ENDING]

Turn = tuple[int, int, list[str]]
"""Number, active seat, steps."""


def in_turn(*turns: list[str], seats: int = 2) -> list[Turn]:
    """These turns, the seats taking them one after another."""
    return [(number, (number - 1) % seats + 1, steps) for number, steps in enumerate(turns, 1)]


def state(
    turn: int = 0, seat: int = 0, step: str = "", marks: Iterable[dict[str, Any]] = (), **more: Any
) -> dict[str, Any]:
    """One game state message; what is 0 or "" is left out, as the client does."""
    phase_word, step_word = WORDS[step][:2] if step else ("", "")
    info = {"turnNumber": turn, "activePlayer": seat, "phase": phase_word, "step": step_word}
    told = {key: value for key, value in info.items() if value}
    body = {"type": "GameStateType_Diff", "turnInfo": told, "annotations": list(marks), **more}
    return {"type": "GREMessageType_GameStateMessage", "gameStateMessage": body}


def start(seats: int = 2, number: int = 1) -> dict[str, Any]:
    """The message with which a game starts."""
    players = [{"systemSeatNumber": seat + 1, "lifeTotal": 20} for seat in range(seats)]
    info = {"gameNumber": number, "stage": "GameStage_Start"}
    return state(type="GameStateType_Full", gameInfo=info, players=players)


def new_turn(seat: int) -> dict[str, Any]:
    return {"affectorId": seat, "affectedIds": [seat], "type": ["AnnotationType_NewTurnStarted"]}


def step_mark(step: str, seat: int) -> dict[str, Any]:
    return code_mark(*WORDS[step][2:], seat)


def code_mark(phase: int, step: int, seat: int) -> dict[str, Any]:
    details = [
        {"key": key, "valueInt32": [code]} for key, code in (("phase", phase), ("step", step))
    ]
    return {
        "affectedIds": [seat],
        "type": ["AnnotationType_PhaseOrStepModified"],
        "details": details,
    }


def messages(turns: Iterable[Turn]) -> Iterator[dict[str, Any]]:
    """The messages of these turns: one for each step in which somebody acts; the others show as
    annotations only.
    """
    marks: list[dict[str, Any]] = []
    for number, seat, steps in turns:
        marks += [code_mark(1, 0, 0), new_turn(seat)]
        for step in steps:
            marks.append(step_mark(step, seat))
            if step not in WITHOUT_PRIORITY:
                yield state(number, seat, step, marks)
                yield state(number, seat, step)
                marks = []
    if marks:
        yield state(marks=marks)


def line(*told: dict[str, Any]) -> str:
    return (
        json.dumps({"requestId": 1, "greToClientEvent": {"greToClientMessages": list(told)}}) + "\n"
    )


def log(turns: Iterable[Turn], *, seats: int = 2) -> list[str]:
    """A log of one game, a message a line, the first line being its start."""
    return [line(start(seats)), *(line(told) for told in messages(turns))]
