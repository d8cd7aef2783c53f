"""What a ruleset promises of every turn, stated apart from its table, so that random games can hold the table to it.

`fsm.fuzzing` derives such promises from any Model; what a ruleset states here by its name goes before what was derived.
A ruleset of your own may add itself: `PROMISES["my-game"] = Promises(...)` in the module that makes its Model.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Promises:
    """`last`: the steps one of which ends every turn, unless an effect skips it. `quiet`: steps in which nobody
    can act. `ends`: the action that ends each "step" or each "phase". None: as derived from the Model.
    """

    last: tuple[str, ...] | None = None
    quiet: tuple[str, ...] = ()
    ends: Mapping[str, str] | None = None
    rules: Mapping[str, str] = field(default_factory=dict)


def _magic(last: str, quiet: str, empties: str, level: str, action: str) -> Promises:
    rules = {"last": last, "quiet": quiet, "ends": empties}
    return Promises(("cleanup",), ("untap",), {level: action}, rules)


PROMISES: dict[str, Promises] = {
    "magic": _magic("500.1, 514", "502.4", "500.5", "step", "empty_mana"),
    "magic-2010": _magic("500.1, 514", "502.3", "500.4", "step", "empty_mana"),
    "magic-classic": _magic("300.1, 314", "302.3", "300.3", "phase", "lose_mana"),
    "grand-archive": Promises(("end",), rules={"last": "Turn Order GR1"}),
}
