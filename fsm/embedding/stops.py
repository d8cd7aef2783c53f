"""Stops: who wants to be asked for priority, and when, so that nobody has to pass dozens of times a turn.

By the rules every player is asked at every window, and that is what happens until a player wishes otherwise. Nothing
here changes the course of a turn: whoever is not asked passes. `fsm.embedding.autopass` is a host that does so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, Literal

from fsm.engine.requests import Answer, PlaceTriggers, Position, Priority, Request, Resolve
from fsm.errors import AnswerError, SnapshotError, suggest
from fsm.model import Model

Whose = Literal["any", "own", "others"]
PASS = Answer("passed")
FORMAT = "fsm-stops-1"


@dataclass(frozen=True, slots=True)
class Stop:
    """A step of the model ("" is any), in the player's own turns, those of others, or any."""

    step: str = ""
    turn: Whose = "any"

    def matches(self, player: str, at: Position) -> bool:
        """Does the game stand there, as this player sees it?"""
        own = player == at.active
        return self.step in ("", at.step) and (self.turn == "any" or own == (self.turn == "own"))


@dataclass(frozen=True, slots=True)
class Wishes:
    """What one player wishes.

    `stops` are where to be asked, whatever else is wished. `asleep`: elsewhere only when something has happened:
    another player acted, or abilities triggered or something resolved. `until`: nowhere before this, and not in
    the step visited `since`; then asleep no longer. With `deaf`, nothing that happens wakes. `holds`: keep priority
    after acting, as the rules give it; without, whoever has acted passes once, so that the others can respond.
    """

    stops: frozenset[Stop] = frozenset()
    asleep: bool = False
    until: Stop | None = None
    since: tuple[int, str, int] = (0, "", 0)
    deaf: bool = False
    holds: bool = True


class Stops:
    """The wishes of all players of one game. `asks` decides for a request; `heard` is to be told every answer."""

    def __init__(self, model: Model, players: Iterable[str]) -> None:
        self.steps = tuple(dict.fromkeys(state.name for state in model.of_kind("step")))
        self.wishes = {player: Wishes() for player in players}
        self._happened: set[str] = set()
        self._acted = ""
        self._here = (0, "", 0)

    # as plain data -------------------------------------------------------------------------------------

    def dump(self) -> dict[str, object]:
        """The wishes of all players, and what has happened since they were asked, as plain JSON values: to be kept
        beside the game's snapshot."""
        wishes = {player: _written(now) for player, now in self.wishes.items()}
        seen = {"happened": sorted(self._happened), "acted": self._acted, "here": list(self._here)}
        return {"format": FORMAT, "wishes": wishes, **seen}

    @classmethod
    def load(cls, model: Model, players: Iterable[str], data: object) -> Stops:
        """The stops that were dumped, for these players of a game of this model. Raises SnapshotError saying what does
        not fit."""
        if not isinstance(data, Mapping) or data.get("format") != FORMAT:
            found = data.get("format") if isinstance(data, Mapping) else type(data).__name__
            raise SnapshotError(f'not the stops of a game: "format" must be {FORMAT!r}, not {found!r}')
        with _fitting(model):
            stops, wishes, seen = cls(model, players), _mapping("wishes", data["wishes"]), _read_seen(data)
            for player in (*wishes, *seen.happened, *filter(None, (seen.acted,))):
                stops.of(player)
            stops.wishes = {player: stops._read(player, wishes[player]) for player in stops.wishes}
            stops._happened, stops._acted, stops._here = set(seen.happened), seen.acted, seen.here
        return stops

    def _read(self, player: str, data: object) -> Wishes:
        values = _read_wishes(_mapping(f"what {player} wishes", data))
        if values.pop("is") != "Wishes":
            raise ValueError(f"what {player} wishes is something else")
        now = Wishes(**values)
        for stop in (*now.stops, *filter(None, (now.until,))):
            self._stop(stop.step, stop.turn)
        return now

    # what a player wishes ------------------------------------------------------------------------------

    def of(self, player: str) -> Wishes:
        """The player's wishes as they are. Raises AnswerError for a player who is not in the game."""
        if player not in self.wishes:
            raise AnswerError(f"player {player!r} is not in this game{suggest(player, self.wishes)}")
        return self.wishes[player]

    def stop(self, player: str, step: str, turn: Whose = "any") -> None:
        """Ask at this step. Raises AnswerError for a step that the model does not have."""
        now = self.of(player)
        self.wishes[player] = replace(now, stops=now.stops | {self._stop(step, turn)})

    def unstop(self, player: str, step: str, turn: Whose = "any") -> None:
        """The stop set by the same words is gone."""
        now = self.of(player)
        self.wishes[player] = replace(now, stops=now.stops - {self._stop(step, turn)})

    def sleep(self, player: str, asleep: bool = True) -> None:
        """Pass wherever there is no stop until something happens; or be asked everywhere again."""
        self.wishes[player] = replace(self.of(player), asleep=asleep, until=None, deaf=False)
        self._happened.discard(player)

    def pass_until(self, player: str, step: str = "", turn: Whose = "any", *, deaf: bool = False) -> None:
        """Pass until the next such step, or until something happens unless `deaf`."""
        until = self._stop(step, turn) if step or turn != "any" else None
        self.wishes[player] = replace(self.of(player), asleep=True, until=until, since=self._here, deaf=deaf)
        self._happened.discard(player)

    def hold(self, player: str, holds: bool = True) -> None:
        """Keep priority after acting, or pass once, so that the others can respond."""
        self.wishes[player] = replace(self.of(player), holds=holds)

    def _stop(self, step: str, turn: Whose) -> Stop:
        if step and step not in self.steps:
            raise AnswerError(f"there is no step {step!r} to stop at{suggest(step, self.steps)}")
        if turn not in ("any", "own", "others"):
            raise AnswerError(f"whose turn must be 'any', 'own' or 'others', not {turn!r}")
        return Stop(step, turn)

    # what the game asks --------------------------------------------------------------------------------

    def asks(self, request: Priority) -> bool:
        """Is anybody to be asked? Players who hold priority together are asked if one of them wishes it."""
        at = request.at
        self._here = (at.turn, at.step, at.iteration)
        asked = [self._asks(player, at) for player in request.players]
        return any(asked)

    def _asks(self, player: str, at: Position) -> bool:
        now = self.of(player)
        if self._acted == player and not now.holds:
            return False
        if now.until is not None and now.since != self._here and now.until.matches(player, at):
            self.wishes[player] = now = replace(now, asleep=False, until=None, deaf=False)
        if not now.asleep or any(stop.matches(player, at) for stop in now.stops):
            return True
        return player in self._happened and not now.deaf

    def heard(self, request: Request, answer: Answer) -> None:
        """What was answered: it may be what a sleeping player is to be woken for."""
        if isinstance(request, Priority):
            self._acted = request.player if answer.word == "acted" else ""
            self._happened -= set(request.players)
            if self._acted:
                self._happened |= self.wishes.keys() - set(request.players)
        elif isinstance(request, (PlaceTriggers, Resolve)):
            self._acted = ""
            self._happened |= self.wishes.keys()


# as plain data -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Seen:
    """What stops have seen of a game: who may be woken by what has happened, who acted last, and in which visit."""

    happened: tuple[str, ...] = ()
    acted: str = ""
    here: tuple[int, str, int] = (0, "", 0)


def _written(now: Wishes) -> dict[str, Any]:
    from fsm.engine.codec import encode

    stops = sorted(now.stops, key=lambda stop: (stop.step, stop.turn))
    return {**encode(replace(now, stops=frozenset())), "stops": [encode(stop) for stop in stops]}


def _read_wishes(data: Mapping[str, Any]) -> dict[str, Any]:
    from fsm.engine.decoding import reader_of

    return dict(reader_of((Stop,)).fields(Wishes)({"is": "", **data}))


def _read_seen(data: Mapping[str, Any]) -> Seen:
    from fsm.engine.decoding import reader_of

    rest = {name: value for name, value in data.items() if name not in ("format", "wishes")}
    return Seen(**reader_of(()).fields(Seen)(rest))


def _mapping(what: str, data: object) -> Mapping[str, Any]:
    if not isinstance(data, Mapping) or not all(isinstance(name, str) for name in data):
        raise ValueError(f"{what} must be an object, not {data!r:.60}")
    return data


@contextmanager
def _fitting(model: Model) -> Iterator[None]:
    """Whatever is wrong inside is said of the stops."""
    try:
        yield
    except KeyError as error:
        raise SnapshotError(f"these stops are not whole: {error} is missing") from None
    except (AnswerError, ValueError, TypeError, RecursionError) as error:
        raise SnapshotError(f"these stops do not fit a game of {model.name}: {error}") from None
