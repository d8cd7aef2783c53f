"""The records of what fires along an edge of the memo of positions, for whoever watches or traces a game.

The first time, the interpreter makes them. From then on they are the same but for the number of the turn, the name of
the active player and the ids of phase and step.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from fsm.engine.askers import Players
from fsm.engine.interpreter import Interpreter
from fsm.engine.positions import Edge, Node, Progress
from fsm.engine.trace import Record


def records_along(node: Node, edge: Edge, players: Players, progress: Progress) -> list[Record]:
    """Return the records of an answer that leads from a node along an edge, in a game that has come so far."""
    if edge.records is None:
        run, made = node.run.copy(), list[Record]()
        Interpreter(run.model).answered(run, node.point.numbered[edge.code[0]].answer, made.append)
        edge.records = made
    if progress is node.progress and players == node.run.agenda.players:
        return edge.records
    names = dict(zip(node.run.agenda.players, players, strict=True))
    return later_records(edge.records, names, progress, node.progress)


def later_records(records: Iterable[Record], names: Mapping[str, str], now: Progress, before: Progress) -> list[Record]:
    """Return records of a game that had come as far as `before`, as of one that has come as far as `now`.

    `names` has the player of today for each player.
    """
    turns, ids = now.turn - before.turn, now.base - before.base
    return [
        Record(
            r.machine,
            r.event,
            r.transition,
            r.source,
            r.target,
            r.guards,
            r.actions,
            r.turn + turns,
            names[r.active],
            r.extra,
            r.phase,
            r.step,
            r.iteration,
            r.extra_phase,
            r.extra_step,
            r.phase_id and r.phase_id + ids,
            r.step_id and r.step_id + ids,
        )
        for r in records
    ]
