"""The checks that entries of `expect` can make. Schema, parser, documentation and expectations all read this list."""

from __future__ import annotations

from fsm.scenarios.gameparts import placed
from fsm.scenarios.games import GAMES
from fsm.scenarios.jsonshapes import EVENT, FIRST, FLAG, NUMBER, WHERE, WORD, list_of, object_of
from fsm.scenarios.verbparts import ExpectCheck, visit_check

_GENERAL = (
    ExpectCheck("turn_order", (), (), "these are the active players of turns 1 to n", list_of(WORD, minItems=1)),
    ExpectCheck("active", ("turn",), (), "that turn's player", WORD),
    ExpectCheck("extra", ("turn",), (), "whether that turn is an extra one", FLAG),
    ExpectCheck("controller", ("turn",), (), "who decides in that turn", WORD),
    ExpectCheck("steps", ("turn",), (), "exactly these steps, in order", list_of(WORD)),
    ExpectCheck("contains", ("turn",), (), "this contiguous run of steps occurs", list_of(WORD, minItems=1)),
    ExpectCheck(
        "visits",
        ("turn",),
        (),
        "exact counts of visits, by step",
        {"type": "object", "additionalProperties": NUMBER, "minProperties": 1},
    ),
    ExpectCheck(
        "phases",
        ("turn",),
        (),
        "exactly these phases, in order of occurrence; one all of whose steps were skipped does not show",
        list_of(WORD),
    ),
    ExpectCheck(
        "priority",
        ("turn",),
        (),
        "whether anybody got priority in that visit",
        object_of(("step", "given"), step=WORD, iteration=FIRST, given=FLAG),
    ),
    ExpectCheck(
        "active_at",
        ("effect",),
        (),
        "whether the effect is on while players have priority there (in a step without priority: as it ends); "
        "one made in that visit counts as on",
        list_of(object_of(("turn", "step", "value"), **WHERE, value=FLAG), minItems=1),
    ),
    ExpectCheck("fires", ("trigger",), (), "the complete list of its trigger events", list_of(EVENT)),
    ExpectCheck("put_on_stack", ("trigger",), (), "the complete list of where it reached the stack", list_of(EVENT)),
    visit_check(
        "tba_order",
        "the turn-based actions of that step, in order; not those that end its phase after its last window",
        list_of(WORD),
    ),
    ExpectCheck(
        "stages",
        ("turn",),
        (),
        "this contiguous run occurs among the actions that were performed and the windows in which somebody "
        "received priority",
        list_of(WORD, minItems=1),
    ),
    ExpectCheck("windows", ("turn",), (), "in how many windows somebody received priority", NUMBER),
    ExpectCheck("passes", ("turn",), (), "how often somebody passed", NUMBER),
    visit_check("resolves", "exactly what resolved in that visit, in order", list_of(WORD), lists="object"),
    visit_check("priority_order", "who received priority in that window, in order", list_of(WORD)),
    ExpectCheck("over", (), (), "whether the game has ended", FLAG),
)
CHECKS: dict[str, ExpectCheck] = placed(_GENERAL, (game.checks for game in GAMES))
MAKERS: dict[str, tuple[str, ...]] = {
    "effect": ("effect",),
    "trigger": ("trigger", "delayed_trigger", "standing_trigger"),
    **{key: verbs for game in GAMES for key, verbs in game.contexts.items()},
}
"""The keys that name something, with the verbs that make it."""
CONTEXT = ("turn", "step", "iteration", *MAKERS)
