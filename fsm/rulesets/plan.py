"""What a table leaves out: its facts, durations, windows and events.

A `Plan` is a table together with all this. `fsm.rulesets.expand` makes a Model of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from fsm.model import Duration, Event, Fact, Model
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
)
from fsm.rulesets.parts import Fact as DecidedFact
from fsm.rulesets.places import At, parts_of
from fsm.rulesets.rows import Template, agenda_fact, controller_fact, filled
from fsm.rulesets.windows import NOBODY, OF_WINDOWS, Loop, window_model

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
KNOWN = {
    name: controller_fact(name, doc, "", *test)
    for name, doc, *test in (
        (
            "first_turn",
            "this is the first turn of the side that plays first",
            "starters_turn_is",
            "1",
        ),
        ("first_round", "this is the first round of the game", "turn_is", "1"),
        ("first_own_turn", "this is the first turn of its side in turn order", "own_turn_is", "1"),
        ("starter_active", "it is the turn of the side that plays first", "starter_active"),
        ("several_opponents", "there is more than one opponent", "more_sides_than", "2"),
        ("several_sides_left", "at least two sides are left", "more_sides_than", "1"),
        ("some_side_left", "at least one side is left", "more_sides_than", "0"),
        ("team_turns", "the players of a team take their turns together", "shared_turns"),
    )
}
"""Facts that a guard can read although the table does not list them."""


@dataclass(frozen=True)
class Plan:
    """A table, and what it leaves out."""

    table: Table

    @property
    def rules(self) -> FrameRules:
        """The rules of what all steps and phases have in common."""
        return self.table.rules

    @cached_property
    def parts(self) -> tuple[At, ...]:
        """Every part of the table."""
        return parts_of(self.table)

    @cached_property
    def phases(self) -> tuple[Phase, ...]:
        """All phases, those inside another after it."""
        return tuple(at.part for at in self.parts if isinstance(at.part, Phase))

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """All steps, in the order of the table."""
        return tuple(at.part for at in self.parts if isinstance(at.part, Step))

    @cached_property
    def acts(self) -> tuple[At, ...]:
        """Every action."""
        return tuple(at for at in self.parts if isinstance(at.part, Act))

    @cached_property
    def named(self) -> dict[str, Phase]:
        """All phases by name."""
        return {phase.name: phase for phase in self.phases}

    @cached_property
    def kins(self) -> dict[str, Phase]:
        """The words that effects use for phases, each with the phase that is added by it: families,
        and the phases of a family that effects name one by one. None of these takes another's
        place.
        """
        found = {phase.kin: phase for phase in self.phases}
        found |= {p.name: p for p in self.phases if p.family and p.swap is None}
        return found

    @cached_property
    def possible(self) -> frozenset[str]:
        """What effects can do, "before_game" if something is done before the first turn, and
        "absent" if it can be the turn of a player who has left.
        """
        found = set(POSSIBLE) - set(self.table.lacking)
        if not found >= {"extra_step", "extra_phase"}:
            found.discard("step_after_phase")
        if self.table.before_game:
            found.add("before_game")
        if "leaving" in found and (self.table.order != "token" or "extra_turn" in found):
            found.add("absent")  # who has the token is always in the game
        return frozenset(found)

    @cached_property
    def lackable(self) -> frozenset[str]:
        """The steps that a phase of their family can lack, since it holds only another one."""
        found = set[str]()
        if "step_after_phase" in self.possible:
            long = {phase.kin for phase in self.phases if len(phase.steps) > 1}
            for phase in self.phases:
                found.update(step.name for step in phase.steps if phase.kin in long)
        return frozenset(found)

    @cached_property
    def cited(self) -> dict[str, str]:
        """The rules of the frame by name, and others where the rulebook lacks them."""
        rules = self.rules
        named = asdict(rules)
        named["skips"] = rules.skip or rules.turn
        named["adds"] = rules.extra_phase or rules.turn
        named["hub"] = rules.extra_turn or rules.turn
        return named

    def fill(
        self, templates: Iterable[Template], part: Phase | Step | None = None, **more: str
    ) -> Iterator[Any]:
        """The parts of the frame for a phase, for a step, or for the turn."""
        words, there = self.cited, self.possible
        if part is not None:
            words = words | {"text": part.text, "name": part.text.lower(), "rule": part.rule}
        if isinstance(part, Phase):
            words |= {"p": part.name, "kin": part.kin, "first": part.steps[0].name}
        elif part is not None:
            words |= {"s": part.name, "doc": part.doc, "says": part.says}
            words["left"] = self.rules.extra_step or part.rule
            if part.name in self.lackable:
                there |= {"lacks"}
        return filled(templates, words | more, there)

    def clear(self, scope: str) -> str:
        """The action that forgets the facts of a scope, or "" if there is none."""
        scopes = {fact.scope for fact in self.facts}
        return f"clear({scope})" if scope in scopes else ""

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
        rules, names = self.rules, (phase.name, phase.kin)
        if rules.end_action is None or rules.phase_end_action is not None or rules.phase_end_first:
            return False
        listed = several(self.table.durations)
        return bool(phase.ends) or any(d.moment == "end" and d.what in names for d in listed)

    # where phases run ----------------------------------------------------------------------------

    def apart(self, phase: Phase) -> bool:
        """Say whether several phases may wait for this one, which then stands in none of them."""
        return sum(phase in outer.within for outer in self.phases) > 1

    def inside(self, phase: Phase) -> list[Phase]:
        """Return the phases that may run inside this one, however deep."""
        found = [*phase.within]
        for inner in found:
            found += [phase for phase in inner.within if phase not in found]
        return found

    @cached_property
    def waiting(self) -> dict[str, list[tuple[Step, Window, str]]]:
        """The windows to which the turn goes back from a phase, by its name, each with the rule."""
        found: dict[str, list[tuple[Step, Window, str]]] = {}
        for step in self.steps:
            for window, during in step.durings:
                if during.phase is not None:
                    back = step, window, during.back or during.rule
                    found.setdefault(during.phase.name, []).append(back)
        return found

    def remembers(self, phase: str) -> bool:
        """Say whether a phase must remember the window out of which it came."""
        return self._own or len(self.waiting[phase]) > 1

    # facts ---------------------------------------------------------------------------------------

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
        return frozenset(found | {self.goes_on})

    @property
    def goes_on(self) -> str:
        """The fact with which a game goes on when a player leaves, or "" if the table says what
        happens then.
        """
        said = any(t.event == LEAVING for t in several(self.table.transitions))
        if said or "leaving" not in self.possible:
            return ""
        return "some_side_left" if self.table.over == "never" else "several_sides_left"

    @cached_property
    def facts(self) -> tuple[Fact, ...]:
        """The facts that the table lists or decides, and those of its guards that it does not."""
        found: dict[str, Fact] = {}
        for fact in several(self.table.facts):
            until = getattr(fact, "until", "turn")
            if isinstance(fact, DecidedFact):
                fact = Fact(*[getattr(fact, name) for name in Fact.__struct_fields__])
                if fact.name in self.homes and fact.timing == "live" and fact.owner == "game":
                    fact = self._decided(fact, until)
            found[fact.name] = fact
        for name in self.homes:
            found.setdefault(name, self._decided(Fact(name)))
        for name in sorted(self.read & set(self.known)):
            found.setdefault(name, self.known[name])
        return tuple(found.values())

    def _decided(self, fact: Fact, until: str = "turn") -> Fact:
        at = self.homes[fact.name]
        scope, about = "game", "the game"
        if at.phase is not None:
            scope = "turn" if until == "turn" else f"{at.phase.name}_phase"
            about = at.phase.text.lower()
        return replace(
            fact,
            doc=fact.doc or f"decided by: {at.part.text.lower()}",
            rule=fact.rule or at.part.rule,
            timing="latched",
            scope=scope,
            last=True,
            about=fact.about or about,
        )

    @cached_property
    def known(self) -> dict[str, Fact]:
        """The facts that every table knows, by name."""
        rule, found = self.rules.turn, dict[str, Fact]()
        for level, parts in (("step", self.steps), ("phase", self.phases)):
            for part in parts:
                name, doc = f"{part.name}_begun", f"this {level} has begun this turn"
                found[name] = agenda_fact(name, doc, rule, "begun", level, part.name)
        found |= {name: replace(fact, rule=rule) for name, fact in KNOWN.items()}
        latched = self.window.facts if self.window is not None else ()
        return found | {fact.name: fact for fact in latched if fact.timing == "latched"}

    @cached_property
    def lasting(self) -> frozenset[str]:
        """The facts that change only where an action decides them."""
        return frozenset((*KNOWN, *(fact.name for fact in self.facts if fact.last)))

    # durations and events ------------------------------------------------------------------------

    @cached_property
    def durations(self) -> tuple[Duration, ...]:
        """How long effects can last. A table that lists durations lists all."""
        if self.table.durations:
            return several(self.table.durations)
        turn, rules = self.table.turn, dict(reversed([*self._ends()]))
        end, coming = f"end_of_{turn}", f"your_next_{turn}"
        begins = Duration(coming, "begin", "turn", "yours", doc=f"until your next {turn} begins")
        if coming in rules:
            begins = replace(begins, moment="mark", what=coming)
        last = f"until the end of your next {turn}"
        known = [
            Duration(end, "mark", end, doc=f"until end of {turn}"),
            begins,
            Duration(f"end_of_{coming}", "mark", end, "yours", "next", doc=last),
        ]
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
            for name in marks_of(at):
                yield name, at.part.rule
        for phase in self.phases:
            if phase.ends:
                yield phase.ends, phase.rule

    @cached_property
    def signals(self) -> dict[str, list[At]]:
        """The events that lead out of windows or end a phase or turn, and where they do."""
        found: dict[str, list[At]] = {}
        for kind in (During, Cut):
            for at in self.parts:
                if isinstance(at.part, kind):
                    found.setdefault(at.part.event, []).append(at)
        return found

    @property
    def events(self) -> Iterator[Event]:
        """The events of the table's windows and cuts, and that of leaving, if it does not list
        them.
        """
        listed = {event.name for event in several(self.table.events)}
        for name, [at, *_] in self.signals.items():
            if name not in listed:
                yield Event(name, getattr(at.part, "doc", "") or name.replace("_", " "))
        if "leaving" in self.possible and LEAVING not in listed:
            yield Event(LEAVING, "somebody left the game")

    # windows -------------------------------------------------------------------------------------

    @property
    def _own(self) -> bool:
        return not isinstance(self.table.window, Model)

    def kind_of(self, window: Window) -> str:
        """Return the kind of a window of the table."""
        return NOBODY if window.by == NOBODY else window.kind or str(self.table.window)

    def first_of(self, window: Window) -> str:
        """Return who acts first in a window, or takes part in it."""
        if window.by in ("", NOBODY):
            return "everyone" if self.kind_of(window) == "once" else "active"
        return window.by

    def _loop_of(self, window: Window) -> str:
        return self.kind_of(window) + "_for_good" * bool(window.passing)

    @cached_property
    def loops(self) -> dict[str, Loop]:
        """The loops of the table's own windows, by the kinds of these."""
        groups: dict[str, list[Window]] = {}
        for at in self.parts:
            if isinstance(at.part, Window):
                groups.setdefault(self._loop_of(at.part), []).append(at.part)
        names = sorted(groups, key=lambda name: name != self.table.window)
        return {name: self._loop(name, groups[name], names) for name in names}

    def _loop(self, name: str, windows: list[Window], names: list[str]) -> Loop:
        more = (self.read & {*OF_WINDOWS}) | (self.possible & {"leaving"})
        if self.table.order == "token" and self.kind_of(windows[0]) == "solo":
            more |= {"in_turn"}  # whoever gets the token acts, too
        if len(names) > 1:
            more |= {"several"}
        if name == names[-1]:
            more |= {"last"}
        for window in windows:
            if window.opens == "conditional":
                more |= {"conditional", "something_happened"}
            if window.passing:
                more |= {"for_good"}
            if any(during.phase for during in several(window.during)):
                more |= {"nests"}
        return Loop(
            kind=self.kind_of(windows[0]),
            name=name,
            prefix=f"{name}_" * (name != names[0]),
            stack=self.table.stack or ("top" if self.table.window == "priority" else "none"),
            active_first=all(self.first_of(window) == "active" for window in windows),
            more=more,
        )

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


def marks_of(at: At) -> list[str]:
    """The durations that end with a part. That of the phase under way has the phase's name."""
    name = at.phase.name if at.phase is not None else ""
    return [
        f"end_of_{name}" if n == END_OF_PHASE else n for n in several(getattr(at.part, "ends", ()))
    ]
