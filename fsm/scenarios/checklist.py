"""The checks that entries of `expect` can make. Schema, parser, documentation and expectations all read this list."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ExpectCheck:
    """A check that an entry of `expect` can make. It needs the keys in `beside`, and may have those in `may`."""

    name: str
    beside: tuple[str, ...]
    may: tuple[str, ...]
    doc: str
    needs: str = ""


CHECKS: dict[str, ExpectCheck] = {
    check.name: check
    for check in (
        ExpectCheck("turn_order", (), (), "these are the active players of turns 1 to n"),
        ExpectCheck("active", ("turn",), (), "that turn's player"),
        ExpectCheck("extra", ("turn",), (), "whether that turn is an extra one"),
        ExpectCheck("controller", ("turn",), (), "who decides in that turn"),
        ExpectCheck("steps", ("turn",), (), "exactly these steps, in order"),
        ExpectCheck("contains", ("turn",), (), "this contiguous run of steps occurs"),
        ExpectCheck("visits", ("turn",), (), "exact counts of visits, by step"),
        ExpectCheck(
            "phases",
            ("turn",),
            (),
            "exactly these phases, in order of occurrence; one all of whose steps were skipped does not show",
        ),
        ExpectCheck("priority", ("turn",), (), "whether anybody got priority in that visit"),
        ExpectCheck("discards", ("turn",), (), "how many cards were discarded to hand size in that cleanup"),
        ExpectCheck(
            "active_at",
            ("effect",),
            (),
            "whether the effect is on while players have priority there (in a step without priority: as it ends); "
            "one made in that visit counts as on",
        ),
        ExpectCheck("fires", ("trigger",), (), "the complete list of its trigger events"),
        ExpectCheck("put_on_stack", ("trigger",), (), "the complete list of where it reached the stack"),
        ExpectCheck(
            "designation",
            ("turn", "step"),
            ("iteration",),
            "day or night there, as that visit ends",
            "action:day_night",
        ),
        ExpectCheck(
            "on_turns",
            ("lore",),
            (),
            "turns in which that Saga got a turn-based lore counter",
            "action:add_lore_counters",
        ),
        ExpectCheck(
            "mana_at",
            (),
            (),
            "unspent mana while that step is under way: what is there just before it empties",
            "action:empty_mana|action:lose_mana",
        ),
        ExpectCheck(
            "burn",
            (),
            (),
            "how much life that player loses by unspent mana as that phase ends",
            "action:lose_mana",
        ),
        ExpectCheck(
            "tba_order",
            ("turn", "step"),
            ("iteration",),
            "the turn-based actions of that step, in order; not those that end its phase after its last window",
        ),
        ExpectCheck(
            "stages",
            ("turn",),
            (),
            "this contiguous run occurs among the actions that were performed and the windows in which somebody "
            "received priority",
        ),
        ExpectCheck("windows", ("turn",), (), "in how many windows somebody received priority"),
        ExpectCheck("passes", ("turn",), (), "how often somebody passed"),
        ExpectCheck("resolves", ("turn", "step"), ("iteration",), "exactly what resolved in that visit, in order"),
        ExpectCheck(
            "assigns",
            ("turn", "step"),
            ("iteration",),
            "exactly who assigned damage in that visit: attackers first, then blockers, each as they came",
            "action:assign_*",
        ),
        ExpectCheck(
            "dealt",
            ("turn", "step"),
            ("iteration",),
            "exactly whose damage was dealt in that visit",
            "action:assign_*",
        ),
        ExpectCheck(
            "priority_order", ("turn", "step"), ("iteration",), "who received priority in that window, in order"
        ),
        ExpectCheck("over", (), (), "whether the game has ended"),
    )
}
CONTEXT = ("turn", "step", "iteration", "effect", "trigger", "lore")
