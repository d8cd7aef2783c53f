"""Shell completion: parameter types that know which words an argument may be.

`click` does the rest for bash, zsh and fish. The shell runs the program with a variable set, and
reads the words. Modules that are needed to find the words are imported only then.
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


class CompletedText(StringParamType):
    """A text for which the shell offers words. With `many`, it is a list of them separated by
    commas.
    """

    def __init__(
        self, name: str, words: Callable[[click.Context], Iterable[str]], *, many: bool = False
    ) -> None:
        self.name, self.words, self.many = name, words, many

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Return the words that complete the input. There are none if they cannot be found: a shell
        shows no errors.
        """
        before = incomplete[: incomplete.rfind(",") + 1] if self.many else ""
        try:
            found = [before + word for word in self.words(ctx)]
        except FsmError:
            return []
        return _items(found, incomplete)


class FilePath(StringParamType):
    """The name of a file, which the shell completes."""

    name = "file"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Let the shell complete files."""
        from click.shell_completion import CompletionItem

        return [CompletionItem(incomplete, type="file")]


class RulesetSpec(StringParamType):
    """A ruleset: a built-in name, perhaps with options, a model's file, or module:attribute."""

    name = "ruleset"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Return names, after a "?" the missing options with their values, or files if nothing else
        fits.
        """
        return _items(_rulesets(incomplete), incomplete) or FILE.shell_complete(
            ctx, param, incomplete
        )


def _items(words: Iterable[str], incomplete: str) -> list[CompletionItem]:
    from click.shell_completion import CompletionItem

    return [CompletionItem(word) for word in words if word.startswith(incomplete)]


def _rulesets(incomplete: str) -> Iterable[str]:
    from fsm.rulesets import names, options

    name, mark, query = incomplete.partition("?")
    if not mark or name not in names():
        return names()
    kept = query[: query.rfind("&") + 1]
    given = {part.partition("=")[0] for part in kept.split("&")}
    open = {option: of.values for option, of in options(name).items() if option not in given}
    return [
        f"{name}?{kept}{option}={_plain(value)}"
        for option, values in open.items()
        for value in values
    ]


def _plain(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _model(ctx: click.Context) -> Model | None:
    """Return the model of the ruleset that has been typed already."""
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


RULESET = RulesetSpec()
FILE = FilePath()
VIEW = CompletedText("name", _views)
STATE = CompletedText("state", _states)
FORMAT = CompletedText("format", _formats)
THEME = CompletedText("theme", lambda _: ("light", "dark"))
ENGINE = CompletedText("engine", lambda _: ("own", "graphviz"))
LAYERS = CompletedText("list", _layers, many=True)
CRITERION = CompletedText("c", _criteria)
CRITERIA = CompletedText("list", _criteria, many=True)
REPORT = CompletedText("kind", _reports)
