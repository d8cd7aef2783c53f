"""Where the tests find the files of this repository."""

from __future__ import annotations

from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
ROOT = TESTS.parent
DOCS = ROOT / "docs"
EXAMPLES = ROOT / "examples"
SCENARIOS = TESTS / "scenarios"
"""The stored scenarios, in a folder for each ruleset."""
