"""Writes the report as an HTML page that needs nothing from the network.

A machine has tiles with its totals, a map with counts, and one list of its targets. The page is
whole without scripts; `page.js` filters the list.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import accumulate, chain
from math import ceil
from typing import Any, NamedTuple

from fsm.coverage.formats import way_text, way_to
from fsm.coverage.target import Coverage, Result, Target, percent
from fsm.model import Model, Transition
from fsm.views.explorer.embedded import embed
from fsm.views.graph import draw_machine
from fsm.views.machines import Machine, read_machine
from fsm.views.overlays import OVERLAYS, Counts, heat_of
from fsm.views.pages import digest, page_colours, page_part, rendered
from fsm.views.pictures import picture
from fsm.views.reader import is_turn, read
from fsm.views.reading import Way
from fsm.wording import blanks, label_of, line, many, plain, plain_words, upper_first

MOST_MACHINES = 20
MOST_ROWS = 400
MOST_TESTS = 3
"""The other machines and targets are in the JSON report, and the other tests are counted."""
PRINTED, WIDTH = 300, 56
"""A list has room for so many lines on paper, each of so many letters."""
MOST_DRAWN = 600
"""A machine with more transitions is not drawn: nobody could read it, and the renderer may fail."""
CRITERIA = {
    "transitions": "Transitions taken",
    "states": "States entered",
    "rules": "Rules exercised",
    "literals": "Guard outcomes",
    "pairs": "Pairs of transitions",
}
_KINDS = ("missing", "refuted", "allowed", "taken", "impossible")
Shown = dict[str, Any]
"""What the template writes, by the names that it uses."""


def page(results: Sequence[Result]) -> str:
    """Return the page. Raises DrawError if drawing fails."""
    sections = [_section(number, each) for number, each in enumerate(results[:MOST_MACHINES])]
    alone = len(results) == 1
    style = page_colours() + page_part("coverage.css")
    script = page_part("coverage.js")
    policy = f"default-src 'none'; style-src {digest(style)}; script-src {digest(script)}"
    return rendered(
        "coverage",
        title=f"Coverage of {sections[0]['name']}" if alone else "Coverage of state machines",
        sections=sections,
        alone=alone,
        left=len(results) - len(sections),
        policy=f"{policy}; base-uri 'none'",
        style=style,
        script=script,
    )


def _section(number: int, result: Result) -> Shown:
    """One machine: it is called by its title, or by its name if it has a place."""
    model = result.model
    drawn = _map_of(result) if len(model.transitions) <= MOST_DRAWN else None
    title = "" if result.place else plain(f"{model.title} {model.edition}")
    tests = set[str]()
    lists = []
    for coverage in result.coverages:
        tests.update(*coverage.by.values())
        lists.append(_Lister(model, coverage, drawn.parts if drawn else {}).listing())
    counts = {"test": len(tests - {""}), "firing": result.firings}
    facts = ", ".join(many(n, what) for what, n in counts.items() if n)
    return {
        "number": number,
        "result": result,
        "map": drawn,
        "lists": lists,
        "name": title or plain(result.name),
        "facts": facts or "nothing recorded",
    }


class _Lister:
    """Makes the list of one criterion. `parts` are those of the map."""

    def __init__(self, model: Model, coverage: Coverage, parts: Mapping[str, set[str]]) -> None:
        self.model = model
        self.coverage = coverage
        self.parts = parts
        self.shows_ways = len(coverage.missing) <= MOST_ROWS
        self.most: dict[str, int] = {}
        for (machine, _), count in coverage.taken.items():
            self.most[machine] = max(self.most.get(machine, 0), count)

    def listing(self) -> Shown:
        """Return the list and its totals. What was never taken comes first."""
        coverage = self.coverage
        targets = sorted(coverage.targets, key=lambda each: _KINDS.index(coverage.kind(each)))
        criterion = coverage.criterion
        rows = [self._row(target) for target in targets[:MOST_ROWS]]
        phases = Counter(map(self._phase, coverage.missing))
        return {
            "coverage": coverage,
            "share": percent(coverage.share),
            "words": CRITERIA.get(criterion) or upper_first(plain(criterion)),
            "rows": rows,
            "left": len(targets[MOST_ROWS:]),
            "printed": _printed(rows),
            "phases": ", ".join(f"{phase} {n}" for phase, n in phases.items() if phase),
        }

    def _phase(self, target: Target) -> str:
        """The phase in which a target begins, "" for none."""
        if self.model.machines.get(target.machine, self.model) is not self.model:
            return ""
        starts = [self.model.transition(id).source for id in target.rows]
        if self.coverage.criterion == "states":
            starts = [target.id]
        phases = [self.model.enclosing(id, "phase") for id in starts]
        return label_of(phases[0]) if phases and phases[0] else ""

    def _row(self, target: Target) -> Shown:
        coverage = self.coverage
        kind = coverage.kind(target)
        count = coverage.taken.get(target.key, 0)
        machine = self.model.machines.get(target.machine, self.model)
        rows = [machine.transition(id) for id in target.rows]
        heat = note = ""
        tests: list[str] = []
        if kind == "missing":
            note = self._way(target)
        elif kind == "taken":
            heat = heat_of(count, self.most[target.machine])
            tests = sorted({*coverage.by.get(target.key, ())} - {""})
        else:
            note = plain(coverage.allowed.get(target.key) or target.infeasible, 300)
        return {
            "words": self._words(machine, rows, target) if self.model.played else "",
            "id": plain(target.id, 600),
            "rule": plain(target.rule),
            "count": count,
            "kind": kind,
            "parts": " ".join(self._places(rows, target)) if machine is self.model else "",
            "heat": heat,
            "note": note,
            "tests": [plain(name, 200) for name in tests[:MOST_TESTS]],
            "more": len(tests[MOST_TESTS:]),
        }

    def _way(self, target: Target) -> str:
        """A way to what is missing, on the graph."""
        if len(target.rows) > 1 or not self.shows_ways:
            return ""
        way = plain(way_text(self.model, way_to(self.model, target), 6), 300)
        return f"by {way}".replace("->", "→") if way else ""

    def _places(self, rows: Sequence[Transition], target: Target) -> list[str]:
        """The parts of the map at which a target is."""
        meant = {target.id}
        for row in rows:
            meant |= {row.id, row.source, row.target or row.source}
        return [part for part, ids in self.parts.items() if ids & meant]

    def _words(self, machine: Model, rows: Sequence[Transition], target: Target) -> str:
        """A target of a game in words."""
        criterion = self.coverage.criterion
        if criterion == "states":
            return _state(machine, target.id)
        if not rows:
            return upper_first(line(target.text))
        said = ", then: ".join(_row(machine, row) for row in rows)
        if criterion == "literals":
            return f"{said} ({blanks(target.id.rpartition(' where ')[2])})"
        return said


def _printed(rows: Sequence[Shown]) -> int:
    """Return how many of the rows have room on paper."""
    lengths = [len(row["words"] or row["id"]) + len(row["rule"]) + 1 for row in rows]
    lines = accumulate(ceil(length / WIDTH) for length in lengths)
    return sum(line <= PRINTED for line in lines)


def _row(machine: Model, row: Transition) -> str:
    """Return what happens when a transition fires: "Declare attackers: nobody attacks, then End of
    combat".
    """
    anywhere = machine.state(row.source).kind == "turn"
    head = "Any step" if anywhere else _state(machine, row.source)
    why = plain(row.says) or line(row.doc) or plain_words(machine, row)
    goal = _state(machine, row.target) if row.target else "nothing happens"
    return f"{': '.join(filter(None, [head, why]))}, then {goal}"


def _state(machine: Model, id: str) -> str:
    """Return a state, with the step or phase that it is part of if its own name does not say it."""
    place = machine.enclosing(id, "step") or machine.enclosing(id, "phase")
    around = label_of(place) if place else ""
    own = label_of(machine.state(id))
    return own if around.casefold() in own.casefold() else f"{around}: {own}"


# the map ------------------------------------------------------------------------------------------


class Map(NamedTuple):
    """The map of a model: its picture, what it says, and the ids of the states and transitions that
    each part of it stands for.
    """

    svg: str
    caption: str
    parts: dict[str, set[str]]


def _map_of(result: Result) -> Map:
    model = result.model
    total = result.by("transitions")
    alt = f"How often everything was taken, {plain(result.name)}"
    own = dict[str, int]()
    inside = dict[str, int]()
    if total:
        alt += f": {total}"
        for (machine, id), n in total.taken.items():
            counts = own if model.machines.get(machine, model) is model else inside
            counts[id] = n
    reading = read(model) if is_turn(model) else read_machine(model)
    overlay = OVERLAYS[type(reading)]["counts"](reading, model, Counts(own, inside))
    states = {}
    ways: Sequence[Way] = ()
    if isinstance(reading, Machine):
        svg = draw_machine(reading, overlay=overlay, bare=True)
    else:
        svg = picture(reading, "turn", overlay=overlay, bare=True)
        states = {step.id: step.states for step in reading.steps}
        ways = reading.ways
    drawn = embed(svg, {"role": "group", "aria-label": alt}, pressable=True)
    parts = {part: {id, *states.get(id, ())} for part, id in drawn.cards.items()}
    parts |= {part: {*ids} for part, ids in drawn.lines.items()}
    for part, number in drawn.ways.items():
        parts[part] = {*chain.from_iterable(ways[number].paths)}
    return Map(drawn.svg, overlay.caption, parts)
