"""Describes durations that end when transitions begin, end or mark something."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from fsm.model import Action, Duration, Model, State, Transition
from fsm.views.tables.turntable import Row
from fsm.views.tables.wording import sentence
from fsm.wording import blanks, clause, listed, rules_of


def expiries(
    model: Model, rows: Iterable[Transition], moment: str, level: str, home: State
) -> Iterator[Row]:
    """Yield a row for the durations that end when one of these transitions begins, ends or marks
    something.
    """
    actions = dict.fromkeys(action for row in rows for action in row.actions)
    ended = [d for action in actions for d in _ended(model, action, moment, level, home)]
    if ended:
        names = [f"“{clause(d.doc) or blanks(d.name)}”" for d in dict.fromkeys(ended)]
        yield Row(
            "expiry",
            sentence("", f"effects that last {listed(names)} end"),
            rules_of(ended) or home.rule,
        )


def _ended(
    model: Model, action: Action, moment: str, level: str, home: State
) -> Iterator[Duration]:
    for what in _announced(action, moment, level, home):
        yield from (d for d in model.durations if (d.moment, d.what) == (moment, what))


def _announced(action: Action, moment: str, level: str, home: State) -> tuple[str, ...]:
    """Return the words by which this action marks the moment, or none if it is another moment or
    level.
    """
    name, args = action.name, action.args
    if moment == "mark":
        return args if name == "mark" else ()
    if level == "turn":
        return (level,) if name == f"{moment}_turn" else ()
    if args[:1] != (level,):
        return ()
    if moment == "begin":
        return tuple(dict.fromkeys(args[1:])) if name == "begin" else ()
    return tuple(dict.fromkeys((home.name, home.family))) if name == "end" else ()
