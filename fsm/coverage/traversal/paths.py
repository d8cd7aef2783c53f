"""The values that assertions use. They explain themselves when an assertion fails."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

CONTEXT = 3


@dataclass(frozen=True, slots=True)
class Verdict:
    """A truth value that explains itself: its repr says how often something was taken, or why it
    was not.
    """

    times: int
    why: str

    def __bool__(self) -> bool:
        return self.times > 0

    def __repr__(self) -> str:
        return self.why


class VisitedNames(list[str]):
    """A list of names in the order in which they were visited. It can explain how it differs from
    another list.
    """

    def explain_against(self, other: object) -> list[str]:
        """Return the lines of a failed comparison: first a summary, then both lists side by side."""
        wanted = (
            [str(name) for name in other]
            if isinstance(other, Sequence) and not isinstance(other, str)
            else None
        )
        if wanted is None:
            return [f"a path is a list of names, not {other!r}"]
        return [_summary(self, wanted), "", *_sides(self, wanted)]


def _summary(taken: Sequence[str], wanted: Sequence[str]) -> str:
    same = next((n for n, (a, b) in enumerate(zip(taken, wanted, strict=False)) if a != b), None)
    if same is not None:
        return f"the path goes to {taken[same]!r}, and {wanted[same]!r} was expected (place {same})"
    if len(taken) < len(wanted):
        return f"the path ends where {wanted[len(taken)]!r} was expected (place {len(taken)})"
    return f"the path goes on to {taken[len(wanted)]!r} where it was expected to end (place {len(wanted)})"


def _sides(taken: Sequence[str], wanted: Sequence[str]) -> Iterator[str]:
    """Yield what was taken (+) and what was expected instead (-), with some common names around
    them.
    """
    groups = list(SequenceMatcher(None, wanted, taken, autojunk=False).get_grouped_opcodes(CONTEXT))
    for number, group in enumerate(groups):
        if number or group[0][1]:
            yield "    ..."
        for kind, a, b, c, d in group:
            if kind == "equal":
                yield from (f"    {name}" for name in wanted[a:b])
            else:
                yield from (f"  - {name}    (expected)" for name in wanted[a:b])
                yield from (f"  + {name}    (taken)" for name in taken[c:d])
    if groups and groups[-1][-1][2] < len(wanted):
        yield "    ..."
