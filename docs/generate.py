"""Write the generated documents and the published schemas anew: `python docs/generate.py`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from apipages import api_pages
from fsm import load
from fsm.model.model import schema as model_schema
from fsm.rulesets import names
from fsm.scenarios.vocabulary import schema as scenario_schema
from fsm.state.registry import ACTIONS, TESTS, Primitive
from fsm.views import tabulate
from fsm.views.reference import reference_of
from helppage import page as commands
from rulemap import page as rules_to_model
from scenariotables import filled
from wireschema import wire_schema

HERE = Path(__file__).parent
SCHEMAS = HERE.parent / "fsm" / "schemas"

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
| `setting`, `kind` | a setting of the model, and how a window opens: `natural`, `conditional`, `conditional_round` |
| `among`, `tally` | `living` or `seated` sides; what a model counts, by a name of its own |
| `moment` | a word of the model's durations |
| `number` | a whole number |
"""


def primitives() -> str:
    """The text of `primitives.md`."""
    tests = _table("Tests", "what it asks", TESTS.values())
    actions = _table("Actions", "what it does", ACTIONS.values())
    return "\n".join((INTRODUCTION, *tests, "", *actions, ""))


def _table(title: str, meaning: str, primitives: Iterable[Primitive]) -> list[str]:
    rows = [f"| `{p.name}{f'({p.args})' if p.args else ''}` | {p.doc} |" for p in primitives]
    return [f"## {title}", "", f"| {title[:-1].lower()} | {meaning} |", "| --- | --- |", *rows]


SCENARIOS = ("What may be given", "What may be expected", "Refused")
"""What the page of a ruleset leaves to `fsm list` and to the page on scenarios."""


def ruleset(name: str) -> str:
    """The text of the reference page of a ruleset."""
    model = load(name)
    lines = [f"# {model.title}: `{name}`", "", f"{model.edition}. (Written by `python docs/generate.py`.)", ""]
    picture = f"../../diagrams/{name}/turn"
    lines += [
        f'<img alt="{model.title}: a turn at a glance" src="{picture}.svg">', "",
        f"[The gallery](../../diagrams/README.md#{_anchor(model.title)}) has every phase.", "",
        "## The turn as a table", "",
        tabulate(model).partition("\n\n")[2].strip(), "",
    ]
    lines += [f"`fsm list {name}` also lists the words of its scenarios.", ""]
    for section in reference_of(name):
        if section.title in SCENARIOS:
            continue
        lines += [f"## {section.title}", "", _row(section.head), "| --- " * len(section.head) + "|"]
        lines += [*(_row((f"`{row[0]}`", *_cells(section.head, row))) for row in section.rows), ""]
    return "\n".join(lines)


def _anchor(heading: str) -> str:
    """The name that GitHub gives to a heading."""
    return re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-")


def _cells(head: Sequence[str], row: Sequence[str]) -> Iterable[str]:
    """Every cell but the first. A cell that holds a name is written as code."""
    for title, text in zip(head[1:], row[1:], strict=True):
        yield f"`{text}`" if text and title in {"stage", "turn-based action"} else _shown(text)


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _shown(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;")


def pages() -> dict[Path, str]:
    """Every generated document and schema."""
    scenarios, schemas = HERE / "scenarios.md", {"model": model_schema(), "scenario": scenario_schema(), "wire": wire_schema()}
    return {
        HERE / "primitives.md": primitives(),
        HERE / "reference" / "commands.md": commands(),
        **api_pages(HERE / "reference" / "api"),
        HERE / "rules-to-model.md": rules_to_model(),
        scenarios: filled(scenarios.read_text(encoding="utf-8")),
        **{HERE / "rulesets" / f"{n}.md": ruleset(n) for n in names()},
        **{SCHEMAS / f"{n}.schema.json": json.dumps(schema, indent=2) + "\n" for n, schema in schemas.items()},
    }


if __name__ == "__main__":
    for path, text in pages().items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
