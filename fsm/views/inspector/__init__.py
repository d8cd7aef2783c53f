"""The inspector: a page that shows what a running program does, while it runs.

    import fsm
    with fsm.inspect(controller) as inspector:
        print(inspector.address)
        fsm.drive(controller, host)

The page is served on this computer, by daemon threads. They read the log of a game, which never
changes, and tell the game again for themselves. So a game is not slowed down by a page that nobody
has open, and never waits for one.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from fsm.adapters.naming import machine_behind
from fsm.engine.controller import TurnController
from fsm.engine.trace import Trace
from fsm.errors import FsmError
from fsm.model.shown import Bundle
from fsm.views.html import text
from fsm.views.inspector.content import InspectorContent
from fsm.views.inspector.games import GameStory, LiveStory
from fsm.views.inspector.server import Server
from fsm.views.inspector.stories import Story
from fsm.wording import plain

if TYPE_CHECKING:
    from transitions import Machine

    from fsm.hosts.history import History

    Watched = TurnController | History | Trace | Machine

__all__ = ["Inspector", "inspect"]


class Inspector:
    """A page that shows games and machines of this program. It is open until it is closed, or the
    program ends.

    Parameters
    ----------
    control
        Whether the page may answer for a game.
    port
        The port on this computer. With 0, any free port is taken.
    title
        What the page is called. By default it is called as the program.

    Attributes
    ----------
    address
        The address of the page. Whoever knows it, on this computer, can look.
    """

    def __init__(self, *, control: bool = False, port: int = 0, title: str = "") -> None:
        self._content = InspectorContent(title or _program(), control)
        self._server = Server(self._content, port)
        self.address: str = self._server.address

    def __repr__(self) -> str:
        return f"<Inspector {self.address}>"

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> Bundle:
        """Called by a notebook: the address, as a link."""
        link = f'<a href="{text(self.address)}" target="_blank" rel="noreferrer">{text(self.address)}</a>'
        return {"text/plain": repr(self), "text/html": link}

    def add(self, watched: Watched, name: str = "") -> None:
        """Show another game or machine.

        Call it in the thread in which the game is played.

        Parameters
        ----------
        watched
            The controller of a game, a `History` of one, a trace, or a machine of the `transitions`
            library.
        name
            What the list calls it. By default it is numbered.

        Raises
        ------
        FsmError
            If it is nothing of the kind.
        """
        for story in _stories(watched, name, len(self._content.stories) + 1):
            self._content.stories.append(story)

    def add_file(self, path: str, ruleset: str = "") -> None:
        """Show what is recorded in a file: a trace, or the games of a client's log.

        Parameters
        ----------
        path
            The file.
        ruleset
            The ruleset, as `fsm.load` takes it. By default a trace names its own, and a log is one
            of Magic.

        Raises
        ------
        FsmError
            If it is not a game of that ruleset.
        OSError
            If it cannot be read.
        """
        from fsm.views.inspector.logs import stories_of_file  # programs seldom read files

        self._content.stories += stories_of_file(path, ruleset)

    def mark_failed(self, watched: Watched, error: BaseException) -> None:
        """Say that a game ended by an error. It stays on the page, and can be looked at as before.

        Parameters
        ----------
        watched
            The game, as it was given to `add`.
        error
            What ended it.
        """
        for story in self._content.stories:
            if isinstance(story, LiveStory) and story.watched is watched:
                story.failure = plain(f"{type(error).__name__}: {error}")

    def close(self) -> None:
        """End it. Pages that are open keep what they show."""
        self._server.close()
        for story in self._content.stories:
            story.close()

    def __enter__(self) -> Inspector:
        """Return the inspector, which is open already."""
        return self

    def __exit__(self, *raised: object) -> None:
        """Close it."""
        self.close()


def inspect(
    *watched: Watched, names: Sequence[str] = (), control: bool = False, port: int = 0
) -> Inspector:
    """Show games and machines of this program on a page, while the program runs.

    Call it in the thread in which the games are played. It prints nothing: open `address` in a
    browser.

    Parameters
    ----------
    *watched
        Controllers of games, a `History` of one, traces, or machines of the `transitions` library.
        `Inspector.add` takes more of them later.
    names
        What the list of the page calls them. By default they are numbered.
    control
        Whether the page may answer for a game. Use it only for games that nobody else drives.
    port
        The port on this computer. With 0, any free port is taken.

    Returns
    -------
    Inspector
        It has the address. Close it, or use it in a `with` statement; it ends with the program in
        any case.

    Raises
    ------
    FsmError
        If something is neither a game nor a machine.
    OSError
        If the port is taken.
    """
    inspector = Inspector(control=control, port=port)
    try:
        for number, one in enumerate(watched):
            inspector.add(one, names[number] if number < len(names) else "")
    except BaseException:
        inspector.close()
        raise
    return inspector


def _stories(watched: object, name: str, number: int) -> list[Story]:
    game = getattr(watched, "controller", watched)  # a History has one
    if isinstance(game, TurnController):
        return [LiveStory(name or f"game {number}", watched)]  # type: ignore[arg-type]
    if isinstance(watched, Trace):
        if watched.model is None:
            raise FsmError(
                "the model of this trace is not known: set its `model` to the one that it was recorded with"
            )
        return [GameStory.of_trace(name or f"game {number}", watched, watched.model)]
    machine = machine_behind(watched)
    if machine is None:
        kinds = "a TurnController, a History, a Trace or a machine of the transitions library"
        raise FsmError(f"{type(watched).__name__} cannot be inspected: give {kinds}")
    from fsm.views.inspector.machines import machine_stories  # only with the library

    return [*machine_stories(machine, name, number)]


def _program() -> str:
    return Path(sys.argv[0]).name if sys.argv and sys.argv[0] not in ("", "-c") else "Python"
