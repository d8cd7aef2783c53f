"""Stops say when a player wants to be asked for priority, so that nobody has to pass dozens of
times a turn. `AutoPass` is a host that uses them.

The rules ask every player at every window. Stops do the same until a player wishes otherwise. They
do not change the course of a turn: a player who is not asked passes.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from fsm.engine.requests import Answer, PlaceTriggers, Position, Priority, Request, Resolve
from fsm.errors import AnswerError, SnapshotError
from fsm.hosts.driving import WrappingHost
from fsm.model import Model

Whose = Literal["any", "own", "others"]
Visit = tuple[int, str, int]
"""A visit of a step: turn, step and iteration."""
PASS = Answer("passed", automatic=True)
FORMAT: Literal["fsm-stops-1"] = "fsm-stops-1"


class Stop(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
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

    def counts(self, player: str, at: Position) -> bool:
        """Is this one of the turns that count?"""
        return self.turn == "any" or (player == at.active) == (self.turn == "own")

    def matches(self, player: str, at: Position) -> bool:
        """Is the game at this stop, as this player sees it?"""
        return self.step in ("", at.step) and self.counts(player, at)


class Wishes(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What one player wishes.

    Attributes
    ----------
    stops
        Where the player is asked in any case.
    asleep
        Whether the player is not asked elsewhere until something happens: another player acts,
        triggers are put on the stack, or something resolves.
    until
        The stop that ends the sleep, or None.
    since
        The visit of a step in which the player fell asleep. It does not end the sleep.
    due
        The number of the turn in which that stop should come, or 0 if no such turn has begun.
    deaf
        Whether nothing that happens wakes the player.
    holds
        Whether the player keeps priority after acting, as the rules say. If not, a player who has
        acted passes once, so that the others can respond.
    """

    stops: tuple[Stop, ...] = ()
    asleep: bool = False
    until: Stop | None = None
    since: Visit = (0, "", 0)
    due: int = 0
    deaf: bool = False
    holds: bool = True


class _Saved(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The stops of a game as they are written.

    `happened`: the players for whom something has happened since they last had priority or fell
    asleep. `acted`: the player who acted last, if nothing has been placed or resolved since.
    `here`: the visit in which priority was last given.
    """

    format: Literal["fsm-stops-1"]
    wishes: dict[str, Wishes]
    happened: list[str] = []
    acted: str = ""
    here: Visit = (0, "", 0)


class Stops:
    """The wishes of all players of one game.

    `asks` decides whether a request is put to a player. Report every answer with `heard`.
    `AutoPass` does both.

    Parameters
    ----------
    model
        The model of the game.
    players
        The names of the players.

    Attributes
    ----------
    steps
        The names of the steps at which a player can stop: those in which players get priority.
    wishes
        The wishes of each player.
    """

    def __init__(self, model: Model, players: Iterable[str]) -> None:
        windows = {
            model.state(state.parent).name: state.opens
            for state in model.leaves
            if state.kind == "window" and state.parent
        }
        self.steps: tuple[str, ...] = tuple(windows)
        self._order = ("", *windows)
        self._last = ([""] + [step for step in windows if windows[step] in ("", "natural")])[-1]
        self.wishes: dict[str, Wishes] = {player: Wishes() for player in players}
        self._happened, self._acted = frozenset[str](), ""
        self._here: Visit = (0, "", 0)
        self._heard: tuple[Request, frozenset[str], str] | None = None

    # as plain data -------------------------------------------------------------------------------

    def dump(self) -> dict[str, Any]:
        """Return the stops as plain JSON values, for `load`. Keep them beside the snapshot of the
        game, unless `AutoPass` is the state of a `History` or of `saving`.
        """
        happened = sorted(self._happened)
        saved = _Saved(FORMAT, self.wishes, happened, self._acted, self._here)
        found: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(saved))
        return found

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
        stops = cls(model, players)
        stops.put_back(data)
        return stops

    def put_back(self, data: object) -> None:
        """Wish again what `dump` returned. Raises SnapshotError if it does not fit the game."""
        try:
            saved = msgspec.convert(data, _Saved)
            for player, now in saved.wishes.items():
                self.of(player)
                for stop in (*now.stops, now.until or Stop()):
                    self._stop(stop.step, stop.turn)
        except (msgspec.ValidationError, AnswerError, RecursionError) as error:
            text = f"these are not the stops of this game ({FORMAT}): {error}"
            raise SnapshotError(text) from None
        self.wishes = {player: saved.wishes.get(player, Wishes()) for player in self.wishes}
        self._happened, self._acted = frozenset(saved.happened), saved.acted
        self._here, self._heard = saved.here, None

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
            If the game has no such player, or the model no such step, or players get no priority
            in it.
        """
        stops = (*self.of(player).stops, self._stop(step, turn))
        self._wish(player, stops=tuple(dict.fromkeys(stops)))

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
            If the game has no such player, or the model no such step, or players get no priority
            in it.
        """
        stops, removed = self.of(player).stops, self._stop(step, turn)
        self._wish(player, stops=tuple(stop for stop in stops if stop != removed))

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
        self._wish(player, asleep=asleep, until=None, deaf=False)
        self._happened -= {player}

    def pass_until(
        self, player: str, step: str = "", turn: Whose = "any", *, deaf: bool = False
    ) -> None:
        """Pass until the next such step, or until something happens.

        If the step does not come in the turn in which it should, the player is asked at the end of
        that turn.

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
            If the game has no such player, or the model no such step, or players get no priority
            in it.
        """
        until = self._stop(step, turn) if step or turn != "any" else None
        self._wish(player, asleep=True, until=until, since=self._here, due=0, deaf=deaf)
        self._happened -= {player}

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
        self._wish(player, holds=holds)

    def _wish(self, player: str, **changes: Any) -> None:
        self.wishes[player] = replace(self.of(player), **changes)

    def _stop(self, step: str, turn: Whose) -> Stop:
        if step and step not in self.steps:
            text = f"nobody gets priority in {step!r}, so that nobody can stop there"
            raise AnswerError(text, kind="unknown-step", found=step, known=self.steps)
        if turn not in ("any", "own", "others"):
            raise AnswerError(f"whose turn must be 'any', 'own' or 'others', not {turn!r}")
        return Stop(step, turn)

    # what the game asks --------------------------------------------------------------------------

    def asks(self, request: Request) -> bool:
        """Say whether anybody should be asked.

        Parameters
        ----------
        request
            The request. Only for priority it may be that nobody is asked. Players who have priority
            together are asked if one of them wants it.

        Returns
        -------
        bool
            Whether the request should be put to a player.
        """
        if not isinstance(request, Priority):
            return True
        if self._heard is not None and self._heard[0] is request:  # the answer was refused
            _, self._happened, self._acted = self._heard
        at = request.at
        self._here = at.turn, at.step, at.iteration
        asked = [self._asks(player, at) for player in request.by]
        return any(asked)

    def _asks(self, player: str, at: Position) -> bool:
        now = self.of(player)
        if now.until is not None and now.since != self._here:
            due = self._due(player, now.until, now.since, at)
            is_past = self._order.index(now.until.step) < self._order.index(at.step)
            late = due and is_past and at.step == self._last
            if late or 0 < now.due < at.turn or now.until.matches(player, at):
                self.sleep(player, False)
                return True
            self._wish(player, due=due or now.due)
        if self._acted == player and not now.holds:
            return False
        woken = player in self._happened and not now.deaf
        return not now.asleep or woken or any(stop.matches(player, at) for stop in now.stops)

    def _due(self, player: str, until: Stop, since: Visit, at: Position) -> int:
        """Return the number of this turn if a stop should come in it, else 0."""
        turn, step, _ = since
        ahead = at.turn > turn or self._order.index(step) < self._order.index(until.step)
        return at.turn if until.step and ahead and until.counts(player, at) else 0

    def heard(self, request: Request, answer: Answer) -> None:
        """Report the answer to a request. It may wake players who are asleep.

        Parameters
        ----------
        request
            The request.
        answer
            The answer that it got.
        """
        self._heard = request, self._happened, self._acted
        if isinstance(request, Priority):
            self._acted = request.player if answer.word == "acted" else ""
            self._happened -= set(request.by)
            if self._acted:
                self._happened |= self.wishes.keys() - set(request.by)
        elif isinstance(request, PlaceTriggers | Resolve):
            self._acted = ""
            self._happened |= self.wishes.keys()


class AutoPass(WrappingHost):
    """A host that passes for players who do not want to be asked.

    Parameters
    ----------
    host
        The host that answers everything else. It may be one for asyncio, and wrap another.
    stops
        When players want to be asked for priority. You may change the stops at any time. A change
        holds from the next request on.
    """

    def __init__(self, host: object, stops: Stops) -> None:
        self.host: Any = host
        self.stops: Stops = stops

    def instead(self, request: Request) -> Answer | None:
        """Pass for players who do not want to be asked."""
        return None if self.stops.asks(request) else PASS

    def heard(self, request: Request, answer: Answer) -> None:
        """Tell the stops, since what happens wakes players who are asleep."""
        self.stops.heard(request, answer)

    def save(self) -> dict[str, Any]:
        """Return the stops as plain JSON values."""
        return self.stops.dump()

    def load(self, saved: object) -> None:
        """Put the stops back."""
        self.stops.put_back(saved)
