"""Writes a difference as text in the order of the turn, in sections. Changes that occur everywhere
are written once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from fsm.model import Event, Fact, Model, State, Transition
from fsm.views.diff.difference import Change, Difference
from fsm.views.diff.entries import DiffEntry, entry_of, order_entry
from fsm.views.diff.headings import DiffHeading, DiffHeadings
from fsm.wording import label_of, listed

COMMON_FROM = 3
_RELATED = 0.4  # so many of the states are in both versions of a game
ANY_NAME = "X"


@dataclass(slots=True)
class DiffSection:
    """A heading with its entries. `follows` counts changes that follow from these and are not
    described.

    `scope` is "every step" or "every phase but these" if the entries are about all, or nearly all,
    that both models have.
    """

    title: str
    level: int = 0
    entries: list[DiffEntry] = field(default_factory=list)
    follows: int = 0
    kind: str = "states and arrows"
    scope: str = ""

    @property
    def note(self) -> str:
        """How many changes follow from the entries."""
        return (
            f"{self.follows} {self.kind} go with it" if self.follows > 1 else "1 more goes with it"
        )


def sections_of(difference: Difference) -> list[DiffSection]:
    """Describe everything that differs, except citations, documentation and the window."""
    return _SectionWriter(difference).sections()


def totals(difference: Difference) -> str:
    """Count what was added, removed, changed and renamed, without the window."""
    counts = [
        f"{sum(c.sign == sign for c in difference.changes)} {word}"
        for sign, word in SIGN_WORDS.items()
    ]
    return ", ".join([*counts, f"{len(difference.renames)} renamed"])


def unrelated(difference: Difference) -> bool:
    """Say whether hardly any state of either model is in the other, too: they are two games, not
    two versions.
    """
    came, went = (sum(change.sign == sign for change in difference.states) for sign in "+-")
    kept = min(len(difference.a.states) - went, len(difference.b.states) - came)
    return kept < _RELATED * min(len(difference.a.states), len(difference.b.states))


SIGN_WORDS = {"+": "came", "-": "went", "~": "changed"}


class _SectionWriter:
    def __init__(self, difference: Difference) -> None:
        self.difference = difference
        self.headings = DiffHeadings(difference)
        self.found: dict[DiffHeading, DiffSection] = {}
        self.heading_entries: dict[DiffHeading, DiffEntry] = {}
        self.added_or_removed = {c.id for c in difference.states if c.sign != "~"}

    def sections(self) -> list[DiffSection]:
        for change in self.difference.states:
            self._state(change)
        for change in self.difference.transitions:
            self._row(change)
        for order in self.difference.orders:
            row = next(t for t in self.difference.b.transitions if t.id == order.b[0])
            self._at(self.headings.of_row(self.difference.b, row)).entries.append(
                order_entry(order)
            )
        rest = self._words()
        return [*self._common(), *self._in_order(), *rest]

    def _at(self, heading: DiffHeading) -> DiffSection:
        return self.found.setdefault(
            heading, DiffSection(self._title(heading), int(heading.kind == "step"))
        )

    # sections -------------------------------------------------------------------------------------

    def _state(self, change: Change) -> None:
        heading = self.headings.of(change)
        section = self._at(heading)
        inside = heading.id in self.headings.whole and change.id != heading.id
        if inside:
            section.follows += 1
            return
        section.entries.append(entry_of(change, self.difference))
        if change.id == heading.id:
            self.heading_entries[heading] = section.entries[-1]

    def _row(self, change: Change) -> None:
        section = self._at(self.headings.of(change))
        if self._follows(change):
            section.follows += 1
        else:
            section.entries.append(entry_of(change, self.difference))

    def _follows(self, change: Change) -> bool:
        """Say whether this transition only comes or goes with a state, in its frame or on the plain
        path through it.
        """
        if change.field("actions"):
            return False
        rows = [
            (m, t)
            for m, t in ((self.difference.a, change.a), (self.difference.b, change.b))
            if t is not None
        ]
        return all(isinstance(t, Transition) and self._plain(m, t) for m, t in rows) and any(
            isinstance(t, Transition) and self._touches(m, t) for m, t in rows
        )

    def _plain(self, model: Model, row: Transition) -> bool:
        if row.generic:
            return True
        inside = (
            row.target is None or model.state(row.source).parent == model.state(row.target).parent
        )
        inside |= any(s.id in self.headings.whole for s in model.path(row.source))
        return not row.guard and inside and row.event not in model.signals

    def _touches(self, model: Model, row: Transition) -> bool:
        """Say whether it touches a state that was added or removed."""
        ends = [s for s in (row.source, row.target) if s]
        return any(s.id in self.added_or_removed for end in ends for s in model.path(end))

    def _words(self) -> list[DiffSection]:
        """Describe facts, events, durations and settings. Facts that only described transitions
        read are counted.
        """
        section = DiffSection("FACTS AND WORDS", kind="facts of the frame")
        for change in (*self.difference.facts, *self.difference.parts):
            if isinstance(change.part, Event) and not change.part.completion:
                self._at(DiffHeading("event", change.id)).entries.insert(
                    0, entry_of(change, self.difference)
                )
            elif isinstance(change.part, Fact) and change.sign != "~" and self._of_frame(change):
                section.follows += 1
            else:
                section.entries.append(entry_of(change, self.difference))
        return [section] if section.entries else []

    def _of_frame(self, change: Change) -> bool:
        """Say whether only transitions that come or go with a phase or step read it."""
        model = self.difference.a if change.b is None else self.difference.b
        readers = [t for t in model.transitions if any(term.fact == change.id for term in t.guard)]
        return bool(readers) and all(t.generic for t in readers)

    # equal entries of several sections ------------------------------------------------------------

    def _common(self) -> list[DiffSection]:
        """Take entries that are equal for several steps or phases out of their sections."""
        found: list[DiffSection] = []
        for kind in ("phase", "step"):
            alike: dict[DiffEntry, list[DiffHeading]] = {}
            for heading, section in self.found.items():
                for one in section.entries if heading.kind == kind else ():
                    if heading in self.heading_entries and one == self.heading_entries[heading]:
                        continue
                    alike.setdefault(self._without_name(one, heading), []).append(heading)
            for merged, headings in alike.items():
                if len(headings) >= COMMON_FROM:
                    self._merge(found, merged, kind, headings)
        return found

    def _merge(
        self, found: list[DiffSection], merged: DiffEntry, kind: str, headings: list[DiffHeading]
    ) -> None:
        """Replace equal entries of these sections by one entry under a common heading."""
        of: list[Change] = []
        for heading in headings:
            section = self.found[heading]
            of += [
                c
                for one in section.entries
                if self._without_name(one, heading) == merged
                for c in one.of
            ]
            section.entries = [
                one for one in section.entries if self._without_name(one, heading) != merged
            ]
        common = self._heading(kind, headings)
        same = next((s for s in found if s.title == common.title), None)
        if same is None:
            found.append(same := common)
        same.entries.append(replace(merged, of=tuple(of)))

    def _without_name(self, one: DiffEntry, heading: DiffHeading) -> DiffEntry:
        """Return the entry with X in place of the name of its phase or step."""
        sides = self.headings.sides(heading)
        merged = [_anonymous(text, sides) for text in (one.text, *one.more)]
        return DiffEntry(one.sign, merged[0], tuple(merged[1:]))

    def _heading(self, kind: str, headings: list[DiffHeading]) -> DiffSection:
        everyone = self.difference.b.of_kind("phase" if kind == "phase" else "step")
        ids = {p.id for p in headings}
        missing = [
            label_of(s) for s in everyone if s.id not in ids and s.id not in self.headings.whole
        ]
        scope = f"every {kind}" + (f" but {listed(missing)}" if missing else "")
        if len(missing) >= min(4, len(headings)):
            scope = ""
        title = scope or listed([label_of(self.headings.sides(p)[-1]) for p in headings])
        return DiffSection(f"{title.upper()} (here called {ANY_NAME})", scope=scope)

    # headings -------------------------------------------------------------------------------------

    def _in_order(self) -> Iterator[DiffSection]:
        """Yield the sections in the order of the turn. A phase has a heading if it or one of its
        steps has entries.
        """
        wanted = [p for p in self.headings.all() if p in self.found and self._filled(p)]
        shown: set[DiffHeading] = set()
        for heading in wanted:
            phase = self._phase(heading)
            if phase and phase not in shown and phase not in wanted:
                yield DiffSection(self._title(phase))
            shown |= {heading} | ({phase} if phase else set())
            yield self.found[heading]

    def _filled(self, heading: DiffHeading) -> bool:
        return bool(self.found[heading].entries or self.found[heading].follows)

    def _phase(self, heading: DiffHeading) -> DiffHeading | None:
        if heading.kind != "step":
            return None
        side = self.headings.sides(heading)[-1]
        model = self.difference.b if side in self.difference.b.states else self.difference.a
        phase = model.enclosing(side.id, "phase")
        return (
            DiffHeading("phase", self.headings.renamed.get(phase.id, phase.id)) if phase else None
        )

    def _title(self, heading: DiffHeading) -> str:
        if heading.kind == "turn":
            return (self.difference.b.title or "The turn").upper()
        if heading.kind == "event":
            events = (*self.difference.b.events, *self.difference.a.events)
            doc = next((e.doc for e in events if e.name == heading.id), "")
            return f"On {heading.id}" + (f": {doc}" if doc else "")
        names = [label_of(s) for s in self.headings.sides(heading)]
        was = next((r for r in self.difference.renames if r.b.id == heading.id), None)
        title = names[-1] + (f" (was {label_of(was.a)})" if was else "")
        return title.upper() if heading.kind == "phase" else title


def _anonymous(text: str, sides: Sequence[State]) -> str:
    """Replace the name with which ids begin, and the label, by X."""
    for word, after in [(s.name, r"(?=_\w)") for s in sides] + [
        (label_of(s), r"(?!\w)") for s in _longest(sides)
    ]:
        text = re.sub(rf"(?<!\w){re.escape(word)}{after}", ANY_NAME, text, flags=re.IGNORECASE)
    return text


def _longest(sides: Sequence[State]) -> list[State]:
    return sorted(sides, key=lambda s: -len(label_of(s)))
