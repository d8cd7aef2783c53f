"""Scripts that together take every transition of Magic's turn and of its window.

Most are made of the words of the model: each step skipped, added, preceded, followed, alone in its
phase. The rest are the special places of a turn, each by name.
"""

from __future__ import annotations

from collections.abc import Mapping

from fsm import AddPhase, AddStep, AddTurn, Signal, SkipPhase, SkipStep, SkipTurn
from fsm.model import Model
from fsm.orders import Order
from support.oracle import Happening, Place, Resolution, Script

TWO = (("A",), ("B",))
THREE = (("A",), ("B",), ("C",))
TEAMS = (("A", "B"), ("C", "D"))
END_TURN, END_PHASE = Signal("end_turn"), Signal("end_phase")


def plans(model: Model) -> dict[str, Script]:
    """All scripts, by a name that says what happens."""
    steps = [state.name for state in model.of_kind("step")]
    phases = [state.name for state in model.of_kind("phase")]
    families = dict.fromkeys(state.family for state in model.of_kind("phase"))
    alone = {
        state.name for state in model.of_kind("step") if len(_siblings(model, state.parent)) == 1
    }
    return {
        **{
            f"skip {step}": skipped(SkipStep(step, "A", "this_turn"))
            for step in steps
            if step != steps[0]
        },
        f"skip {steps[0]}": Script(TWO, (SkipStep(steps[0], "A", "next"),)),
        **{f"add {step}": beside(AddStep(step)) for step in steps},
        **{f"after {step}": beside(AddStep(steps[1], step)) for step in steps},
        **{f"before {step}": beside(AddStep(steps[1], before=step)) for step in steps},
        **{
            f"only {step}": beside(AddStep(step, "current_phase"))
            for step in steps
            if step not in alone
        },
        **{f"after phase {phase}": beside(AddPhase(("beginning",), phase)) for phase in phases},
        **{f"add phase {family}": beside(AddPhase((family,))) for family in families},
        **{
            f"skip phase {family}": Script(TWO, (SkipPhase(family, "A", "next"),))
            for family in families
        },
        **SPECIAL,
    }


def _siblings(model: Model, phase: str) -> list[str]:
    return [state.id for state in model.children(phase) if state.kind == "step"]


def skipped(order: Order) -> Script:
    """Given at the very start of turn 1, with an attack and first strike, so that every step is
    due.
    """
    return Script(THREE, happenings={0: Happening((order,))}, strikes=(True,))


beside = skipped


def at(place: Place, *resolutions: Resolution, **rest: object) -> Mapping[int | Place, Happening]:
    """These things resolve there."""
    return {place: Happening(resolutions=resolutions, **rest)}  # type: ignore[arg-type]


def resolves(*orders: Order, signal: Signal | None = None, **rest: object) -> Resolution:
    return Resolution(orders, signal=signal, **rest)  # type: ignore[arg-type]


def leaves(player: str) -> Signal:
    return Signal("player_left", player)


PRECOMBAT, CLEANUP = (1, "precombat_main", 1), (1, "cleanup", 1)
BLOCKS, ATTACKS = (1, "declare_blockers", 1), (1, "declare_attackers", 1)

SPECIAL: Mapping[str, Script] = {
    "two quiet turns": Script(TWO, attacks=(False,)),
    "an attack": Script(TWO),
    "two teams": Script(TEAMS),
    "first strike": Script(TWO, strikes=(True,)),
    "blocks twice": Script(TWO, happenings=at(ATTACKS, resolves(AddStep("declare_blockers")))),
    "first-strike damage twice": Script(
        TWO, happenings=at(BLOCKS, resolves(AddStep("first_strike_damage"))), strikes=(True,)
    ),
    "put in attacking": Script(
        TWO, attacks=(False,), happenings=at(ATTACKS, resolves(put_attacking=True))
    ),
    "an action, a trigger and a state-based action": Script(
        TWO,
        happenings={
            PRECOMBAT: Happening(cause="trigger", acts=True, resolutions=(resolves(cause="sba"),))
        },
    ),
    "an extra turn": Script(TWO, happenings=at(PRECOMBAT, resolves(AddTurn("A")))),
    "a turn skipped": Script(TWO, (SkipTurn("B"),)),
    "cleanup repeats": Script(TWO, happenings=at(CLEANUP, cause="sba")),
    "a step after a cleanup that repeats": Script(
        TWO, happenings=at(CLEANUP, resolves(AddStep("upkeep")), cause="trigger")
    ),
    "a main phase before the first": Script(
        TWO, happenings=at((1, "upkeep", 1), resolves(AddPhase(("main",))))
    ),
    "first main skipped": Script(TWO, (SkipPhase("main", "A"),)),
    "second main skipped": Script(TWO, happenings=at(PRECOMBAT, resolves(SkipPhase("main", "A")))),
    "a step before an added untap step": Script(
        TWO,
        happenings=at(
            (1, "upkeep", 1), resolves(AddStep("upkeep", before="untap"), AddPhase(("beginning",)))
        ),
    ),
    "end the turn": Script(TWO, happenings=at(PRECOMBAT, resolves(signal=END_TURN, cause="sba"))),
    "end the turn in combat": Script(TWO, happenings=at(BLOCKS, resolves(signal=END_TURN))),
    "end the turn in cleanup": Script(
        TWO, happenings=at(CLEANUP, resolves(signal=END_TURN), cause="sba")
    ),
    "end the turn in cleanup, which is still the only ending phase": Script(
        TWO,
        happenings={
            **at(CLEANUP, resolves(signal=END_TURN), cause="sba"),
            **at(
                (1, "cleanup", 2), resolves(AddPhase(("beginning",), "ending", nth=2)), cause="sba"
            ),
        },
    ),
    "end combat": Script(TWO, happenings=at(BLOCKS, resolves(signal=END_PHASE, cause="sba"))),
    "end combat outside combat": Script(TWO, happenings=at(PRECOMBAT, resolves(signal=END_PHASE))),
    "end combat in an upkeep step added to it": Script(
        TWO,
        happenings={
            **at(ATTACKS, resolves(AddStep("upkeep"))),
            **at((1, "upkeep", 2), resolves(signal=END_PHASE)),
        },
    ),
    "the game is over": Script(TWO, happenings=at(PRECOMBAT, resolves(signal=leaves("B")))),
    "the active player leaves in a resolution": Script(
        THREE, happenings=at(PRECOMBAT, resolves(signal=leaves("A")))
    ),
    "another player leaves in a resolution": Script(
        THREE, happenings=at(PRECOMBAT, resolves(signal=leaves("B")))
    ),
    "the active player leaves before priority": Script(
        THREE, happenings={PRECOMBAT: Happening(leaves="A")}
    ),
    "the active player leaves at a check": Script(
        THREE, happenings={(1, "upkeep", 1): Happening(leaves="A")}
    ),
    "another player leaves at a check": Script(
        THREE, happenings={(1, "upkeep", 1): Happening(leaves="B")}
    ),
    "the player with priority concedes": Script(
        THREE, happenings={PRECOMBAT: Happening(concedes="A")}
    ),
    "another player concedes": Script(THREE, happenings={PRECOMBAT: Happening(concedes="C")}),
    "the last to pass leaves": Script(THREE, happenings=at(PRECOMBAT, resolves(), resigns="C")),
}
