"""Write the generated documents anew: `python docs/generate.py`."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from fsm.primitives import ACTIONS, TESTS, Do, Test

HERE = Path(__file__).parent

INTRODUCTION = """\
# Primitives

All that a guard may test and a transition's action may do, beyond asking the game. A fact of the agenda or the
controller names one test, a transition names any number of actions; nothing else reads or changes a run.
An interpreter of models in another language implements this list. (Written by `python docs/generate.py`.)

What an argument names:

| argument | is |
| --- | --- |
| `level` | `phase` or `step` (`any level`: also `turn`; `phase or turn`: one of these) |
| `name`, `family`, `step` | the name or the family of a phase or step of the model |
| `state` | the id of a state that contains no others |
| `fact`, `scope` | a latched fact, and the scope that facts are latched for |
| `setting`, `kind` | a setting of the model, and how a window opens: `natural` or `conditional` |
| `moment` | a word of the model's durations |
| `number` | a whole number |
"""


def primitives() -> str:
    """The text of `primitives.md`."""
    tests = _table("Tests", "what it asks", TESTS.values())
    actions = _table("Actions", "what it does", ACTIONS.values())
    return "\n".join((INTRODUCTION, *tests, "", *actions, ""))


def _table(title: str, meaning: str, primitives: Iterable[Test | Do]) -> list[str]:
    rows = [f"| `{p.name}{f'({p.args})' if p.args else ''}` | {p.doc} |" for p in primitives]
    return [f"## {title}", "", f"| {title[:-1].lower()} | {meaning} |", "| --- | --- |", *rows]


if __name__ == "__main__":
    (HERE / "primitives.md").write_text(primitives(), encoding="utf-8")
