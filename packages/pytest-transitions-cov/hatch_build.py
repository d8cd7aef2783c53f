"""Builds the package of the sources of turn-fsm, or, in an unpacked sdist, of what was put there."""

from __future__ import annotations

import runpy
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Sources(BuildHookInterface[Any]):
    """Adds the package to wheel and sdist."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write the package to a temporary folder, unless it is complete where it is."""
        self.made: tempfile.TemporaryDirectory[str] | None = None
        here = Path(self.root)
        if not (here / "transitions_cov" / "coverage").is_dir():
            if not (here.parent.parent / "fsm" / "coverage").is_dir():
                raise RuntimeError("build this in a checkout of turn-fsm, or from its own sdist")
            self.made = tempfile.TemporaryDirectory()
            here = Path(self.made.name)
            runpy.run_path(str(Path(self.root) / "sources.py"))["write"](here)
        build_data["force_include"][str(here / "transitions_cov")] = "transitions_cov"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the temporary folder."""
        if self.made is not None:
            self.made.cleanup()
