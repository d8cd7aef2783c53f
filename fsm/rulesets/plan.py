"""What a table leaves out: its facts, durations and events, and where its phases run.

A `Plan` is a table together with all this. `fsm.rulesets.expand` makes a Model of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec.structs import replace

from fsm.model import Duration, Event, Fact, Model
from fsm.model.elements import LEAVING
from fsm.rulesets import rows
from fsm.rulesets.parts import (
    END_OF_PHASE,
    At,
    Cut,
    During,
    Fact as DecidedFact,
    Phase,
    Step,
    Window,
    guard,
    several,
)
from fsm.rulesets.rows import Template, facts_read, filled
from fsm.rulesets.windows import kind_of, window_model

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
)
"""What a rulebook can lack."""


Waiting: TypeAlias = dict[str, list[tuple[str, Step, During]]]


class Plan:
    """A table, and what it leaves out.

    Attributes
    ----------
    phases
        All phases, those inside another after it.
    kins
        The words that effects use for phases, each with the phase that is added by it: families,
        and the phases of a family that effects name one by one. None of these takes another's
        place.
    possible
        What effects can do, how turns go, and "absent" if it can be the turn of who has left.
    lackable
        The families of which a phase can hold only one of its steps.
    cited
        The rules of the frame by name, and others where the rulebook lacks them.
    """

    def __init__(self, table: Table, parts: Sequence[At]) -> None:
        self.table, self.rules, self.parts = table, table.rules, parts
        self.phases, self.steps = self.each(Phase), self.each(Step)
        self.windows = self.each(Window)
        self.named = {phase.name: phase for phase in self.phases}
        self.kins = {phase.kin: phase for phase in self.phases}
        self.kins |= {p.name: p for p in self.phases if p.family and p.swap is None}
        self.possible = {*POSSIBLE, "absent", table.order} - {*guard(table.lacks)}
        if table.order == "token" and "extra_turn" not in self.possible:
            self.possible.discard("absent")  # who has the token is always in the game
        needed = {"step_after_phase", "extra_step", "extra_phase"}
        lackable = self.phases if needed <= self.possible else ()
        self.lackable = {phase.kin for phase in lackable if len(phase.steps) > 1}
        self.cited = asdict(table.rules)

    def each(self, kind: Any) -> list[Any]:
        """Return the parts of a kind, in the order of the table."""
        return [at.part for at in self.parts if isinstance(at.part, kind)]

    # the frame -----------------------------------------------------------------------------------

    def fill(
        self, templates: Sequence[Template], *parts: Phase | Step | str, **more: str
    ) -> Iterator[Any]:
        """The parts of the frame for phases, for steps, or for these levels."""
        for part in parts or ("turn",):
            words = self._words(part)
            yield from filled(templates, self.cited | words | more, self.possible)

    def _words(self, part: Phase | Step | str) -> dict[str, str]:
        """What the texts in braces stand for."""
        level = part if isinstance(part, str) else type(part).__name__.lower()
        words = {"L": level, "extra": self.cited[f"extra_{level}"]}
        if isinstance(part, str):
            return words
        name = part.text.lower()
        words |= {"n": part.name, "id": part.name, "kin": part.name, "text": part.text}
        words |= {"name": name, "called": name, "Called": part.text, "rule": part.rule}
        if isinstance(part, Step):
            return words | {"says": part.says, "adds": words["extra"] or part.rule}
        id = f"{part.name}_phase"
        words |= {"id": id, "of": "_phase", "kin": part.kin, "place": f"{id}_after"}
        words["adds"] = words["extra"] or self.rules.turn
        return words | {"called": f"the {name} phase", "Called": f"{part.text} phase"}

    def clear(self, scope: str) -> str:
        """The action that forgets the facts of a scope, or "" if there is none."""
        return f"clear({scope})" * any(fact.scope == scope for fact in self.facts)

    def ending(self, phase: Phase) -> list[str]:
        """The actions with which a phase ends: durations run out, its facts hold no longer."""
        mark = f"mark({phase.ends})" * bool(phase.ends)
        return ["end(phase)", mark, self.clear(phase.name)]

    def onward(self, phase: Phase, to: str) -> tuple[str, list[str]]:
        """Where a phase goes on, with this step or at its end, and the actions on the way there."""
        if to != END_OF_PHASE:
            return f"{to}_before", []
        do = [] if self.rules.phase_end_first else self.ending(phase)
        return f"{phase.name}_phase_end", do

    def ends_with_step(self, phase: Phase) -> bool:
        """Say whether a phase ends together with its last step, so that the same action ends both.

        It does if steps end with an action, and some duration ends with the phase: the action comes
        after it.
        """
        rules = self.rules
        if not rules.end_action or rules.phase_end_action or rules.phase_end_first:
            return False
        ends = {one.what for one in self.table.durations if one.moment == "end"}
        return bool(phase.ends or ends & {phase.name, phase.kin})

    # where phases run ----------------------------------------------------------------------------

    def apart(self, phase: Phase) -> bool:
        """Say whether several phases may wait for this one, which then stands in none of them."""
        return sum(phase in outer.within for outer in self.phases) > 1

    def inside(self, phase: Phase) -> list[Phase]:
        """Return the phases that may run inside this one, however deep, but stand in none."""
        found = [*phase.within]
        for inner in found:
            found += [phase for phase in inner.within if phase not in found]
        return [*filter(self.apart, found)]

    @cached_property
    def waiting(self) -> Waiting:
        """The windows to which the turn goes back from a phase, by its name, each with its step and
        the event.
        """
        found: Waiting = {}
        for step in self.steps:
            for window, during in step.durings:
                if during.phase is not None:
                    back = f"{step.name}_{window.name}", step, during
                    found.setdefault(during.phase.name, []).append(back)
        return found

    # facts ---------------------------------------------------------------------------------------

    @cached_property
    def homes(self) -> dict[str, At]:
        """Where each fact is decided first."""
        found: dict[str, At] = {}
        for at in self.parts:
            for name in several(getattr(at.part, "decides", ())):
                found.setdefault(name, at)
        return found

    @cached_property
    def read(self) -> set[str]:
        """The facts that guards of the table read, and its rows for players who leave."""
        guards = [*(at.guard for at in self.parts), *(row.guard for row in self.table.transitions)]
        return facts_read(guards) | {self.goes_on}

    @property
    def goes_on(self) -> str:
        """The fact with which a game goes on when a player leaves, or "" if the table says what
        happens then.
        """
        if any(row.event == LEAVING for row in self.table.transitions):
            return ""
        return "some_side_left" if self.table.over == "never" else "several_sides_left"

    @cached_property
    def facts(self) -> tuple[Fact, ...]:
        """The facts that the table lists or decides, and those of its guards that it does not."""
        found: dict[str, Fact] = {}
        for fact in self.table.facts:
            found[fact.name] = self._decided(fact) if isinstance(fact, DecidedFact) else fact
        for name in self.homes:
            found.setdefault(name, self._decided(DecidedFact(name)))
        for name in sorted(self.read & set(self.known)):
            found.setdefault(name, self.known[name])
        return tuple(found.values())

    def _decided(self, fact: DecidedFact) -> Fact:
        """The fact of a Model. If an action decides it, it is the last answer."""
        plain = Fact(*[getattr(fact, name) for name in Fact.__struct_fields__])
        at = self.homes.get(fact.name)
        if at is None or fact.timing != "live":
            return plain
        scope = "game"
        if at.phase is not None:
            scope = "turn" if fact.until == "turn" else f"{at.phase.name}_phase"
        return replace(
            plain,
            doc=fact.doc or f"decided by: {at.part.text.lower()}",
            rule=fact.rule or at.part.rule,
            timing="latched",
            scope=scope,
            last=True,
        )

    @cached_property
    def known(self) -> dict[str, Fact]:
        """The facts that every table knows, by name."""
        found = [*self.fill(rows.KNOWN), *self.fill(rows.BEGUN, *self.steps, *self.phases)]
        if self.window is not None:
            found += [fact for fact in self.window.facts if fact.timing == "latched"]
        return {fact.name: fact for fact in found}

    @cached_property
    def lasting(self) -> frozenset[str]:
        """The facts that change only where an action decides them."""
        lasting = [fact.name for fact in self.facts if fact.last]
        return frozenset((*lasting, *(fact.name for fact in rows.KNOWN)))

    @cached_property
    def window(self) -> Model | None:
        """The model of the table's windows, if it has any."""
        if isinstance(self.table.window, Model):
            return self.table.window
        return window_model(self.table, self.windows, self.read) if self.windows else None

    def enters(self, window: Window) -> str:
        """Return the state with which the loop of a window begins, or "" if there is only one."""
        kinds = {kind_of(self.table, other) for other in self.windows}
        several = len(kinds) > 1 and not isinstance(self.table.window, Model)
        return f"{kind_of(self.table, window)}_open" * several

    # durations and events ------------------------------------------------------------------------

    @cached_property
    def durations(self) -> tuple[Duration, ...]:
        """How long effects can last. A table that lists durations lists all."""
        if self.table.durations:
            return self.table.durations
        known = [*self.fill(rows.DURATIONS, word=self.table.turn)]
        known += self.fill(rows.PHASE_LASTS, *self.phases)
        found = {one.name: one for one in known}
        for at in self.parts:
            for name in at.marks:
                doc = f"until {name.replace('_', ' ')}"
                one = found.get(name) or Duration(name, "mark", name, doc=doc)
                found[name] = replace(one, moment="mark", what=name, rule=one.rule or at.part.rule)
        return tuple(found.values())

    @cached_property
    def signals(self) -> dict[str, list[At]]:
        """The events that lead out of windows or end a phase or turn, and where they do."""
        found: dict[str, list[At]] = {}
        for at in self.parts:
            if isinstance(at.part, During | Cut):
                found.setdefault(at.part.event, []).append(at)
        return found

    @property
    def events(self) -> list[Event]:
        """The events of the table, of its windows and cuts, and that of leaving."""
        found = {event.name: event for event in self.table.events}
        for name in self.signals:
            found.setdefault(name, Event(name, name.replace("_", " ")))
        found.setdefault(LEAVING, Event(LEAVING, "somebody left the game"))
        return [*found.values()]
