"""A loop with an exhaustive match, in which a spell ends the turn."""

from typing import assert_never

import fsm

game, stack = fsm.TurnController("magic", ["Ann", "Ben"]), list[str]()
for request in game:
    match request:
        case fsm.Priority() if request.at.step == "draw" and not stack:
            stack.append("Time Stop")
            answer = request.acted()
        case fsm.Resolve():
            print("in turn", request.at.turn, stack.pop(), "ends the turn")
            answer = request.done(fsm.EndTurn())
        case fsm.Perform() | fsm.Priority() | fsm.CheckState() | fsm.PlaceTriggers():
            answer = request.quiet(stack_empty=not stack)
        case _:
            assert_never(request)  # a type checker names the case that was forgotten
    if game.answer(answer).at.turn == 3:
        break
