"""Recorded games of a commercial client: its log as a stream of observations of the turn.

The reader uses what the client states: turn, active player, phase, step, and the annotations that
mark each change of them. It ignores what the client predicts. Memory use does not grow with the
length of the log.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from fsm.conformance.observations import Level, Observation
from fsm.conformance.recordings.clientlines import ClientMessage, read_line
from fsm.errors import LogError
from fsm.files import LINE_LIMIT, DamagedLine, file_lines

WORD_LIMIT = 80
Line: TypeAlias = "str | bytes | None"


@dataclass(frozen=True, slots=True)
class ClientStep:
    """A phase or step in the client's words, with its annotation codes and the Model's names."""

    phase_word: str
    step_word: str
    phase_code: int
    step_codes: tuple[int, ...]
    phase: str
    step: str
    word: str = field(init=False)
    """The client's words for it."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "word", f"{self.phase_word} {self.step_word}".strip())


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
_BY_CODE = {(s.phase_code, code): s for s in VOCABULARY for code in s.step_codes}


class ArenaLog:
    """A log as a stream of observations. Iterating reads it.

    `read` and `skipped_lines` count the lines read so far, and the damaged ones among them: cut
    off, malformed, or longer than `limit` bytes. Iterating raises LogError if the log cannot be
    opened or ends without a turn.
    """

    def __init__(
        self, lines: Iterable[Line], *, name: str = "the log", limit: int = LINE_LIMIT
    ) -> None:
        self.name, self.limit = name, limit
        self.read = self.skipped_lines = 0
        self._source: Callable[[], Iterable[Line]] = lambda: lines

    @classmethod
    def open(cls, path: str | Path, *, limit: int = LINE_LIMIT) -> ArenaLog:
        """Return the log in this file. The file is open only during iteration."""
        log = cls((), name=str(path), limit=limit)
        log._source = lambda: file_lines(Path(path), limit)
        return log

    def __iter__(self) -> Iterator[Observation]:
        self.read = self.skipped_lines = 0
        reader, seen, first = _ClientReader(), False, 0
        for number, line in enumerate(self._source(), 1):
            self.read = number
            try:
                messages = read_line(line, self.limit)
            except DamagedLine:
                self.skipped_lines += 1
                first = first or number
                reader.damaged += 1
                continue
            for message in messages:
                for observation in reader.take(message, number):
                    seen = True
                    yield observation
        if not seen:
            raise LogError(self._empty(reader, first))

    def _empty(self, reader: _ClientReader, damaged: int) -> str:
        what = (
            "has game messages, but none tells turn, phase or step"
            if reader.game
            else "shows no game"
        )
        first = f"; the first of them is line {damaged}" if damaged else ""
        return (
            f"{self.name}: {what} ({self.read} lines read, {self.skipped_lines} damaged{first}); wanted are lines of "
            f"JSON with greToClientEvent and gameStateMessage: switch on the client's detailed logs and record a game "
            f"anew (or a trace, or lines of your own; see fsm conform --help)"
        )


class _ClientReader:
    """Collects what the log has stated about the current game. Messages are processed one by one."""

    def __init__(self) -> None:
        self.game = self.damaged = self.line = 0
        self._reset()

    def _reset(self) -> None:
        self.identity: tuple[object, object] = (None, None)
        self.turn = self.seat = 0
        self.seats: tuple[int, ...] = (1, 2)
        self.complete = False
        self.current_step: ClientStep | None = None
        self.started = self.shown = self.played = False

    def take(self, message: ClientMessage, line: int) -> Iterator[Observation]:
        """Yield the observations of one message in order."""
        self._check_game(message)
        self.line, self.seats = line, message.seats or self.seats
        if message.annotations:
            yield from self._annotated(message)
        seen = self._stated(message)
        if seen is not None:
            yield seen

    def _check_game(self, message: ClientMessage) -> None:
        """Start afresh if the message belongs to another game."""
        match, number = message.game
        old_match, old_number = self.identity
        other = (match is not None and old_match is not None and match != old_match) or (
            number is not None and old_number is not None and number != old_number
        )
        again = message.starts and (self.played or (message.whole and self.shown))
        if not self.game or other or again:
            self._reset()
            self.game += 1
        self.started |= message.starts
        self.identity = (match or self.identity[0], number or self.identity[1])

    def _annotated(self, message: ClientMessage) -> Iterator[Observation]:
        to_come = sum(annotation.codes is None for annotation in message.annotations)
        sure = bool(to_come) or message.turn in (None, self.turn)
        for position, annotation in enumerate(message.annotations, 1):
            if annotation.codes is not None:
                last = message.turn if position == len(message.annotations) else 0
                yield self._annotated_step(
                    annotation.codes, annotation.seat, self.turn if sure else last or 0
                )
                continue
            to_come -= 1
            counted = self.turn + 1 if self.turn or self.started else 0
            yield self._turn(
                max(0, message.turn - to_come) if message.turn else counted, annotation.seat
            )

    def _annotated_step(self, codes: tuple[int, int], seat: int, turn: int) -> Observation:
        """Return the step of an annotation. Annotations have no turn, so it is 0 if it may have
        changed.
        """
        self.complete, self.turn = True, turn
        return self._step(_BY_CODE.get(codes), seat, f"phase code {codes[0]}, step code {codes[1]}")

    def _stated(self, message: ClientMessage) -> Observation | None:
        turn, seat = message.turn or self.turn, message.seat or self.seat
        news = self.turn not in (0, turn) or self.seat not in (0, seat)
        self.turn, self.seat = turn, seat
        if message.phase_word or message.step_word:
            current_step = self._stated_step(message)
            if (
                news
                or not self.shown
                or current_step is None
                or current_step is not self.current_step
            ):
                return self._step(
                    current_step, seat, f"{message.phase_word} {message.step_word}".strip()
                )
        elif news and self.shown:
            return self._turn(turn, seat)
        return None

    def _stated_step(self, message: ClientMessage) -> ClientStep | None:
        """Return the phase or step that is stated. A phase without its step is not new while it is
        under way.
        """
        here = self.current_step.phase_word if self.current_step else ""
        found = _BY_WORD.get((message.phase_word or here, message.step_word))
        return (
            self.current_step if found and not found.step and message.phase_word == here else found
        )

    def _turn(self, turn: int, seat: int) -> Observation:
        self.turn, self.seat, self.current_step = turn, seat, None
        return self._seen("turn", "a new turn")

    def _step(self, current_step: ClientStep | None, seat: int, word: str) -> Observation:
        self.seat, self.current_step, self.played = seat, current_step, True
        if current_step is None:
            return self._seen("step", word[:WORD_LIMIT])
        level: Level = "step" if current_step.step else "phase"
        return self._seen(level, current_step.word, current_step.phase, current_step.step)

    def _seen(self, level: Level, word: str, phase: str = "", step: str = "") -> Observation:
        joined = not self.shown and not self.started and self.turn > 1
        damaged, self.damaged, self.shown = self.damaged, 0, True
        return Observation(
            self.line,
            self.turn,
            self.seat,
            phase,
            step,
            level,
            self.game,
            word,
            self.seats,
            self.complete,
            joined,
            damaged,
        )
