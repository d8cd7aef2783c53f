"""The page of a ruleset: its turn as a picture and a table, and what programs call its parts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from fsm import load
from fsm.views import tabulate
from fsm.views.reference import Row, Tables, reference_of
from marks import codes


def page(name: str) -> str:
    """Return the text of the page."""
    model = load(name)
    tables = reference_of(name)
    turn, *_ = tabulate(model).split("\n| **Each time that")
    lines = [
        f"# {model.title}: `{name}`",
        "",
        f'<img alt="{model.title}: a turn at a glance" src="../../diagrams/{name}/turn.svg">',
        "",
        "[Every phase as a picture](../../diagrams/README.md)." + _since(name),
        "",
        "## The turn as a table",
        "",
        turn.partition("\n\n")[2].strip(),
        "",
        f"`fsm draw {name} -o turn.md` tells besides what happens in each window, and what cuts a turn short.",
        "",
        "## Names",
        "",
        f"Steps, and actions of the host. `fsm list {name}` explains each word.",
        "",
        *_names(tables),
        *_listed(tables, "Settings of a game", _setting),
        *_listed(tables, "Options", _option),
    ]
    return "\n".join([*lines, ""])


def _since(name: str) -> str:
    """How to see what changed in Magic since then."""
    old = name.startswith("magic-")
    commands = f"`fsm diff {name} magic`, `fsm draw magic --against {name} -o both.svg`"
    return f" What changed since: {commands}." * old


def _names(tables: Tables) -> Iterator[str]:
    stages = tables["Stages"]
    pairs = {(row["turn-based action"], row["step"]) for row in stages}
    steps_with = Counter(action for action, _ in pairs)
    everywhere = [action for action, count in steps_with.items() if action and count > 2]
    for row in tables["Phases and steps"]:
        phase, family = row["phase"], row["effects call it"]
        called = f"`{phase}`, a {family} phase" if family != phase else f"`{phase}`"
        steps = [_step(step, stages, everywhere) for step in row["steps"].split()]
        yield f"- {called}: {', '.join(steps)}"
    asked = _column(tables, "Asked at other times", "action")
    lists = {
        "other actions": [*everywhere, *(action for action in asked if action not in steps_with)],
        "facts that answers tell": _column(tables, "Facts that a scenario can tell", "fact"),
        "signals": _column(tables, "Signals", "event"),
        "durations": _column(tables, "Durations", "name"),
    }
    yield from (f"- {title}: {codes(words)}" for title, words in lists.items() if words)


def _step(step: str, stages: Sequence[Row], everywhere: Sequence[str]) -> str:
    found = dict.fromkeys(row["turn-based action"] for row in stages if row["step"] == step)
    actions = [action for action in found if action and action not in everywhere]
    return f"`{step}` ({', '.join(actions)})" if actions else f"`{step}`"


def _column(tables: Tables, title: str, head: str) -> list[str]:
    return [row[head] for row in tables.get(title, ())]


def _listed(tables: Tables, title: str, entry: Callable[[Row], str]) -> Iterator[str]:
    if title in tables:
        yield from ("", f"## {title}", "")
        yield from map(entry, tables[title])


def _setting(row: Row) -> str:
    return f"- `{row['setting']}`: {row['meaning']}. Default: {row['default']}."


def _option(row: Row) -> str:
    values = row["values, the default first"].replace(", ", "|")
    return f"- `{row['option']}={values}`: {row['meaning']}"
