"""Turn structure for trading card games: one explicit model that runs, draws, tests and proves
itself.

model = fsm.load("magic")
controller = fsm.TurnController(model, ["Alice", "Bob"])
controller.request      # what the turn needs next
controller.answer(fsm.Answer("done"))

For pytest, which would rewrite the assertions of plugins, and warn where it comes too late:
PYTEST_DONT_REWRITE.
"""

from __future__ import annotations

from fsm.lazily import names_from

TYPE_CHECKING = False  # as in typing, whose import would cost more than the rest of this module
if TYPE_CHECKING:
    from fsm import adapters as adapters
    from fsm import aio as aio
    from fsm import checks as checks
    from fsm import coverage as coverage
    from fsm import engine as engine
    from fsm import errors as errors
    from fsm import hosts as hosts
    from fsm import model as model
    from fsm import orders as orders
    from fsm import rulesets as rulesets
    from fsm import scenarios as scenarios
    from fsm import stateless as stateless
    from fsm import testing as testing
    from fsm import views as views
    from fsm.checks.checking import check as check
    from fsm.conformance import conform as conform
    from fsm.engine.controller import TurnController as TurnController
    from fsm.engine.requests import Answer as Answer
    from fsm.engine.requests import CheckState as CheckState
    from fsm.engine.requests import Over as Over
    from fsm.engine.requests import Perform as Perform
    from fsm.engine.requests import PlaceTriggers as PlaceTriggers
    from fsm.engine.requests import Priority as Priority
    from fsm.engine.requests import Request as Request
    from fsm.engine.requests import Resolve as Resolve
    from fsm.engine.trace import Trace as Trace
    from fsm.errors import FsmError as FsmError
    from fsm.hosts.driving import drive as drive
    from fsm.hosts.history import History as History
    from fsm.hosts.host import BaseHost as BaseHost
    from fsm.model import Model as Model
    from fsm.rulesets import load as load
    from fsm.state.orders import AddPhase as AddPhase
    from fsm.state.orders import AddStep as AddStep
    from fsm.state.orders import AddTurn as AddTurn
    from fsm.state.orders import Appoint as Appoint
    from fsm.state.orders import ControlNextTurn as ControlNextTurn
    from fsm.state.orders import DelayedTrigger as DelayedTrigger
    from fsm.state.orders import Effect as Effect
    from fsm.state.orders import EndPhase as EndPhase
    from fsm.state.orders import EndTurn as EndTurn
    from fsm.state.orders import Leave as Leave
    from fsm.state.orders import Result as Result
    from fsm.state.orders import ReverseTurnOrder as ReverseTurnOrder
    from fsm.state.orders import Signal as Signal
    from fsm.state.orders import SkipPhase as SkipPhase
    from fsm.state.orders import SkipStep as SkipStep
    from fsm.state.orders import SkipTurn as SkipTurn
    from fsm.state.orders import StandingTrigger as StandingTrigger
    from fsm.state.orders import Withdraw as Withdraw
    from fsm.state.run import StartAt as StartAt
    from fsm.views.diff import diff as diff
    from fsm.views.draw import draw as draw
    from fsm.views.live import inspect as inspect

__version__ = "0.1.0"

__dir__, __all__ = names_from(
    __name__,
    {
        "fsm.checks.checking": "check",
        "fsm.conformance": "conform",
        "fsm.hosts.history": "History",
        "fsm.hosts.driving": "drive",
        "fsm.hosts.host": "BaseHost",
        "fsm.engine.controller": "TurnController",
        "fsm.engine.requests": (
            "Answer CheckState Over Perform PlaceTriggers Priority Request Resolve"
        ),
        "fsm.engine.trace": "Trace",
        "fsm.errors": "FsmError",
        "fsm.model": "Model",
        "fsm.rulesets": "load",
        "fsm.state.orders": (
            "AddPhase AddStep AddTurn Appoint ControlNextTurn DelayedTrigger Effect EndPhase "
            "EndTurn Leave Result ReverseTurnOrder Signal SkipPhase SkipStep SkipTurn "
            "StandingTrigger Withdraw"
        ),
        "fsm.state.run": "StartAt",
        "fsm.views.diff": "diff",
        "fsm.views.draw": "draw",
        "fsm.views.live": "inspect",
    },
    modules=(
        "adapters aio checks coverage engine errors hosts model orders rulesets scenarios "
        "stateless testing views"
    ),
)
