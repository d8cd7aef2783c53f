"""What is possible now, and why the rest is not."""

import fsm

game = fsm.TurnController("magic", ["Ann", "Ben"])
fsm.drive(game, fsm.BaseHost(), until=lambda request: isinstance(request, fsm.Priority))
for option in (
    game.possible()
):  # - an effect ends the phase    only a combat phase can be ended, and this is none (723.2)
    print(
        "+" if option.possible else "-",
        f"{option.text:<28}",
        option.why or " or ".join(option.leads_to),
    )
assert game.why_not(fsm.EndPhase) == next(
    option.refusal for option in game.possible() if option.name == "end_phase"
)
