"""Stops say when a player wants to be asked for priority, so that nobody has to pass dozens of
times a turn.

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

    def is_at(self, player: str, at: Position, *steps: str) -> bool:
        """Is this the step, or one of others, in a turn that counts?"""
        counts = self.turn == "any" or (player == at.active) == (self.turn == "own")
        return counts and (self.step in ("", at.step) or at.step in steps)


NO_STOP = Stop()


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
        The stop that ends the sleep. "" in any turn is none.
    since
        The visit of a step in which the player fell asleep. It does not end the sleep.
    deaf
        Whether nothing that happens wakes the player.
    """

    stops: tuple[Stop, ...] = ()
    asleep: bool = False
    until: Stop = NO_STOP
    since: Visit = (0, "", 0)
    deaf: bool = False


class _State(Struct, omit_defaults=True, forbid_unknown_fields=True):
    """The stops of a game.

    `happened`: the players for whom something has happened since they last had priority or fell
    asleep. `here`: the visit in which priority was last given.
    """

    format: Literal["fsm-stops-1"]
    wishes: dict[str, Wishes]
    happened: frozenset[str] = frozenset()
    here: Visit = (0, "", 0)


class Stops(WrappingHost):
    """The wishes of all players of one game: a host that passes for those who do not want to be
    asked. You may change them at any time. A change holds from the next request on.

    `asks` decides whether a request is put to a player. Report every answer with `heard`. `drive`
    does both.

    Parameters
    ----------
    model
        The model of the game.
    players
        The names of the players.
    host
        The host that answers everything else. It may be one for asyncio, and wrap another.

    Attributes
    ----------
    steps
        The names of the steps at which a player can stop: those in which players get priority.
    """

    def __init__(self, model: Model, players: Iterable[str], host: Any = None) -> None:
        self.host: Any = host
        steps = dict[str, bool]()
        for state in model.leaves:
            if state.kind == "window" and state.parent:
                name = model.state(state.parent).name
                steps[name] = steps.get(name, False) or state.opens in ("", "natural")
        self.steps: tuple[str, ...] = tuple(steps)
        self._last = [step for step, always in steps.items() if always][-1:]
        self._state = _State(FORMAT, dict.fromkeys(players, Wishes()))
        self._heard: tuple[Request | None, frozenset[str]] = None, frozenset()

    @property
    def wishes(self) -> dict[str, Wishes]:
        """The wishes of each player."""
        return self._state.wishes

    # as plain data -------------------------------------------------------------------------------

    def save(self) -> dict[str, Any]:
        """Return the stops as plain JSON values, for `load`. Keep them beside the snapshot of the
        game, unless they are the state of a `History` or of `saving`.
        """
        text = msgspec.json.encode(self._state, order="sorted")
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
                for stop in (*wishes.stops, wishes.until):
                    self._stop(stop.step, stop.turn)
        except (msgspec.ValidationError, AnswerError, RecursionError) as error:
            text = f"these are not the stops of this game ({FORMAT}): {error}"
            raise SnapshotError(text) from None
        state.wishes = dict.fromkeys(self.wishes, Wishes()) | state.wishes
        self._state = state
        self._heard = None, state.happened

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

    def stop(self, player: str, step: str, turn: Whose = "any", *, on: bool = True) -> None:
        """Ask the player at this step.

        Parameters
        ----------
        player
            The name of the player.
        step
            The name of a step, or "" for any step.
        turn
            Whose turns count: "own", "others" or "any".
        on
            False to remove the stop that was set with the same arguments.

        Raises
        ------
        AnswerError
            If the game has no such player, or the model no such step, or players get no priority
            in it.
        """
        stop = self._stop(step, turn)
        others = [other for other in self.of(player).stops if other != stop]
        self._wish(player, stops=(*others, stop) if on else tuple(others))

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
        self._wish(player, asleep=asleep, until=NO_STOP, deaf=False)
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
        until = self._stop(step, turn)
        self.sleep(player)
        self._wish(player, until=until, since=self._state.here, deaf=deaf)

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
        state = self._state
        if self._heard[0] is request:  # the answer was refused
            state.happened = self._heard[1]
        at = request.at
        state.here = at.turn, at.step, at.iteration
        asked = [self._asks(player, at) for player in request.by]
        return any(asked)

    def _asks(self, player: str, at: Position) -> bool:
        now = self.of(player)
        if now.until != NO_STOP and self._is_over(now, player, at):
            self.sleep(player, False)
            return True
        woken = player in self._state.happened and not now.deaf
        stops = [stop for stop in now.stops if stop.is_at(player, at)]
        return not now.asleep or woken or bool(stops)

    def _is_over(self, now: Wishes, player: str, at: Position) -> bool:
        """Has the stop come, or is this the last step of a turn in which it should have come?"""
        turn, step, _ = now.since
        known = ["", *self.steps]
        ahead = at.turn > turn or known.index(step) < known.index(now.until.step)
        last = self._last if ahead else ()
        return now.since != self._state.here and now.until.is_at(player, at, *last)

    def heard(self, request: Request, answer: Answer) -> None:
        """Report the answer to a request. It may wake players who are asleep.

        Parameters
        ----------
        request
            The request.
        answer
            The answer that it got.
        """
        state = self._state
        self._heard = request, state.happened
        if isinstance(request, Priority):
            state.happened -= set(request.by)
        if answer.word == "acted":
            state.happened |= self.wishes.keys() - set(request.by)
        elif isinstance(request, PlaceTriggers | Resolve):
            state.happened |= self.wishes.keys()

    def instead(self, request: Request) -> Answer | None:
        """Pass for players who do not want to be asked."""
        return None if self.asks(request) else PASS
