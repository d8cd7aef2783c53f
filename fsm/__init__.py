"""Turn structure for trading card games: one explicit model that runs, draws, tests and proves itself.

model = fsm.load("magic")
controller = fsm.TurnController(model, ["Alice", "Bob"])
controller.request      # what the turn needs next
controller.answer(fsm.Answer("done"))

For pytest, which would rewrite the assertions of plugins, and warn where it comes too late: PYTEST_DONT_REWRITE.
"""

from __future__ import annotations

from importlib import import_module
from os.path import isfile

from fsm.notebooks import Bundle, Shown

TYPE_CHECKING = False  # as in typing, whose import would cost more than the rest of this module
if TYPE_CHECKING:
    from fsm.analysis.checks import check as check
    from fsm.embedding.host import Host as Host
    from fsm.embedding.host import drive as drive
    from fsm.engine.controller import TurnController as TurnController
    from fsm.engine.machine import Machine as Machine
    from fsm.engine.replay import replay as replay
    from fsm.engine.requests import Answer as Answer
    from fsm.engine.requests import Signal as Signal
    from fsm.engine.trace import Trace as Trace
    from fsm.errors import FsmError as FsmError
    from fsm.model import Model as Model
    from fsm.rulesets import load as load
    from fsm.views.diff import compare as compare
    from fsm.views.drawing import draw as draw

__version__ = "0.1.0"

_HOME = {
    "Answer": "fsm.engine.requests",
    "FsmError": "fsm.errors",
    "Host": "fsm.embedding.host",
    "Machine": "fsm.engine.machine",
    "Model": "fsm.model",
    "Signal": "fsm.engine.requests",
    "Trace": "fsm.engine.trace",
    "TurnController": "fsm.engine.controller",
    "check": "fsm.analysis.checks",
    "compare": "fsm.views.diff",
    "draw": "fsm.views.drawing",
    "load": "fsm.rulesets",
    "drive": "fsm.embedding.host",
    "replay": "fsm.engine.replay",
}
__all__ = sorted(_HOME)

if isfile(f"{__path__[0]}/exceptions.py"):  # no file of ours: fsmpy was installed here as well
    import warnings

    from turn_fsm.ours import MIXED

    warnings.warn(MIXED, stacklevel=2)


def _show(value: object) -> Bundle:
    from fsm.views.notebook import bundle  # pictures: who shows nothing in a notebook does without

    return bundle(value)


Shown.show = _show


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module 'fsm' has no attribute {name!r}")
    return getattr(import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOME])
