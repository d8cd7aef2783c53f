"""The page of a ruleset: its turn as a picture and a table, and what programs call its parts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from fsm import load
from fsm.views import tabulate
from fsm.views.reference import Row, Section, reference_of
from marks import codes

Sections = dict[str, Section]


def page(name: str) -> str:
    """Return the text of the page."""
    model = load(name)
    sections = {section.title: section for section in reference_of(name)}
    lines = [
        f"# {model.title}: `{name}`",
        "",
        f'<img alt="{model.title}: a turn at a glance" src="../../diagrams/{name}/turn.svg">',
        "",
        "[Every phase as a picture](../../diagrams/README.md)." + _since(name),
        "",
        "## The turn as a table",
        "",
        tabulate(model).partition("\n\n")[2].strip(),
        "",
        "## Names",
        "",
        f"Steps, and actions of the host. `fsm list {name}` explains each word.",
        "",
        *_names(sections),
        *_listed(sections, "Settings of a game", _setting),
        *_listed(sections, "Options", _option),
    ]
    return "\n".join([*lines, ""])


def _since(name: str) -> str:
    """How to see what changed in Magic since then."""
    old = name.startswith("magic-")
    commands = f"`fsm diff {name} magic`, `fsm draw magic --against {name} -o both.svg`"
    return f" What changed since: {commands}." * old


def _names(sections: Sections) -> Iterator[str]:
    stages = sections["Stages"].rows
    pairs = {(row[3], row[0]) for row in stages}
    steps_with = Counter(action for action, _ in pairs)
    everywhere = [action for action, count in steps_with.items() if action and count > 2]
    for phase, family, steps in sections["Phases and steps"].rows:
        called = f"`{phase}`, a {family} phase" if family != phase else f"`{phase}`"
        yield f"- {called}: {', '.join(_step(step, stages, everywhere) for step in steps.split())}"
    others = [row[0] for row in sections["Asked at other times"].rows if row[0] not in steps_with]
    lists = {
        "other actions": [*everywhere, *others],
        "facts that answers tell": _firsts(sections, "Facts that a scenario can tell"),
        "signals": _firsts(sections, "Signals"),
        "durations": _firsts(sections, "Durations"),
    }
    yield from (f"- {title}: {codes(words)}" for title, words in lists.items() if words)


def _step(step: str, stages: Sequence[Row], everywhere: Sequence[str]) -> str:
    found = dict.fromkeys(row[3] for row in stages if row[0] == step)
    actions = [action for action in found if action and action not in everywhere]
    return f"`{step}` ({', '.join(actions)})" if actions else f"`{step}`"


def _firsts(sections: Sections, title: str) -> list[str]:
    return [row[0] for row in sections[title].rows] if title in sections else []


def _listed(sections: Sections, title: str, entry: Callable[[Row], str]) -> Iterator[str]:
    if title in sections:
        yield from ("", f"## {title}", "")
        yield from map(entry, sections[title].rows)


def _setting(row: Row) -> str:
    name, meaning, default = row
    return f"- `{name}`: {meaning}. Default: {default}."


def _option(row: Row) -> str:
    name, values, meaning = row
    return f"- `{name}={values.replace(', ', '|')}`: {meaning}"
