"""Write the generated documents and the published schemas anew: `python docs/generate.py`."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import rulesetpage
from apipages import api_pages
from fsm.rulesets import names
from fsm.scenarios.reading import schema as scenario_schema
from fsm.state.primitives import ACTIONS, TESTS, Primitive
from helppage import page as commands
from marks import filled, table
from pagepictures import pictures
from rulemap import page as rules_to_model
from scenariotables import tables as scenario_tables
from wireschema import model_schema, wire_schema

HERE = Path(__file__).parent
SCHEMAS = HERE.parent / "fsm" / "schemas"
SCENARIOS = HERE / "scenarios.md"
PRIMITIVES = """\
# Primitives

An interpreter of models in another language implements this list. It is all that a guard may test and a transition's
action may do, beyond asking the game. A fact that the game does not tell names one test. A transition names any number
of actions. An argument is a name of the model; `any level` is `turn`, `phase` or `step`, `among` is `living` or
`seated`, and `side` is `active`, `holder` or `next_side`.
"""


def pages() -> dict[Path, str]:
    """Every generated document and schema."""
    schemas = {"model": model_schema(), "scenario": scenario_schema(), "wire": wire_schema()}
    return {
        HERE / "reference" / "commands.md": commands(),
        **api_pages(HERE / "reference" / "api"),
        HERE / "rules-to-model.md": rules_to_model(),
        SCENARIOS: filled(SCENARIOS.read_text("utf-8"), scenario_tables()),
        HERE / "reference" / "api" / "primitives.md": primitives(),
        **{HERE / "rulesets" / f"{name}.md": rulesetpage.page(name) for name in names()},
        **{SCHEMAS / f"{name}.schema.json": json.dumps(each, indent=2) + "\n" for name, each in schemas.items()},
    }


def primitives() -> str:
    """The page on what a Model may test and do."""
    return "\n".join([PRIMITIVES, _list("Tests", TESTS.values()), _list("Actions", ACTIONS.values())])


def _list(title: str, primitives: Iterable[Primitive]) -> str:
    rows = ((f"`{each.name}({each.args})`" if each.args else f"`{each.name}`", each.doc) for each in primitives)
    return f"## {title}\n\n{table(('name', 'meaning'), rows)}\n"


def drawn() -> dict[Path, str]:
    """Every picture that a page's own programs draw."""
    found = dict[Path, str]()
    for page in HERE.rglob("*.md"):
        found.update(pictures(page))
    return found


if __name__ == "__main__":
    for path, text in (pages() | drawn()).items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
