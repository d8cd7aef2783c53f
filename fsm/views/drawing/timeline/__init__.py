"""The timeline of a game that was played: steps across in the model's order, turns down, as SVG.

    from fsm.views.drawing.timeline import timeline
    svg = timeline(model, trace.records, title="Friday, table 3")

A new line starts where the next step lies to the left, so extra steps and phases need no other
rule. `fsm.runs.turns` reads the turns off the records, for this picture and for the terminal alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from fsm.engine.records import Record
from fsm.model import Model
from fsm.runs.turns import Turn, read_turns
from fsm.views.drawing import paper

__all__ = ["Section", "timeline", "timelines"]


@dataclass(frozen=True, slots=True)
class Section:
    """One game in a picture: its heading, its turns (see `fsm.runs.turns`), and what to call a
    player or team.

    A turn's `note` stands under its number; without one, what its records tell stands there.
    """

    turns: Sequence[Turn]
    heading: str = ""
    names: Mapping[str, str] = field(default_factory=dict)


def timeline(
    model: Model, records: Iterable[Record], *, theme: str = "light", title: str = ""
) -> str:
    """The run of these records as SVG, at most 810 points wide for models of up to 13 steps.

    Records of another model are passed over. Raises DrawError for an unknown theme.
    """
    return timelines(model, [Section(list(read_turns(records, model)))], theme=theme, title=title)


def timelines(
    model: Model, sections: Sequence[Section], *, theme: str = "light", title: str = ""
) -> str:
    """Several games of one model below each other. Raises DrawError for an unknown theme."""
    from fsm.views.drawing.timeline.sheet import Sheet

    return Sheet(model, paper(theme), title).draw(sections)
