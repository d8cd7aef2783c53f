"""The page with every command and option: what `--help` says."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from fsm.cli import cli

INTRODUCTION = """\
# Every command and option

This is what `--help` says of each command. [The command line](../command-line.md) gives an overview. (Written by
`python docs/generate.py`.)
"""


WIDTH: dict[str, Any] = {"terminal_width": 80, "max_content_width": 80}


def page() -> str:
    """Return the text of `reference/commands.md`."""
    return "\n".join([INTRODUCTION, *_sections(click.Context(cli, info_name="fsm", **cli.context_settings, **WIDTH))])


def _sections(context: click.Context) -> Iterator[str]:
    yield from (f"## `{context.command_path}`", "", "```text", context.get_help(), "```", "")
    if isinstance(context.command, click.Group):
        for name in context.command.list_commands(context):
            command = context.command.get_command(context, name)
            assert command is not None
            yield from _sections(click.Context(command, info_name=name, parent=context, **WIDTH))
