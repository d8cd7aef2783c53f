"""Completion in bash, which splits words at ":" and "=", as in phase:combat_phase. Here they are
put together again.

Importing this module replaces click's own class for bash.
"""

from __future__ import annotations

import os

from click.shell_completion import (
    BashComplete,
    CompletionItem,
    add_completion_class,
    split_arg_string,
)

_BREAKS = frozenset(":=")


@add_completion_class
class BashWholeWords(BashComplete):
    """Completes words that bash has split. Everything else is as in click."""

    before = ""
    """The part of the last word that bash keeps, so that only the rest is printed."""

    def get_completion_args(self) -> tuple[list[str], str]:
        """Return the words before the current one, and the beginning of the current one."""
        at = int(os.environ["COMP_CWORD"])
        parts = split_arg_string(os.environ["COMP_WORDS"])[: at + 1]
        words: list[list[str]] = []
        for part in parts if len(parts) > at else [*parts, ""]:
            if words and part and (_breaks(part) or _breaks(words[-1][-1])):
                words[-1].append(part)
            else:
                words.append([part])
        last = words[-1]
        self.before = "".join(last if _breaks(last[-1]) else last[:-1])
        [_, *args, incomplete] = map("".join, words)
        return args, incomplete

    def format_completion(self, item: CompletionItem) -> str:
        """Return one line for the shell's script: the kind of word, and the part that bash does not
        keep.
        """
        before = self.before
        while not item.value.startswith(
            before
        ):  # in --view=phase:x, the value begins after the first "="
            before = before.partition("=")[2]
        return f"{item.type},{item.value.removeprefix(before)}"


def _breaks(part: str) -> bool:
    return bool(part) and _BREAKS.issuperset(part)
