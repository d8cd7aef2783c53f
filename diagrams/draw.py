"""Draw the gallery anew beside this file: every ruleset's turn, window, phases and endings, and the
index of them.

python diagrams/draw.py
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from importlib.resources import as_file, files
from pathlib import Path

from fsm import draw, load, scenarios
from fsm.model import Model
from fsm.rulesets import names
from fsm.scenarios import play
from fsm.views.drawing import views_of
from fsm.views.drawing.timeline import timeline
from fsm.views.drawing.views import diagram_of

THEMES = {"": "light", "-dark": "dark"}
HEAD = """# The gallery

Drawn from the models that run, by `python diagrams/draw.py`. The checks fail when a picture is no
longer that of its model. A click opens a picture where pointing at anything shows its rule. Every
step has a picture of its own, too: `fsm draw magic --views` lists them.
"""


def gallery() -> Iterator[tuple[str, str]]:
    """Each file of the gallery: its path from here, and its text."""
    for name in names():
        model = load(name)
        for view in shown(model):
            path = f"{name}/{file_name(view)}"
            for suffix, theme in THEMES.items():
                yield f"{path}{suffix}.svg", draw(model, view=view, theme=theme)
        yield f"{name}/turn.mmd", draw(model, format="mermaid")
    yield from game()
    yield "README.md", "\n".join(_index())


def shown(model: Model) -> list[str]:
    """The views that a reader wants; single steps are left to the command."""
    return [view for view in views_of(model) if not view.startswith("step:")]


def file_name(view: str) -> str:
    """A view's name as part of a path."""
    return view.replace(":", "-")


def game() -> Iterator[tuple[str, str]]:
    """The showcase as a timeline."""
    with as_file(files("fsm") / "showcase" / "two-players.json") as path:
        [scenario, *_] = scenarios.load(path)
    records = play(scenario).trace.records
    for suffix, theme in THEMES.items():
        yield (
            f"magic/timeline{suffix}.svg",
            timeline(scenario.model, records, theme=theme, title="A game of Magic"),
        )


def _index() -> Iterator[str]:
    yield HEAD
    yield from (f"- [{load(name).title}](#{name})" for name in names())
    yield ""
    for name in names():
        model = load(name)
        yield from (
            f'<a name="{name}"></a>',
            "",
            f"## {model.title}",
            "",
            f"`{name}`, {model.edition}",
            "",
        )
        for view in shown(model):
            title = diagram_of(model, view).title.partition(": ")[2] or view
            yield from _picture(f"{name}/{file_name(view)}", title, mermaid=view == "turn")
        if name == "magic":
            yield from _picture("magic/timeline", "a game as a timeline", mermaid=False)


def _picture(path: str, title: str, *, mermaid: bool) -> Iterator[str]:
    yield from (f"### {title[:1].upper()}{title[1:]}", "", f'<a href="{path}.svg"><picture>')
    yield f'  <source media="(prefers-color-scheme: dark)" srcset="{path}-dark.svg">'
    yield from (f'  <img alt="{escape(title)}" src="{path}.svg">', "</picture></a>", "")
    if mermaid:
        yield from (f"[The same as Mermaid]({path}.mmd)", "")


if __name__ == "__main__":
    here = Path(__file__).parent
    for path, text in gallery():
        (here / path).parent.mkdir(exist_ok=True)
        (here / path).write_text(text, encoding="utf-8", newline="\n")
        print(path)
