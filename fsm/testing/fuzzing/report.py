"""What came of random games, as plain values."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field

from fsm.testing.fuzzing.instrumentation import Broken, Looks


@dataclass(frozen=True, slots=True)
class Found:
    """A broken invariant: in which game, and the smallest case of it.

    `case` is the text of a file, a scenario or a trace as `kind` says; `departures` how many things happen in it,
    of so many in the game as it was found (`of`).
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
        rule = f" ({self.broken.rule})" if self.broken.rule else ""
        return f"game {self.game} breaks {self.broken.name}{rule}: {self.broken.what}"


@dataclass(frozen=True, slots=True)
class Report:
    """Random games of one ruleset: how many, how far, and the first that broke an invariant, if one did."""

    ruleset: str
    fingerprint: str
    seed: int
    games: int
    looks: Looks = field(default_factory=Looks)
    found: Found | None = None

    @property
    def ok(self) -> bool:
        """Did all invariants hold?"""
        return self.found is None

    def as_dict(self) -> dict[str, object]:
        """The report as plain JSON values."""
        values = {"ok": self.ok, "ruleset": self.ruleset, "fingerprint": self.fingerprint, "seed": self.seed}
        found = {**asdict(self.found), "sentence": self.found.sentence} if self.found is not None else None
        return {**values, "games": self.games, **asdict(self.looks), "found": found}
