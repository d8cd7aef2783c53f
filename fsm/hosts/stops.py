"""Stops say when a player wants to be asked for priority, so that nobody has to pass dozens of
times a turn. `AutoPass` is a host that uses them.

The rules ask every player at every window. Stops do the same until a player wishes otherwise. They
do not change the course of a turn: a player who is not asked passes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
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
    deaf: bool = False
    holds: bool = True


class _State(Struct, omit_defaults=True, forbid_unknown_fields=True):
    """The stops of a game.

    `happened`: the players for whom something has happened since they last had priority or fell
    asleep. `acted`: the player who acted last, if nothing has been placed or resolved since.
    `here`: the visit in which priority was last given.
    """

    format: Literal["fsm-stops-1"]
    wishes: dict[str, Wishes]
    happened: frozenset[str] = frozenset()
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
    """

    def __init__(self, model: Model, players: Iterable[str]) -> None:
        self._last = ""
        places = dict[str, int]()
        for state in model.leaves:
            if state.kind == "window" and state.parent:
                step = model.state(state.parent).name
                places[step] = len(places) + 1
                if state.opens in ("", "natural"):
                    self._last = step
        self.steps: tuple[str, ...] = tuple(places)
        self._places: Mapping[str, int] = {"": 0, **places}
        self._state = _State(FORMAT, {player: Wishes() for player in players})
        self._heard: tuple[Request, frozenset[str], str] | None = None

    @property
    def wishes(self) -> dict[str, Wishes]:
        """The wishes of each player."""
        return self._state.wishes

    # as plain data -------------------------------------------------------------------------------

    def save(self) -> dict[str, Any]:
        """Return the stops as plain JSON values, for `load`. Keep them beside the snapshot of the
        game, unless `AutoPass` is the state of a `History` or of `saving`.
        """
        text = msgspec.json.encode(self._state, order="deterministic")
        return msgspec.json.decode(text)  # type: ignore[no-any-return]

    def load(self, saved: object) -> None:
        """Put the stops back as they were.

        Parameters
        ----------
        saved
            What `save` returned, perhaps after a way through JSON.

        Raises
        ------
        SnapshotError
            If the data is not from `save` or does not fit the model or the players. The message
            says what does not fit.
        """
        try:
            state = msgspec.convert(saved, _State)
            for player, wishes in state.wishes.items():
                self.of(player)
                for stop in (*wishes.stops, wishes.until or Stop()):
                    self._stop(stop.step, stop.turn)
        except (msgspec.ValidationError, AnswerError, RecursionError) as error:
            text = f"these are not the stops of this game ({FORMAT}): {error}"
            raise SnapshotError(text) from None
        state.wishes = dict.fromkeys(self.wishes, Wishes()) | state.wishes
        self._state, self._heard = state, None

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
        return self.wishes[AnswerError.known_name("player", player, self.wishes, "this game")]

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
        self._state.happened -= {player}

    def pass_until(
        self, player: str, step: str = "", turn: Whose = "any", *, deaf: bool = False
    ) -> None:
        """Pass until the next such step, or until something happens.

        If the step does not come in a turn in which it should, the player is asked in the last
        step of that turn.

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
        self._wish(player, asleep=True, until=until, since=self._state.here, deaf=deaf)
        self._state.happened -= {player}

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
            _, self._state.happened, self._state.acted = self._heard
        at = request.at
        self._state.here = at.turn, at.step, at.iteration
        asked = [self._asks(player, at) for player in request.by]
        return any(asked)

    def _asks(self, player: str, at: Position) -> bool:
        now = self.of(player)
        if now.until is not None and self._is_over(now.until, now.since, player, at):
            self.sleep(player, False)
            return True
        if self._state.acted == player and not now.holds:
            return False
        woken = player in self._state.happened and not now.deaf
        return (
            not now.asleep
            or woken
            or any(stop.step in ("", at.step) and stop.counts(player, at) for stop in now.stops)
        )

    def _is_over(self, until: Stop, since: Visit, player: str, at: Position) -> bool:
        """Has the stop come, or is this the last step of a turn in which it should have come?"""
        if since == self._state.here or not until.counts(player, at):
            return False
        turn, step, _ = since
        ahead = at.turn > turn or self._places[step] < self._places[until.step]
        return until.step in ("", at.step) or (ahead and at.step == self._last)

    def heard(self, request: Request, answer: Answer) -> None:
        """Report the answer to a request. It may wake players who are asleep.

        Parameters
        ----------
        request
            The request.
        answer
            The answer that it got.
        """
        self._heard = request, self._state.happened, self._state.acted
        if isinstance(request, Priority):
            self._state.acted = request.player if answer.word == "acted" else ""
            self._state.happened -= set(request.by)
            if self._state.acted:
                self._state.happened |= self.wishes.keys() - set(request.by)
        elif isinstance(request, PlaceTriggers | Resolve):
            self._state.acted = ""
            self._state.happened |= self.wishes.keys()


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
        return self.stops.save()

    def load(self, saved: object) -> None:
        """Put the stops back."""
        self.stops.load(saved)
