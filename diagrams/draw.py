"""Draw the gallery anew beside this file: every ruleset's turn, window, phases and endings, a game
of it as a timeline, other games with their tables, and the index of them.

python diagrams/draw.py
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from html import escape
from pathlib import Path

import msgspec

from fsm import draw, load, scenarios
from fsm.model import Model
from fsm.rulesets import names
from fsm.scenarios import play
from fsm.views import read, tabulate
from fsm.views.draw import titles_of, views_of
from fsm.views.timelines import timeline

HERE = Path(__file__).parent
CASES = HERE.parent / "tests" / "scenarios"
PLAYED = {
    "magic": HERE.parent / "fsm" / "showcase" / "two-players.json",
    "magic-2010": CASES / "magic-2010" / "case-27-extra-combat-and-main.json",
    "magic-classic": CASES / "magic-classic" / "case-35-extra-combat-and-main.json",
    "grand-archive": CASES / "grand-archive" / "case-10-two-attacks.json",
}
"""The game of each ruleset that is shown as a timeline."""
EXAMPLES = {
    "lanterns": ("lanterns:LANTERNS", "a phase inside another, a fork, a step that is repeated"),
    "duel": ("duel.rules:DUEL", "the rules of the example `duel`"),
    "harbour": ("fleet.rules:HARBOUR", "the rules of the example `fleet`"),
}
"""Games of one's own: where each is, and what it shows."""
PUBLIC = (
    *("yugioh", "pokemon", "lorcana", "onepiece", "fab"),
    *("swu", "netrunner", "l5r", "keyforge", "arkham"),
)
"""The ten public games of `examples/games`."""
FROZEN = ("yugioh", "netrunner")
"""Those of which the reading is kept, too."""
TEACHES = "(../docs/recipes.md#ten-published-games)."
HEAD = """# The gallery

Drawn from the models that run, by `python diagrams/draw.py`. The checks fail when a picture is no
longer that of its model. A picture follows the colours of your screen, and tells more of what you
point at. A client that draws its own turn starts from the reading, which is plain JSON.
"""


def gallery() -> Iterator[tuple[str, str]]:
    """Each file of the gallery: its path from here, and its text."""
    for name in names():
        model = load(name)
        for view in views_of(model):
            yield f"{name}/{file_name(view)}.svg", draw(model, view=view)
        yield f"{name}/turn.mmd", draw(model, format="mermaid")
        yield f"{name}/reading.json", reading(model)
        yield f"{name}/timeline.svg", game(name)
    for name, (place, _) in EXAMPLES.items():
        yield f"{name}/turn.svg", draw(load(place))
        yield f"{name}/reading.json", reading(load(place))
    for name in PUBLIC:
        yield f"games/{name}.svg", draw(public(name))
        yield f"games/{name}.txt", tabulate(public(name), format="txt")
    for name in FROZEN:
        yield f"games/{name}.json", reading(public(name))
    yield "README.md", "\n".join(_index())


def public(name: str) -> Model:
    """One of the ten public games."""
    return load(f"games.{name}:{name.upper()}")


def reading(model: Model) -> str:
    """The reading of a turn, from which every picture of it is drawn."""
    return msgspec.json.format(msgspec.json.encode(read(model)), indent=1).decode() + "\n"


def file_name(view: str) -> str:
    """A view's name as part of a path."""
    return view.replace(":", "-")


def game(name: str) -> str:
    """A game of a ruleset as a timeline."""
    [scenario, *_] = scenarios.load(PLAYED[name])
    title = f"A game of {scenario.model.title}"
    return timeline(scenario.model, play(scenario).trace.records, title=title)


def _index() -> Iterator[str]:
    yield HEAD
    yield "<table>"
    for name in names():
        yield from _row(name, load(name))
    yield from ("</table>", "", "## Games of your own", "")
    for name, (place, shows) in EXAMPLES.items():
        yield f"- `{place}`: {shows}. [The reading]({name}/reading.json)."
    yield ""
    yield from (_picture(f"{name}/turn", load(EXAMPLES[name][0]).title, 205) for name in EXAMPLES)
    yield from ("", "Ten public games, unofficial. [What each teaches]" + TEACHES, "")
    yield from (_picture(f"games/{name}", public(name).title, 205) for name in PUBLIC)
    tables = [f"[{public(name).title}](games/{name}.txt)" for name in PUBLIC]
    kept = [f"[{public(name).title}](games/{name}.json)" for name in FROZEN]
    yield from (
        "",
        f"Their tables: {', '.join(tables)}. The readings of two: {', '.join(kept)}.",
        "",
    )


def _row(name: str, model: Model) -> Iterator[str]:
    """A ruleset: its turn at a glance, a game of it, its phases, and links to all other views."""
    phases = [view for view in views_of(model) if ":" in view]
    others = [view for view in views_of(model) if ":" not in view and view != "turn"]
    links = {f"{view}.svg": view for view in others}
    links |= {"turn.mmd": "Mermaid", "reading.json": "the reading"}
    yield f'<tr><td width="420">{_picture(f"{name}/turn", f"{model.title} at a glance", 400)}</td>'
    yield f"<td><h3>{escape(model.title)}</h3>"
    yield f"<p><code>{name}</code>, {escape(model.edition)}</p>"
    yield _picture(f"{name}/timeline", f"A game of {model.title}", 380)
    yield "<p>"
    for view in phases:
        yield _picture(f"{name}/{file_name(view)}", titles_of(model)[view], 90)
    yield "</p>"
    said = [f'<a href="{name}/{file}">{escape(words)}</a>' for file, words in links.items()]
    yield f"<p>{', '.join(said)}</p></td></tr>"


def _picture(path: str, title: str, width: int) -> str:
    image = f'<img width="{width}" alt="{escape(title)}" src="{path}.svg">'
    return f'<a href="{path}.svg">{image}</a>'


if __name__ == "__main__":
    sys.path.insert(0, str(HERE.parent / "examples"))
    for path, text in gallery():
        (HERE / path).parent.mkdir(exist_ok=True)
        (HERE / path).write_text(text, encoding="utf-8", newline="\n")
        print(path)
