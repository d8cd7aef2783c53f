"""Exports a Model as the configuration of an XState v5 machine, in JSON.

To run it, every event carries the facts to be read, as in {"type": "turn.done", "facts":
{"first_turn": true}}, and one guard reads them. A fact that is left out is false:

    const holds = ({event}, facts) =>
      Object.entries(facts).every(([name, value]) => (event.facts?.[name] ?? false) === value);
    const machine = setup({guards: {holds}}).createMachine(config);

The actions that it names may be implemented in the same way, or not at all.
"""

from __future__ import annotations

import json
from typing import Any

from fsm.model import Model, State
from fsm.views.drawing.options import DrawOptions
from fsm.views.export.statechart import Chart, ChartIds, ChartTransition, charts, performed_by
from fsm.wording import guard_words, label_of, plain


def xstate(model: Model, options: DrawOptions) -> str:
    """Return the turn with its window as an XState configuration. The view is ignored."""
    return json.dumps(_XStateWriter(model).config(), indent=2, ensure_ascii=False) + "\n"


class _XStateWriter:
    def __init__(self, model: Model) -> None:
        self.model = model
        self.ids = ChartIds(model)

    def config(self) -> dict[str, Any]:
        """Return the argument of createMachine."""
        model, outermost = self.model, charts(self.model, self.ids)
        facts = {f.name: plain(f.doc) for m in model.machines.values() for f in m.facts}
        meta = _filled(
            title=plain(model.title), edition=plain(model.edition), fingerprint=model.fingerprint
        )
        return {
            "id": self.ids.machine,
            "description": plain(model.title),
            "initial": _way(outermost, self.ids.state(model.initial)),
            "meta": {**meta, "facts": facts},
            "states": {chart.key: self._state(chart) for chart in outermost},
        }

    def _state(self, chart: Chart) -> dict[str, Any]:
        state = chart.state
        on: dict[str, list[dict[str, Any]]] = {}
        for row in chart.rows:
            on.setdefault(row.event, []).append(self._transition(row))
        return _filled(
            id=chart.id,
            type="final" if chart.final else "",
            description=_description(state),
            initial=_way(chart.inside, chart.initial),
            tags=[state.kind],
            meta=_meta(state),
            on=on,
            states={inner.key: self._state(inner) for inner in chart.inside},
        )

    def _transition(self, row: ChartTransition) -> dict[str, Any]:
        values = row.row
        return _filled(
            target=f"#{self._escaped(row.target)}" if row.target else "",
            guard={"type": "holds", "params": {t.fact: t.value for t in values.guard}}
            if values.guard
            else None,
            actions=[_filled(type=a.name, params=list(a.args)) for a in values.actions],
            description=", ".join(
                part for part in (guard_words(values.guard), plain(values.doc)) if part
            ),
            meta=_filled(layer=values.layer, rule=plain(values.rule)),
        )

    def _escaped(self, id: str) -> str:
        """Escape dots. XState reads a plain dot in a target as a path into a state."""
        return id.replace(".", "\\.")


def _way(inside: tuple[Chart, ...], leaf: str) -> str:
    """Return the key of the state that contains the leaf."""
    return next((chart.key for chart in inside if leaf in chart.leaves() or leaf == chart.id), "")


def _description(state: State) -> str:
    return ": ".join(part for part in (label_of(state), plain(state.doc)) if part)


def _meta(state: State) -> dict[str, Any]:
    """Return what a host needs: the request that is made here, and its rule."""
    values = {
        "rule": plain(state.rule),
        "role": state.role,
        "asks": state.asks,
        "action": plain(state.action),
    }
    return _filled(**values, manner=plain(state.manner), opens=state.opens, by=performed_by(state))


def _filled(**values: Any) -> dict[str, Any]:
    """Leave out empty values."""
    return {name: value for name, value in values.items() if value not in ("", None, [], {})}
