"""The turn as a table, beside the map of the page."""

from __future__ import annotations

from fsm.model import Model
from fsm.views.html import Html, element, joined
from fsm.views.tables import StepRows, table_of


def table_part(model: Model) -> Html:
    """Return the table of the turn: a group of rows for each step, which the page finds by the
    step's id.
    """
    table = table_of(model)
    heads = element(
        "thead",
        element(
            "tr", *(element("th", head, scope="col") for head in ("Step", "What happens", "Rule"))
        ),
    )
    bodies = [
        _body(phase.label, step) for phase in table.phases for step in phase.steps if step.rows
    ]
    return element("table", element("caption", "The turn, step by step"), heads, *bodies)


def _body(phase: str, step: StepRows) -> Html:
    head = element("th", step.label or phase, scope="rowgroup", rowspan=len(step.rows))
    rows = [
        element(
            "tr",
            *([head] if i == 0 else []),
            element("td", row.text, class_=row.kind),
            element("td", row.rule),
        )
        for i, row in enumerate(step.rows)
    ]
    return element("tbody", joined(rows), data_step=step.id)
