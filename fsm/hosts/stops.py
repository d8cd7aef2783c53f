"""Stops say when a player wants to be asked for priority, so that nobody has to pass dozens of
times a turn.

The rules ask every player at every window. Stops do the same until a player wishes otherwise. They
do not change the course of a turn: a player who is not asked passes. `fsm.hosts.autopass` is a
host that uses them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, Literal

from fsm.engine.requests import Answer, PlaceTriggers, Position, Priority, Request, Resolve
from fsm.errors import AnswerError, SnapshotError
from fsm.model import Model

Whose = Literal["any", "own", "others"]
PASS = Answer("passed", automatic=True)
FORMAT = "fsm-stops-1"


@dataclass(frozen=True, slots=True)
class Stop:
    """A step at which a player wants to be asked.

    Attributes
    ----------
    step
        The name of the step, or "" for any step.
    turn
        Whose turns count: "own", "others" or "any".
    """

    step: str = ""
    turn: Whose = "any"

    def matches(self, player: str, at: Position) -> bool:
        """Is the game at this stop, as this player sees it?"""
        own = player == at.active
        return self.step in ("", at.step) and (self.turn == "any" or own == (self.turn == "own"))


@dataclass(frozen=True, slots=True)
class Wishes:
    """What one player wishes.

    Attributes
    ----------
    stops
        Where the player is asked in any case.
    asleep
        Whether the player is asked elsewhere only after something has happened: another player
        acted, triggers were put on the stack, or something resolved.
    until
        The stop that ends the sleep, or None. The visit of a step in which the player fell asleep
        does not count.
    since
        That visit: turn, step and iteration.
    deaf
        Whether nothing that happens wakes the player.
    holds
        Whether the player keeps priority after acting, as the rules say. If not, a player who has
        acted passes once, so that the others can respond.
    """

    stops: frozenset[Stop] = frozenset()
    asleep: bool = False
    until: Stop | None = None
    since: tuple[int, str, int] = (0, "", 0)
    deaf: bool = False
    holds: bool = True


class Stops:
    """The wishes of all players of one game.

    `asks` decides whether a request is put to a player. Report every answer with `heard`.

    Parameters
    ----------
    model
        The model of the game.
    players
        The names of the players.

    Attributes
    ----------
    steps
        The names of the steps at which a player can stop.
    wishes
        The wishes of each player.
    """

    def __init__(self, model: Model, players: Iterable[str]) -> None:
        self.steps: tuple[str, ...] = tuple(
            dict.fromkeys(state.name for state in model.of_kind("step"))
        )
        self.wishes: dict[str, Wishes] = {player: Wishes() for player in players}
        self._happened: set[str] = set()
        self._acted = ""
        self._here = (0, "", 0)

    # as plain data --------------------------------------------------------------------------------

    def dump(self) -> dict[str, object]:
        """Return the stops as plain JSON values, for `load`. Keep them beside the snapshot of the
        game.
        """
        wishes = {player: _written(now) for player, now in self.wishes.items()}
        seen = {"happened": sorted(self._happened), "acted": self._acted, "here": list(self._here)}
        return {"format": FORMAT, "wishes": wishes, **seen}

    @classmethod
    def load(cls, model: Model, players: Iterable[str], data: object) -> Stops:
        """Return the stops that `dump` wrote.

        Parameters
        ----------
        model
            The model of the game.
        players
            The names of the players.
        data
            What `dump` returned, perhaps after a way through JSON.

        Returns
        -------
        Stops
            The stops.

        Raises
        ------
        SnapshotError
            If the data is not from `dump` or does not fit the model or the players. The message
            says what does not fit.
        """
        if not isinstance(data, Mapping) or data.get("format") != FORMAT:
            found = data.get("format") if isinstance(data, Mapping) else type(data).__name__
            raise SnapshotError(
                f'not the stops of a game: "format" must be {FORMAT!r}, not {found!r}'
            )
        with _fitting(model):
            stops, wishes, seen = (
                cls(model, players),
                _mapping("wishes", data["wishes"]),
                _read_seen(data),
            )
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

    # what a player wishes -------------------------------------------------------------------------

    def of(self, player: str) -> Wishes:
        """Return the wishes of a player.

        Parameters
        ----------
        player
            The name of the player.

        Returns
        -------
        Wishes
            The wishes.

        Raises
        ------
        AnswerError
            If the player is not in the game.
        """
        if player not in self.wishes:
            raise AnswerError(
                f"player {player!r} is not in this game",
                kind="unknown-player",
                found=player,
                known=self.wishes,
            )
        return self.wishes[player]

    def stop(self, player: str, step: str, turn: Whose = "any") -> None:
        """Ask the player at this step.

        Parameters
        ----------
        player
            The name of the player.
        step
            The name of a step, or "" for any step.
        turn
            Whose turns count: "own", "others" or "any".

        Raises
        ------
        AnswerError
            If the game has no such player, or the model no such step.
        """
        now = self.of(player)
        self.wishes[player] = replace(now, stops=now.stops | {self._stop(step, turn)})

    def unstop(self, player: str, step: str, turn: Whose = "any") -> None:
        """Remove a stop that was set with the same arguments.

        Parameters
        ----------
        player
            The name of the player.
        step
            The name of a step, or "" for any step.
        turn
            Whose turns count: "own", "others" or "any".

        Raises
        ------
        AnswerError
            If the game has no such player, or the model no such step.
        """
        now = self.of(player)
        self.wishes[player] = replace(now, stops=now.stops - {self._stop(step, turn)})

    def sleep(self, player: str, asleep: bool = True) -> None:
        """Pass until something happens, except at stops.

        Parameters
        ----------
        player
            The name of the player.
        asleep
            False to ask the player everywhere again.

        Raises
        ------
        AnswerError
            If the player is not in the game.
        """
        self.wishes[player] = replace(self.of(player), asleep=asleep, until=None, deaf=False)
        self._happened.discard(player)

    def pass_until(
        self, player: str, step: str = "", turn: Whose = "any", *, deaf: bool = False
    ) -> None:
        """Pass until the next such step, or until something happens.

        Parameters
        ----------
        player
            The name of the player.
        step
            The name of a step, or "" for any step.
        turn
            Whose turns count: "own", "others" or "any".
        deaf
            Whether to pass even if something happens.

        Raises
        ------
        AnswerError
            If the game has no such player, or the model no such step.
        """
        until = self._stop(step, turn) if step or turn != "any" else None
        self.wishes[player] = replace(
            self.of(player), asleep=True, until=until, since=self._here, deaf=deaf
        )
        self._happened.discard(player)

    def hold(self, player: str, holds: bool = True) -> None:
        """Keep priority after acting, as the rules say, or pass once after acting.

        Parameters
        ----------
        player
            The name of the player.
        holds
            False to pass once after acting, so that the others can respond.

        Raises
        ------
        AnswerError
            If the player is not in the game.
        """
        self.wishes[player] = replace(self.of(player), holds=holds)

    def _stop(self, step: str, turn: Whose) -> Stop:
        if step and step not in self.steps:
            raise AnswerError(
                f"there is no step {step!r} to stop at",
                kind="unknown-step",
                found=step,
                known=self.steps,
            )
        if turn not in ("any", "own", "others"):
            raise AnswerError(f"whose turn must be 'any', 'own' or 'others', not {turn!r}")
        return Stop(step, turn)

    # what the game asks ---------------------------------------------------------------------------

    def asks(self, request: Priority) -> bool:
        """Say whether anybody should be asked.

        Parameters
        ----------
        request
            The request. Players who have priority together are asked if one of them wants it.

        Returns
        -------
        bool
            Whether the request should be put to a player.
        """
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
        """Report the answer to a request. It may wake players who are asleep.

        Parameters
        ----------
        request
            The request.
        answer
            The answer that it got.
        """
        if isinstance(request, Priority):
            self._acted = request.player if answer.word == "acted" else ""
            self._happened -= set(request.players)
            if self._acted:
                self._happened |= self.wishes.keys() - set(request.players)
        elif isinstance(request, (PlaceTriggers, Resolve)):
            self._acted = ""
            self._happened |= self.wishes.keys()


# as plain data ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Seen:
    """What the stops have recorded of a game.

    Attributes
    ----------
    happened
        The players for whom something has happened since they last had priority or fell asleep.
    acted
        The player who acted last, if nothing has been placed or resolved since.
    here
        The visit of a step in which priority was last given: turn, step and iteration.
    """

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
    """Turn the errors that are raised inside into a SnapshotError about the stops."""
    try:
        yield
    except KeyError as error:
        raise SnapshotError(f"these stops are not whole: {error} is missing") from None
    except (AnswerError, ValueError, TypeError, RecursionError) as error:
        raise SnapshotError(f"these stops do not fit a game of {model.name}: {error}") from None
