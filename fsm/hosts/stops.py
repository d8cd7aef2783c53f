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

from fsm.engine.requests import Answer, PlaceTriggers, Position, Priority, Request, Resolve
from fsm.errors import AnswerError, SnapshotError
from fsm.hosts.host import WrappingHost
from fsm.model import Model

Whose = Literal["any", "own", "others"]
Visit = tuple[int, str, int]
"""A visit of a step: turn, step and iteration."""
NOWHERE: Visit = (0, "", 0)
PASS = Answer("passed", automatic=True)


class _Saved(Struct, omit_defaults=True, forbid_unknown_fields=True):
    """A value that is saved as plain JSON values."""


class Stop(_Saved):
    """A step at which a player wants to be asked.

    Attributes
    ----------
    step
        The name of the step, or "" for any step.
    turn
        Whose turns count: "own", "others" or "any".
    since
        For a stop that ends a sleep: the visit of a step in which the player fell asleep.
    """

    step: str = ""
    turn: Whose = "any"
    since: Visit = NOWHERE

    def is_at(self, player: str, at: Position, *steps: str) -> bool:
        """Is this the step, or one of others, in a turn that counts?"""
        counts = self.turn == "any" or (player == at.active) == (self.turn == "own")
        return counts and (self.step in ("", at.step) or at.step in steps)


class Wishes(_Saved):
    """What one player wishes. The methods of `Stops` change it, after checks.

    Attributes
    ----------
    stops
        Where the player is asked in any case.
    asleep
        Whether the player is not asked elsewhere until something happens: another player acts,
        triggers are put on the stack, or something resolves.
    until
        The stop that ends the sleep, if one does.
    """

    stops: list[Stop] = []
    asleep: bool = False
    until: Stop | None = None


class _State(_Saved):
    """The stops of a game.

    `happened`: the players for whom something has happened since they last had priority or fell
    asleep. `here`: the visit in which priority was last given.
    """

    wishes: dict[str, Wishes]
    happened: frozenset[str] = frozenset()
    here: Visit = NOWHERE


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
        windows = [state for state in model.leaves if state.kind == "window" and state.parent]
        names = {state.id: model.state(state.parent).name for state in windows}
        self.steps: tuple[str, ...] = tuple(dict.fromkeys(names.values()))
        self._last = [names[one.id] for one in windows if one.opens in ("", "natural")][-1:]
        self._state = _State({player: Wishes() for player in players})
        self._heard: tuple[Request | None, frozenset[str]] = None, frozenset()

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
                for stop in (*wishes.stops, wishes.until or Stop()):
                    self._check(stop.step, stop.since[1])
        except (msgspec.ValidationError, AnswerError, RecursionError) as error:
            raise SnapshotError(f"these are not the stops of this game: {error}") from None
        state.wishes = self._state.wishes | state.wishes
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
        wishes = self._state.wishes
        return wishes[AnswerError.known_name("player", player, wishes, "this game")]

    def stop(self, player: str, step: str, turn: Whose = "any") -> None:
        """Ask the player at this step. To end that, take the stop out of `of(player).stops`.

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
        stop = self._stop(step, turn)
        stops = self.of(player).stops
        if stop not in stops:
            stops.append(stop)

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
        wishes = self.of(player)
        wishes.asleep = asleep
        wishes.until = None
        self._state.happened -= {player}

    def pass_until(self, player: str, step: str = "", turn: Whose = "any") -> None:
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

        Raises
        ------
        AnswerError
            If the game has no such player, or the model no such step, or players get no priority
            in it.
        """
        until = self._stop(step, turn)
        until.since = self._state.here
        self.sleep(player)
        self.of(player).until = until

    def _stop(self, step: str, turn: Whose) -> Stop:
        self._check(step)
        if turn not in ("any", "own", "others"):
            raise AnswerError(f"whose turn must be 'any', 'own' or 'others', not {turn!r}")
        return Stop(step, turn)

    def _check(self, *steps: str) -> None:
        """Raise AnswerError unless players get priority in these steps."""
        for step in steps:
            if step and step not in self.steps:
                text = f"nobody gets priority in {step!r}, so that nobody can stop there"
                raise AnswerError(text, kind="unknown-step", found=step, known=self.steps)

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
        wishes = self.of(player)
        until = wishes.until
        if until is not None and self._is_over(until, player, at):
            self.sleep(player, False)
        woken = player in self._state.happened
        return not wishes.asleep or woken or any(one.is_at(player, at) for one in wishes.stops)

    def _is_over(self, until: Stop, player: str, at: Position) -> bool:
        """Has the stop come, or is this the last step of a turn in which it should have come?"""
        turn, step, _ = until.since
        known = ["", *self.steps]
        ahead = at.turn > turn or known.index(step) < known.index(until.step)
        last = self._last if ahead else ()
        return until.since != self._state.here and until.is_at(player, at, *last)

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
            state.happened -= {*request.by}
        if answer.word == "acted":
            state.happened |= state.wishes.keys() - request.by
        elif isinstance(request, PlaceTriggers | Resolve):
            state.happened |= state.wishes.keys()

    def instead(self, request: Request) -> Answer | None:
        """Pass for players who do not want to be asked."""
        return None if self.asks(request) else PASS
