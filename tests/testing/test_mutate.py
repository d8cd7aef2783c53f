"""`fsm mutate` needs tests that pass as they are. Whole runs are in tests/thorough/testing."""

from __future__ import annotations

from pathlib import Path

from support.amounts import thorough
from support.mutatedshop import WEAK, mutate, shop


@thorough
def test_tests_that_fail_without_a_change_are_one_clear_error(tmp_path: Path) -> None:
    result = mutate(shop(tmp_path, f"{WEAK}\n\ndef test_bad():\n    assert False\n"))
    assert result.returncode == 2
    assert "fails without any change: 1 failed, 3 passed" in result.stderr
    assert "Traceback" not in result.stderr
