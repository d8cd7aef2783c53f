"""Writes a difference as text in the order of the turn, in sections. Changes that occur everywhere are written once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from fsm.model import Event, Fact, Model, State, Transition
from fsm.views.diff import words
from fsm.views.diff.difference import Change, Difference
from fsm.views.diff.entries import Entry, entry, reorder
from fsm.views.diff.places import EntryHeading, Places

OFTEN = 3
LETTER = "X"


@dataclass(slots=True)
class Section:
    """A heading, what is said under it, and how much follows from that and is only counted.

    `scope`: "every step" or "every phase but these", when it is said of all that both models have, or of nearly all.
    """

    title: str
    level: int = 0
    entries: list[Entry] = field(default_factory=list)
    follows: int = 0
    kind: str = "states and arrows"
    scope: str = ""

    @property
    def note(self) -> str:
        """How much goes with what is said."""
        return f"{self.follows} {self.kind} go with it" if self.follows > 1 else "1 more goes with it"


def tell(difference: Difference) -> list[Section]:
    """Everything that differs, but citations, documentation and the window."""
    return _Teller(difference).sections()


def counted(difference: Difference) -> str:
    """How much came, went and changed, without the window."""
    counts = [f"{sum(c.sign == sign for c in difference.changes)} {word}" for sign, word in HAPPENED.items()]
    return ", ".join([*counts, f"{len(difference.renames)} renamed"])


HAPPENED = {"+": "came", "-": "went", "~": "changed"}


class _Teller:
    def __init__(self, difference: Difference) -> None:
        self.difference = difference
        self.places = Places(difference)
        self.found: dict[EntryHeading, Section] = {}
        self.heads: dict[EntryHeading, Entry] = {}
        self.moved = {c.id for c in difference.states if c.sign != "~"}

    def sections(self) -> list[Section]:
        for change in self.difference.states:
            self._state(change)
        for change in self.difference.transitions:
            self._row(change)
        for order in self.difference.orders:
            row = next(t for t in self.difference.b.transitions if t.id == order.b[0])
            self._at(self.places.of_row(self.difference.b, row)).entries.append(reorder(order))
        rest = self._words()
        return [*self._common(), *self._in_order(), *rest]

    def _at(self, place: EntryHeading) -> Section:
        return self.found.setdefault(place, Section(self._title(place), int(place.kind == "step")))

    # what goes where -----------------------------------------------------------------------------------

    def _state(self, change: Change) -> None:
        place = self.places.of(change)
        section = self._at(place)
        inside = place.id in self.places.whole and change.id != place.id
        if inside:
            section.follows += 1
            return
        section.entries.append(entry(change, self.difference))
        if change.id == place.id:
            self.heads[place] = section.entries[-1]

    def _row(self, change: Change) -> None:
        section = self._at(self.places.of(change))
        if self._follows(change):
            section.follows += 1
        else:
            section.entries.append(entry(change, self.difference))

    def _follows(self, change: Change) -> bool:
        """Does this row only come or go with a state, as part of its frame or of the plain way through it?"""
        if change.field("actions"):
            return False
        rows = [(m, t) for m, t in ((self.difference.a, change.a), (self.difference.b, change.b)) if t is not None]
        return all(isinstance(t, Transition) and self._plain(m, t) for m, t in rows) and any(
            isinstance(t, Transition) and self._near(m, t) for m, t in rows
        )

    def _plain(self, model: Model, row: Transition) -> bool:
        if row.generic:
            return True
        inside = row.target is None or model.state(row.source).parent == model.state(row.target).parent
        inside |= any(s.id in self.places.whole for s in model.path(row.source))
        return not row.guard and inside and words.is_done(model, row)

    def _near(self, model: Model, row: Transition) -> bool:
        """Does it touch a state that came or went?"""
        ends = [s for s in (row.source, row.target) if s]
        return any(s.id in self.moved for end in ends for s in model.path(end))

    def _words(self) -> list[Section]:
        """Facts, events, durations and settings; a fact that only rows told elsewhere read is counted."""
        section = Section("FACTS AND WORDS", kind="facts of the frame")
        for change in (*self.difference.facts, *self.difference.parts):
            if isinstance(change.part, Event) and not change.part.completion:
                self._at(EntryHeading("event", change.id)).entries.insert(0, entry(change, self.difference))
            elif isinstance(change.part, Fact) and change.sign != "~" and self._of_frame(change):
                section.follows += 1
            else:
                section.entries.append(entry(change, self.difference))
        return [section] if section.entries else []

    def _of_frame(self, change: Change) -> bool:
        """Is it read only by rows that come or go with a phase or step?"""
        model = self.difference.a if change.b is None else self.difference.b
        readers = [t for t in model.transitions if any(term.fact == change.id for term in t.guard)]
        return bool(readers) and all(t.generic for t in readers)

    # what is the same in several places -----------------------------------------------------------------

    def _common(self) -> list[Section]:
        """What is said alike of several steps or phases, taken out of their sections."""
        found: list[Section] = []
        for kind in ("phase", "step"):
            alike: dict[Entry, list[EntryHeading]] = {}
            for place, section in self.found.items():
                for one in section.entries if place.kind == kind else ():
                    if place in self.heads and one == self.heads[place]:
                        continue
                    alike.setdefault(self._anyones(one, place), []).append(place)
            for said, places in alike.items():
                if len(places) >= OFTEN:
                    self._say_once(found, said, kind, places)
        return found

    def _say_once(self, found: list[Section], said: Entry, kind: str, places: list[EntryHeading]) -> None:
        """Take it out of the sections of these places, and say it under a heading for all of them."""
        of: list[Change] = []
        for place in places:
            section = self.found[place]
            of += [c for one in section.entries if self._anyones(one, place) == said for c in one.of]
            section.entries = [one for one in section.entries if self._anyones(one, place) != said]
        heading = self._heading(kind, places)
        same = next((s for s in found if s.title == heading.title), None)
        if same is None:
            found.append(same := heading)
        same.entries.append(replace(said, of=tuple(of)))

    def _anyones(self, one: Entry, place: EntryHeading) -> Entry:
        """The entry with X for the name of its phase or step."""
        sides = self.places.sides(place)
        said = [_anonymous(text, sides) for text in (one.text, *one.more)]
        return Entry(one.sign, said[0], tuple(said[1:]))

    def _heading(self, kind: str, places: list[EntryHeading]) -> Section:
        everyone = self.difference.b.of_kind("phase" if kind == "phase" else "step")
        ids = {p.id for p in places}
        missing = [words.label(s) for s in everyone if s.id not in ids and s.id not in self.places.whole]
        scope = f"every {kind}" + (f" but {_listed(missing)}" if missing else "")
        if len(missing) >= min(4, len(places)):
            scope = ""
        title = scope or _listed([words.label(self.places.sides(p)[-1]) for p in places])
        return Section(f"{title.upper()} (here called {LETTER})", scope=scope)

    # headings ----------------------------------------------------------------------------------------------

    def _in_order(self) -> Iterator[Section]:
        """Sections in the turn's order; a phase has its heading as soon as one of its steps has one."""
        wanted = [p for p in self.places.all() if p in self.found and self._worth(p)]
        shown: set[EntryHeading] = set()
        for place in wanted:
            phase = self._phase(place)
            if phase and phase not in shown and phase not in wanted:
                yield Section(self._title(phase))
            shown |= {place} | ({phase} if phase else set())
            yield self.found[place]

    def _worth(self, place: EntryHeading) -> bool:
        return bool(self.found[place].entries or self.found[place].follows)

    def _phase(self, place: EntryHeading) -> EntryHeading | None:
        if place.kind != "step":
            return None
        side = self.places.sides(place)[-1]
        model = self.difference.b if side in self.difference.b.states else self.difference.a
        phase = model.enclosing(side.id, "phase")
        return EntryHeading("phase", self.places.renamed.get(phase.id, phase.id)) if phase else None

    def _title(self, place: EntryHeading) -> str:
        if place.kind == "turn":
            return (self.difference.b.title or "The turn").upper()
        if place.kind == "event":
            events = (*self.difference.b.events, *self.difference.a.events)
            doc = next((e.doc for e in events if e.name == place.id), "")
            return f"On {place.id}" + (f": {doc}" if doc else "")
        names = [words.label(s) for s in self.places.sides(place)]
        was = next((r for r in self.difference.renames if r.b.id == place.id), None)
        title = names[-1] + (f" (was {words.label(was.a)})" if was else "")
        return title.upper() if place.kind == "phase" else title


def _anonymous(text: str, sides: Sequence[State]) -> str:
    """X for the name that ids begin with, and for the label."""
    for word, after in [(s.name, r"(?=_\w)") for s in sides] + [(words.label(s), r"(?!\w)") for s in _longest(sides)]:
        text = re.sub(rf"(?<!\w){re.escape(word)}{after}", LETTER, text, flags=re.IGNORECASE)
    return text


def _longest(sides: Sequence[State]) -> list[State]:
    return sorted(sides, key=lambda s: -len(words.label(s)))


def _listed(names: Iterable[str]) -> str:
    names = list(names)
    return " and ".join(part for part in (", ".join(names[:-1]), names[-1]) if part)
