"""The results of random games, as plain values."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field

from fsm.testing.fuzzing.checkedgame import Broken, CheckCounts
from fsm.wording import citation


@dataclass(frozen=True, slots=True)
class Found:
    """A broken invariant.

    Attributes
    ----------
    game
        The number of the game that broke it.
    broken
        The invariant, and what is wrong.
    kind
        The format of `case`: a scenario or a trace.
    case
        The text of a file that plays the smallest game that breaks the invariant.
    departures
        How many things happen in the smallest game.
    of
        How many things happen in the game that was found.
    """

    game: int
    broken: Broken
    kind: str = ""
    case: str = ""
    departures: int = 0
    of: int = 0

    @property
    def sentence(self) -> str:
        """What is wrong, in one sentence."""
        return f"game {self.game} breaks {self.broken.name}{citation(self.broken.rule)}: {self.broken.what}"


@dataclass(frozen=True, slots=True)
class Report:
    """The result of random games of one ruleset.

    Attributes
    ----------
    ruleset
        The specification of the ruleset, or the name of the model.
    fingerprint
        The fingerprint of the model.
    seed
        The seed of the games.
    games
        How many games were played.
    looks
        How much was played and checked.
    found
        The first broken invariant by the number of its game, or None.
    """

    ruleset: str
    fingerprint: str
    seed: int
    games: int
    looks: CheckCounts = field(default_factory=CheckCounts)
    found: Found | None = None

    @property
    def ok(self) -> bool:
        """Whether all invariants hold."""
        return self.found is None

    def as_dict(self) -> dict[str, object]:
        """Return the report as plain JSON values."""
        values = {
            "ok": self.ok,
            "ruleset": self.ruleset,
            "fingerprint": self.fingerprint,
            "seed": self.seed,
        }
        found = (
            {**asdict(self.found), "sentence": self.found.sentence}
            if self.found is not None
            else None
        )
        return {**values, "games": self.games, **asdict(self.looks), "found": found}
