"""The page with every command and option: what `--help` says."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import click

from fsm.cli import cli

INTRODUCTION = """\
# The command line

The program is called `fsm`. `python -m fsm` is the same. Where a program might read the result, a command takes `--json`. Every command takes `--help`, which also has
examples.

A `RULESET` is a built-in name (`magic`), a name with options (`magic?extra_draw_on_first_turn=false`),
`module:attribute`, `file.py:attribute`, or a model's JSON file. `draw`, `check` and `paths` also take any machine of the
library `transitions`.

This is what `--help` says of each command.
"""


WIDTH: dict[str, Any] = {"terminal_width": 80, "max_content_width": 80}


def page() -> str:
    """Return the text of `reference/commands.md`."""
    return "\n".join([INTRODUCTION, *_sections(click.Context(cli, info_name="fsm", **cli.context_settings, **WIDTH))])


def _sections(context: click.Context) -> Iterator[str]:
    yield from (f"## `{context.command_path}`", "", "```text", _shorter(context.get_help()), "```", "")
    if isinstance(context.command, click.Group):
        for name in context.command.list_commands(context):
            command = context.command.get_command(context, name)
            assert command is not None
            yield from _sections(click.Context(command, info_name=name, parent=context, **WIDTH))


def _shorter(text: str) -> str:
    """Leave out the option that every command has, and the examples, which the guides have."""
    text = re.sub(r"\n  -h, --help .*", "", text)
    text = re.sub(r"\n\n  Examples?:\n(?:    .*\n?)+", "\n", text)
    return re.sub(r"\n+Options:\Z", "", text)
