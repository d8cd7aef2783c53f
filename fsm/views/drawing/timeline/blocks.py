"""One turn of a timeline as it stands on the sheet: its lines of cells, its note, how high it is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from fsm.runs.turns import Cell, Turn, passes_of
from fsm.views.drawing.metrics import wrap
from fsm.views.drawing.timeline.columns import GUTTER, Columns
from fsm.wording import blanks, plain

HIGH, GAP, JUMP_GAP, PAD = 26.0, 9.0, 22.0, 7.0
NO_TURN = 16.0
NOTE, NOTE_LINE, NOTE_TOP = 8.0, 9.6, 15.0
ALIKE = 4
"""How many lines alike in a row are drawn in full."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of cells, `y` down from the top of its block; or, with `more`, words in place of lines
    like the last.
    """

    cells: Sequence[Cell]
    y: float
    more: str = ""


@dataclass(frozen=True, slots=True)
class Block:
    """A turn, its lines, its note in lines, and its height."""

    turn: Turn
    lines: tuple[Line, ...]
    note: tuple[str, ...]
    player: str
    height: float


def block_of(turn: Turn, columns: Columns, names: Mapping[str, str]) -> Block:
    """The block of a turn. `names` says what to call its player."""
    lines = tuple(_lines(turn, columns))
    bottom = lines[-1].y + HIGH if lines else NO_TURN if not turn.number else HIGH
    note = wrap(note_of(turn), GUTTER - 8, NOTE, max(4, int((bottom - NOTE_TOP) / NOTE_LINE)))
    below = NOTE_TOP + NOTE_LINE * len(note)
    player = plain(names.get(turn.active, turn.active)) or "–"
    return Block(turn, lines, note, player, 2 * PAD + max(bottom, below if note else 0))


def note_of(turn: Turn) -> str:
    """The note given to a turn, else what its records tell."""
    told = ["extra turn"] if turn.extra else []
    return plain(turn.note) or ", ".join([*told, *dict.fromkeys(map(blanks, turn.signals))])


def _lines(turn: Turn, columns: Columns) -> Iterator[Line]:
    y, cut = 0.0, False
    places = {id: column.left for id, column in columns.of.items()}
    for cells, more in _folded(passes_of(turn.cells, places)):
        y += (JUMP_GAP - GAP) * cut
        yield Line(cells, y, more)
        y += (14.0 if more else HIGH) + GAP
        cut = bool(cells) and cells[-1].cut


def _folded(passes: Sequence[Sequence[Cell]]) -> Iterator[tuple[Sequence[Cell], str]]:
    """Of many lines alike in a row the first two, and how many more there are."""
    for _, alike in groupby(passes, lambda cells: [_look(cell) for cell in cells]):
        some = list(alike)
        shown = some if len(some) <= ALIKE else some[:2]
        yield from ((cells, "") for cells in shown)
        if len(some) > len(shown):
            yield (), f"and {len(some) - len(shown)} more lines like it"


def _look(cell: Cell) -> tuple[object, ...]:
    """What of a cell is seen."""
    signs = (
        cell.extra,
        cell.again,
        cell.back,
        cell.cut,
        cell.skipped,
        cell.priority,
        cell.conditional,
    )
    return (cell.step, cell.through, cell.rule, cell.resolved, cell.loops, *signs)
