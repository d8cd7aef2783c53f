"""One event in one state as straight code, in the library's order of callbacks.

prepare_event; then for each transition: its prepare, its conditions; before_state_change, its
before, on_exit, the assignment, on_enter, on_final, its after, after_state_change; at last
on_exception and finalize_event.

What a subclass overrides is called instead of written out: `enter` and `exit` of a state, `execute`
of a transition, `check` of a condition.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from types import FunctionType
from typing import Any

from transitions import core

from fsm.compiled.case import Case, NotCompiled, Written, finalize_failed, named, written_out
from fsm.compiled.naming import Names, attribute, comment, identifier
from fsm.compiled.observing import ObservedList, Observer, observe


class Writer:
    """Writes the function of one Case; `observer` is told of later changes to all that was read."""

    def __init__(self, case: Case, observer: Observer) -> None:
        self.case = case
        self.observer = observer
        self.names: Names = Names(
            identifier(f"{identifier(case.event.name)}_from_{identifier(case.state.name)}")
        )
        self.lines: list[str] = []
        self.depth: int = 1
        machine = case.machine
        self.rows: Iterable[Any] = self.iterable(case.event.transitions[case.state.name])
        self.with_event: bool = machine.send_event or not all(map(written_out, self._all_parts()))
        last = (*self.setting("on_exception"), *self.setting("finalize_event"))
        self.guarded: bool = bool(self.with_event or last)
        self.passed = "event" if machine.send_event else "*args, **kwargs" if case.arguments else ""

    def written(self) -> Written:
        """The function's source. Raises NotCompiled."""
        event, state = self.case.event.name, self.case.state.name
        name = self.names.function
        self.lines += [f"# {comment(event)}, in {comment(state)}", self._signature(name)]
        if self.guarded:
            self._guarded_body()
        else:
            self._transitions("return True")
            if not self._always_fires():
                self.line("return False")
        return Written(name, "\n".join(self.lines) + "\n", self.names.values)

    # -- what may be read --------------------------------------------------------------------

    def iterable(self, found: Any) -> Iterable[Any]:
        """What was found where the library expects a list."""
        if not isinstance(found, ObservedList | tuple):
            raise NotCompiled(f"{found!r} is neither a list nor a tuple")
        return found

    def callbacks(self, owner: Any, slot: str) -> Iterable[Any]:
        """The callbacks, or conditions, in this slot of a machine, state or transition."""
        owner._observe(self.observer)
        return self.iterable(observe(owner, slot, self.observer))

    def setting(self, name: str) -> Iterable[Any]:
        """The callbacks that the machine has for all its transitions."""
        return self.callbacks(self.case.machine, f"_{name}")

    def state(self, name: Any) -> core.State:
        """The machine's state of this name."""
        try:
            return self.case.machine.get_state(name)
        except (ValueError, TypeError) as error:
            raise NotCompiled(f"{name!r} is not a state of the machine") from error

    def _all_parts(self) -> Iterable[object]:
        """The transitions, conditions and states that the function is about."""
        for row in self.rows:
            yield row
            if not written_out(row):
                continue
            yield from self.callbacks(row, "conditions")
            if row.dest:
                yield self.state(row.source)
                yield self.state(row.dest)

    # -- lines ---------------------------------------------------------------------------------

    def line(self, text: str) -> None:
        """One more line, as deep as we are."""
        self.lines.append("    " * self.depth + text)

    def calls(self, funcs: Iterable[Any]) -> None:
        """A line for each callback."""
        for func in funcs:
            self.line(self.call(func))

    def call(self, func: Any) -> str:
        """The expression that calls one callback with what callbacks get."""
        return f"{self._callable(func)}({self.passed})"

    def _callable(self, func: Any) -> str:
        if not isinstance(func, str):
            return self.names.of(func, getattr(func, "__name__", type(func).__name__))
        if attribute(func) and _is_method(self.case.model_class, func):
            return f"model.{func}"
        return f"{self.names.of(named, 'named')}({func!r}, model)"

    def _signature(self, name: str) -> str:
        return f"def {name}(model, args, kwargs):" if self.case.arguments else f"def {name}(model):"

    # -- the whole event -----------------------------------------------------------------------

    def _guarded_body(self) -> None:
        """The transitions, with what happens when they raise, and what happens in any case."""
        self._begin()
        self.line("try:")
        self.depth += 1
        self.line("while True:  # once; `break` when a transition has fired")
        self.depth += 1
        self._transitions("break")
        if not self._always_fires():
            self.line("break")
        self.depth -= 2
        self._on_exception()
        self._finalize()
        self.line(f"return {self._result()}")

    def _begin(self) -> None:
        if not self.with_event:
            self.line("result = False")
            return
        names = self.names
        case = self.case
        made_of = (
            names.of(case.state, f"state_{case.state.name}"),
            names.of(case.event, f"event_{case.event.name}"),
            names.of(case.machine, "machine"),
            "model, args, kwargs" if case.arguments else "model, (), {}",
        )
        self.line(f"event = {names.of(core.EventData, 'EventData')}({', '.join(made_of)})")

    def _on_exception(self) -> None:
        funcs = self.setting("on_exception")
        if not funcs and not self.with_event:
            return
        self.line("except BaseException as error:" if self.with_event else "except BaseException:")
        self.depth += 1
        if self.with_event:
            self.line("event.error = error")
        self.calls(funcs)
        if not funcs:
            self.line("raise")
        self.depth -= 1

    def _finalize(self) -> None:
        funcs = self.setting("finalize_event")
        if not funcs:
            return
        failed = self.names.of(finalize_failed, "finalize_failed")
        self.line("finally:")
        self.depth += 1
        self.line("try:")
        self.depth += 1
        self.calls(funcs)
        self.depth -= 1
        self.line("except BaseException as error:")
        self.line(f"    {failed}({self.names.of(self.case.machine, 'machine')}, error)")
        self.depth -= 1

    def _result(self) -> str:
        return "event.result" if self.with_event else "result"

    # -- transitions -----------------------------------------------------------------------------

    def _transitions(self, leave: str) -> None:
        self.calls(self.setting("prepare_event"))
        for number, row in enumerate(self.rows, 1):
            self._transition(row, number, leave)
            if _fires_always(row):
                break

    def _always_fires(self) -> bool:
        return any(map(_fires_always, self.rows))

    def _transition(self, row: core.Transition, number: int, leave: str) -> None:
        self.line(f"# {_title(row)}")
        handle = f"transition_{number}"
        if self.with_event:
            self.line(f"event.transition = {self.names.of(row, handle)}")
        depth = self.depth
        if not written_out(row):
            self.line(f"if {self.names.of(row, handle)}.execute(event):")
            self.depth += 1
        else:
            self._in_full(row)
        if self.guarded:
            self.line(f"{self._result()} = True")
        self.line(leave)
        self.depth = depth

    def _in_full(self, row: core.Transition) -> None:
        self.calls(self.callbacks(row, "prepare"))
        tests = [self._test(condition) for condition in self.callbacks(row, "conditions")]
        if tests:
            self.line(f"if {' and '.join(tests)}:")
            self.depth += 1
        self.calls(self.setting("before_state_change"))
        self.calls(self.callbacks(row, "before"))
        if row.dest:
            self.change_state(self.state(row.source), self.state(row.dest))
        self.calls(self.callbacks(row, "after"))
        self.calls(self.setting("after_state_change"))

    def _test(self, condition: core.Condition) -> str:
        if not written_out(condition):
            return f"{self.names.of(condition, 'condition')}.check(event)"
        condition._observe(self.observer)  # type: ignore[attr-defined]
        target: object = condition.target
        value = repr(target) if isinstance(target, bool) else self.names.of(target, "target")
        return f"{self.call(condition.func)} == {value}"

    def change_state(self, source: core.State, dest: core.State) -> None:
        self.exit_or_enter(source, "exit")
        self.assign(dest)
        self.exit_or_enter(dest, "enter")
        if not written_out(dest):
            funcs = list(self.setting("on_final"))
            if funcs:
                self.line(f"if {self.names.of(dest, f'state_{dest.name}')}.final:")
                self.depth += 1
                self.calls(funcs)
                self.depth -= 1
        elif dest.final:
            self.calls(self.setting("on_final"))

    def exit_or_enter(self, state: core.State, way: str) -> None:
        if written_out(state):
            self.calls(self.callbacks(state, f"on_{way}"))
        else:
            self.line(f"{self.names.of(state, f'state_{state.name}')}.{way}(event)")

    def assign(self, dest: core.State) -> None:
        kept_in = self.case.machine.model_attribute
        plain = attribute(kept_in)
        value = (
            repr(dest.value)
            if type(dest.value) is str
            else self.names.of(dest.value, f"value_{dest.name}")
        )
        here = f"model.{kept_in}" if plain else f"getattr(model, {kept_in!r})"
        self.line(f"{here} = {value}" if plain else f"setattr(model, {kept_in!r}, {value})")
        if hasattr(inspect.getattr_static(self.case.model_class, kept_in, None), "__set__"):
            state = f"{self.names.of(self.case.machine, 'machine')}.get_state({here})"
            self.line(f"event.state = {state}" if self.with_event else state)
        elif self.with_event:
            self.line(f"event.state = {self.names.of(dest, f'state_{dest.name}')}")


def _fires_always(row: core.Transition) -> bool:
    return written_out(row) and not row.conditions


def _title(row: core.Transition) -> str:
    """One line about a transition, with its rule if it has one."""
    way = (
        f"{comment(row.source)} -> {comment(row.dest)}"
        if row.dest
        else f"{comment(row.source)}, internal"
    )
    rule = comment(getattr(row, "rule", "") or "")
    return f"{way} ({rule})" if rule else way


def _is_method(cls: type, name: str) -> bool:
    """Does every instance have a method of this name? (Of other attributes only the library's
    look-up knows.)
    """
    found = inspect.getattr_static(cls, name, None)
    return isinstance(found, FunctionType | staticmethod | classmethod)
