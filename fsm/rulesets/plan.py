"""What a table leaves out: its facts, durations, windows and events, and where its parts stand.

A `Plan` is a table together with all this. `fsm.rulesets.expand` makes a Model of it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec.structs import replace

from fsm.model import Duration, Event, Fact, Model, Term
from fsm.model.elements import LEAVING
from fsm.rulesets.parts import (
    END_OF_PHASE,
    Act,
    Cut,
    During,
    FrameRules,
    Phase,
    Step,
    Window,
    several,
    stages,
    words,
)
from fsm.rulesets.parts import Fact as DecidedFact
from fsm.rulesets.rows import Template, filled, guard
from fsm.rulesets.windows import NOBODY, Loop, window_model

if TYPE_CHECKING:
    from fsm.rulesets.table import Table

POSSIBLE = (
    "extra_turn",
    "extra_phase",
    "extra_step",
    "step_after_phase",
    "skip_turn",
    "skip_phase",
    "skip_step",
    "leaving",
)
"""What a rulebook can lack."""
KNOWN: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "first_turn": (
        "this is the first turn of the side that plays first",
        ("starters_turn_is", "1"),
    ),
    "first_round": ("this is the first round of the game", ("turn_is", "1")),
    "first_own_turn": ("this is the first turn of its side in turn order", ("own_turn_is", "1")),
    "starter_active": ("it is the turn of the side that plays first", ("starter_active",)),
    "several_opponents": ("there is more than one opponent", ("more_sides_than", "2")),
    "several_sides_left": ("at least two sides are left", ("more_sides_than", "1")),
    "team_turns": ("the players of a team take their turns together", ("shared_turns",)),
}
"""Facts that a guard can read although the table does not list them: what they mean, and their
tests.
"""
OF_WINDOWS = ("something_happened", "window_opened", "window_acted")
"""Facts of a window that stay true until the next one opens."""


class At(NamedTuple):
    """A part of a table, where it stands, and the state or step in which its guard is read."""

    part: Any
    phase: Phase | None = None
    step: Step | None = None
    word: str = ""
    reads: str = ""

    @property
    def home(self) -> str:
        """Its phase and step, to be followed by what it is."""
        where = f"phase {self.phase.name!r}, " if self.phase is not None else ""
        return where + (f"step {self.step.name!r}, " if self.step is not None else "")

    @property
    def where(self) -> str:
        """Where it stands."""
        return self.home + self.word

    @property
    def guard(self) -> tuple[Term, ...]:
        """Its guard."""
        return guard(getattr(self.part, "when", ""))


class Signal(NamedTuple):
    """An event of a table: its meaning, its rule, and the steps and phases that hear it."""

    doc: str
    rule: str
    places: list[str]


@dataclass(frozen=True)
class Plan:
    """A table, and what it leaves out."""

    table: Table

    @property
    def rules(self) -> FrameRules:
        """The rules of what all steps and phases have in common."""
        return self.table.rules

    @cached_property
    def phases(self) -> tuple[Phase, ...]:
        """All phases, those inside another after it."""
        return self.table.all_phases

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """All steps, in the order of the table."""
        return tuple(step for phase in self.phases for step in phase.steps)

    @cached_property
    def named(self) -> dict[str, Phase]:
        """All phases by name."""
        return {phase.name: phase for phase in self.phases}

    @cached_property
    def families(self) -> tuple[str, ...]:
        """The words effects use for phases, each once."""
        return tuple(dict.fromkeys(phase.kin for phase in self.phases))

    @cached_property
    def single(self) -> tuple[Phase, ...]:
        """The phases of a family that effects name one by one. None takes another's place."""
        return tuple(phase for phase in self.phases if phase.family and phase.swap is None)

    @cached_property
    def possible(self) -> frozenset[str]:
        """What effects can do."""
        lacks = set(words(self.table.lacks))
        if lacks & {"extra_step", "extra_phase"}:
            lacks.add("step_after_phase")
        return frozenset(POSSIBLE) - lacks

    @cached_property
    def _kin_of(self) -> dict[str, str]:
        return {step.name: phase.kin for phase in self.phases for step in phase.steps}

    @cached_property
    def _long(self) -> set[str]:
        return {phase.kin for phase in self.phases if len(phase.steps) > 1}

    def can_lack(self, step: Step) -> bool:
        """Say whether a phase that should have this step can hold only another one."""
        return "step_after_phase" in self.possible and self._kin_of[step.name] in self._long

    @cached_property
    def cited(self) -> dict[str, str]:
        """The rules of the frame by name, and others where the rulebook lacks them."""
        rules = self.rules
        named = {name: str(getattr(rules, name)) for name in FrameRules.__dataclass_fields__}
        named["skips"] = rules.skip or rules.turn
        named["adds"] = rules.extra_phase or rules.turn
        named["hub"] = rules.extra_turn or rules.turn
        return named

    def fill(
        self, templates: Iterable[Template], part: Phase | Step | None = None, **more: str
    ) -> Iterator[Any]:
        """The parts of the frame for a phase, for a step, or for the turn."""
        words, possible = {**self.cited, **more}, {*self.possible}
        if self.table.before_game:
            possible.add("before_game")
        if "leaving" in possible and (self.table.order != "token" or "extra_turn" in possible):
            possible.add("absent")  # who has the token is always in the game
        if isinstance(part, Phase):
            words |= {"p": part.name, "kin": part.kin, "first": part.steps[0].name}
        elif part is not None:
            words |= {"s": part.name, "doc": part.doc, "says": part.says}
            words["left"] = self.rules.extra_step or part.rule
            if self.can_lack(part):
                possible.add("lacks")
        if part is not None:
            words |= {"text": part.text, "name": part.text.lower(), "rule": part.rule}
        return filled(templates, words | more, possible)

    def clear(self, scope: str) -> str:
        """The action that forgets the facts of a scope, or "" if there is none."""
        return f"clear({scope})" if scope in self.scopes else ""

    def ending(self, phase: Phase) -> list[str]:
        """The actions with which a phase ends: durations run out, its facts hold no longer."""
        mark = f"mark({phase.ends})" if phase.ends else ""
        return ["end(phase)", mark, self.clear(phase.name)]

    def onward(self, phase: Phase, following: str) -> tuple[str, list[str]]:
        """Where a phase goes on, or its end, and the actions on the way there."""
        if following:
            return following, []
        early = [] if self.rules.phase_end_first else self.ending(phase)
        return f"{phase.name}_phase_end", early

    def ends_with_step(self, phase: Phase) -> bool:
        """Say whether a phase ends together with its last step, so that the same action ends both.

        It does if steps end with an action, and some duration ends with the phase: the action comes
        after it.
        """
        rules = self.rules
        if rules.end_action is None or rules.phase_end_action is not None or rules.phase_end_first:
            return False
        names = (phase.name, phase.kin)
        listed = several(self.table.durations)
        return bool(phase.ends) or any(d.moment == "end" and d.what in names for d in listed)

    # where phases run ----------------------------------------------------------------------------

    @cached_property
    def outer(self) -> dict[str, tuple[str, ...]]:
        """The names of the phases that may wait for a phase, by its name."""
        found: dict[str, tuple[str, ...]] = {}
        for phase in self.phases:
            for inner in phase.within:
                found[inner.name] = (*found.get(inner.name, ()), phase.name)
        return found

    def apart(self, phase: Phase) -> bool:
        """Say whether several phases may wait for this one, which then stands in none of them."""
        return len(set(self.outer.get(phase.name, ()))) > 1

    def inside(self, phase: Phase) -> tuple[Phase, ...]:
        """Return the phases that may run inside this one, however deep."""
        found: dict[str, Phase] = {}
        todo = [*phase.within]
        for inner in todo:
            if inner.name not in found:
                found[inner.name] = inner
                todo += inner.within
        return tuple(found.values())

    @cached_property
    def waiting(self) -> dict[str, list[tuple[Step, Window, str]]]:
        """The windows to which the turn goes back from a phase, by its name, each with the rule."""
        found: dict[str, list[tuple[Step, Window, str]]] = {}
        for step in self.steps:
            for window in step.windows:
                for during in window.durings:
                    if during.phase is not None:
                        back = step, window, during.back or during.rule
                        found.setdefault(during.phase.name, []).append(back)
        return found

    def remembers(self, phase: str) -> bool:
        """Say whether a phase must remember the window out of which it came."""
        return self._own or len(self.waiting[phase]) > 1

    # facts ---------------------------------------------------------------------------------------

    @cached_property
    def parts(self) -> tuple[At, ...]:
        """Every part of the table."""
        return tuple(_parts(self.table))

    @cached_property
    def acts(self) -> tuple[At, ...]:
        """Every action."""
        return tuple(at for at in self.parts if isinstance(at.part, Act))

    @cached_property
    def homes(self) -> dict[str, At]:
        """Where each fact is decided first."""
        found: dict[str, At] = {}
        for at in self.acts:
            for name in several(at.part.decides):
                found.setdefault(name, at)
        return found

    @cached_property
    def read(self) -> frozenset[str]:
        """The facts that guards of the table read, and its rows for players who leave."""
        guards = [at.guard for at in self.parts]
        guards += [row.guard for row in several(self.table.transitions)]
        found = {term.fact for terms in guards for term in terms}
        if self.leaves and self.table.over == "one_left":
            found.add("several_sides_left")
        return frozenset(found)

    @property
    def leaves(self) -> bool:
        """Whether the table leaves open what happens when a player leaves."""
        said = any(t.event == LEAVING for t in several(self.table.transitions))
        return "leaving" in self.possible and not said

    @cached_property
    def facts(self) -> tuple[Fact, ...]:
        """The facts that the table lists or decides, and those of its guards that it does not."""
        found = [self._listed(fact) for fact in several(self.table.facts)]
        listed = {fact.name for fact in found}
        found += [self._decided(name, Fact(name)) for name in self.homes if name not in listed]
        known = {fact.name for fact in found}
        more = [self.known(name) for name in sorted(self.read - known)]
        return (*found, *(fact for fact in more if fact is not None))

    def _listed(self, fact: Fact) -> Fact:
        if not isinstance(fact, DecidedFact):
            return fact
        plain = {name: getattr(fact, name) for name in Fact.__struct_fields__}
        if fact.name in self.homes and fact.timing == "live" and fact.owner == "game":
            return self._decided(fact.name, Fact(**plain), fact.until)
        return Fact(**plain)

    def _decided(self, name: str, fact: Fact, until: str = "turn") -> Fact:
        at = self.homes[name]
        phase, act, scope = at.phase, at.part, "game"
        if phase is not None:
            scope = "turn" if until == "turn" else scope_of(phase)
        return replace(
            fact,
            doc=fact.doc or f"decided by: {act.text.lower()}",
            rule=fact.rule or act.rule,
            timing="latched",
            scope=scope,
            last=True,
            about=fact.about or (phase.text.lower() if phase is not None else "the game"),
        )

    def known(self, name: str) -> Fact | None:
        """Return a fact that every table knows, or None."""
        window, rule = self.table.window, self.rules.turn
        if isinstance(window, Model):
            latched = {fact.name: fact for fact in window.facts if fact.timing == "latched"}
            if name in latched:
                return latched[name]
        elif name in OF_WINDOWS:
            return self.window.fact(name) if self.window is not None else None
        if name in KNOWN:
            doc, test = KNOWN[name]
            return Fact(name, doc, rule, "controller", about="the game", test=test)
        begun = name.removesuffix("_begun")
        for level, parts in (("phase", self.phases), ("step", self.steps)):
            if begun != name and begun in {part.name for part in parts}:
                doc, test = f"this {level} has begun this turn", ("begun", level, begun)
                return Fact(name, doc, rule, "agenda", about="this turn", test=test)
        return None

    @cached_property
    def scopes(self) -> frozenset[str]:
        """The scopes of the table's facts."""
        return frozenset(fact.scope for fact in self.facts)

    @cached_property
    def lasting(self) -> frozenset[str]:
        """The facts that change only where an action decides them."""
        return frozenset(fact.name for fact in self.facts if fact.last) | set(KNOWN)

    # durations and events ------------------------------------------------------------------------

    @cached_property
    def durations(self) -> tuple[Duration, ...]:
        """How long effects can last. A table that lists durations lists all."""
        if self.table.durations:
            return several(self.table.durations)
        turn, rules = self.table.turn, dict(reversed([*self._ends()]))
        end, coming = f"end_of_{turn}", f"your_next_{turn}"
        until, last = f"until your next {turn} begins", f"until the end of your next {turn}"
        known = [
            Duration(end, "mark", end, doc=f"until end of {turn}"),
            Duration(coming, "begin", "turn", "yours", doc=until),
            Duration(f"end_of_{coming}", "mark", end, "yours", "next", doc=last),
        ]
        if coming in rules:
            known[1] = Duration(coming, "mark", coming, "yours", doc=until)
        for phase in self.phases:
            doc = f"until the end of the {phase.text.lower()} phase"
            known.append(Duration(f"end_of_{phase.name}", "end", phase.name, doc=doc))
        for name in rules:
            if name not in (end, coming):
                known.append(Duration(name, "mark", name, doc=f"until {name.replace('_', ' ')}"))
        found = {one.name: replace(one, rule=rules.get(one.name, "")) for one in known}
        return tuple(found.values())

    def _ends(self) -> Iterator[tuple[str, str]]:
        for at in self.acts:
            for name in marks_of(at.part, at.phase):
                yield name, at.part.rule
        for phase in self.phases:
            if phase.ends:
                yield phase.ends, phase.rule

    @cached_property
    def late(self) -> str:
        """The duration that ends with the turn at the latest, or ""."""
        return "" if self.table.durations else f"end_of_{self.table.turn}"

    @property
    def events(self) -> Iterator[Event]:
        """The events of the table's windows and cuts, and that of leaving, if it does not list
        them.
        """
        listed = {event.name for event in several(self.table.events)}
        for name, signal in self.signals.items():
            if name not in listed:
                yield Event(name, signal.doc)
        if "leaving" in self.possible and LEAVING not in listed:
            yield Event(LEAVING, "somebody left the game")

    @cached_property
    def signals(self) -> dict[str, Signal]:
        """The events that lead out of windows or end a phase or turn."""
        found: dict[str, Signal] = {}
        causes = [at for at in self.parts if isinstance(at.part, During | Cut)]
        for at in sorted(causes, key=lambda at: (isinstance(at.part, Cut), at.phase is not None)):
            doc = getattr(at.part, "doc", "") or at.part.event.replace("_", " ")
            signal = found.setdefault(at.part.event, Signal(doc, at.part.rule, []))
            place = at.step or at.phase
            if place is not None:
                signal.places.append(place.text.lower())
        return found

    # windows -------------------------------------------------------------------------------------

    @property
    def _own(self) -> bool:
        return not isinstance(self.table.window, Model)

    def kind_of(self, window: Window) -> str:
        """Return the kind of a window of the table."""
        if window.by == NOBODY:
            return NOBODY
        return window.kind or str(self.table.window)

    def first_of(self, window: Window) -> str:
        """Return who acts first in a window, or takes part in it."""
        if window.by in ("", NOBODY):
            return "everyone" if self.kind_of(window) == "once" else "active"
        return window.by

    def _loop_of(self, window: Window) -> str:
        good = "_for_good" if window.passing else ""
        return f"{self.kind_of(window)}{good}"

    @cached_property
    def loops(self) -> dict[str, Loop]:
        """The loops of the table's own windows, by the kinds of these."""
        groups: dict[str, list[Window]] = {}
        for at in self.parts:
            if isinstance(at.part, Window):
                groups.setdefault(self._loop_of(at.part), []).append(at.part)
        found: dict[str, Loop] = {}
        for name in sorted(groups, key=lambda name: name != self.table.window):
            windows = groups[name]
            more = {fact for fact in OF_WINDOWS if fact in self.read}
            if "leaving" in self.possible:
                more.add("leaving")
            for window in windows:
                if window.opens == "conditional":
                    more |= {"conditional", "something_happened"}
                if window.passing:
                    more.add("for_good")
                if any(during.phase for during in window.durings):
                    more.add("nests")
            found[name] = Loop(
                kind=self.kind_of(windows[0]),
                name=name,
                prefix=f"{name}_" if found else "",
                stack=self.table.resolving,
                active_first=all(self.first_of(window) == "active" for window in windows),
                more=frozenset(more),
            )
        return found

    @cached_property
    def window(self) -> Model | None:
        """The model of the table's windows, if it has any."""
        if isinstance(self.table.window, Model):
            return self.table.window
        loops = tuple(self.loops.values())
        return window_model(self.table.name, self.table.edition, loops) if loops else None

    def enters(self, window: Window) -> str:
        """Return the state with which the loop of a window begins, or "" if there is only one."""
        several = self._own and len(self.loops) > 1
        return f"{self.loops[self._loop_of(window)].prefix}open" if several else ""


# the parts of a table one by one ------------------------------------------------------------------


def scope_of(phase: Phase) -> str:
    """The scope of facts that are forgotten when this phase begins."""
    return f"{phase.name}_phase"


def marks_of(act: Act, phase: Phase | None) -> tuple[str, ...]:
    """The durations that end with an action. That of the phase under way has the phase's name."""
    name = phase.name if phase is not None else ""
    return tuple(f"end_of_{name}" if n == END_OF_PHASE else n for n in several(act.ends))


def _parts(table: Table) -> Iterator[At]:
    for act in several(table.before_game):
        yield At(act)
    for phase in table.all_phases:
        id = f"{phase.name}_phase"
        yield from _around(phase, At(None, phase), id)
        if phase.swap is not None:
            yield At(phase.swap, phase, None, "swap", f"{id}_before")
        for step in phase.steps:
            yield from _parts_of(step, phase)
        for cut in phase.cuts:
            yield from (At(part, phase, None, "cut") for part in (cut, *cut.acts))
    for cut in several(table.cut):
        yield from (At(part, None, None, "cut") for part in (cut, *cut.acts))


def _parts_of(step: Step, phase: Phase) -> Iterator[At]:
    id = f"{step.name}_step"
    for number, part in enumerate(step.does, 1):
        for each in dict.fromkeys((part, *stages(part))):
            yield At(each, phase, step, f"part {number}", id)
    yield from _around(step, At(None, phase, step), step.name)
    for during in step.durings:
        for inner in (during, *during.refusals, *during.parts):
            yield At(inner, phase, step, f"during {during.event!r}", id)


def _around(part: Phase | Step, at: At, id: str) -> Iterator[At]:
    for absent in part.absences:
        word = "unless" if absent.when == part.unless else "absent"
        yield at._replace(part=absent, word=word, reads=f"{id}_before")
    for then in several(part.then):
        yield at._replace(part=then, word="then", reads=f"{id}_after")


def excludes(first: str, other: str, lasting: frozenset[str]) -> bool:
    """Say whether two guards cannot hold one after the other, because of facts that stay so."""
    terms = {term for term in guard(first) if term.fact in lasting}
    return any(Term(term.fact, not term.value) in terms for term in guard(other))


def exhaust(guards: Collection[str], lasting: frozenset[str]) -> bool:
    """Say whether one of these guards always holds: one that is empty, or of a fact and its
    negation.
    """
    return "" in guards or any(f"not {fact}" in guards for fact in guards if fact in lasting)
