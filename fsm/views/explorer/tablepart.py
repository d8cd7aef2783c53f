"""The turn as a table, beside the map of the page."""

from __future__ import annotations

from fsm.model import Model
from fsm.views.html import Html, element, joined
from fsm.views.reader import read
from fsm.views.reading import Step, Turn
from fsm.views.tables import told


def table_part(model: Model) -> Html:
    """Return the table of the turn: a group of rows for each step, which the page finds by the
    step's id.
    """
    turn = read(model)
    columns = ("Step", "What happens", "Rule")
    heads = element("tr", *(element("th", head, scope="col") for head in columns))
    bodies = [_body(turn, step) for step in turn.steps if step.lines]
    caption = element("caption", f"The {turn.word}, step by step")
    return element("table", caption, element("thead", heads), *bodies)


def _body(turn: Turn, step: Step) -> Html:
    reasons = [f"Left out: {reason.words}" for reason in step.left_out]
    cited = [reason.rule for reason in step.left_out]
    rules = [line.rule for line in step.lines if line.number]
    rows = [*zip(reasons, cited, strict=True), *zip(told(step, cited=False), rules, strict=True)]
    head = element("th", step.title, scope="rowgroup", rowspan=len(rows))
    cells = [
        element("tr", *([] if i else [head]), element("td", words), element("td", rule))
        for i, (words, rule) in enumerate(rows)
    ]
    return element("tbody", joined(cells), data_step=step.id)
