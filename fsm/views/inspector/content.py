"""What the page of the inspector is made of, and what it asks for."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from string import Template
from typing import Any

from fsm.errors import FsmError
from fsm.views.embedded import page_colours
from fsm.views.explorer.parts import part as shared_part
from fsm.views.html import digest, text
from fsm.views.inspector.exports import EXPORTS
from fsm.views.inspector.server import Query, Refusal, Reply
from fsm.views.inspector.stories import Story
from fsm.views.inspector.telling import entry_of, moment_of, present_of, static_of

SHARED = ("elements", "dom", "icons", "mapview")
"""The scripts of the explorer page that this page uses as well."""
LISTED = 200
"""The list has at most so many entries: the newest."""


@dataclass(slots=True)
class InspectorContent:
    """What is shown: a title, stories in the order in which they were added."""

    title: str
    stories: list[Story] = field(default_factory=list)
    _known: dict[int, tuple[tuple[int, str], dict[str, Any]]] = field(default_factory=dict)
    """The last moment of each story that was told, with its version and its failure."""

    def get(self, path: str, query: Query) -> Reply:
        """Return the page, or what it asks for. Raises Refusal."""
        if path == "":
            return page(self.title)
        story = self._story(query)
        with story.lock:
            if path == "story":
                return _json(static_of(story))
            story.update()
            at = _number(query, "at", story.count)
            if path == "moment":
                return _json({"moment": moment_of(story, at), "present": present_of(story)})
            export = EXPORTS.get(query.get("what", "")) if path == "export" else None
            if export is None:
                raise Refusal(404, "there is nothing here")
            try:
                return export(story, min(at, story.count))
            except FsmError as error:
                raise Refusal(409, str(error)) from None

    def news(self, query: Query) -> dict[str, Any]:
        """Return the list; where the chosen story is now; and its last moment, if the page follows
        it.
        """
        chosen = self._story(query) if self.stories else None
        first = max(0, len(self.stories) - LISTED)
        entries = list[dict[str, Any]]()
        for number, story in enumerate(self.stories[first:], first):
            with story.lock:
                story.update()
                entries.append(entry_of(number, story))
        found: dict[str, Any] = {"games": entries, "total": len(self.stories)}
        if chosen is not None:
            with chosen.lock:
                found |= {"id": self.stories.index(chosen), "present": present_of(chosen)}
                if query.get("follow") != "0":
                    found["moment"] = self._last_moment(found["id"], chosen)
        return found

    def _last_moment(self, number: int, story: Story) -> dict[str, Any]:
        now = story.version, story.failure
        known, moment = self._known.get(number, (None, {}))
        if known != now:
            moment = moment_of(story, story.count)
            self._known[number] = now, moment
        return moment

    def _story(self, query: Query) -> Story:
        number = _number(query, "game", 0)
        if not number < len(self.stories):
            raise Refusal(404, "there is no such game")
        return self.stories[number]


def _number(query: Query, name: str, default: int) -> int:
    given = query.get(name, "")
    if not given:
        return default
    if not given.isdecimal() or len(given) > 12:
        raise Refusal(400, f"{name} must be a number")
    return int(given)


def _json(value: object) -> Reply:
    return Reply("application/json", json.dumps(value, separators=(",", ":")))


@cache
def part(name: str) -> str:
    """Return the text of one file of the page."""
    return files("fsm.views.inspector").joinpath("page", name).read_text(encoding="utf-8")


def page(title: str) -> Reply:
    """Return the page, which loads nothing but its own data."""
    shared = "\n".join(shared_part(f"page/{name}.js") for name in SHARED)
    script, style = f"{shared}\n{part('inspector.js')}", page_colours() + part("style.css")
    policy = f"default-src 'none'; script-src {digest(script)}; style-src {digest(style)}; connect-src 'self'; "
    policy += "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    made = Template(part("page.html")).substitute(title=text(title), style=style, script=script)
    return Reply("text/html", made, policy=policy)
