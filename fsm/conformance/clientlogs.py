"""Recorded games of a commercial client: its log as a stream of observations of the turn.

The reader uses what the client states: turn, active player, phase, step, and the annotations that
mark each change of them. It ignores what the client predicts. Only the JSON in a line counts;
headers and other text are ignored. Memory use does not grow with the length of the log.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Annotated, Any, NamedTuple, TypeAlias

import msgspec
from msgspec import Meta, Struct

from fsm.conformance.rows import Level, LineLog, Observation
from fsm.files import DamagedLine


class ClientStep(NamedTuple):
    """A phase or step in the client's words, with its annotation codes and the Model's names."""

    phase_word: str
    step_word: str
    phase_code: int
    step_codes: tuple[int, ...]
    phase: str
    step: str


VOCABULARY: tuple[ClientStep, ...] = (
    ClientStep("Phase_Beginning", "Step_Untap", 1, (1,), "beginning", "untap"),
    ClientStep("Phase_Beginning", "Step_Upkeep", 1, (2,), "beginning", "upkeep"),
    ClientStep("Phase_Beginning", "Step_Draw", 1, (3,), "beginning", "draw"),
    ClientStep("Phase_Main1", "", 2, (0,), "precombat_main", "precombat_main"),
    ClientStep("Phase_Combat", "Step_BeginCombat", 3, (0, 4), "combat", "beginning_of_combat"),
    ClientStep("Phase_Combat", "Step_DeclareAttack", 3, (5,), "combat", "declare_attackers"),
    ClientStep("Phase_Combat", "Step_DeclareBlock", 3, (6,), "combat", "declare_blockers"),
    ClientStep("Phase_Combat", "Step_FirstStrikeDamage", 3, (11,), "combat", "first_strike_damage"),
    ClientStep("Phase_Combat", "Step_CombatDamage", 3, (7,), "combat", "combat_damage"),
    ClientStep("Phase_Combat", "Step_EndCombat", 3, (8,), "combat", "end_of_combat"),
    ClientStep("Phase_Main2", "", 4, (0,), "postcombat_main", "postcombat_main"),
    ClientStep("Phase_Ending", "Step_End", 5, (0, 9), "ending", "end"),
    ClientStep("Phase_Ending", "Step_Cleanup", 5, (10,), "ending", "cleanup"),
    ClientStep("Phase_Beginning", "", 1, (0,), "beginning", ""),
    ClientStep("Phase_Combat", "", 3, (), "combat", ""),
    ClientStep("Phase_Ending", "", 5, (), "ending", ""),
)
"""All phases and steps of the client. An entry without a step names a phase alone."""

_BY_WORD = {(s.phase_word, s.step_word): s for s in VOCABULARY}
_BY_CODE = dict[tuple[int, int], ClientStep]()
for _one in VOCABULARY:
    _BY_CODE |= {(_one.phase_code, code): _one for code in _one.step_codes}
_NOTHING = {"Phase_None": "", "Step_None": ""}
_OBJECT = re.compile(rb'\{\s*"')


# the messages of the client, as far as they are read ----------------------------------------------

Natural = Annotated[int, Meta(ge=0)]


class _Detail(Struct, rename="camel", gc=False):
    key: str = ""
    value_int32: list[int] = []


class _Annotation(Struct, rename="camel", gc=False):
    type: list[str] = []
    affected_ids: list[Natural] = []
    details: list[_Detail] = []

    def codes(self) -> tuple[int, int]:
        """Return the codes of the phase and the step."""
        codes = {detail.key: [*detail.value_int32, 0][0] for detail in self.details}
        return codes.get("phase", 0), codes.get("step", 0)


class _Turn(Struct, frozen=True, rename="camel", gc=False):
    turn_number: Natural = 0
    active_player: Natural = 0
    phase: str = ""
    step: str = ""


class _Player(Struct, rename="camel", gc=False):
    system_seat_number: Natural = 0


class _Game(Struct, frozen=True, rename="camel", gc=False):
    stage: str = ""
    match: Any = msgspec.field(name="matchID", default=None)
    number: Any = msgspec.field(name="gameNumber", default=None)


class _State(Struct, rename="camel", gc=False):
    type: str = ""
    game_info: _Game = _Game()
    turn_info: _Turn = _Turn()
    players: list[_Player] = []
    annotations: list[_Annotation] = []

    def marks(self) -> list[_Mark]:
        """Return the marks of turns, phases and steps that begin, in order."""
        found = list[_Mark]()
        for annotation in self.annotations:
            seat = annotation.affected_ids[0] if annotation.affected_ids else 0
            if "AnnotationType_NewTurnStarted" in annotation.type:
                found.append((seat, None))
            if "AnnotationType_PhaseOrStepModified" in annotation.type and seat:
                found.append((seat, annotation.codes()))
        return found


_Mark: TypeAlias = tuple[int, tuple[int, int] | None]
"""The active seat, and the codes of the phase and step that begin, or None for a turn."""


class _Message(Struct, rename="camel", gc=False):
    game_state_message: _State | None = None


class _Event(Struct, frozen=True, rename="camel", gc=False):
    gre_to_client_messages: list[_Message] = []


class _Line(Struct, rename="camel", gc=False):
    gre_to_client_event: _Event = _Event()


_DECODER = msgspec.json.Decoder(_Line)


class ArenaLog(LineLog):
    """A log as a stream of observations. Iterating reads it."""

    wanted = (
        "lines of JSON with greToClientEvent and gameStateMessage: switch on the client's detailed "
        "logs and record a game anew (or a trace, or lines of your own; see fsm conform --help)"
    )

    def forget(self) -> None:
        """Forget the game that was read before."""
        super().forget()
        self.identity: tuple[object, object] = (None, None)
        self.current_step: ClientStep | None = None
        self.played = False

    def observed(self, line: bytes) -> Iterable[Observation]:
        """Return the observations in a line. Most lines have none. Raises DamagedLine."""
        begins, end = _OBJECT.search(line), line.rfind(b"}") + 1
        if begins is None:
            return ()
        try:
            found = _DECODER.decode(line[begins.start() : end or len(line)])
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            raise DamagedLine(str(error)) from None
        messages = found.gre_to_client_event.gre_to_client_messages
        states = (message.game_state_message for message in messages)
        return chain.from_iterable(self._observed(state) for state in states if state is not None)

    # what the log has stated about the current game -----------------------------------------------

    def _observed(self, message: _State) -> Iterator[Observation]:
        self._check_game(message)
        seats = {player.system_seat_number for player in message.players} - {0}
        self.seats = tuple(sorted(seats)) or self.seats
        marks = message.marks()
        if marks:
            yield from self._marked(message.turn_info.turn_number, marks)
        yield from self._stated(message.turn_info)

    def _check_game(self, message: _State) -> None:
        """Start afresh if the message belongs to another game."""
        match, number = message.game_info.match, message.game_info.number
        changes = zip((match, number), self.identity, strict=True)
        other = any(None not in change and change[0] != change[1] for change in changes)
        starts = message.game_info.stage == "GameStage_Start"
        whole = message.type == "GameStateType_Full"
        again = starts and (self.played or (whole and self.shown))
        if not self.game or other or again:
            self.forget()
            self.game += 1
        self.started |= starts
        self.identity = (match or self.identity[0], number or self.identity[1])

    def _marked(self, turn: int, marks: list[_Mark]) -> Iterator[Observation]:
        """Yield what marks say. Those of steps have no turn, so it is 0 if it may have changed."""
        to_come = sum(codes is None for _, codes in marks)
        sure = bool(to_come) or turn in (0, self.turn)
        for position, (seat, codes) in enumerate(marks, 1):
            if codes is None:
                to_come -= 1
                counted = self.turn + 1 if self.turn or self.started else 0
                yield self._turn(max(0, turn - to_come) if turn else counted, seat)
                continue
            if not sure:
                self.turn = turn if position == len(marks) else 0
            word = f"phase code {codes[0]}, step code {codes[1]}"
            yield self._step(_BY_CODE.get(codes), seat, word)

    def _stated(self, info: _Turn) -> Iterator[Observation]:
        """Yield what is stated and was not known."""
        turn, seat = info.turn_number or self.turn, info.active_player or self.seat
        news = self.turn not in (0, turn) or self.seat not in (0, seat)
        self.turn, self.seat = turn, seat
        phase, step = _NOTHING.get(info.phase, info.phase), _NOTHING.get(info.step, info.step)
        if phase or step:
            stated = self._stated_step(phase, step)
            if news or not self.shown or stated is None or stated is not self.current_step:
                yield self._step(stated, seat, f"{phase} {step}".strip())
        elif news and self.shown:
            yield self._turn(turn, seat)

    def _stated_step(self, phase: str, step: str) -> ClientStep | None:
        """Return the phase or step that is stated. A phase without its step is not new while it is
        under way.
        """
        now = self.current_step.phase_word if self.current_step else ""
        found = _BY_WORD.get((phase or now, step))
        return self.current_step if found and not found.step and phase == now else found

    def _turn(self, turn: int, seat: int) -> Observation:
        self.turn, self.seat, self.current_step = turn, seat, None
        return self.seen("turn", "a new turn")

    def _step(self, current_step: ClientStep | None, seat: int, word: str) -> Observation:
        self.seat, self.current_step, self.played = seat, current_step, True
        if current_step is None:
            return self.seen("step", word)
        level: Level = "step" if current_step.step else "phase"
        return self.seen(level, word, current_step.phase, current_step.step)
