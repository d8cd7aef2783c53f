"""Writes the report as an HTML page that needs nothing from the network.

A machine has tiles with its totals, a map with counts, and one list of its targets. The page is
whole without scripts; `page.js` filters the list.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from fsm.coverage.formats import way_text, way_to
from fsm.coverage.target import Coverage, Result, Target, percent
from fsm.model import State, Transition
from fsm.model.graph import Graph, graphs_of
from fsm.views.graph import draw_machine
from fsm.views.machines import read_machine
from fsm.views.overlays import Counts, counted, heat_of, machine_counted
from fsm.views.pages import Embedded, digest, embed, page_colours, page_part, rendered
from fsm.views.pictures import picture
from fsm.views.reader import is_turn, read
from fsm.views.reading import Turn
from fsm.wording import blanks, label_of, line, plain, plain_words, upper_first

MOST_MACHINES = 20
MOST_ROWS = 400
MOST_TESTS = 3
"""The other machines and targets are in the JSON report, and the other tests are counted."""
MOST_DRAWN = 600
"""A machine with more transitions is not drawn: nobody could read it, and the renderer may fail."""
_KINDS = ("missing", "refuted", "allowed", "taken", "impossible")


@dataclass(slots=True)
class Row:
    """A target of the list."""

    words: str
    id: str
    rule: str
    count: int
    kind: str
    parts: str
    heat: str = ""
    note: str = ""
    tests: Sequence[str] = ()
    more: int = 0


@dataclass(slots=True)
class Listing:
    """The targets of one criterion, and its totals."""

    coverage: Coverage
    rows: Sequence[Row]
    left: int

    @property
    def criterion(self) -> str:
        """The name of the criterion."""
        return self.coverage.criterion

    @property
    def words(self) -> str:
        """What is counted."""
        return CRITERIA.get(self.criterion) or upper_first(plain(self.criterion))

    @property
    def share(self) -> str:
        """How much was taken, in percent."""
        return percent(self.coverage.share)


@dataclass(slots=True)
class Section:
    """One machine of the page."""

    number: int
    result: Result
    map: Map | None
    lists: Sequence[Listing]

    @property
    def name(self) -> str:
        """The title of a ruleset, or the name of a machine, with its place."""
        model = self.result.model
        titled = f"{plain(model.title)} {plain(model.edition)}".strip()
        if titled and not self.result.place:
            return titled
        return plain(self.result.name)

    @property
    def facts(self) -> str:
        """How much was recorded: "12 tests, 3,877 firings"."""
        tests = set[str]()
        for coverage in self.result.coverages:
            tests.update(*coverage.by.values())
        counts = {"test": len(tests - {""}), "firing": self.result.firings}
        told = [f"{n:,} {what}{'s' * (n != 1)}" for what, n in counts.items() if n]
        return ", ".join(told) or "nothing recorded"


def page(results: Sequence[Result]) -> str:
    """Return the page. Raises DrawError if drawing fails."""
    sections = []
    for number, result in enumerate(results[:MOST_MACHINES]):
        drawn = _map_of(result)
        lists = [_Lister(result, coverage, drawn).listing() for coverage in result.coverages]
        sections.append(Section(number, result, drawn, lists))
    alone = len(results) == 1
    names = [each.criterion for each in sections[0].lists] if sections else []
    style = page_colours() + page_part("coverage.css")
    script = page_part("coverage.js")
    policy = f"default-src 'none'; style-src {digest(style)}; script-src {digest(script)}"
    return rendered(
        "coverage",
        title=f"Coverage of {sections[0].name}" if alone else "Coverage of state machines",
        sections=sections,
        alone=alone,
        left=len(results) - len(sections),
        names=names,
        policy=f"{policy}; base-uri 'none'",
        style=style,
        script=script,
    )


def _map_of(result: Result) -> Map | None:
    if len(result.model.transitions) > MOST_DRAWN:
        return None
    total = result.by("transitions")
    words = f"How often everything was taken, {plain(result.name)}"
    return map_of(result, f"{words}: {total}" if total else words)


class _Lister:
    """Makes the list of one criterion."""

    def __init__(self, result: Result, coverage: Coverage, drawn: Map | None) -> None:
        self.result = result
        self.coverage = coverage
        self.words = {graph.name: TargetWords(graph) for graph in graphs_of(result.model)}
        self.own = next(iter(self.words))
        self.parts = drawn.parts if drawn else {}
        self.most = Counter[str]()
        for (machine, _), count in coverage.taken.items():
            self.most[machine] = max(self.most[machine], count)

    def listing(self) -> Listing:
        """Return the list. What was never taken comes first."""
        coverage = self.coverage
        targets = sorted(coverage.targets, key=lambda each: _KINDS.index(coverage.kind(each)))
        rows = [self._row(target) for target in targets[:MOST_ROWS]]
        return Listing(coverage, rows, len(targets[MOST_ROWS:]))

    def _row(self, target: Target) -> Row:
        coverage = self.coverage
        kind = self.coverage.kind(target)
        row = Row(
            words=self.words[target.machine].said(coverage.criterion, target),
            id=plain(target.id, 600),
            rule=plain(target.rule),
            count=coverage.taken.get(target.key, 0),
            kind=kind,
            parts=" ".join(self._parts_of(target)),
        )
        if kind == "missing":
            row.note = self._on_the_graph(target)
        elif kind == "taken":
            row.heat = heat_of(row.count, self.most[target.machine])
            names = sorted({*coverage.by.get(target.key, ())} - {""})
            row.tests = [plain(name, 200) for name in names[:MOST_TESTS]]
            row.more = len(names[MOST_TESTS:])
        else:
            row.note = plain(coverage.allowed.get(target.key) or target.infeasible, 300)
        return row

    def _on_the_graph(self, target: Target) -> str:
        if len(self.coverage.missing) > MOST_ROWS or len(target.rows) > 1:
            return ""
        model = self.result.model
        way = way_text(model, way_to(model, target), 6)
        if way:
            return f"by {plain(way, 300)}".replace("->", "→")
        return ""

    def _parts_of(self, target: Target) -> Iterator[str]:
        """Yield the parts of the map at which a target is."""
        if target.machine != self.own:
            return
        meant = {target.id}
        for row in self.words[self.own].rows_of(target):
            meant |= {row.id, row.source, row.target or row.source}
        for part, ids in self.parts.items():
            if ids & meant:
                yield part


# the words of a target ----------------------------------------------------------------------------


CRITERIA = {
    "transitions": "Transitions taken",
    "states": "States entered",
    "rules": "Rules exercised",
    "literals": "Guard outcomes",
    "pairs": "Pairs of transitions",
}


class TargetWords:
    """The words for the targets in one machine of a model."""

    def __init__(self, graph: Graph) -> None:
        self.model = graph.model
        self.played = graph.played
        self.rows = {row.id: row for row in self.model.transitions}
        self.states = {state.id: state for state in self.model.states}

    def rows_of(self, target: Target) -> list[Transition]:
        """Return the transitions that a target consists of or is about."""
        return [self.rows[id] for id in target.rows]

    def said(self, criterion: str, target: Target) -> str:
        """Return a target in words, or "" where only the names of a program say it."""
        rows = self.rows_of(target)
        if not self.played:
            return ""
        if target.id in self.states:
            return self._state(target.id)
        if not rows:
            return upper_first(line(target.text))
        said = ", then: ".join(map(self._row, rows))
        if criterion == "literals":
            return f"{said} ({blanks(target.id.rpartition(' where ')[2])})"
        return said

    def _row(self, row: Transition) -> str:
        """Return what happens when a transition fires: "Declare attackers: nobody attacks, then
        End of combat".
        """
        source = self.states[row.source]
        head = "Any step" if source.kind == "turn" else self._state(row.source)
        why = plain(row.says) or line(row.doc) or plain_words(self.model, row)
        goal = self._state(row.target) if row.target else "nothing happens"
        if why:
            return f"{head}: {why}, then {goal}"
        return f"{head}, then {goal}"

    def _state(self, id: str) -> str:
        """Return a state, with the step that it is part of if its own name does not say it."""
        state = self.states[id]
        place = self._place(state)
        own = label_of(state)
        if place is None or label_of(place).casefold() in own.casefold():
            return own
        return f"{label_of(place)}: {own}"

    def _place(self, state: State) -> State | None:
        """Return the step that a state is part of, or else the phase."""
        return self.model.enclosing(state.id, "step") or self.model.enclosing(state.id, "phase")


# the map ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Map:
    """The map of a model: its picture, what it says, and the ids of the states and transitions that
    each part of it stands for.
    """

    svg: str
    caption: str
    parts: dict[str, set[str]]


def map_of(result: Result, alt: str) -> Map:
    """Return the map of the whole machine. Raises DrawError."""
    model = result.model
    own = graphs_of(result.model)[0].name
    total = result.by("transitions")
    counts = dict[str, int]()
    inside = dict[str, int]()
    for (place, id), n in total.taken.items() if total else ():
        where = counts if place == own else inside
        where[id] = n
    turn = read(model) if is_turn(model) else None
    if turn is None:
        machine = read_machine(model)
        overlay = machine_counted(machine, model, Counts(counts))
        svg = draw_machine(machine, overlay=overlay, bare=True)
    else:
        overlay = counted(turn, model, Counts(counts, inside))
        svg = picture(turn, "turn", overlay=overlay, bare=True)
    drawn = embed(svg, {"role": "group", "aria-label": alt}, pressable=True)
    parts = {part: {id} for part, id in drawn.cards.items()}
    parts |= {part: {*ids} for part, ids in drawn.lines.items()}
    if turn is not None:
        _add_states_and_paths(parts, turn, drawn)
    return Map(drawn.svg, overlay.caption, parts)


def _add_states_and_paths(parts: dict[str, set[str]], turn: Turn, drawn: Embedded) -> None:
    """Add the states inside each card, and the transitions of each way."""
    states = {step.id: step.states for step in turn.steps}
    for part, id in drawn.cards.items():
        parts[part].update(states.get(id, ()))
    for part, number in drawn.ways.items():
        parts[part] = {*chain.from_iterable(turn.ways[number].paths)}
