"""What needs the extra `paths`: algorithms of networkx."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from fsm.errors import FsmError


def networkx_of(what: str) -> Any:
    """The package networkx. Raises FsmError when it is not installed; `what` needs it."""
    try:
        return import_module("networkx")
    except ImportError:
        raise FsmError(f"{what}: needs the extra 'paths': run pip install 'turn-fsm[paths]'") from None
