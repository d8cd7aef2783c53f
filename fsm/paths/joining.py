"""One long game from many paths: each path's answers again, from where the game stands after the path before."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from fsm.coverage.target import Key
from fsm.paths.backbone import LONG, quiet_step
from fsm.paths.draft import Draft, again, spot
from fsm.paths.here import Here, Step
from fsm.paths.pruning import all_of
from fsm.paths.wanted import Wanted
from fsm.requests import Over


class Joiner:
    """Goes on with a game as these paths go; `tried` counts the answers. `alive`: what ends the game is left out."""

    def __init__(self, goal: Wanted, paths: Iterable[Draft], *, alive: bool) -> None:
        self.goal, self.alive, self.tried = goal, alive, 0
        self.paths = [(path, all_of(goal, path)) for path in paths if path.steps]

    def run(self, here: Here) -> Iterator[list[Step]]:
        """The steps of each path that takes something open, up to the last that does. The caller says what is taken."""
        for path, takes in self.paths:
            if not self._open(takes):
                continue
            steps = list(self._steps(here, path))
            fresh = [number for number, step in enumerate(steps, 1) if self.goal.taken(step)]
            if fresh:
                yield steps[: fresh[-1]]
                here = steps[fresh[-1] - 1].here

    def _open(self, keys: set[Key]) -> bool:
        return any(key in self.goal.open for key in keys)

    def _steps(self, here: Here, path: Draft) -> Iterator[Step]:
        """On to where the path begins, then as it goes."""
        for _ in range(LONG):
            if spot(here) == spot(path.at(0)) or isinstance(here.controller.request, Over):
                break
            self.tried += 1
            step = quiet_step(here)
            if step is None:
                return
            yield step
            here = step.here
        for step in again(here, path.script):
            self.tried += 1
            if self.alive and isinstance(step.here.controller.request, Over):
                return
            yield step
