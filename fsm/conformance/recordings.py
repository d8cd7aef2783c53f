"""Recorded games as rows: lines of any program, traces, and the logs of a commercial client.

A program records JSON Lines: one line for each step as it begins.

    {"turn": 1, "player": "Ann", "phase": "beginning", "step": "upkeep"}

Any of the four may be left out, and other fields are ignored. A line without a step means the step
that is called like its phase. A line {"players": ["Ann", "Ben", "Cy"]} begins a game and names the
players in turn order. Without it, there are two players, and the one who is seen first is the
first. Another value of "game" begins another game, and so does turn 1 after a later turn.

A file of names says which fields and words a recording has. A word that means "" is ignored.

    {"fields": {"turn": "turnNumber", "player": "who", "step": "state.step"},
     "steps": {"Untap Step": "untap", "M1": "precombat_main", "Waiting": ""}}

Of a client's log, the reader uses what the client states: turn, active player, phase, step, and the
annotations that mark each change of them. It ignores what the client predicts. Only the JSON in a
line counts; headers and other text are ignored. A phase that is stated without its step says
nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import asdict

from fsm.conformance.rows import DamagedLine, Game, Log, Row, values_in
from fsm.engine.trace import Record, Trace, begin_again, replayed
from fsm.errors import LogError, TraceError
from fsm.files import Shapes, file_lines, read_data
from fsm.model import Model


class Fields(Struct, frozen=True, forbid_unknown_fields=True):
    """Where a line has its values: paths such as "state.step"."""

    game: str = "game"
    turn: str = "turn"
    player: str = "player"
    phase: str = "phase"
    step: str = "step"
    players: str = "players"


class Names(Struct, frozen=True, forbid_unknown_fields=True):
    """What a file of names says: where the values are, and the Model's steps for the recorder's
    words.
    """

    fields: Fields = Fields()
    steps: dict[str, str] = {}


def read_names(path: str | Path) -> Names:
    """Read a file of names. Raises LogError, which names the file, the place and the remedy."""
    shapes = Shapes(str(path), LogError)
    return shapes.value(read_data(path, LogError), Names)  # type: ignore[no-any-return]


def open_log(path: str | Path, model: Model, names: Names | None = None) -> Log:
    """Return the log of games in this file: lines of any program, unless it has the header of a
    trace or events of the client. With `names`, it has such lines.

    Raises LogError, also while its rows are read, and TraceError.
    """
    log = Log(path)
    if names is None and b'"GameHeader"' in (next(file_lines(log.path), None) or b""):
        trace = read_trace(path)
        log.read = len(trace.entries) + 1
        log.game = Game([*trace.head.players], named=True)
        log.replayed = _replayed(trace, model)
    elif names is None and any(b'"greToClientEvent"' in (at or b"") for at in file_lines(log.path)):
        log.rows = client_rows(log)
    else:
        log.rows = _line_rows(log, names or Names())
    return log


# lines of any program -----------------------------------------------------------------------------


class _Line(Struct):
    """The contents of one line, in the recorder's words. None, 0 and "" mean no value."""

    game: Any = None
    turn: Annotated[int, Meta(ge=0)] = 0
    player: str | int = ""
    phase: str = ""
    step: str = ""
    players: tuple[str | int, ...] = ()


def _line_rows(log: Log, names: Names) -> Iterator[Row]:
    """Yield the rows of a recording. Raises LogError if it shows none, or too many players."""
    paths = asdict(names.fields)
    for line in log.parsed(lambda line: values_in(line, _Line, paths)):
        game = _game_of(log, line)
        game.turn = line.turn or game.turn
        if line.player != "":
            game.seat = _seat(log, str(line.player))
        game.seats = max(2, len(game.players))
        word = line.step or line.phase
        step = names.steps.get(word, word)
        if step:
            yield log.row(step, word)
    log.end(
        'lines such as {"turn": 1, "player": "Ann", "phase": "beginning", "step": "upkeep"}, a '
        "file of names that says which fields to read, or a client's log: switch on its detailed "
        "logs"
    )


def _game_of(log: Log, line: _Line) -> Game:
    """Return the game that a line is about."""
    again = line.turn == 1 and log.game.turn > 1 and line.game is None
    game = log.at({"game": line.game}, again=again or bool(line.players))
    if line.players:
        game.players = [*map(str, line.players)]
        game.named = True
    return game


def _seat(log: Log, player: str) -> int:
    players = log.game.players
    if player not in players:
        if log.game.named or len(players) == 2:
            raise LogError(
                f"{log.path}: line {log.read}: {player!r} plays beside "
                f"{', '.join(players)}; say who plays, in turn order, by a line "
                '{"players": [...]} before the game'
            )
        players.append(player)
    return players.index(player) + 1


# traces -------------------------------------------------------------------------------------------


def read_trace(path: str | Path, model: Model | None = None) -> Trace:
    """Read a trace, and play it again if a model is given. Raises TraceError, which names the file,
    and LogError if it cannot be read.
    """
    lines = file_lines(Path(path))
    try:
        trace = Trace.read((line or b"(too long)").decode("utf-8-sig", "replace") for line in lines)
        if model is not None:
            trace.replay(model)
    except TraceError as error:
        raise TraceError(f"{path}: {error}", line=error.line) from None
    return trace


def _replayed(trace: Trace, model: Model) -> Iterator[Record]:
    """Play a trace again, and yield what fires. Raises TraceError where something else happens. A
    game may stop anywhere: what would happen after the last line is not asked.
    """
    game = begin_again(trace.head, model)
    for entry in replayed(game, trace.entries):
        if isinstance(entry, Record):
            yield entry


# logs of a commercial client ----------------------------------------------------------------------

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
PHASE_CODES = {
    1: None,  # it begins, before its first step
    2: "precombat_main",
    3: "beginning_of_combat",
    4: "postcombat_main",
    5: "end",
}
_BY_CODE = (
    "untap upkeep draw beginning_of_combat declare_attackers declare_blockers combat_damage "
    "end_of_combat end cleanup first_strike_damage"
)
STEP_CODES = dict(enumerate(_BY_CODE.split(), start=1))
"""The Model's steps by the codes of annotations: that of the phase where that of the step is 0."""
NEW_TURN, NEW_STEP = "AnnotationType_NewTurnStarted", "AnnotationType_PhaseOrStepModified"
_OBJECT = re.compile(rb'\{\s*"')


# the messages of the client -----------------------------------------------------------------------

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


class _ClientLine(_Message, frozen=True):
    gre_to_client_event: _Event = _Event()


_DECODER = msgspec.json.Decoder(_ClientLine)


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


# its rows -----------------------------------------------------------------------------------------


def client_rows(log: Log) -> Iterator[Row]:
    """Yield the rows of a log. Raises LogError if it shows none."""
    for states in log.parsed(_states):
        for state in states:
            game = _client_game(log, state)
            if state.annotations:
                yield from _marked(log, game, state)
            yield from _stated(log, game, state.turn_info)
    log.end(
        "lines of JSON with greToClientEvent and gameStateMessage: switch on the client's detailed "
        "logs and record a game anew (or a trace, or lines of your own; see fsm conform --help)"
    )


def _client_game(log: Log, state: _State) -> Game:
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
            follows = game.turn + 1 if game.turn or game.whole else 0  # 0: it is not known
            game.turn = stated - to_come if stated else follows
        if NEW_STEP in annotation.type and annotation.seat:
            game.seat = annotation.seat
            phase, step = annotation.codes
            name = STEP_CODES.get(step, "") if step else PHASE_CODES.get(phase, "")
            if name is not None:
                yield log.row(name, f"phase {phase}, step {step}")


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
