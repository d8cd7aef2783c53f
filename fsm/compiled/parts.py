"""States, transitions and conditions of a compiled machine: the library's, observed."""

from __future__ import annotations

from typing import Any

from transitions import core

from fsm.compiled.observing import Observed, handed


class CompiledState(Observed, core.State):
    """The library's state, which tells when it is changed."""

    _watched = ("_name", "final", "on_enter", "on_exit")

    def __init__(
        self, name: Any, on_enter: Any = None, on_exit: Any = None, *args: Any, **kwargs: Any
    ) -> None:
        if on_enter is not None:
            on_enter = handed(on_enter)
        if on_exit is not None:
            on_exit = handed(on_exit)
        super().__init__(name, on_enter, on_exit, *args, **kwargs)


class CompiledCondition(Observed, core.Condition):
    """The library's condition, which tells when it is changed."""

    _watched = ("func", "target")


class CompiledTransition(Observed, core.Transition):
    """The library's transition, which tells when it is changed.

    `rule` is a citation; it stands as a comment in the generated code.
    """

    condition_cls: type[core.Condition] = CompiledCondition
    _watched = ("source", "dest", "prepare", "before", "after", "conditions")

    rule: str = ""

    def __init__(
        self,
        source: Any,
        dest: Any,
        conditions: Any = None,
        unless: Any = None,
        before: Any = None,
        after: Any = None,
        prepare: Any = None,
        rule: str = "",
    ) -> None:
        if before is not None:
            before = handed(before)
        if after is not None:
            after = handed(after)
        if prepare is not None:
            prepare = handed(prepare)
        super().__init__(source, dest, conditions, unless, before, after, prepare)
        if rule:
            self.rule = rule


# The library's repr() names the class; logs and messages read as before.
for _part, _name in (
    (CompiledState, "State"),
    (CompiledCondition, "Condition"),
    (CompiledTransition, "Transition"),
):
    _part.__name__ = _name
