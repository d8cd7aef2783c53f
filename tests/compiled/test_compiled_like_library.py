"""The compiled machine does what the library's does: callbacks, arguments, results, errors, states,
log messages.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from transitions import Machine, State

from fsm.compiled import CompiledMachine
from fsm.compiled.codewriter import Writer
from support.amounts import amount
from support.randommachines import plans, used

MACHINES = int(os.environ.get("FSM_FUZZ_MACHINES", amount(50, 150)))
SEED = int(os.environ.get("FSM_FUZZ_SEED", "1"))


@seed(SEED)
@settings(max_examples=MACHINES, suppress_health_check=list(HealthCheck))
@given(plans())
def test_a_random_machine_does_what_the_librarys_does(plan: dict[str, Any]) -> None:
    assert used(plan, CompiledMachine) == used(plan, Machine)


SLOTS = (
    *(
        "_prepare_event",
        "prepare",
        "conditions",
        "_before_state_change",
        "before",
        "on_exit",
        "on_enter",
    ),
    *("_on_final", "after", "_after_state_change", "_on_exception", "_finalize_event"),
)


def wrong(slot: str, do: Callable[[Any], Any]) -> type[Writer]:
    """A writer that does something else with the callbacks of one kind."""

    class Wrong(Writer):
        def callbacks(self, owner: Any, name: str) -> Any:
            found = super().callbacks(owner, name)
            return do(found) if name == slot else found

    return Wrong


class EntersFirst(Writer):
    """A writer that enters the new state before it is assigned."""

    def change_state(self, source: State, dest: State) -> None:
        self.exit_or_enter(source, "exit")
        self.exit_or_enter(dest, "enter")
        self.assign(dest)


class EntersThenExits(Writer):
    """A writer that takes leave of the old state too late."""

    def change_state(self, source: State, dest: State) -> None:
        self.assign(dest)
        self.exit_or_enter(dest, "enter")
        self.exit_or_enter(source, "exit")


SABOTAGED = {
    **{f"no {slot}": wrong(slot, lambda found: ()) for slot in SLOTS},
    **{f"{slot} in reverse": wrong(slot, lambda found: tuple(reversed(found))) for slot in SLOTS},
    "enters before the assignment": EntersFirst,
    "enters before it exits": EntersThenExits,
}


@pytest.fixture(scope="module")
def known() -> list[tuple[dict[str, Any], list[Any]]]:
    """Some plans, and what the library's machine does with them."""
    found: list[tuple[dict[str, Any], list[Any]]] = []

    @seed(SEED)
    @settings(max_examples=amount(120, 300), phases=[Phase.generate])
    @given(plans())
    def collect(plan: dict[str, Any]) -> None:
        found.append((plan, used(plan, Machine)))

    collect()
    return found


@pytest.mark.parametrize("writer", SABOTAGED.values(), ids=SABOTAGED)
def test_a_callback_dropped_or_out_of_order_is_noticed(
    writer: type[Writer], known: list[tuple[dict[str, Any], list[Any]]]
) -> None:
    class Sabotaged(CompiledMachine):
        writer_cls = writer

    assert any(used(plan, Sabotaged) != log for plan, log in known)


def test_the_plans_that_notice_sabotage_notice_nothing_else(
    known: list[tuple[dict[str, Any], list[Any]]],
) -> None:
    assert [log for plan, log in known if used(plan, CompiledMachine) != log] == []
