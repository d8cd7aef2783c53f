"""Bash cuts a word at ":" and "=", as in phase:combat_phase: for completion it is made whole again.

Importing this puts it in the place of click's own class for bash.
"""

from __future__ import annotations

import os

from click.shell_completion import BashComplete, CompletionItem, add_completion_class, split_arg_string

_BREAKS = frozenset(":=")


@add_completion_class
class WholeWords(BashComplete):
    """As click's, but for words that bash has cut."""

    before = ""
    """What of the last word bash keeps, so that only the rest of it is printed."""

    def get_completion_args(self) -> tuple[list[str], str]:
        """The words before the one that is being typed, and what of that one is there."""
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
        """One line for the shell's script: what kind of word it is, and what bash does not keep of it."""
        before = self.before
        while not item.value.startswith(before):  # in --view=phase:x, the value begins behind the first "="
            before = before.partition("=")[2]
        return f"{item.type},{item.value.removeprefix(before)}"


def _breaks(part: str) -> bool:
    return bool(part) and _BREAKS.issuperset(part)
