"""What the editions of Magic's rulebook share, and where they have the rules that `magic` cites.

The ruleset, its properties and its list of rules name each rule as CR 2026-01 numbers it.
`Numbers.cite` says where an edition has it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from msgspec.structs import replace

from fsm.model import Duration, Fact, Transition
from fsm.rulesets.parts import Then
from fsm.rulesets.rows import agenda_fact, controller_fact, jump

MANA = "500.5 mana"
"""As a step or phase ends, unspent mana empties. In CR 2026-01 this rule shares a number."""


@dataclass(frozen=True, slots=True)
class Numbers:
    """Where one edition has the rules.

    `moved` has the new number of a rule, or of a whole section, by its number in CR 2026-01. `read`
    are the sections that are known in this edition, if not all are: no rule of another one is
    cited. `mana_first` says whether mana empties before effects end, in the order in which the
    edition lists the two.
    """

    title: str
    rulebook: str
    moved: Mapping[str, str] = field(default_factory=dict)
    read: frozenset[str] = frozenset()
    mana_first: bool = False

    def cite(self, citation: str) -> str:
        """Return a citation with this edition's numbers: "500.4, 500.6" names two rules."""
        return ", ".join(dict.fromkeys(filter(None, map(self._number, citation.split(", ")))))

    def _number(self, rule: str) -> str:
        """Return the number of a rule here, or "" if its section is not known."""
        section, dot, rest = rule.partition(".")
        found = self.moved.get(rule) or self.moved.get(section, section) + dot + rest
        known = not self.read or not section.isdigit() or found.partition(".")[0] in self.read
        return found if known else ""


NUMBERS = {
    "2026-01": Numbers("CR 2026-01", "Comprehensive Rules of 16 January 2026", {MANA: "500.5"}),
    "2025-04": Numbers(
        "CR 2025-04",
        "Comprehensive Rules of April 2025",
        {
            MANA: "500.4",
            "500.4": "500.5",
            "500.5a": "500.5",
            "500.5b": "500.5",
            "722": "721",
            "723": "722",
            "730": "729",
            "732": "731",
        },
        mana_first=True,
    ),
    "2026-04": Numbers(
        "CR 2026-04",
        "Comprehensive Rules of April 2026",
        {MANA: "500.5", "722": "723", "723": "724", "730": "731", "732": "733"},
        read=frozenset({*map(str, range(500, 515)), "723", "724", "731", "733"}),
    ),
}
"""The numbers of each edition, and what is known of it. This is the only place that has them."""


def cites(name: str, edition: str) -> Callable[[str], str]:
    """Return the function that takes a citation in a ruleset's source, and returns it with the
    numbers of the edition that a Model names, such as "CR 2025-04".

    It returns "" for a rule that is not known there. Most rulesets have one numbering: it changes
    nothing.
    """
    for numbers in NUMBERS.values():
        if name == "magic" and numbers.title == edition:
            return numbers.cite
    return str


def durations(
    *,
    begin: str = "500.4",
    wears_off: str = "514.2",
    combat: str = "500.5a",
    end_step: str = "end",
    combat_ends: Literal["end", "mark"] = "end",
) -> tuple[Duration, ...]:
    """Magic's durations, by the rules on what lasts until a step begins, until end of turn, until
    end of combat.

    `combat_ends`: what lasts until end of combat is over as the phase ends, or where the table
    marks it.
    What lasts until end of combat on your next turn is over with that turn at the latest. No rule
    says what becomes of it if that turn has no combat.
    """
    what = "combat" if combat_ends == "end" else "end_of_combat"
    rows: tuple[Any, ...] = (
        ("end_of_turn", "mark", "end_of_turn", "any", "any", wears_off, "until end of turn"),
        ("end_of_combat", combat_ends, what, "any", "any", combat, "until end of combat"),
        ("your_next_turn", "begin", "turn", "yours", "any", begin, "until your next turn"),
        ("end_of_your_next_turn", "mark", "end_of_turn", "yours", "next", wears_off,
         "until the end of your next turn"),
        ("your_next_upkeep", "begin", "upkeep", "yours", "any", begin, "until your next upkeep"),
        ("your_next_end_step", "begin", end_step, "yours", "any", begin,
         "until your next end step"),
        ("end_of_combat_on_your_next_turn", combat_ends, what, "yours", "next", combat,
         "until end of combat on your next turn"),
    )  # fmt: skip
    return tuple(Duration(*row) for row in rows)


_FACTS = (
    Fact("attackers_declared", "a creature was declared as an attacker this combat",
              timing="latched", scope="combat", says="a creature attacks",
              denies="nobody attacks"),
    Fact("put_in_attacking", "a creature was put onto the battlefield attacking",
              timing="latched", scope="combat", says="a creature is put in attacking",
              denies="none is put in attacking"),
    Fact("stated_attacking", "an effect stated that a creature is attacking",
              timing="latched", scope="combat", says="an effect says that a creature attacks",
              denies="no effect says that a creature attacks"),
    Fact("first_strike_in_combat", "an attacker or blocker has first or double strike",
              timing="once", says="a creature has first or double strike",
              denies="no creature has first or double strike"),
    Fact("damage_assigned", "somebody assigns combat damage",
              says="there is damage",
              denies="there is no damage"),
    Fact("sba_performed", "a state-based action was performed",
              says="something happened by itself, such as a creature dying",
              denies="nothing happened by itself"),
    controller_fact("several_opponents", "there is more than one opponent to attack", "",
                    "more_sides_than", "2", says="there are several opponents",
                    denies="there is only one opponent"),
    controller_fact("several_sides_left", "at least two players or teams are left", "",
                    "more_sides_than", "1", says="several sides are left",
                    denies="one side is left"),
    controller_fact("first_turn", "this is the starting player's first turn", "",
                "starters_turn_is",
                    "1", says="this is the first turn of the one who starts",
                    denies="this is a later turn"),
    controller_fact("all_defend", "every opponent is a defending player", "", "setting",
                    "attack_multiple_players", says="every opponent may be attacked",
                    denies="only one opponent may be attacked"),
    controller_fact("first_draw_skipped", "the starting player skips the first draw step", "",
                    "setting", "first_draw_skipped", says="nobody draws on that turn",
                    denies="a card is drawn on that turn"),
    controller_fact("team_turns", "the players of a team take their turns together", "",
                    "shared_turns", says="the players of a team take their turns together",
                    denies="each player takes turns alone"),
    agenda_fact("extra_draw", "this draw step is an extra one", "", "inside_any_extra",
                says="this draw step is an extra one",
                denies="this draw step is not an extra one"),
    agenda_fact("main_phase_begun", "a main phase has begun this turn", "",
                "begun", "phase", "main",
                says="a main phase has begun this turn",
                denies="no main phase has begun this turn"),
    Fact("first_main_skipped", "the first main phase was skipped", owner="agenda",
              timing="latched", scope="turn"),
    agenda_fact("combat_under_way", "the game is in a combat phase", "",
                "phase_under_way", "combat",
                says="the game is in combat", denies="the game is not in combat"),
    agenda_fact("ending_under_way", "the game is in an ending phase", "",
                "phase_under_way", "ending",
                says="the turn is ending", denies="the turn is not ending yet"),
    agenda_fact("end_under_way", "the game is in an end phase", "", "phase_under_way", "end",
                says="the turn is ending", denies="the turn is not ending yet"),
    agenda_fact("cleanup_begun", "a cleanup step has begun this turn", "", "begun", "step",
                "cleanup"),
    Fact("cleanup_owed",
         "the turn was ended in a cleanup step in which players had priority", "", "controller",
         "latched", "cleanup"),
)  # fmt: skip


def facts(rules: Mapping[str, str], **docs: str) -> tuple[Fact, ...]:
    """The facts of Magic that have a rule in a rulebook, each with its rule, and with what it means
    there, where that is not the usual text.
    """
    return tuple(
        replace(fact, rule=rules[fact.name], doc=docs.get(fact.name, fact.doc))
        for fact in _FACTS
        if rules.get(fact.name)
    )


# what happens in every edition --------------------------------------------------------------------

_ATTACKS = {
    "attackers_declared": "a creature was declared as an attacker",
    "put_in_attacking": "a creature was put in attacking",
    "stated_attacking": "an effect stated that a creature attacks",
}


def attacked(rule: str, counts: Mapping[str, str], **docs: str) -> tuple[Then, ...]:
    """Where the turn goes after attackers were declared: to the declare blockers step by each of
    the facts that count, with its rule, or else past blocks and damage. `docs`: what a fact means.
    """
    found = []
    for fact, by in counts.items():
        doc = docs.get(fact, _ATTACKS[fact])
        found.append(Then("declare_blockers", fact, by, doc, says="a creature attacks"))
    doc = "no attackers: blocks and damage are skipped"
    return (*found, Then("end_of_combat", "", rule, doc, says="nobody attacks", layer="skip"))


def unattacked(counts: Iterable[str]) -> str:
    """The guard of the steps that take place only if one of these facts holds."""
    return ", ".join(f"not {fact}" for fact in counts)


def turn_ended(first: str, rule: str) -> Transition:
    """An effect ends the turn."""
    doc = "an effect ends the turn"
    return jump("turn", first, rule, event="end_turn", doc=doc, says=doc)
