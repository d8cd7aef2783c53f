"""Invariant parameters: what a ruleset states about every turn. Random games check its table
against them.

`fsm.testing.fuzzing` derives such parameters from any Model. What a ruleset states here takes
precedence. Your own ruleset may add itself in the module that makes its Model:
`INVARIANT_PARAMETERS["my-game"] = InvariantParameters(...)`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class InvariantParameters:
    """The invariant parameters of one ruleset. A parameter that is None is derived from the Model.

    `last` are the steps one of which ends every turn, unless an effect skips it. In the steps
    `quiet`, nobody can act. `ends` has the action that ends each "step" or each "phase". `rules`
    has the numbers of the ruleset's rules, by the names of invariants.
    """

    last: tuple[str, ...] | None = None
    quiet: tuple[str, ...] = ()
    ends: Mapping[str, str] | None = None
    rules: Mapping[str, str] = field(default_factory=dict)


def _magic(level: str, action: str, **rules: str) -> InvariantParameters:
    return InvariantParameters(("cleanup",), ("untap",), {level: action}, rules)


INVARIANT_PARAMETERS: dict[str, InvariantParameters] = {
    "magic": _magic(
        "step",
        "empty_mana",
        state_stands_in_its_step="500.1",
        nobody_acts_without_a_window="502.4",
        who_left_is_not_asked="800.4a, 800.4j",
        mana_is_emptied="500.5",
        last_step_ends_the_turn="500.1, 512.1",
        turn_order_is_right="500.7, 614.10, 722.1, 800.4k",
        every_begun_phase_ends="500.2, 500.3",
    ),
    "magic-2010": _magic(
        "step",
        "empty_mana",
        nobody_acts_without_a_window="the table's rows for untap, 503.1",
        who_left_is_not_asked="800.4g",
        mana_is_emptied="500.4",
        last_step_ends_the_turn="the table's last row, 514.3",
        turn_order_is_right="500.7, 614.10",
        every_begun_phase_ends="500.2",
    ),
    "magic-classic": _magic(
        "phase",
        "lose_mana",
        state_stands_in_its_step="300.2",
        nobody_acts_without_a_window="302.3",
        mana_is_emptied="300.3",
        last_step_ends_the_turn="300.1, 312.1",
        turn_order_is_right="300.6, 419.6e, 507.1",
        every_begun_phase_ends="300.2",
    ),
    "grand-archive": InvariantParameters(
        ("end",),
        rules={
            "state_stands_in_its_step": "Turn Order GR7",
            "last_step_ends_the_turn": "Turn Order GR1, End Phase GR5",
            "turn_order_is_right": "Turn Order GR1, Players 5",
            "every_begun_phase_ends": "Turn Order GR3, GR4",
        },
    ),
}
