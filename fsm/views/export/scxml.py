"""Exports a Model as SCXML (W3C Recommendation, 1 September 2015) with the data model ECMAScript.

To run it, send "fsm.facts" before each event, with an object of the facts to be read, as in
{"first_turn": true}. A fact that is left out is false. Attributes of this package have a namespace
of their own.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from xml.etree import ElementTree as ET

from fsm.model import Fact, Model, Term
from fsm.views.drawing.options import DrawOptions
from fsm.views.export.statechart import Chart, ChartIds, ChartTransition, charts, performed_by
from fsm.views.export.tokens import tokens
from fsm.wording import plain

SCXML = "http://www.w3.org/2005/07/scxml"
NAMESPACE = "urn:turn-fsm:scxml"
FACTS_EVENT = "fsm.facts"
_KEYWORDS = re.findall(
    r"\w+",
    "arguments await break case catch class const continue debugger default delete do else enum eval export extends"
    " false finally for function if implements import in In instanceof interface let new null package private protected"
    " public return static super switch this throw true try typeof undefined var void while with yield",
)


def scxml(model: Model, options: DrawOptions) -> str:
    """Return the turn with its window as an SCXML document. The view is ignored."""
    return _ScxmlWriter(model).write()


class _ScxmlWriter:
    def __init__(self, model: Model) -> None:
        self.model = model
        self.ids = ChartIds(model)
        self.facts = {f.name: f for m in model.machines.values() for f in m.facts}
        self.variables = tokens(self.facts, (*_KEYWORDS, *self.ids.turn()))

    def write(self) -> str:
        model, machine = self.model, self.ids.machine
        root = ET.Element(
            "scxml",
            {"xmlns": SCXML, "xmlns:fsm": NAMESPACE, "version": "1.0", "datamodel": "ecmascript"},
        )
        root.attrib |= {"name": machine, "initial": self.ids.state(model.initial)}
        root.attrib |= _own_attributes(
            title=model.title, edition=model.edition, fingerprint=model.fingerprint
        )
        self._datamodel(root)
        whole = ET.SubElement(root, "state", id=machine)
        self._facts_assignment(whole)
        for chart in charts(model, self.ids):
            self._state(root if chart.final else whole, chart)
        ET.indent(root)
        return f'<?xml version="1.0" encoding="UTF-8"?>\n{ET.tostring(root, encoding="unicode")}\n'

    def _datamodel(self, root: ET.Element) -> None:
        datamodel = ET.SubElement(root, "datamodel")
        for name, fact in self.facts.items():
            ET.SubElement(
                datamodel, "data", {"id": self.variables[name], "expr": "false", **_fact(fact)}
            )

    def _facts_assignment(self, whole: ET.Element) -> None:
        """Let new facts replace all earlier ones."""
        transition = ET.SubElement(whole, "transition", event=FACTS_EVENT)
        for name, variable in self.variables.items():
            expr = f"_event.data[{json.dumps(name)}] === true"
            ET.SubElement(transition, "assign", location=variable, expr=expr)

    def _state(self, holder: ET.Element, chart: Chart) -> None:
        found = ET.SubElement(holder, "final" if chart.final else "state", id=chart.id)
        if chart.state.kind == "window" and chart.initial:
            found.set("initial", chart.initial)
        state = chart.state
        attributes = {
            "kind": state.kind,
            "label": state.label,
            "doc": state.doc,
            "rule": state.rule,
            "role": state.role,
            "by": performed_by(state),
        }
        found.attrib |= _own_attributes(
            **attributes,
            asks=state.asks,
            action=state.action,
            manner=state.manner,
            opens=state.opens,
        )
        for row in chart.rows:
            self._transition(found, row)
        for inner in chart.inside:
            self._state(found, inner)

    def _transition(self, holder: ET.Element, row: ChartTransition) -> None:
        found = ET.SubElement(holder, "transition", event=row.event)
        if row.row.guard:
            found.set("cond", self._condition(row.row.guard))
        if row.target:
            found.set("target", row.target)
        actions = "; ".join(map(str, row.row.actions))
        found.attrib |= _own_attributes(
            layer=row.row.layer, rule=row.row.rule, doc=row.row.doc, actions=actions
        )

    def _condition(self, guard: Sequence[Term]) -> str:
        return " && ".join(
            f"{'' if term.value else '!'}{self.variables[term.fact]}" for term in guard
        )


def _fact(fact: Fact) -> dict[str, str]:
    return _own_attributes(fact=fact.name, owner=fact.owner, doc=fact.doc, rule=fact.rule)


def _own_attributes(**attributes: str) -> dict[str, str]:
    """Return attributes that interpreters ignore. Empty ones are left out."""
    return {f"fsm:{name}": plain(text) for name, text in attributes.items() if text}
