"""Writes a turn table as text with ruled lines, to a given width."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from fsm.views.tables.cells import cells, padded, painted, wrapped
from fsm.views.tables.turntable import PhaseRows, Row, TurnTable
from fsm.wording import citation

NARROWEST = 40
ROOMY = 80
STYLES = {
    "absent": "cyan",
    "event": "yellow",
    "again": "yellow",
    "then": "cyan",
    "expiry": "dim",
    "end": "dim",
    "hole": "bold red",
}
_PLAIN = str.maketrans(
    {"“": '"', "”": '"', "’": "'", "‘": "'", "–": "-", "—": "-", "…": "...", "·": "-"}
)
_RULES = str.maketrans("─│┌┬┐├┼┤└┴┘", "-|+++++++++")

CellLines = Sequence[tuple[str, str]]
"""The lines of a cell, each with its style on a terminal."""


def text(table: TurnTable, width: int = 100, *, colour: bool = False, ascii: bool = False) -> str:
    """Return the table in lines of at most `width` columns (at least 40), with what is below it.

    `colour` adds a terminal's colour codes. `ascii` uses only ASCII characters.
    """
    width = max(width, NARROWEST)
    title = f"{table.title} ({table.edition})" if table.edition else table.title
    head = [(line, "bold") for line in wrapped(title, width)]
    lines = [
        *_painted(head, colour),
        *_RuledTable(table, width, colour).lines(),
        *_painted(_below(table, width), colour),
    ]
    whole = "".join(f"{line}\n" for line in lines)
    return _ascii(whole) if ascii else whole


def _ascii(lines: str) -> str:
    return lines.translate(_RULES).translate(_PLAIN).encode("ascii", "backslashreplace").decode()


def _painted(lines: Iterable[tuple[str, str]], colour: bool) -> Iterator[str]:
    return (painted(line, style if colour else "") for line, style in lines)


class _RuledTable:
    """The ruled table: one or two columns for phase and step, then actions and rule."""

    def __init__(self, table: TurnTable, width: int, colour: bool) -> None:
        self.table, self.colour = table, colour
        self.roomy = width >= ROOMY
        phase, step, actions, rule = table.heads
        left = (phase, step) if self.roomy else (f"{phase}, {step.lower()}",)
        self.heads = (*left, actions, rule)
        steps = [step for found in table.phases for step in found.steps]
        rows = [row for step in steps for row in step.rows]
        names = [[_label(found) for found in table.phases], [step.label for step in steps]]
        names = names if self.roomy else [[*names[0], *names[1]]]
        most = max(14, width // 7)
        self.rooms = [
            min(most, _longest([head, *found])) for head, found in zip(left, names, strict=True)
        ]
        rules = min(max(7, width // 8), _longest([rule, *(row.rule for row in rows)]))
        others = width - sum(self.rooms) - rules - 1 - len(self.heads) * (3 if self.roomy else 1)
        self.rooms += [
            min(others, _longest([actions, *(f"· {_marked(row)}" for row in rows)])),
            rules,
        ]

    def lines(self) -> Iterator[str]:
        """Yield every line, including the ruled ones."""
        yield self._rule("┌┬┐")
        heads = zip(self.heads, self.rooms, strict=True)
        yield from self._row(
            [[(line, "bold") for line in wrapped(head, room)] for head, room in heads]
        )
        for found in self.table.phases:
            for number, step in enumerate(found.steps):
                yield self._rule("├┼┤")
                names = self._names(found if number == 0 else None, step.label)
                for row in step.rows:
                    rule = [(line, "dim") for line in wrapped(row.rule, self.rooms[-1])]
                    yield from self._row([*names, self._action(row), rule])
                    names = [[]] * len(names)
        yield self._rule("└┴┘")

    def _names(self, phase: PhaseRows | None, step: str) -> list[CellLines]:
        """Return phase and step, one below the other if there is no room for two columns."""
        first = [(line, "bold") for line in wrapped(_label(phase), self.rooms[0])] if phase else []
        second = [(line, "") for line in wrapped(step, self.rooms[-3])] if step else []
        return [first, second] if self.roomy else [[*first, *second]]

    def _action(self, row: Row) -> CellLines:
        lines = wrapped(_marked(row), self.rooms[-2] - 2)
        return [
            (f"{' ' if number else '·'} {line}", STYLES.get(row.kind, ""))
            for number, line in enumerate(lines)
        ]

    def _rule(self, signs: str) -> str:
        return (
            signs[0]
            + signs[1].join("─" * (room + 2 * self.roomy) for room in self.rooms)
            + signs[2]
        )

    def _row(self, row: Sequence[CellLines]) -> Iterator[str]:
        gap = " " * self.roomy
        for number in range(max(1, *map(len, row))):
            parts = [cell[number] if number < len(cell) else ("", "") for cell in row]
            drawn = (
                painted(line, style if self.colour else "") + padded("", room - cells(line))
                for (line, style), room in zip(parts, self.rooms, strict=True)
            )
            yield f"│{gap}" + f"{gap}│{gap}".join(drawn) + f"{gap}│"


def _longest(texts: Iterable[str]) -> int:
    return max(map(cells, texts))


def _label(phase: PhaseRows) -> str:
    return phase.label + (f" ({phase.note})" if phase.note else "")


def _marked(row: Row) -> str:
    return f"{row.text} [{row.mark}]" if row.mark else row.text


def _below(table: TurnTable, width: int) -> Iterator[tuple[str, str]]:
    for note in table.footnotes:
        yield from (
            (line, "")
            for line in wrapped(f"[{note.mark}] " + " ".join(_said(note.sentences)), width)
        )
    for ending in table.endings:
        yield "", ""
        yield from ((line, "bold") for line in wrapped(ending.when, width))
        for number, said in enumerate(_said(ending.rows), 1):
            yield from ((f"  {line}", "") for line in wrapped(f"{number}. {said}", width - 2))
    if table.holes:
        yield "", ""
        yield from (
            (line, "bold red")
            for line in wrapped(f"No way on from: {', '.join(table.holes)}", width)
        )
    if table.options:
        yield "", ""
        options = ", ".join(f"{name}={value}" for name, value in table.options)
        yield from ((line, "dim") for line in wrapped(f"Options: {options}", width))


def _said(rows: Iterable[Row]) -> list[str]:
    return [row.text + citation(row.rule) for row in rows]
