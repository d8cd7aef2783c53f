"""The engines that run the turn graph: hand-written code, ours, and the peers, each built from the
same data.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version

from benchmarks import ours, peers
from benchmarks.graph import Live
from benchmarks.handgraph import HandWritten

EXTRA = "pip install 'turn-fsm[bench]'"


@dataclass(frozen=True)
class Engine:
    """A way to run the graph. `id` is its word in the names of bars, `module` what it needs to be
    installed.
    """

    id: str
    title: str
    build: Callable[[], Live]
    distribution: str = ""
    module: str = ""

    @property
    def absent(self) -> str:
        """Why the engine cannot be had on this machine; "" when it can."""
        if not self.module:
            return ""
        try:
            import_module(self.module)
        except ImportError as error:
            return f"{self.distribution} cannot be imported ({error}); it comes with {EXTRA}"
        return ""

    @property
    def label(self) -> str:
        """The title, with the version that is installed."""
        try:
            return f"{self.title} {version(self.distribution)}" if self.distribution else self.title
        except PackageNotFoundError:
            return self.title


def _hand_written() -> Live:
    game = HandWritten()
    return game, game.advance


HAND = Engine("if-elif", "hand-written if/elif", _hand_written)
OURS = (
    Engine("constructor", "one event, Machine()", ours.by_constructor),
    Engine("model", "one event, Machine.from_model()", ours.by_model),
)
PEERS = (
    Engine("flat", "transitions Machine", peers.flat, "transitions"),
    Engine("hierarchical", "transitions HierarchicalMachine", peers.hierarchical, "transitions"),
    Engine(
        "python-statemachine",
        "python-statemachine",
        peers.statemachine,
        "python-statemachine",
        "statemachine",
    ),
    Engine("sismic", "sismic", peers.sismic, "sismic", "sismic"),
    Engine("automat", "Automat", peers.automat, "Automat", "automat"),
    Engine(
        "xstate", "xstate-statemachine", peers.xstate, "xstate-statemachine", "xstate_statemachine"
    ),
)
ENGINES = (HAND, *OURS, *PEERS)
