"""Recorded games of a commercial client: its log as rows.

The reader uses what the client states: turn, active player, phase, step, and the annotations that
mark each change of them. It ignores what the client predicts. Only the JSON in a line counts;
headers and other text are ignored. A phase that is stated without its step says nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from fsm.conformance.rows import DamagedLine, Game, Log, Row

WORDS = {
    "Step_Untap": "untap",
    "Step_Upkeep": "upkeep",
    "Step_Draw": "draw",
    "Phase_Main1": "precombat_main",
    "Step_BeginCombat": "beginning_of_combat",
    "Step_DeclareAttack": "declare_attackers",
    "Step_DeclareBlock": "declare_blockers",
    "Step_FirstStrikeDamage": "first_strike_damage",
    "Step_CombatDamage": "combat_damage",
    "Step_EndCombat": "end_of_combat",
    "Phase_Main2": "postcombat_main",
    "Step_End": "end",
    "Step_Cleanup": "cleanup",
}
"""The Model's steps by the client's words. A phase of one step has no word for its step."""
ALONE = ("", "Phase_None", "Phase_Beginning", "Phase_Combat", "Phase_Ending")
"""What the client says of a phase where it says nothing of the step."""
CODES = {
    (1, 1): "untap",
    (1, 2): "upkeep",
    (1, 3): "draw",
    (2, 0): "precombat_main",
    (3, 0): "beginning_of_combat",
    (3, 4): "beginning_of_combat",
    (3, 5): "declare_attackers",
    (3, 6): "declare_blockers",
    (3, 11): "first_strike_damage",
    (3, 7): "combat_damage",
    (3, 8): "end_of_combat",
    (4, 0): "postcombat_main",
    (5, 0): "end",
    (5, 9): "end",
    (5, 10): "cleanup",
}
"""The Model's steps by the codes of phase and step in annotations."""
BEGINNING = 1, 0
"""The codes of a first phase that begins, before its first step."""
NEW_TURN, NEW_STEP = "AnnotationType_NewTurnStarted", "AnnotationType_PhaseOrStepModified"
_OBJECT = re.compile(rb'\{\s*"')


# the messages of the client, as far as they are read ----------------------------------------------

Natural = Annotated[int, Meta(ge=0)]


class _Message(Struct, frozen=True, rename="camel", gc=False):
    """What a message of the client has, any part of it."""


class _Detail(_Message, frozen=True):
    key: str = ""
    value_int32: list[int] = []


class _Annotation(_Message, frozen=True):
    type: list[str] = []
    affected_ids: list[Natural] = []
    details: list[_Detail] = []

    @property
    def seat(self) -> int:
        """The seat of the active player, or 0."""
        return self.affected_ids[0] if self.affected_ids else 0

    @property
    def codes(self) -> tuple[int, int]:
        """The codes of the phase and the step."""
        codes = {detail.key: [*detail.value_int32, 0][0] for detail in self.details}
        return codes.get("phase", 0), codes.get("step", 0)


class _Turn(_Message, frozen=True):
    turn_number: Natural = 0
    active_player: Natural = 0
    phase: str = ""
    step: str = ""


class _Player(_Message, frozen=True):
    system_seat_number: Natural = 0


class _Game(_Message, frozen=True):
    stage: str = ""
    match: Any = msgspec.field(name="matchID", default=None)
    number: Any = msgspec.field(name="gameNumber", default=None)


class _State(_Message, frozen=True):
    game_info: _Game = _Game()
    turn_info: _Turn = _Turn()
    players: list[_Player] = []
    annotations: list[_Annotation] = []


class _ToClient(_Message, frozen=True):
    game_state_message: _State | None = None


class _Event(_Message, frozen=True):
    gre_to_client_messages: list[_ToClient] = []


class _Line(_Message, frozen=True):
    gre_to_client_event: _Event = _Event()


_DECODER = msgspec.json.Decoder(_Line)


def _states(line: bytes) -> list[_State]:
    """Return the states of the game that the JSON in a line has. Raises DamagedLine."""
    begins = _OBJECT.search(line)
    if begins is None:
        return []
    end = line.rfind(b"}") + 1 or len(line)
    try:
        found = _DECODER.decode(line[begins.start() : end])
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise DamagedLine(str(error)) from None
    messages = found.gre_to_client_event.gre_to_client_messages
    return [m.game_state_message for m in messages if m.game_state_message is not None]


# rows ---------------------------------------------------------------------------------------------


def client_rows(log: Log) -> Iterator[Row]:
    """Yield the rows of a log. Raises LogError if it shows none."""
    for states in log.parsed(_states):
        for state in states:
            game = _game_of(log, state)
            if state.annotations:
                yield from _marked(log, game, state)
            yield from _stated(log, game, state.turn_info)
    log.end(
        "lines of JSON with greToClientEvent and gameStateMessage: switch on the client's detailed "
        "logs and record a game anew (or a trace, or lines of your own; see fsm conform --help)"
    )


def _game_of(log: Log, state: _State) -> Game:
    """Return the game that a message is about. Its start may be told several times."""
    info = state.game_info
    starts = info.stage == "GameStage_Start"
    marks = {"match": info.match, "number": info.number}
    game = log.at(marks, again=starts and bool(log.game.step))
    game.whole |= starts
    seats = [player.system_seat_number for player in state.players]
    game.seats = max([0, *seats]) or game.seats
    return game


def _marked(log: Log, game: Game, state: _State) -> Iterator[Row]:
    """Yield the steps that annotations mark. The turn is not known if it has changed unmarked."""
    stated = state.turn_info.turn_number
    to_come = sum(NEW_TURN in annotation.type for annotation in state.annotations)
    if stated and not to_come and game.turn != stated:
        game.turn = 0 if game.turn else stated
    for annotation in state.annotations:
        if NEW_TURN in annotation.type:
            to_come -= 1
            game.seat = annotation.seat
            game.turn = stated - to_come if stated else _counted(game)
        if NEW_STEP in annotation.type and annotation.seat:
            game.seat = annotation.seat
            codes = annotation.codes
            if codes != BEGINNING:
                yield log.row(CODES.get(codes, ""), f"phase and step {codes}")


def _counted(game: Game) -> int:
    """Return the number of the next turn, or 0 if it is not known."""
    return game.turn + 1 if game.turn or game.whole else 0


def _stated(log: Log, game: Game, info: _Turn) -> Iterator[Row]:
    """Yield the step that is stated, if it is news."""
    turn = info.turn_number or game.turn
    seat = info.active_player or game.seat
    news = game.turn not in (0, turn) or game.seat not in (0, seat)
    game.turn = turn
    game.seat = seat
    word = info.step if info.step not in ("", "Step_None") else info.phase
    step = WORDS.get(word, "")
    if word not in ALONE and (news or not step or step != game.step):
        yield log.row(step, f"{info.phase} {info.step}".strip())
