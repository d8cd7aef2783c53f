"""An extra combat, and what happens at the beginning of that combat."""

import fsm
from fsm.hosts import StackHost


class Game(StackHost):
    hand = "Moraug"

    def on_priority(self, request: fsm.Priority) -> fsm.Answer | None:
        if not self.hand or request.at.step != "precombat_main":
            return None
        self.stack, self.hand = [self.hand], ""
        return request.acted()

    def resolve(self, top: str, request: fsm.Resolve) -> fsm.Answer | None:
        if top != "Moraug":
            return None  # "untap all": it comes in the added combat, not in the ordinary one
        trigger = fsm.DelayedTrigger("untap all", "beginning_of_combat", within="Moraug's combat")
        return request.done(fsm.AddPhase("combat", id="Moraug's combat"), trigger)

    def on_result(self, result: fsm.Result) -> None:
        print(type(result.order).__name__, result.state, result.why)


fsm.drive(
    fsm.TurnController("magic", ["Ann", "Ben"]), Game(), until=lambda request: request.at.turn == 2
)
