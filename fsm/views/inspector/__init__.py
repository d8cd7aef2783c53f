"""The inspector: a page that shows what a running program does, while it runs.

    import fsm
    with fsm.inspect(controller) as inspector:
        print(inspector.address)
        fsm.drive(controller, host)

The page is served on this computer, by daemon threads. They read where a game has stood after each
answer: values that never change. So a game never waits for the page.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from fsm.engine.controller import TurnController
from fsm.engine.trace import Trace
from fsm.errors import FsmError, TraceError
from fsm.files import regular
from fsm.hosts.history import History
from fsm.model.shown import Bundle
from fsm.rulesets import load, names
from fsm.views.html import text
from fsm.views.inspector.content import InspectorContent
from fsm.views.inspector.server import Server
from fsm.views.inspector.stories import Story
from fsm.wording import plain

if TYPE_CHECKING:
    Watched = TurnController | History | Trace

__all__ = ["Inspector", "inspect"]


class Inspector:
    """A page that shows games of this program. It is open until it is closed, or the program ends.

    Parameters
    ----------
    port
        The port on this computer. With 0, any free port is taken.
    title
        What the page is called. By default it is called as the program.

    Attributes
    ----------
    address
        The address of the page. Whoever knows it, on this computer, can look.
    """

    def __init__(self, *, port: int = 0, title: str = "") -> None:
        self._content = InspectorContent(title or _program())
        self._server = Server(self._content, port)
        self.address: str = self._server.address

    def __repr__(self) -> str:
        return f"<Inspector {self.address}>"

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> Bundle:
        """Called by a notebook: the address, as a link."""
        link = f'<a href="{text(self.address)}" target="_blank" rel="noreferrer">{text(self.address)}</a>'
        return {"text/plain": repr(self), "text/html": link}

    def add(self, watched: Watched, name: str = "") -> None:
        """Show another game, from now on, and its past as far as it has one.

        A `History` has its past, and so has a game that is recorded: `TurnController(...,
        trace=True)`.

        Call it in the thread in which the game is played.

        Parameters
        ----------
        watched
            The controller of a game, a `History` of one, or a trace.
        name
            What the list calls it. By default it is numbered.

        Raises
        ------
        FsmError
            If it is nothing of the kind.
        """
        self._content.stories.append(
            _story(watched, name or f"game {len(self._content.stories) + 1}")
        )

    def add_file(self, path: str, ruleset: str = "") -> None:
        """Show the trace in a file.

        Parameters
        ----------
        path
            The file.
        ruleset
            The ruleset, as `fsm.load` takes it. By default, the trace names its own.

        Raises
        ------
        FsmError
            If it is not a trace of a game of that ruleset.
        OSError
            If it cannot be read.
        """
        with open(path, encoding="utf-8", errors="replace", opener=regular) as lines:
            trace = Trace.read(lines)
        model = trace.head.model
        if not ruleset and model not in names():  # a file must not have code imported
            raise TraceError(
                f"{path}: {plain(model)!r} is not built in: name its ruleset with --ruleset"
            )
        self._content.stories.append(Story.of_trace(Path(path).name, trace, load(ruleset or model)))

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
            if story.watched is watched:
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


def inspect(*watched: Watched, names: Sequence[str] = (), port: int = 0) -> Inspector:
    """Show games of this program on a page, while the program runs.

    Call it in the thread in which the games are played. It prints nothing: open `address` in a
    browser.

    Parameters
    ----------
    *watched
        Controllers of games, a `History` of one, or traces. `Inspector.add` takes more of them
        later.
    names
        What the list of the page calls them. By default they are numbered.
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
        If something is no game.
    OSError
        If the port is taken.
    """
    inspector = Inspector(port=port)
    try:
        for number, one in enumerate(watched):
            inspector.add(one, names[number] if number < len(names) else "")
    except BaseException:
        inspector.close()
        raise
    return inspector


def _story(watched: object, name: str) -> Story:
    if isinstance(watched, TurnController | History):
        return Story.of_game(name, watched)
    if not isinstance(watched, Trace):
        raise FsmError(
            f"{type(watched).__name__} cannot be inspected: give a TurnController, a History or a Trace"
        )
    if watched.model is None:
        raise FsmError(
            "the model of this trace is not known: set its `model` to the one that it was recorded with"
        )
    return Story.of_trace(name, watched, watched.model)


def _program() -> str:
    return Path(sys.argv[0]).name if sys.argv and sys.argv[0] not in ("", "-c") else "Python"
