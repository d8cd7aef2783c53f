"""Draw the gallery anew beside this file: every ruleset's turn, window, phases and endings, other
games, and the index of them.

python diagrams/draw.py
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from html import escape
from importlib.resources import as_file, files
from pathlib import Path

import msgspec

from fsm import draw, load, scenarios
from fsm.model import Model
from fsm.rulesets import names
from fsm.scenarios import play
from fsm.views import read
from fsm.views.draw import titles_of, views_of
from fsm.views.timelines import timeline

HERE = Path(__file__).parent
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
    for name, (place, _) in EXAMPLES.items():
        yield f"{name}/turn.svg", draw(load(place))
        yield f"{name}/reading.json", reading(load(place))
    for name in PUBLIC:
        yield f"games/{name}.svg", draw(public(name))
    yield "magic/timeline.svg", game()
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


def game() -> str:
    """The showcase as a timeline."""
    with as_file(files("fsm") / "showcase" / "two-players.json") as path:
        [scenario, *_] = scenarios.load(path)
    return timeline(scenario.model, play(scenario).trace.records, title="A game of Magic")


def _index() -> Iterator[str]:
    yield HEAD
    yield "<table>"
    for name in names():
        yield from _row(name, load(name))
    yield from ("</table>", "", "A game of Magic as a timeline:", "")
    yield from (_picture("magic/timeline", "A game as a timeline", 830), "")
    yield from ("## Games of your own", "")
    for name, (place, shows) in EXAMPLES.items():
        yield f"- `{place}`: {shows}. [The reading]({name}/reading.json)."
    yield ""
    yield from (_picture(f"{name}/turn", load(EXAMPLES[name][0]).title, 205) for name in EXAMPLES)
    yield from ("", "Ten public games, unofficial. [What each teaches]" + TEACHES, "")
    yield from (_picture(f"games/{name}", public(name).title, 205) for name in PUBLIC)
    yield ""


def _row(name: str, model: Model) -> Iterator[str]:
    """A ruleset: its turn at a glance, and links to all other views."""
    views = [view for view in views_of(model) if view != "turn"]
    links = {f"{file_name(view)}.svg": _words(model, view) for view in views}
    links |= {"turn.mmd": "Mermaid", "reading.json": "the reading"}
    yield f'<tr><td width="420">{_picture(f"{name}/turn", f"{model.title} at a glance", 400)}</td>'
    yield f"<td><h3>{escape(model.title)}</h3>"
    yield f"<p><code>{name}</code>, {escape(model.edition)}</p>"
    said = [f'<a href="{name}/{file}">{escape(words)}</a>' for file, words in links.items()]
    yield f"<p>{', '.join(said)}</p></td></tr>"


def _words(model: Model, view: str) -> str:
    """What a view is called in the index."""
    return titles_of(model)[view] if ":" in view else view


def _picture(path: str, title: str, width: int) -> str:
    image = f'<img width="{width}" alt="{escape(title)}" src="{path}.svg">'
    return f'<a href="{path}.svg">{image}</a>'


if __name__ == "__main__":
    sys.path.insert(0, str(HERE.parent / "examples"))
    for path, text in gallery():
        (HERE / path).parent.mkdir(exist_ok=True)
        (HERE / path).write_text(text, encoding="utf-8", newline="\n")
        print(path)
