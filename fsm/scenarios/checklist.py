"""What an entry of `expect` can check, once: schema, checks, documentation and expectations all read it here."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Check:
    """One thing an entry of `expect` can check, the keys it needs beside it and those it may have."""

    name: str
    beside: tuple[str, ...]
    may: tuple[str, ...]
    doc: str
    needs: str = ""


CHECKS: dict[str, Check] = {
    check.name: check
    for check in (
        Check("turn_order", (), (), "these are the active players of turns 1 to n"),
        Check("active", ("turn",), (), "that turn's player"),
        Check("extra", ("turn",), (), "whether that turn is an extra one"),
        Check("controller", ("turn",), (), "who decides in that turn"),
        Check("steps", ("turn",), (), "exactly these steps, in order"),
        Check("contains", ("turn",), (), "this contiguous run of steps occurs"),
        Check("visits", ("turn",), (), "exact counts of visits, by step"),
        Check(
            "phases",
            ("turn",),
            (),
            "exactly these phases, in order of occurrence; one all of whose steps were skipped does not show",
        ),
        Check("priority", ("turn",), (), "whether anybody got priority in that visit"),
        Check("discards", ("turn",), (), "how many cards were discarded to hand size in that cleanup"),
        Check(
            "active_at",
            ("effect",),
            (),
            "whether the effect is on while players have priority there (in a step without priority: as it ends); "
            "one made in that visit counts as on",
        ),
        Check("fires", ("trigger",), (), "the complete list of its trigger events"),
        Check("put_on_stack", ("trigger",), (), "the complete list of where it reached the stack"),
        Check(
            "designation",
            ("turn", "step"),
            ("iteration",),
            "day or night there, as that visit ends",
            "action:day_night",
        ),
        Check(
            "on_turns",
            ("lore",),
            (),
            "turns in which that Saga got a turn-based lore counter",
            "action:add_lore_counters",
        ),
        Check(
            "mana_at",
            (),
            (),
            "unspent mana while that step is under way: what is there just before it empties",
            "action:empty_mana|action:lose_mana",
        ),
        Check(
            "burn",
            (),
            (),
            "how much life that player loses by unspent mana as that phase ends",
            "action:lose_mana",
        ),
        Check(
            "tba_order",
            ("turn", "step"),
            ("iteration",),
            "the turn-based actions of that step, in order; not those that end its phase after its last window",
        ),
        Check(
            "stages",
            ("turn",),
            (),
            "this contiguous run occurs among the actions that were performed and the windows in which somebody "
            "received priority",
        ),
        Check("windows", ("turn",), (), "in how many windows somebody received priority"),
        Check("passes", ("turn",), (), "how often somebody passed"),
        Check("resolves", ("turn", "step"), ("iteration",), "exactly what resolved in that visit, in order"),
        Check(
            "assigns",
            ("turn", "step"),
            ("iteration",),
            "exactly who assigned damage in that visit: attackers first, then blockers, each as they came",
            "action:assign_*",
        ),
        Check(
            "dealt",
            ("turn", "step"),
            ("iteration",),
            "exactly whose damage was dealt in that visit",
            "action:assign_*",
        ),
        Check("priority_order", ("turn", "step"), ("iteration",), "who received priority in that window, in order"),
        Check("over", (), (), "whether the game has ended"),
    )
}
CONTEXT = ("turn", "step", "iteration", "effect", "trigger", "lore")
