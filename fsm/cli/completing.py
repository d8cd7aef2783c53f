"""What a shell offers when Tab is pressed: parameter types that know the words an argument may be.

`click` does the rest, for bash, zsh and fish: the shell runs the program with a variable set, and reads the words.
What it takes to find them is imported only then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import click
from click.types import StringParamType

from fsm.errors import FsmError

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from fsm.model import Model


class Words(StringParamType):
    """A text for which a shell offers some words; with `many` it is a list of them with commas between."""

    def __init__(self, name: str, words: Callable[[click.Context], Iterable[str]], *, many: bool = False) -> None:
        self.name, self.words, self.many = name, words, many

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """The words that go on as was begun. None when they cannot be found: a shell shows no errors."""
        before = incomplete[: incomplete.rfind(",") + 1] if self.many else ""
        try:
            found = [before + word for word in self.words(ctx)]
        except FsmError:
            return []
        return _items(found, incomplete)


class File(StringParamType):
    """A file's name: the shell completes it."""

    name = "file"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Whatever files there are."""
        from click.shell_completion import CompletionItem

        return [CompletionItem(incomplete, type="file")]


class Ruleset(StringParamType):
    """A ruleset: a built-in name with or without options, else a model's file or module:attribute."""

    name = "ruleset"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Names; after a "?" the options that are not yet there, with their values; files if nothing else fits."""
        return _items(_rulesets(incomplete), incomplete) or FILE.shell_complete(ctx, param, incomplete)


def _items(words: Iterable[str], incomplete: str) -> list[CompletionItem]:
    from click.shell_completion import CompletionItem

    return [CompletionItem(word) for word in words if word.startswith(incomplete)]


def _rulesets(incomplete: str) -> Iterable[str]:
    from fsm.rulesets import names, option_values

    name, mark, query = incomplete.partition("?")
    if not mark or name not in names():
        return names()
    kept = query[: query.rfind("&") + 1]
    given = {part.partition("=")[0] for part in kept.split("&")}
    options = option_values(name).items()
    return [f"{name}?{kept}{option}={_plain(v)}" for option, values in options if option not in given for v in values]


def _plain(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _model(ctx: click.Context) -> Model | None:
    """The model of the ruleset that has already been typed."""
    from fsm.rulesets import load

    # while an option still lacks its value, click leaves the arguments unread
    spec = ctx.params.get("ruleset") or next(iter(ctx.args), None)
    return load(spec, machines=True) if spec else None


def _views(ctx: click.Context) -> Iterable[str]:
    from fsm.views.drawing import views_of

    model = _model(ctx)
    return ("turn", "window") if model is None else views_of(model)


def _states(ctx: click.Context) -> Iterable[str]:
    model = _model(ctx)
    return () if model is None else (state.id for state in model.states)


def _formats(_: click.Context) -> Iterable[str]:
    from fsm.views.drawing.formats import FORMATS

    return FORMATS


def _layers(_: click.Context) -> Iterable[str]:
    from fsm.model import LAYERS

    return LAYERS


def _criteria(_: click.Context) -> Iterable[str]:
    from fsm.coverage.criteria import criteria

    return criteria()


def _reports(_: click.Context) -> Iterable[str]:
    from fsm.coverage.reports.formats import formats
    from fsm.coverage.reports.options import TERMINAL

    return (*TERMINAL, *formats())


RULESET = Ruleset()
FILE = File()
VIEW = Words("name", _views)
STATE = Words("state", _states)
FORMAT = Words("format", _formats)
THEME = Words("theme", lambda _: ("light", "dark"))
ENGINE = Words("engine", lambda _: ("own", "graphviz"))
LAYERS = Words("list", _layers, many=True)
CRITERION = Words("c", _criteria)
CRITERIA = Words("list", _criteria, many=True)
REPORT = Words("kind", _reports)
