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
    from fsm import (
        adapters as adapters,
        aio as aio,
        checks as checks,
        coverage as coverage,
        engine as engine,
        errors as errors,
        hosts as hosts,
        model as model,
        rulesets as rulesets,
        scenarios as scenarios,
        stateless as stateless,
        testing as testing,
        views as views,
    )
    from fsm.checks.checking import check as check
    from fsm.conformance import conform as conform
    from fsm.engine.controller import TurnController as TurnController
    from fsm.engine.requests import (
        Answer as Answer,
        CheckState as CheckState,
        Over as Over,
        Perform as Perform,
        PlaceTriggers as PlaceTriggers,
        Priority as Priority,
        Request as Request,
        Resolve as Resolve,
    )
    from fsm.engine.trace import Trace as Trace
    from fsm.errors import FsmError as FsmError
    from fsm.hosts.driving import drive as drive
    from fsm.hosts.history import History as History
    from fsm.hosts.host import BaseHost as BaseHost
    from fsm.model import Model as Model
    from fsm.rulesets import load as load
    from fsm.state.orders import (
        AddPhase as AddPhase,
        AddStep as AddStep,
        AddTurn as AddTurn,
        Appoint as Appoint,
        ControlNextTurn as ControlNextTurn,
        DelayedTrigger as DelayedTrigger,
        Effect as Effect,
        EndPhase as EndPhase,
        EndTurn as EndTurn,
        Leave as Leave,
        Order as Order,
        Result as Result,
        ReverseTurnOrder as ReverseTurnOrder,
        Signal as Signal,
        SkipPhase as SkipPhase,
        SkipStep as SkipStep,
        SkipTurn as SkipTurn,
        StandingTrigger as StandingTrigger,
        Withdraw as Withdraw,
    )
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
            "EndTurn Leave Order Result ReverseTurnOrder Signal SkipPhase SkipStep SkipTurn "
            "StandingTrigger Withdraw"
        ),
        "fsm.state.run": "StartAt",
        "fsm.views.diff": "diff",
        "fsm.views.draw": "draw",
        "fsm.views.live": "inspect",
    },
    modules=(
        "adapters aio checks coverage engine errors hosts model rulesets scenarios "
        "stateless testing views"
    ),
)
