"""Orders in JSON that was written before 0.1.0 was released: they are read under the names that
they have today.
"""

from __future__ import annotations

from typing import Any

RENAMED = {"Delay": "DelayedTrigger", "Stand": "StandingTrigger", "Lasting": "Effect"}
SKIPS = {"phase": "SkipPhase", "step": "SkipStep"}


def with_names_of_today(data: Any) -> Any:
    """Return the JSON of an answer with its orders under the names of today. Other data is returned
    as it is.
    """
    orders = data.get("orders") if isinstance(data, dict) else None
    return (
        {**data, "orders": [_renamed(order) for order in orders]}
        if isinstance(orders, list)
        else data
    )


def _renamed(order: Any) -> Any:
    kind = order.get("is") if isinstance(order, dict) else None
    if not isinstance(kind, str):
        return order
    level = order.get("level")
    if kind == "Skip" and isinstance(level, str) and level in SKIPS:
        others = {
            name: value for name, value in order.items() if name not in ("is", "level", "what")
        }
        return {"is": SKIPS[level], level: order.get("what"), **others}
    return {**order, "is": RENAMED.get(kind, kind)}
